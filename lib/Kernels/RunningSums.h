//===- RunningSums.h - The precision of running values ----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduction of f16 or bf16 carries its running value from step to step, and
// from thread to thread, in f32. Each step rounds it to the type of the graph
// and extends it again: casts that change nothing by themselves, and that go
// with the other roundings between operations where excess precision is allowed
// (fusion/Conversion/ExcessPrecision.h).
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_KERNELS_RUNNINGSUMS_H
#define FUSION_LIB_KERNELS_RUNNINGSUMS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mlir::fusion {

/// `value` as it is carried.
inline Value toRunning(OpBuilder &builder, Location loc, Value value) {
  if (!isa<Float16Type, BFloat16Type>(value.getType()))
    return value;
  return builder.createOrFold<arith::ExtFOp>(loc, builder.getF32Type(), value);
}

/// The value of `type` that a carried one stands for.
inline Value fromRunning(OpBuilder &builder, Location loc, Value value,
                         Type type) {
  if (value.getType() == type)
    return value;
  return arith::TruncFOp::create(builder, loc, type, value);
}

} // namespace mlir::fusion

#endif // FUSION_LIB_KERNELS_RUNNINGSUMS_H
