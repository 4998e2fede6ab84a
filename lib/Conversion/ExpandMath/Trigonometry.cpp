//===- Trigonometry.cpp - sin, cos, atan and their kin --------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr double pi = 3.14159265358979323846;

//===----------------------------------------------------------------------===//
// sin and cos
//===----------------------------------------------------------------------===//

/// (sin(r) - r) / r^3 and (cos(r) - 1 + r^2/2) / r^4 as polynomials in r^2, r
/// in [-pi/4, pi/4].
static constexpr double sinF32[] = {-1.666665524e-01, 8.332168683e-03,
                                    -1.951600425e-04};
static constexpr double cosF32[] = {4.166664556e-02, -1.388735604e-03,
                                    2.443702215e-05};
static constexpr double sinF64[] = {
    -0.16666666666666632,   0.008333333333322217,    -0.00019841269829640743,
    2.7557313630912543e-06, -2.5050748126623885e-08, 1.589619342600202e-10};
static constexpr double cosF64[] = {
    0.041666666666666595,   -0.0013888888888873843, 2.480158728929794e-05,
    -2.755731429667638e-07, 2.0875715404053597e-09, -1.1359225769675366e-11};

/// Splits `x`, which is not large, into n pi/2 + r with |r| <= pi/4; returns r
/// and n.
static std::pair<Value, Value> reduceSmallAngle(Emitter &e, Value x) {
  auto [whole, n] = e.roundProduct(x, 2 / pi);
  // pi/2 in three parts (Cody and Waite); the first product is exact.
  static constexpr double partsF32[] = {1.57079637050628662109375,
                                        -4.37113900018624283e-8,
                                        -1.71512451158049563e-15};
  static constexpr double partsF64[] = {
      1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33};
  Value r = x;
  for (double part : e.table(partsF32, partsF64))
    r = e.fma(whole, -part, r);
  return {r, n};
}

/// The 96 bits of 2/pi that follow bit `first` - 32 of its fraction, as 64 and
/// 32 bits in an i64 each; zeros come before the fraction. `first`, an i32, is
/// at most 159.
static std::pair<Value, Value> bitsOfTwoOverPi(OpBuilder &b, Location loc,
                                               Value first) {
  static constexpr int64_t words[] = {0x00000000, 0xa2f9836e, 0x4e441529,
                                      0xfc2757d1, 0xf534ddc0, 0xdb629599,
                                      0x3c439041, 0xfe5163ab};
  auto constant = [&](Type type, int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  };
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  Value start = arith::ShRUIOp::create(b, loc, first, constant(i32, 5));
  Value shift = arith::ExtUIOp::create(
      b, loc, i64, arith::AndIOp::create(b, loc, first, constant(i32, 31)));
  // Four words from the one at `start` on.
  Value taken[4];
  for (int64_t i = 0; i != 4; ++i)
    taken[i] = constant(i64, words[i]);
  for (int64_t candidate = 1; candidate != 5; ++candidate) {
    Value isStart = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          start, constant(i32, candidate));
    for (int64_t i = 0; i != 4; ++i)
      taken[i] = arith::SelectOp::create(
          b, loc, isStart, constant(i64, words[candidate + i]), taken[i]);
  }
  // Shifts each pair of neighbours and keeps the upper word of the pair.
  Value thirtyTwo = constant(i64, 32);
  Value mask = constant(i64, 0xffffffff);
  Value shifted[3];
  for (int64_t i = 0; i != 3; ++i) {
    Value pair = arith::OrIOp::create(
        b, loc, arith::ShLIOp::create(b, loc, taken[i], thirtyTwo),
        taken[i + 1]);
    Value moved = arith::ShLIOp::create(b, loc, pair, shift);
    shifted[i] = arith::ShRUIOp::create(b, loc, moved, thirtyTwo);
  }
  Value high = arith::OrIOp::create(
      b, loc, arith::ShLIOp::create(b, loc, shifted[0], thirtyTwo), shifted[1]);
  return {high, arith::AndIOp::create(b, loc, shifted[2], mask)};
}

