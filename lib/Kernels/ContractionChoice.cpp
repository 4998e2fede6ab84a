//===- ContractionChoice.cpp - Picks a schedule for a device -----------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few tiles are tried, and the one that a simple model takes to be fastest is
// chosen: time is the larger of the rounds of blocks over all multiprocessors
// and of reading the operands once, with as much of the bandwidth as the bytes
// under way can use.
//
//===----------------------------------------------------------------------===//

#include "ContractionEmitter.h"
#include "TileColumns.h"
#include "fusion/Target/TargetTable.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// A tile that a schedule may have, with the part of the unit's peak that it
/// reaches once it fills the device.
struct TileChoice {
  int64_t m, n, k, warpsM, warpsN;
  double efficiency;
};

} // namespace

static constexpr TileChoice kMmaSyncTiles[] = {
    {128, 128, 32, 2, 2, 1.0}, {128, 64, 32, 2, 2, 0.85},
    {64, 128, 32, 2, 2, 0.85}, {64, 64, 64, 2, 2, 0.65},
    {32, 128, 32, 1, 4, 0.5},  {32, 64, 64, 1, 4, 0.4},
    {16, 128, 32, 1, 4, 0.3},  {16, 32, 128, 1, 4, 0.2},
    {16, 64, 64, 1, 4, 0.25},  {16, 64, 32, 1, 4, 0.2},
};
static constexpr TileChoice kSimdgroupTiles[] = {
    {64, 64, 16, 2, 2, 1.0},
    {32, 64, 16, 1, 4, 0.8},
    {32, 32, 16, 2, 2, 0.7},
    {16, 64, 16, 1, 4, 0.5},
};
static constexpr TileChoice kScalarTiles[] = {
    {128, 128, 16, 2, 4, 1.0}, {64, 64, 16, 2, 4, 0.6}, {32, 64, 16, 1, 4, 0.4},
    {32, 32, 8, 1, 2, 0.3},    {32, 16, 8, 1, 1, 0.1},
};

/// The most accumulated elements that a thread holds.
static constexpr int64_t kMaxAccumulators = 128;
/// Registers of a thread that hold something else.
static constexpr int64_t kOtherRegisters = 64;
/// Seconds between a load from device memory and its value.
static constexpr double kMemoryLatency = 700e-9;
/// What a size that is not known is taken to be.
static constexpr int64_t kAssumedSize = 2048;
/// Bytes that a thread stores at a time.
static constexpr int64_t kStoreBytes = 16;
/// Elements that the epilogue gets at a time where it reads other columns.
static constexpr int64_t kReadVector = 8;

/// Accumulated elements that a thread holds.
static int64_t getAccumulators(const ContractionSchedule &schedule,
                               const ContractionShape &shape) {
  return schedule.tileM * schedule.tileN * shape.numRhs / schedule.getThreads();
}

/// Bytes of what is kept for the rows of a tile: that, and the partial results
/// of a row's warps.
static int64_t getRowBytes(const ContractionSchedule &schedule,
                           const ContractionShape &shape) {
  return shape.rowBytes * (schedule.tileM + schedule.getThreads() / 32);
}

/// Blocks that run at the same time, if there are so many.
static int64_t getResidentBlocks(const TargetInfo &target,
                                 const ContractionShape &shape,
                                 const ContractionSchedule &schedule) {
  return target.getResidentBlocks(
      schedule.getThreads(),
      getContractionSharedBytes(schedule, shape.operandType,
                                shape.accumulatorType, shape.numRhs),
      getAccumulators(schedule, shape) + kOtherRegisters);
}

AffineExpr mlir::fusion::getContractionRereadBytes(
    const TargetInfo &target, const ContractionSchedule &schedule,
    const ContractionShape &shape, AffineExpr batch, AffineExpr m, AffineExpr n,
    AffineExpr k) {
  MLIRContext *context = m.getContext();
  int64_t elementBytes = getElementBytes(shape.operandType);
  int64_t depth = shape.k.value_or(kAssumedSize) * elementBytes;
  int64_t available = target.getKeptBytes();
  AffineExpr again = getAffineConstantExpr(0, context);
  // Tiles of a group of rows come column by column: B passes by once for each
  // group, A stays if the group's rows fit.
  int64_t groupRows = schedule.groupedRows * schedule.tileM;
  if (shape.m)
    groupRows = std::min(groupRows, *shape.m);
  if (groupRows * depth > available) {
    int64_t tilesM = llvm::divideCeil(groupRows, schedule.tileM);
    AffineExpr rounds =
        (n.ceilDiv(schedule.tileN) * tilesM)
            .ceilDiv(getResidentBlocks(target, shape, schedule));
    again = again + m * k * (rounds - 1) * elementBytes;
  }
  if (shape.n.value_or(kAssumedSize) * shape.numRhs * depth > available)
    again = again +
            n * k * (m.ceilDiv(groupRows) - 1) * (elementBytes * shape.numRhs);
  return again * batch;
}

