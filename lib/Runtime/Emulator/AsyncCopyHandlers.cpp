//===- AsyncCopyHandlers.cpp - cp.async -----------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies are lazy: their bytes arrive when the thread waits for their group,
// and are NaN (and marked as in flight) until then. A kernel that waits for
// too few groups is caught even where the hardware would happen to be fast.
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"
#include "Machine.h"
#include <cstring>

using namespace mlir::fusion::emulator;

static void startCopy(uint64_t destination, uint64_t source, uint32_t bytes,
                      uint32_t sourceBytes, uint32_t site) {
  Machine &m = machine;
  Thread &self = *m.current;
  if (sourceBytes > bytes)
    fail(site, "asynchronous copy reads more bytes than it writes");
  if (m.checks) {
    if (sourceBytes)
      checkLoad(source, sourceBytes, sourceBytes == bytes ? bytes : 1, site);
    if (source % bytes && sourceBytes)
      failAccess(site, Fault::Misaligned, source, bytes, "asynchronous copy", 0,
                 false);
    if (destination % bytes)
      failAccess(site, Fault::Misaligned, destination, bytes,
                 "asynchronous copy", 0, false);
    if (!m.shared.contains(destination) ||
        !m.shared.contains(destination + bytes - 1))
      failAccess(site, Fault::OutOfBounds, destination, bytes,
                 "asynchronous copy", 0, false);
    uint32_t other = 0;
    bool otherWrote = false;
    Fault fault = m.shared.beginCopy(destination, bytes, m.getAccess(), &other,
                                     &otherWrote);
    if (LLVM_UNLIKELY(fault != Fault::None))
      failAccess(site, fault, destination, bytes, "asynchronous copy", other,
                 otherWrote);
  }
  if (LLVM_UNLIKELY(m.profiler != nullptr)) {
    uint32_t lanes = m.warps[self.warp].lanes;
    m.profiler->access(RequestKind::SharedStore, site, self.warp, self.lane,
                       lanes, destination, bytes);
    // The other half of the same instruction has a number of its own.
    if (sourceBytes)
      m.profiler->access(RequestKind::GlobalLoad, site | 1u << 31, self.warp,
                         self.lane, lanes, source, sourceBytes);
  }
  std::memset(reinterpret_cast<void *>(destination), 0xff, bytes);
  self.copies.push_back({destination, reinterpret_cast<const void *>(source),
                         uint8_t(bytes), uint8_t(sourceBytes)});
}

template <unsigned bytes>
static void copy(const void *operands, void *, uint32_t site) {
  auto *addresses = static_cast<const uint64_t *>(operands);
  startCopy(addresses[0], addresses[1], bytes, bytes, site);
}

/// With a number of source bytes; the rest is filled with zeros.
template <unsigned bytes>
static void copyAndFill(const void *operands, void *, uint32_t site) {
  auto *addresses = static_cast<const uint64_t *>(operands);
  uint32_t sourceBytes;
  std::memcpy(&sourceBytes, addresses + 2, sizeof(sourceBytes));
  startCopy(addresses[0], addresses[1], bytes, sourceBytes, site);
}

static void commitGroup(const void *, void *, uint32_t) {
  Thread &self = *machine.current;
  self.groupEnds.push_back(self.copies.size());
}

/// Finishes the first `count` copies.
static void finishCopies(Thread &self, uint32_t count) {
  Machine &m = machine;
  SharedAccess access = m.getAccess();
  for (uint32_t i = 0; i < count; ++i) {
    const AsyncCopy &copy = self.copies[i];
    auto *destination = reinterpret_cast<char *>(copy.destination);
    if (LLVM_LIKELY(copy.bytes == 16 && copy.sourceBytes == 16)) {
      std::memcpy(destination, copy.source, 16);
    } else {
      std::memcpy(destination, copy.source, copy.sourceBytes);
      std::memset(destination + copy.sourceBytes, 0,
                  copy.bytes - copy.sourceBytes);
    }
    if (m.checks)
      m.shared.endCopy(copy.destination, copy.bytes, access);
  }
  self.copies.erase(self.copies.begin(), self.copies.begin() + count);
}

static void waitGroup(const void *operands, void *, uint32_t) {
  Thread &self = *machine.current;
  uint32_t keep;
  std::memcpy(&keep, operands, sizeof(keep));
  if (self.groupEnds.size() <= keep)
    return;
  uint32_t numDone = self.groupEnds.size() - keep;
  uint32_t count = self.groupEnds[numDone - 1];
  finishCopies(self, count);
  self.groupEnds.erase(self.groupEnds.begin(),
                       self.groupEnds.begin() + numDone);
  for (uint32_t &end : self.groupEnds)
    end -= count;
}

static void waitAll(const void *, void *, uint32_t) {
  Thread &self = *machine.current;
  finishCopies(self, self.copies.size());
  self.groupEnds.clear();
}

static const Handler asyncCopyHandlers[] = {
    {"cp.async.ca.shared.global.4", copy<4>, true, 4},
    {"cp.async.ca.shared.global.8", copy<8>, true, 8},
    {"cp.async.ca.shared.global.16", copy<16>, true, 16},
    {"cp.async.cg.shared.global.16", copy<16>, true, 16},
    {"cp.async.ca.shared.global.4.s", copyAndFill<4>, true, 4},
    {"cp.async.ca.shared.global.8.s", copyAndFill<8>, true, 8},
    {"cp.async.ca.shared.global.16.s", copyAndFill<16>, true, 16},
    {"cp.async.cg.shared.global.16.s", copyAndFill<16>, true, 16},
    {"cp.async.commit.group", commitGroup},
    {"cp.async.wait.group", waitGroup},
    {"cp.async.wait.all", waitAll},
};

llvm::ArrayRef<Handler> mlir::fusion::emulator::getAsyncCopyHandlers() {
  return asyncCopyHandlers;
}
