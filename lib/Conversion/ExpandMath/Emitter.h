//===- Emitter.h - Builds arithmetic on floats ------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vocabulary in which the expansions are written: every method builds the
// operations for one step, on scalars and vectors alike.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CONVERSION_EXPANDMATH_EMITTER_H
#define FUSION_LIB_CONVERSION_EXPANDMATH_EMITTER_H

#include "fusion/Conversion/ExpandMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace mlir::fusion {

/// Builds arithmetic on values of one float type, f32 or f64 or a vector of
/// these.
class Emitter {
public:
  Emitter(OpBuilder &builder, Location loc, Type type,
          const ExpandMathOptions &options)
      : builder(builder), loc(loc), type(type), options(options) {}

  /// The same emitter, building with `other`.
  Emitter at(OpBuilder &other) const {
    return Emitter(other, loc, type, options);
  }

  bool isF64() const { return getElementTypeOrSelf(type).isF64(); }
  /// Whether exp2 is an instruction for this type.
  bool hasNativeExp2() const {
    return (options.nativeExp2 || options.nativeFunctions) && !isF64();
  }
  /// Whether exp and log are functions of the target for this type.
  bool hasNativeFunctions() const {
    return options.nativeFunctions && !isF64();
  }
  /// Chooses between the constants of the two types.
  template <typename T>
  T pick(T forF32, T forF64) const {
    return isF64() ? forF64 : forF32;
  }
  /// Chooses between the coefficients of the two types.
  ArrayRef<double> table(ArrayRef<double> forF32,
                         ArrayRef<double> forF64) const {
    return isF64() ? forF64 : forF32;
  }
  /// The number of explicit bits of the mantissa.
  int64_t mantissaBits() const { return isF64() ? 52 : 23; }
  int64_t exponentBias() const { return isF64() ? 1023 : 127; }

  //===--------------------------------------------------------------------===//
  // Constants
  //===--------------------------------------------------------------------===//

  Value constant(double value);
  Value infinity();
  Value nan();
  /// An integer as wide as the float.
  Value integer(int64_t value);

