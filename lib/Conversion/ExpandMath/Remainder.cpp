//===- Remainder.cpp - The remainder of a division ------------------------===//
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

/// The biased exponent of `x` >= 0 as if denormal numbers had one of their own,
/// below 1.
static Value exponentOf(Emitter &e, Value x) {
  double smallest = e.pick(0x1p-126, 0x1p-1022);
  double up = e.pick(0x1p23, 0x1p52);
  Value denormal = e.less(x, smallest);
  Value normal = e.select(denormal, e.mul(x, up), x);
  Value exponent = e.shiftRightSigned(e.bits(normal), e.mantissaBits());
  Value shift = e.select(denormal, e.integer(e.mantissaBits()), e.integer(0));
  return e.subInt(exponent, shift);
}

/// Takes the largest multiple of b * 2^k from `r` >= `b`, where k leaves a
/// quotient that is exact as a float.
static Value reduceOnce(Emitter &e, Value r, Value b) {
  OpBuilder &builder = e.getBuilder();
  Location loc = e.getLoc();
  Value distance = e.subInt(exponentOf(e, r), exponentOf(e, b));
  Value k = arith::MaxSIOp::create(
      builder, loc, e.subInt(distance, e.integer(e.mantissaBits() - 2)),
      e.integer(0));
  // The most that `scale` takes; the quotient has two bits to spare.
  k = arith::MinSIOp::create(builder, loc, k, e.integer(2 * e.exponentBias()));
  Value multiple = e.scale(b, k);
  // The quotient may have been rounded up to the next whole number.
  Value whole = math::TruncOp::create(builder, loc, e.div(r, multiple));
  Value rest = e.fma(e.neg(whole), multiple, r);
  return e.select(e.less(rest, 0.0), e.add(rest, multiple), rest);
}

Value mlir::fusion::expandRemainder(Emitter &e, Value x, Value y) {
  Value a = e.abs(x), b = e.abs(y);
  Value finite = e.both(e.less(a, e.infinity()), e.greater(b, 0.0));
  auto loop = scf::WhileOp::create(
      e.getBuilder(), e.getLoc(), TypeRange{e.getType()}, ValueRange{a},
      [&](OpBuilder &nested, Location loc, ValueRange state) {
        Emitter inner = e.at(nested);
        Value enough = inner.compare(arith::CmpFPredicate::OGE, state[0], b);
        scf::ConditionOp::create(nested, loc, inner.both(finite, enough),
                                 state);
      },
      [&](OpBuilder &nested, Location loc, ValueRange state) {
        Emitter inner = e.at(nested);
        scf::YieldOp::create(nested, loc, reduceOnce(inner, state[0], b));
      });
  Value r = e.copySign(loop.getResult(0), x);
  // y is NaN where it is neither positive nor zero in magnitude.
  return e.select(finite, r, e.nan());
}
