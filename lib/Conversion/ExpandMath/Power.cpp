//===- Power.cpp - x to the power of y ------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x^y = 2^(y log2|x|), with the logarithm and the product in twice the
// precision of the type, since y multiplies their errors.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

/// (2 atanh(y/2) - y - y^3/12) / y^5 as a polynomial in y^2, |y| <= 2/5.
static constexpr double atanhF32[] = {1.250012312e-02, 2.228549914e-03,
                                      4.663300060e-04};
static constexpr double atanhF64[] = {
    0.012499999999999912,  0.0022321428571547264, 0.0004340277771617044,
    8.877842567089539e-05, 1.877979011855886e-05, 4.071416594371723e-06,
    8.843427631752046e-07, 2.399102330385244e-07};

namespace {
/// A number as an unevaluated sum.
struct Double {
  Value high, low;
};
} // namespace

/// a + b exactly, for |a| >= |b|.
static Double addExactly(Emitter &e, Value a, Value b) {
  Value high = e.add(a, b);
  return {high, e.sub(b, e.sub(high, a))};
}

/// The base-2 logarithm of a positive finite `a` in twice the precision.
static Double logInTwicePrecision(Emitter &e, Value a) {
  // a = 2^k m with m in [2/3, 4/3).
  double smallest = e.pick(1.1754943508222875e-38, 2.2250738585072014e-308);
  Value denormal = e.less(a, smallest);
  Value normal =
      e.select(denormal, e.mul(a, e.pick(8388608.0, 4503599627370496.0)), a);
  Value offset = e.integer(e.pick<int64_t>(0x3f2aaaab, 0x3fe5555555555555));
  Value exponent = e.andInt(e.subInt(e.bits(normal), offset),
                            e.pick<int64_t>(0xff800000, 0xfff0000000000000));
  Value m = e.fromBits(e.subInt(e.bits(normal), exponent));
  Value k = e.toFloat(e.shiftRightSigned(exponent, e.mantissaBits()));
  k = e.add(k, e.select(denormal, e.constant(-double(e.mantissaBits())),
                        e.constant(0)));

  // log(m) = 2 atanh(y / 2) for y = 2 (m - 1) / (m + 1); y's rounding error
  // follows from the remainder of the division.
  Value f = e.add(m, -1.0);
  Value inverse = e.div(e.constant(1), e.add(m, 1.0));
  Value y = e.mul(e.mul(f, 2.0), inverse);
  Value remainder = e.fma(e.neg(y), f, e.mul(e.sub(f, y), 2.0));
  Value yLow = e.mul(remainder, inverse);

  // log(m) = y + y^3 / 12 + ..., the first two terms in twice the precision.
  Value z = e.mul(y, y);
  Value zLow = e.fma(y, y, e.neg(z));
  Value cube = e.mul(y, z);
  Value cubeLow = e.fma(y, zLow, e.fma(y, z, e.neg(cube)));
  Value twelfth = e.constant(1.0 / 12);
  Value term = e.mul(cube, twelfth);
  Value termLow = e.fma(cube, twelfth, e.neg(term));
  termLow = e.fma(cube, e.pick(-2.4835269396561444e-09, 4.625929269271485e-18),
                  e.fma(cubeLow, twelfth, termLow));
  Value tail =
      e.mul(e.mul(cube, z), e.polynomial(z, e.table(atanhF32, atanhF64)));
  Double logarithm = addExactly(e, y, term);
  // The derivative, 1 / (1 - y^2 / 4), carries yLow over to the logarithm.
  Value slope = e.polynomial(z, {1.0, 0.25, 0.0625});
  yLow = e.mul(yLow, slope);
  Value low = e.add(e.add(logarithm.low, tail), e.add(termLow, yLow));
  logarithm = addExactly(e, logarithm.high, low);

  // In base 2, plus k.
  double factor = e.pick(1.4426950216293335, 1.4426950408889634);
  double factorLow = e.pick(1.925963033500011e-08, 2.0355273740931033e-17);
  Value product = e.mul(logarithm.high, factor);
  Value rest = e.fma(logarithm.high, factor, e.neg(product));
  rest = e.fma(logarithm.high, factorLow, rest);
  rest = e.fma(logarithm.low, factor, rest);
  Double sum = addExactly(e, k, product);
  // k is 0 or larger than the product.
  sum.high = e.select(e.equal(k, 0.0), product, sum.high);
  sum.low = e.select(e.equal(k, 0.0), e.constant(0), sum.low);
  return addExactly(e, sum.high, e.add(sum.low, rest));
}

