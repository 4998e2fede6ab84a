//===- Attention.cpp - The attention kernel template ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Positions, bounds, and the walk over tiles of keys and values.
//
// Tiles pass through a ring of `stages` buffers in the order K0 V0 K1 V1 ...:
// while one is worked on, the following ones are on their way. With one buffer
// everything waits for everything.
//
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::fusion;

/// How far the exponents of base 2 may exceed the reference; far enough that it
/// seldom moves after the first tiles.
static constexpr double kMaxExponent = 8.0;
/// Elements of the longest vector: 16 bytes, and on Metal 4 elements.
static constexpr int64_t kMaxVector = 16, kMaxMetalVector = 4;
/// Steps of a score's product that the loop over the width writes out, for
/// queries in shared memory.
static constexpr int64_t kWidthUnroll = 4;
/// Fragments that are loaded by one `loadB`; more would be live for longer.
static constexpr int64_t kFragmentsAtATime = 2;

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

SmallVector<Value> AttentionEmitter::State::flatten() const {
  SmallVector<Value> values(results);
  values.append(references);
  values.append(limits);
  values.append(sums);
  if (carriesBuffers())
    values.append(buffers);
  return values;
}

void AttentionEmitter::State::assign(ValueRange values) {
  for (SmallVector<Value> *part :
       {&results, &references, &limits, &sums, &buffers}) {
    if (part == &buffers && !carriesBuffers())
      continue;
    llvm::copy(values.take_front(part->size()), part->begin());
    values = values.drop_front(part->size());
  }
}

//===----------------------------------------------------------------------===//
// Small things
//===----------------------------------------------------------------------===//

AttentionEmitter::AttentionEmitter(OpBuilder &builder, Location loc,
                                   const AttentionProblem &problem,
                                   const TargetInfo &target,
                                   AttentionPlan thePlan, Value block,
                                   Value thread, Value sharedMemory)
    : builder(builder), loc(loc), kb(builder, loc), problem(problem),
      target(target), plan(std::move(thePlan)), block(block), thread(thread),
      sharedMemory(sharedMemory), unit(*plan.unit),
      floatType(unit.getAccumulatorElementType()), async(target.hasAsyncCopy()),
      maxVector(target.isApple() ? kMaxMetalVector : kMaxVector) {
  // A factor that is not positive does not keep the order of scores.
  keepsRawScores = !problem.factor && !problem.softcap && !problem.mask &&
                   !problem.floor && problem.scale > 0.0 &&
                   std::isfinite(problem.scale);
  exponentScale = (keepsRawScores ? problem.scale : 1.0) / std::log(2.0);
  // Adding products to a large number costs digits, which only matters where
  // the operands have more of them, or where the same scores must come out when
  // they are computed a second time.
  bool computesTwice = bool(problem.storeProbabilities);
  startsFromReference = keepsRawScores && !computesTwice &&
                        unit.getOperandType().getIntOrFloatBitWidth() <= 16;
  maxExponent = computesTwice ? 0 : kMaxExponent;
  mayLackValues = !KernelBuilder::getConstant(problem.widthV) &&
                  (problem.storeRow || problem.storeProbabilities);
}

void AttentionEmitter::buildIfHere(Value condition, function_ref<void()> body) {
  buildIf(builder, loc, condition, [&](OpBuilder &nested) {
    OpBuilder::InsertionGuard guard(builder);
    builder.restoreInsertionPoint(nested.saveInsertionPoint());
    body();
  });
}

Value AttentionEmitter::makeFloat(double value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(floatType, value));
}

Value AttentionEmitter::makeAccumulator(double value) {
  VectorType type = unit.getAccumulatorType();
  return arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          type, cast<Attribute>(builder.getFloatAttr(floatType, value))));
}

Value AttentionEmitter::makeExp2(Value value) {
  // Denormal results do not matter beside sums of at least 1.
  return math::Exp2Op::create(builder, loc, value, arith::FastMathFlags::afn);
}

Value AttentionEmitter::spreadRows(ArrayRef<Value> rows) {
  SmallVector<Value> elements;
  for (int64_t e = 0, end = unit.getNumElements(); e < end; ++e)
    elements.push_back(rows[unit.getElementRow(e)]);
  auto type = VectorType::get({unit.getNumElements()}, rows.front().getType());
  return vector::FromElementsOp::create(builder, loc, type, elements);
}

