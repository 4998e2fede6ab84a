//===- Attention.h - The attention kernel template --------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Softmax attention in one kernel, in the form of FlashAttention-2 (Dao,
// arXiv:2307.08691): a block keeps some query rows, walks over tiles of keys
// and values with a running maximum and sum, and never stores a score.
// Probabilities that are asked for are computed in a second walk over the keys.
// The semantics are those of `fusion.attention`; the matrix unit, and so the
// target and the element type, are the schedule's choice.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_KERNELS_ATTENTION_H
#define FUSION_KERNELS_ATTENTION_H

#include "fusion/Kernels/OperandAccess.h"
#include "fusion/Target/TargetTable.h"
#include "mlir/IR/BuiltinTypes.h"
#include <limits>
#include <optional>

namespace mlir::fusion {

/// What an attention kernel computes, in terms of values and callbacks. All
/// callbacks build at the builder's insertion point, inside of the kernel.
struct AttentionProblem {
  /// Builds the mask of a score: a float that is added to it, or an i1 that
  /// keeps it. Called for positions in bounds.
  using MaskFn = OperandAccess::ElementFn;
  /// Builds the sink of a row, a float. Called for positions in bounds.
  using SinkFn = std::function<Value(OpBuilder &builder, Location loc,
                                     ValueRange batch, Value query)>;
  /// Stores neighbouring elements (v, v + 1, ...) of a row of the result: a
  /// vector of the accumulator's type, or that type itself for a single
  /// element. Where the number of a row's elements is a multiple of theirs, so
  /// is v. Called for positions in bounds.
  using StoreFn =
      std::function<void(OpBuilder &builder, Location loc, ValueRange batch,
                         Value query, Value v, Value elements)>;
  /// Stores a row's reference and the sum of its exponentials relative to
  /// that, both in the accumulator's type.
  using StoreRowFn =
      std::function<void(OpBuilder &builder, Location loc, ValueRange batch,
                         Value query, Value reference, Value total)>;

  /// Rows are query positions, columns the width of queries and keys.
  OperandAccess query;
  /// Rows are key positions, columns the width of queries and keys.
  OperandAccess key;
  /// Rows are key positions, columns the width of values.
  OperandAccess value;

  /// The number of batches in each batch dimension (indices). The batch
  /// indices that callbacks get run over them; the last one varies fastest from
  /// block to block.
  SmallVector<Value> batchSizes;
  /// Batch dimension `groupDimension` holds query heads of which `groupSize`
  /// neighbours, the first at a multiple of it, have the same keys and values;
  /// 1 if there is no such dimension. When the schedule packs groups, they
  /// share a block's rows; else the group has no influence.
  int64_t groupDimension = 0;
  int64_t groupSize = 1;

  /// Sizes, as indices. Constant widths make far better kernels.
  Value numQueries, numKeys, widthQK, widthV;

  double scale = 1.0;
  /// Builds what scores are multiplied with, a float.
  MaskFn factor;
  std::optional<double> softcap;
  MaskFn mask;
  /// What a boolean mask puts in place of a score; absent: -inf. A float mask
  /// does so where it is NaN, if there is such a score.
  std::optional<double> maskedScore;
  /// No score is smaller, nor NaN.
  std::optional<double> floor;
  /// Builds what probabilities are multiplied with, a float.
  MaskFn dropout;
  SinkFn sink;
  /// Query q sees keys up to q + causalOffset (a signed index); null: all.
  Value causalOffset;
  /// It sees only the last so many of them. Needs `causalOffset`.
  std::optional<int64_t> window;
  MaskedRows maskedRows = MaskedRows::NaN;

  /// The type in which results are stored, for the choice of a schedule; null:
  /// the operands' type.
  Type resultType;
  StoreFn store;
  /// Null if they are not asked for.
  StoreRowFn storeRow;
  /// Stores neighbouring probabilities (k, k + 1, ...) of a row, without
  /// dropout, as `store` does results; null if they are not asked for. Needs a
  /// second walk over the keys.
  StoreFn storeProbabilities;
};

/// What a schedule depends on. Sizes may be `ShapedType::kDynamic`.
struct AttentionShape {
  /// Product of the batch sizes.
  int64_t batches = ShapedType::kDynamic;
  int64_t groupSize = 1;
  int64_t numQueries = ShapedType::kDynamic;
  int64_t numKeys = ShapedType::kDynamic;
  int64_t widthQK = ShapedType::kDynamic;
  int64_t widthV = ShapedType::kDynamic;
  /// The type of query, key and value, and of the result in memory.
  Type elementType, resultType;
  /// How they lie in memory.
  OperandAccess::Contiguous query = OperandAccess::Contiguous::Column;
  OperandAccess::Contiguous key = OperandAccess::Contiguous::Column;
  OperandAccess::Contiguous value = OperandAccess::Contiguous::Column;
};

/// The shape of a problem whose sizes are constants where they are known.
AttentionShape getAttentionShape(const AttentionProblem &problem);

/// The type that products accumulate in and that the softmax is computed in:
/// f64 for f64, else f32.
Type getAttentionAccumulatorType(Type elementType);

/// Chooses a schedule: strategy `attention`; `tile` is query rows and keys,
/// `warps` how warps split the two, `stages` the number of tiles (of keys or of
/// values) in shared memory at a time, `vector` the number of elements that are
/// stored at a time (more than the unit's own width means that results pass
/// through shared memory).
ScheduleAttr chooseAttentionSchedule(MLIRContext *context,
                                     const TargetInfo &target,
                                     const AttentionShape &shape);

/// Says what is wrong with a schedule for `shape` on `target`; success if it
/// can be used.
LogicalResult
verifyAttentionSchedule(function_ref<InFlightDiagnostic()> emitError,
                        const TargetInfo &target, const AttentionShape &shape,
                        ScheduleAttr schedule);

/// The shared memory of a block, in bytes.
int64_t attentionSharedBytes(const AttentionShape &shape,
                             ScheduleAttr schedule);

/// Whether a block's rows hold the query heads of a group one beside the other
/// (see `AttentionProblem::groupSize`).
bool attentionPacksGroups(const AttentionShape &shape, ScheduleAttr schedule);

/// Builds the number of blocks (an index): for each batch (each group, where
/// groups are packed), as many as cover its query rows.
Value buildAttentionBlocks(OpBuilder &builder, Location loc,
                           ValueRange batchSizes, Value numQueries,
                           const AttentionShape &shape, ScheduleAttr schedule);

/// Builds the body of a kernel at the insertion point. `block` is the block's
/// index, less than `buildAttentionBlocks`, and `thread` the thread's index
/// among `schedule.getThreads()`. `sharedMemory` is a static one-dimensional
/// memref of i8 in workgroup memory, of at least `attentionSharedBytes` bytes
/// and aligned to 16 of them, that no thread uses any more. Fails, with a
/// diagnostic at `loc`, only if the schedule can not be used.
LogicalResult buildAttention(OpBuilder &builder, Location loc,
                             const AttentionProblem &problem,
                             const TargetInfo &target, ScheduleAttr schedule,
                             Value block, Value thread, Value sharedMemory);

} // namespace mlir::fusion

#endif // FUSION_KERNELS_ATTENTION_H
