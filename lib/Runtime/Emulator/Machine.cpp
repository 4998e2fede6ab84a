//===- Machine.cpp - The running block: threads, warps, barriers ----------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "CompiledKernel.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <map>

using namespace mlir::fusion;
using namespace mlir::fusion::emulator;

Machine mlir::fusion::emulator::machine;

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

static std::string formatPosition(const uint32_t (&position)[3]) {
  return llvm::formatv("({0},{1},{2})", position[0], position[1], position[2]);
}

static std::string formatThread(uint64_t index) {
  if (index == kManyThreads)
    return "several threads";
  return "thread " + formatPosition(machine.threads[index].position);
}

/// The position of the block that runs at place `order` of a launch.
static void setBlockPosition(uint64_t order, uint32_t (&position)[3]) {
  const uint32_t (&grid)[3] = machine.gridSize;
  if (machine.reverseBlocks)
    order = uint64_t(grid[0]) * grid[1] * grid[2] - 1 - order;
  position[0] = order % grid[0];
  position[1] = order / grid[0] % grid[1];
  position[2] = order / grid[0] / grid[1];
}

/// Records the error of the launch. Fibers are abandoned with what is on their
/// stacks, so their functions must own no memory when they call `abandon`.
static void recordError(uint32_t site, const llvm::Twine &message) {
  Machine &m = machine;
  m.error = llvm::formatv("kernel '{0}': {1}\n  in thread {2} of block {3}",
                          m.kernel->name, message.str(),
                          formatPosition(m.current->position),
                          formatPosition(m.blockPosition));
  if (site != kNoSite)
    m.error += "\n  at " + m.kernel->describeSite(site);
}

[[noreturn]] static void abandon() {
  Fiber abandoned;
  switchFiber(abandoned, machine.host);
  llvm_unreachable("an abandoned fiber does not continue");
}

void mlir::fusion::emulator::fail(uint32_t site, const llvm::Twine &message) {
  recordError(site, message);
  abandon();
}

void mlir::fusion::emulator::failElsewhere(uint32_t site,
                                           const llvm::Twine &message,
                                           uint32_t otherSite) {
  recordError(site, message + machine.kernel->describeSite(otherSite));
  abandon();
}

static std::string describeFault(Fault fault, uint64_t address, uint32_t bytes,
                                 const char *action, uint64_t other,
                                 bool otherWrote) {
  Machine &m = machine;
  bool shared = m.shared.contains(address);
  std::string where = shared ? llvm::formatv("offset {0} of shared memory",
                                             address - m.shared.getBase())
                                   .str()
                             : m.memory->describe(address);
  const char *space = shared ? "shared" : "global";
  switch (fault) {
  case Fault::OutOfBounds:
    return llvm::formatv("out-of-bounds {0} of {1} bytes of {2} memory: "
                         "{3}",
                         action, bytes, space, where);
  case Fault::Uninitialized:
    return llvm::formatv("{0} of uninitialized {1} memory: {2} bytes at "
                         "{3} that nothing has written{4}",
                         action, space, bytes, where,
                         shared ? " in this block (yet); hint: a barrier "
                                  "may be missing"
                                : "");
  case Fault::Misaligned:
    return llvm::formatv("misaligned {0} of {1} bytes of {2} memory at "
                         "address {3:x}: {4}",
                         action, bytes, space, address, where);
  case Fault::AsyncCopyInFlight:
    return llvm::formatv("{0} of shared memory that an asynchronous copy in "
                         "flight is writing (issued by {1}): {2} bytes at "
                         "{3}; hint: a cp.async.wait_group is missing",
                         action, formatThread(other), bytes, where);
  case Fault::Race:
    if (shared)
      return llvm::formatv(
          "data race on shared memory: {0} of {1} bytes at {2}, "
          "which {3} {4} since the last barrier",
          action, bytes, where, formatThread(other),
          otherWrote ? "wrote" : "read");
    uint32_t position[3];
    setBlockPosition(other, position);
    return llvm::formatv("data race on global memory: {0} of {1} bytes at "
                         "{2}, which block {3} wrote in the same launch",
                         action, bytes, where, formatPosition(position));
  case Fault::None:
    break;
  }
  llvm_unreachable("not a fault");
}

void mlir::fusion::emulator::failAccess(uint32_t site, Fault fault,
                                        uint64_t address, uint32_t bytes,
                                        const char *action, uint64_t other,
                                        bool otherWrote) {
  recordError(site,
              describeFault(fault, address, bytes, action, other, otherWrote));
  abandon();
}