Value AttentionEmitter::getRow(int64_t tile, int64_t row) {
  return kb.add(kb.add(firstWarpRow, originRow),
                tile * unit.getShape().m + unit.getRowOffset(row));
}

Value AttentionEmitter::getPosition(Value row) {
  return plan.packsGroups ? kb.div(row, problem.groupSize) : row;
}

SmallVector<Value> AttentionEmitter::getBatch(Value row) {
  SmallVector<Value> indices(batch);
  if (plan.packsGroups) {
    Value &head = indices[problem.groupDimension];
    head = kb.add(head, kb.rem(row, problem.groupSize));
  }
  return indices;
}

Value AttentionEmitter::minSigned(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MinSIOp>(loc, lhs, rhs);
}

Value AttentionEmitter::maxSigned(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MaxSIOp>(loc, lhs, rhs);
}

Value AttentionEmitter::compareSigned(arith::CmpIPredicate predicate, Value lhs,
                                      Value rhs) {
  return builder.createOrFold<arith::CmpIOp>(loc, predicate, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Positions and bounds
//===----------------------------------------------------------------------===//

void AttentionEmitter::setUpPositions() {
  lane = kb.rem(thread, target.warpSize);
  Value warp = kb.div(thread, target.warpSize);
  // The warps of one part of the keys are neighbours.
  rowWarp = kb.rem(warp, plan.rowWarps);
  keyWarp = plan.keyWarps == 1 ? kb.index(0) : kb.div(warp, plan.rowWarps);
  std::tie(originRow, originColumn) = unit.getOrigin(builder, loc, lane);

  SmallVector<Value> sizes(problem.batchSizes);
  numRows = problem.numQueries;
  if (plan.packsGroups) {
    Value &heads = sizes[problem.groupDimension];
    heads = kb.div(heads, problem.groupSize);
    numRows = kb.mul(numRows, problem.groupSize);
  }
  // Neighbouring blocks share keys and values. Under a causal mask later rows
  // have more work: they come first.
  Value blocks = kb.ceilDiv(numRows, plan.rows);
  Value rowBlock = kb.rem(block, blocks);
  Value rest = kb.div(block, blocks);
  if (problem.causalOffset)
    rowBlock = kb.sub(kb.sub(blocks, kb.index(1)), rowBlock);
  firstRow = kb.mul(rowBlock, plan.rows);
  batch.assign(sizes.size(), Value());
  for (int64_t i = sizes.size() - 1; i >= 0; --i) {
    // The first index needs no remainder.
    batch[i] = i == 0 ? rest : kb.rem(rest, sizes[i]);
    if (i != 0)
      rest = kb.div(rest, sizes[i]);
  }
  if (plan.packsGroups) {
    Value &head = batch[problem.groupDimension];
    head = kb.mul(head, problem.groupSize);
  }

  warpRow = kb.mul(rowWarp, plan.getRowsPerWarp());
  firstWarpRow = kb.add(firstRow, warpRow);
  warpKey = kb.mul(keyWarp, plan.getKeysPerWarp());

  queryAccess = problem.query;
  if (plan.packsGroups) {
    // A row stands for a position and a head.
    auto byRow = [this](const OperandAccess::ElementFn &function) {
      if (!function)
        return function;
      return OperandAccess::ElementFn([this, function](OpBuilder &nested,
                                                       Location loc, ValueRange,
                                                       Value row,
                                                       Value column) -> Value {
        return function(nested, loc, getBatch(row), getPosition(row), column);
      });
    };
    queryAccess.offset = byRow(problem.query.offset);
    queryAccess.load = byRow(problem.query.load);
    if (auto loadVector = problem.query.loadVector)
      queryAccess.loadVector =
          [this, loadVector](OpBuilder &nested, Location loc, ValueRange,
                             Value row, Value column, int64_t width) -> Value {
        return loadVector(nested, loc, getBatch(row), getPosition(row), column,
                          width);
      };
    if (queryAccess.contiguous == OperandAccess::Contiguous::Row)
      queryAccess.contiguous = OperandAccess::Contiguous::None;
  }
}

void AttentionEmitter::setUpKeyRange() {
  std::optional<int64_t> staticKeys =
      KernelBuilder::getConstant(problem.numKeys);
  bool isWhole = staticKeys && *staticKeys % plan.keys == 0;
  firstKey = kb.index(0);
  endKey = problem.numKeys;
  boundsKeys = !isWhole || problem.causalOffset;
  if (!isWhole)
    wholeEnd = endKey;
  rowBegins.clear();
  if (boundsKeys)
    rowEnds.assign(plan.rowTiles * getNumRows(), problem.numKeys);
  if (!problem.causalOffset)
    return;

  // The block's first and last positions.
  Value lastRow =
      kb.sub(kb.min(kb.add(firstRow, plan.rows), numRows), kb.index(1));
  Value first = kb.add(getPosition(firstRow), problem.causalOffset);
  Value last = kb.add(getPosition(lastRow), problem.causalOffset);
  Value zero = kb.index(0);
  endKey = maxSigned(zero, minSigned(problem.numKeys, kb.add(last, 1)));
  wholeEnd = minSigned(problem.numKeys, kb.add(first, 1));
  if (problem.window) {
    Value window = kb.index(*problem.window - 1);
    // Tiles start at multiples of their size.
    firstKey = maxSigned(zero, kb.sub(first, window));
    firstKey = kb.sub(firstKey, kb.rem(firstKey, plan.keys));
    wholeBegin = kb.sub(last, window);
  }
  for (int64_t tile = 0; tile < plan.rowTiles; ++tile) {
    for (int64_t row = 0; row < getNumRows(); ++row) {
      Value position =
          kb.add(getPosition(getRow(tile, row)), problem.causalOffset);
      rowEnds[tile * getNumRows() + row] =
          minSigned(problem.numKeys, kb.add(position, 1));
      if (problem.window)
        rowBegins.push_back(kb.sub(position, kb.index(*problem.window - 1)));
    }
  }
}

void AttentionEmitter::setUpMemory() {
  memory = buildSharedView(builder, loc, sharedMemory, 0, plan.sharedElements,
                           unit.getOperandType());
  queryReader =
      unit.prepareReader(builder, loc, MatrixOperand::A, plan.queryLayout,
                         plan.queryOrder, lane, warpRow, Value());
  keyReader = unit.prepareReader(builder, loc, MatrixOperand::B, plan.keyLayout,
                                 plan.keyOrder, lane, warpKey, Value());
  valueReader =
      unit.prepareReader(builder, loc, MatrixOperand::B, plan.valueLayout,
                         plan.valueOrder, lane, Value(), warpKey);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void AttentionEmitter::emitBarrier() { gpu::BarrierOp::create(builder, loc); }

void AttentionEmitter::commitCopies() {
  if (async)
    NVVM::CpAsyncCommitGroupOp::create(builder, loc);
}

void AttentionEmitter::waitForCopies(int64_t pending) {
  if (async)
    NVVM::CpAsyncWaitGroupOp::create(builder, loc, pending);
}

TileCopy AttentionEmitter::makeKeyCopy(const OperandAccess &access, Value base,
                                       Value tileKey) {
  TileCopy copy;
  copy.access = &access;
  copy.batch = batch;
  copy.firstRow = tileKey;
  if (boundsKeys)
    copy.endRow = endKey;
  copy.memory = memory;
  copy.base = base;
  copy.thread = thread;
  copy.threads = plan.threads;
  copy.async = async;
  copy.maxWidth = maxVector;
  return copy;
}

void AttentionEmitter::copyKeys(Value base, Value tileKey, Value firstColumn) {
  TileCopy copy = makeKeyCopy(problem.key, base, tileKey);
  copy.firstColumn = firstColumn;
  copy.transposed = plan.isKeyTransposed();
  copy.layout = plan.keyLayout;
  if (plan.isWidthPadded)
    copy.endColumn = problem.widthQK;
  buildTileCopy(builder, loc, copy);
}

void AttentionEmitter::copyValues(Value base, Value tileKey, Value firstValue) {
  if (KernelBuilder::getConstant(problem.widthV) == 0)
    return;
  TileCopy copy = makeKeyCopy(problem.value, base, tileKey);
  copy.firstColumn = firstValue;
  copy.transposed = plan.isValueTransposed();
  copy.layout = plan.valueLayout;
  if (plan.isValuePadded)
    copy.endColumn = problem.widthV;
  buildTileCopy(builder, loc, copy);
}

void AttentionEmitter::copyQueries(Value base, Value firstColumn) {
  TileCopy copy;
  copy.access = &queryAccess;
  copy.batch = batch;
  copy.firstRow = firstRow;
  std::optional<int64_t> rows = KernelBuilder::getConstant(numRows);
  if (!rows || *rows % plan.rows != 0)
    copy.endRow = numRows;
  copy.firstColumn = firstColumn;
  if (plan.isWidthPadded ||
      (plan.queriesInRegisters && plan.queryStageColumns != 0 &&
       plan.widthChunk % plan.queryStageColumns != 0))
    copy.endColumn = problem.widthQK;
  copy.transposed = plan.isQueryTransposed();
  copy.layout = plan.queryLayout;
  copy.memory = memory;
  copy.base = base;
  copy.thread = thread;
  copy.threads = plan.threads;
  copy.async = async;
  copy.maxWidth = maxVector;
  buildTileCopy(builder, loc, copy);
}

void AttentionEmitter::copyAllQueries() {
  copyQueries(Value(), kb.index(0));
  commitCopies();
  // There may be no tile of keys that waits.
  waitForCopies(0);
}

void AttentionEmitter::loadQueryFragments() {
  int64_t k = unit.getShape().k;
  int64_t steps = plan.widthChunk / k;
  queryFragments.assign(plan.rowTiles * steps, Value());
  for (int64_t column = 0; column < plan.widthChunk;
       column += plan.queryStageColumns) {
    if (column != 0)
      emitBarrier();
    copyQueries(Value(), kb.index(column));
    commitCopies();
    waitForCopies(0);
    emitBarrier();
    int64_t end = std::min(column + plan.queryStageColumns, plan.widthChunk);
    for (int64_t tile = 0; tile < plan.rowTiles; ++tile)
      for (int64_t c = column; c < end; c += k)
        queryFragments[tile * steps + c / k] =
            unit.loadA(builder, loc, queryReader, memory, Value(),
                       tile * unit.getShape().m, c - column);
  }
  // The buffers are about to be filled with keys and values.
  if (steps != 0)
    emitBarrier();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void AttentionEmitter::emitScores(SmallVectorImpl<Value> &scores, Value base) {
  int64_t k = unit.getShape().k;
  int64_t steps = plan.widthChunk / k;
  for (int64_t step = 0; step < steps; ++step) {
    // Fragments of keys come in pairs where a unit loads several at a time.
    for (int64_t tile = 0; tile < plan.keyTiles; tile += kFragmentsAtATime) {
      int64_t count = std::min(kFragmentsAtATime, plan.keyTiles - tile);
      SmallVector<Value> keys =
          unit.loadB(builder, loc, keyReader, memory, base,
                     tile * unit.getShape().n, step * k, count);
      for (int64_t i = 0; i < count; ++i) {
        for (int64_t row = 0; row < plan.rowTiles; ++row) {
          Value &score = scores[row * plan.keyTiles + tile + i];
          score = unit.multiply(
              builder, loc, queryFragments[row * steps + step], keys[i], score);
        }
      }
    }
  }
}

void AttentionEmitter::emitScoreChunk(SmallVectorImpl<Value> &scores,
                                      Value keyBase) {
  int64_t k = unit.getShape().k;
  int64_t unroll = kWidthUnroll;
  while (plan.widthChunk / k % unroll != 0)
    unroll /= 2;
  int64_t stride = k * unroll;
  auto loop =
      scf::ForOp::create(builder, loc, kb.index(0), kb.index(plan.widthChunk),
                         kb.index(stride), scores);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  llvm::copy(loop.getRegionIterArgs(), scores.begin());
  Value column = loop.getInductionVar();
  FragmentReader queries =
      unit.prepareReader(builder, loc, MatrixOperand::A, plan.queryLayout,
                         plan.queryOrder, lane, warpRow, column);
  FragmentReader keys =
      unit.prepareReader(builder, loc, MatrixOperand::B, plan.keyLayout,
                         plan.keyOrder, lane, warpKey, column);
  for (int64_t c = 0; c < stride; c += k) {
    SmallVector<Value> b = unit.loadB(builder, loc, keys, memory, keyBase,
                                      /*n=*/0, c, plan.keyTiles);
    for (int64_t row = 0; row < plan.rowTiles; ++row) {
      Value a = unit.loadA(builder, loc, queries, memory, Value(),
                           row * unit.getShape().m, c);
      for (int64_t tile = 0; tile < plan.keyTiles; ++tile) {
        Value &score = scores[row * plan.keyTiles + tile];
        score = unit.multiply(builder, loc, a, b[tile], score);
      }
    }
  }
  scf::YieldOp::create(builder, loc, scores);
  llvm::copy(loop.getResults(), scores.begin());
}

void AttentionEmitter::emitChunkedScores(SmallVectorImpl<Value> &scores,
                                         Value keyBase, Value tileKey) {
  if (plan.widthChunk == 0)
    return;
  auto emitChunk = [&](Value column) {
    // Everyone is done with what the copies overwrite.
    emitBarrier();
    if (!plan.isSingleWidthChunk)
      copyQueries(Value(), column);
    copyKeys(keyBase, tileKey, column);
    commitCopies();
    waitForCopies(0);
    emitBarrier();
    emitScoreChunk(scores, keyBase);
  };
  if (plan.isSingleWidthChunk)
    return emitChunk(kb.index(0));
  auto loop = scf::ForOp::create(builder, loc, kb.index(0), problem.widthQK,
                                 kb.index(plan.widthChunk), scores);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  llvm::copy(loop.getRegionIterArgs(), scores.begin());
  emitChunk(loop.getInductionVar());
  scf::YieldOp::create(builder, loc, scores);
  llvm::copy(loop.getResults(), scores.begin());
}

void AttentionEmitter::emitResults(State &state, ArrayRef<Value> probabilities,
                                   Value base) {
  int64_t k = unit.getShape().k;
  SmallVector<SmallVector<Value>> fragments;
  for (int64_t row = 0; row < plan.rowTiles; ++row)
    fragments.push_back(unit.convertToA(
        builder, loc, probabilities.slice(row * plan.keyTiles, plan.keyTiles),
        lane));
  int64_t steps = plan.getKeysPerWarp() / k;
  for (int64_t step = 0; step < steps; ++step) {
    for (int64_t tile = 0; tile < plan.valueTiles; tile += kFragmentsAtATime) {
      int64_t count = std::min(kFragmentsAtATime, plan.valueTiles - tile);
      SmallVector<Value> values =
          unit.loadB(builder, loc, valueReader, memory, base,
                     tile * unit.getShape().n, step * k, count);
      for (int64_t i = 0; i < count; ++i) {
        for (int64_t row = 0; row < plan.rowTiles; ++row) {
          Value &result = state.results[row * plan.valueTiles + tile + i];
          result = unit.multiply(builder, loc, fragments[row][step], values[i],
                                 result);
        }
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// The walk over keys
//===----------------------------------------------------------------------===//

void AttentionEmitter::startCopy(int64_t step, Value base, Value tileKey,
                                 Value firstValue) {
  // There may be no such tile.
  Value exists = compareSigned(arith::CmpIPredicate::slt, tileKey, endKey);
  bool isOfKeys = step % 2 == 0;
  if (!isOfKeys && mayLackValues)
    exists = kb.logicalAnd(exists, kb.less(firstValue, problem.widthV));
  buildIfHere(exists, [&] {
    if (isOfKeys)
      copyKeys(base, tileKey, kb.index(0));
    else
      copyValues(base, tileKey, firstValue);
  });
}

Value AttentionEmitter::advance(State &state, Value tileKey, int64_t step,
                                Value firstValue) {
  return advanceRing(state.buffers, [&](int64_t ahead, Value base) {
    startCopy(step + ahead, base,
              kb.add(tileKey, (step + ahead) / 2 * plan.keys), firstValue);
  });
}

SmallVector<Value> AttentionEmitter::startRing(StartFn start) {
  SmallVector<Value> buffers;
  for (int64_t i = 0; i < plan.stages; ++i)
    buffers.push_back(kb.index(plan.queryElements + i * plan.bufferElements));
  if (plan.queriesInRegisters) {
    loadQueryFragments();
    for (int64_t step = 0; step + 1 < plan.stages; ++step) {
      start(step, buffers[step]);
      commitCopies();
    }
  } else if (plan.isSingleWidthChunk) {
    copyAllQueries();
  }
  return buffers;
}

Value AttentionEmitter::advanceRing(SmallVectorImpl<Value> &buffers,
                                    StartFn start) {
  Value base = buffers.front();
  if (plan.stages == 1) {
    emitBarrier();
    start(0, base);
    commitCopies();
    waitForCopies(0);
    emitBarrier();
    return base;
  }
  // The oldest of the copies under way is complete, and every thread is done
  // with the buffer that was read before.
  waitForCopies(plan.stages - 2);
  emitBarrier();
  start(plan.stages - 1, buffers.back());
  commitCopies();
  std::rotate(buffers.begin(), buffers.begin() + 1, buffers.end());
  return base;
}

void AttentionEmitter::emitTile(State &state, Value tileKey, Value firstValue) {
  SmallVector<Value> scores = makeInitialScores(state);
  if (plan.queriesInRegisters)
    emitScores(scores, advance(state, tileKey, /*step=*/0, firstValue));
  else
    emitChunkedScores(scores, state.buffers.front(), tileKey);
  emitSoftmax(state, scores, tileKey);
  Value base = advance(state, tileKey, /*step=*/1, firstValue);
  if (!mayLackValues)
    return emitResults(state, scores, base);
  auto ifOp = scf::IfOp::create(
      builder, loc, ValueRange(state.results).getTypes(),
      kb.less(firstValue, problem.widthV), /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(builder, loc, state.results);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  emitResults(state, scores, base);
  scf::YieldOp::create(builder, loc, state.results);
  llvm::copy(ifOp.getResults(), state.results.begin());
}

void AttentionEmitter::emitPass(Value firstValue) {
  State state;
  state.results.assign(plan.rowTiles * plan.valueTiles,
                       unit.getZeroAccumulator(builder, loc));
  state.references.assign(plan.rowTiles * getNumRows(), makeFloat(0.0));
  state.limits.assign(plan.rowTiles * getNumRows(),
                      makeFloat(-std::numeric_limits<double>::infinity()));
  state.sums.assign(plan.rowTiles * getNumRows(), makeFloat(0.0));

  // A pass before this one may still read.
  if (!plan.isSingleValueChunk)
    emitBarrier();
  state.buffers = startRing([&](int64_t step, Value base) {
    startCopy(step, base, kb.add(firstKey, step / 2 * plan.keys), firstValue);
  });

  auto loop = scf::ForOp::create(builder, loc, firstKey, endKey,
                                 kb.index(plan.keys), state.flatten());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    State inner = state;
    inner.assign(loop.getRegionIterArgs());
    emitTile(inner, loop.getInductionVar(), firstValue);
    scf::YieldOp::create(builder, loc, inner.flatten());
  }
  state.assign(loop.getResults());
  emitEpilogue(state, firstValue);
  if (!problem.storeProbabilities)
    return;
  if (plan.isSingleValueChunk)
    return emitProbabilities(state);
  buildIfHere(kb.equal(firstValue, kb.index(0)),
              [&] { emitProbabilities(state); });
}

void AttentionEmitter::emit() {
  setUpPositions();
  setUpKeyRange();
  setUpMemory();
  if (plan.isSingleValueChunk)
    return emitPass(kb.index(0));
  // What is known of rows comes from the first pass, which there must be.
  Value end = problem.widthV;
  if (mayLackValues)
    end = maxSigned(end, kb.index(1));
  auto loop = scf::ForOp::create(builder, loc, kb.index(0), end,
                                 kb.index(plan.valueChunk));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  emitPass(loop.getInductionVar());
}

LogicalResult mlir::fusion::buildAttention(OpBuilder &builder, Location loc,
                                           const AttentionProblem &problem,
                                           const TargetInfo &target,
                                           ScheduleAttr schedule, Value block,
                                           Value thread, Value sharedMemory) {
  AttentionShape shape = getAttentionShape(problem);
  if (problem.key.elementType != shape.elementType ||
      problem.value.elementType != shape.elementType)
    return mlir::emitError(loc)
           << "attention of " << shape.elementType << " queries, "
           << problem.key.elementType << " keys and "
           << problem.value.elementType
           << " values; cast them to one type as they are loaded";
  if (failed(verifyAttentionSchedule([&] { return mlir::emitError(loc); },
                                     target, shape, schedule)))
    return failure();
  // Sizes that were constants when the memory was measured, and are not here,
  // make another plan.
  int64_t needed = attentionSharedBytes(shape, schedule);
  int64_t given = cast<MemRefType>(sharedMemory.getType()).getNumElements();
  if (given < needed)
    return mlir::emitError(loc)
           << "attention needs " << needed << " bytes of shared memory, but "
           << "gets " << given
           << "; measure them for the shape of the problem as built";
  // Nothing to compute.
  if (shape.widthV == 0 && !problem.storeRow && !problem.storeProbabilities)
    return success();
  AttentionEmitter(builder, loc, problem, target,
                   makeAttentionPlan(shape, schedule), block, thread,
                   sharedMemory)
      .emit();
  return success();
}
