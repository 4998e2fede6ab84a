//===- Machine.h - The running block: threads, warps, barriers --*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of the one launch that runs in the process, and what the handlers
// of GPU instructions do to it: suspend a thread, meet the other lanes of a
// warp, meet the block at a barrier, fail.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_EMULATOR_MACHINE_H
#define FUSION_LIB_RUNTIME_EMULATOR_MACHINE_H

#include "Fiber.h"
#include "GlobalMemory.h"
#include "Profiler.h"
#include "SharedMemory.h"
#include "fusion/Runtime/Emulator.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace mlir::fusion::emulator {

struct CompiledKernel;

/// Lanes of a warp, and what a full set of them looks like.
constexpr unsigned kLanes = 32;
constexpr uint32_t kAllLanes = 0xffffffff;
/// The largest block.
constexpr unsigned kMaxThreads = 1024;
/// Barriers of a block that kernels name by number.
constexpr unsigned kNumBarriers = 16;
/// Marks the absence of an instruction in `Thread::site`.
constexpr uint32_t kNoSite = ~0u;

/// A copy from global to shared memory that has not been waited for.
struct AsyncCopy {
  uint64_t destination;
  const void *source;
  uint8_t bytes, sourceBytes;
};

/// Where a thread is in its block. Compiled kernels read this.
struct ThreadPlace {
  uint32_t position[3];
  uint32_t index, lane, warp;
  /// How its accesses of shared memory are recorded, see SharedMemory.h.
  uint32_t stamp;
};

/// One GPU thread.
struct Thread : ThreadPlace {
  Fiber fiber;
  /// The instruction at which it waits.
  uint32_t site;
  bool exited;
  /// Operands and results of the warp-wide operation that it waits in.
  const void *operands;
  void *results;
  /// Copies in flight, oldest first; the first `committed` entries of
  /// `groupEnds` are the ends of the committed groups among them.
  llvm::SmallVector<AsyncCopy, 16> copies;
  llvm::SmallVector<uint32_t, 8> groupEnds;
};

/// A warp-wide operation at which some lanes have arrived.
struct Rendezvous {
  uint32_t site, mask, arrived;
};

/// A warp.
struct Warp {
  /// Lanes that could run; lanes that have not exited; lanes there are.
  uint32_t runnable, live, lanes;
  /// The time of its last barrier, see SharedMemory.h.
  uint32_t time;
  unsigned numPending;
  Rendezvous pending[4];
};

/// A barrier of a block.
struct Barrier {
  unsigned arrived, expected;
  uint32_t site;
  /// Waiting lanes of each warp.
  uint32_t waiting[kMaxThreads / kLanes];
};

/// The running launch.
struct Machine {
  // Compiled kernels read these members, at their offsets, and the place of
  // the current thread.
  Thread *current = nullptr;
  uint32_t blockSize[3], gridSize[3], blockPosition[3];
  RaceWindow window;

  unsigned numThreads = 0, numWarps = 0, numLive = 0;
  unsigned currentWarp = 0;
  /// One bit a warp: it has lanes that could run.
  uint32_t runnableWarps = 0;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  Barrier barriers[kNumBarriers];
  /// The block has executed a fence, an atomic operation on global memory.
  bool hasFenced = false, hasUsedAtomics = false;
  Fiber host;
  FiberStacks stacks;
  SharedMemory shared;

  /// The kernel, its memory, its arguments, and how to check.
  CompiledKernel *kernel = nullptr;
  GlobalMemory *memory = nullptr;
  void **arguments = nullptr;
  bool checks = true, globalRaces = true, reverseBlocks = false;
  /// The profile to fill, or null.
  Profiler *profiler = nullptr;
  /// The first fault of the launch.
  std::string error;

  Thread &getThread(unsigned warp, unsigned lane) {
    return threads[warp * kLanes + lane];
  }
  SharedAccess getAccess() {
    return {current->index, current->warp, warps[current->warp].time};
  }
};

/// There is one: launches exclude each other.
extern Machine machine;

/// Runs all blocks of a launch whose parameters are in `machine`. When it takes
/// long, `optimize` gets the kernel better code between two blocks.
llvm::Error runGrid(Dim3 grid, Dim3 block,
                    llvm::function_ref<llvm::Error()> optimize);

/// Ends the launch with an error at an instruction.
[[noreturn]] void fail(uint32_t site, const llvm::Twine &message);

/// The same, with a message that ends in another instruction.
[[noreturn]] void failElsewhere(uint32_t site, const llvm::Twine &message,
                                uint32_t otherSite);

/// Ends the launch because of a faulty access of memory. `other` is the
/// conflicting block (global memory) or thread (shared memory) of a race.
[[noreturn]] void failAccess(uint32_t site, Fault fault, uint64_t address,
                             uint32_t bytes, const char *action, uint64_t other,
                             bool otherWrote);

/// Suspends the running thread until something makes it runnable.
void suspend(uint32_t site);

/// Lets the other threads run, then goes on.
void yield(uint32_t site);

inline void makeRunnable(unsigned warp, uint32_t lanes) {
  machine.warps[warp].runnable |= lanes;
  machine.runnableWarps |= 1u << warp;
}

/// What a warp-wide operation does once its lanes are there: from the operands
/// of all lanes to their results. Entries of absent lanes are undefined.
using WarpFunction = void (*)(const void *const *operands, void *const *results,
                              uint32_t mask, uint32_t site);

/// Whether all live lanes of a warp must be at the same instruction.
enum class Convergence { PerMask, WholeWarp };

/// Meets the lanes of `mask` at a warp-wide operation; the last one to arrive
/// runs `function`.
void meetWarp(uint32_t site, uint32_t mask, Convergence convergence,
              const void *operands, void *results, WarpFunction function);

/// Arrives at barrier `id`, which `expected` threads join (0: the whole
/// block), and waits for them unless `wait` is false.
void meetBlock(unsigned id, unsigned expected, uint32_t site, bool wait = true);

/// Orders the memory accesses of the warp's lanes at a barrier of the warp.
void passWarpBarrier(unsigned warp);

/// A fence, or an atomic operation on global memory: after both of them, reads
/// of what earlier blocks wrote are no races.
void noteFence();
void noteGlobalAtomic();

//===----------------------------------------------------------------------===//
// Accesses, called by compiled kernels and by handlers
//===----------------------------------------------------------------------===//

/// Accesses through pointers that may point anywhere.
void checkLoad(uint64_t address, uint32_t bytes, uint32_t align, uint32_t site);
void checkStore(uint64_t address, uint32_t bytes, uint32_t align,
                uint32_t site);
void checkAtomic(uint64_t address, uint32_t bytes, uint32_t align,
                 uint32_t site);
/// Accesses through pointers to shared memory.
void checkSharedLoad(uint64_t address, uint32_t bytes, uint32_t align,
                     uint32_t site);
void checkSharedStore(uint64_t address, uint32_t bytes, uint32_t align,
                      uint32_t site);
void checkSharedAtomic(uint64_t address, uint32_t bytes, uint32_t align,
                       uint32_t site);
/// An access of a constant table in the module.
void checkObject(uint64_t address, uint64_t bytes, uint64_t object,
                 uint64_t objectBytes, uint32_t site);

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_RUNTIME_EMULATOR_MACHINE_H
