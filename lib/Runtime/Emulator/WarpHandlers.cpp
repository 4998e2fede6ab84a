//===- WarpHandlers.cpp - Shuffles, votes, reductions, barriers -----------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledKernel.h"
#include "Handlers.h"
#include "Machine.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"

using namespace mlir::fusion::emulator;

/// Calls `visit(lane)` for every lane of a mask.
template <typename Visit>
static void forLanes(uint32_t mask, Visit visit) {
  for (uint32_t rest = mask; rest; rest &= rest - 1)
    visit(llvm::countr_zero(rest));
}

template <typename T>
static const T &as(const void *operands) {
  return *static_cast<const T *>(operands);
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

namespace {
enum class Shuffle { Butterfly, Down, Up, Index };

/// Operands of shfl.sync; `clamp` holds the clamp and the segment mask.
struct ShuffleOperands {
  uint32_t mask, value, lane, clamp;
};
/// Results: the value, and whether the source lane was in range.
struct ShuffleResults {
  uint32_t value, inRange;
};
} // namespace

/// What a lane receives from a lane that does not take part: a recognisable
/// NaN, since the hardware's value is undefined.
static constexpr uint32_t kAbsentLaneValue = 0x7fc0dead;

template <Shuffle kind, bool withPredicate>
static void shuffleLanes(const void *const *operands, void *const *results,
                         uint32_t mask, uint32_t site) {
  ShuffleResults values[kLanes];
  forLanes(mask, [&](unsigned lane) {
    const auto &in = as<ShuffleOperands>(operands[lane]);
    unsigned segment = (in.clamp >> 8) & 31, clamp = in.clamp & 31;
    unsigned distance = in.lane & 31;
    int last = (lane & segment) | (clamp & ~segment);
    int source = 0;
    bool inRange = true;
    switch (kind) {
    case Shuffle::Butterfly:
      source = lane ^ distance;
      inRange = source <= last;
      break;
    case Shuffle::Down:
      source = lane + distance;
      inRange = source <= last;
      break;
    case Shuffle::Up:
      source = int(lane) - int(distance);
      inRange = source >= last;
      break;
    case Shuffle::Index:
      source = (lane & segment) | (distance & ~segment);
      inRange = source <= last;
      break;
    }
    if (!inRange)
      source = lane;
    values[lane] = {mask >> source & 1
                        ? as<ShuffleOperands>(operands[source]).value
                        : kAbsentLaneValue,
                    inRange};
  });
  forLanes(mask, [&](unsigned lane) {
    if (withPredicate)
      *static_cast<ShuffleResults *>(results[lane]) = values[lane];
    else
      *static_cast<uint32_t *>(results[lane]) = values[lane].value;
  });
}

template <Shuffle kind, bool withPredicate>
static void shuffle(const void *operands, void *result, uint32_t site) {
  meetWarp(site, as<ShuffleOperands>(operands).mask, Convergence::PerMask,
           operands, result, shuffleLanes<kind, withPredicate>);
}

//===----------------------------------------------------------------------===//
// Votes, reductions, matches
//===----------------------------------------------------------------------===//

namespace {
struct VoteOperands {
  uint32_t mask, value;
};
struct ReduceOperands {
  uint32_t value, mask;
};
enum class Vote { All, Any, Uniform, Ballot };
enum class Reduce { Add, UMin, UMax, Min, Max, And, Or, Xor };
} // namespace

template <Vote kind>
static void voteLanes(const void *const *operands, void *const *results,
                      uint32_t mask, uint32_t site) {
  uint32_t ballot = 0;
  forLanes(mask, [&](unsigned lane) {
    ballot |= uint32_t(as<VoteOperands>(operands[lane]).value != 0) << lane;
  });
  uint32_t result = ballot;
  if (kind == Vote::All)
    result = ballot == mask;
  else if (kind == Vote::Any)
    result = ballot != 0;
  else if (kind == Vote::Uniform)
    result = ballot == 0 || ballot == mask;
  forLanes(mask, [&](unsigned lane) {
    *static_cast<uint32_t *>(results[lane]) = result;
  });
}

template <Vote kind>
static void vote(const void *operands, void *result, uint32_t site) {
  meetWarp(site, as<VoteOperands>(operands).mask, Convergence::PerMask,
           operands, result, voteLanes<kind>);
}

template <Reduce kind>
static uint32_t combine(uint32_t a, uint32_t b) {
  switch (kind) {
  case Reduce::Add:
    return a + b;
  case Reduce::UMin:
    return std::min(a, b);
  case Reduce::UMax:
    return std::max(a, b);
  case Reduce::Min:
    return std::min(int32_t(a), int32_t(b));
  case Reduce::Max:
    return std::max(int32_t(a), int32_t(b));
  case Reduce::And:
    return a & b;
  case Reduce::Or:
    return a | b;
  case Reduce::Xor:
    return a ^ b;
  }
}

template <Reduce kind>
static void reduceLanes(const void *const *operands, void *const *results,
                        uint32_t mask, uint32_t site) {
  unsigned first = llvm::countr_zero(mask);
  uint32_t total = as<ReduceOperands>(operands[first]).value;
  forLanes(mask & (mask - 1), [&](unsigned lane) {
    total = combine<kind>(total, as<ReduceOperands>(operands[lane]).value);
  });
  forLanes(mask, [&](unsigned lane) {
    *static_cast<uint32_t *>(results[lane]) = total;
  });
}

template <Reduce kind>
static void reduce(const void *operands, void *result, uint32_t site) {
  meetWarp(site, as<ReduceOperands>(operands).mask, Convergence::PerMask,
           operands, result, reduceLanes<kind>);
}

static void matchAnyLanes(const void *const *operands, void *const *results,
                          uint32_t mask, uint32_t site) {
  forLanes(mask, [&](unsigned lane) {
    uint32_t same = 0;
    forLanes(mask, [&](unsigned other) {
      same |= uint32_t(as<VoteOperands>(operands[other]).value ==
                       as<VoteOperands>(operands[lane]).value)
              << other;
    });
    *static_cast<uint32_t *>(results[lane]) = same;
  });
}

static void matchAny(const void *operands, void *result, uint32_t site) {
  meetWarp(site, as<VoteOperands>(operands).mask, Convergence::PerMask,
           operands, result, matchAnyLanes);
}

/// Lanes that wait at the same instruction are not known before they meet, so
/// "active" means "not exited".
static void activeMask(const void *, void *result, uint32_t) {
  *static_cast<uint32_t *>(result) = machine.warps[machine.current->warp].live;
}

static void electLanes(const void *const *operands, void *const *results,
                       uint32_t mask, uint32_t site) {
  uint32_t leader = llvm::countr_zero(mask);
  forLanes(mask, [&](unsigned lane) {
    *static_cast<ShuffleResults *>(results[lane]) = {leader, lane == leader};
  });
}

static void elect(const void *operands, void *result, uint32_t site) {
  meetWarp(site, as<uint32_t>(operands), Convergence::PerMask, operands, result,
           electLanes);
}

//===----------------------------------------------------------------------===//
// Barriers, fences, the rest
//===----------------------------------------------------------------------===//

static void warpBarrier(const void *operands, void *result, uint32_t site) {
  meetWarp(site, as<uint32_t>(operands), Convergence::PerMask, operands, result,
           [](const void *const *, void *const *, uint32_t, uint32_t) {
             passWarpBarrier(machine.current->warp);
           });
}

static void blockBarrier(const void *operands, void *, uint32_t site) {
  meetBlock(as<uint32_t>(operands), 0, site);
}

static void blockBarrierZero(const void *, void *, uint32_t site) {
  meetBlock(0, 0, site);
}

static void countedBarrier(const void *operands, void *, uint32_t site) {
  const auto &[id, count] = as<VoteOperands>(operands);
  meetBlock(id, count, site);
}

static void barrierArrive(const void *operands, void *, uint32_t site) {
  const auto &[id, count] = as<VoteOperands>(operands);
  meetBlock(id, count, site, /*wait=*/false);
}

static void fence(const void *, void *, uint32_t) { noteFence(); }

static void nanosleep(const void *, void *, uint32_t site) { yield(site); }

static void ignore(const void *, void *, uint32_t) {}

static void trap(const void *, void *, uint32_t site) {
  fail(site, "trap (failed assertion)");
}

static const Handler warpHandlers[] = {
#define SHUFFLE(NAME, KIND)                                                    \
  {"shfl.sync." NAME ".i32", shuffle<Shuffle::KIND, false>, true},             \
      {"shfl.sync." NAME ".f32", shuffle<Shuffle::KIND, false>, true},         \
      {"shfl.sync." NAME ".i32p", shuffle<Shuffle::KIND, true>, true}, {       \
    "shfl.sync." NAME ".f32p", shuffle<Shuffle::KIND, true>, true              \
  }
    SHUFFLE("bfly", Butterfly),
    SHUFFLE("down", Down),
    SHUFFLE("up", Up),
    SHUFFLE("idx", Index),
#undef SHUFFLE
    {"vote.all.sync", vote<Vote::All>, true},
    {"vote.any.sync", vote<Vote::Any>, true},
    {"vote.uni.sync", vote<Vote::Uniform>, true},
    {"vote.ballot.sync", vote<Vote::Ballot>, true},
    {"redux.sync.add", reduce<Reduce::Add>, true},
    {"redux.sync.umin", reduce<Reduce::UMin>, true},
    {"redux.sync.umax", reduce<Reduce::UMax>, true},
    {"redux.sync.min", reduce<Reduce::Min>, true},
    {"redux.sync.max", reduce<Reduce::Max>, true},
    {"redux.sync.and", reduce<Reduce::And>, true},
    {"redux.sync.or", reduce<Reduce::Or>, true},
    {"redux.sync.xor", reduce<Reduce::Xor>, true},
    {"match.any.sync.i32", matchAny, true},
    {"activemask", activeMask},
    {"elect.sync", elect, true},
    {"bar.warp.sync", warpBarrier, true},
    {"barrier0", blockBarrierZero, true},
    {"barrier.sync", blockBarrier, true},
    {"barrier.cta.sync.aligned.all", blockBarrier, true},
    {"barrier.cta.sync.all", blockBarrier, true},
    {"barrier.cta.sync.aligned.count", countedBarrier, true},
    {"barrier.cta.sync.count", countedBarrier, true},
    {"barrier.cta.arrive.aligned.count", barrierArrive, true},
    {"barrier.cta.arrive.count", barrierArrive, true},
    {"bar.arrive", barrierArrive, true},
    {"membar.cta", ignore},
    {"fence", fence},
    {"nanosleep", nanosleep, true},
    {"griddepcontrol.wait", ignore},
    {"griddepcontrol.launch.dependents", ignore},
    {"prefetch.global.L1", ignore},
    {"prefetch.global.L2", ignore},
    {"prefetch.L1", ignore},
    {"prefetch.L2", ignore},
    {"trap", trap},
};

llvm::ArrayRef<Handler> mlir::fusion::emulator::getWarpHandlers() {
  return warpHandlers;
}

const Handler *mlir::fusion::emulator::findHandler(llvm::StringRef name) {
  static const llvm::StringMap<const Handler *> byName = [] {
    llvm::StringMap<const Handler *> map;
    for (llvm::ArrayRef<Handler> handlers :
         {getWarpHandlers(), getMatrixHandlers(), getAsyncCopyHandlers()})
      for (const Handler &handler : handlers)
        map[handler.name] = &handler;
    return map;
  }();
  // Fences differ in scope and strength, which makes no difference here.
  if (!byName.contains(name) &&
      (name.starts_with("fence.") || name.starts_with("membar.")))
    name = "fence";
  return byName.lookup(name);
}