static std::string describeDeadlock() {
  Machine &m = machine;
  std::map<uint32_t, unsigned> waiting;
  unsigned exited = 0;
  for (unsigned i = 0; i < m.numThreads; ++i) {
    if (m.threads[i].exited)
      ++exited;
    else
      ++waiting[m.threads[i].site];
  }
  std::string text = "deadlock: no thread of the block can go on";
  for (auto [site, count] : waiting)
    text += llvm::formatv("\n  {0} threads wait at {1}", count,
                          m.kernel->describeSite(site));
  if (exited)
    text += llvm::formatv("\n  {0} threads have exited", exited);
  return text;
}

[[noreturn]] static void failDeadlock() {
  recordError(kNoSite, describeDeadlock());
  abandon();
}

//===----------------------------------------------------------------------===//
// Scheduling
//===----------------------------------------------------------------------===//

/// Takes the next thread that could run: of the current warp while it has one,
/// so that few stacks are in use at a time; then of the next warps in turn.
static Thread *takeRunnable() {
  Machine &m = machine;
  unsigned index = m.currentWarp;
  if (LLVM_UNLIKELY(!m.warps[index].runnable)) {
    m.runnableWarps &= ~(1u << index);
    if (!m.runnableWarps)
      return nullptr;
    uint32_t later = m.runnableWarps & ~((2u << index) - 1);
    index = llvm::countr_zero(later ? later : m.runnableWarps);
    m.currentWarp = index;
  }
  Warp &warp = m.warps[index];
  unsigned lane = llvm::countr_zero(warp.runnable);
  warp.runnable &= warp.runnable - 1;
  return &m.getThread(index, lane);
}

void mlir::fusion::emulator::suspend(uint32_t site) {
  Machine &m = machine;
  Thread *self = m.current;
  self->site = site;
  Thread *next = takeRunnable();
  if (LLVM_UNLIKELY(!next))
    failDeadlock();
  m.current = next;
  if (next != self)
    switchFiber(self->fiber, next->fiber);
}

void mlir::fusion::emulator::yield(uint32_t site) {
  Machine &m = machine;
  makeRunnable(m.current->warp, 1u << m.current->lane);
  // Prefer another warp: a thread that spins waits for somebody else.
  unsigned index = m.currentWarp;
  uint32_t others = m.runnableWarps & ~(1u << index);
  if (others && !(m.warps[index].runnable & ~(1u << m.current->lane)))
    m.currentWarp = llvm::countr_zero((others & ~((2u << index) - 1))
                                          ? others & ~((2u << index) - 1)
                                          : others);
  suspend(site);
}

/// What every fiber runs.
static void runThread() {
  enterFiber();
  Machine &m = machine;
  m.kernel->entry(m.arguments);
  Thread &self = *m.current;
  self.exited = true;
  m.warps[self.warp].live &= ~(1u << self.lane);
  if (--m.numLive == 0)
    switchFiber(self.fiber, m.host);
  suspend(kNoSite);
  llvm_unreachable("an exited thread does not continue");
}

/// What the only fiber of a block of independent threads runs.
static void runIndependentThreads() {
  enterFiber();
  Machine &m = machine;
  void (*entry)(void **) = m.kernel->entry;
  for (Thread *thread = m.threads.data(), *end = thread + m.numThreads;
       thread != end; ++thread) {
    m.current = thread;
    entry(m.arguments);
  }
  switchFiber(m.threads.front().fiber, m.host);
  llvm_unreachable("a finished block does not continue");
}

/// Sets the time of a warp's last barrier.
static void setWarpTime(unsigned index, uint32_t time) {
  Machine &m = machine;
  m.warps[index].time = time;
  unsigned begin = index * kLanes;
  unsigned end = std::min(begin + kLanes, m.numThreads);
  for (unsigned i = begin; i < end; ++i)
    m.threads[i].stamp = SharedMemory::getStamp(time, i);
}

