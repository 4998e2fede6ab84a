//===- SharedMemory.h - A block's shared memory, with race checks -*- C++
//-*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared memory lies at one fixed place (in the first 4 GiB where possible,
// for kernels that keep its addresses in 32 bits). Its shadow has two entries
// for each cell, the last write and the last reads; a cell is as large as the
// narrowest access of the kernel.
//
// Entries hold the time of the access. Time advances at every block-wide
// barrier and at every warp-wide one, and never goes back, so an access is
// ordered before the running thread's when
//  - it is of an earlier time than the block's last barrier, or
//  - its thread is in the same warp, and it is of an earlier time than the
//    warp's last barrier.
// Time of a block's start separates its writes from those of earlier blocks:
// nothing needs clearing between blocks.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_EMULATOR_SHAREDMEMORY_H
#define FUSION_LIB_RUNTIME_EMULATOR_SHAREDMEMORY_H

#include "GlobalMemory.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Compiler.h"

namespace mlir::fusion::emulator {

/// The largest layout: 256 KiB and room for the gaps between arrays.
constexpr uint32_t kSharedArenaBytes = 1 << 20;

/// A range of shared memory that belongs to one array, as offsets.
struct SharedArray {
  uint32_t begin, end;
};

/// Stands for more than one thread in reports.
constexpr uint32_t kManyThreads = ~0u;

/// Who accesses shared memory, and since when the others are ordered.
struct SharedAccess {
  /// The thread in its block, and its warp.
  uint32_t thread, warp;
  /// The time of the warp's last barrier.
  uint32_t warpTime;
};

class SharedMemory {
public:
  ~SharedMemory();
  /// Reserves the memory once; false when that fails.
  bool reserve();

  // Layout of an entry: time (20 bits), flags, thread (10 bits).
  static constexpr uint32_t kTimeShift = 12, kThreadMask = 0x3ff;
  /// In an entry of reads: by several threads; by several warps.
  static constexpr uint32_t kSeveralThreads = 1 << 10, kSeveralWarps = 1 << 11;
  /// In an entry of a write: an atomic operation.
  static constexpr uint32_t kAtomic = 1 << 11;
  static constexpr uint32_t kLastTime = 0xffff0;
  /// Times that stand for states: a copy in flight, a gap between arrays.
  static constexpr uint32_t kInFlight = 0xfffff, kGap = 0xffffe;

  /// What a thread's accesses are recorded as, flags apart.
  static uint32_t getStamp(uint32_t warpTime, uint32_t thread) {
    return warpTime << kTimeShift | thread;
  }
  /// The bits of the time and the warp.
  static constexpr uint32_t kTimeAndWarp =
      ~(kSeveralThreads | kSeveralWarps | 0x1fu);

  uint64_t getBase() const { return base; }
  bool contains(uint64_t address) const {
    return address - base < kSharedArenaBytes;
  }

  /// Starts a launch: the arrays of the kernel, and log2 of a cell's size.
  void beginLaunch(llvm::ArrayRef<SharedArray> layout, unsigned shift);
  /// Starts a block: undefined contents (all NaN).
  void beginBlock();
  /// The time now, at which a warp that passes no barrier is.
  uint32_t getTime() const { return time; }
  /// A block-wide barrier: returns the new time.
  uint32_t blockBarrier() { return blockTime = ++time; }
  /// A barrier of one warp: returns its new time.
  uint32_t warpBarrier() { return ++time; }
  /// Whether times are about to run out; then `renumber` gives new, small ones.
  bool needsRenumbering() const { return time >= kLastTime; }
  /// Renumbers all times. `warpTimes` are those of the block's warps.
  void renumber(llvm::MutableArrayRef<uint32_t *> warpTimes);

  /// Checks an access that lies in shared memory, and records it. On a race,
  /// `*otherThread` is the conflicting thread, `*otherWrote` what it did.
  Fault load(uint64_t address, uint32_t bytes, const SharedAccess &by,
             uint32_t *otherThread, bool *otherWrote) {
    return access<AccessKind::Load>(address, bytes, by, otherThread,
                                    otherWrote);
  }
  Fault store(uint64_t address, uint32_t bytes, const SharedAccess &by,
              uint32_t *otherThread, bool *otherWrote) {
    return access<AccessKind::Store>(address, bytes, by, otherThread,
                                     otherWrote);
  }
  Fault atomic(uint64_t address, uint32_t bytes, const SharedAccess &by,
               uint32_t *otherThread, bool *otherWrote) {
    return access<AccessKind::Atomic>(address, bytes, by, otherThread,
                                      otherWrote);
  }
  /// The start of an asynchronous copy into shared memory; until `endCopy`
  /// the bytes may be neither read nor written.
  Fault beginCopy(uint64_t address, uint32_t bytes, const SharedAccess &by,
                  uint32_t *otherThread, bool *otherWrote) {
    return access<AccessKind::CopyStart>(address, bytes, by, otherThread,
                                         otherWrote);
  }
  void endCopy(uint64_t address, uint32_t bytes, const SharedAccess &by);

