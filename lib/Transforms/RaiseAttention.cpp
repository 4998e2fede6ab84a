//===- RaiseAttention.cpp - Finds attention in a graph --------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starts at a contraction one of whose operands leads to an exponential, names
// the dimensions of its iteration space, and matches the elements that it
// multiplies as expressions (ElementExpr.h). What the expressions leave open,
// the tensors to read and their maps, is settled here.
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/RaiseAttention.h"
#include "AttentionMatch.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Kernels/Attention.h"
#include "fusion/Transforms/Passes.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <cmath>

namespace mlir::fusion {
#define GEN_PASS_DEF_FUSIONRAISEATTENTION
#include "fusion/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// How many operations may lie between an exponential and the contraction.
static constexpr unsigned maxSeedDistance = 24;
/// How often another of several products is tried as that of queries and keys.
static constexpr unsigned maxChoices = 8;

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Whether `value` is computed from an exponential a few operations away.
static bool leadsToExponential(Value value,
                               llvm::DenseMap<Operation *, bool> &hasExp) {
  SmallVector<Value> worklist{value};
  llvm::SmallDenseSet<Operation *> seen;
  for (size_t i = 0; i < worklist.size() && seen.size() < maxSeedDistance;
       ++i) {
    Operation *op = worklist[i].getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      if (linalgOp.getNumReductionLoops())
        continue;
      auto [it, inserted] = hasExp.try_emplace(op, false);
      if (inserted)
        for (Operation &inner : *linalgOp.getBlock())
          it->second |= isa<math::ExpOp, math::Exp2Op>(inner);
      if (it->second)
        return true;
      for (Value input : linalgOp.getDpsInputs())
        worklist.push_back(input);
      // Broadcasts of dynamic shapes read what they do not take as an operand.
      for (Operation &inner : *linalgOp.getBlock())
        if (auto extract = dyn_cast<tensor::ExtractOp>(inner))
          worklist.push_back(extract.getTensor());
      continue;
    }
    auto fusible = dyn_cast<FusibleOpInterface>(op);
    if (fusible && fusible.getFusionRole() == FusionRole::View)
      worklist.push_back(op->getOperand(0));
  }
  return false;
}

namespace {

/// One contraction that may be the second product of an attention.
class Candidate {
public:
  /// `others` are the operands at which all candidates read probabilities.
  Candidate(linalg::LinalgOp contraction, unsigned probabilities,
            const llvm::DenseSet<OpOperand *> &others, ShapeAnalysis &shapes,
            bool exactRounding)
      : contraction(contraction), probabilities(probabilities), others(others),
        exactRounding(exactRounding), space(contraction->getContext()),
        evaluator(space, shapes, exactRounding) {}

  /// Replaces the contraction, or says why not.
  MatchResult raise(NearMiss &miss);

  AttentionOp getResult() const { return attention; }
  /// What has divided the result and does not any more; null for nothing.
  Operation *getLateReader() const { return late ? late->reader : nullptr; }

private:
  LogicalResult nameDims(NearMiss &miss);
  LogicalResult matchOperands(const Score &score, NearMiss &miss);
  LogicalResult chooseTensors(ArrayRef<SmallVector<OperandChoice>> choices,
                              NearMiss &miss);
  /// Whether nothing outside of the match uses what lies between the products,
  /// but for scores, and for probabilities, which go to `kept`.
  LogicalResult checkUses(const Score &score, const Softmax &softmax,
                          ExprRef probability, NearMiss &miss);
  /// Whether `probability` is an exponential of scores, not divided yet.
  bool isUndivided(ExprRef probability);
  /// Tensors for sinks and for factors of scores and probabilities.
  LogicalResult buildExtras(OpBuilder &builder, const Score &score,
                            const Softmax &softmax, NearMiss &miss);
  LogicalResult build(const Score &score, const Softmax &softmax, Mask &mask,
                      NearMiss &miss);
  /// Scales the result, and adds it to what the contraction started from.
  Value finish(OpBuilder &builder, Value result, double scale);
  AffineExpr dim(unsigned position) {
    return getAffineDimExpr(position, space.getContext());
  }

