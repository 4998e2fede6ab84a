//===- AttentionSoftmax.cpp - From scores to probabilities ----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The online softmax. Each row has a reference r: its sum and its result hold
// terms exp(s - r). A tile moves the reference to its own maximum if that
// exceeds the reference by more than a limit, and scales what is there already;
// seldom after the first tiles, so that the scaling is a branch. Terms of up to
// 2^8 do no harm to the sums, nor to probabilities rounded to f16. Where
// probabilities are stored there is no limit: the reference is the maximum,
// whose distance from the largest score is exactly 0. Until a row has met a key
// its reference is 0 and its limit minus infinity.
//
// Differences are taken before they are scaled: exp2((s - r) * c). An
// fma(s, c, -r * c) rounds the two products differently, so that for large
// scores the exponent of the largest one can be anything, and the exponential
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

SmallVector<Value> AttentionEmitter::makeInitialScores(const State &state) {
  SmallVector<Value> scores;
  for (int64_t tile = 0; tile < plan.rowTiles; ++tile) {
    Value initial = unit.getZeroAccumulator(builder, loc);
    if (startsFromReference) {
      SmallVector<Value> negated;
      for (int64_t row = 0; row < getNumRows(); ++row)
        negated.push_back(arith::NegFOp::create(
            builder, loc, state.references[tile * getNumRows() + row]));
      initial = spreadRows(negated);
    }
    scores.append(plan.keyTiles, initial);
  }
  return scores;
}

void AttentionEmitter::emitScoreFunction(SmallVectorImpl<Value> &scores,
                                         Value tileKey) {
  if (!keepsRawScores) {
    Value scale = makeAccumulator(
        problem.softcap ? problem.scale / *problem.softcap : problem.scale);
    for (Value &score : scores)
      score = arith::MulFOp::create(builder, loc, score, scale);
  }
  if (problem.factor)
    mapScores(scores, tileKey,
              [&](Value element, ValueRange batch, Value query, Value key) {
                return multiply(
                    element, problem.factor(builder, loc, batch, query, key));
              });
  if (problem.softcap) {
    Value softcap = makeAccumulator(*problem.softcap);
    for (Value &score : scores) {
      score = math::TanhOp::create(builder, loc, score);
      score = arith::MulFOp::create(builder, loc, score, softcap);
    }
  }
  if (problem.mask)
    mapScores(scores, tileKey,
              [&](Value element, ValueRange batch, Value query, Value key) {
                return applyMask(element,
                                 problem.mask(builder, loc, batch, query, key));
              });
  if (problem.floor) {
    Value floor = makeAccumulator(*problem.floor);
    for (Value &score : scores)
      score = arith::MaxNumFOp::create(builder, loc, score, floor);
  }
}

Value AttentionEmitter::multiply(Value element, Value factor) {
  return arith::MulFOp::create(builder, loc, element,
                               toAccumulatorType(factor));
}

Value AttentionEmitter::applyMask(Value score, Value mask) {
  Value masked = makeFloat(problem.maskedScore.value_or(-kInfinity));
  if (mask.getType().isInteger(1))
    return kb.select(mask, score, masked);
  mask = toAccumulatorType(mask);
  Value sum = arith::AddFOp::create(builder, loc, score, mask);
  if (!problem.maskedScore)
    return sum;
  Value isMasked = arith::CmpFOp::create(builder, loc,
                                         arith::CmpFPredicate::UNO, mask, mask);
  return kb.select(isMasked, masked, sum);
}

Value AttentionEmitter::toAccumulatorType(Value value) {
  unsigned width = value.getType().getIntOrFloatBitWidth();
  unsigned ours = floatType.getIntOrFloatBitWidth();
  if (width < ours)
    return arith::ExtFOp::create(builder, loc, floatType, value);
  if (width > ours)
    return arith::TruncFOp::create(builder, loc, floatType, value);
  return value;
}

