//===- ContractionSchedule.cpp - Tiles and shared memory ---------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionEmitter.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

/// Elements by which rows of staged results are padded: a lane of `mma.sync`
/// writes 8 bytes, and the rows of four neighbouring lanes then start 8 banks
/// apart.
static constexpr int64_t kStagedPadding = 8;
/// Results may take this much shared memory, even if the pipeline takes less.
static constexpr int64_t kMinStagedBytes = 16 * 1024;
/// Shared memory pieces start at multiples of this.
static constexpr int64_t kSharedAlignment = 16;

int64_t mlir::fusion::getElementBytes(Type type) {
  if (type.isIndex())
    return 8;
  return std::max<int64_t>(type.getIntOrFloatBitWidth() / 8, 1);
}

//===----------------------------------------------------------------------===//
// ContractionSchedule
//===----------------------------------------------------------------------===//

FailureOr<ContractionSchedule> ContractionSchedule::get(ScheduleAttr attr,
                                                        Location loc) {
  if (attr.getStrategy() != Strategy::Contraction) {
    emitError(loc, "expected a schedule of a contraction, got ") << attr;
    return failure();
  }
  auto getArray = [](DenseI64ArrayAttr array) {
    return array ? array.asArrayRef() : ArrayRef<int64_t>();
  };
  ArrayRef<int64_t> tile = getArray(attr.getTile());
  ArrayRef<int64_t> warps = getArray(attr.getWarps());
  if ((tile.size() != 3 && tile.size() != 4) ||
      (warps.size() != 2 && warps.size() != 3)) {
    emitError(loc, "a contraction's schedule has three tile sizes (M, N, K), "
                   "perhaps the rows of tiles that are taken together, and two "
                   "or three numbers of warps (along M, N, K), got ")
        << attr;
    return failure();
  }
  if (tile.size() == 4 && tile[3] < 1) {
    emitError(loc, "at least one row of tiles is taken at a time, got ")
        << attr;
    return failure();
  }
  ContractionSchedule schedule;
  schedule.unit = attr.getUnit();
  schedule.tileM = tile[0];
  schedule.tileN = tile[1];
  schedule.tileK = tile[2];
  if (tile.size() == 4)
    schedule.groupedRows = tile[3];
  schedule.warpsM = warps[0];
  schedule.warpsN = warps[1];
  schedule.warpsK = warps.size() > 2 ? warps[2] : 1;
  schedule.stages = attr.getStages();
  schedule.vector = attr.getVector();
  if (attr.getThreads() != schedule.getThreads()) {
    emitError(loc, "the schedule's warps have ")
        << schedule.getThreads() << " threads, but it says "
        << attr.getThreads();
    return failure();
  }
  return schedule;
}

ScheduleAttr ContractionSchedule::getAttr(MLIRContext *context) const {
  SmallVector<int64_t> tile{tileM, tileN, tileK}, warps{warpsM, warpsN};
  if (groupedRows != kGroupedRows)
    tile.push_back(groupedRows);
  if (isSkinny())
    warps.push_back(warpsK);
  return ScheduleAttr::get(context, Strategy::Contraction, unit,
                           DenseI64ArrayAttr::get(context, tile),
                           DenseI64ArrayAttr::get(context, warps), stages,
                           getThreads(), vector);
}

