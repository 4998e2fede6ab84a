//===- IndexSpace.h - Affine indices with ranges ----------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Index arithmetic at compile time. An element of a tensor is named by affine
// expressions over the dimensions of an IndexSpace; reshapes, transposes,
// slices and broadcasts compose and cancel by simplification under the ranges
// of the dimensions. Both legality analyses and the element emitter work on
// these expressions, so that what is proven is what is emitted.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_INDEXSPACE_H
#define FUSION_ANALYSIS_INDEXSPACE_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::fusion {

/// Dimensions with ranges. Dimension `d_i` of an expression is a run-time
/// integer in [0, bound); symbols are sizes of tensors, unknown but not
/// negative.
class IndexSpace {
public:
  explicit IndexSpace(MLIRContext *context) : context(context) {}

  MLIRContext *getContext() const { return context; }

  /// Adds a dimension with values in [0, bound). `bound` is an expression of
  /// symbols and constants.
  AffineExpr addDim(AffineExpr bound);
  /// Adds a dimension with values in [0, bound).
  AffineExpr addDim(int64_t bound) {
    return addDim(getAffineConstantExpr(bound, context));
  }
  /// Adds a dimension whose value may be any integer (data-dependent).
  AffineExpr addOpaqueDim();
  /// Adds a dimension that stands for `expr` where it is known to lie in
  /// [0, bound), as it does on one side of a condition.
  AffineExpr narrow(AffineExpr expr, AffineExpr bound);
  /// Puts what they stand for in place of narrowed dimensions.
  AffineExpr widen(AffineExpr expr);

  unsigned getNumDims() const { return bounds.size(); }
  /// The bound of a dimension; null for an opaque one.
  AffineExpr getBound(unsigned dim) const { return bounds[dim]; }

  AffineExpr constant(int64_t value) const {
    return getAffineConstantExpr(value, context);
  }

  /// An equal expression in canonical form: sums of products in a fixed order,
  /// with floordiv and mod removed or narrowed wherever the ranges allow.
  /// Equal expressions that differ only by linear arithmetic, or by undoing a
  /// linearisation, become identical.
  AffineExpr simplify(AffineExpr expr);

  /// Whether `expr` lies in [0, bound) for all values of dims and symbols.
  bool isWithin(AffineExpr expr, AffineExpr bound);

  /// The largest power of two (at most `limit`) that divides `expr` for all
  /// values of dims and symbols.
  int64_t getPowerOfTwoDivisor(AffineExpr expr, int64_t limit);

  /// The indices in row-major order of linear index `linear` in `shape`.
  SmallVector<AffineExpr> delinearize(AffineExpr linear,
                                      ArrayRef<AffineExpr> shape);
  /// The row-major linear index of `indices` in `shape`.
  AffineExpr linearize(ArrayRef<AffineExpr> indices,
                       ArrayRef<AffineExpr> shape);

private:
  MLIRContext *context;
  SmallVector<AffineExpr> bounds;
  /// What a narrowed dimension stands for.
  llvm::DenseMap<unsigned, AffineExpr> narrowed;
  llvm::DenseMap<AffineExpr, AffineExpr> cache;
};

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_INDEXSPACE_H
