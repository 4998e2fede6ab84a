//===- MergeCopies.h - Copies of one source in one launch -------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_MERGECOPIES_H
#define FUSION_TRANSFORMS_MERGECOPIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// Turns the copies of one buffer in `func`, which must be bufferized, into
/// groups that read it once and write up to `maxBuffers - 1` copies (0: any
/// number); see the pass `fusion-merge-copies`.
void mergeCopies(func::FuncOp func, unsigned maxBuffers);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_MERGECOPIES_H
