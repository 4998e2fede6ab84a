//===- HostFunctions.h - What compiled graphs call --------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_REFERENCE_HOSTFUNCTIONS_H
#define FUSION_LIB_RUNTIME_REFERENCE_HOSTFUNCTIONS_H

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include <csetjmp>
#include <string>
#include <vector>

namespace mlir::fusion::detail {

/// The state of one run of a compiled graph. Generated code never frees the
/// buffers that it allocates, so the run does.
struct HostRun {
  HostRun() = default;
  HostRun(const HostRun &) = delete;
  HostRun &operator=(const HostRun &) = delete;
  ~HostRun();

  /// Calls `function`; returns false if an assertion of the graph failed.
  bool call(void (*function)(void **), void **arguments);

  std::vector<void *> memory;
  /// The message of the assertion that failed.
  std::string message;
  std::jmp_buf escape;
};

/// Returns the functions that compiled graphs call and that the process may
/// lack: memory, assertions, copies between memrefs, conversions of 16-bit
/// floats.
llvm::orc::SymbolMap getHostFunctions(llvm::orc::MangleAndInterner interner);

} // namespace mlir::fusion::detail

#endif // FUSION_LIB_RUNTIME_REFERENCE_HOSTFUNCTIONS_H
