//===- RaiseConcat.h - Concatenations written as gathers --------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_RAISECONCAT_H
#define FUSION_TRANSFORMS_RAISECONCAT_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::fusion {

/// Adds the pattern that turns a `linalg.generic` which picks its element from
/// one of several tensors by an index (as StableHLO's concatenation is lowered)
/// into a `tensor.concat`.
void populateRaiseConcatPatterns(RewritePatternSet &patterns);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_RAISECONCAT_H
