//===- PromoteFloats.cpp - A graph with every float in f64 ----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/Reference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

static APFloat promote(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value;
}

/// Returns `attr` with f64 elements, or nothing if they are not floats.
static std::optional<Attribute> promoteElements(DenseElementsAttr attr) {
  auto type = cast<ShapedType>(attr.getType());
  Type element = type.getElementType();
  auto f64 = Float64Type::get(attr.getContext());
  if (isa<FloatType>(element)) {
    auto values = attr.mapValues(f64, [](const APFloat &value) {
      return promote(value).bitcastToAPInt();
    });
    return Attribute(values);
  }
  auto complex = dyn_cast<ComplexType>(element);
  if (!complex || !isa<FloatType>(complex.getElementType()))
    return std::nullopt;
  SmallVector<std::complex<APFloat>> values;
  for (const std::complex<APFloat> &value :
       attr.getValues<std::complex<APFloat>>())
    values.emplace_back(promote(value.real()), promote(value.imag()));
  auto promoted = type.clone(ComplexType::get(f64));
  if (attr.isSplat())
    values.resize(1, values.front());
  return Attribute(DenseElementsAttr::get(promoted, values));
}

static void addReplacements(AttrTypeReplacer &replacer) {
  replacer.addReplacement([](FloatType type) -> std::optional<Type> {
    return Float64Type::get(type.getContext());
  });
  replacer.addReplacement(
      [](FloatAttr attr) -> std::optional<std::pair<Attribute, WalkResult>> {
        Attribute promoted = FloatAttr::get(Float64Type::get(attr.getContext()),
                                            promote(attr.getValue()));
        return std::make_pair(promoted, WalkResult::skip());
      });
  replacer.addReplacement(
      [](DenseElementsAttr attr)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        if (auto promoted = promoteElements(attr))
          return std::make_pair(*promoted, WalkResult::skip());
        return std::nullopt;
      });
}

/// Reports an operation that depends on how floats are represented.
static LogicalResult checkPromotable(Operation *op) {
  auto isFloat = [](Type type) {
    return isa<FloatType>(getElementTypeOrSelf(type));
  };
  if (isa<arith::BitcastOp>(op) && isFloat(op->getOperand(0).getType()) !=
                                       isFloat(op->getResult(0).getType()))
    return op->emitRemark("looks at the bits of a float, so the graph can not "
                          "be evaluated in f64"),
           failure();
  for (NamedAttribute attr : op->getAttrs()) {
    auto resource = dyn_cast<DenseResourceElementsAttr>(attr.getValue());
    if (resource && isFloat(resource.getType()))
      return op->emitRemark("holds a resource of floats, so the graph can not "
                            "be evaluated in f64"),
             failure();
  }
  return success();
}

FailureOr<OwningOpRef<ModuleOp>> fusion::promoteFloatsToF64(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    return failed(checkPromotable(op)) ? WalkResult::interrupt()
                                       : WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();

  OwningOpRef<ModuleOp> clone(module.clone());
  AttrTypeReplacer replacer;
  addReplacements(replacer);
  replacer.recursivelyReplaceElementsIn(*clone, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  clone->walk([](Operation *op) {
    if (!isa<arith::ExtFOp, arith::TruncFOp, arith::BitcastOp>(op) ||
        op->getOperand(0).getType() != op->getResult(0).getType())
      return;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  });
  if (failed(verify(*clone)))
    return failure();
  return clone;
}
