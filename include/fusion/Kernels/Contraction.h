//===- Contraction.h - The matrix product kernel template -------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the body of a kernel that computes, for one or more right-hand sides
// that share their left-hand side,
//
//   C_h[b, m, n] = sum over k of A[b, m, k] * B_h[b, k, n]
//
// and hands groups of accumulated elements to an epilogue. Operands and
// epilogue are callbacks, so that views, casts and norms can be pulled in and
// biases, activations and residuals pushed out. Every size may be static or
// dynamic and need not be a multiple of anything.
//
// The block's tile of C stays in registers; tiles of A and B go through shared
// memory in a pipeline of several stages (`cp.async` where the hardware has it
// and the operand allows it), in a layout without bank conflicts.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_KERNELS_CONTRACTION_H
#define FUSION_KERNELS_CONTRACTION_H

#include "fusion/Analysis/ElementFlow.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Kernels/OperandAccess.h"
#include "mlir/IR/Builders.h"
#include <functional>
#include <optional>

namespace mlir::fusion {

struct TargetInfo;

/// `ContractionSchedule::groupedRows` where a schedule does not say: about the
/// square root of how many tiles a large device computes at a time.
constexpr int64_t kGroupedRows = 16;

//===----------------------------------------------------------------------===//
// Schedule
//===----------------------------------------------------------------------===//

/// How a contraction is mapped to blocks, warps and instructions: the decoded
/// form of a `#fusion.schedule<contraction, ...>`.
struct ContractionSchedule {
  MatrixUnitKind unit = MatrixUnitKind::Scalar;
  /// The tile of C that a block computes (of each right-hand side), and the
  /// depth of the tiles of A and B that it holds in shared memory.
  int64_t tileM = 64, tileN = 64, tileK = 16;
  /// Rows of tiles that blocks take together, column by column: while they do,
  /// their rows of A stay in the device's cache and B passes by once.
  int64_t groupedRows = kGroupedRows;
  /// Grid of warps over the tile.
  int64_t warpsM = 2, warpsN = 4;
  /// Number of warps that split the k dimension. More than one makes it the
  /// skinny template for few rows, which reads B straight into registers: it
  /// has the scalar unit, `warpsM` and `warpsN` of 1, and a `tileK` that is a
  /// multiple of 256 `warpsK`.
  int64_t warpsK = 1;
  /// Number of tiles of A and B in shared memory, at least 2.
  int64_t stages = 2;
  /// Elements, neighbours along n, that the epilogue gets at a time. More than
  /// the unit's own width means that they pass through shared memory first.
  int64_t vector = 1;

  bool isSkinny() const { return warpsK > 1; }
  int64_t getThreads() const { return 32 * warpsM * warpsN * warpsK; }

