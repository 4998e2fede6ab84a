//===- Contraction.cpp - The matrix product kernel template ---------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Kernels/Contraction.h"
#include "ContractionEmitter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

/// Instructions along k in one turn of the scalar unit's loop.
static constexpr int64_t kScalarUnroll = 4;

/// `size` unless a tile of `tile` can never exceed it.
static Value getEnd(Value size, int64_t tile) {
  std::optional<int64_t> constant = KernelBuilder::getConstant(size);
  return constant && *constant % tile == 0 ? Value() : size;
}

ContractionPosition mlir::fusion::buildTilePosition(
    OpBuilder &builder, Location loc, const ContractionProblem &problem,
    const ContractionSchedule &schedule, Value block) {
  KernelBuilder kb(builder, loc);
  Value tilesM = kb.ceilDiv(problem.m, schedule.tileM);
  Value tilesN = kb.ceilDiv(problem.n, schedule.tileN);
  ContractionPosition position;
  position.hasAllRows = !getEnd(problem.m, schedule.tileM);
  position.hasAllColumns = !getEnd(problem.n, schedule.tileN);
  position.batch = kb.index(0);
  Value tile = block;
  if (problem.batch && KernelBuilder::getConstant(problem.batch) != 1) {
    Value tiles = kb.mul(tilesM, tilesN);
    position.batch = kb.div(block, tiles);
    tile = kb.rem(block, tiles);
  }
  if (KernelBuilder::getConstant(tilesM) == 1) {
    position.m = kb.index(0);
    position.n = kb.mul(tile, schedule.tileN);
    return position;
  }
  int64_t grouped = schedule.groupedRows;
  Value perGroup = kb.mul(tilesN, grouped);
  Value firstRow = kb.mul(kb.div(tile, perGroup), grouped);
  // The last group may have fewer rows.
  Value rows = kb.index(grouped);
  if (getEnd(tilesM, grouped))
    rows = kb.min(kb.sub(tilesM, firstRow), rows);
  Value inGroup = kb.rem(tile, perGroup);
  position.m = kb.mul(kb.add(firstRow, kb.rem(inGroup, rows)), schedule.tileM);
  position.n = kb.mul(kb.div(inGroup, rows), schedule.tileN);
  return position;
}

void mlir::fusion::buildPrologue(OpBuilder &builder, Location loc,
                                 const ContractionProblem &problem,
                                 const ContractionPosition &position) {
  if (!problem.prologue)
    return;
  problem.prologue(builder, loc, position.batch, position.m);
  gpu::BarrierOp::create(builder, loc);
}

namespace {

/// Emits one block of the tiled template.
class TiledContraction {
public:
  TiledContraction(OpBuilder &builder, Location loc,
                   const ContractionProblem &problem,
                   const ContractionSchedule &schedule, const MatrixUnit &unit,
                   const ContractionMemory &memory)
      : builder(builder), loc(loc), kb(builder, loc), problem(problem),
        schedule(schedule), unit(unit), memory(memory),
        isAsync(schedule.unit == MatrixUnitKind::MmaSync),
        tilesM(schedule.tileM / schedule.warpsM / unit.getShape().m),
        tilesN(schedule.tileN / schedule.warpsN / unit.getShape().n) {}

  void emit(Value block, Value thread, Value sharedMemory);

private:
  void prepare(Value block, Value thread, Value sharedMemory);
  /// The copies that bring the tiles number `tile` along k of all operands to
  /// `stage`.
  SmallVector<TileCopy> getCopies(Value tile, Value stage);
  TileCopy getCopy(const OperandAccess &access, MatrixOperand operand,
                   TileOrder order, const SharedLayout &layout, Value view,
                   Value tile, Value stage);
  /// Starts the copies if `condition` holds: asynchronous ones, and those that
  /// can not be split. The others are loaded into registers, which are
  /// returned.
  SmallVector<Value> startCopies(Value condition, Value tile, Value stage);
  /// Stores what `startCopies` has loaded.
  void finishCopies(Value condition, Value tile, Value stage,
                    ValueRange staged);
  void commit();
  /// Emits the pipeline and returns the accumulators: for each right-hand side
  /// `tilesM` rows of `tilesN`.
  SmallVector<Value> emitPipeline();
  void multiplyStage(Value stage, SmallVectorImpl<Value> &accumulators);
  /// The products at depth `k` of the tile, with the stages' start moved by
  /// `depth` rows of tiles that are contiguous along the outer dimension.
  void multiplyStep(Value stage, Value depth, int64_t k,
                    SmallVectorImpl<Value> &accumulators);
  Value getStageBase(Value stage, const SharedLayout &layout, Value depth);

