//===- GlobalMemory.h - Checked device memory -------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory is carved from one large reservation of addresses. Beside it
// lie shadows at fixed distances, so that a compiled kernel finds the state of
// an address with a subtraction and a shift:
//  - one bit a byte: may be written (it belongs to an allocation);
//  - one bit a byte: may be read (something has written it);
//  - 32 bits for 4 bytes: the block that wrote them last, and which of them;
//  - 32 bits for a page: the block that wrote anything in it last.
// Blocks are numbered in the order of execution through all launches, so "an
// earlier block of this launch" is one unsigned comparison. Allocations are
// separated by gaps that belong to none.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_EMULATOR_GLOBALMEMORY_H
#define FUSION_LIB_RUNTIME_EMULATOR_GLOBALMEMORY_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <memory>

namespace mlir::fusion::emulator {

/// What can be wrong with an access.
enum class Fault : uint8_t {
  None,
  OutOfBounds,
  Uninitialized,
  Misaligned,
  Race,
  AsyncCopyInFlight,
};

/// Which blocks count as concurrent with the running one; read by compiled
/// kernels. An entry `e` of a writer shadow conflicts when
/// `e - floor < current - floor`.
struct RaceWindow {
  /// The entry of the first block of the launch.
  uint32_t floor = 0;
  /// The entry of the running block, its mask of bytes zero.
  uint32_t current = 0;
};

/// Writer entries hold a block's number and a mask of 4 bytes below it.
constexpr unsigned kWriterMaskBits = 4;
/// log2 of the size of a page of the coarse writer shadow.
constexpr unsigned kWriterPageBits = 12;

/// The device memory of one emulator with its shadows.
class GlobalMemory {
public:
  static llvm::Expected<std::unique_ptr<GlobalMemory>> create();
  ~GlobalMemory();

  llvm::Expected<void *> allocate(size_t bytes);
  llvm::Error deallocate(void *memory);

  /// Whether [address, address + bytes) lies in one allocation.
  bool isAllocated(uint64_t address, size_t bytes) const;
  bool isInitialized(uint64_t address, size_t bytes) const;
  /// Whether the address is in the reservation.
  bool contains(uint64_t address) const { return address - base < size; }

  void markInitialized(uint64_t address, size_t bytes);
  /// Copies the marks of initialised bytes.
  void copyMarks(uint64_t destination, uint64_t source, size_t bytes);

  /// Describes where an address is in relation to the allocations.
  std::string describe(uint64_t address) const;

  /// Starts a launch of `blocks` blocks: the window of its first block.
  RaceWindow beginLaunch(uint64_t blocks);

  /// Checks an access, and records it when it is a store. `races` turns the
  /// checks between blocks on. On a race `*otherBlock` is the number of the
  /// conflicting block in the order of execution.
  Fault load(uint64_t address, uint32_t bytes, const RaceWindow &window,
             bool races, uint64_t *otherBlock);
  Fault store(uint64_t address, uint32_t bytes, const RaceWindow &window,
              bool races, uint64_t *otherBlock);

  /// A quick test whether a load aligned to `align` is free of faults; false
  /// when only the full test can tell.
  bool isCleanLoad(uint64_t address, uint32_t bytes, uint32_t align,
                   const RaceWindow &window) const {
    uint64_t offset = address - base;
    if (offset >= size || bytes > 16 || bytes != align)
      return false;
    uint32_t wanted = ((1u << bytes) - 1) << (offset & 7);
    uint32_t bits = readable[offset >> 3];
    if (bytes == 16)
      bits |= readable[(offset >> 3) + 1] << 8;
    if ((bits & wanted) != wanted)
      return false;
    const uint32_t *entries = writers + (offset >> 2);
    uint32_t span = window.current - window.floor;
    bool clean = entries[0] - window.floor >= span;
    for (uint32_t word = 1; word < bytes / 4; ++word)
      clean &= entries[word] - window.floor >= span;
    return clean;
  }

  /// Start and size of the reservation, and the shadows; compiled kernels
  /// contain them as constants.
  uint64_t getBase() const { return base; }
  uint64_t getSize() const { return size; }
  uint8_t *getReadable() const { return readable; }
  uint8_t *getWritable() const { return writable; }
  uint32_t *getWriters() const { return writers; }
  uint32_t *getPageWriters() const { return pageWriters; }

private:
  GlobalMemory() = default;
  bool reserve(uint64_t bytes);
  void release();

  uint64_t base = 0, size = 0;
  uint8_t *readable = nullptr, *writable = nullptr;
  uint32_t *writers = nullptr, *pageWriters = nullptr;
  /// The first address that was never handed out.
  uint64_t fresh = 0;
  /// Live allocations: address to size.
  std::map<uint64_t, size_t> allocations;
  /// Freed ranges (used when fresh addresses run out): size to address.
  std::multimap<uint64_t, uint64_t> freed;
  /// The number of the next block.
  uint32_t nextBlock = 1;
};

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_RUNTIME_EMULATOR_GLOBALMEMORY_H
