//===- AttentionEpilogue.cpp - Normalise and store ------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

void AttentionEmitter::emitMerge(State &state) {
  // Every warp leaves its references and sums in shared memory and reads those
  // of the others: references first, `rows` for each part of the keys, then
  // sums. A part that saw no key has no reference.
  int64_t numRows = plan.keyWarps * plan.rows;
  Value scratch =
      buildSharedView(builder, loc, sharedMemory, 0, 2 * numRows, floatType);
  Value minusInfinity = makeFloat(-std::numeric_limits<double>::infinity());
  Value zero = makeFloat(0.0);
  for (auto [reference, sum] : llvm::zip_equal(state.references, state.sums)) {
    Value isEmpty = arith::CmpFOp::create(builder, loc,
                                          arith::CmpFPredicate::OEQ, sum, zero);
    reference = kb.select(isEmpty, minusInfinity, reference);
  }
  Value isFirstLane = kb.equal(originColumn, kb.index(0));
  auto getIndex = [&](int64_t rowTile, int64_t row, Value part) {
    Value inBlock =
        kb.add(kb.add(warpRow, originRow),
               rowTile * unit.getShape().m + unit.getRowOffset(row));
    return kb.add(kb.mul(part, plan.rows), inBlock);
  };
  emitBarrier();
  buildIfHere(isFirstLane, [&] {
    for (int64_t rowTile = 0; rowTile < plan.rowTiles; ++rowTile) {
      for (int64_t row = 0; row < getNumRows(); ++row) {
        int64_t i = rowTile * getNumRows() + row;
        Value index = getIndex(rowTile, row, keyWarp);
        memref::StoreOp::create(builder, loc, state.references[i], scratch,
                                index);
        memref::StoreOp::create(builder, loc, state.sums[i], scratch,
                                kb.add(index, numRows));
      }
    }
  });
  emitBarrier();

  auto getFactor = [&](Value maximum, Value reference) {
    return makeExp2(arith::MulFOp::create(
        builder, loc, arith::SubFOp::create(builder, loc, maximum, reference),
        makeFloat(exponentScale)));
  };
  for (int64_t rowTile = 0; rowTile < plan.rowTiles; ++rowTile) {
    SmallVector<Value> factors;
    for (int64_t row = 0; row < getNumRows(); ++row) {
      int64_t i = rowTile * getNumRows() + row;
      SmallVector<Value> maxima, sums;
      Value maximum;
      for (int64_t part = 0; part < plan.keyWarps; ++part) {
        Value index = getIndex(rowTile, row, kb.index(part));
        maxima.push_back(memref::LoadOp::create(builder, loc, scratch, index));
        sums.push_back(memref::LoadOp::create(builder, loc, scratch,
                                              kb.add(index, numRows)));
        maximum = maximum ? arith::MaxNumFOp::create(builder, loc, maximum,
                                                     maxima.back())
                                .getResult()
                          : maxima.back();
      }
      Value isEmpty = arith::CmpFOp::create(
          builder, loc, arith::CmpFPredicate::OEQ, maximum, minusInfinity);
      Value reference = kb.select(isEmpty, zero, maximum);
      Value sum = zero;
      for (int64_t part = 0; part < plan.keyWarps; ++part)
        sum = math::FmaOp::create(builder, loc, sums[part],
                                  getFactor(maxima[part], reference), sum);
      factors.push_back(getFactor(state.references[i], reference));
      state.references[i] = reference;
      state.sums[i] = sum;
    }
    Value spread = spreadRows(factors);
    for (int64_t tile = 0; tile < plan.valueTiles; ++tile) {
      Value &result = state.results[rowTile * plan.valueTiles + tile];
      result = arith::MulFOp::create(builder, loc, result, spread);
    }
  }
}

void AttentionEmitter::emitSinks(State &state) {
  // A sink far above the scores makes the sum infinite and the result 0. Where
  // there was no key the result is 0 already, and only the sink counts.
  Value zero = makeFloat(0.0);
  Value lastRow = kb.sub(numRows, kb.index(1));
  Value log2e = makeFloat(1.0 / std::log(2.0));
  for (int64_t rowTile = 0; rowTile < plan.rowTiles; ++rowTile)
    for (int64_t row = 0; row < getNumRows(); ++row) {
      int64_t i = rowTile * getNumRows() + row;
      Value position = kb.min(getRow(rowTile, row), lastRow);
      Value sink = toAccumulatorType(problem.sink(
          builder, loc, getBatch(position), getPosition(position)));
      Value isEmpty = arith::CmpFOp::create(
          builder, loc, arith::CmpFPredicate::OEQ, state.sums[i], zero);
      Value &reference = state.references[i];
      reference = kb.select(isEmpty, zero, reference);
      Value distance = arith::SubFOp::create(
          builder, loc, arith::MulFOp::create(builder, loc, sink, log2e),
          arith::MulFOp::create(builder, loc, reference,
                                makeFloat(exponentScale)));
      state.sums[i] = arith::AddFOp::create(builder, loc, state.sums[i],
                                            makeExp2(distance));
    }
}

