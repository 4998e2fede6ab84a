//===- MSL.h - Metal Shading Language text from kernels ---------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints the kernels of gpu.modules as Metal Shading Language 3.1. The printer
// decides nothing: `fusion-legalize-for-msl` turns a kernel into operations
// that have a spelling in Metal, and what is left over is an error at the
// operation.
//
// A launch passes a kernel's arguments in order: buffers first, each at the
// buffer index of its position; then scalars. A single scalar has a buffer
// index of its own; several share the next buffer index, as a struct whose
// members have C's layout (each at a multiple of its size).
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TARGET_MSL_H
#define FUSION_TARGET_MSL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::fusion {

/// Limits of a Metal kernel on every Apple GPU family.
struct MetalLimits {
  /// Buffer indices go from 0 to 30.
  static constexpr unsigned maxBuffers = 31;
  static constexpr int64_t maxThreadgroupBytes = 32768;
  static constexpr int64_t maxThreadsPerThreadgroup = 1024;
  /// Lanes of a SIMD group.
  static constexpr int64_t simdWidth = 32;
};

/// Where one argument of a kernel's launch goes.
struct MetalArgument {
  /// The buffer index.
  unsigned buffer = 0;
  /// True for a device buffer, false for a scalar.
  bool isBuffer = false;
  /// Of a scalar: its offset in the bytes of the buffer, and its size.
  unsigned offset = 0;
  unsigned size = 0;
};

/// Where all arguments of a kernel's launch go.
struct MetalArgumentLayout {
  SmallVector<MetalArgument> arguments;
  unsigned numBuffers = 0;
  /// Bytes of the scalars' buffer, 0 where the kernel has no scalar.
  unsigned scalarBytes = 0;
  /// True where several scalars share a struct.
  bool packed = false;
};

/// Computes the layout; a located error where Metal can not take an argument.
FailureOr<MetalArgumentLayout> getMetalArgumentLayout(gpu::GPUFuncOp kernel);

/// Prints every kernel of every gpu.module in `module`.
LogicalResult translateToMSL(ModuleOp module, raw_ostream &os);

/// Prints every kernel of `module`.
LogicalResult translateToMSL(gpu::GPUModuleOp module, raw_ostream &os);

/// Registers `--fusion-to-msl` with translation tools.
void registerToMSLTranslation();

} // namespace mlir::fusion

#endif // FUSION_TARGET_MSL_H
