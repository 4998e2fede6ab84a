//===- ElementFlow.h - Which elements come from which -----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_ELEMENTFLOW_H
#define FUSION_ANALYSIS_ELEMENTFLOW_H

#include "fusion/Interfaces/FusibleOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// The results of `map` at the iteration indices `loops`, simplified.
IndexVector applyMap(IndexSpace &space, AffineMap map,
                     ArrayRef<AffineExpr> loops);

/// The sizes of the iteration space; null for a dimension that no operand has
/// alone as an index.
SmallVector<AffineExpr> getLoopBounds(linalg::LinalgOp op,
                                      ShapeAnalysis &shapes);

/// The operand that a structured operation copies, transposes, broadcasts or
/// exactly extends, if that is all it does; else null.
OpOperand *getCopiedOperand(linalg::LinalgOp op);

/// An element of a value, named by an element of the value that it copies or
/// exactly widens.
struct ResolvedElement {
  Value value;
  IndexVector indices;
};

/// Follows `value` at `indices` back through views, transposes, broadcasts and
/// exact extensions of floats.
ResolvedElement resolveElement(IndexSpace &space, ShapeAnalysis &shapes,
                               Value value, ArrayRef<AffineExpr> indices);

/// Follows the element `indices` of `heroResults` forward through `ops` (in the
/// order of the program): for each value the only element that depends on it.
llvm::DenseMap<Value, IndexVector> pushElements(IndexSpace &space,
                                                ShapeAnalysis &shapes,
                                                ArrayRef<Operation *> ops,
                                                ArrayRef<Value> heroResults,
                                                ArrayRef<AffineExpr> indices);

/// Which columns of a row an element is computed from, beside its own: those of
/// the same aligned group of `extent` columns whose distance is a multiple of
/// `stride`. The halves of a head that a rotation mixes are a group of the
/// head's size, half of it apart. Both are 1 where an element needs none.
struct ColumnGroup {
  int64_t extent = 1, stride = 1;

  bool isSingle() const { return extent == 1; }
  /// The number of columns that an element may need.
  int64_t getCount() const { return extent / stride; }
  bool operator==(const ColumnGroup &other) const {
    return extent == other.extent && stride == other.stride;
  }
};

/// Where an element of a hero's result goes.
struct OutputFlow {
  /// For each output the indices of the element that is computed in its place;
  /// nothing for an output that does not depend on the hero.
  SmallVector<std::optional<IndexVector>> outputs;
  ColumnGroup columns;
};

/// Finds, for each of `outputs`, computed by `ops`, the element that is
/// computed in the place of element `indices` of `heroResults`. Failure where
/// an output needs elements of a result at other indices, except for those that
/// differ only in `columnDims` (dimensions of the results, outermost first) and
/// lie in one ColumnGroup.
FailureOr<OutputFlow> pushToOutputs(IndexSpace &space, ShapeAnalysis &shapes,
                                    ArrayRef<Operation *> ops,
                                    ArrayRef<Value> outputs,
                                    ArrayRef<Value> heroResults,
                                    ArrayRef<AffineExpr> indices,
                                    ArrayRef<unsigned> columnDims = {});

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_ELEMENTFLOW_H
