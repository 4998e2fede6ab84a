//===- AttentionOperands.cpp - Maps and sizes of operands -----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

FailureOr<IndexVector> fusion::getMapResults(ElementEvaluator &evaluator,
                                             const OperandElement &element,
                                             const AttentionDims &dims,
                                             ArrayRef<unsigned> required,
                                             ArrayRef<unsigned> allowed) {
  IndexSpace &space = evaluator.getSpace();
  IndexVector results;
  llvm::SmallDenseSet<unsigned> present;
  unsigned special[] = {dims.query, dims.width, dims.key, dims.value};
  for (auto [i, expr] : llvm::enumerate(element.indices)) {
    bool hasSymbol = false;
    expr.walk(
        [&](AffineExpr part) { hasSymbol |= isa<AffineSymbolExpr>(part); });
    if (hasSymbol)
      return failure();
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && llvm::is_contained(special, dim.getPosition())) {
      unsigned position = dim.getPosition();
      if ((!llvm::is_contained(required, position) &&
           !llvm::is_contained(allowed, position)) ||
          !present.insert(position).second ||
          space.simplify(evaluator.getShapes().getDim(element.tensor, i)) !=
              space.getBound(position))
        return failure();
    } else {
      for (unsigned position : special)
        if (expr.isFunctionOfDim(position))
          return failure();
    }
    results.push_back(expr);
  }
  // A dimension of one value is 0 in expressions: any result that is 0 along a
  // tensor's dimension of one element can stand for it. The last ones are next
  // to the width, where exporters put them.
  for (unsigned position : llvm::reverse(required)) {
    if (present.contains(position))
      continue;
    if (space.getBound(position) != space.constant(1))
      return failure();
    bool placed = false;
    for (size_t i = results.size(); i-- > 0 && !placed;) {
      if (results[i] != space.constant(0) ||
          space.simplify(evaluator.getShapes().getDim(element.tensor, i)) !=
              space.constant(1))
        continue;
      results[i] = getAffineDimExpr(position, space.getContext());
      placed = true;
    }
    if (!placed)
      return failure();
  }
  return results;
}

/// Cuts `element` to the part that the dimensions `required` run over, where
/// they start behind the tensor's first element or end before its last.
static bool cutToDims(ElementEvaluator &evaluator, OpBuilder &builder,
                      Operation *anchor, ArrayRef<unsigned> required,
                      OperandElement &element) {
  IndexSpace &space = evaluator.getSpace();
  ShapeAnalysis &shapes = evaluator.getShapes();
  Location loc = anchor->getLoc();
  SmallVector<AffineExpr> known = shapes.getShape(element.tensor);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, element.tensor);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0)),
      strides(sizes.size(), builder.getIndexAttr(1));
  IndexVector indices(element.indices);
  bool changed = false;
  for (auto [i, index] : llvm::enumerate(indices))
    for (unsigned position : required) {
      AffineExpr dim = getAffineDimExpr(position, space.getContext());
      AffineExpr bound = space.getBound(position);
      auto first = dyn_cast<AffineConstantExpr>(space.simplify(index - dim));
      if (!index.isFunctionOfDim(position) || !first || first.getValue() < 0 ||
          space.simplify(known[i]) == bound)
        continue;
      FailureOr<Value> size = buildSize(builder, loc, shapes, anchor, bound);
      if (failed(size))
        return false;
      offsets[i] = builder.getIndexAttr(first.getValue());
      sizes[i] = getAsOpFoldResult(*size);
      known[i] = bound;
      index = dim;
      changed = true;
    }
  if (!changed)
    return false;
  element.tensor = tensor::ExtractSliceOp::create(builder, loc, element.tensor,
                                                  offsets, sizes, strides);
  element.indices = indices;
  shapes.setShape(element.tensor, known);
  return true;
}

/// Gives `element` dimensions of one value for those of `required` that have
/// one and are in none of its indices.
static bool addUnitDims(ElementEvaluator &evaluator, OpBuilder &builder,
                        Operation *anchor, ArrayRef<unsigned> required,
                        OperandElement &element) {
  IndexSpace &space = evaluator.getSpace();
  int64_t count = llvm::count_if(required, [&](unsigned position) {
    return space.getBound(position) == space.constant(1) &&
           llvm::none_of(element.indices, [&](AffineExpr index) {
             return index.isFunctionOfDim(position);
           });
  });
  auto type = cast<RankedTensorType>(element.tensor.getType());
  int64_t rank = type.getRank();
  if (count == 0 || rank == 0)
    return false;
  // In front of the last dimension, where exporters put them.
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.end() - 1, count, 1);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, anchor->getLoc(), element.tensor);
  sizes.insert(sizes.end() - 1, count, builder.getIndexAttr(1));
  SmallVector<ReassociationIndices> reassociation;
  for (int64_t i = 0; i < rank; ++i)
    reassociation.push_back({i});
  for (int64_t i = 0; i < count; ++i)
    reassociation.back().push_back(rank + i);
  SmallVector<AffineExpr> known =
      evaluator.getShapes().getShape(element.tensor);
  known.insert(known.end() - 1, count, space.constant(1));
  element.tensor = tensor::ExpandShapeOp::create(
      builder, anchor->getLoc(),
      RankedTensorType::get(shape, type.getElementType()), element.tensor,
      reassociation, sizes);
  evaluator.getShapes().setShape(element.tensor, known);
  element.indices.insert(element.indices.end() - 1, count, space.constant(0));
  return true;
}

