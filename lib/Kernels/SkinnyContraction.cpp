//===- SkinnyContraction.cpp - Products with few rows ------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With a few rows of A (decoding) a product is as fast as B can be read. B goes
// from global memory straight to registers, in vectors of up to 16 bytes, every
// element once; the rows of A wait in shared memory, extended to the type of
// the sums. A block has few columns, so that there are many blocks, and its
// warps split the k dimension. Their sums meet in shared memory at the end.
//
// Lanes follow B's storage. Where it is contiguous along k, the lanes of a warp
// lie along k, and each multiplies all columns of the block. Otherwise lanes
// lie along n first, and groups of lanes along k.
//
//===----------------------------------------------------------------------===//

#include "ContractionEmitter.h"
#include "MatrixUnits.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

static constexpr int64_t kLanes = 32;
static constexpr int64_t kMaxVectorBytes = 16;
/// The most elements of a lane's sum, where lanes lie along k.
static constexpr int64_t kMaxSumWidth = 4;
/// Vectors of B that a lane has under way, where lanes lie along n.
static constexpr int64_t kMaxVectorsInFlight = 8;

int64_t mlir::fusion::getSkinnySharedBytes(const ContractionSchedule &schedule,
                                           Type accumulatorType,
                                           int64_t numRhs) {
  int64_t results = numRhs * schedule.tileM * schedule.tileN;
  // Partial sums of every warp, and the sums.
  return getElementBytes(accumulatorType) *
         std::max(schedule.tileM * schedule.tileK,
                  results * (schedule.warpsK + 1));
}

/// The widest vector of neighbours along `dimension`, where the operand ends at
/// `end` and a tile at `tile`.
static int64_t getVectorWidth(const OperandAccess &access,
                              OperandAccess::Contiguous dimension, Value end,
                              int64_t tile) {
  Type type = access.elementType;
  if (!(access.isPlain() || access.loadVector) ||
      access.contiguous != dimension || type.isInteger(1) || type.isIndex())
    return 1;
  int64_t width =
      std::min(std::max<int64_t>(access.alignment, 1), kMaxVectorBytes) /
      getElementBytes(type);
  int64_t limit = KernelBuilder::getConstant(end).value_or(1);
  while (width > 1 && (limit % width != 0 || tile % width != 0))
    width /= 2;
  return std::max<int64_t>(width, 1);
}

/// Loads or computes `width` neighbours of an operand, a scalar if it is 1.
static Value loadElements(OpBuilder &builder, Location loc,
                          const OperandAccess &access, Value batch, Value row,
                          Value column, int64_t width) {
  if (width == 1)
    return access.getElement(builder, loc, batch, row, column);
  if (!access.isPlain())
    return access.loadVector(builder, loc, batch, row, column, width);
  Value offset = access.offset(builder, loc, batch, row, column);
  return vector::LoadOp::create(
      builder, loc, VectorType::get({width}, access.elementType), access.buffer,
      offset, /*nontemporal=*/false,
      llvm::MaybeAlign(width * getElementBytes(access.elementType)));
}

namespace {

class SkinnyContraction {
public:
  SkinnyContraction(OpBuilder &builder, Location loc,
                    const ContractionProblem &problem,
                    const ContractionSchedule &schedule)
      : builder(builder), loc(loc), kb(builder, loc), problem(problem),
        schedule(schedule) {}

  void emit(Value block, Value threadIndex, Value sharedMemory);

private:
  void chooseLanes();
  /// Brings the rows of A from `firstK` on to shared memory.
  void stageA(Value firstK);
  /// Adds the products of one tile of A, which starts at `firstK`.
  void multiplyTile(Value firstK, SmallVectorImpl<Value> &sums);
  void multiplyAlongK(Value firstK, Value step, SmallVectorImpl<Value> &sums);
  void multiplyAlongN(Value firstK, Value step, SmallVectorImpl<Value> &sums);
  /// Loads `width` elements of B at (`k`, `n`); zeros beyond the end of k.
  Value loadB(int64_t rhs, Value k, Value n);
  /// Adds up the lanes of a warp, and the warps; the block's results.
  SharedRows reduce(ArrayRef<Value> sums, Value sharedMemory);

