//===- DeviceHarness.h - Short launches for tests ---------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_UNIT_DEVICEHARNESS_H
#define FUSION_TEST_UNIT_DEVICEHARNESS_H

#include "fusion/Runtime/Emulator.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir::fusion::test {

/// An emulator with memory and launches that are easy to write.
class DeviceHarness {
public:
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
    if (!emulator)
      return "no emulator";
    std::vector<KernelArgument> list = {
        {static_cast<const void *>(&arguments), sizeof(Ts)}...};
    return llvm::toString(emulator->launch(kernel, grid, block, list));
  }

  std::unique_ptr<Emulator> emulator;
};

} // namespace mlir::fusion::test

#endif // FUSION_TEST_UNIT_DEVICEHARNESS_H
