//===- FusionToLinalg.h - Reference semantics -------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_FUSIONTOLINALG_H
#define FUSION_TRANSFORMS_FUSIONTOLINALG_H

#include "fusion/IR/Fusion.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fusion {

/// Replaces `group` by the operations of its region. Fails, with a diagnostic,
/// on a group that is bufferized.
LogicalResult inlineGroup(RewriterBase &rewriter, GroupOp group);

/// Replaces `attention` by linalg operations that compute what the operation's
/// description says, with all scores in memory.
void lowerAttention(RewriterBase &rewriter, AttentionOp attention);

/// Does both for everything below `root`; see the pass `fusion-to-linalg`.
LogicalResult lowerToLinalg(Operation *root);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_FUSIONTOLINALG_H
