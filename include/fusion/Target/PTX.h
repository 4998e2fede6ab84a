//===- PTX.h - Kernels as LLVM IR and as PTX --------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In-process code generation for NVIDIA GPUs; no CUDA toolkit takes part. The
// input is a `gpu.module` of `llvm.func` kernels, as
// convertFusionGPUToNVVM leaves it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TARGET_PTX_H
#define FUSION_TARGET_PTX_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir {
class DialectRegistry;

namespace gpu {
class GPUModuleOp;
} // namespace gpu

namespace fusion {

/// Adds what translation to LLVM IR needs to know of the dialects in kernels.
/// A context in which kernels are translated must have been given it.
void registerPTXDialectTranslations(DialectRegistry &registry);

/// Returns the oldest version of PTX that has every instruction of `chip`
/// ("sm_80"): 80 for PTX 8.0.
unsigned getPTXVersion(llvm::StringRef chip);

/// Translates the converted kernels of `module` to LLVM IR and optimises it for
/// `chip`. The result is the module that emitPTX prints; the emulator runs it.
/// On failure an error has been reported at `module`.
FailureOr<std::unique_ptr<llvm::Module>>
translateToLLVMIR(gpu::GPUModuleOp module, llvm::LLVMContext &context,
                  llvm::StringRef chip);

/// Prints `module`, which translateToLLVMIR made for `chip`, as PTX; consumes
/// the module's contents. Errors, among them whatever would make LLVM abort,
/// are reported at `loc`.
FailureOr<std::string> emitPTX(llvm::Module &module, llvm::StringRef chip,
                               Location loc);

/// Compiles the converted kernels of `module` to PTX, each kernel on its own
/// and several at once where `module`'s context allows threads. The texts are
/// joined in the kernels' order, under one header.
FailureOr<std::string> compileToPTX(gpu::GPUModuleOp module,
                                    llvm::StringRef chip);

/// Registers the translation `fusion-to-ptx`: prints the PTX of the kernels of
/// a builtin module for its `fusion.target`, converting those that are still
/// kernel IR.
void registerToPTXTranslation();

} // namespace fusion
} // namespace mlir

#endif // FUSION_TARGET_PTX_H
