//===- RaiseAttention.h - Finds attention in a graph ------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_RAISEATTENTION_H
#define FUSION_TRANSFORMS_RAISEATTENTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// Replaces each contraction of a softmax of scaled, masked products of queries
/// and keys by `fusion.attention`, and erases what it leaves without a use; see
/// the pass `fusion-raise-attention`. Emits a remark for each attention made,
/// and one at the blocking operation for each softmax that is contracted but
/// does not match. With `exactRounding`, no rounding is dropped, and none of
/// the probabilities is added.
void raiseAttention(func::FuncOp func, bool exactRounding = false);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_RAISEATTENTION_H