  int64_t getNumRhs() const { return problem.b.size(); }
  Value &getSum(SmallVectorImpl<Value> &sums, int64_t rhs, int64_t m,
                int64_t part) const {
    return sums[(rhs * schedule.tileM + m) * partsN + part];
  }

  OpBuilder &builder;
  Location loc;
  KernelBuilder kb;
  const ContractionProblem &problem;
  const ContractionSchedule &schedule;

  /// Whether lanes lie along k.
  bool isAlongK = false;
  /// Elements of B that a lane loads at a time.
  int64_t width = 1;
  /// Lanes along n, parts of the tile's columns that a lane has, and columns of
  /// a part.
  int64_t lanesN = 1, partsN = 1, partWidth = 1;
  /// Elements of a sum: the columns of a part, or, along k, sums of every
  /// `sumWidth`-th product.
  int64_t sumWidth = 1;
  /// Depth of what all lanes of all warps load at a time.
  int64_t stepK = 1;
  /// Rows of B that a lane loads before it multiplies.
  int64_t rowsInFlight = 1;
  bool mayExceedK = false;

  ContractionPosition position;
  Value thread, lane, warp;
  /// The lane's first column in the tile, and its k within a step.
  Value laneN, laneK;
  /// The rows of A in shared memory.
  SharedRows rowsA{Value(), 1, 0, 0, 0, 1};
};

} // namespace

void SkinnyContraction::chooseLanes() {
  using Contiguous = OperandAccess::Contiguous;
  isAlongK = llvm::all_of(problem.b, [](const OperandAccess &access) {
    return access.contiguous == Contiguous::Row;
  });
  width = kMaxVectorBytes;
  for (const OperandAccess &access : problem.b)
    width =
        std::min(width, isAlongK ? getVectorWidth(access, Contiguous::Row,
                                                  problem.k, schedule.tileK)
                                 : getVectorWidth(access, Contiguous::Column,
                                                  problem.n, schedule.tileN));
  if (isAlongK) {
    int64_t lanes = kLanes * schedule.warpsK;
    while (width > 1 && schedule.tileK % (lanes * width) != 0)
      width /= 2;
    partsN = schedule.tileN;
    stepK = lanes * width;
    sumWidth = std::min(width, kMaxSumWidth);
  } else {
    lanesN = std::min(kLanes, schedule.tileN / width);
    partsN = schedule.tileN / (lanesN * width);
    partWidth = sumWidth = width;
    stepK = kLanes / lanesN * schedule.warpsK;
    while (2 * rowsInFlight * partsN * getNumRhs() <= kMaxVectorsInFlight)
      rowsInFlight *= 2;
  }
  std::optional<int64_t> k = KernelBuilder::getConstant(problem.k);
  mayExceedK = !k || *k % schedule.tileK != 0;
}

