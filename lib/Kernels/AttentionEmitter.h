//===- AttentionEmitter.h - Emits an attention kernel -----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emitter's parts, in the order of the kernel:
// - Attention.cpp: positions, bounds, the walk over tiles of keys and values;
// - AttentionSoftmax.cpp: what happens to scores between the two products;
// - AttentionEpilogue.cpp: normalisation and stores;
// - AttentionProbabilities.cpp: probabilities that are asked for.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_KERNELS_ATTENTIONEMITTER_H
#define FUSION_LIB_KERNELS_ATTENTIONEMITTER_H

#include "AttentionPlan.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::fusion {

/// Emits one kernel.
class AttentionEmitter {
public:
  AttentionEmitter(OpBuilder &builder, Location loc,
                   const AttentionProblem &problem, const TargetInfo &target,
                   AttentionPlan plan, Value block, Value thread,
                   Value sharedMemory);

  void emit();

private:
  /// What a warp carries from tile to tile: for each of its row tiles, the
  /// unnormalised result, and for each of a lane's rows what the online softmax
  /// needs (see AttentionSoftmax.cpp).
  struct State {
    SmallVector<Value> results;    ///< rowTiles x valueTiles accumulators.
    SmallVector<Value> references; ///< rowTiles x rows of an accumulator.
    SmallVector<Value> limits;     ///< As many.
    SmallVector<Value> sums;       ///< As many; each lane's part.
    /// Where the stages' buffers start; the first is the next to be read.
    SmallVector<Value> buffers;

    /// Whether the buffers' order differs from tile to tile. A tile takes two
    /// turns of the ring.
    bool carriesBuffers() const { return 2 % buffers.size() != 0; }
    SmallVector<Value> flatten() const;
    /// Takes the values of a loop that was made from `flatten()`.
    void assign(ValueRange values);
  };

  //===--------------------------------------------------------------------===//
  // Attention.cpp
  //===--------------------------------------------------------------------===//

  void setUpPositions();
  void setUpKeyRange();
  void setUpMemory();
  /// Computes columns `firstValue ..` of the result.
  void emitPass(Value firstValue);
  void emitTile(State &state, Value tileKey, Value firstValue);

  TileCopy makeKeyCopy(const OperandAccess &access, Value base, Value tileKey);
  void copyKeys(Value base, Value tileKey, Value firstColumn);
  void copyValues(Value base, Value tileKey, Value firstValue);
  void copyQueries(Value base, Value firstColumn);
  /// Copies queries whose width is one chunk, and waits for the thread's own.
  void copyAllQueries();
  void loadQueryFragments();
  /// Makes one step of the ring at the tile that starts at key `tileKey`, of
  /// its keys (step 0) or values (1): waits for them, starts the copy of what
  /// comes `stages - 1` steps later, and returns where they are.
  Value advance(State &state, Value tileKey, int64_t step, Value firstValue);
  /// Starts the copy, to `base`, of what the step reads that comes `steps`
  /// after the one at hand.
  using StartFn = function_ref<void(int64_t steps, Value base)>;
  /// Loads queries, and starts the first copies of a ring; where its buffers
  /// are, the first the next to be read.
  SmallVector<Value> startRing(StartFn start);
  /// One step of a ring: waits for what it reads, starts a later copy, and
  /// returns where it reads.
  Value advanceRing(SmallVectorImpl<Value> &buffers, StartFn start);
  /// Starts the copy that step `step` of the tile at `tileKey` needs, if there
  /// is such a tile.
  void startCopy(int64_t step, Value base, Value tileKey, Value firstValue);

  /// The products of queries and keys, rowTiles x keyTiles accumulators: for
  /// queries in registers and keys at `base`; for queries in shared memory,
  /// copying keys to `keyBase` too. They are added to `scores`.
  void emitScores(SmallVectorImpl<Value> &scores, Value base);
  void emitChunkedScores(SmallVectorImpl<Value> &scores, Value keyBase,
                         Value tileKey);
  void emitScoreChunk(SmallVectorImpl<Value> &scores, Value keyBase);
  /// Adds the products of probabilities and values to the state.
  void emitResults(State &state, ArrayRef<Value> probabilities, Value base);
  void emitBarrier();
  void commitCopies();
  void waitForCopies(int64_t pending);