void AttentionEmitter::emitEpilogue(State &state, Value firstValue) {
  for (Value &sum : state.sums)
    sum = unit.reduceRow(builder, loc, sum, RowReduction::Sum);
  if (plan.keyWarps > 1)
    emitMerge(state);
  if (problem.sink)
    emitSinks(state);

  Value zero = makeFloat(0.0);
  Value one = makeFloat(1.0);
  Value zeros = unit.getZeroAccumulator(builder, loc);
  bool keepsNaN = problem.maskedRows == MaskedRows::NaN;
  std::optional<int64_t> numKeys = KernelBuilder::getConstant(problem.numKeys);
  for (int64_t rowTile = 0; rowTile < plan.rowTiles; ++rowTile) {
    SmallVector<Value> factors, empty;
    for (int64_t row = 0; row < getNumRows(); ++row) {
      int64_t i = rowTile * getNumRows() + row;
      // The largest score's term is 1, so only a row without keys sums to 0.
      // Under the policy `nan` it becomes 0 * (1 / 0), unless there are no keys
      // at all: an empty sum is 0.
      Value isEmpty = arith::CmpFOp::create(
          builder, loc, arith::CmpFPredicate::OEQ, state.sums[i], zero);
      if (keepsNaN)
        isEmpty =
            kb.logicalAnd(isEmpty, kb.equal(problem.numKeys, kb.index(0)));
      empty.push_back(isEmpty);
      factors.push_back(
          arith::DivFOp::create(builder, loc, one, state.sums[i]));
      if (problem.storeRow)
        emitRow(rowTile, row, state.references[i], state.sums[i], firstValue);
    }
    Value factor = spreadRows(factors);
    Value isEmpty;
    if (!keepsNaN || !numKeys || *numKeys == 0)
      isEmpty = spreadRows(empty);
    for (int64_t tile = 0; tile < plan.valueTiles; ++tile) {
      Value &result = state.results[rowTile * plan.valueTiles + tile];
      result = arith::MulFOp::create(builder, loc, result, factor);
      if (isEmpty)
        result = arith::SelectOp::create(builder, loc, isEmpty, zeros, result);
    }
  }
  if (plan.stagesResults)
    emitStagedStores(state, firstValue);
  else
    emitStores(state, firstValue);
}