  linalg::LinalgOp contraction;
  unsigned probabilities;
  const llvm::DenseSet<OpOperand *> &others;
  bool exactRounding;
  IndexSpace space;
  ElementEvaluator evaluator;
  SmallVector<AffineExpr> loops;
  AttentionDims dims;
  OperandChoice operands[3];
  IndexVector maps[3];
  OperandElement factor, sink, dropout;
  SmallVector<KeptProbabilities> kept;
  std::optional<LateDivision> late;
  AttentionOp attention;
};

LogicalResult Candidate::nameDims(NearMiss &miss) {
  SmallVector<AffineExpr> bounds = evaluator.getBounds(contraction);
  for (AffineExpr bound : bounds)
    loops.push_back(space.addDim(bound));
  auto usesLoop = [&](OpOperand &operand, unsigned loop) {
    return contraction.getMatchingIndexingMap(&operand).isFunctionOfDim(loop);
  };
  OpOperand &rows = contraction->getOpOperand(probabilities),
            &columns = contraction->getOpOperand(1 - probabilities);
  auto isUnit = [&](unsigned loop) {
    return bounds[loop] == space.constant(1);
  };
  std::optional<unsigned> query, key, value;
  SmallVector<unsigned> queries;
  for (auto [loop, iterator] :
       llvm::enumerate(contraction.getIteratorTypesArray())) {
    if (iterator == utils::IteratorType::reduction) {
      if (!key || isUnit(*key)) {
        if (key)
          dims.batch.push_back(*key);
        key = loop;
      } else if (isUnit(loop)) {
        dims.batch.push_back(loop);
      } else {
        return fail(miss, contraction,
                    "keys have more than one dimension of their own");
      }
      continue;
    }
    bool inRows = usesLoop(rows, loop), inColumns = usesLoop(columns, loop);
    if (inRows && !inColumns) {
      queries.push_back(loop);
    } else if (inColumns && !inRows) {
      if (!value || isUnit(*value)) {
        if (value)
          dims.batch.push_back(*value);
        value = loop;
      } else if (isUnit(loop)) {
        dims.batch.push_back(loop);
      } else {
        return fail(miss, contraction,
                    "values have more than one dimension of their own");
      }
    } else {
      dims.batch.push_back(loop);
    }
  }
  // Of several dimensions that only probabilities have, the longest is the
  // query's position; the others are heads that share keys.
  AffineMap rowMap = contraction.getMatchingIndexingMap(&rows);
  auto rank = [&](unsigned loop) {
    auto constant = dyn_cast<AffineConstantExpr>(bounds[loop]);
    int64_t size =
        constant ? constant.getValue() : std::numeric_limits<int64_t>::max();
    std::optional<unsigned> position = rowMap.getResultPosition(dim(loop));
    return std::pair<int64_t, unsigned>(size, position.value_or(0));
  };
  for (unsigned loop : queries)
    if (!query || rank(loop) > rank(*query))
      query = loop;
  for (unsigned loop : queries)
    if (loop != *query)
      dims.batch.push_back(loop);
  llvm::sort(dims.batch);
  if (!key)
    return fail(miss, contraction, "nothing is summed");
  dims.key = *key;
  auto orUnit = [&](std::optional<unsigned> loop) {
    if (loop)
      return *loop;
    space.addDim(1);
    return space.getNumDims() - 1;
  };
  dims.query = orUnit(query);
  dims.value = orUnit(value);
  return success();
}

LogicalResult
Candidate::chooseTensors(ArrayRef<SmallVector<OperandChoice>> choices,
                         NearMiss &miss) {
  static constexpr const char *names[] = {"query", "key", "value"};
  SmallVector<unsigned> required[] = {
      {dims.query, dims.width}, {dims.key, dims.width}, {dims.key, dims.value}};
  // For each type, the first choice of each operand that a map can say.
  struct PerType {
    std::optional<OperandChoice> choice[3];
    IndexVector map[3];
  };
  OpBuilder builder(contraction);
  llvm::MapVector<Type, PerType> byType;
  for (unsigned i = 0; i < 3; ++i) {
    bool any = false;
    for (OperandChoice choice : choices[i]) {
      Type type = getElementTypeOrSelf(choice.element.tensor);
      if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type) ||
          byType[type].choice[i])
        continue;
      FailureOr<IndexVector> map =
          getMapResults(evaluator, choice.element, dims, required[i], {});
      if (failed(map) && fitToDims(evaluator, builder, contraction, required[i],
                                   choice.element))
        map = getMapResults(evaluator, choice.element, dims, required[i], {});
      if (failed(map))
        continue;
      any = true;
      byType[type].choice[i] = choice;
      byType[type].map[i] = *map;
    }
    if (!any)
      return fail(miss,
                  choices[i].empty()
                      ? contraction.getOperation()
                      : choices[i].back().element.tensor.getDefiningOp(),
                  Twine("no tensor holds the ") + names[i] +
                      " at indices that an indexing map can say");
  }
  Type best;
  for (auto &[type, entry] : byType)
    if (entry.choice[0] && entry.choice[1] && entry.choice[2] &&
        (!best || type.getIntOrFloatBitWidth() < best.getIntOrFloatBitWidth()))
      best = type;
  if (!best)
    return fail(miss, contraction,
                "query, key and value have no type in common");
  if (exactRounding && best.getIntOrFloatBitWidth() < 32)
    return fail(miss, contraction,
                "rounding is to be exact, and the probabilities would be "
                "rounded to the values' type");
  for (unsigned i = 0; i < 3; ++i) {
    operands[i] = *byType[best].choice[i];
    maps[i] = byType[best].map[i];
  }
  return success();
}

