//===- EmulatorHarness.h - What the emulator's tests share ------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_UNIT_EMULATOR_EMULATORHARNESS_H
#define FUSION_TEST_UNIT_EMULATOR_EMULATORHARNESS_H

#include "../DeviceHarness.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

namespace mlir::fusion::test {

/// An emulator of a module in textual IR.
class Harness : public DeviceHarness {
public:
  explicit Harness(llvm::StringRef text, EmulatorOptions options = {}) {
    auto context = std::make_unique<llvm::LLVMContext>();
    llvm::SMDiagnostic diagnostic;
    auto module = llvm::parseAssemblyString(text, diagnostic, *context);
    if (!module) {
      diagnostic.print("EmulatorTest", llvm::errs());
      return;
    }
    emulator = llvm::cantFail(
        Emulator::create(std::move(context), std::move(module), options));
  }
};

/// Expects a message to contain all of `parts`.
inline void expectParts(const std::string &message,
                        std::initializer_list<const char *> parts) {
  for (const char *part : parts)
    EXPECT_NE(message.find(part), std::string::npos)
        << "missing '" << part << "' in:\n"
        << message;
}

constexpr char nvvmHeader[] = R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
declare float @llvm.nvvm.ex2.approx.ftz.f32(float)
)";

inline std::string withHeader(llvm::StringRef body) {
  return (llvm::Twine(nvvmHeader) + body).str();
}

} // namespace mlir::fusion::test

#endif // FUSION_TEST_UNIT_EMULATOR_EMULATORHARNESS_H