/// Splits a large scalar f32 `x` into n pi/2 + r, |r| <= pi/4, by multiplying
/// its mantissa with just those bits of 2/pi that matter (Payne and Hanek);
/// returns r and n.
static std::pair<Value, Value> reduceLargeAngle(Emitter &e, Value x) {
  OpBuilder &b = e.getBuilder();
  Location loc = e.getLoc();
  Type i32 = b.getI32Type(), i64 = b.getI64Type();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  Value bits = e.bits(e.abs(x));
  // |x| = mantissa * 2^exponent.
  Value exponent = e.subInt(arith::ShRUIOp::create(b, loc, bits, e.integer(23)),
                            e.integer(150));
  Value mantissa = arith::ExtUIOp::create(
      b, loc, i64,
      arith::OrIOp::create(b, loc, e.andInt(bits, 0x7fffff),
                           e.integer(0x800000)));
  // Bits of 2/pi above the taken ones add multiples of four quadrants.
  auto [high, low] = bitsOfTwoOverPi(b, loc, e.addInt(exponent, e.integer(30)));
  Value carried = arith::ShRUIOp::create(
      b, loc, arith::MulIOp::create(b, loc, low, mantissa), constant(32));
  // The quadrant, in the upper two bits, and its fraction.
  Value product = arith::AddIOp::create(
      b, loc, arith::MulIOp::create(b, loc, high, mantissa), carried);
  Value rounded =
      arith::AddIOp::create(b, loc, product, constant(int64_t(1) << 61));
  Value n = arith::TruncIOp::create(
      b, loc, i32, arith::ShRUIOp::create(b, loc, rounded, constant(62)));
  Value fraction = arith::ShLIOp::create(b, loc, product, constant(2));
  Value r = e.mul(arith::SIToFPOp::create(b, loc, e.getType(), fraction),
                  pi / 2 * 0x1p-64);
  Value negative = e.less(x, 0.0);
  r = e.select(negative, e.neg(r), r);
  n = e.select(negative, e.subInt(e.integer(0), n), n);
  Value infinite = e.equal(e.abs(x), e.infinity());
  return {e.select(infinite, e.nan(), r), n};
}

/// Splits `x` into n pi/2 + r with |r| <= pi/4; returns r and n.
static std::pair<Value, Value> reduceAngle(Emitter &e, Value x) {
  if (e.isF64())
    return reduceSmallAngle(e, x);
  OpBuilder &b = e.getBuilder();
  Value isLarge = e.greater(e.abs(x), 1e6);
  auto branch = scf::IfOp::create(
      b, e.getLoc(), isLarge,
      [&](OpBuilder &nested, Location loc) {
        Emitter inner = e.at(nested);
        auto [r, n] = reduceLargeAngle(inner, x);
        scf::YieldOp::create(nested, loc, ValueRange{r, n});
      },
      [&](OpBuilder &nested, Location loc) {
        Emitter inner = e.at(nested);
        auto [r, n] = reduceSmallAngle(inner, x);
        scf::YieldOp::create(nested, loc, ValueRange{r, n});
      });
  return {branch.getResult(0), branch.getResult(1)};
}

/// sin(r + n pi/2).
static Value sinOfReduced(Emitter &e, Value r, Value n) {
  Value z = e.mul(r, r);
  Value sine = e.fma(e.mul(r, z), e.polynomial(z, e.table(sinF32, sinF64)), r);
  Value q =
      e.fma(e.polynomial(z, e.table(cosF32, cosF64)), z, e.constant(-0.5));
  Value cosine = e.fma(q, z, e.constant(1));
  Value value = e.select(e.isNonZero(e.andInt(n, 1)), cosine, sine);
  return e.select(e.isNonZero(e.andInt(n, 2)), e.neg(value), value);
}

/// `value`, or where `x` is a zero, `x`: the reduction makes 0 of -0.
static Value keepZero(Emitter &e, Value x, Value value) {
  return e.select(e.equal(x, e.constant(0)), x, value);
}

Value mlir::fusion::expandSin(Emitter &e, Value x) {
  auto [r, n] = reduceAngle(e, x);
  return keepZero(e, x, sinOfReduced(e, r, n));
}

Value mlir::fusion::expandCos(Emitter &e, Value x) {
  auto [r, n] = reduceAngle(e, x);
  return sinOfReduced(e, r, e.addInt(n, e.integer(1)));
}

Value mlir::fusion::expandTan(Emitter &e, Value x) {
  auto [r, n] = reduceAngle(e, x);
  return keepZero(e, x,
                  e.div(sinOfReduced(e, r, n),
                        sinOfReduced(e, r, e.addInt(n, e.integer(1)))));
}

//===----------------------------------------------------------------------===//
// Inverse functions
//===----------------------------------------------------------------------===//

/// (atan(x) - x) / x^3 as a polynomial in x^2, x in [0, tan(pi/8)].
static constexpr double atanF32[] = {-3.333331645e-01, 1.999848038e-01,
                                     -1.424364299e-01, 1.059434786e-01,
                                     -6.078966334e-02};
static constexpr double atanF64[] = {
    -0.333333333333332,   0.19999999999953244,  -0.14285714280159628,
    0.11111110781494729,  -0.09090897697792642, 0.07692059087774294,
    -0.06663090543179064, 0.05847786005997717,  -0.050388169481638774,
    0.03805161549217323,  -0.017892445883269114};

/// (asin(x) - x) / x^3 as a polynomial in x^2, x in [0, 1/2].
static constexpr double asinF32[] = {1.666675359e-01, 7.495243847e-02,
                                     4.547692835e-02, 2.414824627e-02,
                                     4.221777245e-02};