LogicalResult Candidate::matchOperands(const Score &score, NearMiss &miss) {
  auto product = score.product->value.getDefiningOp<linalg::LinalgOp>();
  FailureOr<IndexVector> at =
      ElementEvaluator::getLoops(product, 0, score.product->indices);
  if (failed(at))
    return fail(miss, product,
                "the product's result is no permutation of its "
                "dimensions");
  SmallVector<AffineExpr> bounds = evaluator.getBounds(product);
  std::optional<unsigned> width;
  for (auto [loop, iterator] :
       llvm::enumerate(product.getIteratorTypesArray())) {
    if (iterator != utils::IteratorType::reduction) {
      if (!(*at)[loop])
        (*at)[loop] = space.constant(0);
      continue;
    }
    if (!width || bounds[*width] == space.constant(1)) {
      if (width)
        (*at)[*width] = space.constant(0);
      width = loop;
    } else if (bounds[loop] == space.constant(1)) {
      (*at)[loop] = space.constant(0);
    } else {
      return fail(miss, product,
                  "queries and keys are contracted along more "
                  "than one dimension");
    }
  }
  dims.width = space.getNumDims();
  (*at)[*width] = space.addDim(bounds[*width]);
  Value tensors[2];
  IndexVector indices[2];
  for (unsigned i : {0, 1}) {
    OpOperand *operand = product.getDpsInputOperand(i);
    tensors[i] = operand->get();
    indices[i] =
        evaluator.applyMap(product.getMatchingIndexingMap(operand), *at);
  }
  auto uses = [&](unsigned operand, unsigned position) {
    return llvm::any_of(indices[operand], [&](AffineExpr index) {
      return index.isFunctionOfDim(position);
    });
  };
  // Queries and keys are told apart by the positions that they depend on.
  bool isSwapped = uses(0, dims.key) || uses(1, dims.query);
  unsigned query = isSwapped ? 1 : 0, key = 1 - query;
  if (uses(query, dims.key) || uses(key, dims.query))
    return fail(miss, product,
                "an operand of the product depends on both the "
                "query's and the key's position");
  OpOperand *values = contraction.getDpsInputOperand(1 - probabilities);
  IndexVector valueIndices =
      evaluator.applyMap(contraction.getMatchingIndexingMap(values), loops);
  SmallVector<OperandChoice> choices[] = {
      findHolders(evaluator, tensors[query], indices[query], /*mayScale=*/true),
      findHolders(evaluator, tensors[key], indices[key], /*mayScale=*/true),
      findHolders(evaluator, values->get(), valueIndices, /*mayScale=*/false)};
  return chooseTensors(choices, miss);
}

