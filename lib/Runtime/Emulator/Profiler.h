//===- Profiler.h - Counts what a kernel does -------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator's lanes do not run in lock-step, so the accesses of one warp's
// request come one by one: they are gathered by warp, instruction and how
// often the lane has executed it, and counted when all lanes are there or the
// block ends.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_EMULATOR_PROFILER_H
#define FUSION_LIB_RUNTIME_EMULATOR_PROFILER_H

#include "fusion/Runtime/Device.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>

namespace mlir::fusion::emulator {

/// Kinds of memory requests.
enum class RequestKind : uint8_t {
  GlobalLoad,
  GlobalStore,
  SharedLoad,
  SharedStore,
  Ldmatrix,
};

/// Fills the profile of a kernel during a launch.
class Profiler {
public:
  explicit Profiler(KernelProfile &profile) : profile(profile) {}

  /// One lane's part of a request. `lanes` are those that the warp has.
  void access(RequestKind kind, uint32_t site, unsigned warp, unsigned lane,
              uint32_t lanes, uint64_t address, uint32_t bytes);
  void countCollective() { ++profile.collectives; }
  void countBarrier() { ++profile.barriers; }
  void countMmaFlops(uint64_t flops) { profile.mmaFlops += flops; }
  /// Counts the requests that not all lanes took part in.
  void endBlock();

private:
  struct Request {
    uint32_t lanes = 0;
    uint64_t addresses[32];
  };
  /// The open requests of one instruction in one warp.
  struct Stream {
    RequestKind kind = RequestKind::GlobalLoad;
    uint32_t bytes = 0;
    /// How often each lane has been here; number of the oldest open request.
    uint32_t visits[32] = {};
    uint32_t first = 0;
    std::deque<Request> open;
  };

  void count(const Stream &stream, const Request &request);

  KernelProfile &profile;
  llvm::DenseMap<uint64_t, Stream> streams;
};

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_RUNTIME_EMULATOR_PROFILER_H
