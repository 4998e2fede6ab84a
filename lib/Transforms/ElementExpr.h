//===- ElementExpr.h - Elements of tensors as expressions -------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one element of a tensor is, as an expression of elements of other
// tensors. Views, transposes, broadcasts, fills and element-wise operations
// disappear into the expression, however they are spelled; contractions,
// reductions and arguments stay as leaves. Expressions are unique: two of them
// are equal if and only if their addresses are, so that `x` of `exp(x -
// max(x))` is found to be the same `x` whichever way it is reached.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_ELEMENTEXPR_H
#define FUSION_LIB_TRANSFORMS_ELEMENTEXPR_H

#include "fusion/Interfaces/FusibleOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/Support/Allocator.h"

namespace mlir::fusion {

enum class ExprKind {
  Float,   ///< A constant; `number`.
  Bool,    ///< A constant; `number` is 0 or 1.
  Integer, ///< `affine`, of the space's dimensions and sizes.
  Element, ///< Element `indices` of `value`, which is not looked into.
  Scalar,  ///< The scalar `value`, which is not looked into.
  // Of floats. Extensions are exact and vanish.
  Add,
  Sub,
  Mul,
  Div,
  Neg,
  Max, ///< `predicate` is 1 where a NaN loses (maxnumf).
  Min,
  Exp,
  Exp2,
  Tanh,
  Round, ///< Truncation to `type`.
  // Of conditions and integers.
  Select,
  CompareFloat, ///< `predicate` is an arith::CmpFPredicate.
  CompareInt,   ///< `predicate` is an arith::CmpIPredicate.
  And,
  Or,
  Not,
  IntAdd,
  IntSub,
  IntMul,
  ToFloat, ///< `predicate` is 1 for an unsigned integer.
  Other,   ///< Any other pure operation, `op` with its attributes.
};

/// A unique expression; see the file's comment.
class ElementExpr : public llvm::FoldingSetNode {
public:
  using Ref = const ElementExpr *;

  ExprKind kind = ExprKind::Other;
  uint64_t predicate = 0;
  double number = 0;
  AffineExpr affine;
  Value value;
  IndexVector indices;
  SmallVector<Ref, 3> operands;
  /// The type of the value; for constants and `Integer`, null.
  Type type;
  /// The operation that this comes from, for diagnostics and `Other`.
  Operation *op = nullptr;
  /// Tensors, and which element, that hold this very value; the one nearest to
  /// the function's arguments first.
  mutable SmallVector<std::pair<Value, IndexVector>, 2> origins;

  bool is(ExprKind other) const { return kind == other; }
  bool isFloat(double other) const {
    return kind == ExprKind::Float && number == other;
  }
  void Profile(llvm::FoldingSetNodeID &id) const;
};

using ExprRef = ElementExpr::Ref;

/// `expr` without the roundings around it.
ExprRef stripRounding(ExprRef expr);

/// Calls `callback` for `expr` and, unless that returns false, for what it is
/// made of.
void walkExpr(ExprRef expr, llvm::function_ref<bool(ExprRef)> callback);

/// A reduction at one element, seen at one step of its loop.
struct ReductionStep {
  linalg::LinalgOp op;
  /// Max, Add or And.
  ExprKind combiner;
  /// Whether NaN loses against any number (Max).
  bool ignoresNaN = false;
  ExprRef init;
  /// What the step adds to the accumulator.
  ExprRef body;
};

/// Makes expressions, and remembers them. Tensors must not change in between.
class ElementEvaluator {
public:
  /// With `exactRounding`, roundings are operations like any other, which
  /// nothing strips.
  ElementEvaluator(IndexSpace &space, ShapeAnalysis &shapes,
                   bool exactRounding = false)
      : space(space), shapes(shapes), exactRounding(exactRounding) {}

  IndexSpace &getSpace() { return space; }
  ShapeAnalysis &getShapes() { return shapes; }

  /// Element `indices` of `tensor`.
  ExprRef getElement(Value tensor, ArrayRef<AffineExpr> indices);
  /// A scalar of the function's body.
  ExprRef getScalar(Value scalar);

