//===- AttentionScore.cpp - The scores of an attention --------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

LogicalResult fusion::fail(NearMiss &miss, Operation *at, const Twine &reason) {
  miss.op = at;
  miss.reason = reason.str();
  return failure();
}

LogicalResult fusion::fail(NearMiss &miss, ExprRef at, const Twine &reason) {
  return fail(miss, at->op, reason);
}

bool fusion::isProduct(ExprRef expr) {
  if (!expr->is(ExprKind::Element))
    return false;
  auto op = expr->value.getDefiningOp<linalg::LinalgOp>();
  return op && isSumOfProducts(op);
}

static constexpr llvm::StringLiteral changedBeforeScale =
    "the scores are changed before they are scaled by something that is not a "
    "constant";

static bool isPartOf(ExprRef part, ExprRef expr) {
  bool found = false;
  walkExpr(expr, [&](ExprRef other) {
    found |= other == part;
    return !found;
  });
  return found;
}

/// Whether a product takes part in `expr`.
static bool holdsProduct(ExprRef expr) {
  bool found = false;
  walkExpr(expr, [&](ExprRef part) {
    found |= isProduct(part);
    return !found && part->kind != ExprKind::Element;
  });
  return found;
}

ExprRef fusion::peelFactor(ExprRef expr, double &factor) {
  if (expr->is(ExprKind::Neg)) {
    factor = -factor;
    return expr->operands[0];
  }
  for (unsigned i : {1, 0}) {
    bool divides = expr->is(ExprKind::Div) && i == 1;
    if ((!divides && !expr->is(ExprKind::Mul)) ||
        !expr->operands[i]->is(ExprKind::Float))
      continue;
    double number = expr->operands[i]->number;
    factor = divides ? factor / number : factor * number;
    return expr->operands[1 - i];
  }
  return nullptr;
}

ExprRef fusion::stripFactors(ExprRef expr, double &factor) {
  while (true) {
    expr = stripRounding(expr);
    ExprRef inner = peelFactor(expr, factor);
    if (!inner)
      return expr;
    expr = inner;
  }
}

ExprRef fusion::getInit(ElementEvaluator &evaluator, linalg::LinalgOp op,
                        ArrayRef<AffineExpr> indices) {
  FailureOr<IndexVector> loops = ElementEvaluator::getLoops(op, 0, indices);
  if (failed(loops))
    return nullptr;
  for (AffineExpr &loop : *loops)
    if (!loop)
      loop = evaluator.getSpace().constant(0);
  OpOperand *init = op.getDpsInitOperand(0);
  return evaluator.getElement(
      init->get(), evaluator.applyMap(op.getMatchingIndexingMap(init), *loops));
}

/// Says of an addend that is 0 (or -0) or a score that masks when it is which.
static void findChoice(ElementEvaluator &evaluator, MaskPart &part) {
  ExprRef addend = part.addend;
  if (!addend || !addend->is(ExprKind::Select) ||
      !addend->operands[1]->is(ExprKind::Float) ||
      !addend->operands[2]->is(ExprKind::Float))
    return;
  double yes = addend->operands[1]->number, no = addend->operands[2]->number;
  if (yes == 0 && no <= maskingScore) {
    part.keep = addend->operands[0];
    part.fill = no;
  } else if (no == 0 && yes <= maskingScore) {
    part.keep = evaluator.getNot(addend->operands[0]);
    part.fill = yes;
  }
}

namespace {

/// Takes scores apart, from the softmax inwards.
class ScoreMatcher {
public:
  ScoreMatcher(ElementEvaluator &evaluator, double factor, unsigned choices,
               Score &score, NearMiss &miss)
      : evaluator(evaluator), factor(factor), choices(choices), score(score),
        miss(miss) {}

  LogicalResult match(ExprRef expr);

private:
  LogicalResult matchProduct(ExprRef product);
  /// These return what is inside, null on failure.
  ExprRef matchSum(ExprRef expr);
  ExprRef matchChoice(ExprRef expr);
  ExprRef matchFloor(ExprRef expr);
  ExprRef matchFactor(ExprRef expr);
  /// Null, without a reason, where nothing is replaced by zeros.
  ExprRef matchZeroes(ExprRef expr);
  void add(ExprRef addend, double addendFactor, Operation *op);
  void choose(ExprRef keep, double fill, Operation *op);