  void emitDirectEpilogue(ArrayRef<Value> accumulators);
  void emitStagedEpilogue(ArrayRef<Value> accumulators, Value sharedMemory);
  Value getAccumulator(ArrayRef<Value> accumulators, int64_t rhs, int64_t m,
                       int64_t n) const {
    return accumulators[(rhs * tilesM + m) * tilesN + n];
  }
  int64_t getNumRhs() const { return problem.b.size(); }

  OpBuilder &builder;
  Location loc;
  KernelBuilder kb;
  const ContractionProblem &problem;
  const ContractionSchedule &schedule;
  const MatrixUnit &unit;
  const ContractionMemory &memory;
  bool isAsync;
  /// Instructions' tiles in a warp's part of the block's tile.
  int64_t tilesM, tilesN;

  ContractionPosition position;
  Value thread, lane;
  /// The warp's row and column in the grid of warps.
  Value warpM, warpN;
  Value viewA;
  SmallVector<Value> viewB;
  FragmentReader readerA;
  SmallVector<FragmentReader> readerB;
};

} // namespace

void TiledContraction::prepare(Value block, Value threadIndex,
                               Value sharedMemory) {
  thread = threadIndex;
  position = buildTilePosition(builder, loc, problem, schedule, block);
  buildPrologue(builder, loc, problem, position);
  lane = kb.rem(thread, 32);
  Value warp = kb.div(thread, 32);
  warpM = kb.div(warp, schedule.warpsN);
  warpN = kb.rem(warp, schedule.warpsN);

  Value outerM = kb.mul(warpM, tilesM * unit.getShape().m);
  Value outerN = kb.mul(warpN, tilesN * unit.getShape().n);
  viewA = buildSharedView(builder, loc, sharedMemory, memory.offsetA,
                          schedule.stages * memory.layoutA.getSize(),
                          unit.getOperandType());
  readerA = unit.prepareReader(builder, loc, MatrixOperand::A, memory.layoutA,
                               memory.orderA, lane, outerM, Value());
  for (int64_t rhs = 0; rhs < getNumRhs(); ++rhs) {
    viewB.push_back(
        buildSharedView(builder, loc, sharedMemory, memory.offsetB[rhs],
                        schedule.stages * memory.layoutB[rhs].getSize(),
                        unit.getOperandType()));
    readerB.push_back(
        unit.prepareReader(builder, loc, MatrixOperand::B, memory.layoutB[rhs],
                           memory.orderB[rhs], lane, outerN, Value()));
  }
}

//===----------------------------------------------------------------------===//
// Pipeline
//===----------------------------------------------------------------------===//

TileCopy TiledContraction::getCopy(const OperandAccess &access,
                                   MatrixOperand operand, TileOrder order,
                                   const SharedLayout &layout, Value view,
                                   Value tile, Value stage) {
  bool isA = operand == MatrixOperand::A;
  TileCopy copy;
  copy.access = &access;
  copy.batch = position.batch;
  Value k = kb.mul(tile, schedule.tileK);
  Value endK = getEnd(problem.k, schedule.tileK);
  Value outer = isA ? position.m : position.n;
  Value endOuter = isA ? getEnd(problem.m, schedule.tileM)
                       : getEnd(problem.n, schedule.tileN);
  copy.firstRow = isA ? outer : k;
  copy.firstColumn = isA ? k : outer;
  copy.endRow = isA ? endOuter : endK;
  copy.endColumn = isA ? endK : endOuter;
  copy.transposed = isA != (order == TileOrder::KContiguous);
  copy.layout = layout;
  copy.memory = view;
  copy.base = getStageBase(stage, layout, Value());
  copy.thread = thread;
  copy.threads = schedule.getThreads();
  copy.async = isAsync;
  return copy;
}

SmallVector<TileCopy> TiledContraction::getCopies(Value tile, Value stage) {
  SmallVector<TileCopy> copies{getCopy(problem.a, MatrixOperand::A,
                                       memory.orderA, memory.layoutA, viewA,
                                       tile, stage)};
  for (int64_t rhs = 0; rhs < getNumRhs(); ++rhs)
    copies.push_back(getCopy(problem.b[rhs], MatrixOperand::B,
                             memory.orderB[rhs], memory.layoutB[rhs],
                             viewB[rhs], tile, stage));
  return copies;
}