LogicalResult Candidate::checkUses(const Score &score, const Softmax &softmax,
                                   ExprRef probability, NearMiss &miss) {
  AffineExpr key = space.simplify(dim(dims.key));
  auto keep = [&](OpOperand &use) {
    auto *known = llvm::find_if(kept, [&](const KeptProbabilities &entry) {
      return entry.element.tensor == use.get();
    });
    if (known == kept.end()) {
      std::optional<KeptProbabilities> found =
          matchKept(evaluator, probability, key, space.getBound(dims.key),
                    softmax, use.get());
      if (!found)
        return false;
      kept.push_back(std::move(*found));
      known = std::prev(kept.end());
    }
    known->uses.push_back(&use);
    return true;
  };
  llvm::SmallPtrSet<Operation *, 4> logSums;
  SmallVector<Operation *> worklist{score.product->value.getDefiningOp()};
  llvm::DenseSet<Operation *> seen;
  auto &visited = evaluator.getVisited();
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    for (OpOperand &use : op->getUses()) {
      Operation *user = use.getOwner();
      // A use inside of a body is the enclosing operation's.
      while (user && user->getBlock() != contraction->getBlock())
        user = user->getParentOp();
      if (user && (user == contraction || isa<tensor::DimOp>(user) ||
                   (late && user == late->reader) || logSums.contains(user)))
        continue;
      if (user && visited.contains(user)) {
        if (seen.insert(user).second)
          worklist.push_back(user);
        continue;
      }
      // Another attention with the same probabilities computes them itself.
      if (others.contains(&use))
        continue;
      // The graph goes on computing scores that it needs; for attention, to
      // multiply queries and keys again is cheaper than to read them.
      if ((user && isOpTriviallyDead(user)) ||
          isPartOf(use.get(), softmax.score) || keep(use))
        continue;
      if (std::optional<KeptProbabilities> logSum = findLogSum(
              evaluator, key, space.getBound(dims.key), softmax, use, user)) {
        logSums.insert(logSum->element.tensor.getDefiningOp());
        kept.push_back(std::move(*logSum));
        continue;
      }
      return fail(miss, user ? user : use.getOwner(),
                  "what lies between the scores and the probabilities, or "
                  "probabilities after dropout, are used here as well");
    }
  }
  return success();
}

bool Candidate::isUndivided(ExprRef probability) {
  double ignored = 1;
  ExprRef exponential = stripFactors(probability, ignored);
  if (!isExponential(exponential))
    return false;
  Softmax softmax;
  softmax.score = stripFactors(exponential->operands[0], ignored);
  if (softmax.score->is(ExprKind::Sub))
    softmax.score = softmax.score->operands[0];
  Score score;
  NearMiss none;
  return succeeded(
             matchScore(evaluator, softmax, /*choices=*/0, score, none)) &&
         succeeded(matchOperands(score, none));
}

LogicalResult Candidate::buildExtras(OpBuilder &builder, const Score &score,
                                     const Softmax &softmax, NearMiss &miss) {
  auto make = [&](ExprRef expr, ArrayRef<unsigned> allowed,
                  OperandElement &element) {
    FailureOr<OperandElement> made =
        findOrBuildTensor(evaluator, builder, contraction, expr, dims, allowed);
    if (failed(made) ||
        failed(getMapResults(evaluator, *made, dims, {}, allowed)))
      return failure();
    element = *made;
    return success();
  };
  if (score.factor &&
      failed(make(score.factor, {dims.query, dims.key}, factor)))
    return fail(miss, score.factorOp,
                "what the scores are multiplied with is no element of a tensor "
                "at indices that an indexing map can say");
  if (softmax.sink &&
      failed(make(evaluator.getScaled(softmax.sink, softmax.factor),
                  {dims.query}, sink)))
    return fail(miss, softmax.sink->op ? softmax.sink->op : contraction,
                "the sink depends on more than the batch and the query");
  if (softmax.dropout &&
      failed(make(softmax.dropout, {dims.query, dims.key}, dropout)))
    return fail(miss, softmax.dropout->op ? softmax.dropout->op : contraction,
                "what the probabilities are multiplied with is no element of a "
                "tensor at indices that an indexing map can say");
  return success();
}

Value Candidate::finish(OpBuilder &builder, Value result, double scale) {
  OpOperand *init = contraction.getDpsInitOperand(0);
  AffineMap map = contraction.getMatchingIndexingMap(init);
  ExprRef start =
      evaluator.getElement(init->get(), evaluator.applyMap(map, loops));
  bool adds = !start->isFloat(0);
  if (!adds && scale == 1)
    return result;
  Location loc = contraction->getLoc();
  auto type = cast<RankedTensorType>(init->get().getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  Value out = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, init->get()),
      type.getElementType());
  SmallVector<Value> inputs{result};
  if (adds)
    inputs.push_back(init->get());
  SmallVector<AffineMap> maps(inputs.size() + 1, identity);
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, type, inputs, out, maps, iterators,
             [&](OpBuilder &inner, Location, ValueRange arguments) {
               Value value = arguments[0];
               Type wide = value.getType();
               if (scale != 1)
                 value = arith::MulFOp::create(
                     inner, loc, value,
                     arith::ConstantOp::create(
                         inner, loc, inner.getFloatAttr(wide, scale)));
               if (wide != type.getElementType())
                 value = arith::TruncFOp::create(inner, loc,
                                                 type.getElementType(), value);
               if (adds)
                 value = arith::AddFOp::create(inner, loc, value, arguments[1]);
               linalg::YieldOp::create(inner, loc, value);
             })
      .getResult(0);
}