static void beginBlock(uint64_t order) {
  Machine &m = machine;
  setBlockPosition(order, m.blockPosition);
  m.hasFenced = m.hasUsedAtomics = false;
  m.currentWarp = 0;
  m.shared.beginBlock();
  for (unsigned i = 0; i < m.numWarps; ++i)
    setWarpTime(i, m.shared.getTime());
  if (m.kernel->isIndependent) {
    m.stacks.prepare(m.threads.front().fiber, 0, runIndependentThreads);
    m.current = &m.threads.front();
    return;
  }
  m.numLive = m.numThreads;
  m.runnableWarps = 0;
  for (Barrier &barrier : m.barriers)
    barrier = {0, 0, kNoSite, {}};
  for (unsigned i = 0; i < m.numWarps; ++i) {
    Warp &warp = m.warps[i];
    warp.live = warp.lanes;
    warp.numPending = 0;
    makeRunnable(i, warp.lanes);
  }
  for (unsigned i = 0; i < m.numThreads; ++i) {
    Thread &thread = m.threads[i];
    thread.exited = false;
    thread.copies.clear();
    thread.groupEnds.clear();
    m.stacks.prepare(thread.fiber, i, runThread);
  }
  m.current = takeRunnable();
}

namespace {
/// Decides when a kernel that runs quickly made code is worth optimizing.
class OptimizationPolicy {
public:
  OptimizationPolicy(CompiledKernel &kernel, uint64_t blocks)
      : kernel(kernel), blocks(blocks), start(Clock::now()) {}
  ~OptimizationPolicy() { kernel.runSeconds += getElapsed(); }

  /// After `done` blocks of the launch.
  bool wantsOptimization(uint64_t done) const {
    if (kernel.isOptimized)
      return false;
    // Optimized code takes about so many times longer to make.
    constexpr double kCostRatio = 4;
    double cost = kCostRatio * kernel.compileSeconds, elapsed = getElapsed();
    // Either what is left of this launch pays, or what all launches took
    // would have paid already.
    double left = elapsed / done * (blocks - done);
    return (left > 2 * cost && elapsed > cost / 16) ||
           (left > 0 && kernel.runSeconds + elapsed > cost);
  }

private:
  using Clock = std::chrono::steady_clock;
  double getElapsed() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  CompiledKernel &kernel;
  uint64_t blocks;
  Clock::time_point start;
};
} // namespace

