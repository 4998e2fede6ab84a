//===- MetalKernel.h - Runs kernels through MSL -----------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_UNIT_METAL_METALKERNEL_H
#define FUSION_TEST_UNIT_METAL_METALKERNEL_H

#include "fusion/Runtime/MetalFrontend.h"
#include "gtest/gtest.h"
#include <vector>

namespace mlir::fusion::test {

/// Legalises and prints the kernels of a module in textual MLIR; an empty
/// string, and a failure of the test, where that is refused.
std::string printMSL(llvm::StringRef mlir);

/// Kernels in the emulator, by way of MSL text.
class MetalKernel {
public:
  /// Compiles the kernels of a module in textual MLIR.
  explicit MetalKernel(llvm::StringRef mlir);

  /// Device memory that holds `values`.
  template <typename T>
  T *upload(const std::vector<T> &values) {
    size_t bytes = values.size() * sizeof(T);
    void *memory = llvm::cantFail(emulator->allocate(bytes));
    llvm::cantFail(emulator->copyToDevice(memory, values.data(), bytes));
    return static_cast<T *>(memory);
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
    if (!emulator)
      return "no emulator";
    std::vector<KernelArgument> list = {{&arguments, sizeof(Ts)}...};
    return llvm::toString(emulator->launch(kernel, grid, block, list));
  }

  explicit operator bool() const { return emulator != nullptr; }

  std::string text;

private:
  std::unique_ptr<Emulator> emulator;
};

} // namespace mlir::fusion::test

#endif // FUSION_TEST_UNIT_METAL_METALKERNEL_H