LogicalResult Candidate::build(const Score &score, const Softmax &softmax,
                               Mask &mask, NearMiss &miss) {
  OpBuilder builder(contraction);
  Location loc = contraction->getLoc();
  SmallVector<IndexVector> all(std::begin(maps), std::end(maps));
  SmallVector<Value *> inputs;
  for (OperandChoice &choice : operands)
    inputs.push_back(&choice.element.tensor);
  for (OperandElement *element : {&factor, &mask.operand, &sink, &dropout})
    if (element->tensor) {
      all.push_back(*getMapResults(evaluator, *element, dims, {},
                                   {dims.query, dims.key}));
      inputs.push_back(&element->tensor);
    }
  IndexVector output;
  OpOperand *init = contraction.getDpsInitOperand(0);
  for (AffineExpr result :
       contraction.getMatchingIndexingMap(init).getResults())
    output.push_back(result);
  Value out = init->get();
  if (auto fill = out.getDefiningOp<linalg::FillOp>()) {
    out = fill.getOutputs()[0];
  } else {
    Type element = getElementTypeOrSelf(out);
    out = tensor::EmptyOp::create(
        builder, loc, tensor::getMixedSizes(builder, loc, out), element);
  }
  // A product with a vector has no query (or no width of values) of its own.
  SmallVector<ReassociationIndices> reassociation;
  auto type = cast<RankedTensorType>(out.getType());
  unsigned numMissing = !llvm::is_contained(output, dim(dims.query)) +
                        !llvm::is_contained(output, dim(dims.value));
  RankedTensorType wide = type;
  if (numMissing) {
    SmallVector<int64_t> shape(type.getShape());
    bool hasQuery = llvm::is_contained(output, dim(dims.query));
    bool hasValue = llvm::is_contained(output, dim(dims.value));
    // Missing dimensions go last, in order.
    if (!hasQuery)
      output.push_back(dim(dims.query));
    if (!hasValue)
      output.push_back(dim(dims.value));
    shape.append(numMissing, 1);
    wide = RankedTensorType::get(shape, type.getElementType());
    for (int64_t i = 0; i < type.getRank(); ++i)
      reassociation.push_back({i});
    for (unsigned i = 0; i < numMissing && type.getRank(); ++i)
      reassociation.back().push_back(type.getRank() + i);
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, out);
    sizes.append(numMissing, builder.getIndexAttr(1));
    out = tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  }
  size_t outputAt = all.size();
  all.push_back(output);
  for (const KeptProbabilities &entry : kept)
    all.push_back(entry.element.indices);
  splitBatch(space, dims, all, outputAt);
  for (auto [tensor, indices] : llvm::zip(inputs, all)) {
    FailureOr<Value> cut =
        clipTensor(evaluator, builder, contraction, {*tensor, indices});
    if (failed(cut))
      return fail(miss, contraction,
                  "an operand is longer than a dimension whose size is not "
                  "known before the product");
    *tensor = *cut;
  }
  SmallVector<IndexVector> keptIndices(ArrayRef(all).drop_front(outputAt + 1));
  all.truncate(outputAt + 1);
  // Dimensions of one value that no operand has are not needed.
  llvm::erase_if(dims.batch, [&](unsigned position) {
    return llvm::none_of(all, [&](const IndexVector &map) {
      return llvm::any_of(map, [&](AffineExpr result) {
        return result.isFunctionOfDim(position);
      });
    });
  });

  SmallVector<Value> outs{out};
  if (!kept.empty()) {
    Type accumulator = getAttentionAccumulatorType(
        getElementTypeOrSelf(operands[0].element.tensor));
    if (failed(buildKeptOuts(builder, contraction, evaluator.getShapes(), space,
                             dims, kept, keptIndices, accumulator, outs, all)))
      return fail(miss, kept.front().uses.front()->getOwner(),
                  "the probabilities are used here as well, and their indices "
                  "are not those of the product");
  }

  // The order of the operation: batch, q, d, k, v.
  SmallVector<AffineExpr> order(space.getNumDims(), space.constant(0));
  unsigned next = 0;
  auto place = [&](unsigned position) { order[position] = dim(next++); };
  llvm::for_each(dims.batch, place);
  place(dims.query);
  place(dims.width);
  place(dims.key);
  place(dims.value);
  SmallVector<AffineMap> affineMaps;
  for (const IndexVector &map : all) {
    SmallVector<AffineExpr> results;
    for (AffineExpr result : map)
      results.push_back(result.replaceDims(order));
    affineMaps.push_back(
        AffineMap::get(next, 0, results, builder.getContext()));
  }
  double scale = score.scale * operands[0].scale * operands[1].scale;
  attention = AttentionOp::create(
      builder, loc, TypeRange(ValueRange(outs)), operands[0].element.tensor,
      operands[1].element.tensor, operands[2].element.tensor, factor.tensor,
      mask.operand.tensor, sink.tensor, dropout.tensor, mask.causalOffset, outs,
      builder.getAffineMapArrayAttr(affineMaps), builder.getF64FloatAttr(scale),
      mask.window ? builder.getI64IntegerAttr(*mask.window) : IntegerAttr(),
      score.softcap ? builder.getF64FloatAttr(*score.softcap) : FloatAttr(),
      mask.maskedScore ? builder.getF64FloatAttr(*mask.maskedScore)
                       : FloatAttr(),
      score.floor ? builder.getF64FloatAttr(*score.floor) : FloatAttr(),
      MaskedRowsAttr::get(builder.getContext(), softmax.zeroMaskedRows
                                                    ? MaskedRows::Zero
                                                    : MaskedRows::NaN));
  Value result = attention.getResult(0);
  if (numMissing)
    result = tensor::CollapseShapeOp::create(builder, loc, type, result,
                                             reassociation);
  result = finish(builder, result, softmax.outputScale);
  contraction->getResult(0).replaceAllUsesWith(result);
  if (late)
    dropDivision(*late);
  if (kept.empty())
    return success();
  buildKept(builder, attention, dims, kept);
  // Readers of probabilities may stand before the second product.
  sortTopologically(contraction->getBlock());
  return success();
}

