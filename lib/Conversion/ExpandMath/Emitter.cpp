//===- Emitter.cpp - Builds arithmetic on floats --------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::fusion;

/// Returns the attribute for `value` in `type`, splat if that is a vector.
static TypedAttr splat(Type type, Attribute value) {
  if (auto vector = dyn_cast<VectorType>(type))
    return DenseElementsAttr::get(vector, value);
  return cast<TypedAttr>(value);
}

Type Emitter::integerType() const {
  Type element = builder.getIntegerType(isF64() ? 64 : 32);
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

Value Emitter::constant(double value) {
  Attribute element = builder.getFloatAttr(getElementTypeOrSelf(type), value);
  return arith::ConstantOp::create(builder, loc, splat(type, element));
}

Value Emitter::infinity() {
  return constant(std::numeric_limits<double>::infinity());
}

Value Emitter::nan() {
  return constant(std::numeric_limits<double>::quiet_NaN());
}

Value Emitter::integer(int64_t value) {
  Type integer = integerType();
  Type element = getElementTypeOrSelf(integer);
  APInt bits(element.getIntOrFloatBitWidth(), value, /*isSigned=*/true,
             /*implicitTrunc=*/true);
  return arith::ConstantOp::create(
      builder, loc, splat(integer, builder.getIntegerAttr(element, bits)));
}

Value Emitter::polynomial(Value x, ArrayRef<double> coefficients) {
  Value sum = constant(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, constant(coefficient));
  return sum;
}

std::pair<Value, Value> Emitter::roundProduct(Value x, double factor) {
  // Adding 1.5 * 2^mantissaBits leaves the integer in the low bits of the sum.
  double magic = pick(12582912.0, 6755399441055744.0);
  int64_t magicBits = pick<int64_t>(0x4B400000, 0x4338000000000000);
  Value sum = fma(x, factor, constant(magic));
  Value whole = sub(sum, constant(magic));
  return {whole, subInt(bits(sum), integer(magicBits))};
}

Value Emitter::powerOfTwo(Value n) {
  return fromBits(
      shiftLeft(addInt(n, integer(exponentBias())), mantissaBits()));
}

Value Emitter::scale(Value x, Value n) {
  // The first factor keeps the product normal, so that only the second rounds.
  Value half = shiftRightSigned(n, 1);
  return mul(mul(x, powerOfTwo(half)), powerOfTwo(subInt(n, half)));
}

Value Emitter::exp2(Value x) {
  if (hasNativeExp2())
    return math::Exp2Op::create(builder, loc, x);
  return expandExp2(*this, x);
}

Value Emitter::exp(Value x) {
  if (hasNativeFunctions())
    return math::ExpOp::create(builder, loc, x);
  return expandExp(*this, x);
}
Value Emitter::expm1(Value x) { return expandExpM1(*this, x); }
Value Emitter::log(Value x) {
  if (hasNativeFunctions())
    return math::LogOp::create(builder, loc, x);
  return expandLog(*this, x);
}
Value Emitter::log1p(Value x) { return expandLog1p(*this, x); }