/// The rows of tiles to take together, so that the least is read again.
static int64_t chooseGroupedRows(const TargetInfo &target,
                                 const ContractionShape &shape,
                                 ContractionSchedule schedule) {
  MLIRContext *context = shape.operandType.getContext();
  auto getSize = [&](std::optional<int64_t> size) {
    return getAffineConstantExpr(size.value_or(kAssumedSize), context);
  };
  auto getBytes = [&](int64_t groupedRows) {
    schedule.groupedRows = groupedRows;
    AffineExpr bytes = getContractionRereadBytes(
        target, schedule, shape, getAffineConstantExpr(1, context),
        getSize(shape.m), getSize(shape.n), getSize(shape.k));
    return cast<AffineConstantExpr>(bytes).getValue();
  };
  int64_t best = kGroupedRows, least = getBytes(best);
  for (int64_t groupedRows : {8, 32, 64})
    if (int64_t bytes = getBytes(groupedRows); bytes < least) {
      best = groupedRows;
      least = bytes;
    }
  return best;
}

/// Seconds that the product takes, more or less.
static double modelTime(const TargetInfo &target, const ContractionShape &shape,
                        const ContractionSchedule &schedule,
                        double efficiency) {
  double m = shape.m.value_or(kAssumedSize);
  double n = shape.n.value_or(kAssumedSize);
  double k = shape.k.value_or(kAssumedSize);
  double batch = shape.batch.value_or(1);
  double elementBytes = getElementBytes(shape.operandType);
  double tiles =
      batch * std::ceil(m / schedule.tileM) * std::ceil(n / schedule.tileN);

  double rate = schedule.unit == MatrixUnitKind::Scalar ? target.scalarFlops
                                                        : target.matrixFlops;
  double tileFlops = 2.0 * schedule.tileM * schedule.tileN * shape.numRhs * k;
  double rounds = std::ceil(tiles / target.multiprocessors);
  double computeTime =
      rounds * tileFlops * target.multiprocessors / (rate * efficiency);

  // Blocks that run at the same time, and what each has asked for.
  double blocks =
      std::min(tiles, double(getResidentBlocks(target, shape, schedule)));
  double bytesUnderWay = blocks * (schedule.stages - 1) * schedule.tileK *
                         elementBytes *
                         (schedule.tileM + schedule.tileN * shape.numRhs);
  double saturation =
      std::min(1.0, bytesUnderWay / (target.bandwidth * kMemoryLatency));
  double bytes = batch * (m * k + n * k * shape.numRhs) * elementBytes;
  double memoryTime = bytes / (target.bandwidth * saturation);

  // Neither hides the other entirely.
  return std::max(computeTime, memoryTime) +
         0.1 * std::min(computeTime, memoryTime);
}

static MatrixUnitKind chooseUnit(const TargetInfo &target,
                                 const ContractionShape &shape) {
  MatrixUnitKind kind =
      target.isNVIDIA() ? MatrixUnitKind::MmaSync : MatrixUnitKind::Simdgroup;
  return supportsMatrixUnit(kind, shape.operandType, shape.accumulatorType)
             ? kind
             : MatrixUnitKind::Scalar;
}

/// The most rows for which B is read straight into registers; beyond, the
/// arithmetic outside of matrix units can not keep up with memory.
static constexpr int64_t kMaxSkinnyRows = 4;
/// Shared memory that the rows of A may take in the skinny template.
static constexpr int64_t kMaxSkinnyBytes = 32 * 1024;

