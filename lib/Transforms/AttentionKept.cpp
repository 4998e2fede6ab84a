//===- AttentionKept.cpp - Probabilities that a graph keeps ---------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph may return probabilities, or compute with them. Attention never has
// them in one piece; they are computed again from the graph's own scores, with
// each row's reference and total: one more product, whose result is written
// once, rather than a softmax that reads the scores and writes them.
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

bool fusion::isPartOf(Value tensor, ExprRef expr) {
  bool found = false;
  walkExpr(expr, [&](ExprRef part) {
    found |= llvm::any_of(part->origins, [&](const auto &origin) {
      return origin.first == tensor;
    });
    return !found;
  });
  return found;
}

std::optional<KeptProbabilities>
fusion::matchKept(ElementEvaluator &evaluator, ExprRef probability,
                  AffineExpr key, AffineExpr numKeys, const Softmax &softmax,
                  Value tensor) {
  std::optional<KeptProbabilities> kept;
  walkExpr(probability, [&](ExprRef part) {
    for (auto &[holder, indices] : part->origins) {
      if (kept || holder != tensor)
        continue;
      Softmax own;
      NearMiss ignored;
      if (matchSoftmax(evaluator, part, key, numKeys, own, ignored) ==
              MatchResult::Matched &&
          own.score == softmax.score && own.factor == softmax.factor &&
          own.sink == softmax.sink && !own.dropout && !own.dropped)
        kept = KeptProbabilities{
            {holder, indices}, own.outputScale, own.zeroMaskedRows, {}, {}};
    }
    return !kept;
  });
  return kept;
}

/// Adds to `loops` what each dimension of `expr` is where `expr` has the value
/// `value`, of [0, size). Fails where that is not a row-major linear index that
/// takes all of these values.
static LogicalResult invertIndex(IndexSpace &space, AffineExpr expr,
                                 AffineExpr value, AffineExpr size,
                                 MutableArrayRef<AffineExpr> loops) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    if (space.getBound(dim.getPosition()) != size)
      return failure();
    AffineExpr &loop = loops[dim.getPosition()];
    if (loop && loop != value)
      return failure();
    loop = value;
    return success();
  }
  if (isa<AffineConstantExpr>(expr))
    return success(size == space.constant(1));
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return failure();
  for (auto [product, rest] : {std::pair(sum.getLHS(), sum.getRHS()),
                               std::pair(sum.getRHS(), sum.getLHS())}) {
    auto multiple = dyn_cast<AffineBinaryOpExpr>(product);
    auto dim = dyn_cast<AffineDimExpr>(rest);
    if (!multiple || !dim || multiple.getKind() != AffineExprKind::Mul ||
        multiple.getRHS() != space.getBound(dim.getPosition()))
      continue;
    AffineExpr inner = multiple.getRHS();
    if (!isa<AffineConstantExpr>(inner) ||
        failed(invertIndex(space, dim, value % inner, inner, loops)))
      return failure();
    AffineExpr outer = space.simplify(size.floorDiv(inner));
    if (space.simplify(outer * inner) != size)
      return failure();
    return invertIndex(space, multiple.getLHS(), value.floorDiv(inner), outer,
                       loops);
  }
  return failure();
}

/// For each dimension of `space` the index that element d0, d1, ... of
/// `tensor`, the one at `indices`, has there; null where `indices` lack the
/// dimension. Fails where it cannot be said for all elements.
static FailureOr<IndexVector> invertIndices(IndexSpace &space,
                                            ShapeAnalysis &shapes, Value tensor,
                                            ArrayRef<AffineExpr> indices) {
  IndexVector loops(space.getNumDims());
  for (auto [i, index] : llvm::enumerate(indices))
    if (failed(invertIndex(space, index,
                           getAffineDimExpr(i, space.getContext()),
                           space.simplify(shapes.getDim(tensor, i)), loops)))
      return failure();
  return loops;
}

