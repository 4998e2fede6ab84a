//===- TargetTable.h - The devices that kernels are made for ----*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One table of targets: the limits that schedules must keep to, and the rates
// that the performance model divides by.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TARGET_TARGETTABLE_H
#define FUSION_TARGET_TARGETTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace mlir::fusion {

/// Who makes a device, and so which language its kernels are emitted in (PTX
/// for NVIDIA, Metal Shading Language for Apple).
enum class TargetVendor { NVIDIA, Apple };

/// The best instruction of a device that multiplies tiles.
enum class TargetMatrixUnit {
  MmaSync,         ///< `mma.sync` of sm_80 and later
  WarpgroupMma,    ///< `wgmma.mma_async` of sm_90a (which has `mma.sync` too)
  TensorMemoryMma, ///< `tcgen05.mma` of sm_100a (which has `mma.sync` too)
  Simdgroup,       ///< `simdgroup_matrix` of Apple GPUs
};

/// What schedules and the performance model need to know of a device.
struct TargetInfo {
  llvm::StringLiteral name;
  TargetVendor vendor;
  TargetMatrixUnit matrixUnit;
  /// Version of the hardware: 80 for sm_80, 7 for apple7.
  unsigned version;

  /// Shared (threadgroup) memory that a block can declare statically.
  uint32_t staticSharedBytes;
  /// Shared memory that a block can have when it asks for it at launch; equal
  /// to `staticSharedBytes` where there is no such way.
  uint32_t sharedBytesPerBlock;
  /// Shared memory of one multiprocessor (GPU core), for occupancy.
  uint32_t sharedBytesPerMultiprocessor;

  uint32_t maxThreadsPerBlock;
  /// Threads of a warp (simdgroup).
  uint32_t warpSize;
  uint32_t maxWarpsPerMultiprocessor;
  uint32_t maxBlocksPerMultiprocessor;
  /// 32-bit registers of one multiprocessor, and the most that a thread gets.
  uint32_t registersPerMultiprocessor;
  uint32_t maxRegistersPerThread;
  /// Multiprocessors (GPU cores) of the model's representative device.
  uint32_t multiprocessors;
  /// The cache that all of them share, before memory (the L2; Apple's system
  /// level cache).
  uint32_t cacheBytes;
  /// The most buffers that a kernel can have as arguments; 0 where there is no
  /// such limit.
  uint32_t maxBufferArguments;
  bool hasF64;

  /// Sustained rates of the representative device: dense products with 16-bit
  /// operands and f32 accumulation, f32 arithmetic outside the matrix unit
  /// (FLOP/s), and device memory (bytes/s).
  double matrixFlops;
  double scalarFlops;
  double bandwidth;
  /// Gap between two dependent launches, in microseconds.
  double launchMicroseconds;

  /// The part of the cache that is for what stays, as the model has it; the
  /// rest is for what passes by.
  int64_t getKeptBytes() const { return cacheBytes / 2; }
  /// Blocks of so many threads and bytes of shared memory that run at the same
  /// time, if there are so many. `registers` is what a thread takes; 0 where
  /// that is not known.
  int64_t getResidentBlocks(int64_t threads, int64_t sharedBytes,
                            int64_t registers = 0) const;

  bool isNVIDIA() const { return vendor == TargetVendor::NVIDIA; }
  bool isApple() const { return vendor == TargetVendor::Apple; }

  /// Whether copies from global to shared memory can be asynchronous
  /// (`cp.async`).
  bool hasAsyncCopy() const { return isNVIDIA() && version >= 80; }
  /// Whether the target is the architecture-specific variant that has `wgmma`
  /// and, like every sm_90, TMA.
  bool hasWarpgroupMma() const {
    return matrixUnit == TargetMatrixUnit::WarpgroupMma;
  }
};

/// Returns the target called `name` ("sm_90a", "apple9"), or null if there is
/// no such target.
const TargetInfo *lookupTarget(llvm::StringRef name);

/// Returns all targets, NVIDIA's before Apple's, oldest first.
llvm::ArrayRef<TargetInfo> getTargets();

/// Returns the names of all targets as "sm_80, sm_86, ...", for messages.
std::string getTargetNames();

/// Returns the modelled microseconds of one kernel that moves `bytes` and does
/// `flops` products on the matrix unit (or, without `usesMatrixUnit`, scalar
/// arithmetic), its launch included.
double modelMicroseconds(const TargetInfo &target, double bytes, double flops,
                         bool usesMatrixUnit = true);

} // namespace mlir::fusion

#endif // FUSION_TARGET_TARGETTABLE_H
