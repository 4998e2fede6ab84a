//===- AttentionPlan.h - The static side of an attention kernel -*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything about an attention kernel that follows from the schedule and the
// static sizes: how many instructions make a tile, how tiles lie in shared
// memory and how much of it they take.
//
// Queries are kept in one of two ways:
// - in registers: a warp reads its fragments once, through the memory that
//   tiles of keys and values go to afterwards;
// - in shared memory, `widthChunk` columns of queries and keys at a time. The
//   chunks are a loop, so that any width will do, and a width that is not known
//   too. One chunk is loaded once, several anew for each tile of keys.
//
// Values, too, may have any width: the kernel makes one pass for each
// `valueChunk` columns of the result.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_KERNELS_ATTENTIONPLAN_H
#define FUSION_LIB_KERNELS_ATTENTIONPLAN_H

#include "fusion/Kernels/Attention.h"

namespace mlir::fusion {

/// The static side of an attention kernel.
struct AttentionPlan {
  std::unique_ptr<MatrixUnit> unit;

  /// The block's tile, its warps along query rows and along keys, and stages.
  int64_t rows = 0, keys = 0;
  int64_t rowWarps = 1, keyWarps = 1;
  int64_t stages = 1;
  int64_t threads = 0;
  bool packsGroups = false;

  /// Instructions that make a warp's part of the tile: along its rows, along
  /// its keys, and along a chunk of the result.
  int64_t rowTiles = 1, keyTiles = 1, valueTiles = 1;

  bool queriesInRegisters = false;
  /// Columns of queries and keys at a time, padded to the unit's k.
  int64_t widthChunk = 0;
  /// Columns of the result at a time, padded to the unit's n.
  int64_t valueChunk = 0;
  /// Whether one chunk is known to be all.
  bool isSingleWidthChunk = false, isSingleValueChunk = false;
  /// Whether chunks may exceed the operands' width.
  bool isWidthPadded = true, isValuePadded = true;

  /// How tiles lie in shared memory.
  TileOrder queryOrder, keyOrder, valueOrder;
  SharedLayout queryLayout, keyLayout, valueLayout;
  /// With queries in registers: columns of them that are staged at a time.
  int64_t queryStageColumns = 0;

  /// Elements of shared memory: of the queries' chunk (0 for queries in
  /// registers), of each of the `stages` buffers for keys and values, and of
  /// all.
  int64_t queryElements = 0, bufferElements = 0, sharedElements = 0;
  /// Bytes of all, including what the epilogue needs.
  int64_t sharedBytes = 0;

  /// Elements that are stored at a time. With `stagesResults` they pass through
  /// shared memory, `stageColumns` columns at a time, in rows of `stageStride`
  /// elements of the accumulator's type; once for each part of the keys.
  int64_t vector = 1;
  bool stagesResults = false;
  int64_t stageColumns = 0, stageStride = 0;

  int64_t getRowsPerWarp() const { return rows / rowWarps; }
  int64_t getKeysPerWarp() const { return keys / keyWarps; }
  /// Whether tiles are stored with the operand's rows and columns exchanged.
  bool isQueryTransposed() const {
    return queryOrder == TileOrder::OuterContiguous;
  }
  bool isKeyTransposed() const {
    return keyOrder == TileOrder::OuterContiguous;
  }
  bool isValueTransposed() const {
    return valueOrder == TileOrder::KContiguous;
  }
};

/// Derives the plan; `schedule` must be well formed (see
/// `verifyAttentionSchedule`).
AttentionPlan makeAttentionPlan(const AttentionShape &shape,
                                ScheduleAttr schedule);

} // namespace mlir::fusion

#endif // FUSION_LIB_KERNELS_ATTENTIONPLAN_H