void SkinnyContraction::stageA(Value firstK) {
  const OperandAccess &access = problem.a;
  int64_t vector = getVectorWidth(access, OperandAccess::Contiguous::Column,
                                  problem.k, schedule.tileK);
  int64_t pieces = schedule.tileK / vector;
  int64_t total = schedule.tileM * pieces;
  Type type = problem.accumulatorType;
  Type pieceType = vector == 1 ? type : VectorType::get({vector}, type);

  auto copyPiece = [&](Value piece) {
    Value row = kb.div(piece, pieces);
    Value column = kb.mul(kb.rem(piece, pieces), vector);
    Value m = kb.add(position.m, row);
    Value k = kb.add(firstK, column);
    Value isInside = arith::ConstantIntOp::create(builder, loc, 1, 1);
    if (!position.hasAllRows)
      isInside = kb.less(m, problem.m);
    if (mayExceedK)
      isInside = kb.logicalAnd(isInside, kb.less(k, problem.k));
    auto load = [&]() {
      return buildExtension(
          builder, loc,
          loadElements(builder, loc, access, position.batch, m, k, vector),
          type);
    };
    Value elements;
    if (KernelBuilder::getConstant(isInside)) {
      elements = load();
    } else {
      auto ifOp =
          scf::IfOp::create(builder, loc, TypeRange{pieceType}, isInside,
                            /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(ifOp.thenBlock());
      scf::YieldOp::create(builder, loc, load());
      builder.setInsertionPointToStart(ifOp.elseBlock());
      scf::YieldOp::create(builder, loc, kb.zero(pieceType));
      elements = ifOp.getResult(0);
    }
    rowsA.write(builder, loc, /*rhs=*/0, row, column, elements);
  };

  int64_t threads = schedule.getThreads();
  auto loop = scf::ForOp::create(builder, loc, thread, kb.index(total),
                                 kb.index(threads));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  copyPiece(loop.getInductionVar());
}

Value SkinnyContraction::loadB(int64_t rhs, Value k, Value n) {
  const OperandAccess &access = problem.b[rhs];
  // Reads beyond the end are moved back into bounds: a column that is not there
  // is not used, and a row is replaced by zeros.
  Value inBounds;
  if (mayExceedK) {
    inBounds = kb.less(k, problem.k);
    k = kb.min(k, kb.sub(problem.k, kb.index(isAlongK ? width : 1)));
  }
  if (!position.hasAllColumns)
    n = kb.min(n, kb.sub(problem.n, kb.index(isAlongK ? 1 : width)));
  Value elements =
      loadElements(builder, loc, access, position.batch, k, n, width);
  if (inBounds)
    elements = kb.select(inBounds, elements, kb.zero(elements.getType()));
  return elements;
}

void SkinnyContraction::multiplyAlongK(Value firstK, Value step,
                                       SmallVectorImpl<Value> &sums) {
  Value inTile = kb.add(step, laneK);
  Value k = kb.add(firstK, inTile);
  // All loads of B first: they are what takes time.
  SmallVector<Value> loaded;
  for (int64_t rhs = 0; rhs < getNumRhs(); ++rhs)
    for (int64_t n = 0; n < partsN; ++n)
      loaded.push_back(loadB(rhs, k, kb.add(position.n, n)));
  // Sums are vectors of `sumWidth` elements, which are added up at the end.
  auto getPart = [&](Value value, int64_t first) -> Value {
    if (sumWidth == width)
      return value;
    return vector::FromElementsOp::create(
        builder, loc, VectorType::get({sumWidth}, problem.accumulatorType),
        extractElements(builder, loc, value, first, sumWidth));
  };
  for (int64_t i = 0; i < width; i += sumWidth) {
    SmallVector<Value> rows;
    for (int64_t m = 0; m < schedule.tileM; ++m)
      rows.push_back(rowsA.read(builder, loc, /*rhs=*/0, kb.index(m),
                                kb.add(inTile, i), sumWidth));
    for (int64_t rhs = 0; rhs < getNumRhs(); ++rhs)
      for (int64_t n = 0; n < partsN; ++n) {
        Value column =
            getPart(buildExtension(builder, loc, loaded[rhs * partsN + n],
                                   problem.accumulatorType),
                    i);
        for (int64_t m = 0; m < schedule.tileM; ++m) {
          Value &sum = getSum(sums, rhs, m, n);
          sum = buildMultiplyAdd(builder, loc, rows[m], column, sum);
        }
      }
  }
}

void SkinnyContraction::multiplyAlongN(Value firstK, Value step,
                                       SmallVectorImpl<Value> &sums) {
  SmallVector<Value> depths, loaded;
  for (int64_t row = 0; row < rowsInFlight; ++row) {
    Value inTile = kb.add(kb.add(step, laneK), row * stepK);
    depths.push_back(inTile);
    for (int64_t rhs = 0; rhs < getNumRhs(); ++rhs)
      for (int64_t part = 0; part < partsN; ++part)
        loaded.push_back(
            loadB(rhs, kb.add(firstK, inTile),
                  kb.add(kb.add(position.n, laneN), part * lanesN * width)));
  }
  const Value *next = loaded.begin();
  for (int64_t row = 0; row < rowsInFlight; ++row) {
    SmallVector<Value> factors;
    for (int64_t m = 0; m < schedule.tileM; ++m) {
      Value factor =
          rowsA.read(builder, loc, /*rhs=*/0, kb.index(m), depths[row], 1);
      if (width > 1)
        factor = vector::BroadcastOp::create(
            builder, loc, VectorType::get({width}, problem.accumulatorType),
            factor);
      factors.push_back(factor);
    }
    for (int64_t rhs = 0; rhs < getNumRhs(); ++rhs)
      for (int64_t part = 0; part < partsN; ++part) {
        Value columns =
            buildExtension(builder, loc, *next++, problem.accumulatorType);
        for (int64_t m = 0; m < schedule.tileM; ++m) {
          Value &sum = getSum(sums, rhs, m, part);
          sum = buildMultiplyAdd(builder, loc, factors[m], columns, sum);
        }
      }
  }
}

void SkinnyContraction::multiplyTile(Value firstK,
                                     SmallVectorImpl<Value> &sums) {
  int64_t step = isAlongK ? stepK : stepK * rowsInFlight;
  auto loop =
      scf::ForOp::create(builder, loc, kb.index(0), kb.index(schedule.tileK),
                         kb.index(step), sums);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next(loop.getRegionIterArgs());
    if (isAlongK)
      multiplyAlongK(firstK, loop.getInductionVar(), next);
    else
      multiplyAlongN(firstK, loop.getInductionVar(), next);
    scf::YieldOp::create(builder, loc, next);
  }
  sums.assign(loop.result_begin(), loop.result_end());
}

