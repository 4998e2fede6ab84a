//===- WidenStatistics.h - Row statistics in f32 ----------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_WIDENSTATISTICS_H
#define FUSION_TRANSFORMS_WIDENSTATISTICS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// Stores f16 and bf16 statistics of rows that pass from group to group as f32;
/// see the pass `fusion-widen-statistics`.
void widenStatistics(func::FuncOp func);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_WIDENSTATISTICS_H