  /// The shadows, and the times of the block's start and of its last barrier;
  /// optimized kernels read them.
  const uint32_t *getWrites() const { return writes; }
  const uint32_t *getReads() const { return reads; }
  const uint32_t &getStartTime() const { return startTime; }
  const uint32_t &getBlockTime() const { return blockTime; }

  /// Whether a range lies in one array of the layout.
  bool isInArray(uint64_t address, uint32_t bytes) const;

private:
  enum class AccessKind { Load, Store, Atomic, CopyStart };

  static uint32_t getTime(uint32_t entry) { return entry >> kTimeShift; }
  static uint32_t getThread(uint32_t entry) { return entry & kThreadMask; }

  /// Whether an access of the block that `entry` records is ordered before.
  bool isOrdered(uint32_t entry, const SharedAccess &by) const {
    return getTime(entry) < blockTime || getThread(entry) == by.thread ||
           (getThread(entry) >> 5 == by.warp && getTime(entry) < by.warpTime);
  }

  template <AccessKind kind>
  LLVM_ATTRIBUTE_ALWAYS_INLINE Fault access(uint64_t address, uint32_t bytes,
                                            const SharedAccess &by,
                                            uint32_t *otherThread,
                                            bool *otherWrote) {
    uint32_t offset = address - base;
    uint32_t now = getStamp(by.warpTime, by.thread);
    for (uint32_t cell = offset >> shift, last = (offset + bytes - 1) >> shift;
         cell <= last; ++cell) {
      uint32_t write = writes[cell], read = reads[cell];
      bool isRead = kind == AccessKind::Load || kind == AccessKind::Atomic;
      // Written in this block before its last barrier: the common case.
      if (LLVM_UNLIKELY(getTime(write) - startTime >= blockTime - startTime)) {
        if (Fault fault = checkWrite<kind>(write, by, isRead);
            LLVM_UNLIKELY(fault != Fault::None)) {
          *otherThread = getThread(write);
          *otherWrote = true;
          return fault;
        }
      }
      if (kind == AccessKind::Load) {
        if (!isCovered(read, now))
          reads[cell] =
              getTime(read) < blockTime ? now : mergeReads(read, now, by);
        continue;
      }
      if (LLVM_UNLIKELY(getTime(read) >= blockTime && conflicts(read, by))) {
        *otherThread = read & (kSeveralThreads | kSeveralWarps)
                           ? kManyThreads
                           : getThread(read);
        *otherWrote = false;
        return Fault::Race;
      }
      writes[cell] = kind == AccessKind::CopyStart
                         ? kInFlight << kTimeShift | by.thread
                         : now | (kind == AccessKind::Atomic ? kAtomic : 0);
    }
    return Fault::None;
  }

  /// The check of an access against a write that is not plainly ordered.
  template <AccessKind kind>
  Fault checkWrite(uint32_t write, const SharedAccess &by, bool isRead) const {
    uint32_t at = getTime(write);
    if (at < startTime)
      return isRead ? Fault::Uninitialized : Fault::None;
    if (at == kGap)
      return Fault::OutOfBounds;
    if (at == kInFlight)
      return Fault::AsyncCopyInFlight;
    if (kind == AccessKind::Atomic && (write & kAtomic))
      return Fault::None;
    return isOrdered(write, by) ? Fault::None : Fault::Race;
  }

  /// Whether reads since the block's last barrier conflict with a write.
  bool conflicts(uint32_t read, const SharedAccess &by) const {
    if (!(read & (kSeveralThreads | kSeveralWarps)))
      return !isOrdered(read, by);
    return (read & kSeveralWarps) || getThread(read) >> 5 != by.warp ||
           getTime(read) >= by.warpTime;
  }

  /// Whether the entry of earlier reads needs no change for one more, `now`: it
  /// is the same, or by several threads of this warp since its last barrier, or
  /// by several warps since the block's.
  bool isCovered(uint32_t read, uint32_t now) const {
    return read == now ||
           ((read & kSeveralThreads) && !((read ^ now) & kTimeAndWarp)) ||
           ((read & kSeveralWarps) && getTime(read) >= blockTime);
  }

  /// The entry for earlier reads `read` and one more, `now`.
  uint32_t mergeReads(uint32_t read, uint32_t now,
                      const SharedAccess &by) const;

  uint64_t base = 0;
  uint32_t *writes = nullptr, *reads = nullptr;
  uint32_t shift = 0;
  uint32_t time = 1, startTime = 1, blockTime = 1;
  llvm::SmallVector<SharedArray, 4> layout;
};

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_RUNTIME_EMULATOR_SHAREDMEMORY_H