MatchResult Candidate::raise(NearMiss &miss) {
  LogicalResult named = nameDims(miss);
  OpOperand *rows = contraction.getDpsInputOperand(probabilities);
  ExprRef probability = evaluator.getElement(
      rows->get(),
      evaluator.applyMap(contraction.getMatchingIndexingMap(rows), loops));
  if (failed(named))
    return isSoftmax(evaluator, probability) ? MatchResult::Missed
                                             : MatchResult::Unrelated;
  if (isExponential(probability) && !isSoftmax(evaluator, probability))
    late = findLateDivision(evaluator, contraction, loops);
  if (late)
    probability = evaluator.getBinary(ExprKind::Div, probability, late->sum,
                                      late->sum->type, late->division);
  AffineExpr key = space.simplify(dim(dims.key));
  Softmax softmax;
  MatchResult matched = matchSoftmax(evaluator, probability, key,
                                     space.getBound(dims.key), softmax, miss);
  if (matched == MatchResult::Unrelated && isUndivided(probability)) {
    (void)fail(miss, contraction,
               "the exponentials are multiplied with the values before they "
               "are divided by their sum");
    return MatchResult::Missed;
  }
  if (matched != MatchResult::Matched)
    return matched;
  // The reason that counts is the first one.
  Score score;
  LogicalResult scored = failure();
  for (unsigned choices = 0; failed(scored) && choices < maxChoices;
       ++choices) {
    Score attempt;
    NearMiss ignored;
    NearMiss &why = choices == 0 ? miss : ignored;
    scored = matchScore(evaluator, softmax, choices, attempt, why);
    if (succeeded(scored))
      scored = matchOperands(attempt, why);
    if (succeeded(scored))
      score = attempt;
    else if (choices + 1 >= 1u << attempt.numChoices)
      break;
  }
  if (failed(scored) || failed(matchDropped(evaluator, softmax, score, miss)) ||
      failed(checkUses(score, softmax, probability, miss)))
    return MatchResult::Missed;
  Mask mask;
  OpBuilder builder(contraction);
  if (failed(buildMask(evaluator, builder, contraction, dims, score, mask,
                       miss)) ||
      failed(buildExtras(builder, score, softmax, miss)) ||
      failed(build(score, softmax, mask, miss)))
    return MatchResult::Missed;
  return MatchResult::Matched;
}

} // namespace

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

