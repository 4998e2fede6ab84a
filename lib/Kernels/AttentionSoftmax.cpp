//===- AttentionSoftmax.cpp - From scores to probabilities ----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The online softmax. With m the running maximum of a row, its sum and result
// hold terms relative to exp(m): a tile that raises m by d scales them by
// exp(-d) first.
//
// Differences are taken before they are scaled: exp2((s - m) * c). The cheaper
// fma(s, c, -m * c) rounds the two products differently, so that for large
// scores the exponent of the largest one can exceed 0, and the exponential
// overflows.
//
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace mlir;
using namespace mlir::fusion;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

void AttentionEmitter::emitScoreFunction(SmallVectorImpl<Value> &scores,
                                         Value tileKey) {
  if (!keepsRawScores) {
    Value scale = makeAccumulator(
        problem.softcap ? problem.scale / *problem.softcap : problem.scale);
    for (Value &score : scores) {
      score = arith::MulFOp::create(builder, loc, score, scale);
      if (problem.softcap) {
        score = math::TanhOp::create(builder, loc, score);
        score = arith::MulFOp::create(builder, loc, score,
                                      makeAccumulator(*problem.softcap));
      }
    }
  }
  if (!problem.mask)
    return;

  // Positions out of bounds are clamped to ones inside; what the mask says
  // about them does not matter.
  Value lastRow = kb.sub(numRows, kb.index(1));
  Value lastKey = kb.sub(endKey, kb.index(1));
  Value laneKey = kb.add(kb.add(tileKey, warpKey), originColumn);
  Value minusInfinity = makeFloat(-kInfinity);
  int64_t numElements = unit.getNumElements();
  for (int64_t rowTile = 0; rowTile < plan.rowTiles; ++rowTile) {
    SmallVector<Value> positions;
    SmallVector<SmallVector<Value>> batches;
    for (int64_t row = 0; row < getNumRows(); ++row) {
      Value clamped = kb.min(getRow(rowTile, row), lastRow);
      positions.push_back(getPosition(clamped));
      batches.push_back(getBatch(clamped));
    }
    for (int64_t keyTile = 0; keyTile < plan.keyTiles; ++keyTile) {
      Value &score = scores[rowTile * plan.keyTiles + keyTile];
      SmallVector<Value> elements;
      for (int64_t e = 0; e < numElements; ++e) {
        Value key = kb.add(laneKey, keyTile * unit.getShape().n +
                                        unit.getElementColumn(e));
        if (boundsKeys)
          key = kb.min(key, lastKey);
        int64_t row = unit.getElementRow(e);
        Value mask =
            problem.mask(builder, loc, batches[row], positions[row], key);
        Value element = vector::ExtractOp::create(builder, loc, score, e);
        if (mask.getType().isInteger(1)) {
          element = kb.select(mask, element, minusInfinity);
        } else {
          unsigned width = mask.getType().getIntOrFloatBitWidth();
          unsigned ours = floatType.getIntOrFloatBitWidth();
          if (width < ours)
            mask = arith::ExtFOp::create(builder, loc, floatType, mask);
          else if (width > ours)
            mask = arith::TruncFOp::create(builder, loc, floatType, mask);
          element = arith::AddFOp::create(builder, loc, element, mask);
        }
        elements.push_back(element);
      }
      score = vector::FromElementsOp::create(
          builder, loc, unit.getAccumulatorType(), elements);
    }
  }
}

void AttentionEmitter::emitBoundsOfTile(SmallVectorImpl<Value> &scores,
                                        Value tileKey) {
  // Comparisons in 32 bits with a constant: of a row's end, seen from the
  // lane's first key, with the distance of an element's column.
  Type wordType = builder.getI32Type();
  Value zero = kb.index(0);
  Value tileKeys = kb.index(plan.keys);
  Value laneKey = kb.add(kb.add(tileKey, warpKey), originColumn);
  auto getDistance = [&](Value position) -> Value {
    Value distance =
        minSigned(maxSigned(kb.sub(position, laneKey), zero), tileKeys);
    return arith::IndexCastOp::create(builder, loc, wordType, distance);
  };
  Value minusInfinity = makeFloat(-kInfinity);
  for (int64_t rowTile = 0; rowTile < plan.rowTiles; ++rowTile) {
    SmallVector<Value> ends, begins;
    for (int64_t row = 0; row < getNumRows(); ++row) {
      int64_t index = rowTile * getNumRows() + row;
      ends.push_back(getDistance(rowEnds[index]));
      if (!rowBegins.empty())
        begins.push_back(getDistance(rowBegins[index]));
    }
    for (int64_t keyTile = 0; keyTile < plan.keyTiles; ++keyTile) {
      Value &score = scores[rowTile * plan.keyTiles + keyTile];
      SmallVector<Value> elements;
      for (int64_t e = 0, end = unit.getNumElements(); e < end; ++e) {
        Value column = arith::ConstantIntOp::create(
            builder, loc, wordType,
            keyTile * unit.getShape().n + unit.getElementColumn(e));
        int64_t row = unit.getElementRow(e);
        Value inside =
            compareSigned(arith::CmpIPredicate::sgt, ends[row], column);
        if (!begins.empty())
          inside =
              kb.logicalAnd(inside, compareSigned(arith::CmpIPredicate::sle,
                                                  begins[row], column));
        elements.push_back(
            kb.select(inside, vector::ExtractOp::create(builder, loc, score, e),
                      minusInfinity));
      }
      score = vector::FromElementsOp::create(
          builder, loc, unit.getAccumulatorType(), elements);
    }
  }
}

