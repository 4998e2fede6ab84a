//===- Handlers.h - GPU instructions as host functions ----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a compiled kernel calls for instructions that the host lacks. A handler
// gets the operands as a struct (pointers and i1 widened to 64 and 32 bits)
// and a place for the result of the same form.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_EMULATOR_HANDLERS_H
#define FUSION_LIB_RUNTIME_EMULATOR_HANDLERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mlir::fusion::emulator {

using HandlerFunction = void (*)(const void *operands, void *result,
                                 uint32_t site);

/// A handler of an NVVM intrinsic or of an instruction in inline PTX.
struct Handler {
  /// The intrinsic's name behind `llvm.nvvm.`, or the PTX mnemonic.
  llvm::StringRef name;
  HandlerFunction function;
  /// It makes threads wait for each other.
  bool suspends = false;
  /// The narrowest access of shared memory that it makes, or 0.
  uint8_t sharedBytes = 0;
};

/// A function that Metal kernels and the host's code generator call by name.
struct RuntimeSymbol {
  llvm::StringRef name;
  void *address;
  /// It makes threads wait for each other.
  bool suspends = false;
  /// Its last parameter is the instruction's number.
  bool takesSite = false;
};

/// The handlers, by the file that defines them.
llvm::ArrayRef<Handler> getWarpHandlers();
llvm::ArrayRef<Handler> getMatrixHandlers();
llvm::ArrayRef<Handler> getAsyncCopyHandlers();

/// What Metal's builtins call in the host shim of `metal_stdlib`.
llvm::ArrayRef<RuntimeSymbol> getMetalSymbols();
/// Conversions and mathematical functions that host code calls.
llvm::ArrayRef<RuntimeSymbol> getHostSymbols();

/// The handler of a name, or null.
const Handler *findHandler(llvm::StringRef name);
/// The symbol of a name that Metal kernels call, or null.
const RuntimeSymbol *findMetalSymbol(llvm::StringRef name);

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_RUNTIME_EMULATOR_HANDLERS_H