static void reportRaised(AttentionOp attention) {
  InFlightDiagnostic remark = emitRemark(attention.getLoc());
  remark << "fusion: attention raised: "
         << getElementTypeOrSelf(attention.getQuery()) << ", scale "
         << attention.getScale().convertToDouble();
  if (Value factor = attention.getFactor())
    remark << ", factor " << factor.getType();
  if (attention.getCausalOffset())
    remark << ", causal";
  if (attention.getWindow())
    remark << ", window " << static_cast<int64_t>(*attention.getWindow());
  if (attention.getSoftcap())
    remark << ", soft cap " << attention.getSoftcap()->convertToDouble();
  if (Value mask = attention.getMask())
    remark << ", mask " << mask.getType();
  if (attention.getMaskedScore())
    remark << " for " << attention.getMaskedScore()->convertToDouble();
  if (attention.getFloor())
    remark << ", floor " << attention.getFloor()->convertToDouble();
  if (Value sink = attention.getSink())
    remark << ", sink " << sink.getType();
  if (Value dropout = attention.getDropout())
    remark << ", dropout " << dropout.getType();
  if (attention.getProbabilities())
    remark << ", probabilities kept";
  else if (attention.hasRowResults())
    remark << ", rows kept";
}

/// Erases what has no use any more, last operation first.
static void eraseDead(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (isOpTriviallyDead(&op)) {
      op.erase();
      continue;
    }
    // Bodies of linalg operations hold nothing of a graph.
    if (isa<linalg::LinalgOp>(op))
      continue;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        eraseDead(inner);
  }
}

void fusion::raiseAttention(func::FuncOp func, bool exactRounding) {
  if (func.isExternal())
    return;
  SmallVector<std::pair<linalg::LinalgOp, unsigned>> seeds;
  llvm::DenseMap<Operation *, bool> hasExp;
  func.walk([&](linalg::LinalgOp op) {
    if (!isSumOfProducts(op))
      return;
    for (unsigned operand : {0u, 1u})
      if (leadsToExponential(op.getDpsInputOperand(operand)->get(), hasExp))
        seeds.push_back({op, operand});
  });
  if (seeds.empty())
    return;
  llvm::DenseSet<OpOperand *> operands;
  for (auto [op, operand] : seeds)
    operands.insert(&op->getOpOperand(operand));
  ShapeAnalysis shapes(func);
  SmallVector<AttentionOp> raised;
  SmallVector<Operation *> lateReaders;
  for (auto [op, operand] : seeds) {
    if (op->use_empty())
      continue;
    NearMiss miss;
    Candidate candidate(op, operand, operands, shapes, exactRounding);
    switch (candidate.raise(miss)) {
    case MatchResult::Unrelated:
      continue;
    case MatchResult::Missed: {
      Operation *at = miss.op ? miss.op : op.getOperation();
      emitRemark(at->getLoc()) << "fusion: attention not raised: '"
                               << at->getName() << "': " << miss.reason;
      continue;
    }
    case MatchResult::Matched:
      raised.push_back(candidate.getResult());
      if (Operation *reader = candidate.getLateReader())
        lateReaders.push_back(reader);
      continue;
    }
  }
  if (raised.empty())
    return;
  // Values named by the shape analysis stay alive until here.
  for (AttentionOp attention : raised)
    reportRaised(attention);
  // A division that was dropped no longer needs its divisor.
  for (Operation *reader : lateReaders)
    for (Operation &op : llvm::make_early_inc_range(
             llvm::reverse(reader->getRegion(0).front())))
      if (isOpTriviallyDead(&op))
        op.erase();
  RewritePatternSet unused(func.getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(unused);
  (void)applyOpPatternsGreedily(lateReaders, std::move(unused),
                                GreedyRewriteConfig().setStrictness(
                                    GreedyRewriteStrictness::ExistingOps));
  for (Block &block : func.getBody())
    eraseDead(block);
}

namespace {
struct RaiseAttention : fusion::impl::FusionRaiseAttentionBase<RaiseAttention> {
  using Base::Base;
  void runOnOperation() override {
    raiseAttention(getOperation(), exactRounding);
  }
};
} // namespace
