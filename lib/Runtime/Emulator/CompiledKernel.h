//===- CompiledKernel.h - A kernel that runs on the host --------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_EMULATOR_COMPILEDKERNEL_H
#define FUSION_LIB_RUNTIME_EMULATOR_COMPILEDKERNEL_H

#include "SharedMemory.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace mlir::fusion::emulator {

/// The instructions of one function, numbered from `firstSite` on.
struct SiteRange {
  const llvm::Function *function;
  uint32_t firstSite, numSites;
};

/// A kernel that runs on the host, and what its launches need to know.
struct CompiledKernel {
  std::string name;
  /// Runs one thread: takes an array of pointers to the parameters' values.
  void (*entry)(void **arguments) = nullptr;
  /// Whether the entry is optimized code. Otherwise: how long its compilation
  /// took, and its launches so far, in seconds.
  bool isOptimized = false;
  double compileSeconds = 0, runSeconds = 0;
  /// It has no barrier and no warp-wide operation: threads run in a loop.
  bool isIndependent = false;
  /// The arrays in shared memory, and log2 of the narrowest access of them.
  std::vector<SharedArray> sharedArrays;
  unsigned sharedShift = 0;
  /// Instructions by number. They refer to the emulator's original module.
  std::vector<SiteRange> sites;

  /// Describes the instruction of a number: its place in the source, where
  /// known, and its text.
  std::string describeSite(uint32_t site) const;
};

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_RUNTIME_EMULATOR_COMPILEDKERNEL_H
