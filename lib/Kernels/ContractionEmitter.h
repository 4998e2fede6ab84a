//===- ContractionEmitter.h - Parts of the contraction ----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout of shared memory, and the way from accumulators to the epilogue.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_KERNELS_CONTRACTIONEMITTER_H
#define FUSION_LIB_KERNELS_CONTRACTIONEMITTER_H

#include "fusion/Kernels/Contraction.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "fusion/Kernels/MatrixUnit.h"

namespace mlir::fusion {

/// Bytes of one element in memory.
int64_t getElementBytes(Type type);

/// Where the tiles of the pipeline and of the epilogue lie in shared memory.
struct ContractionMemory {
  /// The order in which tiles of A and of each right-hand side are stored.
  TileOrder orderA = TileOrder::KContiguous;
  SmallVector<TileOrder, 2> orderB;
  SharedLayout layoutA;
  SmallVector<SharedLayout, 2> layoutB;
  /// Byte offsets of the stages of A and of each right-hand side.
  int64_t offsetA = 0;
  SmallVector<int64_t, 2> offsetB;
  int64_t pipelineBytes = 0;

  /// Results on their way to the epilogue: `stagedRows` rows of each right-hand
  /// side at a time, `stagedStride` elements apart; in `passes` passes, each of
  /// `tilesPerPass` of the instruction's tiles of every warp. No pass: results
  /// go to the epilogue straight from registers.
  int64_t passes = 0, tilesPerPass = 0, stagedRows = 0, stagedStride = 0;
  int64_t stagedBytes = 0;

  int64_t getBytes() const { return std::max(pipelineBytes, stagedBytes); }
};

/// Lays out shared memory of the tiled template, given the order of the tiles.
ContractionMemory layOutContraction(const ContractionSchedule &schedule,
                                    const MatrixUnit &unit, TileOrder orderA,
                                    ArrayRef<TileOrder> orderB);

/// Which of an operand's dimensions its tile is best stored along.
TileOrder getTileOrder(const OperandAccess &access, MatrixOperand operand,
                       const MatrixUnit &unit);

/// Rows of numbers in shared memory, which threads read in groups of `vector`
/// neighbours; laid out so that groups of 32 bytes, which take two accesses,
/// meet no bank conflicts.
class SharedRows {
public:
  /// `memory` holds `numRhs` tiles of `rows` rows and `columns` columns.
  SharedRows(Value memory, int64_t numRhs, int64_t rows, int64_t columns,
             int64_t stride, int64_t vector)
      : memory(memory), numRhs(numRhs), rows(rows), columns(columns),
        stride(stride), vector(vector) {}

  int64_t getRows() const { return rows; }
  int64_t getColumns() const { return columns; }
  int64_t getNumRhs() const { return numRhs; }
  int64_t getVector() const { return vector; }

  /// Stores a vector (or scalar) of neighbours in one row, at a multiple of its
  /// width.
  void write(OpBuilder &builder, Location loc, unsigned rhs, Value row,
             Value column, Value elements) const;
  /// Reads `width` neighbours; a scalar if it is 1. `column` is a multiple of
  /// `width`.
  Value read(OpBuilder &builder, Location loc, unsigned rhs, Value row,
             Value column, int64_t width) const;

private:
  Value getOffset(OpBuilder &builder, Location loc, unsigned rhs, Value row,
                  Value column) const;
  Type getElementType() const {
    return cast<MemRefType>(memory.getType()).getElementType();
  }
  bool isSwizzled() const;
  /// Whether `width` elements, in a swizzled layout, are in two places.
  bool isSplit(int64_t width) const;

  Value memory;
  int64_t numRhs, rows, columns, stride, vector;
};

/// The block's position in the problem.
struct ContractionPosition {
  Value batch, m, n;
  /// Whether all rows (columns) of every block's tile are in bounds.
  bool hasAllRows = false, hasAllColumns = false;
};

/// Hands all elements of `results` to the epilogue; the block's threads share
/// the work. `getRow` maps a row of the results to the distance from the
/// position's row.
void buildStagedEpilogue(OpBuilder &builder, Location loc,
                         const ContractionProblem &problem,
                         const ContractionPosition &position,
                         const SharedRows &results, Value thread,
                         int64_t threads,
                         llvm::function_ref<Value(Value)> getRow);

/// Calls the epilogue for `width` elements that start at (`m`, `n`), under the
/// bounds that constants do not settle. `getElements` gives the elements of
/// each right-hand side from `first` on, `width` of them; `read` is passed on.
void buildGuardedEpilogue(
    OpBuilder &builder, Location loc, const ContractionProblem &problem,
    const ContractionPosition &position, Value m, Value n, int64_t width,
    llvm::function_ref<SmallVector<Value>(OpBuilder &, Value first,
                                          int64_t width)>
        getElements,
    llvm::function_ref<Value(OpBuilder &, Location, unsigned rhs, Value n,
                             int64_t width)>
        read);

/// Finds the block's position: batches outermost, then groups of rows of tiles,
/// so that blocks that run together share tiles of both operands.
ContractionPosition buildTilePosition(OpBuilder &builder, Location loc,
                                      const ContractionProblem &problem,
                                      const ContractionSchedule &schedule,
                                      Value block);

/// Emits the problem's prologue, if it has one, and a barrier.
void buildPrologue(OpBuilder &builder, Location loc,
                   const ContractionProblem &problem,
                   const ContractionPosition &position);

/// The skinny template.
void buildSkinnyContraction(OpBuilder &builder, Location loc,
                            const ContractionProblem &problem,
                            const ContractionSchedule &schedule, Value block,
                            Value thread, Value sharedMemory);

/// The depth of a skinny tile is a multiple of this, for each warp: what 32
/// lanes read at a time, of up to 8 rows of B or 8 elements of a row.
inline constexpr int64_t kSkinnyDepth = 256;

/// Bytes of shared memory of the skinny template.
int64_t getSkinnySharedBytes(const ContractionSchedule &schedule,
                             Type accumulatorType, int64_t numRhs);

} // namespace mlir::fusion

#endif // FUSION_LIB_KERNELS_CONTRACTIONEMITTER_H