bool fusion::fitToDims(ElementEvaluator &evaluator, OpBuilder &builder,
                       Operation *anchor, ArrayRef<unsigned> required,
                       OperandElement &element) {
  bool isCut = cutToDims(evaluator, builder, anchor, required, element);
  return addUnitDims(evaluator, builder, anchor, required, element) || isCut;
}

SmallVector<OperandChoice> fusion::findHolders(ElementEvaluator &evaluator,
                                               Value tensor,
                                               ArrayRef<AffineExpr> indices,
                                               bool mayScale) {
  SmallVector<OperandChoice> choices;
  double scale = 1;
  for (ExprRef expr = evaluator.getElement(tensor, indices); expr;
       expr = mayScale ? peelFactor(expr, scale) : nullptr) {
    SmallVector<OperandChoice> here;
    for (auto &[holder, at] : expr->origins)
      here.push_back({{holder, at}, scale});
    choices.insert(choices.begin(), here.begin(), here.end());
  }
  return choices;
}

void fusion::splitBatch(IndexSpace &space, AttentionDims &dims,
                        SmallVectorImpl<IndexVector> &indices, size_t output) {
  auto dim = [&](unsigned position) {
    return getAffineDimExpr(position, space.getContext());
  };
  for (unsigned round = 0; round < 8; ++round) {
    // A batch dimension that the query's indices divide by a constant. (What
    // divides it in keys only is a group of heads: `h floordiv 4`.)
    std::optional<unsigned> split;
    int64_t factor = 0;
    for (AffineExpr result : indices.front())
      result.walk([&](AffineExpr part) {
        if (split || (part.getKind() != AffineExprKind::FloorDiv &&
                      part.getKind() != AffineExprKind::Mod))
          return;
        auto binary = cast<AffineBinaryOpExpr>(part);
        auto dividend = dyn_cast<AffineDimExpr>(binary.getLHS());
        auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
        if (!dividend || !divisor || divisor.getValue() <= 1)
          return;
        AffineExpr bound = space.getBound(dividend.getPosition());
        AffineExpr quotient =
            space.simplify(bound.floorDiv(divisor.getValue()));
        if (space.simplify(quotient * divisor.getValue()) != bound)
          return;
        split = dividend.getPosition();
        factor = divisor.getValue();
      });
    if (!split)
      return;
    // The dimension keeps its place for the quotient; the rest is a new one.
    IndexSpace next(space.getContext());
    SmallVector<AffineExpr> replacements;
    for (unsigned i = 0; i < space.getNumDims(); ++i) {
      AffineExpr bound = space.getBound(i);
      replacements.push_back(next.addDim(
          i == *split ? space.simplify(bound.floorDiv(factor)) : bound));
    }
    AffineExpr rest = next.addDim(factor);
    replacements[*split] = replacements[*split] * factor + rest;
    SmallVector<IndexVector> rewritten;
    for (const IndexVector &map : indices) {
      IndexVector &copy = rewritten.emplace_back();
      for (AffineExpr result : map) {
        // Whole dimensions of one value must not become 0.
        auto whole = dyn_cast<AffineDimExpr>(result);
        copy.push_back(whole && whole.getPosition() != *split
                           ? result
                           : next.simplify(result.replaceDims(replacements)));
      }
    }
    // The extents of both must be sizes of an operand (other than the mask).
    auto isWhole = [&](AffineExpr dimension) {
      auto holds = [&](const IndexVector &map) {
        return llvm::is_contained(map, dimension);
      };
      return llvm::any_of(ArrayRef(rewritten).take_front(3), holds) ||
             holds(rewritten[output]);
    };
    if (!isWhole(dim(*split)) || !isWhole(rest))
      return;
    space = next;
    indices.assign(rewritten.begin(), rewritten.end());
    auto *position = llvm::find(dims.batch, *split);
    dims.batch.insert(position + 1, cast<AffineDimExpr>(rest).getPosition());
  }
}

FailureOr<Value> fusion::buildSize(OpBuilder &builder, Location loc,
                                   ShapeAnalysis &shapes, Operation *anchor,
                                   AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(builder, loc, constant.getValue())
        .getResult();
  if (expr.isFunctionOfDim(0) || !expr.isSymbolicOrConstant())
    return failure();
  // Products of symbols are no affine map; they are multiplied here.
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
    FailureOr<Value> lhs =
        buildSize(builder, loc, shapes, anchor, binary.getLHS());
    FailureOr<Value> rhs =
        buildSize(builder, loc, shapes, anchor, binary.getRHS());
    if (failed(lhs) || failed(rhs))
      return failure();
    switch (expr.getKind()) {
    case AffineExprKind::Add:
      return arith::AddIOp::create(builder, loc, *lhs, *rhs).getResult();
    case AffineExprKind::Mul:
      return arith::MulIOp::create(builder, loc, *lhs, *rhs).getResult();
    case AffineExprKind::FloorDiv:
      return arith::FloorDivSIOp::create(builder, loc, *lhs, *rhs).getResult();
    default:
      return failure();
    }
  }
  unsigned symbol = cast<AffineSymbolExpr>(expr).getPosition();
  for (ShapeAnalysis::Size size : shapes.getSizes(symbol)) {
    Operation *def = size.value.getDefiningOp();
    bool isAvailable = def ? def->getBlock() == anchor->getBlock() &&
                                 def->isBeforeInBlock(anchor)
                           : size.value.getParentBlock() == anchor->getBlock();
    if (!isAvailable)
      continue;
    if (size.dim >= 0)
      return tensor::DimOp::create(builder, loc, size.value, size.dim)
          .getResult();
    if (size.value.getType().isIndex())
      return size.value;
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      size.value)
        .getResult();
  }
  return failure();
}
