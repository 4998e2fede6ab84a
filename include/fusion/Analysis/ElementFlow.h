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

/// For each of `outputs`, computed by `ops`, the indices of the element that is
/// computed from the element `indices` of `heroResults`; an empty vector for an
/// output that does not depend on them. Failure where an output needs several
/// elements of a result, or an element at other indices.
FailureOr<SmallVector<IndexVector>>
pushToOutputs(IndexSpace &space, ShapeAnalysis &shapes,
              ArrayRef<Operation *> ops, ArrayRef<Value> outputs,
              ArrayRef<Value> heroResults, ArrayRef<AffineExpr> indices);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_ELEMENTFLOW_H
