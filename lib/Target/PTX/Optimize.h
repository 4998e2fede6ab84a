//===- Optimize.h - LLVM's optimiser for kernels ----------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TARGET_PTX_OPTIMIZE_H
#define FUSION_LIB_TARGET_PTX_OPTIMIZE_H

#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir::fusion {

/// Optimises kernels for `machine`; may replace `module` by another one in the
/// same context.
void optimizeKernels(std::unique_ptr<llvm::Module> &module,
                     llvm::TargetMachine &machine);

} // namespace mlir::fusion

#endif // FUSION_LIB_TARGET_PTX_OPTIMIZE_H
