//===- Scalars.cpp - Arithmetic in the bodies of operations ---------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"

using namespace mlir;
using namespace mlir::fusion::fuzz;

Value Scalars::constant(Type type, double value) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    APFloat number(value);
    bool losesInfo;
    number.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return make<arith::ConstantOp>(FloatAttr::get(floatType, number));
  }
  return make<arith::ConstantOp>(
      builder.getIntegerAttr(type, static_cast<int64_t>(value)));
}

Value Scalars::infinity(Type type, bool negative) {
  auto floatType = llvm::cast<FloatType>(type);
  return make<arith::ConstantOp>(FloatAttr::get(
      floatType, APFloat::getInf(floatType.getFloatSemantics(), negative)));
}

static bool isFloat(Value x) { return isa<FloatType>(x.getType()); }

Value Scalars::add(Value x, Value y) {
  return isFloat(x) ? make<arith::AddFOp>(x, y) : make<arith::AddIOp>(x, y);
}
Value Scalars::sub(Value x, Value y) {
  return isFloat(x) ? make<arith::SubFOp>(x, y) : make<arith::SubIOp>(x, y);
}
Value Scalars::mul(Value x, Value y) {
  return isFloat(x) ? make<arith::MulFOp>(x, y) : make<arith::MulIOp>(x, y);
}
Value Scalars::div(Value x, Value y) {
  return isFloat(x) ? make<arith::DivFOp>(x, y) : make<arith::DivSIOp>(x, y);
}
Value Scalars::max(Value x, Value y) {
  return isFloat(x) ? make<arith::MaximumFOp>(x, y)
                    : make<arith::MaxSIOp>(x, y);
}
Value Scalars::min(Value x, Value y) {
  return isFloat(x) ? make<arith::MinimumFOp>(x, y)
                    : make<arith::MinSIOp>(x, y);
}
Value Scalars::neg(Value x) {
  return isFloat(x) ? make<arith::NegFOp>(x)
                    : make<arith::SubIOp>(constant(x.getType(), 0), x);
}
Value Scalars::abs(Value x) {
  return isFloat(x) ? make<math::AbsFOp>(x) : make<math::AbsIOp>(x);
}
Value Scalars::compare(arith::CmpFPredicate predicate, Value x, Value y) {
  return make<arith::CmpFOp>(predicate, x, y);
}
Value Scalars::compare(arith::CmpIPredicate predicate, Value x, Value y) {
  return make<arith::CmpIOp>(predicate, x, y);
}
Value Scalars::select(Value condition, Value x, Value y) {
  return make<arith::SelectOp>(condition, x, y);
}

Value Scalars::cast(Value x, Type type) {
  Type from = x.getType();
  if (from == type)
    return x;
  auto fromFloat = dyn_cast<FloatType>(from);
  auto toFloat = dyn_cast<FloatType>(type);
  if (fromFloat && toFloat) {
    if (fromFloat.getWidth() == toFloat.getWidth())
      return cast(cast(x, builder.getF32Type()), type);
    return fromFloat.getWidth() < toFloat.getWidth()
               ? make<arith::ExtFOp>(type, x)
               : make<arith::TruncFOp>(type, x);
  }
  if (from.isIndex() || type.isIndex()) {
    if (fromFloat || toFloat)
      return cast(cast(x, builder.getI64Type()), type);
    return make<arith::IndexCastOp>(type, x);
  }
  if (fromFloat)
    return make<arith::FPToSIOp>(type, x);
  if (toFloat)
    return from.isInteger(1) ? make<arith::UIToFPOp>(type, x)
                             : make<arith::SIToFPOp>(type, x);
  if (from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    return make<arith::TruncIOp>(type, x);
  return from.isInteger(1) ? make<arith::ExtUIOp>(type, x)
                           : make<arith::ExtSIOp>(type, x);
}

Value Scalars::position(unsigned d, Type type) {
  return cast(make<linalg::IndexOp>(d), type);
}