SharedRows SkinnyContraction::reduce(ArrayRef<Value> sums, Value sharedMemory) {
  Type type = problem.accumulatorType;
  bool isFloat = isa<FloatType>(type);
  auto add = [&](Value lhs, Value rhs) -> Value {
    if (isFloat)
      return arith::AddFOp::create(builder, loc, lhs, rhs);
    if (type.isInteger(1))
      return arith::OrIOp::create(builder, loc, lhs, rhs);
    return arith::AddIOp::create(builder, loc, lhs, rhs);
  };

  int64_t count = getNumRhs() * schedule.tileM * schedule.tileN;
  Value partial = buildSharedView(builder, loc, sharedMemory, 0,
                                  count * schedule.warpsK, type);
  Value sumsView = buildSharedView(
      builder, loc, sharedMemory,
      count * schedule.warpsK * getElementBytes(type), count, type);
  // A is no longer needed: its place takes the sums.
  gpu::BarrierOp::create(builder, loc);
  SmallVector<Value> elements;
  for (Value sum : sums) {
    if (sumWidth == 1) {
      elements.push_back(sum);
      continue;
    }
    SmallVector<Value> parts = extractElements(builder, loc, sum, 0, sumWidth);
    if (!isAlongK) {
      llvm::append_range(elements, parts);
      continue;
    }
    Value total = parts.front();
    for (Value part : ArrayRef<Value>(parts).drop_front())
      total = add(total, part);
    elements.push_back(total);
  }
  for (Value &element : elements)
    for (int64_t distance = lanesN; distance < kLanes; distance *= 2)
      element = add(element, buildShuffleXor(builder, loc, element,
                                             static_cast<int32_t>(distance)));
  // One lane of those that now hold the same sums stores them.
  buildIf(builder, loc, kb.less(lane, kb.index(lanesN)), [&](OpBuilder &) {
    const Value *next = elements.begin();
    for (int64_t rhs = 0; rhs < getNumRhs(); ++rhs)
      for (int64_t m = 0; m < schedule.tileM; ++m)
        for (int64_t part = 0; part < partsN; ++part)
          for (int64_t i = 0; i < partWidth; ++i) {
            int64_t row = (rhs * schedule.tileM + m) * schedule.tileN;
            Value column = kb.add(laneN, part * lanesN * partWidth + i);
            Value offset = kb.add(kb.mul(warp, count), kb.add(column, row));
            memref::StoreOp::create(builder, loc, *next++, partial, offset);
          }
  });
  gpu::BarrierOp::create(builder, loc);

  SharedRows results(sumsView, getNumRhs(), schedule.tileM, schedule.tileN,
                     schedule.tileN, schedule.vector);
  auto loop = scf::ForOp::create(builder, loc, thread, kb.index(count),
                                 kb.index(schedule.getThreads()));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value index = loop.getInductionVar();
    Value sum = memref::LoadOp::create(builder, loc, partial, index);
    for (int64_t i = 1; i < schedule.warpsK; ++i)
      sum = add(sum, memref::LoadOp::create(builder, loc, partial,
                                            kb.add(index, i * count)));
    results.write(builder, loc, /*rhs=*/0, kb.div(index, schedule.tileN),
                  kb.rem(index, schedule.tileN), sum);
  }
  gpu::BarrierOp::create(builder, loc);
  return results;
}