  //===--------------------------------------------------------------------===//
  // AttentionSoftmax.cpp
  //===--------------------------------------------------------------------===//

  /// What the products of queries and keys are added to.
  SmallVector<Value> makeInitialScores(const State &state);
  /// Scales and masks the scores of the tile at `tileKey`, updates the state,
  /// and turns scores into probabilities relative to the reference.
  void emitSoftmax(State &state, SmallVectorImpl<Value> &scores, Value tileKey);
  /// Makes of scores their exponentials relative to the references.
  void emitExponentials(const State &state, MutableArrayRef<Value> scores);
  /// Scale, factor, soft cap, mask and floor: scores to logarithms, in units of
  /// `exponentScale`.
  void emitScoreFunction(SmallVectorImpl<Value> &scores, Value tileKey);
  Value multiply(Value element, Value factor);
  Value applyMask(Value score, Value mask);
  /// Replaces each score by what `function` makes of it.
  using ScoreFn = function_ref<Value(Value element, ValueRange batch,
                                     Value query, Value key)>;
  void mapScores(SmallVectorImpl<Value> &scores, Value tileKey,
                 ScoreFn function);
  /// Moves the reference of rows whose `maxima` exceed their limits.
  void emitNewReferences(State &state, SmallVectorImpl<Value> &scores,
                         ArrayRef<Value> maxima);
  /// Replaces scores outside of a row's range of keys by minus infinity.
  void emitBounds(SmallVectorImpl<Value> &scores, Value firstKey);
  void emitBoundsOfTile(SmallVectorImpl<Value> &scores, Value firstKey);

  //===--------------------------------------------------------------------===//
  // AttentionEpilogue.cpp
  //===--------------------------------------------------------------------===//

  /// Normalises and stores columns `firstValue ..` of the result.
  void emitEpilogue(State &state, Value firstValue);
  /// Combines maxima and sums of warps that worked on different keys, and
  /// scales their results accordingly.
  void emitMerge(State &state);
  /// Adds the sinks' terms to the sums.
  void emitSinks(State &state);
  /// Stores results as the unit holds them, or through shared memory.
  void emitStores(State &state, Value firstValue);
  void emitStagedStores(State &state, Value firstValue);
  /// Sums and stores `columns` columns from `firstValue` on, which all warps
  /// have left in `scratch`.
  void emitStagedPiece(Value scratch, Value firstValue, int64_t columns);
  /// Stores neighbours of a row of `size`, those of them that are in bounds;
  /// `isInside` says that all are.
  void emitStore(const AttentionProblem::StoreFn &function, Value size,
                 ValueRange batchIndices, Value query, Value first,
                 ArrayRef<Value> elements, bool isInside);
  /// Stores a warp's accumulators (rowTiles x as many as make up its columns),
  /// whose first column is `first`, in rows of `size`; `isInside` says of an
  /// accumulator's number in its row that all of it is in bounds.
  void emitStoreTiles(const AttentionProblem::StoreFn &function, Value size,
                      ArrayRef<Value> tiles, Value first,
                      function_ref<bool(int64_t tile)> isInside);
  void emitRow(int64_t rowTile, int64_t row, Value reference, Value total,
               Value firstValue);

  //===--------------------------------------------------------------------===//
  // AttentionProbabilities.cpp
  //===--------------------------------------------------------------------===//

