//===- GlobalMemory.cpp - Checked device memory ---------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalMemory.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>
#include <sys/mman.h>

using namespace mlir::fusion::emulator;

/// Pages of the reservation, and the least gap between allocations.
static constexpr uint64_t kPage = 4096, kGap = 64 << 10;

static void *reservePages(uint64_t bytes) {
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

static void dropPages(void *memory, uint64_t bytes) {
  madvise(memory, bytes, MADV_DONTNEED);
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

/// Applies `op(byte, mask)` to every byte of the bit array that the bits
/// [first, first + count) touch.
template <typename Op>
static void forBits(uint8_t *bits, uint64_t first, uint64_t count, Op op) {
  while (count) {
    unsigned shift = first & 7;
    unsigned n = std::min<uint64_t>(8 - shift, count);
    op(bits[first >> 3], uint8_t(((1u << n) - 1) << shift));
    first += n;
    count -= n;
  }
}

static void setBits(uint8_t *bits, uint64_t first, uint64_t count, bool value) {
  // Whole bytes in the middle go by memset.
  uint64_t head = std::min<uint64_t>((8 - (first & 7)) & 7, count);
  auto assign = [&](uint8_t &byte, uint8_t mask) {
    byte = value ? byte | mask : byte & ~mask;
  };
  forBits(bits, first, head, assign);
  first += head;
  count -= head;
  std::memset(bits + (first >> 3), value ? 0xff : 0, count >> 3);
  forBits(bits, first + (count & ~7ull), count & 7, assign);
}

static bool allBits(const uint8_t *bits, uint64_t first, uint64_t count) {
  bool all = true;
  while (count && all) {
    if ((first & 7) == 0 && count >= 64) {
      uint64_t word;
      std::memcpy(&word, bits + (first >> 3), 8);
      all = word == ~0ull;
      first += 64;
      count -= 64;
      continue;
    }
    unsigned shift = first & 7;
    unsigned n = std::min<uint64_t>(8 - shift, count);
    uint8_t mask = ((1u << n) - 1) << shift;
    all = (bits[first >> 3] & mask) == mask;
    first += n;
    count -= n;
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<GlobalMemory>> GlobalMemory::create() {
  std::unique_ptr<GlobalMemory> memory(new GlobalMemory());
  // Only addresses are reserved; where even those are limited, take fewer.
  for (uint64_t bytes = 64ull << 30; bytes >= (256ull << 20); bytes >>= 1)
    if (memory->reserve(bytes))
      return std::move(memory);
  return llvm::createStringError(
      "emulator: cannot reserve addresses for device memory");
}

bool GlobalMemory::reserve(uint64_t bytes) {
  size = bytes;
  base = reinterpret_cast<uint64_t>(reservePages(bytes));
  readable = static_cast<uint8_t *>(reservePages(bytes / 8));
  writable = static_cast<uint8_t *>(reservePages(bytes / 8));
  writers = static_cast<uint32_t *>(reservePages(bytes));
  pageWriters =
      static_cast<uint32_t *>(reservePages((bytes >> kWriterPageBits) * 4));
  fresh = base + kGap;
  if (base && readable && writable && writers && pageWriters)
    return true;
  release();
  return false;
}

void GlobalMemory::release() {
  auto unmap = [](void *memory, uint64_t bytes) {
    if (memory)
      munmap(memory, bytes);
  };
  unmap(reinterpret_cast<void *>(base), size);
  unmap(readable, size / 8);
  unmap(writable, size / 8);
  unmap(writers, size);
  unmap(pageWriters, (size >> kWriterPageBits) * 4);
}

GlobalMemory::~GlobalMemory() { release(); }

llvm::Expected<void *> GlobalMemory::allocate(size_t bytes) {
  uint64_t room = llvm::alignTo(std::max<uint64_t>(bytes, 1), kPage);
  uint64_t address = 0;
  if (room <= size && fresh + room + kGap <= base + size) {
    address = fresh;
    fresh += room + kGap;
  } else {
    auto it = freed.lower_bound(room);
    if (it == freed.end())
      return llvm::createStringError(
          llvm::formatv("emulator: out of device memory: {0} bytes asked for, "
                        "{1} reserved in all",
                        bytes, size));
    address = it->second;
    freed.erase(it);
  }
  allocations[address] = bytes;
  setBits(writable, address - base, bytes, true);
  return reinterpret_cast<void *>(address);
}

llvm::Error GlobalMemory::deallocate(void *memory) {
  if (!memory)
    return llvm::Error::success();
  auto it = allocations.find(reinterpret_cast<uint64_t>(memory));
  if (it == allocations.end())
    return llvm::createStringError(llvm::formatv(
        "emulator: {0} is not the start of an allocation", memory));
  auto [address, bytes] = *it;
  setBits(writable, address - base, bytes, false);
  setBits(readable, address - base, bytes, false);
  uint64_t room = llvm::alignTo(std::max<uint64_t>(bytes, 1), kPage);
  dropPages(memory, room);
  dropPages(writers + ((address - base) >> 2), room);
  freed.emplace(room, address);
  allocations.erase(it);
  return llvm::Error::success();
}

bool GlobalMemory::isAllocated(uint64_t address, size_t bytes) const {
  auto it = allocations.upper_bound(address);
  if (it == allocations.begin())
    return false;
  --it;
  return bytes <= it->second && address - it->first <= it->second - bytes;
}

bool GlobalMemory::isInitialized(uint64_t address, size_t bytes) const {
  return isAllocated(address, bytes) &&
         allBits(readable, address - base, bytes);
}

void GlobalMemory::markInitialized(uint64_t address, size_t bytes) {
  setBits(readable, address - base, bytes, true);
}

void GlobalMemory::copyMarks(uint64_t destination, uint64_t source,
                             size_t bytes) {
  uint64_t to = destination - base, from = source - base;
  if (allBits(readable, from, bytes))
    return setBits(readable, to, bytes, true);
  for (uint64_t i = 0; i < bytes; ++i)
    setBits(readable, to + i, 1,
            (readable[(from + i) >> 3] >> ((from + i) & 7)) & 1);
}

std::string GlobalMemory::describe(uint64_t address) const {
  auto it = allocations.upper_bound(address);
  if (it == allocations.begin())
    return llvm::formatv("address {0:x} is in no allocation", address);
  --it;
  uint64_t offset = address - it->first;
  if (offset < it->second)
    return llvm::formatv("byte {0} of an allocation of {1} bytes", offset,
                         it->second);
  auto next = std::next(it);
  if (next != allocations.end() && next->first - address < kGap / 2)
    return llvm::formatv("{0} bytes before an allocation of {1} bytes",
                         next->first - address, next->second);
  return llvm::formatv("{0} bytes behind the end of an allocation of {1} bytes",
                       offset - it->second, it->second);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

RaceWindow GlobalMemory::beginLaunch(uint64_t blocks) {
  constexpr uint64_t kLimit = 1ull << (32 - kWriterMaskBits);
  // When block numbers run out, forget all writers and start again.
  if (nextBlock + blocks >= kLimit) {
    dropPages(writers, size);
    dropPages(pageWriters, (size >> kWriterPageBits) * 4);
    nextBlock = 1;
  }
  RaceWindow window;
  window.floor = window.current = nextBlock << kWriterMaskBits;
  nextBlock += std::min<uint64_t>(blocks, kLimit - 2);
  return window;
}

/// Calls `visit(word, mask)` for the 4-byte words that a range touches, until
/// it returns false.
template <typename Visit>
static bool forWords(uint64_t offset, uint32_t bytes, Visit visit) {
  uint64_t end = offset + bytes;
  for (uint64_t at = offset; at < end;) {
    uint64_t next = std::min<uint64_t>(end, (at & ~3ull) + 4);
    if (!visit(at >> 2, ((1u << (next - at)) - 1) << (at & 3)))
      return false;
    at = next;
  }
  return true;
}

Fault GlobalMemory::load(uint64_t address, uint32_t bytes,
                         const RaceWindow &window, bool races,
                         uint64_t *otherBlock) {
  uint64_t offset = address - base;
  if (offset >= size || bytes > size - offset)
    return Fault::OutOfBounds;
  if (!allBits(readable, offset, bytes))
    return allBits(writable, offset, bytes) ? Fault::Uninitialized
                                            : Fault::OutOfBounds;
  if (!races)
    return Fault::None;
  bool clean = forWords(offset, bytes, [&](uint64_t word, uint32_t mask) {
    uint32_t entry = writers[word];
    if (entry - window.floor >= window.current - window.floor ||
        !(entry & mask))
      return true;
    *otherBlock = (entry - window.floor) >> kWriterMaskBits;
    return false;
  });
  return clean ? Fault::None : Fault::Race;
}

Fault GlobalMemory::store(uint64_t address, uint32_t bytes,
                          const RaceWindow &window, bool races,
                          uint64_t *otherBlock) {
  uint64_t offset = address - base;
  if (offset >= size || bytes > size - offset ||
      !allBits(writable, offset, bytes))
    return Fault::OutOfBounds;
  setBits(readable, offset, bytes, true);
  if (!races)
    return Fault::None;
  bool clean = forWords(offset, bytes, [&](uint64_t word, uint32_t mask) {
    uint32_t entry = writers[word];
    bool conflict =
        entry - window.floor < window.current - window.floor && (entry & mask);
    if (conflict) {
      *otherBlock = (entry - window.floor) >> kWriterMaskBits;
      return false;
    }
    writers[word] = (entry >= window.current ? entry : window.current) | mask;
    pageWriters[word >> (kWriterPageBits - 2)] = window.current;
    return true;
  });
  return clean ? Fault::None : Fault::Race;
}
