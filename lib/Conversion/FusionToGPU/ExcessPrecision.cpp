//===- ExcessPrecision.cpp - No rounding between fused ops ----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/ExcessPrecision.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::fusion;

static bool isNarrow(Type type) { return isa<Float16Type, BFloat16Type>(type); }

/// Whether the operation is arithmetic on narrow floats that f32 can do as
/// well.
static bool isNarrowArithmetic(Operation *op) {
  if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
      op->getNumResults() != 1 || op->getNumRegions() ||
      isa<arith::BitcastOp, arith::ExtFOp, arith::TruncFOp, arith::ConstantOp,
          arith::ScalingExtFOp, arith::ScalingTruncFOp>(op))
    return false;
  bool narrow = isNarrow(op->getResult(0).getType());
  for (Value operand : op->getOperands()) {
    if (isNarrow(operand.getType()))
      narrow = true;
    else if (isa<FloatType>(operand.getType()) ||
             isa<VectorType>(operand.getType()))
      return false;
  }
  Type result = op->getResult(0).getType();
  return narrow && (isNarrow(result) || result.isInteger());
}

/// The f32 value that a narrow one was rounded from, or its extension.
static Value widen(OpBuilder &builder, Location loc, Value value) {
  Type f32 = builder.getF32Type();
  if (auto truncate = value.getDefiningOp<arith::TruncFOp>())
    if (truncate.getIn().getType() == f32)
      return truncate.getIn();
  if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
    bool lossy;
    APFloat wide = cast<FloatAttr>(constant.getValue()).getValue();
    wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lossy);
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(f32, wide));
  }
  return arith::ExtFOp::create(builder, loc, f32, value);
}

void fusion::dropIntermediateRoundings(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) { ops.push_back(op); });
  OpBuilder builder(root->getContext());
  // In the order of the program, so that operands are widened before users.
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    if (auto extend = dyn_cast<arith::ExtFOp>(op)) {
      auto truncate = extend.getIn().getDefiningOp<arith::TruncFOp>();
      if (truncate && truncate.getIn().getType() == extend.getType()) {
        extend.replaceAllUsesWith(truncate.getIn());
        extend.erase();
      }
      continue;
    }
    if (!isNarrowArithmetic(op))
      continue;
    Location loc = op->getLoc();
    for (OpOperand &operand : op->getOpOperands())
      if (isNarrow(operand.get().getType()))
        operand.set(widen(builder, loc, operand.get()));
    Value result = op->getResult(0);
    Type narrow = result.getType();
    if (!isNarrow(narrow))
      continue;
    result.setType(builder.getF32Type());
    builder.setInsertionPointAfter(op);
    auto truncate = arith::TruncFOp::create(builder, loc, narrow, result);
    result.replaceAllUsesExcept(truncate.getResult(), truncate);
  }
}