/// Whether a copy is split, to load while the tile before is multiplied.
static bool isSplit(const TileCopy &copy) {
  return !isAsyncTileCopy(copy) && canStageTile(copy);
}

SmallVector<Value> TiledContraction::startCopies(Value condition, Value tile,
                                                 Value stage) {
  SmallVector<Type> types;
  for (const TileCopy &copy : getCopies(tile, stage))
    if (isSplit(copy))
      types.append(getNumStagedPieces(copy), getStagedPieceType(copy));
  auto ifOp = scf::IfOp::create(builder, loc, types, condition,
                                /*withElseRegion=*/!types.empty());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  SmallVector<Value> staged;
  for (const TileCopy &copy : getCopies(tile, stage)) {
    if (isSplit(copy))
      staged.append(buildTileLoad(builder, loc, copy));
    else
      buildTileCopy(builder, loc, copy);
  }
  if (types.empty())
    return staged;
  scf::YieldOp::create(builder, loc, staged);
  builder.setInsertionPointToStart(ifOp.elseBlock());
  SmallVector<Value> zeros;
  for (Type type : types)
    zeros.push_back(kb.zero(type));
  scf::YieldOp::create(builder, loc, zeros);
  return SmallVector<Value>(ifOp.getResults());
}

void TiledContraction::finishCopies(Value condition, Value tile, Value stage,
                                    ValueRange staged) {
  if (staged.empty())
    return;
  buildIf(builder, loc, condition, [&](OpBuilder &) {
    for (const TileCopy &copy : getCopies(tile, stage)) {
      if (!isSplit(copy))
        continue;
      int64_t count = getNumStagedPieces(copy);
      buildTileStore(builder, loc, copy, staged.take_front(count));
      staged = staged.drop_front(count);
    }
  });
}

void TiledContraction::commit() {
  if (isAsync)
    NVVM::CpAsyncCommitGroupOp::create(builder, loc);
}

Value TiledContraction::getStageBase(Value stage, const SharedLayout &layout,
                                     Value depth) {
  Value base = kb.mul(stage, layout.getSize());
  return depth ? kb.add(base, kb.mul(depth, layout.stride)) : base;
}

SmallVector<Value> TiledContraction::emitPipeline() {
  int64_t stages = schedule.stages;
  Value tiles = kb.ceilDiv(problem.k, schedule.tileK);
  for (int64_t stage = 0; stage < stages - 1; ++stage) {
    buildIf(builder, loc, kb.less(kb.index(stage), tiles), [&](OpBuilder &) {
      for (const TileCopy &copy : getCopies(kb.index(stage), kb.index(stage)))
        buildTileCopy(builder, loc, copy);
    });
    commit();
  }

  Value zero = unit.getZeroAccumulator(builder, loc);
  SmallVector<Value> initial(getNumRhs() * tilesM * tilesN, zero);
  initial.push_back(kb.index(0));
  auto loop = scf::ForOp::create(builder, loc, kb.index(0), tiles, kb.index(1),
                                 initial);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> accumulators(loop.getRegionIterArgs());
    Value stage = accumulators.pop_back_val();
    // Wait for the tile of this turn. The barrier also says that everyone is
    // done with the tile of the turn before, whose place the next copy takes.
    if (isAsync)
      NVVM::CpAsyncWaitGroupOp::create(builder, loc, stages - 2);
    gpu::BarrierOp::create(builder, loc);

    Value next = kb.add(loop.getInductionVar(), stages - 1);
    Value isFirst = kb.equal(stage, kb.index(0));
    Value freeStage =
        kb.select(isFirst, kb.index(stages - 1), kb.sub(stage, kb.index(1)));
    Value hasNext = kb.less(next, tiles);
    SmallVector<Value> staged = startCopies(hasNext, next, freeStage);
    commit();
    multiplyStage(stage, accumulators);
    finishCopies(hasNext, next, freeStage, staged);

    Value isLast = kb.equal(stage, kb.index(stages - 1));
    accumulators.push_back(kb.select(isLast, kb.index(0), kb.add(stage, 1)));
    scf::YieldOp::create(builder, loc, accumulators);
  }
  SmallVector<Value> results(loop.getResults());
  results.pop_back();
  return results;
}

