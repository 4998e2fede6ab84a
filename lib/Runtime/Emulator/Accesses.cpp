//===- Accesses.cpp - Checks of memory accesses ---------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledKernel.h"
#include "Machine.h"

using namespace mlir::fusion;
using namespace mlir::fusion::emulator;

void mlir::fusion::emulator::noteFence() {
  machine.hasFenced = true;
  if (machine.hasUsedAtomics)
    machine.window.floor = machine.window.current;
}

void mlir::fusion::emulator::noteGlobalAtomic() {
  machine.hasUsedAtomics = true;
  if (machine.hasFenced)
    machine.window.floor = machine.window.current;
}

/// Checks an access of shared memory with `check`, a member of SharedMemory.
template <typename Check>
static inline void checkShared(uint64_t address, uint32_t bytes, uint32_t align,
                               uint32_t site, const char *action, Check check) {
  Machine &m = machine;
  if (LLVM_UNLIKELY(address & (align - 1)))
    failAccess(site, Fault::Misaligned, address, bytes, action, 0, false);
  if (LLVM_UNLIKELY(!m.shared.contains(address) ||
                    !m.shared.contains(address + bytes - 1)))
    failAccess(site, Fault::OutOfBounds, address, bytes, action, 0, false);
  uint32_t other = 0;
  bool otherWrote = false;
  Fault fault =
      (m.shared.*check)(address, bytes, m.getAccess(), &other, &otherWrote);
  if (LLVM_UNLIKELY(fault != Fault::None))
    failAccess(site, fault, address, bytes, action, other, otherWrote);
}

void mlir::fusion::emulator::checkSharedLoad(uint64_t address, uint32_t bytes,
                                             uint32_t align, uint32_t site) {
  checkShared(address, bytes, align, site, "load", &SharedMemory::load);
}

void mlir::fusion::emulator::checkSharedStore(uint64_t address, uint32_t bytes,
                                              uint32_t align, uint32_t site) {
  checkShared(address, bytes, align, site, "store", &SharedMemory::store);
}

void mlir::fusion::emulator::checkSharedAtomic(uint64_t address, uint32_t bytes,
                                               uint32_t align, uint32_t site) {
  checkShared(address, bytes, align, site, "atomic operation",
              &SharedMemory::atomic);
}

void mlir::fusion::emulator::checkLoad(uint64_t address, uint32_t bytes,
                                       uint32_t align, uint32_t site) {
  Machine &m = machine;
  if (bytes == 0) // A memcpy of nothing.
    return;
  if (m.shared.contains(address))
    return checkSharedLoad(address, bytes, align, site);
  if (m.stacks.contains(address))
    return;
  if (address & (align - 1))
    failAccess(site, Fault::Misaligned, address, bytes, "load", 0, false);
  uint64_t other = 0;
  Fault fault = m.memory->load(address, bytes, m.window, m.globalRaces, &other);
  if (fault != Fault::None)
    failAccess(site, fault, address, bytes, "load", other, true);
}

void mlir::fusion::emulator::checkStore(uint64_t address, uint32_t bytes,
                                        uint32_t align, uint32_t site) {
  Machine &m = machine;
  if (bytes == 0)
    return;
  if (m.shared.contains(address))
    return checkSharedStore(address, bytes, align, site);
  if (m.stacks.contains(address))
    return;
  if (address & (align - 1))
    failAccess(site, Fault::Misaligned, address, bytes, "store", 0, false);
  uint64_t other = 0;
  Fault fault =
      m.memory->store(address, bytes, m.window, m.globalRaces, &other);
  if (fault != Fault::None)
    failAccess(site, fault, address, bytes, "store", other, true);
}

void mlir::fusion::emulator::checkAtomic(uint64_t address, uint32_t bytes,
                                         uint32_t align, uint32_t site) {
  Machine &m = machine;
  if (m.shared.contains(address))
    return checkSharedAtomic(address, bytes, align, site);
  if (m.stacks.contains(address))
    return;
  noteGlobalAtomic();
  if (address & (align - 1))
    failAccess(site, Fault::Misaligned, address, bytes, "atomic operation", 0,
               false);
  uint64_t other = 0;
  Fault fault =
      m.memory->load(address, bytes, m.window, /*races=*/false, &other);
  if (fault != Fault::None)
    failAccess(site, fault, address, bytes, "atomic operation", other, true);
}

void mlir::fusion::emulator::checkObject(uint64_t address, uint64_t bytes,
                                         uint64_t object, uint64_t objectBytes,
                                         uint32_t site) {
  uint64_t offset = address - object;
  if (offset >= objectBytes || bytes > objectBytes - offset)
    fail(site, "out-of-bounds access of a constant table");
}