  /// Looks into a leaf that a reduction computes. The loop's position is
  /// `position`, in [0, bound). Fails where the leaf is no reduction with one
  /// loop of that many steps, or combines in another way than `ReductionStep`
  /// can say.
  FailureOr<ReductionStep> expandReduction(ExprRef leaf, AffineExpr position,
                                           AffineExpr bound);

  /// The operations that any expression made so far looks through.
  const llvm::DenseSet<Operation *> &getVisited() const { return visited; }
  void markVisited(Operation *op) { visited.insert(op); }

  //===--------------------------------------------------------------------===//
  // Construction, with folding
  //===--------------------------------------------------------------------===//

  ExprRef getFloat(double value);
  ExprRef getBool(bool value);
  ExprRef getInteger(AffineExpr expr);
  ExprRef getUnary(ExprKind kind, ExprRef operand, Type type,
                   Operation *op = nullptr, uint64_t predicate = 0);
  ExprRef getBinary(ExprKind kind, ExprRef lhs, ExprRef rhs, Type type,
                    Operation *op = nullptr, uint64_t predicate = 0);
  ExprRef getSelect(ExprRef condition, ExprRef yes, ExprRef no, Type type,
                    Operation *op = nullptr);
  ExprRef getNot(ExprRef condition, Operation *op = nullptr);
  /// `expr` times a constant, in f32 or the type of `expr`.
  ExprRef getScaled(ExprRef expr, double factor);

  /// The iteration indices at which `op` writes element `indices` of `result`,
  /// null for the dimensions that the result's map lacks; failure where the map
  /// is no permutation.
  static FailureOr<IndexVector> getLoops(linalg::LinalgOp op, unsigned result,
                                         ArrayRef<AffineExpr> indices);
  /// The sizes of the iteration space of `op`.
  SmallVector<AffineExpr> getBounds(linalg::LinalgOp op);
  IndexVector applyMap(AffineMap map, ArrayRef<AffineExpr> loops);

private:
  using Bindings = llvm::DenseMap<Value, ExprRef>;

  ExprRef unique(ElementExpr &&expr);
  ExprRef getLeaf(Value tensor, ArrayRef<AffineExpr> indices);
  ExprRef evaluateElement(Value tensor, ArrayRef<AffineExpr> indices);
  ExprRef evaluateLinalg(linalg::LinalgOp op, unsigned result,
                         ArrayRef<AffineExpr> indices);
  /// The value `scalar`, in the body of `op` at `loops` where `op` is not null.
  ExprRef evaluateScalar(Value scalar, linalg::LinalgOp op,
                         ArrayRef<AffineExpr> loops, Bindings &bindings);
  ExprRef evaluateOp(Operation *op, ArrayRef<ExprRef> operands);
  ExprRef evaluateConstant(Attribute attribute);
  /// An element of what joins tensors, where it is known of which one; null
  /// otherwise.
  ExprRef evaluateJoined(Operation *op, ArrayRef<AffineExpr> indices);
  /// An element of a table of constants that follow a rule: integers that are
  /// linear in the indices, and two values in a band around a diagonal. Null
  /// otherwise.
  ExprRef evaluateTable(DenseElementsAttr table, ArrayRef<AffineExpr> indices);
  ExprRef evaluateIntegers(DenseIntElementsAttr table,
                           ArrayRef<AffineExpr> indices);
  ExprRef foldBound(ExprRef condition, ExprRef yes, ExprRef no, Type type,
                    Operation *op);
  ExprRef getCompareInt(arith::CmpIPredicate predicate, ExprRef lhs,
                        ExprRef rhs, Type type, Operation *op);

  IndexSpace &space;
  ShapeAnalysis &shapes;
  bool exactRounding;
  llvm::SpecificBumpPtrAllocator<ElementExpr> allocator;
  llvm::FoldingSet<ElementExpr> set;
  llvm::DenseMap<Value, SmallVector<std::pair<IndexVector, ExprRef>, 1>>
      elements;
  Bindings scalars;
  llvm::DenseSet<Operation *> visited;
  unsigned depth = 0;
};

/// Whether `op` is a sum of products of two operands (each extended or not),
/// added to its init.
bool isSumOfProducts(linalg::LinalgOp op);

} // namespace mlir::fusion

#endif // FUSION_LIB_TRANSFORMS_ELEMENTEXPR_H
