//===- KernelDevice.h - From kernel IR to a device that runs it -*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_RUNTIME_KERNELDEVICE_H
#define FUSION_RUNTIME_KERNELDEVICE_H

#include "fusion/Runtime/Device.h"
#include "fusion/Runtime/Emulator.h"
#include "fusion/Target/LaunchPlan.h"
#include "fusion/Target/TargetTable.h"
#include "mlir/IR/BuiltinOps.h"
#include <memory>

namespace mlir::fusion {

class CudaDevice;

/// Prints the kernels (the one `gpu.module`) of `module`, which is left as it
/// is, as PTX or as Metal Shading Language, whichever `target` takes. Errors
/// are also emitted as diagnostics.
llvm::Expected<std::string> printKernels(ModuleOp module,
                                         const TargetInfo &target);

/// Makes an emulator of the kernels of `module`: of the optimised LLVM IR that
/// becomes PTX, or of the Metal text.
llvm::Expected<std::unique_ptr<Emulator>>
createEmulator(ModuleOp module, const TargetInfo &target,
               EmulatorOptions options = {});

/// Loads PTX kernels, as `printKernels` prints them, onto the GPU. `plan` says
/// for which target they are and how much shared memory they need.
llvm::Expected<std::unique_ptr<CudaDevice>>
createCudaDevice(llvm::StringRef ptx, const TargetInfo &target,
                 const LaunchPlan &plan);

} // namespace mlir::fusion

#endif // FUSION_RUNTIME_KERNELDEVICE_H
