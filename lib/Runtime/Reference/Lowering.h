//===- Lowering.h - From a graph to the LLVM dialect ------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_REFERENCE_LOWERING_H
#define FUSION_LIB_RUNTIME_REFERENCE_LOWERING_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::fusion::detail {

/// Lowers `module` to the LLVM dialect with upstream's passes: bufferization,
/// loops, libm. Emits a diagnostic on failure.
LogicalResult lowerToLLVM(ModuleOp module);

} // namespace mlir::fusion::detail

#endif // FUSION_LIB_RUNTIME_REFERENCE_LOWERING_H
