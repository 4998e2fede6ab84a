//===- AttentionKept.cpp - Probabilities that a graph keeps ---------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph may return probabilities, or compute with them. They become a result
// of attention, which computes each score a second time, by the same
// operations, once the row's total is known. Scores of any other product would
// not do: they are rounded otherwise, and e^s / sum(e^s') with another s' is no
// probability.
//
// The logarithm of a row's sum, which is kept to join results over parts of the
// keys, is that of reference and total.
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

/// Operations that are looked at for the logarithm of a sum.
static constexpr unsigned maxLogSumSteps = 24;
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

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
          own.sink == softmax.sink && !own.dropout && !own.dropped) {
        kept.emplace();
        kept->element = {holder, indices};
        kept->scale = own.outputScale;
        kept->zeroMaskedRows = own.zeroMaskedRows;
      }
    }
    return !kept;
  });
  return kept;
}

/// Whether `sum`, an element at the row of the softmax, adds up exponentials of
/// its scores over the keys; `shift` is what is subtracted from them (null for
/// nothing), with what guards it.
static bool isSumOfExponentials(ElementEvaluator &evaluator, AffineExpr key,
                                AffineExpr numKeys, const Softmax &softmax,
                                ExprRef sum, ExprRef &shift) {
  if (sum == softmax.total) {
    shift = softmax.subtracted;
    return true;
  }
  FailureOr<ReductionStep> step = evaluator.expandReduction(sum, key, numKeys);
  if (failed(step) || step->combiner != ExprKind::Add ||
      !step->init->isFloat(0) || softmax.sink)
    return false;
  ExprRef exponential = stripRounding(step->body);
  if (!exponential->is(ExprKind::Exp))
    return false;
  ExprRef argument = stripRounding(exponential->operands[0]);
  if (argument == softmax.score)
    return true;
  if (!argument->is(ExprKind::Sub) ||
      stripRounding(argument->operands[0]) != softmax.score)
    return false;
  shift = stripRounding(argument->operands[1]);
  return stripMaximum(shift)->is(ExprKind::Element);
}

/// Whether `shift`, a maximum over the keys, is -inf where every score is, so
/// that their exponentials are NaN.
static bool isInfiniteWithoutKeys(ElementEvaluator &evaluator, AffineExpr key,
                                  AffineExpr numKeys, ExprRef shift) {
  if (!shift || !shift->is(ExprKind::Element))
    return false;
  FailureOr<ReductionStep> step =
      evaluator.expandReduction(shift, key, numKeys);
  return succeeded(step) && step->init->is(ExprKind::Float) &&
         !std::isfinite(step->init->number);
}

/// Whether `tensor` holds the logarithm of a sum of exponentials of the scores,
/// with what is subtracted from them added; nullopt where it does not.
static std::optional<KeptProbabilities>
matchLogSum(ElementEvaluator &evaluator, AffineExpr key, AffineExpr numKeys,
            const Softmax &softmax, Value tensor) {
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  if (!softmax.total || !op || op.getNumReductionLoops() ||
      op->getNumResults() != 1)
    return std::nullopt;
  IndexSpace &space = evaluator.getSpace();
  IndexVector positions;
  for (AffineExpr bound : evaluator.getBounds(op))
    positions.push_back(space.addDim(bound));
  IndexVector indices = evaluator.applyMap(
      op.getIndexingMapMatchingResult(op->getResult(0)), positions);
  ExprRef expr = stripRounding(evaluator.getElement(tensor, indices));
  ExprRef sum = getLogarithmOf(expr), added = nullptr;
  if (expr->is(ExprKind::Add))
    for (unsigned i : {0, 1})
      if (ExprRef inner = getLogarithmOf(stripRounding(expr->operands[i]));
          inner && !sum) {
        sum = inner;
        added = stripMaximum(expr->operands[1 - i]);
      }
  // The sum lies in memory as that of the softmax does.
  if (!sum || !sum->is(ExprKind::Element) ||
      sum->value.getType() != softmax.total->value.getType())
    return std::nullopt;
  ExprRef guarded = nullptr;
  ArrayRef<AffineExpr> row = softmax.total->indices;
  if (!isSumOfExponentials(evaluator, key, numKeys, softmax,
                           evaluator.getElement(sum->value, row), guarded) ||
      bool(added) != bool(guarded) || (added && !added->is(ExprKind::Element)))
    return std::nullopt;
  ExprRef shift = guarded ? stripMaximum(guarded) : nullptr;
  // The positions of the tensor in the row.
  FailureOr<IndexVector> dims =
      solveForDims(space, evaluator.getShapes(), sum, row);
  if (failed(dims))
    return std::nullopt;
  auto replace = [&](ArrayRef<AffineExpr> exprs) {
    IndexVector replaced;
    for (AffineExpr index : exprs)
      replaced.push_back(space.simplify(index.replaceDims(*dims)));
    return replaced;
  };
  if (added &&
      evaluator.getElement(added->value, replace(added->indices)) != shift)
    return std::nullopt;
  KeptProbabilities kept;
  kept.element = {tensor, replace(indices)};
  kept.isLogSum = true;
  kept.isNaNWithoutKeys =
      isInfiniteWithoutKeys(evaluator, key, numKeys, guarded);
  return kept;
}