  ElementEvaluator &evaluator;
  /// What the scores at this place are multiplied with until the softmax.
  double factor;
  unsigned choices;
  Score &score;
  NearMiss &miss;
  /// No score is smaller when it reaches the softmax.
  std::optional<double> floor;
};

} // namespace

void ScoreMatcher::add(ExprRef addend, double addendFactor, Operation *op) {
  MaskPart part;
  part.op = op;
  part.addend = evaluator.getScaled(addend, addendFactor);
  if (floor && !score.floor) {
    Type f32 = Float32Type::get(evaluator.getSpace().getContext());
    part.addend = evaluator.getBinary(ExprKind::Max, part.addend,
                                      evaluator.getFloat(*floor),
                                      addend->type ? addend->type : f32, op);
  }
  findChoice(evaluator, part);
  part.fill = std::max(part.fill, floor.value_or(-INFINITY));
  score.parts.push_back(part);
}

void ScoreMatcher::choose(ExprRef keep, double fill, Operation *op) {
  MaskPart part;
  part.op = op;
  part.keep = keep;
  part.fill = std::max(fill, floor.value_or(-INFINITY));
  score.parts.push_back(part);
}

LogicalResult ScoreMatcher::matchProduct(ExprRef product) {
  auto op = product->value.getDefiningOp<linalg::LinalgOp>();
  ExprRef init = getInit(evaluator, op, product->indices);
  if (!init)
    return fail(miss, op,
                "the product's result is no permutation of its dimensions");
  // What products are added to is added to the scores.
  if (!init->isFloat(0)) {
    if (score.factor)
      return fail(miss, op, changedBeforeScale);
    if (score.softcap)
      return fail(miss, op, "the mask is added inside of the soft cap");
    add(init, factor, op);
  }
  // A mask of the scores themselves needs them in memory.
  for (const MaskPart &part : score.parts)
    for (ExprRef of : {part.keep, part.addend})
      if (of && isPartOf(product, of))
        return fail(miss, part.op, "what masks the scores depends on them");
  score.product = product;
  score.scale = score.softcap ? factor * *score.softcap : factor;
  return success();
}

ExprRef ScoreMatcher::matchSum(ExprRef expr) {
  bool subtracts = expr->is(ExprKind::Sub);
  // A constant is the same for all keys and cancels.
  for (unsigned i : {0, 1})
    if (expr->operands[i]->is(ExprKind::Float) &&
        std::isfinite(expr->operands[i]->number) && !score.softcap && !floor) {
      if (subtracts && i == 0)
        factor = -factor;
      return expr->operands[1 - i];
    }
  bool left = holdsProduct(expr->operands[0]),
       right = holdsProduct(expr->operands[1]);
  if (!left && !right)
    return (void)fail(miss, expr,
                      "the scores are not a product of queries and keys"),
           nullptr;
  if (score.softcap)
    return (void)fail(miss, expr, "the mask is added inside of the soft cap"),
           nullptr;
  // Of two products one is added like any other tensor.
  unsigned which = left ? 0 : 1;
  if (left && right) {
    double ignored = 1;
    bool isFirst = isProduct(stripFactors(expr->operands[0], ignored)) ||
                   !isProduct(stripFactors(expr->operands[1], ignored));
    bool takesOther = choices >> score.numChoices++ & 1;
    which = isFirst == takesOther ? 1 : 0;
  }
  // A rounded mask is not the mask: its finite minimum may have become an
  // infinity.
  double addendFactor = subtracts && which == 0 ? -factor : factor;
  add(expr->operands[1 - which], addendFactor, expr->op);
  if (subtracts && which == 1)
    factor = -factor;
  return expr->operands[which];
}

ExprRef ScoreMatcher::matchChoice(ExprRef expr) {
  ExprRef yes = stripRounding(expr->operands[1]),
          no = stripRounding(expr->operands[2]);
  bool keepsWhereTrue = no->is(ExprKind::Float);
  if (!keepsWhereTrue && !yes->is(ExprKind::Float))
    return (void)fail(miss, expr,
                      "scores are replaced by something that is not a "
                      "constant"),
           nullptr;
  if (score.softcap)
    return (void)fail(miss, expr, "the mask is applied inside of the soft cap"),
           nullptr;
  double fill = (keepsWhereTrue ? no : yes)->number * factor;
  if (!(fill < INFINITY))
    return (void)fail(miss, expr,
                      "what replaces masked scores is infinite or no number"),
           nullptr;
  choose(keepsWhereTrue ? expr->operands[0]
                        : evaluator.getNot(expr->operands[0]),
         fill, expr->op);
  return keepsWhereTrue ? yes : no;
}

