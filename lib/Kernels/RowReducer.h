//===- RowReducer.h - Reductions of a row by a team of threads ---*- C++
//-*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some threads of a block (a warp, or several) share a row. A phase is one
// reduction: elements to a partial value per thread, then shuffles, then shared
// memory. Its result is an element like any other from then on, which the next
// phase, or what follows, pulls.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_KERNELS_ROWREDUCER_H
#define FUSION_LIB_KERNELS_ROWREDUCER_H

#include "fusion/Analysis/RowPrologue.h"
#include "fusion/Kernels/GroupKernel.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// Threads of a warp, on every target.
inline constexpr int64_t kWarpThreads = 32;

/// The threads that share a row, and the part of the row that each of them has.
struct RowTeam {
  /// The number of threads: 32 or less than that, or a multiple of 32.
  int64_t size = 32;
  /// Rows that the block works on at the same time, each with a team.
  int64_t numRows = 1;
  /// Neighbours in a row that a thread takes at a time; divides the row.
  int64_t vector = 1;
  /// The index of the thread in its team, and of the team in the block.
  Value thread, row;
  /// Where a thread keeps its elements in registers: its groups of `vector`
  /// columns, and whether each lies in the row (null: always). Empty where it
  /// reads them anew in each phase.
  SmallVector<std::pair<AffineExpr, Value>> slots;
};

/// Reduces one row of a team. All threads of the block run the same code.
class RowReducer {
public:
  /// `elements` names the row's elements, with the dimension `column` for the
  /// column, of which there are `columns`.
  RowReducer(GroupKernel &kernel, const RowTeam &team, RowElements &elements,
             AffineExpr column, AffineExpr columns)
      : kernel(kernel), team(team), elements(elements), column(column),
        chunks(kernel.getSpace().simplify(columns.floorDiv(team.vector))),
        builder(kernel.getBuilder()), loc(kernel.getLoc()),
        emitter(kernel.emitter), space(kernel.getSpace()) {}

  /// A step of the walk over a row: gets the column of the first of `vector`
  /// neighbours and whether they lie in the row (null: always).
  using StepFn = function_ref<LogicalResult(AffineExpr column, Value inside,
                                            SmallVectorImpl<Value> &carried)>;
  /// Calls `body` for all elements of the thread.
  LogicalResult walkRow(StepFn body, SmallVectorImpl<Value> &carried);
  /// Reduces the row; the results are known elements then.
  LogicalResult reduce(linalg::LinalgOp op);
  /// The element of `value` at a column of the row.
  IndexVector at(Value value, AffineExpr column);

private:
  LogicalResult accumulate(linalg::LinalgOp op, AffineExpr first, Value inside,
                           SmallVectorImpl<Value> &partials);
  /// Combines values as they are carried (RunningSums.h).
  Value combine(Operation *combiner, Value lhs, Value rhs);
  Value shuffle(Value value, int64_t distance);
  /// Combines the values of a team's threads; each of them gets the result. A
  /// team of several warps must not call it again before a barrier.
  Value allReduce(Operation *combiner, Value value);

  GroupKernel &kernel;
  const RowTeam &team;
  RowElements &elements;
  AffineExpr column, chunks;
  OpBuilder &builder;
  Location loc;
  ElementEmitter &emitter;
  IndexSpace &space;
};

} // namespace mlir::fusion

#endif // FUSION_LIB_KERNELS_ROWREDUCER_H
