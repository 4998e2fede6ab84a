//===- KernelBuilder.h - Index arithmetic for kernel bodies -----*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernel templates compute many addresses. `KernelBuilder` binds a builder and
// a location, and folds constants as it goes, so that templates read as
// formulas and leave no trivial operations behind.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_KERNELS_KERNELBUILDER_H
#define FUSION_KERNELS_KERNELBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace mlir::fusion {

/// A builder of index arithmetic at one location. All indices are taken to be
/// non-negative, so divisions and comparisons are unsigned.
class KernelBuilder {
public:
  KernelBuilder(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  OpBuilder &getBuilder() const { return builder; }
  Location getLoc() const { return loc; }

  /// An index constant.
  Value index(int64_t value) const {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  /// The zero of a scalar or vector type.
  Value zero(Type type) const {
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  }

  Value add(Value lhs, Value rhs) const;
  Value add(Value lhs, int64_t rhs) const;
  Value sub(Value lhs, Value rhs) const;
  Value mul(Value lhs, Value rhs) const;
  Value mul(Value lhs, int64_t rhs) const;
  Value div(Value lhs, Value rhs) const;
  Value div(Value lhs, int64_t rhs) const;
  Value rem(Value lhs, Value rhs) const;
  Value rem(Value lhs, int64_t rhs) const;
  Value ceilDiv(Value lhs, int64_t rhs) const;
  Value min(Value lhs, Value rhs) const;
  Value bitXor(Value lhs, Value rhs) const;
  Value bitAnd(Value lhs, int64_t rhs) const;

  /// The i1 values `lhs < rhs` and `lhs == rhs`.
  Value less(Value lhs, Value rhs) const;
  Value equal(Value lhs, Value rhs) const;
  Value logicalAnd(Value lhs, Value rhs) const;
  Value select(Value condition, Value ifTrue, Value ifFalse) const;

  /// The value of a constant index, if it is one.
  static std::optional<int64_t> getConstant(Value value);

private:
  OpBuilder &builder;
  Location loc;
};

/// Emits `scf.if condition { body }`; nothing but the body where the condition
/// is the constant true.
void buildIf(OpBuilder &builder, Location loc, Value condition,
             llvm::function_ref<void(OpBuilder &)> body);

/// A typed view of `numElements` elements of `sharedMemory`, a one-dimensional
/// memref of i8, from byte `byteOffset` on.
Value buildSharedView(OpBuilder &builder, Location loc, Value sharedMemory,
                      int64_t byteOffset, int64_t numElements, Type type);

} // namespace mlir::fusion

#endif // FUSION_KERNELS_KERNELBUILDER_H
