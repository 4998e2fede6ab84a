//===- KernelDevice.cpp - From kernel IR to a device that runs it ---------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/KernelDevice.h"

#include "fusion/Conversion/FusionGPUToNVVM.h"
#include "fusion/Conversion/LegalizeForMSL.h"
#include "fusion/Runtime/CudaDevice.h"
#include "fusion/Runtime/MetalFrontend.h"
#include "fusion/Target/MSL.h"
#include "fusion/Target/PTX.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace mlir::fusion;
using llvm::createStringError;
using llvm::Expected;

/// Returns a copy of the module of kernels, to be converted.
static Expected<OwningOpRef<gpu::GPUModuleOp>> cloneKernels(ModuleOp module) {
  gpu::GPUModuleOp found;
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    if (found)
      return createStringError("the module has several modules of kernels");
    found = kernels;
  }
  if (!found)
    return createStringError("the module has no kernels");
  return OwningOpRef<gpu::GPUModuleOp>(found.clone());
}

/// Returns a copy of the kernels in the NVVM dialect.
static Expected<OwningOpRef<gpu::GPUModuleOp>> convertToNVVM(ModuleOp module) {
  auto kernels = cloneKernels(module);
  if (kernels && failed(convertFusionGPUToNVVM(**kernels)))
    return createStringError("the conversion of a kernel to NVVM failed");
  return kernels;
}

static Expected<std::string> printMetal(ModuleOp module) {
  auto kernels = cloneKernels(module);
  if (!kernels)
    return kernels.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(legalizeForMSL(kernels->get())) ||
      failed(translateToMSL(**kernels, os)))
    return createStringError("the translation of a kernel to Metal failed");
  return text;
}

Expected<std::string> fusion::printKernels(ModuleOp module,
                                           const TargetInfo &target) {
  if (target.isApple())
    return printMetal(module);
  auto kernels = convertToNVVM(module);
  if (!kernels)
    return kernels.takeError();
  FailureOr<std::string> text = compileToPTX(**kernels, target.name);
  if (failed(text))
    return createStringError("the compilation of a kernel to PTX failed");
  return std::move(*text);
}

Expected<std::unique_ptr<Emulator>>
fusion::createEmulator(ModuleOp module, const TargetInfo &target,
                       EmulatorOptions options) {
  options.maxSharedMemory = target.sharedBytesPerBlock;
  if (target.isApple()) {
    Expected<std::string> text = printMetal(module);
    if (!text)
      return text.takeError();
    return createMetalEmulator(*text, std::move(options));
  }
  auto kernels = convertToNVVM(module);
  if (!kernels)
    return kernels.takeError();
  auto context = std::make_unique<llvm::LLVMContext>();
  auto translated = translateToLLVMIR(**kernels, *context, target.name);
  if (failed(translated))
    return createStringError("the translation of a kernel to LLVM IR failed");
  return Emulator::create(std::move(context), std::move(*translated),
                          std::move(options));
}

Expected<std::unique_ptr<CudaDevice>>
fusion::createCudaDevice(StringRef ptx, const TargetInfo &target,
                         const LaunchPlan &plan) {
  if (!target.isNVIDIA())
    return createStringError(target.name +
                             " is not a CUDA device; hint: "
                             "--device=emulator runs its kernels");
  llvm::StringMap<uint32_t> sharedBytes;
  for (const PlanKernel &kernel : plan.kernels)
    sharedBytes[kernel.name] = kernel.sharedBytes;
  return CudaDevice::create(ptx, sharedBytes);
}
