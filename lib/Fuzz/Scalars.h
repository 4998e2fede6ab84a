//===- Scalars.h - Arithmetic in the bodies of operations -------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUZZ_SCALARS_H
#define FUSION_LIB_FUZZ_SCALARS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace mlir::fusion::fuzz {

/// Builds arithmetic on numbers, of floats or integers by their type.
class Scalars {
public:
  Scalars(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  template <typename Op, typename... Arguments>
  Value make(Arguments &&...arguments) {
    return Op::create(builder, loc, std::forward<Arguments>(arguments)...);
  }

  /// A constant of a float or integer type.
  Value constant(Type type, double value);
  /// A float that is infinite.
  Value infinity(Type type, bool negative);

  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  /// The divisor of integers must not be zero.
  Value div(Value x, Value y);
  Value max(Value x, Value y);
  Value min(Value x, Value y);
  Value neg(Value x);
  Value abs(Value x);
  Value compare(arith::CmpFPredicate predicate, Value x, Value y);
  Value compare(arith::CmpIPredicate predicate, Value x, Value y);
  Value select(Value condition, Value x, Value y);

  Value addConstant(Value x, double c) {
    return add(x, constant(x.getType(), c));
  }
  Value mulConstant(Value x, double c) {
    return mul(x, constant(x.getType(), c));
  }

  /// Converts between any two types that graphs hold.
  Value cast(Value x, Type type);
  /// The position in dimension `d` of the iteration space, as `type`.
  Value position(unsigned d, Type type);

  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::fusion::fuzz

#endif // FUSION_LIB_FUZZ_SCALARS_H
