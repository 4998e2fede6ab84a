//===- ExpLog.cpp - Exponentials, logarithms, hyperbolic functions --------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Coefficients are minimax polynomials (Remez, weighted for relative error of
// the function), good to 2^-27 for f32 and 2^-57 for f64, on the interval that
// the comment beside each gives.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr double log2OfE = 1.4426950408889634;
static constexpr double ln2 = 0.6931471805599453;

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

/// (e^r - 1 - r) / r^2 on [-ln2/2, ln2/2].
static constexpr double expF32[] = {4.999999404e-01, 1.666651517e-01,
                                    4.166845605e-02, 8.369418792e-03,
                                    1.381316106e-03};
static constexpr double expF64[] = {
    0.5000000000000012,     0.16666666666666385,    0.04166666666651931,
    0.008333333333508587,   0.0013888888946890715,  0.000198412694844903,
    2.4801489374083898e-05, 2.7557598450472376e-06, 2.76316816932382e-07,
    2.4998647485450326e-08};

/// (2^f - 1) / f on [-1/2, 1/2].
static constexpr double exp2F32[] = {6.931471825e-01, 2.402264774e-01,
                                     5.550329387e-02, 9.618453681e-03,
                                     1.340016373e-03, 1.535145275e-04};
static constexpr double exp2F64[] = {
    0.6931471805599453,     0.2402265069591014,     0.055504108664819925,
    0.00961812910759129,    0.0013333558146803196,  0.00015403530461014007,
    1.5252733474045812e-05, 1.3215433199201036e-06, 1.0178204178731569e-07,
    7.074161409868016e-09,  4.4345539222696586e-10};

/// Keeps the argument of an exponential where the result is neither surely
/// zero nor surely infinite, so that its integer part is small. NaN stays.
static Value clampArgument(Emitter &e, Value x, double low, double high) {
  x = e.select(e.less(x, low), e.constant(low), x);
  return e.select(e.greater(x, high), e.constant(high), x);
}

/// Splits `x` into n ln2 + r with |r| <= ln2/2; returns e^r - 1 and n.
static std::pair<Value, Value> reduceExp(Emitter &e, Value x) {
  auto [whole, n] = e.roundProduct(x, log2OfE);
  double high = e.pick<double>(0.693147182464599609375, ln2);
  double low = e.pick(-1.904654299957768e-09, 2.3190468138462996e-17);
  Value r = e.fma(whole, -high, x);
  r = e.fma(whole, -low, r);
  Value q = e.polynomial(r, e.table(expF32, expF64));
  return {e.fma(e.mul(r, r), q, r), n};
}

Value mlir::fusion::expandExp2OfFraction(Emitter &e, Value f) {
  return e.fma(e.polynomial(f, e.table(exp2F32, exp2F64)), f, e.constant(1));
}

Value mlir::fusion::expandExp2(Emitter &e, Value x) {
  x = clampArgument(e, x, e.pick(-151.0, -1076.0), e.pick(129.0, 1025.0));
  auto [whole, n] = e.roundProduct(x, 1.0);
  return e.scale(expandExp2OfFraction(e, e.sub(x, whole)), n);
}

Value mlir::fusion::expandExp(Emitter &e, Value x) {
  if (e.hasNativeExp2()) {
    // 2^t (1 + t' ln2), where t + t' is x log2(e) in twice the precision.
    x = e.min(e.max(x, -105.0), 89.0);
    constexpr double high = 1.44269502162933349609375;
    constexpr double low = 1.9259629911266174681e-08;
    Value t = e.mul(x, high);
    Value rest = e.fma(x, low, e.fma(x, high, e.neg(t)));
    return e.mul(e.exp2(t), e.fma(rest, ln2, e.constant(1)));
  }
  x = clampArgument(e, x, e.pick(-105.0, -746.0), e.pick(89.0, 710.0));
  auto [p, n] = reduceExp(e, x);
  return e.scale(e.add(p, 1.0), n);
}