/// x^y for positive finite `a`.
static Value powOfPositive(Emitter &e, Value a, Value y) {
  Double logarithm = logInTwicePrecision(e, a);
  Value product = e.mul(y, logarithm.high);
  Value rest = e.fma(y, logarithm.high, e.neg(product));
  rest = e.fma(y, logarithm.low, rest);
  // Beyond these bounds the result is 0 or infinite, whatever the rest.
  double bound = e.pick(160.0, 1100.0);
  Value isLarge = e.greater(e.abs(product), bound);
  product = e.select(isLarge, e.copySign(e.constant(bound), product), product);
  rest = e.select(isLarge, e.constant(0), rest);

  // 2^(product + rest): the whole part is exact, the rest joins the fraction.
  auto [whole, n] = e.roundProduct(product, 1.0);
  Value fraction = e.add(e.sub(product, whole), rest);
  return e.scale(expandExp2OfFraction(e, fraction), n);
}

/// x^y where `exponent`, a constant, makes it a short product or a root; else
/// null.
static Value powByProduct(Emitter &e, Value x, double exponent) {
  Value one = e.constant(1);
  if (exponent == 0)
    return one;
  if (exponent == 1)
    return x;
  if (exponent == 2)
    return e.mul(x, x);
  if (exponent == 3)
    return e.mul(e.mul(x, x), x);
  if (exponent == 4) {
    Value square = e.mul(x, x);
    return e.mul(square, square);
  }
  if (exponent == 0.5) {
    // The power of -0 is 0, that of -infinity infinity.
    Value root = e.add(e.sqrt(x), 0.0);
    return e.select(e.equal(x, e.neg(e.infinity())), e.infinity(), root);
  }
  if (exponent == -1)
    return e.div(one, x);
  if (exponent == -2)
    return e.div(one, e.mul(x, x));
  return {};
}

Value mlir::fusion::expandPow(Emitter &e, Value x, Value y) {
  FloatAttr scalar;
  DenseFPElementsAttr elements;
  std::optional<double> exponent;
  if (matchPattern(y, m_Constant(&scalar)))
    exponent = scalar.getValueAsDouble();
  else if (matchPattern(y, m_Constant(&elements)) && elements.isSplat())
    exponent = elements.getSplatValue<APFloat>().convertToDouble();
  if (exponent)
    if (Value product = powByProduct(e, x, *exponent))
      return product;

  Value a = e.abs(x);
  Value one = e.constant(1), zero = e.constant(0);
  Value r = powOfPositive(e, a, y);

  // |x| zero or infinite.
  Value positive = e.greater(y, 0.0);
  r = e.select(e.equal(a, 0.0), e.select(positive, zero, e.infinity()), r);
  r = e.select(e.equal(a, e.infinity()), e.select(positive, e.infinity(), zero),
               r);

  // A negative base needs a whole exponent; an odd one keeps the sign.
  auto floor = [&](Value value) -> Value {
    return math::FloorOp::create(e.getBuilder(), e.getLoc(), value);
  };
  Value isWhole = e.equal(floor(y), y);
  Value half = e.mul(y, 0.5);
  Value isHalfWhole = e.equal(floor(half), half);
  Value signedResult = e.select(isHalfWhole, r, e.copySign(r, x));
  Value forWhole = e.select(isWhole, signedResult, r);
  Value needsWhole = e.both(e.less(x, 0.0), e.less(a, e.infinity()));
  Value forFraction = e.select(needsWhole, e.nan(), r);
  r = e.select(isWhole, forWhole, forFraction);

  r = e.select(e.either(e.isNaN(x), e.isNaN(y)), e.nan(), r);
  // 1^y and x^0 are 1, NaN or not; (-1)^inf too.
  Value infiniteExponent = e.equal(e.abs(y), e.infinity());
  Value isOne =
      e.either(e.equal(x, 1.0), e.both(e.equal(a, 1.0), infiniteExponent));
  return e.select(e.either(isOne, e.equal(y, 0.0)), one, r);
}
