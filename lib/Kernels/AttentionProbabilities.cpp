//===- AttentionProbabilities.cpp - Probabilities that are asked for ------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A second walk over the keys, when each row's reference and sum are complete.
// Scores come from the same instructions in the same order as in the first
// walk, and so are the same numbers: the largest is the reference, and its
// term 1. Of scores from another product that would not be so, and with scores
// of some hundred a probability of 1 would be off in the fifth digit.
//
// The first walk takes all registers that there are. Nothing that it has
// computed of the thread's index is kept for the second: that computes it anew,
// of an index that has passed through memory, which compilers take for another
// one.
//
// Keys alone pass through the ring of buffers. Every probability is stored, so
// the walk does not end where the keys that rows see do.
//
//===----------------------------------------------------------------------===//

#include "AttentionEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::fusion;

void AttentionEmitter::renewThread() {
  // The epilogue may have taken the memory.
  emitBarrier();
  Type word = builder.getI32Type();
  if (plan.threads * 4 > plan.sharedBytes)
    return;
  Value places =
      buildSharedView(builder, loc, sharedMemory, 0, plan.threads, word);
  memref::StoreOp::create(
      builder, loc, arith::IndexCastOp::create(builder, loc, word, thread),
      places, thread);
  emitBarrier();
  Value index = memref::LoadOp::create(builder, loc, places, thread);
  thread =
      arith::IndexCastOp::create(builder, loc, builder.getIndexType(), index);
  // Copies go where the index was.
  emitBarrier();
  setUpPositions();
  setUpKeyRange();
  setUpMemory();
}

SmallVector<Value> AttentionEmitter::emitProbabilityTile(
    const State &state, SmallVectorImpl<Value> &buffers, Value tileKey) {
  SmallVector<Value> scores(plan.rowTiles * plan.keyTiles,
                            unit.getZeroAccumulator(builder, loc));
  if (plan.queriesInRegisters)
    emitScores(scores, advanceRing(buffers, [&](int64_t ahead, Value base) {
                 startCopy(/*step=*/0, base, kb.add(tileKey, ahead * plan.keys),
                           Value());
               }));
  else
    emitChunkedScores(scores, buffers.front(), tileKey);
  emitScoreFunction(scores, tileKey);
  emitBounds(scores, tileKey);
  emitExponentials(state, scores);
  return scores;
}

void AttentionEmitter::emitProbabilityStores(ArrayRef<Value> probabilities,
                                             Value tileKey) {
  std::optional<int64_t> numKeys = KernelBuilder::getConstant(problem.numKeys);
  bool isInside = numKeys && *numKeys % plan.keys == 0;
  emitStoreTiles(problem.storeProbabilities, problem.numKeys, probabilities,
                 kb.add(tileKey, warpKey), [&](int64_t) { return isInside; });
}

void AttentionEmitter::emitMaskedTiles(ArrayRef<Value> probabilities,
                                       Value first, Value end) {
  auto loop = scf::ForOp::create(builder, loc, first, end, kb.index(plan.keys));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  emitProbabilityStores(probabilities, loop.getInductionVar());
}

void AttentionEmitter::emitProbabilities(const State &state) {
  renewThread();
  // What terms are multiplied with. Only a row without keys sums to 0: its
  // probabilities become 0 * (1 / 0), or 0 where that is the policy.
  Value zero = makeFloat(0.0);
  Value zeros = unit.getZeroAccumulator(builder, loc);
  SmallVector<Value> factors, empty;
  for (int64_t rowTile = 0; rowTile < plan.rowTiles; ++rowTile) {
    SmallVector<Value> factorOfRow, emptyRow;
    for (Value sum :
         ArrayRef(state.sums).slice(rowTile * getNumRows(), getNumRows())) {
      factorOfRow.push_back(
          arith::DivFOp::create(builder, loc, makeFloat(1.0), sum));
      emptyRow.push_back(arith::CmpFOp::create(
          builder, loc, arith::CmpFPredicate::OEQ, sum, zero));
    }
    factors.push_back(spreadRows(factorOfRow));
    empty.push_back(spreadRows(emptyRow));
  }
  auto normalise = [&](MutableArrayRef<Value> terms) {
    for (auto [i, term] : llvm::enumerate(terms)) {
      int64_t rowTile = i / plan.keyTiles;
      term = arith::MulFOp::create(builder, loc, term, factors[rowTile]);
      if (problem.maskedRows == MaskedRows::Zero)
        term =
            arith::SelectOp::create(builder, loc, empty[rowTile], zeros, term);
    }
  };

  SmallVector<Value> buffers = startRing([&](int64_t step, Value base) {
    startCopy(/*step=*/0, base, kb.add(firstKey, step * plan.keys), Value());
  });
  auto loop = scf::ForOp::create(builder, loc, firstKey, endKey,
                                 kb.index(plan.keys), buffers);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value tileKey = loop.getInductionVar();
    llvm::copy(loop.getRegionIterArgs(), buffers.begin());
    SmallVector<Value> terms = emitProbabilityTile(state, buffers, tileKey);
    normalise(terms);
    emitProbabilityStores(terms, tileKey);
    scf::YieldOp::create(builder, loc, buffers);
  }
  if (!problem.causalOffset)
    return;
  SmallVector<Value> masked(plan.rowTiles * plan.keyTiles, zeros);
  normalise(masked);
  if (problem.window)
    emitMaskedTiles(masked, kb.index(0), kb.min(firstKey, problem.numKeys));
  Value end = kb.mul(kb.ceilDiv(endKey, plan.keys), plan.keys);
  emitMaskedTiles(masked, problem.window ? maxSigned(firstKey, end) : end,
                  problem.numKeys);
}
