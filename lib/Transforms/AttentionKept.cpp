//===- AttentionKept.cpp - Probabilities that a graph keeps ---------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph may return probabilities, or compute with them. Attention never has
// them in one piece; they are computed again from its operands, with each row's
// reference and total: one more product, whose result is written once, rather
// than a softmax that reads the scores and writes them. The graph's own product
// would not do: its operands may have been rounded where attention's were not,
// or the other way round, and e^s / sum(e^s') with another s' is no
// probability.
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "fusion/Transforms/FusionToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
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

FailureOr<IndexVector> fusion::invertIndices(IndexSpace &space,
                                             ShapeAnalysis &shapes,
                                             Value tensor,
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
                                       Type accumulator, IndexVector &row) {
  SmallVector<unsigned> positions(dims.batch);
  positions.push_back(dims.query);
  SmallVector<OpFoldResult> sizes;
  for (unsigned position : positions) {
    FailureOr<Value> size = buildSize(builder, anchor->getLoc(), shapes, anchor,
                                      space.getBound(position));
    if (failed(size))
      return failure();
    sizes.push_back(getAsOpFoldResult(*size));
    row.push_back(getAffineDimExpr(position, space.getContext()));
  }
  positions.push_back(dims.key);
  for (auto [entry, at] : llvm::zip_equal(kept, indices)) {
    FailureOr<IndexVector> loops =
        invertIndices(space, shapes, entry.element.tensor, at);
    if (failed(loops))
      return failure();
    // Dimensions of one value may be missing, their index is 0.
    for (unsigned position : positions) {
      AffineExpr &loop = (*loops)[position];
      if (loop)
        continue;
      if (space.getBound(position) != space.constant(1))
        return failure();
      loop = space.constant(0);
    }
    entry.loops = *loops;
  }
  return tensor::EmptyOp::create(builder, anchor->getLoc(), sizes, accumulator)
      .getResult();
}

/// Makes of `probabilities`, over batch, query and key, the tensor that `kept`
/// stands for.
static Value buildTensorOf(OpBuilder &builder, AttentionOp attention,
                           const AttentionDims &dims,
                           const KeptProbabilities &kept, Value probabilities) {
  Location loc = attention.getLoc();
  Value old = kept.element.tensor;
  auto type = cast<RankedTensorType>(old.getType());
  unsigned rank = type.getRank();
  // Reference and total lie at batch and query, probabilities at a key more.
  IndexVector indices;
  for (unsigned position : dims.batch)
    indices.push_back(kept.loops[position]);
  indices.push_back(kept.loops[dims.query]);
  AffineMap row = AffineMap::get(rank, 0, indices, builder.getContext());
  indices.push_back(kept.loops[dims.key]);
  AffineMap maps[] = {AffineMap::get(rank, 0, indices, builder.getContext()),
                      row, builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  Value out = tensor::EmptyOp::create(builder, loc,
                                      tensor::getMixedSizes(builder, loc, old),
                                      type.getElementType());
  Value total = attention.getResult(2);
  auto computed = cast<FloatType>(getElementTypeOrSelf(total));
  auto generic = linalg::GenericOp::create(
      builder, loc, type, ValueRange{probabilities, total}, out, maps,
      iterators, [&](OpBuilder &inner, Location, ValueRange arguments) {
        Value result = arguments[0];
        auto makeFloat = [&](double value) -> Value {
          return arith::ConstantOp::create(inner, loc,
                                           inner.getFloatAttr(computed, value));
        };
        if (kept.scale != 1)
          result =
              arith::MulFOp::create(inner, loc, result, makeFloat(kept.scale));
        if (kept.zeroMaskedRows) {
          Value zero = makeFloat(0);
          Value isEmpty = arith::CmpFOp::create(
              inner, loc, arith::CmpFPredicate::OEQ, arguments[1], zero);
          result = arith::SelectOp::create(inner, loc, isEmpty, zero, result);
        }
        result = convertScalarToDtype(inner, loc, result, type.getElementType(),
                                      /*isUnsignedCast=*/false);
        linalg::YieldOp::create(inner, loc, result);
      });
  return generic.getResult(0);
}

void fusion::buildKept(OpBuilder &builder, AttentionOp attention,
                       const AttentionDims &dims,
                       ArrayRef<KeptProbabilities> kept) {
  IRRewriter rewriter(builder);
  Value probabilities = computeProbabilities(rewriter, attention);
  for (const KeptProbabilities &entry : kept) {
    Value tensor =
        buildTensorOf(builder, attention, dims, entry, probabilities);
    for (OpOperand *use : entry.uses)
      use->set(tensor);
  }
}