ExprRef ScoreMatcher::matchFloor(ExprRef expr) {
  for (unsigned i : {0, 1}) {
    ExprRef bound = expr->operands[i];
    double number = bound->number * factor;
    if (!bound->is(ExprKind::Float) || score.softcap || factor < 0)
      continue;
    // The operation's own floor replaces NaN, as maxnum does.
    bool isOutermost = score.parts.empty() && !floor;
    if (isOutermost && expr->predicate == 1 && number <= maskingScore)
      score.floor = number;
    else if (!(number <= absorbingScore))
      continue;
    floor = std::max(floor.value_or(-INFINITY), number);
    return expr->operands[1 - i];
  }
  return (void)fail(miss, expr,
                    "the scores are bounded by a value that they may reach"),
         nullptr;
}

ExprRef ScoreMatcher::matchZeroes(ExprRef expr) {
  // Multiplied with 0 or a constant: replaced by 0, and scaled.
  for (unsigned i : {0, 1}) {
    ExprRef choice = expr->operands[i];
    if (!expr->is(ExprKind::Mul) || score.softcap || score.factor ||
        !choice->is(ExprKind::Select) ||
        !choice->operands[1]->is(ExprKind::Float) ||
        !choice->operands[2]->is(ExprKind::Float))
      continue;
    bool keepsWhereTrue = choice->operands[2]->isFloat(0);
    double scale = choice->operands[keepsWhereTrue ? 1 : 2]->number;
    if (scale == 0 || !std::isfinite(scale) ||
        !(keepsWhereTrue || choice->operands[1]->isFloat(0)))
      continue;
    choose(keepsWhereTrue ? choice->operands[0]
                          : evaluator.getNot(choice->operands[0]),
           0, expr->op);
    factor *= scale;
    return expr->operands[1 - i];
  }
  return nullptr;
}

ExprRef ScoreMatcher::matchFactor(ExprRef expr) {
  unsigned inner = holdsProduct(expr->operands[0]) ? 0 : 1;
  ExprRef scale = expr->operands[1 - inner];
  if (holdsProduct(scale) || (expr->is(ExprKind::Div) && inner == 1))
    return (void)fail(miss, expr, "the scores are multiplied with each other"),
           nullptr;
  Type f32 = Float32Type::get(evaluator.getSpace().getContext());
  Type type = scale->type ? scale->type : f32;
  if (expr->is(ExprKind::Div))
    scale = evaluator.getBinary(ExprKind::Div, evaluator.getFloat(1), scale,
                                type, expr->op);
  score.factor = score.factor ? evaluator.getBinary(ExprKind::Mul, score.factor,
                                                    scale, type, expr->op)
                              : scale;
  score.factorOp = expr->op;
  return expr->operands[inner];
}

LogicalResult ScoreMatcher::match(ExprRef expr) {
  while (expr) {
    expr = stripFactors(expr, factor);
    if (isProduct(expr))
      return matchProduct(expr);
    if (score.factor && !expr->is(ExprKind::Mul) && !expr->is(ExprKind::Div))
      return fail(miss, expr, changedBeforeScale);
    switch (expr->kind) {
    case ExprKind::Tanh:
      if (score.softcap)
        return fail(miss, expr, "the scores are capped twice");
      if (factor <= 0)
        return fail(miss, expr, "the cap of the scores is not positive");
      score.softcap = factor;
      factor = 1;
      expr = expr->operands[0];
      continue;
    case ExprKind::Add:
    case ExprKind::Sub:
      expr = matchSum(expr);
      continue;
    case ExprKind::Select:
      expr = matchChoice(expr);
      continue;
    case ExprKind::Max:
      expr = matchFloor(expr);
      continue;
    case ExprKind::Mul:
    case ExprKind::Div:
      if (!holdsProduct(expr))
        break;
      if (ExprRef inner = matchZeroes(expr))
        expr = inner;
      else
        expr = matchFactor(expr);
      continue;
    default:
      break;
    }
    return fail(miss, expr, "the scores are not a product of queries and keys");
  }
  return failure();
}

LogicalResult fusion::matchScore(ElementEvaluator &evaluator,
                                 const Softmax &softmax, unsigned choices,
                                 Score &score, NearMiss &miss) {
  return ScoreMatcher(evaluator, softmax.factor, choices, score, miss)
      .match(softmax.score);
}