std::optional<KeptProbabilities>
fusion::findLogSum(ElementEvaluator &evaluator, AffineExpr key,
                   AffineExpr numKeys, const Softmax &softmax, OpOperand &use,
                   Operation *user) {
  // Breadth first: a maximum is guarded against infinity before it is added.
  llvm::SetVector<Value> values;
  values.insert(use.get());
  if (user && user->getNumResults() == 1)
    values.insert(user->getResult(0));
  for (size_t i = 0; i < values.size() && i < maxLogSumSteps; ++i) {
    Value value = values[i];
    auto op = value.getDefiningOp<linalg::LinalgOp>();
    bool mayBe = op && llvm::any_of(*op.getBlock(), [](Operation &inner) {
                   return isa<arith::AddFOp, math::LogOp>(inner);
                 });
    if (mayBe)
      if (std::optional<KeptProbabilities> found =
              matchLogSum(evaluator, key, numKeys, softmax, value)) {
        if (i == 0)
          found->uses.push_back(&use);
        else
          for (OpOperand &other : value.getUses())
            found->uses.push_back(&other);
        return found;
      }
    if (i != 0)
      for (Operation *reader : value.getUsers())
        if (reader->getNumResults() == 1)
          values.insert(reader->getResult(0));
  }
  return std::nullopt;
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

FailureOr<IndexVector> fusion::solveForDims(IndexSpace &space,
                                            ShapeAnalysis &shapes,
                                            ExprRef element,
                                            ArrayRef<AffineExpr> at) {
  FailureOr<IndexVector> dims =
      invertIndices(space, shapes, element->value, element->indices);
  if (failed(dims))
    return failure();
  for (auto [i, dim] : llvm::enumerate(*dims))
    dim = dim ? space.simplify(dim.replaceDims(at))
              : getAffineDimExpr(i, space.getContext());
  return dims;
}

LogicalResult fusion::buildKeptOuts(OpBuilder &builder, Operation *anchor,
                                    ShapeAnalysis &shapes, IndexSpace &space,
                                    const AttentionDims &dims,
                                    MutableArrayRef<KeptProbabilities> kept,
                                    ArrayRef<IndexVector> indices,
                                    Type accumulator,
                                    SmallVectorImpl<Value> &outs,
                                    SmallVectorImpl<IndexVector> &maps) {
  SmallVector<unsigned> positions(dims.batch);
  positions.push_back(dims.query);
  for (auto [entry, at] : llvm::zip_equal(kept, indices)) {
    SmallVector<unsigned> needed(positions);
    if (!entry.isLogSum)
      needed.push_back(dims.key);
    FailureOr<IndexVector> loops =
        invertIndices(space, shapes, entry.element.tensor, at);
    if (failed(loops))
      return failure();
    // Dimensions of one value may be missing, their index is 0.
    for (unsigned position : needed) {
      AffineExpr &loop = (*loops)[position];
      if (loop)
        continue;
      if (space.getBound(position) != space.constant(1))
        return failure();
      loop = space.constant(0);
    }
    entry.loops = *loops;
    Value tensor = entry.element.tensor;
    for (auto [i, size] : llvm::enumerate(shapes.getShape(tensor))) {
      FailureOr<Value> known =
          buildSize(builder, anchor->getLoc(), shapes, anchor, size);
      entry.sizes.push_back(
          succeeded(known)
              ? getAsOpFoldResult(*known)
              : tensor::getMixedSize(builder, anchor->getLoc(), tensor, i));
    }
  }
  SmallVector<OpFoldResult> sizes;
  IndexVector map;
  auto addDim = [&](unsigned position) {
    FailureOr<Value> size = buildSize(builder, anchor->getLoc(), shapes, anchor,
                                      space.getBound(position));
    if (failed(size))
      return failure();
    sizes.push_back(getAsOpFoldResult(*size));
    map.push_back(getAffineDimExpr(position, space.getContext()));
    return success();
  };
  auto addOuts = [&](unsigned count) {
    outs.append(count, tensor::EmptyOp::create(builder, anchor->getLoc(), sizes,
                                               accumulator));
    maps.push_back(map);
  };
  for (unsigned position : positions)
    if (failed(addDim(position)))
      return failure();
  addOuts(2);
  if (llvm::all_of(kept, [](const auto &entry) { return entry.isLogSum; }))
    return success();
  if (failed(addDim(dims.key)))
    return failure();
  addOuts(1);
  return success();
}

/// The map from elements of the tensor that `kept` stands for to the batch
/// dimensions, the query and `more` dimensions of the attention.
static AffineMap getKeptMap(const AttentionDims &dims,
                            const KeptProbabilities &kept,
                            ArrayRef<unsigned> more, MLIRContext *context) {
  SmallVector<unsigned> positions(dims.batch);
  positions.push_back(dims.query);
  llvm::append_range(positions, more);
  IndexVector indices;
  for (unsigned position : positions)
    indices.push_back(kept.loops[position]);
  auto type = cast<RankedTensorType>(kept.element.tensor.getType());
  return AffineMap::get(type.getRank(), 0, indices, context);
}

/// Makes the tensor that `kept` stands for, element by element of `inputs`.
static Value buildTensorOf(
    OpBuilder &builder, Location loc, const KeptProbabilities &kept,
    ValueRange inputs, ArrayRef<AffineMap> inputMaps,
    function_ref<Value(OpBuilder &inner, ValueRange arguments)> compute) {
  Value old = kept.element.tensor;
  auto type = cast<RankedTensorType>(old.getType());
  unsigned rank = type.getRank();
  SmallVector<AffineMap> maps(inputMaps);
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  Value out =
      tensor::EmptyOp::create(builder, loc, kept.sizes, type.getElementType());
  auto generic = linalg::GenericOp::create(
      builder, loc, type, inputs, out, maps, iterators,
      [&](OpBuilder &inner, Location, ValueRange arguments) {
        Value result = convertScalarToDtype(
            inner, loc, compute(inner, arguments), type.getElementType(),
            /*isUnsignedCast=*/false);
        linalg::YieldOp::create(inner, loc, result);
      });
  return generic.getResult(0);
}

/// `number` in place of `value` where `total` is that of a row without keys.
static Value replaceWithoutKeys(OpBuilder &builder, Location loc, Value total,
                                double number, Value value) {
  auto type = cast<FloatType>(value.getType());
  auto makeFloat = [&](double constant) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(type, constant));
  };
  Value isEmpty = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                        total, makeFloat(0));
  return arith::SelectOp::create(builder, loc, isEmpty, makeFloat(number),
                                 value);
}

