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

namespace {
enum class Action { Load, Store, Atomic };
} // namespace

static const char *getName(Action action) {
  switch (action) {
  case Action::Load:
    return "load";
  case Action::Store:
    return "store";
  case Action::Atomic:
    return "atomic operation";
  }
  llvm_unreachable("all actions are handled");
}

template <Action action>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void
checkShared(uint64_t address, uint32_t bytes, uint32_t align, uint32_t site) {
  Machine &m = machine;
  if (LLVM_UNLIKELY(address & (align - 1)))
    failAccess(site, Fault::Misaligned, address, bytes, getName(action), 0,
               false);
  if (LLVM_UNLIKELY(!m.shared.contains(address) ||
                    !m.shared.contains(address + bytes - 1)))
    failAccess(site, Fault::OutOfBounds, address, bytes, getName(action), 0,
               false);
  uint32_t other = 0;
  bool otherWrote = false;
  SharedAccess by = m.getAccess();
  Fault fault;
  if constexpr (action == Action::Load)
    fault = m.shared.load(address, bytes, by, &other, &otherWrote);
  else if constexpr (action == Action::Store)
    fault = m.shared.store(address, bytes, by, &other, &otherWrote);
  else
    fault = m.shared.atomic(address, bytes, by, &other, &otherWrote);
  if (LLVM_UNLIKELY(fault != Fault::None))
    failAccess(site, fault, address, bytes, getName(action), other, otherWrote);
}

void mlir::fusion::emulator::checkSharedLoad(uint64_t address, uint32_t bytes,
                                             uint32_t align, uint32_t site) {
  checkShared<Action::Load>(address, bytes, align, site);
}

void mlir::fusion::emulator::checkSharedStore(uint64_t address, uint32_t bytes,
                                              uint32_t align, uint32_t site) {
  checkShared<Action::Store>(address, bytes, align, site);
}

void mlir::fusion::emulator::checkSharedAtomic(uint64_t address, uint32_t bytes,
                                               uint32_t align, uint32_t site) {
  checkShared<Action::Atomic>(address, bytes, align, site);
}

void mlir::fusion::emulator::checkLoad(uint64_t address, uint32_t bytes,
                                       uint32_t align, uint32_t site) {
  Machine &m = machine;
  // A page that this launch has written comes here for every load.
  if (LLVM_LIKELY(m.globalRaces && !(address & (align - 1)) &&
                  m.memory->isCleanLoad(address, bytes, align, m.window)))
    return;
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
