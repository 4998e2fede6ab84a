//===- SharedMemory.cpp - A block's shared memory, with race checks -------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"
#include <cstring>
#include <sys/mman.h>

using namespace mlir::fusion::emulator;

SharedMemory::~SharedMemory() {
  if (base)
    munmap(reinterpret_cast<void *>(base), kSharedArenaBytes);
  if (writes)
    munmap(writes, 2 * kSharedArenaBytes * sizeof(uint32_t));
}

bool SharedMemory::reserve() {
  if (base)
    return true;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *memory = MAP_FAILED;
#ifdef MAP_32BIT
  memory = mmap(nullptr, kSharedArenaBytes, PROT_READ | PROT_WRITE,
                kFlags | MAP_32BIT, -1, 0);
#endif
  if (memory == MAP_FAILED)
    memory =
        mmap(nullptr, kSharedArenaBytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  void *shadow = mmap(nullptr, 2 * kSharedArenaBytes * sizeof(uint32_t),
                      PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (memory == MAP_FAILED || shadow == MAP_FAILED)
    return false;
  base = reinterpret_cast<uint64_t>(memory);
  writes = static_cast<uint32_t *>(shadow);
  reads = writes + kSharedArenaBytes;
  std::fill(writes, reads, kGap << kTimeShift);
  return true;
}

void SharedMemory::beginLaunch(llvm::ArrayRef<SharedArray> newLayout,
                               unsigned newShift) {
  // Everything that is not in an array is a gap.
  auto countCells = [&] {
    return layout.empty() ? 0 : ((layout.back().end - 1) >> shift) + 1;
  };
  std::fill(writes, writes + countCells(), kGap << kTimeShift);
  layout.assign(newLayout.begin(), newLayout.end());
  shift = newShift;
  std::fill(writes, writes + countCells(), kGap << kTimeShift);
  for (SharedArray array : layout)
    std::fill(writes + (array.begin >> shift),
              writes + ((array.end - 1) >> shift) + 1, 0);
  std::fill(reads, reads + countCells(), 0);
  time = startTime = blockTime = 1;
}

void SharedMemory::beginBlock() {
  startTime = blockTime = ++time;
  if (!layout.empty())
    std::memset(reinterpret_cast<void *>(base + layout.front().begin), 0xff,
                layout.back().end - layout.front().begin);
}

void SharedMemory::renumber(llvm::MutableArrayRef<uint32_t *> warpTimes) {
  // 1: before this block. 2: before its last barrier. 3: before its warp's
  // last barrier. 4: since then.
  auto shrink = [&](uint32_t entry) {
    uint32_t at = getTime(entry);
    if (at > kLastTime)
      return entry;
    uint32_t warp = getThread(entry) >> 5;
    uint32_t fresh = at < startTime                                     ? 1
                     : at < blockTime                                   ? 2
                     : warp < warpTimes.size() && at < *warpTimes[warp] ? 3
                                                                        : 4;
    return fresh << kTimeShift | (entry & ((1u << kTimeShift) - 1));
  };
  uint32_t cells = layout.empty() ? 0 : ((layout.back().end - 1) >> shift) + 1;
  for (uint32_t cell = 0; cell < cells; ++cell) {
    writes[cell] = shrink(writes[cell]);
    reads[cell] = shrink(reads[cell]);
  }
  startTime = 2;
  blockTime = 3;
  time = 4;
  for (uint32_t *warpTime : warpTimes)
    *warpTime = 4;
}

uint32_t SharedMemory::mergeReads(uint32_t read, uint32_t now,
                                  const SharedAccess &by) const {
  bool sameWarp = !(read & kSeveralWarps) && getThread(read) >> 5 == by.warp;
  if (!sameWarp)
    return now | kSeveralThreads | kSeveralWarps;
  // Reads before the warp's last barrier are ordered before all that follows
  // in the warp; for the other warps the new entry stands for them.
  if (getTime(read) < by.warpTime)
    return now;
  if (!(read & kSeveralThreads) && getThread(read) == by.thread)
    return now;
  return now | kSeveralThreads;
}

void SharedMemory::endCopy(uint64_t address, uint32_t bytes,
                           const SharedAccess &by) {
  uint32_t offset = address - base;
  uint32_t now = getStamp(by.warpTime, by.thread);
  for (uint32_t cell = offset >> shift, last = (offset + bytes - 1) >> shift;
       cell <= last; ++cell)
    writes[cell] = now;
}

bool SharedMemory::isInArray(uint64_t address, uint32_t bytes) const {
  uint64_t offset = address - base;
  for (SharedArray array : layout)
    if (offset >= array.begin && offset + bytes <= array.end)
      return true;
  return false;
}