void AttentionEmitter::emitBounds(SmallVectorImpl<Value> &scores,
                                  Value tileKey) {
  // Most tiles lie inside of every row's range.
  Value needed;
  if (wholeEnd)
    needed = compareSigned(arith::CmpIPredicate::sgt,
                           kb.add(tileKey, plan.keys), wholeEnd);
  if (wholeBegin) {
    Value starts =
        compareSigned(arith::CmpIPredicate::slt, tileKey, wholeBegin);
    needed = needed ? builder.createOrFold<arith::OrIOp>(loc, needed, starts)
                    : starts;
  }
  if (!needed)
    return;
  auto ifOp = scf::IfOp::create(builder, loc, ValueRange(scores).getTypes(),
                                needed, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(builder, loc, scores);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  emitBoundsOfTile(scores, tileKey);
  scf::YieldOp::create(builder, loc, scores);
  llvm::copy(ifOp.getResults(), scores.begin());
}

void AttentionEmitter::emitSoftmax(State &state, SmallVectorImpl<Value> &scores,
                                   Value tileKey) {
  emitScoreFunction(scores, tileKey);
  emitBounds(scores, tileKey);

  Value minusInfinity = makeFloat(-kInfinity);
  Value zero = makeFloat(0.0);
  Value exponentScaleValue = makeFloat(exponentScale);
  Value exponentScales = makeAccumulator(exponentScale);
  int64_t numElements = unit.getNumElements();
  // Combines the elements of a tile's accumulators by row: first whole
  // accumulators, then elements of one row.
  auto combineRows = [&](ArrayRef<Value> accumulators, auto combine) {
    Value all = accumulators.front();
    for (Value accumulator : accumulators.drop_front())
      all = combine(all, accumulator);
    SmallVector<Value> rows(getNumRows());
    for (int64_t e = 0; e < numElements; ++e) {
      Value element = vector::ExtractOp::create(builder, loc, all, e);
      Value &row = rows[unit.getElementRow(e)];
      row = row ? combine(row, element) : element;
    }
    return rows;
  };

  for (int64_t rowTile = 0; rowTile < plan.rowTiles; ++rowTile) {
    MutableArrayRef<Value> tileScores(scores.data() + rowTile * plan.keyTiles,
                                      plan.keyTiles);
    SmallVector<Value> maxima =
        combineRows(tileScores, [&](Value lhs, Value rhs) -> Value {
          return arith::MaxNumFOp::create(builder, loc, lhs, rhs);
        });
    SmallVector<Value> subtracted, factors;
    for (int64_t row = 0; row < getNumRows(); ++row) {
      Value &maximum = state.maxima[rowTile * getNumRows() + row];
      Value tileMaximum =
          unit.reduceRow(builder, loc, maxima[row], RowReduction::Max);
      Value old = maximum;
      maximum = arith::MaxNumFOp::create(builder, loc, old, tileMaximum);
      // While every score is minus infinity there is no maximum to subtract.
      Value isEmpty = arith::CmpFOp::create(
          builder, loc, arith::CmpFPredicate::OEQ, maximum, minusInfinity);
      Value reference = kb.select(isEmpty, zero, maximum);
      subtracted.push_back(reference);
      Value difference = arith::SubFOp::create(builder, loc, old, reference);
      factors.push_back(makeExp2(
          arith::MulFOp::create(builder, loc, difference, exponentScaleValue)));
    }
    Value references = spreadRows(subtracted);
    for (Value &score : tileScores) {
      score = arith::SubFOp::create(builder, loc, score, references);
      score = arith::MulFOp::create(builder, loc, score, exponentScales);
      score = makeExp2(score);
    }
    SmallVector<Value> sums =
        combineRows(tileScores, [&](Value lhs, Value rhs) -> Value {
          return arith::AddFOp::create(builder, loc, lhs, rhs);
        });
    for (int64_t row = 0; row < getNumRows(); ++row) {
      Value &sum = state.sums[rowTile * getNumRows() + row];
      sum = math::FmaOp::create(builder, loc, sum, factors[row], sums[row]);
    }
    Value spread = spreadRows(factors);
    for (int64_t tile = 0; tile < plan.valueTiles; ++tile) {
      Value &result = state.results[rowTile * plan.valueTiles + tile];
      result = arith::MulFOp::create(builder, loc, result, spread);
    }
  }
}