void TiledContraction::multiplyStep(Value stage, Value depth, int64_t k,
                                    SmallVectorImpl<Value> &accumulators) {
  MatrixUnit::Shape shape = unit.getShape();
  Value baseA = getStageBase(stage, memory.layoutA, depth);
  SmallVector<Value> fragmentsA;
  for (int64_t m = 0; m < tilesM; ++m)
    fragmentsA.push_back(
        unit.loadA(builder, loc, readerA, viewA, baseA, m * shape.m, k));
  for (int64_t rhs = 0; rhs < getNumRhs(); ++rhs) {
    Value baseB = getStageBase(stage, memory.layoutB[rhs], depth);
    SmallVector<Value> fragmentsB = unit.loadB(
        builder, loc, readerB[rhs], viewB[rhs], baseB, /*n=*/0, k, tilesN);
    for (int64_t m = 0; m < tilesM; ++m)
      for (int64_t n = 0; n < tilesN; ++n) {
        Value &accumulator = accumulators[(rhs * tilesM + m) * tilesN + n];
        accumulator = unit.multiply(builder, loc, fragmentsA[m], fragmentsB[n],
                                    accumulator);
      }
  }
}

void TiledContraction::multiplyStage(Value stage,
                                     SmallVectorImpl<Value> &accumulators) {
  int64_t step = unit.getShape().k;
  if (step > 1) {
    for (int64_t k = 0; k < schedule.tileK; k += step)
      multiplyStep(stage, Value(), k, accumulators);
    return;
  }
  // Many short steps: a loop. Tiles are contiguous along the outer dimension.
  auto loop =
      scf::ForOp::create(builder, loc, kb.index(0), kb.index(schedule.tileK),
                         kb.index(kScalarUnroll), accumulators);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> sums(loop.getRegionIterArgs());
    for (int64_t k = 0; k < kScalarUnroll; ++k)
      multiplyStep(stage, loop.getInductionVar(), k, sums);
    scf::YieldOp::create(builder, loc, sums);
  }
  accumulators.assign(loop.result_begin(), loop.result_end());
}

//===----------------------------------------------------------------------===//
// Epilogue
//===----------------------------------------------------------------------===//

/// The elements `[first, first + width)` of a fragment, a scalar if it is one.
static Value slice(OpBuilder &builder, Location loc, Value fragment,
                   int64_t first, int64_t width) {
  if (width == 1)
    return vector::ExtractOp::create(builder, loc, fragment, first);
  auto type = cast<VectorType>(fragment.getType());
  if (width == type.getNumElements())
    return fragment;
  SmallVector<Value> elements;
  for (int64_t i = first; i < first + width; ++i)
    elements.push_back(vector::ExtractOp::create(builder, loc, fragment, i));
  return vector::FromElementsOp::create(
      builder, loc, VectorType::get({width}, type.getElementType()), elements);
}

void TiledContraction::emitDirectEpilogue(ArrayRef<Value> accumulators) {
  MatrixUnit::Shape shape = unit.getShape();
  int64_t width = std::min(schedule.vector, unit.getWidth());
  auto [row, column] = unit.getOrigin(builder, loc, lane);
  row = kb.add(row, kb.add(position.m, kb.mul(warpM, tilesM * shape.m)));
  column = kb.add(column, kb.add(position.n, kb.mul(warpN, tilesN * shape.n)));
  for (int64_t m = 0; m < tilesM; ++m)
    for (int64_t n = 0; n < tilesN; ++n)
      for (int64_t e = 0; e < unit.getNumElements(); e += width) {
        auto getElements = [&](OpBuilder &b, Value first, int64_t count) {
          int64_t offset = *KernelBuilder::getConstant(first);
          SmallVector<Value> elements;
          for (int64_t rhs = 0; rhs < getNumRhs(); ++rhs)
            elements.push_back(slice(b, loc,
                                     getAccumulator(accumulators, rhs, m, n),
                                     e + offset, count));
          return elements;
        };
        int64_t rowOffset =
            m * shape.m + unit.getRowOffset(unit.getElementRow(e));
        buildGuardedEpilogue(
            builder, loc, problem, position, kb.add(row, rowOffset),
            kb.add(column, n * shape.n + unit.getElementColumn(e)), width,
            getElements, nullptr);
      }
}

