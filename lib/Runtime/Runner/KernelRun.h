//===- KernelRun.h - Runs a graph's compiled kernels ------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_RUNNER_KERNELRUN_H
#define FUSION_LIB_RUNTIME_RUNNER_KERNELRUN_H

#include "fusion/Runtime/Runner.h"
#include "fusion/Target/LaunchPlan.h"
#include "fusion/Target/TargetTable.h"

namespace mlir::fusion::detail {

/// Runs `module` on the device that `options` asks for: by the reference
/// lowering, or compiled (see `runKernels`).
llvm::Expected<std::vector<Tensor>> runModule(ModuleOp module,
                                              const RunOptions &options,
                                              ArrayRef<Tensor> arguments,
                                              raw_ostream &os);

/// Runs the launch plan of a compiled graph once on the device that `options`
/// asks for. Prints the profile, where it is asked for, to `os`.
llvm::Expected<std::vector<Tensor>> runKernels(CompiledModel &model,
                                               const RunOptions &options,
                                               ArrayRef<Tensor> arguments,
                                               raw_ostream &os);

/// What fusion-compile left in a folder: a plan and the text of the kernels.
struct CompiledFolder {
  LaunchPlan plan;
  const TargetInfo *target = nullptr;
  std::string kernels;
};

/// Reads plan.json and kernels.ptx or kernels.metal.
llvm::Expected<CompiledFolder> readCompiledFolder(StringRef folder);

/// Runs a compiled folder as `runKernels` runs a graph. The emulator runs Metal
/// kernels only: PTX is no input of its.
llvm::Expected<std::vector<Tensor>>
runCompiledFolder(const CompiledFolder &compiled, const RunOptions &options,
                  ArrayRef<Tensor> arguments, raw_ostream &os);

} // namespace mlir::fusion::detail

#endif // FUSION_LIB_RUNTIME_RUNNER_KERNELRUN_H