  /// Decodes an attribute; emits an error at `loc` if it does not describe a
  /// contraction.
  static FailureOr<ContractionSchedule> get(ScheduleAttr attr, Location loc);
  /// Checks that the schedule can multiply operands of these types; emits an
  /// error at `loc` if not.
  LogicalResult verify(Type operandType, Type accumulatorType,
                       Location loc) const;
  /// The attribute that `get` decodes to this.
  ScheduleAttr getAttr(MLIRContext *context) const;
};

/// What the choice of a schedule depends on. Sizes are those of one right-hand
/// side; nullopt means that they are not known.
struct ContractionShape {
  std::optional<int64_t> batch, m, n, k;
  /// Number of right-hand sides.
  int64_t numRhs = 1;
  /// Whether B is contiguous along k (a weight stored [n][k]).
  bool isKContiguousB = false;
  /// Bytes of shared memory, beside the template's own, for each row of a tile.
  int64_t rowBytes = 0;
  /// The columns that the epilogue reads (`ContractionElements::read`).
  ColumnGroup columns;
  /// Types of the elements of A and B as multiplied, of the sums, and of the
  /// result as it is stored (the epilogue's vector is chosen to fill 16 bytes).
  Type operandType, accumulatorType, resultType;
};

/// Whether there are schedules whose tiles hold all the columns that an element
/// is computed from, whatever the device.
bool canTileColumns(ColumnGroup columns);

/// Picks a schedule for a device. The choice always builds, if
/// `canTileColumns(shape.columns)`.
ContractionSchedule chooseContractionSchedule(const TargetInfo &target,
                                              const ContractionShape &shape);

/// Bytes of the operands that a kernel reads again because the device's cache
/// does not hold them until then, as a model has it in which blocks run in
/// rounds and half of the cache is for what stays. In terms of the sizes of the
/// dimensions, which agree with `shape`.
AffineExpr getContractionRereadBytes(const TargetInfo &target,
                                     const ContractionSchedule &schedule,
                                     const ContractionShape &shape,
                                     AffineExpr batch, AffineExpr m,
                                     AffineExpr n, AffineExpr k);

/// Bytes of shared memory that the kernel needs.
int64_t getContractionSharedBytes(const ContractionSchedule &schedule,
                                  Type operandType, Type accumulatorType,
                                  int64_t numRhs);

/// Number of blocks: the extent of the grid, as a value computed from sizes.
/// `batch` may be null.
Value buildContractionGridSize(OpBuilder &builder, Location loc,
                               const ContractionSchedule &schedule, Value batch,
                               Value m, Value n);

//===----------------------------------------------------------------------===//
// Problem
//===----------------------------------------------------------------------===//

/// Elements of the results, in one row and neighbours along n, all in bounds.
struct ContractionElements {
  /// Position of the first one.
  Value batch, m, n;
  /// Number of elements.
  int64_t width = 1;
  /// For each right-hand side a `vector<width x accumulatorType>`, or just an
  /// `accumulatorType` when the width is 1.
  ArrayRef<Value> accumulators;
  /// Reads `width` elements from column `n` on, which must be a multiple of the
  /// width, of the same row and of any right-hand side; a scalar if the width
  /// is 1. The columns must lie in the block's tile (columns
  /// `[tileN * i, tileN * (i + 1))`). Null unless results pass through shared
  /// memory: `schedule.vector` is greater than the unit's width, or the
  /// schedule is skinny.
  std::function<Value(OpBuilder &builder, Location loc, unsigned rhs, Value n,
                      int64_t width)>
      read;
};

/// Consumes elements: computes what follows the product, and stores it.
using ContractionEpilogue = std::function<void(
    OpBuilder &builder, Location loc, const ContractionElements &elements)>;

/// What the kernel computes.
struct ContractionProblem {
  /// The type of the sums.
  Type accumulatorType;
  /// Extents; constants enable unmasked code. `batch` may be null, for 1.
  Value batch, m, n, k;
  /// The operands: A with rows along m and columns along k; the right-hand
  /// sides, one or more and of the same element type as A, with rows along k
  /// and columns along n. Their functions get one batch index, in [0, batch).
  OperandAccess a;
  SmallVector<OperandAccess, 2> b;
  /// Optional: computes what the operands' functions need of the rows of the
  /// block's tile, which start at row `m` of batch `batch`. All threads run it;
  /// a barrier follows.
  std::function<void(OpBuilder &builder, Location loc, Value batch, Value m)>
      prologue;
  ContractionEpilogue epilogue;
};

/// Emits the body of one block: `block` is its index in
/// `[0, buildContractionGridSize())`, `thread` the thread's index in the block.
/// `sharedMemory` is a `memref<?xi8>` (static, one-dimensional) of at least
/// `getContractionSharedBytes` in workgroup memory, aligned to 16 bytes. The
/// block's threads run the code together; they have passed no barrier after it.
/// Emits an error at `loc` and fails if the schedule can not compute the
/// problem.
LogicalResult buildContraction(OpBuilder &builder, Location loc,
                               const ContractionProblem &problem,
                               const ContractionSchedule &schedule, Value block,
                               Value thread, Value sharedMemory);

} // namespace mlir::fusion

#endif // FUSION_KERNELS_CONTRACTION_H