/// The tensor of kept probabilities.
static Value buildProbabilities(OpBuilder &builder, AttentionOp attention,
                                const AttentionDims &dims,
                                const KeptProbabilities &kept) {
  Location loc = attention.getLoc();
  MLIRContext *context = builder.getContext();
  SmallVector<Value> inputs{attention.getProbabilities()};
  SmallVector<AffineMap> maps{getKeptMap(dims, kept, dims.key, context)};
  // Rows without a key, where the graph's policy for the result is another.
  MaskedRows policy = kept.zeroMaskedRows ? MaskedRows::Zero : MaskedRows::NaN;
  bool differs = policy != attention.getMaskedRows();
  if (differs) {
    inputs.push_back(attention.getResult(2));
    maps.push_back(getKeptMap(dims, kept, {}, context));
  }
  return buildTensorOf(
      builder, loc, kept, inputs, maps,
      [&](OpBuilder &inner, ValueRange arguments) {
        Value result = arguments[0];
        if (kept.scale != 1)
          result = arith::MulFOp::create(
              inner, loc, result,
              arith::ConstantOp::create(
                  inner, loc,
                  inner.getFloatAttr(result.getType(), kept.scale)));
        if (differs)
          result = replaceWithoutKeys(inner, loc, arguments[1],
                                      kept.zeroMaskedRows ? 0 : kNaN, result);
        return result;
      });
}

/// The tensor of logarithms of sums, of each row's reference and total.
static Value buildLogSum(OpBuilder &builder, AttentionOp attention,
                         const AttentionDims &dims,
                         const KeptProbabilities &kept) {
  Location loc = attention.getLoc();
  AffineMap row = getKeptMap(dims, kept, {}, builder.getContext());
  return buildTensorOf(
      builder, loc, kept, attention.getResults().slice(1, 2), {row, row},
      [&](OpBuilder &inner, ValueRange arguments) -> Value {
        Value total = arguments[1];
        Value log = math::LogOp::create(inner, loc, total);
        Value sum = arith::AddFOp::create(inner, loc, arguments[0], log);
        return kept.isNaNWithoutKeys
                   ? replaceWithoutKeys(inner, loc, total, kNaN, sum)
                   : sum;
      });
}

void fusion::buildKept(OpBuilder &builder, AttentionOp attention,
                       const AttentionDims &dims,
                       ArrayRef<KeptProbabilities> kept) {
  for (const KeptProbabilities &entry : kept) {
    Value tensor = entry.isLogSum
                       ? buildLogSum(builder, attention, dims, entry)
                       : buildProbabilities(builder, attention, dims, entry);
    for (OpOperand *use : entry.uses)
      use->set(tensor);
  }
}
