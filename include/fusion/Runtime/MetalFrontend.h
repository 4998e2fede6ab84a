//===- MetalFrontend.h - Metal Shading Language for the host ----*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles MSL text, as `translateToMSL` prints it, to LLVM IR that the
// emulator runs. clang does the work, in C++ for OpenCL: `device`,
// `threadgroup` and `constant` are real address spaces there, so a pointer that
// Apple's compiler would reject is an error here too. The header that stands
// for Metal's standard library declares what our printer uses and nothing
// else; acceptance here is strong evidence, not proof, of acceptance by Apple's
// compiler.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_RUNTIME_METALFRONTEND_H
#define FUSION_RUNTIME_METALFRONTEND_H

#include "fusion/Runtime/Emulator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace mlir::fusion {

/// How MSL text is compiled.
struct MetalFrontendOptions {
  /// The clang to call; where empty, the one that was found when this library
  /// was built, or else clang-22 or clang on the PATH.
  std::string clang;
  /// Optimise as for a device; otherwise as clang -O0 leaves it.
  bool optimize = true;
  /// Keep line tables, so that the emulator's errors name lines of the text.
  bool lineTables = true;
};

/// Compiled MSL text.
struct MetalModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  /// How Metal binds each kernel's parameters, for EmulatorOptions.
  llvm::StringMap<MetalKernelInfo> kernels;
};

/// Compiles `text`. Errors quote clang's messages, with lines of `text`.
llvm::Expected<MetalModule>
compileMetal(llvm::StringRef text, const MetalFrontendOptions &options = {});

/// Reads the `[[...]]` attributes of the kernels' parameters, which clang
/// ignores, and checks them: known names, buffer indices from 0 to 30 and none
/// twice.
llvm::Expected<llvm::StringMap<MetalKernelInfo>>
parseMetalKernels(llvm::StringRef text);

/// Compiles `text` and makes an emulator of it; `options.metalKernels` is
/// filled in.
llvm::Expected<std::unique_ptr<Emulator>>
createMetalEmulator(llvm::StringRef text, EmulatorOptions options = {},
                    const MetalFrontendOptions &frontend = {});

} // namespace mlir::fusion

#endif // FUSION_RUNTIME_METALFRONTEND_H
