//===- RowPrologue.h - What an operand needs of its whole row ---*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The left operand of a product may be a norm: each element needs reductions of
// its row. They are computed once for the rows of a block's tile, before the
// products, up to the values that all elements of a row share (the factor of an
// RMSNorm; mean and factor of a LayerNorm).
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_ROWPROLOGUE_H
#define FUSION_ANALYSIS_ROWPROLOGUE_H

#include "fusion/Analysis/ContractionLoops.h"
#include "fusion/Analysis/RowElements.h"

namespace mlir::fusion {

/// A matrix operand that is computed from reductions of its rows.
struct RowPrologue {
  /// A value of which a row has one element, and the indices of that.
  struct RowValue {
    Value value;
    IndexVector indices;
  };

  /// The operations that compute the operand, in the order of the program.
  SmallVector<Operation *> ops;
  /// The reductions among them; none if the operand needs no prologue.
  SmallVector<linalg::LinalgOp> reductions;
  /// The values per row that elements of the operand are computed from.
  SmallVector<RowValue> rowValues;

  bool isEmpty() const { return reductions.empty(); }
};

/// Rows and columns of a matrix operand: its element at `row` (below `rows`)
/// and `column` (a dimension below `columns`) has the indices `indices`.
struct MatrixRows {
  AffineExpr row, rows, column, columns;
  IndexVector indices;
};

/// Finds what `operand`, computed by operations among `ops` (in the order of
/// the program), needs of its rows. Failure if it needs reductions of other
/// rows, or of part of a row.
FailureOr<RowPrologue> findRowPrologue(IndexSpace &space, ShapeAnalysis &shapes,
                                       ArrayRef<Operation *> ops, Value operand,
                                       const MatrixRows &matrix);

/// The left operand of a contraction as a matrix: the rows of all batches.
struct LeftRows {
  MatrixRows rows;
  /// The dimensions, for the batch and for the row in it, of which `rows.row`
  /// is an expression.
  std::array<AffineExpr, 2> dims;
};
LeftRows getLeftRows(IndexSpace &space, linalg::LinalgOp contraction,
                     const ContractionLoops &loops,
                     ArrayRef<AffineExpr> bounds);

/// Whether threads that share a row can reduce it with `op`: each result by one
/// operation that has a neutral element.
bool canReduceRows(linalg::LinalgOp op);

/// The operation that combines partial values of result `index` of a
/// reduction; null if there is no such single operation.
Operation *getCombiner(linalg::LinalgOp op, unsigned index);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_ROWPROLOGUE_H