static constexpr double asinF64[] = {
    0.16666666666666763,  0.0749999999997027,   0.04464285717511464,
    0.030381942683887615, 0.022372215653186756, 0.017351600212863,
    0.013980960066844237, 0.011397786844430434, 0.010786470615773222,
    0.003683254173360597, 0.02176300253580749,  -0.021076615888007848,
    0.03267648252860474};

/// atan(numerator / denominator) for non-negative operands, not both zero or
/// both infinite.
static Value atanOfQuotient(Emitter &e, Value numerator, Value denominator) {
  // atan(a) is pi/2 - atan(1/a), or pi/4 + atan((a - 1) / (a + 1)).
  Value isLarge = e.less(denominator, e.mul(numerator, 0.41421356237309503));
  Value isSmall = e.compare(arith::CmpFPredicate::OLE, numerator,
                            e.mul(denominator, 0.41421356237309503));
  Value top = e.select(isSmall, numerator, e.sub(numerator, denominator));
  Value bottom = e.select(isSmall, denominator, e.add(numerator, denominator));
  top = e.select(isLarge, e.neg(denominator), top);
  bottom = e.select(isLarge, numerator, bottom);
  Value t = e.div(top, bottom);
  Value z = e.mul(t, t);
  Value p = e.fma(e.mul(t, z), e.polynomial(z, e.table(atanF32, atanF64)), t);
  Value base = e.select(isSmall, e.constant(0), e.constant(pi / 4));
  base = e.select(isLarge, e.constant(pi / 2), base);
  return e.add(base, p);
}

Value mlir::fusion::expandAtan(Emitter &e, Value x) {
  Value r = atanOfQuotient(e, e.abs(x), e.constant(1));
  return e.copySign(r, x);
}

Value mlir::fusion::expandAtan2(Emitter &e, Value y, Value x) {
  Value ay = e.abs(y), ax = e.abs(x);
  // 0/0 stands for 0/1, and inf/inf for 1/1.
  Value bothZero = e.both(e.equal(ay, 0.0), e.equal(ax, 0.0));
  Value bothInfinite =
      e.both(e.equal(ay, e.infinity()), e.equal(ax, e.infinity()));
  Value one = e.constant(1);
  Value top = e.select(bothInfinite, one, ay);
  Value bottom = e.select(e.either(bothZero, bothInfinite), one, ax);
  // Sums of the two must neither overflow nor lose bits of denormal numbers.
  Value sum = e.add(top, bottom);
  Value factor = e.select(e.less(sum, e.pick(0x1p-100, 0x1p-900)),
                          e.constant(0x1p90), one);
  factor = e.select(e.greater(sum, e.pick(0x1p120, 0x1p1020)), e.constant(0.25),
                    factor);
  top = e.mul(top, factor);
  bottom = e.mul(bottom, factor);
  Value r = atanOfQuotient(e, top, bottom);
  r = e.select(e.isNegative(x), e.sub(e.constant(pi), r), r);
  r = e.copySign(r, y);
  return e.select(e.either(e.isNaN(x), e.isNaN(y)), e.nan(), r);
}

/// asin(s) for s in [0, 1/2], of which `z` is the square.
static Value asinOfSmall(Emitter &e, Value s, Value z) {
  return e.fma(e.mul(s, z), e.polynomial(z, e.table(asinF32, asinF64)), s);
}

/// asin(a) where `isSmall`, a < 1/2; beyond, p for asin(a) = pi/2 - 2 p, which
/// is asin(sqrt((1 - a) / 2)).
static Value asinOfFolded(Emitter &e, Value a, Value isSmall) {
  Value half = e.fma(a, -0.5, e.constant(0.5));
  Value s = e.select(isSmall, a, e.sqrt(half));
  Value z = e.select(isSmall, e.mul(a, a), half);
  return asinOfSmall(e, s, z);
}

Value mlir::fusion::expandAsin(Emitter &e, Value x) {
  Value a = e.abs(x);
  Value isSmall = e.less(a, 0.5);
  Value p = asinOfFolded(e, a, isSmall);
  Value r = e.select(isSmall, p, e.fma(p, -2.0, e.constant(pi / 2)));
  return e.copySign(r, x);
}

Value mlir::fusion::expandAcos(Emitter &e, Value x) {
  Value a = e.abs(x);
  Value isSmall = e.less(a, 0.5);
  Value p = asinOfFolded(e, a, isSmall);
  Value negative = e.isNegative(x);
  Value twice = e.mul(p, 2.0);
  Value large = e.select(negative, e.sub(e.constant(pi), twice), twice);
  Value small = e.sub(e.constant(pi / 2), e.select(negative, e.neg(p), p));
  return e.select(isSmall, small, large);
}