void AttentionEmitter::emitRow(int64_t rowTile, int64_t row, Value reference,
                               Value total, Value firstValue) {
  Value position = getRow(rowTile, row);
  // One lane of those that share the row, in one part of the keys and one pass.
  Value zero = kb.index(0);
  Value isOurs =
      kb.logicalAnd(kb.equal(originColumn, zero), kb.less(position, numRows));
  if (!plan.isSingleValueChunk)
    isOurs = kb.logicalAnd(isOurs, kb.equal(firstValue, zero));
  if (plan.keyWarps > 1)
    isOurs = kb.logicalAnd(isOurs, kb.equal(keyWarp, zero));
  buildIfHere(isOurs, [&] {
    // Raw scores lack the scale, which the exponential applies.
    if (keepsRawScores)
      reference = arith::MulFOp::create(builder, loc, reference,
                                        makeFloat(problem.scale));
    problem.storeRow(builder, loc, getBatch(position), getPosition(position),
                     reference, total);
  });
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

void AttentionEmitter::emitStore(const AttentionProblem::StoreFn &function,
                                 Value size, ValueRange batchIndices,
                                 Value query, Value first,
                                 ArrayRef<Value> elements, bool isInside) {
  int64_t width = elements.size();
  auto store = [&](Value at, ArrayRef<Value> values) {
    Value value = values.front();
    if (values.size() > 1)
      value = vector::FromElementsOp::create(
          builder, loc,
          VectorType::get({static_cast<int64_t>(values.size())}, floatType),
          values);
    function(builder, loc, batchIndices, query, at, value);
  };
  if (isInside)
    return store(first, elements);
  std::optional<int64_t> known = KernelBuilder::getConstant(size);
  if (known && *known % width == 0) {
    // All of them exist or none.
    buildIfHere(kb.less(first, size), [&] { store(first, elements); });
    return;
  }
  for (int64_t i = 0; i < width; ++i) {
    Value single = kb.add(first, i);
    buildIfHere(kb.less(single, size), [&] { store(single, elements[i]); });
  }
}

void AttentionEmitter::emitStoreTiles(
    const AttentionProblem::StoreFn &function, Value size,
    ArrayRef<Value> tiles, Value first,
    function_ref<bool(int64_t tile)> isInside) {
  int64_t width = unit.getWidth();
  int64_t n = unit.getShape().n;
  int64_t tilesPerRow = tiles.size() / plan.rowTiles;
  Value column = kb.add(first, originColumn);
  for (int64_t rowTile = 0; rowTile < plan.rowTiles; ++rowTile) {
    for (int64_t row = 0; row < getNumRows(); ++row) {
      Value position = getRow(rowTile, row);
      buildIfHere(kb.less(position, numRows), [&] {
        SmallVector<Value> indices = getBatch(position);
        Value query = getPosition(position);
        for (int64_t tile = 0; tile < tilesPerRow; ++tile) {
          Value accumulator = tiles[rowTile * tilesPerRow + tile];
          for (int64_t e = 0; e < unit.getNumElements(); e += width) {
            if (unit.getElementRow(e) != row)
              continue;
            SmallVector<Value> elements;
            for (int64_t i = 0; i < width; ++i)
              elements.push_back(
                  vector::ExtractOp::create(builder, loc, accumulator, e + i));
            emitStore(function, size, indices, query,
                      kb.add(column, tile * n + unit.getElementColumn(e)),
                      elements, isInside(tile));
          }
        }
      });
    }
  }
}

void AttentionEmitter::emitStores(State &state, Value firstValue) {
  int64_t n = unit.getShape().n;
  std::optional<int64_t> widthV = KernelBuilder::getConstant(problem.widthV);
  emitStoreTiles(problem.store, problem.widthV, state.results, firstValue,
                 [&](int64_t tile) {
                   return !plan.isValuePadded ||
                          (plan.isSingleValueChunk && widthV &&
                           (tile + 1) * n <= *widthV);
                 });
}

void AttentionEmitter::emitStagedStores(State &state, Value firstValue) {
  int64_t width = unit.getWidth();
  int64_t n = unit.getShape().n;
  int64_t bytes = floatType.getIntOrFloatBitWidth() / 8;
  int64_t partElements = plan.rows * plan.stageStride;
  Value scratch = buildSharedView(builder, loc, sharedMemory, 0,
                                  plan.keyWarps * partElements, floatType);
  auto getAlignment = [&](int64_t count) {
    return llvm::MaybeAlign(std::min<int64_t>(count * bytes, 16));
  };
  Value warpBase =
      kb.add(kb.mul(keyWarp, partElements),
             kb.add(kb.mul(kb.add(warpRow, originRow), plan.stageStride),
                    originColumn));

  for (int64_t first = 0; first < plan.valueChunk; first += plan.stageColumns) {
    int64_t columns = std::min(plan.stageColumns, plan.valueChunk - first);
    emitBarrier();
    for (int64_t rowTile = 0; rowTile < plan.rowTiles; ++rowTile) {
      for (int64_t tile = first / n; tile < (first + columns) / n; ++tile) {
        Value result = state.results[rowTile * plan.valueTiles + tile];
        for (int64_t e = 0; e < unit.getNumElements(); e += width) {
          int64_t row = rowTile * unit.getShape().m +
                        unit.getRowOffset(unit.getElementRow(e));
          Value piece = vector::ExtractStridedSliceOp::create(
              builder, loc, result, ArrayRef<int64_t>{e},
              ArrayRef<int64_t>{width}, ArrayRef<int64_t>{1});
          vector::StoreOp::create(
              builder, loc, piece, scratch,
              kb.add(warpBase, row * plan.stageStride + tile * n - first +
                                   unit.getElementColumn(e)),
              /*nontemporal=*/false, getAlignment(width));
        }
      }
    }
    emitBarrier();
    emitStagedPiece(scratch, kb.add(firstValue, first), columns);
  }
}

void AttentionEmitter::emitStagedPiece(Value scratch, Value firstValue,
                                       int64_t columns) {
  int64_t vector = plan.vector;
  int64_t perRow = columns / vector;
  int64_t total = plan.rows * perRow;
  int64_t bytes = floatType.getIntOrFloatBitWidth() / 8;
  int64_t partElements = plan.rows * plan.stageStride;
  std::optional<int64_t> first = KernelBuilder::getConstant(firstValue);
  std::optional<int64_t> widthV = KernelBuilder::getConstant(problem.widthV);
  bool isInside =
      !plan.isValuePadded || (first && widthV && *first + columns <= *widthV);
  auto type = VectorType::get({vector}, floatType);
  auto loop = scf::ForOp::create(builder, loc, thread, kb.index(total),
                                 kb.index(plan.threads));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value row = kb.div(loop.getInductionVar(), perRow);
  Value column = kb.mul(kb.rem(loop.getInductionVar(), perRow), vector);
  Value position = kb.add(firstRow, row);
  buildIfHere(kb.less(position, numRows), [&] {
    Value offset = kb.add(kb.mul(row, plan.stageStride), column);
    Value sum;
    for (int64_t part = 0; part < plan.keyWarps; ++part) {
      Value elements = vector::LoadOp::create(
          builder, loc, type, scratch, kb.add(offset, part * partElements),
          /*nontemporal=*/false,
          llvm::MaybeAlign(std::min<int64_t>(vector * bytes, 16)));
      sum = sum ? arith::AddFOp::create(builder, loc, sum, elements).getResult()
                : elements;
    }
    SmallVector<Value> elements;
    for (int64_t i = 0; i < vector; ++i)
      elements.push_back(vector::ExtractOp::create(builder, loc, sum, i));
    emitStore(problem.store, problem.widthV, getBatch(position),
              getPosition(position), kb.add(firstValue, column), elements,
              isInside);
  });
}