void AttentionEmitter::mapScores(SmallVectorImpl<Value> &scores, Value tileKey,
                                 ScoreFn function) {
  // Positions out of bounds are clamped to ones inside; what is computed for
  // them does not matter.
  Value lastRow = kb.sub(numRows, kb.index(1));
  Value lastKey = kb.sub(endKey, kb.index(1));
  Value laneKey = kb.add(kb.add(tileKey, warpKey), originColumn);
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
        Value element = vector::ExtractOp::create(builder, loc, score, e);
        elements.push_back(
            function(element, batches[row], positions[row], key));
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

void AttentionEmitter::emitNewReferences(State &state,
                                         SmallVectorImpl<Value> &scores,
                                         ArrayRef<Value> maxima) {
  SmallVector<Value> exceeds;
  Value any;
  for (auto [maximum, limit, reference] :
       llvm::zip_equal(maxima, state.limits, state.references)) {
    Value distance = maximum;
    if (!startsFromReference)
      distance = arith::SubFOp::create(builder, loc, maximum, reference);
    exceeds.push_back(arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OGT, distance, limit));
    any = any ? arith::OrIOp::create(builder, loc, any, exceeds.back())
                    .getResult()
              : exceeds.back();
  }
  SmallVector<SmallVectorImpl<Value> *> changed{
      &state.results, &state.references, &state.limits, &state.sums};
  if (startsFromReference)
    changed.push_back(&scores);
  auto getValues = [&] {
    SmallVector<Value> values;
    for (SmallVectorImpl<Value> *part : changed)
      values.append(part->begin(), part->end());
    return values;
  };
  SmallVector<Value> values = getValues();
  auto ifOp = scf::IfOp::create(builder, loc, ValueRange(values).getTypes(),
                                any, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(ifOp.elseBlock());
    scf::YieldOp::create(builder, loc, values);
    builder.setInsertionPointToStart(ifOp.thenBlock());

    Value zero = makeFloat(0.0);
    Value minusInfinity = makeFloat(-kInfinity);
    Value limitValue = makeFloat(maxExponent / exponentScale);
    Value negatedScale = makeFloat(-exponentScale);
    for (int64_t rowTile = 0; rowTile < plan.rowTiles; ++rowTile) {
      SmallVector<Value> differences, factors;
      for (int64_t row = 0; row < getNumRows(); ++row) {
        int64_t i = rowTile * getNumRows() + row;
        Value &reference = state.references[i];
        Value &limit = state.limits[i];
        Value moved;
        if (startsFromReference)
          moved = arith::AddFOp::create(builder, loc, reference,
                                        kb.select(exceeds[i], maxima[i], zero));
        else
          moved = kb.select(exceeds[i], maxima[i], reference);
        // What the reference moved by, its rounding included.
        Value difference =
            arith::SubFOp::create(builder, loc, moved, reference);
        reference = moved;
        // There is nothing to scale yet if there was no key, and the factor
        // may be infinite.
        Value isFirst = arith::CmpFOp::create(
            builder, loc, arith::CmpFPredicate::OEQ, limit, minusInfinity);
        Value factor = makeExp2(
            arith::MulFOp::create(builder, loc, difference, negatedScale));
        factor = kb.select(isFirst, zero, factor);
        limit = kb.select(exceeds[i], limitValue, limit);
        state.sums[i] =
            arith::MulFOp::create(builder, loc, state.sums[i], factor);
        differences.push_back(difference);
        factors.push_back(factor);
      }
      if (startsFromReference) {
        Value difference = spreadRows(differences);
        for (int64_t tile = 0; tile < plan.keyTiles; ++tile) {
          Value &score = scores[rowTile * plan.keyTiles + tile];
          score = arith::SubFOp::create(builder, loc, score, difference);
        }
      }
      Value factor = spreadRows(factors);
      for (int64_t tile = 0; tile < plan.valueTiles; ++tile) {
        Value &result = state.results[rowTile * plan.valueTiles + tile];
        result = arith::MulFOp::create(builder, loc, result, factor);
      }
    }
    scf::YieldOp::create(builder, loc, getValues());
  }
  ValueRange results = ifOp.getResults();
  for (SmallVectorImpl<Value> *part : changed) {
    llvm::copy(results.take_front(part->size()), part->begin());
    results = results.drop_front(part->size());
  }
}

SmallVector<Value> AttentionEmitter::combineRows(
    ArrayRef<Value> accumulators,
    function_ref<Value(Value lhs, Value rhs)> combine) {
  Value all = accumulators.front();
  for (Value accumulator : accumulators.drop_front())
    all = combine(all, accumulator);
  SmallVector<Value> rows(getNumRows());
  for (int64_t e = 0, end = unit.getNumElements(); e < end; ++e) {
    Value element = vector::ExtractOp::create(builder, loc, all, e);
    Value &row = rows[unit.getElementRow(e)];
    row = row ? combine(row, element) : element;
  }
  return rows;
}

void AttentionEmitter::emitExponentials(const State &state,
                                        MutableArrayRef<Value> scores) {
  for (int64_t rowTile = 0; !startsFromReference && rowTile < plan.rowTiles;
       ++rowTile) {
    Value references = spreadRows(
        ArrayRef(state.references).slice(rowTile * getNumRows(), getNumRows()));
    for (Value &score : scores.slice(rowTile * plan.keyTiles, plan.keyTiles))
      score = arith::SubFOp::create(builder, loc, score, references);
  }
  Value exponentScales = makeAccumulator(exponentScale);
  for (Value &score : scores)
    score =
        makeExp2(arith::MulFOp::create(builder, loc, score, exponentScales));
}

void AttentionEmitter::emitSoftmax(State &state, SmallVectorImpl<Value> &scores,
                                   Value tileKey) {
  emitScoreFunction(scores, tileKey);
  emitBounds(scores, tileKey);

  auto getTile = [&](int64_t rowTile) {
    return MutableArrayRef<Value>(scores).slice(rowTile * plan.keyTiles,
                                                plan.keyTiles);
  };
  SmallVector<Value> maxima;
  for (int64_t rowTile = 0; rowTile < plan.rowTiles; ++rowTile) {
    for (Value maximum :
         combineRows(getTile(rowTile), [&](Value lhs, Value rhs) -> Value {
           return arith::MaxNumFOp::create(builder, loc, lhs, rhs);
         }))
      maxima.push_back(
          unit.reduceRow(builder, loc, maximum, RowReduction::Max));
  }
  emitNewReferences(state, scores, maxima);
  // Only now: relative to the reference of a tile that is masked by a finite
  // score, which is far away, other scores would all be the same.
  emitExponentials(state, scores);
  for (int64_t rowTile = 0; rowTile < plan.rowTiles; ++rowTile) {
    SmallVector<Value> sums =
        combineRows(getTile(rowTile), [&](Value lhs, Value rhs) -> Value {
          return arith::AddFOp::create(builder, loc, lhs, rhs);
        });
    for (int64_t row = 0; row < getNumRows(); ++row) {
      Value &sum = state.sums[rowTile * getNumRows() + row];
      sum = arith::AddFOp::create(builder, loc, sum, sums[row]);
    }
  }
  // What is dropped still takes part in the sum.
  if (problem.dropout)
    mapScores(scores, tileKey,
              [&](Value element, ValueRange batch, Value query, Value key) {
                return multiply(
                    element, problem.dropout(builder, loc, batch, query, key));
              });
}
