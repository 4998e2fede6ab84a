//===- ShapeAnalysis.h - Symbolic sizes of tensors --------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_SHAPEANALYSIS_H
#define FUSION_ANALYSIS_SHAPEANALYSIS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::fusion {

/// Gives every dimension of every tensor below an operation a constant or an
/// affine expression of symbols, such that sizes that the semantics of the
/// operations force to be equal get the same expression. A symbol stands for a
/// class of equal unknown sizes.
class ShapeAnalysis {
public:
  /// A dynamic size: dimension `dim` of tensor `value`, or, with `dim` -1, the
  /// integer `value`.
  struct Size {
    Value value;
    int64_t dim;
  };

  /// Collects the equalities below `root` (a function, a group, a module).
  explicit ShapeAnalysis(Operation *root);

  /// Dimension `dim` of `tensor`.
  AffineExpr getDim(Value tensor, unsigned dim);
  /// All dimensions of `tensor`.
  SmallVector<AffineExpr> getShape(Value tensor);
  /// An integer or index scalar. Never null: what is not understood becomes a
  /// symbol of its own.
  AffineExpr getScalar(Value scalar);

  /// Says what the dimensions of a tensor are that was made after the analysis.
  void setShape(Value tensor, ArrayRef<AffineExpr> shape);

  unsigned getNumSymbols() const { return symbolRoots.size(); }
  /// The sizes known to equal a symbol, in the order of the program.
  ArrayRef<Size> getSizes(unsigned symbol) const;

private:
  using Key = std::pair<void *, int64_t>;
  struct Definition {
    enum Kind { Product, Sum, Quotient, Affine } kind;
    SmallVector<Key> operands;
    SmallVector<int64_t> constants; // factors, addends, or the divisor
    AffineExpr expr;                // for Affine: over d0.. = operands
  };

  void visit(Operation *op);
  Key keyOf(Value value, int64_t dim);
  unsigned idOf(Key key);
  unsigned find(unsigned id);
  void unite(Key a, Key b);
  /// The two dimensions are equal; either may be static.
  void uniteDims(Value a, unsigned dimA, Value b, unsigned dimB);
  void setConstant(Key key, int64_t value);
  void define(Key key, Definition definition);
  /// Records `scalar` (an SSA integer or a constant attribute) as the size.
  void uniteWithFold(Value tensor, unsigned dim, OpFoldResult size);
  void addOperand(Definition &definition, Value tensor, unsigned dim);
  AffineExpr resolve(Key key, unsigned depth);

  MLIRContext *context;
  llvm::DenseMap<Key, unsigned> ids;
  SmallVector<Size> sizes;                             // per id
  SmallVector<unsigned> parents;                       // per id
  llvm::DenseMap<unsigned, int64_t> constants;         // per root
  llvm::DenseMap<unsigned, Definition> definitions;    // per root
  llvm::DenseMap<unsigned, SmallVector<Size>> members; // per root
  llvm::DenseMap<unsigned, unsigned> symbols;          // per root
  SmallVector<unsigned> symbolRoots;
  llvm::DenseMap<unsigned, AffineExpr> resolved; // per root
};

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_SHAPEANALYSIS_H
