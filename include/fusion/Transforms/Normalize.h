//===- Normalize.h - The form that the passes expect ------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_NORMALIZE_H
#define FUSION_TRANSFORMS_NORMALIZE_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::fusion {

/// Brings `module` into normal form; see the pass `fusion-normalize`. Fails
/// with a diagnostic where the module has no entry function that this compiler
/// can take (recursion, calls of external functions, unranked tensors).
LogicalResult normalize(ModuleOp module, bool keepF64);

/// Computes f64 values that stand between narrower types in f32. Values whose
/// f64 comes from an argument, or reaches a result, keep their type.
void demoteF64(Operation *root);

/// Makes of broadcasts that index what they read by `size == 1 ? 0 : i`
/// element-wise operations with an indexing map, where the sizes are known to
/// be equal or 1.
void foldDynamicBroadcasts(Operation *root);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_NORMALIZE_H
