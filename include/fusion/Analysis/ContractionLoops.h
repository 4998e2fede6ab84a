//===- ContractionLoops.h - The loops of a contraction ----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_CONTRACTIONLOOPS_H
#define FUSION_ANALYSIS_CONTRACTIONLOOPS_H

#include "fusion/Analysis/IndexSpace.h"
#include "fusion/Interfaces/FusibleOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir::fusion {

/// The loops of a contraction by their part, each in the order of the
/// operation: those of both operands and the result, of the left operand and
/// the result (rows), of the right operand and the result (columns), and of
/// both operands (the sum).
struct ContractionLoops {
  SmallVector<unsigned> batch, m, n, k;

  /// The loops of `op`; nullopt if it has others, or maps that are no
  /// projected permutations.
  static std::optional<ContractionLoops> get(linalg::LinalgOp op);

  /// The dimensions of the result that run along columns, outermost first.
  SmallVector<unsigned> getColumnDims(linalg::LinalgOp op) const;
};

/// Types of a contraction's elements as they are multiplied and added up.
struct ContractionTypes {
  /// f16 or bf16 where both operands are that (before exact extensions) and the
  /// sum is f32; else the type of the sum.
  Type operand;
  /// The type of the result, f32 for a narrow one.
  Type sum;

  bool operator==(const ContractionTypes &other) const {
    return operand == other.operand && sum == other.sum;
  }
};
ContractionTypes getContractionTypes(linalg::LinalgOp op, IndexSpace &space,
                                     ShapeAnalysis &shapes);

/// f16 or bf16.
bool isNarrowFloat(Type type);

/// The product of the bounds of the loops `dims`.
AffineExpr countIterations(IndexSpace &space, ArrayRef<unsigned> dims,
                           ArrayRef<AffineExpr> bounds);

/// Sets the loops `dims` of `loops` from their row-major linear index.
void setLoops(IndexSpace &space, ArrayRef<unsigned> dims,
              ArrayRef<AffineExpr> bounds, AffineExpr linear,
              IndexVector &loops);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_CONTRACTIONLOOPS_H
