//===- RowElements.h - Elements of rows -------------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_ROWELEMENTS_H
#define FUSION_ANALYSIS_ROWELEMENTS_H

#include "fusion/Interfaces/FusibleOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// The rows that a reduction runs over, and the columns of each: the products
/// of its parallel and of its reduction loops.
struct RowDomain {
  AffineExpr rows, columns;
  bool operator==(const RowDomain &other) const {
    return rows == other.rows && columns == other.columns;
  }
};
/// Nullopt if `op` reduces nothing, or if a loop's size is not known.
std::optional<RowDomain> getRowDomain(linalg::LinalgOp op, IndexSpace &space,
                                      ShapeAnalysis &shapes);

/// Names, for a set of operations with reductions over the same rows and
/// columns, the element of each value that belongs to row `row` (and column
/// `column`). Softmax and norms are such sets: row reductions, and element-wise
/// operations before, between and after them.
class RowElements {
public:
  RowElements(IndexSpace &space, ShapeAnalysis &shapes, AffineExpr row,
              AffineExpr column)
      : space(space), shapes(shapes), row(row), column(column) {}

  /// Assigns elements to all results of `ops` (in the order of the program) and
  /// checks that each output, at its element, reads the reductions at theirs.
  /// Failure if not, or if an output has no element.
  LogicalResult assign(ArrayRef<Operation *> ops, ArrayRef<Value> outputs);

  /// The element of `value`; empty if it has none.
  IndexVector lookup(Value value) const { return elements.lookup(value); }
  /// The loops of a reduction at this row and column.
  IndexVector getLoops(linalg::LinalgOp reduction);
  /// The reductions among the operations, in order.
  ArrayRef<linalg::LinalgOp> getReductions() const { return reductions; }
  /// Whether `value` is computed from one of them.
  bool dependsOnReduction(Value value);

private:
  bool checkPull(Value value, ArrayRef<AffineExpr> indices);

  IndexSpace &space;
  ShapeAnalysis &shapes;
  AffineExpr row, column;
  SmallVector<linalg::LinalgOp> reductions;
  llvm::DenseMap<Value, IndexVector> elements;
  llvm::DenseMap<Operation *, bool> depends;
  llvm::SmallPtrSet<Operation *, 16> inside;
};

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_ROWELEMENTS_H