LogicalResult ContractionSchedule::verify(Type operandType,
                                          Type accumulatorType,
                                          Location loc) const {
  std::unique_ptr<MatrixUnit> matrixUnit =
      createMatrixUnit(unit, operandType, accumulatorType);
  if (!matrixUnit)
    return emitError(loc, "the matrix unit '")
           << stringifyMatrixUnitKind(unit) << "' does not multiply "
           << operandType << " into " << accumulatorType
           << "; use unit = scalar";
  for (int64_t value : {tileM, tileN, tileK, warpsM, warpsN, warpsK})
    if (value < 1)
      return emitError(loc, "tile sizes and numbers of warps of a "
                            "contraction's schedule must be positive");
  if (vector < 1 || !llvm::isPowerOf2_64(vector) || tileN % vector != 0)
    return emitError(loc, "the vector of a contraction's epilogue must be a "
                          "power of two that divides the tile, not ")
           << vector;
  if (isSkinny()) {
    if (unit != MatrixUnitKind::Scalar || warpsM != 1 || warpsN != 1 ||
        !llvm::isPowerOf2_64(tileN) || tileK % (kSkinnyDepth * warpsK) != 0)
      return emitError(loc, "warps split the k dimension only with the scalar "
                            "unit, one warp along M and N, a power of two of "
                            "columns and a depth that is a multiple of ")
             << kSkinnyDepth * warpsK;
    return success();
  }
  if (stages < 2)
    return emitError(loc, "a contraction needs two stages at least, not ")
           << stages;
  MatrixUnit::Shape shape = matrixUnit->getShape();
  // The scalar unit's steps along k are taken several at a time.
  int64_t step = std::max<int64_t>(shape.k, 4);
  if (tileM % (warpsM * shape.m) != 0 || tileN % (warpsN * shape.n) != 0 ||
      tileK % step != 0)
    return emitError(loc, "the tile ")
           << tileM << " x " << tileN << " x " << tileK
           << " does not divide into " << warpsM << " x " << warpsN
           << " warps of instructions of " << shape.m << " x " << shape.n
           << " x " << step;
  return success();
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

TileOrder mlir::fusion::getTileOrder(const OperandAccess &access,
                                     MatrixOperand operand,
                                     const MatrixUnit &unit) {
  // The scalar unit reads vectors along the outer dimension.
  if (unit.getShape().k == 1)
    return TileOrder::OuterContiguous;
  auto alongOuter = operand == MatrixOperand::A
                        ? OperandAccess::Contiguous::Row
                        : OperandAccess::Contiguous::Column;
  return access.contiguous == alongOuter ? TileOrder::OuterContiguous
                                         : TileOrder::KContiguous;
}

static SharedLayout getTileLayout(const MatrixUnit &unit, TileOrder order,
                                  int64_t outer, int64_t k) {
  return order == TileOrder::KContiguous ? unit.getSharedLayout(outer, k)
                                         : unit.getSharedLayout(k, outer);
}

ContractionMemory
mlir::fusion::layOutContraction(const ContractionSchedule &schedule,
                                const MatrixUnit &unit, TileOrder orderA,
                                ArrayRef<TileOrder> orderB) {
  ContractionMemory memory;
  memory.orderA = orderA;
  memory.layoutA = getTileLayout(unit, orderA, schedule.tileM, schedule.tileK);
  memory.orderB.assign(orderB.begin(), orderB.end());

  // Offsets do not depend on the order, so that the size is known before it.
  auto getStageBytes = [&](int64_t outer) {
    int64_t size = std::max(
        getTileLayout(unit, TileOrder::KContiguous, outer, schedule.tileK)
            .getSize(),
        getTileLayout(unit, TileOrder::OuterContiguous, outer, schedule.tileK)
            .getSize());
    return llvm::alignTo(schedule.stages * size *
                             getElementBytes(unit.getOperandType()),
                         kSharedAlignment);
  };
  memory.pipelineBytes = getStageBytes(schedule.tileM);
  for (TileOrder order : orderB) {
    memory.layoutB.push_back(
        getTileLayout(unit, order, schedule.tileN, schedule.tileK));
    memory.offsetB.push_back(memory.pipelineBytes);
    memory.pipelineBytes += getStageBytes(schedule.tileN);
  }

  if (schedule.vector <= unit.getWidth())
    return memory;
  MatrixUnit::Shape shape = unit.getShape();
  int64_t tiles = schedule.tileM / schedule.warpsM / shape.m;
  int64_t limit = std::max(memory.pipelineBytes, kMinStagedBytes);
  memory.stagedStride = schedule.tileN + kStagedPadding;
  int64_t tileBytes = schedule.warpsM * shape.m * memory.stagedStride *
                      static_cast<int64_t>(orderB.size()) *
                      getElementBytes(unit.getAccumulatorElementType());
  memory.passes = 1;
  while (memory.passes < tiles && (tiles % memory.passes != 0 ||
                                   tiles / memory.passes * tileBytes > limit))
    ++memory.passes;
  memory.tilesPerPass = tiles / memory.passes;
  memory.stagedRows = memory.tilesPerPass * schedule.warpsM * shape.m;
  memory.stagedBytes = memory.tilesPerPass * tileBytes;
  return memory;
}

int64_t
mlir::fusion::getContractionSharedBytes(const ContractionSchedule &schedule,
                                        Type operandType, Type accumulatorType,
                                        int64_t numRhs) {
  if (schedule.isSkinny())
    return getSkinnySharedBytes(schedule, accumulatorType, numRhs);
  std::unique_ptr<MatrixUnit> unit =
      createMatrixUnit(schedule.unit, operandType, accumulatorType);
  if (!unit)
    return 0;
  SmallVector<TileOrder> orders(numRhs, TileOrder::KContiguous);
  return layOutContraction(schedule, *unit, TileOrder::KContiguous, orders)
      .getBytes();
}

Value mlir::fusion::buildContractionGridSize(
    OpBuilder &builder, Location loc, const ContractionSchedule &schedule,
    Value batch, Value m, Value n) {
  KernelBuilder kb(builder, loc);
  Value tiles =
      kb.mul(kb.ceilDiv(m, schedule.tileM), kb.ceilDiv(n, schedule.tileN));
  return batch ? kb.mul(tiles, batch) : tiles;
}
