//===- MetalKernel.h - Runs kernels through MSL -----------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_UNIT_METAL_METALKERNEL_H
#define FUSION_TEST_UNIT_METAL_METALKERNEL_H

#include "../DeviceHarness.h"
#include "fusion/Runtime/MetalFrontend.h"
#include "gtest/gtest.h"

namespace mlir::fusion::test {

/// Legalises and prints the kernels of a module in textual MLIR; an empty
/// string, and a failure of the test, where that is refused.
std::string printMSL(llvm::StringRef mlir);

/// Kernels in the emulator, by way of MSL text.
class MetalKernel : public DeviceHarness {
public:
  /// Compiles the kernels of a module in textual MLIR.
  explicit MetalKernel(llvm::StringRef mlir);

  explicit operator bool() const { return emulator != nullptr; }

  std::string text;
};

} // namespace mlir::fusion::test

#endif // FUSION_TEST_UNIT_METAL_METALKERNEL_H