  //===--------------------------------------------------------------------===//
  // Float arithmetic
  //===--------------------------------------------------------------------===//

  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) {
    return arith::SubFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value div(Value a, Value b) {
    return arith::DivFOp::create(builder, loc, a, b);
  }
  /// A quotient that may be two units off; only where the result damps it.
  Value divApproximately(Value a, Value b) {
    return arith::DivFOp::create(builder, loc, a, b, arith::FastMathFlags::afn);
  }
  Value neg(Value a) { return arith::NegFOp::create(builder, loc, a); }
  Value fma(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, loc, a, b, c);
  }
  Value fma(Value a, double b, Value c) { return fma(a, constant(b), c); }
  Value mul(Value a, double b) { return mul(a, constant(b)); }
  Value add(Value a, double b) { return add(a, constant(b)); }
  Value abs(Value a) { return math::AbsFOp::create(builder, loc, a); }
  Value sqrt(Value a) { return math::SqrtOp::create(builder, loc, a); }
  Value copySign(Value a, Value sign) {
    return math::CopySignOp::create(builder, loc, a, sign);
  }
  /// max and min that propagate NaN.
  Value max(Value a, double b) {
    return arith::MaximumFOp::create(builder, loc, a, constant(b));
  }
  Value min(Value a, double b) {
    return arith::MinimumFOp::create(builder, loc, a, constant(b));
  }
  /// The polynomial with `coefficients`, that of x^0 first, at `x`.
  Value polynomial(Value x, ArrayRef<double> coefficients);

  //===--------------------------------------------------------------------===//
  // Comparisons
  //===--------------------------------------------------------------------===//

  /// Ordered comparisons: false for NaN.
  Value less(Value a, Value b) {
    return compare(arith::CmpFPredicate::OLT, a, b);
  }
  Value less(Value a, double b) { return less(a, constant(b)); }
  Value greater(Value a, double b) {
    return compare(arith::CmpFPredicate::OGT, a, constant(b));
  }
  Value equal(Value a, Value b) {
    return compare(arith::CmpFPredicate::OEQ, a, b);
  }
  Value equal(Value a, double b) { return equal(a, constant(b)); }
  Value isNaN(Value a) { return compare(arith::CmpFPredicate::UNO, a, a); }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  Value both(Value a, Value b) {
    return arith::AndIOp::create(builder, loc, a, b);
  }
  Value either(Value a, Value b) {
    return arith::OrIOp::create(builder, loc, a, b);
  }

  //===--------------------------------------------------------------------===//
  // Bits and integers
  //===--------------------------------------------------------------------===//

  Value bits(Value a) {
    return arith::BitcastOp::create(builder, loc, integerType(), a);
  }
  Value fromBits(Value a) {
    return arith::BitcastOp::create(builder, loc, type, a);
  }
  Value addInt(Value a, Value b) {
    return arith::AddIOp::create(builder, loc, a, b);
  }
  Value subInt(Value a, Value b) {
    return arith::SubIOp::create(builder, loc, a, b);
  }
  Value andInt(Value a, int64_t b) {
    return arith::AndIOp::create(builder, loc, a, integer(b));
  }
  Value shiftLeft(Value a, int64_t b) {
    return arith::ShLIOp::create(builder, loc, a, integer(b));
  }
  Value shiftRightSigned(Value a, int64_t b) {
    return arith::ShRSIOp::create(builder, loc, a, integer(b));
  }
  Value isNonZero(Value a) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, a,
                                 integer(0));
  }
  Value toFloat(Value a) {
    return arith::SIToFPOp::create(builder, loc, type, a);
  }
  Value isNegative(Value a) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                 bits(a), integer(0));
  }

  /// Rounds `x * factor` to the nearest integer, which must be below 2^22
  /// (2^51): returns it as a float and as an integer, which is arbitrary where
  /// `x` is not finite.
  std::pair<Value, Value> roundProduct(Value x, double factor);
  /// 2 to the power of the integer `n`, which must be a normal exponent.
  Value powerOfTwo(Value n);
  /// `x * 2^n`, rounded once, for twice the range of normal exponents.
  Value scale(Value x, Value n);

  //===--------------------------------------------------------------------===//
  // Functions that others are built on
  //===--------------------------------------------------------------------===//

  Value exp2(Value x);
  Value exp(Value x);
  Value expm1(Value x);
  Value log(Value x);
  Value log1p(Value x);

  OpBuilder &getBuilder() { return builder; }
  Location getLoc() const { return loc; }
  Type getType() const { return type; }
  Type integerType() const;

private:
  OpBuilder &builder;
  Location loc;
  Type type;
  const ExpandMathOptions &options;
};

//===----------------------------------------------------------------------===//
// Expansions: each returns the function's value at its operands
//===----------------------------------------------------------------------===//

Value expandExp2(Emitter &e, Value x);
/// 2^f for f in [-1/2, 1/2].
Value expandExp2OfFraction(Emitter &e, Value f);
Value expandExp(Emitter &e, Value x);
Value expandExpM1(Emitter &e, Value x);
Value expandLog(Emitter &e, Value x);
Value expandLog2(Emitter &e, Value x);
Value expandLog10(Emitter &e, Value x);
Value expandLog1p(Emitter &e, Value x);
Value expandTanh(Emitter &e, Value x);
Value expandSinh(Emitter &e, Value x);
Value expandCosh(Emitter &e, Value x);
Value expandAsinh(Emitter &e, Value x);
Value expandAcosh(Emitter &e, Value x);
Value expandAtanh(Emitter &e, Value x);
Value expandCbrt(Emitter &e, Value x);
Value expandRsqrt(Emitter &e, Value x);
Value expandErf(Emitter &e, Value x);
Value expandErfc(Emitter &e, Value x);
Value expandSin(Emitter &e, Value x);
Value expandCos(Emitter &e, Value x);
Value expandTan(Emitter &e, Value x);
Value expandAsin(Emitter &e, Value x);
Value expandAcos(Emitter &e, Value x);
Value expandAtan(Emitter &e, Value x);
Value expandAtan2(Emitter &e, Value y, Value x);
Value expandPow(Emitter &e, Value x, Value y);
Value expandRemainder(Emitter &e, Value x, Value y);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_EXPANDMATH_EMITTER_H