  /// Computes and stores the probabilities, of the references and sums of rows
  /// that are complete.
  void emitProbabilities(const State &state);
  /// Replaces the thread's index by one that is the same and not known to be,
  /// and what was computed of it. All of the shared memory is free then.
  void renewThread();
  /// The probabilities of the tile at `tileKey`, with keys in `buffers`, which
  /// are advanced.
  SmallVector<Value> emitProbabilityTile(const State &state,
                                         SmallVectorImpl<Value> &buffers,
                                         Value tileKey);
  /// Stores `probabilities` for the tiles from `first` to `end`, where no row
  /// has a key.
  void emitMaskedTiles(ArrayRef<Value> probabilities, Value first, Value end);
  void emitProbabilityStores(ArrayRef<Value> probabilities, Value tileKey);

  //===--------------------------------------------------------------------===//
  // Small things
  //===--------------------------------------------------------------------===//

  /// `buildIf` at the emitter's own insertion point.
  void buildIfHere(Value condition, function_ref<void()> body);
  Value makeFloat(double value);
  /// A constant accumulator with all elements equal.
  Value makeAccumulator(double value);
  Value makeExp2(Value value);
  Value toAccumulatorType(Value value);
  /// Combines the elements of accumulators by row: whole accumulators first,
  /// then elements of one row. One value for each of a lane's rows.
  SmallVector<Value>
  combineRows(ArrayRef<Value> accumulators,
              function_ref<Value(Value lhs, Value rhs)> combine);
  /// Spreads one value for each of a lane's rows over an accumulator.
  Value spreadRows(ArrayRef<Value> rows);
  /// A lane's row `row` of row tile `tile`, counted over all blocks of a batch.
  Value getRow(int64_t tile, int64_t row);
  /// The query position and the batch that a row stands for.
  Value getPosition(Value row);
  SmallVector<Value> getBatch(Value row);
  Value minSigned(Value lhs, Value rhs);
  Value maxSigned(Value lhs, Value rhs);
  Value compareSigned(arith::CmpIPredicate predicate, Value lhs, Value rhs);
  int64_t getNumRows() const { return plan.unit->getNumRows(); }

  OpBuilder &builder;
  Location loc;
  KernelBuilder kb;
  const AttentionProblem &problem;
  const TargetInfo &target;
  AttentionPlan plan;
  Value block, thread, sharedMemory;
  const MatrixUnit &unit;
  Type floatType;
  bool async;
  int64_t maxVector;

  /// Scores are kept as they come out of the product where that is possible,
  /// and their differences multiplied by scale * log2(e) before exp2. With
  /// any other function of the scores they are scaled first, and differences
  /// multiplied by log2(e).
  bool keepsRawScores;
  double exponentScale;
  /// Whether products start from minus the reference, so that scores come out
  /// relative to it.
  bool startsFromReference;
  /// How far the exponents of base 2 may exceed the reference.
  double maxExponent;
  /// Whether a pass may have no column of the result.
  bool mayLackValues;

  Value lane, rowWarp, keyWarp;
  /// The lane's first row and column in an accumulator.
  Value originRow, originColumn;
  /// Batch indices; with packed groups, of the group's first head.
  SmallVector<Value> batch;
  /// The block's first row, the number of rows of a batch, and their end.
  Value firstRow, numRows;
  /// The warp's first row, in the block and over all.
  Value warpRow, firstWarpRow;
  /// The warp's first key in a tile.
  Value warpKey;
  /// Tiles start at `firstKey`, a multiple of the tile's keys; no key from
  /// `endKey` on is read.
  Value firstKey, endKey;
  bool boundsKeys = false;
  /// For each of a lane's rows: its end of keys and, with a window, its first
  /// key; signed.
  SmallVector<Value> rowEnds, rowBegins;
  /// Tiles need bounds if they end after `wholeEnd` or start before
  /// `wholeBegin`. Null: no tile does for that reason.
  Value wholeEnd, wholeBegin;

  Value memory;
  FragmentReader queryReader, keyReader, valueReader;
  /// The access of queries by row.
  OperandAccess queryAccess;
  /// With queries in registers: rowTiles x steps fragments.
  SmallVector<Value> queryFragments;
};

} // namespace mlir::fusion

#endif // FUSION_LIB_KERNELS_ATTENTIONEMITTER_H