FailureOr<Value> fusion::buildKeptRows(OpBuilder &builder, Operation *anchor,
                                       ShapeAnalysis &shapes, IndexSpace &space,
                                       const AttentionDims &dims,
                                       MutableArrayRef<KeptProbabilities> kept,
                                       ArrayRef<IndexVector> indices,
                                       Type accumulator, KeptRows &rows) {
  auto uses = [](ArrayRef<AffineExpr> exprs, unsigned position) {
    return llvm::any_of(exprs, [&](AffineExpr index) {
      return index.isFunctionOfDim(position);
    });
  };
  // Loops take their extents from whole dimensions.
  for (auto [i, index] : llvm::enumerate(rows.scores.indices))
    if (auto dim = dyn_cast<AffineDimExpr>(index))
      if (space.simplify(shapes.getDim(rows.scores.tensor, i)) !=
          space.getBound(dim.getPosition()))
        return failure();
  SmallVector<unsigned> positions;
  for (unsigned position : dims.batch)
    if (uses(indices.front(), position))
      positions.push_back(position);
  positions.push_back(dims.query);
  SmallVector<OpFoldResult> sizes;
  for (unsigned position : positions) {
    FailureOr<Value> size = buildSize(builder, anchor->getLoc(), shapes, anchor,
                                      space.getBound(position));
    if (failed(size))
      return failure();
    sizes.push_back(getAsOpFoldResult(*size));
    rows.indices.push_back(getAffineDimExpr(position, space.getContext()));
  }
  // Dimensions of one value may be missing, their index is 0.
  for (auto [entry, at] : llvm::zip_equal(kept, indices)) {
    FailureOr<IndexVector> loops =
        invertIndices(space, shapes, entry.element.tensor, at);
    if (failed(loops))
      return failure();
    for (auto [position, loop] : llvm::enumerate(*loops)) {
      if (loop)
        continue;
      if (space.getBound(position) != space.constant(1) &&
          (uses(rows.indices, position) || uses(rows.scores.indices, position)))
        return failure();
      loop = space.constant(0);
    }
    entry.loops = *loops;
  }
  return tensor::EmptyOp::create(builder, anchor->getLoc(), sizes, accumulator)
      .getResult();
}

void fusion::buildKept(OpBuilder &builder, Location loc,
                       const KeptProbabilities &kept, double factor,
                       const KeptRows &rows) {
  auto makeMap = [&](ArrayRef<AffineExpr> exprs) {
    IndexVector results;
    for (AffineExpr expr : exprs)
      results.push_back(expr.replaceDims(kept.loops));
    return AffineMap::get(kept.element.indices.size(), 0, results,
                          builder.getContext());
  };
  AffineMap rowMap = makeMap(rows.indices);
  Value old = kept.element.tensor;
  auto type = cast<RankedTensorType>(old.getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  Value out = tensor::EmptyOp::create(builder, loc,
                                      tensor::getMixedSizes(builder, loc, old),
                                      type.getElementType());
  auto computed = cast<FloatType>(getElementTypeOrSelf(rows.total));
  auto makeFloat = [&](OpBuilder &inner, double value) -> Value {
    return arith::ConstantOp::create(inner, loc,
                                     inner.getFloatAttr(computed, value));
  };
  auto generic = linalg::GenericOp::create(
      builder, loc, type,
      ValueRange{rows.scores.tensor, rows.reference, rows.total}, out,
      ArrayRef<AffineMap>{makeMap(rows.scores.indices), rowMap, rowMap,
                          identity},
      iterators, [&](OpBuilder &inner, Location, ValueRange arguments) {
        Value score = arguments[0];
        auto held = cast<FloatType>(score.getType());
        if (held.getWidth() < computed.getWidth())
          score = arith::ExtFOp::create(inner, loc, computed, score);
        else if (held != computed)
          score = arith::TruncFOp::create(inner, loc, computed, score);
        if (factor != 1)
          score = arith::MulFOp::create(inner, loc, score,
                                        makeFloat(inner, factor));
        Value exponential = math::ExpOp::create(
            inner, loc, arith::SubFOp::create(inner, loc, score, arguments[1]));
        Value result =
            arith::DivFOp::create(inner, loc, exponential, arguments[2]);
        if (kept.scale != 1)
          result = arith::MulFOp::create(inner, loc, result,
                                         makeFloat(inner, kept.scale));
        if (kept.zeroMaskedRows) {
          Value zero = makeFloat(inner, 0);
          Value isEmpty = arith::CmpFOp::create(
              inner, loc, arith::CmpFPredicate::OEQ, arguments[2], zero);
          result = arith::SelectOp::create(inner, loc, isEmpty, zero, result);
        }
        auto wanted = cast<FloatType>(type.getElementType());
        if (wanted.getWidth() < computed.getWidth())
          result = arith::TruncFOp::create(inner, loc, wanted, result);
        else if (wanted != computed)
          result = arith::ExtFOp::create(inner, loc, wanted, result);
        linalg::YieldOp::create(inner, loc, result);
      });
  for (OpOperand *use : kept.uses)
    use->set(generic.getResult(0));
}