void TiledContraction::emitStagedEpilogue(ArrayRef<Value> accumulators,
                                          Value sharedMemory) {
  MatrixUnit::Shape shape = unit.getShape();
  int64_t warpRows = memory.tilesPerPass * shape.m;
  Value view =
      buildSharedView(builder, loc, sharedMemory, 0,
                      getNumRhs() * memory.stagedRows * memory.stagedStride,
                      problem.accumulatorType);
  SharedRows results(view, getNumRhs(), memory.stagedRows, schedule.tileN,
                     memory.stagedStride, schedule.vector);
  auto [row, column] = unit.getOrigin(builder, loc, lane);
  row = kb.add(row, kb.mul(warpM, warpRows));
  column = kb.add(column, kb.mul(warpN, tilesN * shape.n));
  for (int64_t pass = 0; pass < memory.passes; ++pass) {
    // Whatever was in this memory has been read.
    gpu::BarrierOp::create(builder, loc);
    for (int64_t rhs = 0; rhs < getNumRhs(); ++rhs)
      for (int64_t m = 0; m < memory.tilesPerPass; ++m)
        for (int64_t n = 0; n < tilesN; ++n) {
          Value fragment = getAccumulator(accumulators, rhs,
                                          pass * memory.tilesPerPass + m, n);
          for (int64_t e = 0; e < unit.getNumElements(); e += unit.getWidth())
            results.write(
                builder, loc, rhs,
                kb.add(row,
                       m * shape.m + unit.getRowOffset(unit.getElementRow(e))),
                kb.add(column, n * shape.n + unit.getElementColumn(e)),
                slice(builder, loc, fragment, e, unit.getWidth()));
        }
    gpu::BarrierOp::create(builder, loc);
    buildStagedEpilogue(builder, loc, problem, position, results, thread,
                        schedule.getThreads(), [&](Value stagedRow) {
                          // Rows of one warp are together here, but apart in
                          // the tile.
                          Value warp = kb.div(stagedRow, warpRows);
                          Value inWarp = kb.rem(stagedRow, warpRows);
                          return kb.add(
                              kb.add(kb.mul(warp, tilesM * shape.m), inWarp),
                              pass * warpRows);
                        });
  }
}

void TiledContraction::emit(Value block, Value threadIndex,
                            Value sharedMemory) {
  prepare(block, threadIndex, sharedMemory);
  SmallVector<Value> accumulators = emitPipeline();
  if (memory.passes == 0)
    emitDirectEpilogue(accumulators);
  else
    emitStagedEpilogue(accumulators, sharedMemory);
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

LogicalResult
mlir::fusion::buildContraction(OpBuilder &builder, Location loc,
                               const ContractionProblem &problem,
                               const ContractionSchedule &schedule, Value block,
                               Value thread, Value sharedMemory) {
  if (problem.b.empty())
    return emitError(loc, "a contraction needs a right-hand side");
  Type operandType = problem.a.elementType;
  for (const OperandAccess &access : problem.b)
    if (access.elementType != operandType)
      return emitError(loc, "operands of a contraction have one element type, "
                            "not ")
             << operandType << " and " << access.elementType
             << "; extend them where they are loaded";
  if (failed(schedule.verify(operandType, problem.accumulatorType, loc)))
    return failure();
  int64_t bytes = getContractionSharedBytes(
      schedule, operandType, problem.accumulatorType, problem.b.size());
  auto memoryType = cast<MemRefType>(sharedMemory.getType());
  if (memoryType.getNumElements() < bytes)
    return emitError(loc, "the contraction's schedule needs ")
           << bytes << " bytes of shared memory, but there are "
           << memoryType.getNumElements();
  if (schedule.isSkinny()) {
    buildSkinnyContraction(builder, loc, problem, schedule, block, thread,
                           sharedMemory);
    return success();
  }

  std::unique_ptr<MatrixUnit> unit =
      createMatrixUnit(schedule.unit, operandType, problem.accumulatorType);
  SmallVector<TileOrder> orderB;
  for (const OperandAccess &access : problem.b)
    orderB.push_back(getTileOrder(access, MatrixOperand::B, *unit));
  ContractionMemory memory = layOutContraction(
      schedule, *unit, getTileOrder(problem.a, MatrixOperand::A, *unit),
      orderB);
  TiledContraction(builder, loc, problem, schedule, *unit, memory)
      .emit(block, thread, sharedMemory);
  return success();
}