void SkinnyContraction::emit(Value block, Value threadIndex,
                             Value sharedMemory) {
  chooseLanes();
  thread = threadIndex;
  lane = kb.rem(thread, kLanes);
  warp = kb.div(thread, kLanes);
  position = buildTilePosition(builder, loc, problem, schedule, block);
  buildPrologue(builder, loc, problem, position);
  if (isAlongK) {
    laneN = kb.index(0);
    laneK = kb.mul(thread, width);
  } else {
    int64_t lanesK = kLanes / lanesN;
    laneN = kb.mul(kb.rem(lane, lanesN), width);
    laneK = kb.add(kb.mul(warp, lanesK), kb.div(lane, lanesN));
  }
  Type type = problem.accumulatorType;
  Value viewA = buildSharedView(builder, loc, sharedMemory, 0,
                                schedule.tileM * schedule.tileK, type);
  rowsA = SharedRows(viewA, /*numRhs=*/1, schedule.tileM, schedule.tileK,
                     /*stride=*/schedule.tileK, isAlongK ? width : 1);

  Type sumType = sumWidth == 1 ? type : VectorType::get({sumWidth}, type);
  SmallVector<Value> sums(getNumRhs() * schedule.tileM * partsN,
                          kb.zero(sumType));
  auto emitTile = [&](Value firstK) {
    stageA(firstK);
    gpu::BarrierOp::create(builder, loc);
    multiplyTile(firstK, sums);
  };
  Value tiles = kb.ceilDiv(problem.k, schedule.tileK);
  if (KernelBuilder::getConstant(tiles) == 1) {
    emitTile(kb.index(0));
  } else {
    auto loop =
        scf::ForOp::create(builder, loc, kb.index(0), tiles, kb.index(1), sums);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      sums.assign(loop.getRegionIterArgs().begin(),
                  loop.getRegionIterArgs().end());
      // Everyone is done with the tile before.
      gpu::BarrierOp::create(builder, loc);
      emitTile(kb.mul(loop.getInductionVar(), schedule.tileK));
      scf::YieldOp::create(builder, loc, sums);
    }
    sums.assign(loop.result_begin(), loop.result_end());
  }
  SharedRows results = reduce(sums, sharedMemory);
  buildStagedEpilogue(builder, loc, problem, position, results, thread,
                      schedule.getThreads(), [](Value row) { return row; });
}

void mlir::fusion::buildSkinnyContraction(OpBuilder &builder, Location loc,
                                          const ContractionProblem &problem,
                                          const ContractionSchedule &schedule,
                                          Value block, Value thread,
                                          Value sharedMemory) {
  SkinnyContraction(builder, loc, problem, schedule)
      .emit(block, thread, sharedMemory);
}
