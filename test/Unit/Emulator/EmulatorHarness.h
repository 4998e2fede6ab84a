//===- EmulatorHarness.h - What the emulator's tests share ------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_UNIT_EMULATOR_EMULATORHARNESS_H
#define FUSION_TEST_UNIT_EMULATOR_EMULATORHARNESS_H

#include "fusion/Runtime/Emulator.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

namespace mlir::fusion::test {

/// An emulator of a module in textual IR, with launches that are easy to write.
class Harness {
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

  template <typename T>
  T *allocate(size_t count) {
    return static_cast<T *>(
        llvm::cantFail(emulator->allocate(count * sizeof(T))));
  }

  /// Device memory that holds `values`.
  template <typename T>
  T *upload(const std::vector<T> &values) {
    T *memory = allocate<T>(values.size());
    llvm::cantFail(emulator->copyToDevice(memory, values.data(),
                                          values.size() * sizeof(T)));
    return memory;
  }

  template <typename T>
  std::vector<T> download(const T *memory, size_t count) {
    std::vector<T> values(count);
    llvm::cantFail(
        emulator->copyFromDevice(values.data(), memory, count * sizeof(T)));
    return values;
  }

  /// Launches a kernel; returns the message of its error, empty on success.
  template <typename... Ts>
  std::string run(llvm::StringRef kernel, Dim3 grid, Dim3 block,
                  const Ts &...arguments) {
    std::vector<KernelArgument> list = {{&arguments, sizeof(Ts)}...};
    llvm::Error error = emulator->launch(kernel, grid, block, list);
    return llvm::toString(std::move(error));
  }

  std::unique_ptr<Emulator> emulator;
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
