//===- Device.h - Where compiled kernels run --------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface between the plan's executor and a device: memory, copies and
// kernel launches. The emulator and the CUDA driver implement it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_RUNTIME_DEVICE_H
#define FUSION_RUNTIME_DEVICE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mlir::fusion {

/// A size or a position in three dimensions.
struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

/// One kernel argument as raw bytes, in the form that the kernel's parameter
/// has: a device pointer is 8 bytes, an index 8 (4 in a kernel with 32-bit
/// indices), an f32 4. The bytes need to live until `launch` returns only.
struct KernelArgument {
  const void *data;
  size_t size;
};

/// What the launches of one kernel did. A "request" is one memory instruction
/// executed by one warp; a "sector" is an aligned block of 32 bytes; a
/// "wavefront" is one pass of a request through shared memory's 32 banks.
struct KernelProfile {
  /// Number of launches, of thread blocks and of threads.
  uint64_t launches = 0, blocks = 0, threads = 0;
  /// Bytes that loads and stores of global memory asked for, every thread's
  /// counted; asynchronous copies count as loads.
  uint64_t globalLoadBytes = 0, globalStoreBytes = 0;
  /// Requests of global memory, and the sectors that they touched.
  uint64_t globalLoadRequests = 0, globalStoreRequests = 0;
  uint64_t globalLoadSectors = 0, globalStoreSectors = 0;
  /// Requests of shared memory, by kind; stores include asynchronous copies.
  uint64_t sharedLoadRequests = 0, sharedStoreRequests = 0;
  uint64_t ldmatrixRequests = 0;
  /// Wavefronts beyond those that the bytes of each request need.
  uint64_t sharedLoadConflicts = 0, sharedStoreConflicts = 0;
  uint64_t ldmatrixConflicts = 0;
  /// Floating-point operations of the matrix units (a multiply-add is two).
  uint64_t mmaFlops = 0;
  /// Block-wide barriers, counted once per block.
  uint64_t barriers = 0;
  /// Warp-wide operations (shuffles, votes, reductions, matrix operations).
  uint64_t collectives = 0;
};

/// A kernel's name with its profile.
using NamedKernelProfile = std::pair<std::string, KernelProfile>;

/// A device that runs the kernels of one module.
class Device {
public:
  virtual ~Device() = default;

  /// Allocates `bytes` of device memory. Its contents are undefined; the
  /// emulator reports reads of bytes that nothing has written.
  virtual llvm::Expected<void *> allocate(size_t bytes) = 0;

  /// Frees what `allocate` returned. Null is accepted.
  virtual llvm::Error deallocate(void *memory) = 0;

  /// Copies from the host to the device.
  virtual llvm::Error copyToDevice(void *destination, const void *source,
                                   size_t bytes) = 0;

  /// Copies from the device to the host.
  virtual llvm::Error copyFromDevice(void *destination, const void *source,
                                     size_t bytes) = 0;

  /// Copies within device memory; the ranges must not overlap.
  virtual llvm::Error copyOnDevice(void *destination, const void *source,
                                   size_t bytes) = 0;

  /// Runs a kernel on `grid` blocks of `block` threads. Later calls see its
  /// effects; the emulator has finished when this returns.
  virtual llvm::Error launch(llvm::StringRef kernel, Dim3 grid, Dim3 block,
                             llvm::ArrayRef<KernelArgument> arguments) = 0;

  /// The counters of every kernel launched so far, by name. Empty unless the
  /// device was created with profiling and can profile.
  virtual std::vector<NamedKernelProfile> getProfiles() const { return {}; }
};

} // namespace mlir::fusion

#endif // FUSION_RUNTIME_DEVICE_H