Value mlir::fusion::expandExpM1(Emitter &e, Value x) {
  Value clamped =
      clampArgument(e, x, e.pick(-18.0, -38.0), e.pick(89.0, 710.0));
  auto [p, n] = reduceExp(e, clamped);
  // 2^n p + (2^n - 1), halved so that the largest n does not overflow.
  Value half = e.powerOfTwo(e.subInt(n, e.integer(1)));
  Value r = e.mul(e.fma(half, p, e.add(half, -0.5)), 2.0);
  return e.copySign(r, x);
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

/// (log(1 + f) - f + f^2/2) / f^3 on [-1/3, 1/3].
static constexpr double logF32[] = {
    3.333333433e-01,  -2.499981970e-01, 1.999959797e-01,
    -1.667957902e-01, 1.430445462e-01,  -1.219576448e-01,
    1.075424999e-01,  -1.284511685e-01, 1.200711429e-01};

/// (2 atanh(s) - 2 s) / s^3 as a polynomial in s^2, s in [-1/5, 1/5].
static constexpr double logF64[] = {0.666666666666666,   0.4000000000005681,
                                    0.2857142855579759,  0.2222222429996484,
                                    0.18181665658219073, 0.15391119392063363,
                                    0.13173468245762754, 0.13843964004757786};

/// log(1 + f) for f in [-1/3, 1/3].
static Value logNearOne(Emitter &e, Value f) {
  Value square = e.mul(f, f);
  if (!e.isF64()) {
    Value p = e.fma(e.polynomial(f, logF32), f, e.constant(-0.5));
    return e.fma(p, square, f);
  }
  // With s = f / (2 + f), log(1 + f) = 2 atanh(s), and 2 s = f - s f.
  Value s = e.div(f, e.add(f, 2.0));
  Value z = e.mul(s, s);
  Value r = e.mul(z, e.polynomial(z, logF64));
  Value half = e.mul(square, 0.5);
  return e.sub(f, e.sub(half, e.mul(s, e.add(half, r))));
}

/// The exponent k for which x / 2^k is in [2/3, 4/3), as bits of a float
/// (k << mantissaBits).
static Value exponentBits(Emitter &e, Value x) {
  Value offset = e.integer(e.pick<int64_t>(0x3f2aaaab, 0x3fe5555555555555));
  int64_t mask = e.pick<int64_t>(0xff800000, 0xfff0000000000000);
  return e.andInt(e.subInt(e.bits(x), offset), mask);
}

/// Splits `x` > 0 into 2^k (1 + f) with f in [-1/3, 1/3]; returns k, as a
/// float, and f.
static std::pair<Value, Value> splitLog(Emitter &e, Value x) {
  double smallest = e.pick(1.1754943508222875e-38, 2.2250738585072014e-308);
  double up = e.pick(8388608.0, 4503599627370496.0);
  Value denormal = e.less(x, smallest);
  Value normal = e.select(denormal, e.mul(x, up), x);
  Value shift =
      e.select(denormal, e.constant(-double(e.mantissaBits())), e.constant(0));
  Value exponent = exponentBits(e, normal);
  Value f = e.add(e.fromBits(e.subInt(e.bits(normal), exponent)), -1.0);
  Value k = e.toFloat(e.shiftRightSigned(exponent, e.mantissaBits()));
  return {e.add(k, shift), f};
}

/// Chooses `value` for positive finite `x` and the special values of a
/// logarithm elsewhere.
static Value selectLog(Emitter &e, Value x, Value value) {
  Value special = e.select(e.less(x, 0.0), e.nan(), x);
  special = e.select(e.equal(x, 0.0), e.neg(e.infinity()), special);
  Value ordinary = e.both(e.greater(x, 0.0), e.less(x, e.infinity()));
  return e.select(ordinary, value, special);
}

/// k ln2 + `r`.
static Value addLogOfPower(Emitter &e, Value k, Value r) {
  if (!e.isF64())
    return e.fma(k, ln2, r);
  // The high part has zeros where k has bits: the product is exact.
  Value low = e.fma(k, 1.90821492927058770002e-10, r);
  return e.fma(k, 6.93147180369123816490e-01, low);
}

Value mlir::fusion::expandLog(Emitter &e, Value x) {
  auto [k, f] = splitLog(e, x);
  return selectLog(e, x, addLogOfPower(e, k, logNearOne(e, f)));
}

Value mlir::fusion::expandLog2(Emitter &e, Value x) {
  auto [k, f] = splitLog(e, x);
  return selectLog(e, x, e.fma(logNearOne(e, f), log2OfE, k));
}

Value mlir::fusion::expandLog10(Emitter &e, Value x) {
  auto [k, f] = splitLog(e, x);
  double high = e.pick(0.30103000998497009, 0.30102999566398120);
  double low = e.pick(-1.4320988958765863e-08, -2.8037281277851704e-18);
  Value r = e.mul(logNearOne(e, f), 0.43429448190325182765);
  return selectLog(e, x, e.fma(k, high, e.fma(k, low, r)));
}

Value mlir::fusion::expandLog1p(Emitter &e, Value x) {
  // 1 + x = 2^k (1 + f) with f = x / 2^k + (1 / 2^k - 1), rounded once.
  Value exponent = exponentBits(e, e.add(x, 1.0));
  Value k = e.shiftRightSigned(exponent, e.mantissaBits());
  Value scaled = e.fromBits(e.subInt(e.bits(x), exponent));
  Value largest = e.integer(e.exponentBias() - 1);
  OpBuilder &builder = e.getBuilder();
  Value power = e.powerOfTwo(e.subInt(
      e.integer(0), arith::MinSIOp::create(builder, e.getLoc(), k, largest)));
  // Where k is 0, x itself is f, however small.
  Value f = e.select(e.isNonZero(k), e.add(scaled, e.add(power, -1.0)), x);
  Value r = addLogOfPower(e, e.toFloat(k), logNearOne(e, f));
  Value special = e.select(e.less(x, -1.0), e.nan(), x);
  special = e.select(e.equal(x, -1.0), e.neg(e.infinity()), special);
  Value ordinary = e.both(e.greater(x, -1.0), e.less(x, e.infinity()));
  return e.select(ordinary, e.copySign(r, x), special);
}

//===----------------------------------------------------------------------===//
// Hyperbolic functions
//===----------------------------------------------------------------------===//

/// (tanh(x) - x) / x^3 as a polynomial in x^2, x in [0, 0.55].
static constexpr double tanhF32[] = {-3.333331943e-01, 1.333260238e-01,
                                     -5.385390297e-02, 2.107788436e-02,
                                     -6.282576825e-03};
static constexpr double tanhF64[] = {
    -0.333333333333333,     0.13333333333326833,    -0.05396825396387884,
    0.021869488389108783,   -0.008863232652869963,  0.0035920925333101346,
    -0.0014555459887978035, 0.0005884570677763179,  -0.00023341277475345817,
    8.336013424205423e-05,  -1.9521067160091268e-05};

Value mlir::fusion::expandTanh(Emitter &e, Value x) {
  Value a = e.abs(x);
  // 1 - 2 / (e^2a + 1): errors of the quotient are damped where it is used.
  Value power = e.exp2(e.mul(a, 2 * log2OfE));
  Value quotient = e.divApproximately(e.constant(2), e.add(power, 1.0));
  Value large = e.sub(e.constant(1), quotient);
  Value z = e.mul(x, x);
  Value p = e.polynomial(z, e.table(tanhF32, tanhF64));
  Value small = e.fma(e.mul(a, z), p, a);
  // The sign last: the sum of the polynomial at -0 is +0.
  return e.copySign(e.select(e.less(a, 0.55), small, large), x);
}

/// e^a / 2 without overflow for `a` beyond 88 (709).
static Value halfExp(Emitter &e, Value a) {
  Value root = e.exp(e.mul(a, 0.5));
  return e.mul(e.mul(root, 0.5), root);
}

Value mlir::fusion::expandSinh(Emitter &e, Value x) {
  Value a = e.abs(x);
  Value t = e.expm1(a);
  Value small = e.mul(e.add(t, e.div(t, e.add(t, 1.0))), 0.5);
  Value r = e.select(e.greater(a, e.pick(88.0, 709.0)), halfExp(e, a), small);
  return e.copySign(r, x);
}

Value mlir::fusion::expandCosh(Emitter &e, Value x) {
  Value a = e.abs(x);
  Value t = e.exp(a);
  Value small = e.fma(t, 0.5, e.div(e.constant(0.5), t));
  return e.select(e.greater(a, e.pick(88.0, 709.0)), halfExp(e, a), small);
}

Value mlir::fusion::expandAsinh(Emitter &e, Value x) {
  Value a = e.abs(x);
  Value square = e.mul(a, a);
  Value root = e.sqrt(e.add(square, 1.0));
  Value small = e.log1p(e.add(a, e.div(square, e.add(root, 1.0))));
  Value large = e.add(e.log(a), ln2);
  Value isLarge = e.greater(a, e.pick(1e10, 1e20));
  return e.copySign(e.select(isLarge, large, small), x);
}

Value mlir::fusion::expandAcosh(Emitter &e, Value x) {
  Value t = e.add(x, -1.0);
  Value root = e.sqrt(e.fma(t, t, e.mul(t, 2.0)));
  Value small = e.log1p(e.add(t, root));
  Value large = e.add(e.log(x), ln2);
  Value r = e.select(e.greater(x, e.pick(1e10, 1e20)), large, small);
  return e.select(e.less(x, 1.0), e.nan(), r);
}

Value mlir::fusion::expandAtanh(Emitter &e, Value x) {
  Value a = e.abs(x);
  Value t = e.div(e.mul(a, 2.0), e.sub(e.constant(1), a));
  return e.copySign(e.mul(e.log1p(t), 0.5), x);
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

Value mlir::fusion::expandRsqrt(Emitter &e, Value x) {
  return e.div(e.constant(1), e.sqrt(x));
}

Value mlir::fusion::expandCbrt(Emitter &e, Value x) {
  // The step below needs the square of the root to be a normal number.
  double smallest = e.pick(1.1754943508222875e-38, 2.2250738585072014e-308);
  Value original = e.abs(x);
  Value denormal = e.less(original, smallest);
  Value a =
      e.select(denormal, e.mul(original, e.pick(0x1p24, 0x1p54)), original);
  Value y = e.exp2(e.mul(expandLog2(e, a), 1.0 / 3.0));
  // One step of Newton's method removes the error of the logarithm.
  Value square = e.mul(y, y);
  Value step = e.div(e.fma(square, y, e.neg(a)), e.mul(square, 3.0));
  Value refined = e.sub(y, step);
  refined =
      e.select(denormal, e.mul(refined, e.pick(0x1p-8, 0x1p-18)), refined);
  refined = e.copySign(refined, x);
  Value ordinary = e.both(e.greater(a, 0.0), e.less(a, e.infinity()));
  return e.select(ordinary, refined, x);
}