llvm::Error
mlir::fusion::emulator::runGrid(Dim3 grid, Dim3 block,
                                llvm::function_ref<llvm::Error()> optimize) {
  Machine &m = machine;
  m.blockSize[0] = block.x;
  m.blockSize[1] = block.y;
  m.blockSize[2] = block.z;
  m.gridSize[0] = grid.x;
  m.gridSize[1] = grid.y;
  m.gridSize[2] = grid.z;
  m.numThreads = block.x * block.y * block.z;
  m.numWarps = (m.numThreads + kLanes - 1) / kLanes;
  m.error.clear();
  if (!m.shared.reserve() ||
      !m.stacks.reserve(m.kernel->isIndependent ? 1 : m.numThreads))
    return llvm::createStringError("emulator: out of memory");
  if (m.threads.size() < m.numThreads)
    m.threads.resize(m.numThreads);
  m.warps.assign(m.numWarps, Warp{});
  for (unsigned i = 0; i < m.numThreads; ++i) {
    Thread &thread = m.threads[i];
    thread.position[0] = i % block.x;
    thread.position[1] = i / block.x % block.y;
    thread.position[2] = i / block.x / block.y;
    thread.index = i;
    thread.lane = i % kLanes;
    thread.warp = i / kLanes;
    m.warps[thread.warp].lanes |= 1u << thread.lane;
  }
  m.shared.beginLaunch(m.kernel->sharedArrays, m.kernel->sharedShift);
  uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  RaceWindow window = m.memory->beginLaunch(blocks);
  OptimizationPolicy policy(*m.kernel, blocks);
  for (uint64_t order = 0; order < blocks; ++order) {
    if (order && policy.wantsOptimization(order))
      if (llvm::Error error = optimize())
        return error;
    m.window.floor = window.floor;
    m.window.current = window.floor + (uint32_t(order) << kWriterMaskBits);
    beginBlock(order);
    switchFiber(m.host, m.current->fiber);
    if (!m.error.empty())
      return llvm::createStringError(m.error);
    if (m.profiler)
      m.profiler->endBlock();
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Warps and barriers
//===----------------------------------------------------------------------===//

void mlir::fusion::emulator::meetWarp(uint32_t site, uint32_t mask,
                                      Convergence convergence,
                                      const void *operands, void *results,
                                      WarpFunction function) {
  Machine &m = machine;
  Thread *self = m.current;
  Warp &warp = m.warps[self->warp];
  uint32_t bit = 1u << self->lane;
  if (LLVM_UNLIKELY(!(mask & bit)))
    fail(site, llvm::formatv("lane {0} executes a warp-wide operation whose "
                             "mask {1:x} does not name it",
                             self->lane, mask));
  if (LLVM_UNLIKELY(mask & ~warp.live)) {
    // A full mask in the last, partial warp of a block means its lanes.
    if (mask != kAllLanes || warp.live != warp.lanes)
      fail(site, llvm::formatv("warp-wide operation with mask {0:x} waits for "
                               "lanes that have exited or do not exist (live: "
                               "{1:x})",
                               mask, warp.live));
    mask = warp.live;
  }
  Rendezvous *meeting = nullptr;
  for (unsigned i = 0; i < warp.numPending; ++i)
    if (warp.pending[i].site == site && warp.pending[i].mask == mask)
      meeting = &warp.pending[i];
  if (!meeting) {
    for (unsigned i = 0; i < warp.numPending; ++i)
      if (convergence == Convergence::WholeWarp ||
          (warp.pending[i].mask & mask))
        failElsewhere(site,
                      "divergent warp-wide operation: other lanes of the warp "
                      "wait at ",
                      warp.pending[i].site);
    if (warp.numPending == std::size(warp.pending))
      fail(site, "too many warp-wide operations of one warp are pending");
    meeting = &warp.pending[warp.numPending++];
    *meeting = {site, mask, 0};
  }
  meeting->arrived |= bit;
  self->operands = operands;
  self->results = results;
  if (meeting->arrived != mask)
    return suspend(site);
  *meeting = warp.pending[--warp.numPending];
  const void *allOperands[kLanes];
  void *allResults[kLanes];
  Thread *lanes = &m.getThread(self->warp, 0);
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    allOperands[lane] = lanes[lane].operands;
    allResults[lane] = lanes[lane].results;
  }
  function(allOperands, allResults, mask, site);
  if (LLVM_UNLIKELY(m.profiler != nullptr))
    m.profiler->countCollective();
  makeRunnable(self->warp, mask & ~bit);
}

void mlir::fusion::emulator::passWarpBarrier(unsigned warp) {
  Machine &m = machine;
  setWarpTime(warp, m.shared.warpBarrier());
  if (LLVM_LIKELY(!m.shared.needsRenumbering()))
    return;
  llvm::SmallVector<uint32_t *> times;
  for (Warp &each : m.warps)
    times.push_back(&each.time);
  m.shared.renumber(times);
  for (unsigned i = 0; i < m.numWarps; ++i)
    setWarpTime(i, m.warps[i].time);
}

void mlir::fusion::emulator::meetBlock(unsigned id, unsigned expected,
                                       uint32_t site, bool wait) {
  Machine &m = machine;
  if (id >= kNumBarriers)
    fail(site, llvm::formatv("barrier {0} does not exist", id));
  Barrier &barrier = m.barriers[id];
  bool wholeBlock = expected == 0;
  if (wholeBlock) {
    if (m.numLive != m.numThreads)
      fail(site, llvm::formatv("divergent barrier: {0} threads of the block "
                               "have exited without reaching it",
                               m.numThreads - m.numLive));
    expected = m.numThreads;
  }
  if (barrier.arrived && barrier.expected != expected)
    fail(site,
         llvm::formatv("barrier {0} is joined by {1} threads here, by {2} "
                       "elsewhere",
                       id, expected, barrier.expected));
  if (barrier.arrived && wholeBlock && barrier.site != site)
    failElsewhere(site,
                  "divergent barrier: other threads of the block wait at ",
                  barrier.site);
  barrier.expected = expected;
  barrier.site = site;
  if (++barrier.arrived < expected) {
    if (wait) {
      barrier.waiting[m.current->warp] |= 1u << m.current->lane;
      suspend(site);
    }
    return;
  }
  barrier.arrived = 0;
  // A barrier of some of the threads orders more than it should: the threads
  // that do not join are taken as ordered too.
  uint32_t time = m.shared.blockBarrier();
  for (unsigned i = 0; i < m.numWarps; ++i) {
    setWarpTime(i, time);
    if (barrier.waiting[i])
      makeRunnable(i, barrier.waiting[i]);
    barrier.waiting[i] = 0;
  }
  if (LLVM_UNLIKELY(m.shared.needsRenumbering()))
    passWarpBarrier(m.current->warp);
  if (LLVM_UNLIKELY(m.profiler != nullptr))
    m.profiler->countBarrier();
}
