//===- DemoteF64.cpp - f64 between narrower types in f32 ------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Exporters put f64 between narrower values: LayerNorm's variance, comparisons
// with -inf. GPUs compute f64 slowly or not at all. Where every f64 value of a
// graph is computed from narrower ones and ends in narrower ones, f32 serves: a
// two-pass variance in f32 has an error of a few eps times the variance (the
// deviations are exact to eps of the values, and f32 is what the mean beside it
// is computed in), and comparisons of widened values with an infinity are
// exact in any type. docs/Numerics.md has the derivation.
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/Normalize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::fusion;

static bool isF64(Type type) { return getElementTypeOrSelf(type).isF64(); }

static Type toF32(Type type) {
  Type f32 = Float32Type::get(type.getContext());
  if (auto shaped = dyn_cast<RankedTensorType>(type))
    return shaped.clone(f32);
  return f32;
}

static Attribute toF32(Attribute attribute) {
  MLIRContext *context = attribute.getContext();
  if (auto value = dyn_cast<FloatAttr>(attribute)) {
    bool lossy;
    APFloat narrow = value.getValue();
    narrow.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lossy);
    return FloatAttr::get(Float32Type::get(context), narrow);
  }
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute))
    return cast<DenseFPElementsAttr>(dense).mapValues(
        Float32Type::get(context), [](const APFloat &value) {
          bool lossy;
          APFloat narrow = value;
          narrow.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                         &lossy);
          return narrow.bitcastToAPInt();
        });
  return attribute;
}

void fusion::demoteF64(Operation *root) {
  root->walk([](func::FuncOp func) {
    // f64 that crosses the boundary is the graph's wish.
    if (llvm::any_of(func.getArgumentTypes(), isF64) ||
        llvm::any_of(func.getResultTypes(), isF64))
      return;
    SmallVector<Operation *> casts;
    func.walk([&](Operation *op) {
      for (Value result : op->getResults())
        if (isF64(result.getType()))
          result.setType(toF32(result.getType()));
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            if (isF64(argument.getType()))
              argument.setType(toF32(argument.getType()));
      if (auto constant = dyn_cast<arith::ConstantOp>(op))
        if (isF64(constant.getValue().getType()))
          constant.setValueAttr(cast<TypedAttr>(toF32(constant.getValue())));
      if (isa<arith::ExtFOp, arith::TruncFOp>(op))
        casts.push_back(op);
    });
    // Casts between f64 and f32 became casts of f32 to itself; those from
    // narrower types stay, and an extension may have become none.
    for (Operation *op : casts) {
      Value source = op->getOperand(0);
      if (source.getType() == op->getResult(0).getType()) {
        op->getResult(0).replaceAllUsesWith(source);
        op->erase();
      }
    }
  });
}
