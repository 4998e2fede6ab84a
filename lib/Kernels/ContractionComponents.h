//===- ContractionComponents.h - Products of a group ------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the contraction template computes of a group: which loops of its heroes
// are m, n and k, which heroes go together, what they need and where it goes.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_KERNELS_CONTRACTIONCOMPONENTS_H
#define FUSION_LIB_KERNELS_CONTRACTIONCOMPONENTS_H

#include "HeroOperands.h"
#include "fusion/Analysis/ContractionLoops.h"
#include "fusion/Analysis/RowPrologue.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::fusion {

/// Heroes that one pass over the tiles computes.
struct ContractionComponent {
  SmallVector<linalg::LinalgOp> heroes;
  ContractionLoops loops;
  SmallVector<AffineExpr> bounds; // of the loops
  /// For each output of the group, its indices as a function of the template
  /// dimensions; nothing for outputs of other components.
  SmallVector<std::optional<IndexVector>> outputs;
  /// The columns that an element of an output is computed from.
  ColumnGroup columns;
  /// What the left operand needs of its rows, as functions of the dimensions
  /// for the batch and the row.
  RowPrologue prologue;
  LeftRows left;
  Type operandType, accumulatorType;
};

/// Splits a group into components. Failure (silent) if the template cannot
/// compute it.
FailureOr<SmallVector<ContractionComponent, 1>>
analyzeContractions(GroupOp group, IndexSpace &space, ShapeAnalysis &shapes);

/// The cast that the body applies to an operand before the product; null for
/// none. Failure if the body is no plain product.
FailureOr<Operation *> getBodyCast(linalg::LinalgOp op, unsigned operand);

} // namespace mlir::fusion

#endif // FUSION_LIB_KERNELS_CONTRACTIONCOMPONENTS_H