/// The skinny schedule for a shape with `m` rows.
static ContractionSchedule chooseSkinny(const TargetInfo &target,
                                        const ContractionShape &shape,
                                        int64_t m) {
  ContractionSchedule schedule;
  schedule.unit = MatrixUnitKind::Scalar;
  schedule.warpsM = schedule.warpsN = 1;
  schedule.tileM = m;
  if (shape.isKContiguousB) {
    // Every lane multiplies all columns of the block. ptxas unrolls the loop,
    // and takes all registers for vectors of wide elements in more columns.
    bool isWide = getElementBytes(shape.operandType) >= 4;
    schedule.warpsK = 4;
    schedule.tileN =
        std::max<int64_t>((m > 1 || isWide ? 4 : 8) / shape.numRhs, 2);
  } else {
    // Segments of rows of B as long as leave enough blocks.
    schedule.warpsK = 8;
    schedule.tileN = 64;
    int64_t n = shape.n.value_or(kAssumedSize);
    while (schedule.tileN > 16 && n * shape.batch.value_or(1) <
                                      schedule.tileN * target.multiprocessors)
      schedule.tileN /= 2;
  }
  // A column and those that it is computed from lie in one tile.
  schedule.tileN = std::max(schedule.tileN, shape.columns.getCount());
  while (schedule.warpsK > 2 &&
         kSkinnyDepth * schedule.warpsK > shape.k.value_or(kAssumedSize))
    schedule.warpsK /= 2;
  // As much of A at a time as fits; no more than there is.
  int64_t unit = kSkinnyDepth * schedule.warpsK;
  int64_t bytes = m * unit * getElementBytes(shape.accumulatorType);
  int64_t count = std::max<int64_t>(kMaxSkinnyBytes / bytes, 1);
  if (shape.k)
    count = std::clamp<int64_t>(llvm::divideCeil(*shape.k, unit), 1, count);
  schedule.tileK = count * unit;
  schedule.vector = 1;
  return schedule;
}

bool mlir::fusion::canTileColumns(ColumnGroup columns) {
  // Every unit has tiles of these widths.
  return TileColumns::fits(columns, 64, kReadVector) ||
         TileColumns::fits(columns, 32, kReadVector);
}

ContractionSchedule
mlir::fusion::chooseContractionSchedule(const TargetInfo &target,
                                        const ContractionShape &shape) {
  ContractionSchedule schedule;
  schedule.unit = chooseUnit(target, shape);
  int64_t resultBytes = getElementBytes(shape.resultType);
  // Metal has vectors of four elements.
  schedule.vector = std::clamp<int64_t>(kStoreBytes / resultBytes, 1,
                                        target.isApple() ? 4 : 8);
  // Columns can be read once results are in shared memory.
  if (!shape.columns.isSingle())
    schedule.vector = kReadVector;

  ArrayRef<TileChoice> choices = kScalarTiles;
  if (schedule.unit == MatrixUnitKind::MmaSync)
    choices = kMmaSyncTiles;
  else if (schedule.unit == MatrixUnitKind::Simdgroup)
    choices = kSimdgroupTiles;

  // A short k dimension would leave most of a skinny block's lanes idle.
  int64_t minSkinnyK = shape.isKContiguousB ? 1024 : 256;
  // Where lanes lie along n, a lane has sums for each row and right-hand side.
  int64_t rowsPerRow = shape.isKContiguousB ? 1 : shape.numRhs;
  if (shape.m && *shape.m * rowsPerRow <= kMaxSkinnyRows &&
      shape.k.value_or(kAssumedSize) >= minSkinnyK) {
    ContractionSchedule skinny =
        chooseSkinny(target, shape, std::max<int64_t>(*shape.m, 1));
    if (llvm::isPowerOf2_64(skinny.tileN) &&
        TileColumns::fits(shape.columns, skinny.tileN, /*width=*/1) &&
        getContractionSharedBytes(skinny, shape.operandType,
                                  shape.accumulatorType, shape.numRhs) +
                getRowBytes(skinny, shape) <=
            target.staticSharedBytes)
      return skinny;
  }

  SmallVector<TileChoice> fitting(
      llvm::make_filter_range(choices, [&](const TileChoice &choice) {
        return TileColumns::fits(shape.columns, choice.n, kReadVector);
      }));
  assert(!fitting.empty() && "no tile holds the columns of a group");
  std::optional<double> bestTime;
  for (const TileChoice &choice : fitting) {
    ContractionSchedule candidate = schedule;
    candidate.tileM = choice.m;
    candidate.tileN = choice.n;
    candidate.tileK = choice.k;
    candidate.warpsM = choice.warpsM;
    candidate.warpsN = choice.warpsN;
    candidate.stages = schedule.unit == MatrixUnitKind::MmaSync ? 4 : 2;
    auto getBytes = [&] {
      return getContractionSharedBytes(candidate, shape.operandType,
                                       shape.accumulatorType, shape.numRhs) +
             getRowBytes(candidate, shape);
    };
    while (candidate.stages > 2 && getBytes() > target.staticSharedBytes)
      --candidate.stages;
    bool fits = getAccumulators(candidate, shape) <= kMaxAccumulators &&
                getBytes() <= target.staticSharedBytes;
    bool isLast = &choice == &fitting.back();
    if (!fits && !(isLast && !bestTime))
      continue;
    double time = modelTime(target, shape, candidate, choice.efficiency);
    if (!bestTime || time < *bestTime) {
      bestTime = time;
      schedule = candidate;
    }
  }
  schedule.groupedRows = chooseGroupedRows(target, shape, schedule);
  return schedule;
}
