//===- PlanMemory.h - One arena for intermediates ---------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_PLANMEMORY_H
#define FUSION_TRANSFORMS_PLANMEMORY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// Replaces the allocations of `func` that it does not return by views of one
/// arena; see the pass `fusion-plan-memory`.
LogicalResult planMemory(func::FuncOp func);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_PLANMEMORY_H
