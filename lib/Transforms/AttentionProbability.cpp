//===- AttentionProbability.cpp - The softmax of an attention -------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Probabilities are exponentials of scores, divided by their sum over the keys
// (or the sum's logarithm is subtracted before); a maximum that is subtracted
// from all scores of a row cancels. What stands around the quotient (dropout,
// constants, guards of rows without keys) is taken away first. The sum may hold
// one term more, of a key that has no value (a sink): as a column that was
// joined to the scores, or as a summand. Exponentials that a condition replaces
// by zeros are those of scores that it replaces by -inf.
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

/// Whether a running maximum may start from `expr`: whatever the scores are, it
/// does not change the result.
static bool isMaximumStart(ExprRef expr, bool ignoresNaN) {
  if (!expr->is(ExprKind::Float))
    return false;
  if (std::isnan(expr->number))
    return ignoresNaN;
  return expr->number <= maskingScore;
}

ExprRef fusion::stripMaximum(ExprRef expr) {
  while (true) {
    expr = stripRounding(expr);
    if (expr->is(ExprKind::Max)) {
      if (isMaximumStart(expr->operands[0], expr->predicate)) {
        expr = expr->operands[1];
        continue;
      }
      if (isMaximumStart(expr->operands[1], expr->predicate)) {
        expr = expr->operands[0];
        continue;
      }
    }
    // m is infinite ? c : m.
    if (expr->is(ExprKind::Select) &&
        expr->operands[0]->is(ExprKind::CompareFloat)) {
      ExprRef compare = expr->operands[0];
      ExprRef tested = stripRounding(compare->operands[0]);
      if (tested->is(ExprKind::Other) && isa<math::AbsFOp>(tested->op))
        tested = stripRounding(tested->operands[0]);
      bool againstInfinity = compare->operands[1]->is(ExprKind::Float) &&
                             std::isinf(compare->operands[1]->number);
      for (unsigned arm : {1, 2})
        if (againstInfinity && stripRounding(expr->operands[arm]) == tested &&
            expr->operands[3 - arm]->is(ExprKind::Float))
          return stripMaximum(tested);
    }
    return expr;
  }
}

namespace {
/// The pieces of e / sum(e).
struct Quotient {
  ExprRef numerator, denominator;
};
} // namespace

static std::optional<Quotient> splitQuotient(ExprRef expr) {
  if (expr->is(ExprKind::Div))
    return Quotient{stripRounding(expr->operands[0]),
                    stripRounding(expr->operands[1])};
  if (!expr->is(ExprKind::Mul))
    return std::nullopt;
  for (unsigned i : {0, 1}) {
    ExprRef reciprocal = stripRounding(expr->operands[i]);
    if (reciprocal->is(ExprKind::Div) && reciprocal->operands[0]->isFloat(1))
      return Quotient{stripRounding(expr->operands[1 - i]),
                      stripRounding(reciprocal->operands[1])};
  }
  return std::nullopt;
}

ExprRef fusion::getLogarithmOf(ExprRef expr) {
  if (!expr->is(ExprKind::Other) || !isa<math::LogOp>(expr->op))
    return nullptr;
  ExprRef sum = stripRounding(expr->operands[0]);
  if (sum->is(ExprKind::Other) && isa<math::AbsFOp>(sum->op))
    sum = stripRounding(sum->operands[0]);
  return sum;
}

/// exp(s - log(sum)) and exp(s - (log(sum) + m)) as exp(s) / sum and
/// exp(s - m) / sum.
static std::optional<Quotient> splitLogarithm(ElementEvaluator &evaluator,
                                              ExprRef expr) {
  if (!expr->is(ExprKind::Exp))
    return std::nullopt;
  ExprRef argument = stripRounding(expr->operands[0]);
  if (!argument->is(ExprKind::Sub))
    return std::nullopt;
  ExprRef score = stripRounding(argument->operands[0]);
  ExprRef shift = stripRounding(argument->operands[1]);
  ExprRef sum = getLogarithmOf(shift);
  if (shift->is(ExprKind::Add))
    for (unsigned i : {0, 1})
      if (ExprRef inner = getLogarithmOf(stripRounding(shift->operands[i]));
          inner && !sum) {
        sum = inner;
        score = evaluator.getBinary(ExprKind::Sub, argument->operands[0],
                                    stripRounding(shift->operands[1 - i]),
                                    argument->type, argument->op);
      }
  if (!sum)
    return std::nullopt;
  return Quotient{
      evaluator.getUnary(ExprKind::Exp, score, expr->type, expr->op), sum};
}

/// What `expr` is where `keep` is true, if it is 0 elsewhere; null where it is
/// no such choice.
static ExprRef peelZeros(ElementEvaluator &evaluator, ExprRef expr,
                         ExprRef &keep) {
  if (!expr->is(ExprKind::Select))
    return nullptr;
  if (expr->operands[2]->isFloat(0)) {
    keep = expr->operands[0];
    return stripRounding(expr->operands[1]);
  }
  if (!expr->operands[1]->isFloat(0))
    return nullptr;
  keep = evaluator.getNot(expr->operands[0]);
  return stripRounding(expr->operands[2]);
}

/// Whether `condition` says that every score of the row is -inf: of each, or of
/// the largest.
static bool isMaskedRowTest(ElementEvaluator &evaluator, ExprRef condition,
                            ExprRef score, AffineExpr key, AffineExpr numKeys) {
  auto getComparedWithInfinity = [](ExprRef expr) -> ExprRef {
    if (!expr->is(ExprKind::CompareFloat))
      return nullptr;
    auto predicate = static_cast<arith::CmpFPredicate>(expr->predicate);
    bool isEqual = predicate == arith::CmpFPredicate::OEQ ||
                   predicate == arith::CmpFPredicate::OLE;
    if (!isEqual || !expr->operands[1]->isFloat(-INFINITY))
      return nullptr;
    return stripRounding(expr->operands[0]);
  };
  if (ExprRef maximum = getComparedWithInfinity(condition)) {
    FailureOr<ReductionStep> largest =
        evaluator.expandReduction(maximum, key, numKeys);
    return succeeded(largest) && largest->combiner == ExprKind::Max &&
           largest->init->isFloat(-INFINITY) &&
           stripRounding(largest->body) == score;
  }
  FailureOr<ReductionStep> all =
      evaluator.expandReduction(condition, key, numKeys);
  return succeeded(all) && all->combiner == ExprKind::And &&
         all->init->is(ExprKind::Bool) && all->init->number == 1 &&
         getComparedWithInfinity(all->body) == score;
}

/// Whether an exponential takes part in `expr`.
static bool holdsExponential(ExprRef expr) {
  bool found = false;
  walkExpr(expr, [&](ExprRef part) {
    found |= part->is(ExprKind::Exp) || part->is(ExprKind::Exp2);
    return !found;
  });
  return found;
}

/// Whether an element of a tensor that was joined of others takes part: of
/// which of them is not known.
static bool holdsJoined(ExprRef expr) {
  bool found = false;
  walkExpr(expr, [&](ExprRef part) {
    found |=
        part->is(ExprKind::Element) &&
        isa_and_nonnull<tensor::ConcatOp, tensor::InsertSliceOp, tensor::PadOp>(
            part->op);
    return !found;
  });
  return found;
}

namespace {

/// A reduction over the keys: what a key adds, and what an extra one adds that
/// has no value (null for none).
struct KeyReduction {
  ReductionStep step;
  ExprRef extra = nullptr;
};

/// Matches one softmax.
class SoftmaxMatcher {
public:
  SoftmaxMatcher(ElementEvaluator &evaluator, AffineExpr key,
                 AffineExpr numKeys, Softmax &softmax, NearMiss &miss)
      : evaluator(evaluator), space(evaluator.getSpace()), key(key),
        numKeys(numKeys), softmax(softmax), miss(miss) {}

  MatchResult match(ExprRef probability);
  /// Takes factors and choices around the quotient away; nullopt where there is
  /// no quotient of an exponential and what may be a sum.
  std::optional<Quotient> findQuotient(ExprRef expr);

private:
  void multiply(ExprRef factor);
  /// Looks into a reduction over the keys. Where an extra key stands among
  /// them, it comes last or first.
  FailureOr<KeyReduction> expand(ExprRef leaf, ExprKind combiner);
  /// The sum that divides `exponential`; `extra` is the sink's term.
  LogicalResult matchSum(ExprRef exponential, ExprRef total, ExprRef &extra);
  LogicalResult matchSink(ExprRef exponential, ExprRef total, ExprRef extra);
  LogicalResult matchMaximum();
  /// Takes away maxima that were subtracted before.
  void dropShifts();

  ElementEvaluator &evaluator;
  IndexSpace &space;
  AffineExpr key, numKeys;
  Softmax &softmax;
  NearMiss &miss;
  /// What is subtracted from the scores; null for nothing.
  ExprRef subtracted = nullptr;
  /// Where the exponentials above the quotient are not replaced by 0; null for
  /// everywhere.
  ExprRef kept = nullptr;
  /// Conditions on which probabilities are replaced by 0.
  SmallVector<ExprRef> dropped;
};

} // namespace

void SoftmaxMatcher::multiply(ExprRef factor) {
  Type type =
      factor->type ? factor->type : Float32Type::get(space.getContext());
  softmax.dropout =
      softmax.dropout
          ? evaluator.getBinary(ExprKind::Mul, softmax.dropout, factor, type)
          : factor;
}

std::optional<Quotient> SoftmaxMatcher::findQuotient(ExprRef expr) {
  while (true) {
    expr = stripFactors(expr, softmax.outputScale);
    ExprRef keep = nullptr;
    if (ExprRef inner = peelZeros(evaluator, expr, keep)) {
      dropped.push_back(evaluator.getNot(keep));
      softmax.droppedOp = expr->op;
      expr = inner;
      continue;
    }
    std::optional<Quotient> quotient = splitQuotient(expr);
    if (!quotient)
      quotient = splitLogarithm(evaluator, expr);
    if (quotient) {
      ExprRef above = stripFactors(quotient->numerator, softmax.outputScale);
      while (above->is(ExprKind::Mul)) {
        unsigned which = holdsExponential(above->operands[0]) ? 0 : 1;
        multiply(above->operands[1 - which]);
        above = stripFactors(above->operands[which], softmax.outputScale);
      }
      ExprRef below = quotient->denominator;
      if (ExprRef inner = peelZeros(evaluator, above, kept))
        above = inner;
      if ((above->is(ExprKind::Exp) || above->is(ExprKind::Exp2)) &&
          (below->is(ExprKind::Element) || below->is(ExprKind::Add)))
        return Quotient{above, below};
      return std::nullopt;
    }
    if (!expr->is(ExprKind::Mul))
      return std::nullopt;
    bool left = holdsExponential(expr->operands[0]);
    if (left == holdsExponential(expr->operands[1]))
      return std::nullopt;
    multiply(expr->operands[left ? 1 : 0]);
    expr = expr->operands[left ? 0 : 1];
  }
}

FailureOr<KeyReduction> SoftmaxMatcher::expand(ExprRef leaf,
                                               ExprKind combiner) {
  FailureOr<ReductionStep> step = evaluator.expandReduction(leaf, key, numKeys);
  if (succeeded(step)) {
    if (step->combiner != combiner)
      return failure();
    return KeyReduction{*step};
  }
  AffineExpr more = space.simplify(numKeys + 1);
  for (bool isLast : {true, false}) {
    step = evaluator.expandReduction(
        leaf, isLast ? key : space.simplify(key + 1), more);
    FailureOr<ReductionStep> extra = evaluator.expandReduction(
        leaf, isLast ? numKeys : space.constant(0), more);
    if (failed(step) || failed(extra) || step->combiner != combiner)
      return failure();
    if (!holdsJoined(step->body) && !holdsJoined(extra->body))
      return KeyReduction{*step, stripRounding(extra->body)};
  }
  return failure();
}

LogicalResult SoftmaxMatcher::matchSum(ExprRef exponential, ExprRef total,
                                       ExprRef &extra) {
  ExprRef leaf = total;
  if (total->is(ExprKind::Add))
    for (unsigned i : {0, 1})
      if (ExprRef part = stripRounding(total->operands[i]);
          part->is(ExprKind::Element) && !extra) {
        leaf = part;
        extra = stripRounding(total->operands[1 - i]);
      }
  FailureOr<KeyReduction> sum = expand(leaf, ExprKind::Add);
  if (failed(sum) || (extra && sum->extra))
    return fail(miss, total,
                "what divides the exponentials is not their sum over the keys");
  ExprRef term = stripRounding(sum->step.body), summed = nullptr;
  if (ExprRef inner = peelZeros(evaluator, term, summed))
    term = inner;
  // Scores that are -inf where the sum leaves them out need not be left out.
  bool isMasked = summed && softmax.score->is(ExprKind::Select) &&
                  softmax.score->operands[0] == summed &&
                  softmax.score->operands[2]->isFloat(-INFINITY);
  if (kept && kept == summed) {
    softmax.score =
        evaluator.getSelect(kept, softmax.score, evaluator.getFloat(-INFINITY),
                            softmax.score->type, exponential->op);
  } else if (kept || (summed && !isMasked)) {
    term = nullptr;
  }
  if (term != exponential)
    return fail(miss, total,
                "the softmax does not run along the dimension that is "
                "contracted with the values");
  if (!sum->step.init->isFloat(0))
    return fail(miss, total,
                "the sum of the exponentials does not start from 0");
  if (sum->extra)
    extra = sum->extra;
  softmax.total = total->is(ExprKind::Element) ? total : nullptr;
  return success();
}

LogicalResult SoftmaxMatcher::matchSink(ExprRef exponential, ExprRef total,
                                        ExprRef extra) {
  auto failed = [&] {
    return fail(miss, total,
                "what is added to the sum of the exponentials is not the "
                "exponential of another score");
  };
  if (extra->isFloat(1) && !subtracted) {
    softmax.sink = evaluator.getFloat(0);
    return success();
  }
  if (!extra->is(exponential->kind))
    return failed();
  double factor = extra->is(ExprKind::Exp2) ? M_LN2 : 1;
  ExprRef argument = stripFactors(extra->operands[0], factor);
  if (!subtracted)
    softmax.sink = evaluator.getScaled(argument, factor / softmax.factor);
  else if (argument == subtracted && factor == -softmax.factor)
    softmax.sink = evaluator.getFloat(0);
  else if (argument->is(ExprKind::Sub) && factor == softmax.factor &&
           stripRounding(argument->operands[1]) == subtracted)
    softmax.sink = stripRounding(argument->operands[0]);
  else
    return failed();
  return success();
}

LogicalResult SoftmaxMatcher::matchMaximum() {
  ExprRef maximum = stripMaximum(subtracted);
  // The sink may be compared with the others on its own.
  if (softmax.sink && maximum->is(ExprKind::Max))
    for (unsigned i : {0, 1})
      if (stripRounding(maximum->operands[i]) == softmax.sink) {
        maximum = stripMaximum(maximum->operands[1 - i]);
        break;
      }
  FailureOr<KeyReduction> largest = expand(maximum, ExprKind::Max);
  if (failed(largest))
    return fail(miss, subtracted,
                "what is subtracted from the scores is not their maximum over "
                "the keys");
  if (stripRounding(largest->step.body) != softmax.score ||
      (largest->extra && largest->extra != softmax.sink))
    return fail(miss, maximum,
                "the maximum is not of the scores that it is subtracted from");
  if (!isMaximumStart(largest->step.init, largest->step.ignoresNaN))
    return fail(miss, maximum,
                "the running maximum starts from a value that may exceed the "
                "scores");
  softmax.subtracted = subtracted;
  return success();
}

void SoftmaxMatcher::dropShifts() {
  while (softmax.score->is(ExprKind::Sub)) {
    ExprRef shift = stripRounding(softmax.score->operands[1]);
    ExprRef score = stripRounding(softmax.score->operands[0]);
    ExprRef sink = softmax.sink;
    if (sink &&
        (!sink->is(ExprKind::Sub) || stripRounding(sink->operands[1]) != shift))
      return;
    if (sink)
      sink = stripRounding(sink->operands[0]);
    FailureOr<KeyReduction> largest =
        expand(stripMaximum(shift), ExprKind::Max);
    if (failed(largest) || stripRounding(largest->step.body) != score ||
        (largest->extra && largest->extra != sink) ||
        !isMaximumStart(largest->step.init, largest->step.ignoresNaN))
      return;
    softmax.score = score;
    softmax.sink = sink;
    softmax.total = nullptr;
  }
}

MatchResult SoftmaxMatcher::match(ExprRef probability) {
  std::optional<Quotient> quotient = findQuotient(probability);
  if (!quotient)
    return MatchResult::Unrelated;
  ExprRef exponential = quotient->numerator, total = quotient->denominator;

  // From here on this is a softmax, and what does not fit is reported.
  double factor = exponential->is(ExprKind::Exp2) ? M_LN2 : 1;
  ExprRef argument = stripFactors(exponential->operands[0], factor);
  softmax.score = argument;
  softmax.factor = factor;
  if (argument->is(ExprKind::Sub)) {
    softmax.score = stripRounding(argument->operands[0]);
    subtracted = stripRounding(argument->operands[1]);
  }
  ExprRef extra = nullptr;
  if (failed(matchSum(exponential, total, extra)) ||
      (extra && failed(matchSink(exponential, total, extra))) ||
      (subtracted && failed(matchMaximum())))
    return MatchResult::Missed;
  // 1 / ln 2 comes rounded to the graph's type.
  if (std::abs(softmax.factor - 1) < 1e-6)
    softmax.factor = 1;
  else
    softmax.total = nullptr;
  for (ExprRef condition : dropped) {
    if (isMaskedRowTest(evaluator, condition, softmax.score, key, numKeys)) {
      softmax.zeroMaskedRows = true;
      continue;
    }
    softmax.dropped = softmax.dropped
                          ? evaluator.getBinary(ExprKind::Or, softmax.dropped,
                                                condition, condition->type)
                          : condition;
  }
  dropShifts();
  return MatchResult::Matched;
}

MatchResult fusion::matchSoftmax(ElementEvaluator &evaluator,
                                 ExprRef probability, AffineExpr key,
                                 AffineExpr numKeys, Softmax &softmax,
                                 NearMiss &miss) {
  return SoftmaxMatcher(evaluator, key, numKeys, softmax, miss)
      .match(probability);
}

LogicalResult fusion::matchDropped(ElementEvaluator &evaluator,
                                   Softmax &softmax, Score &score,
                                   NearMiss &miss) {
  ExprRef dropped = softmax.dropped;
  if (!dropped)
    return success();
  // The keys that are masked anyway: what is left of this is that a row without
  // keys becomes zero. Or only keys of rows that always have some.
  ExprRef keep = evaluator.getBool(true);
  // Under a floor no score is -inf.
  bool choices = !score.floor, finite = true;
  MLIRContext *context = evaluator.getSpace().getContext();
  Type i1 = IntegerType::get(context, 1);
  for (const MaskPart &part : score.parts) {
    choices &= part.keep && part.fill <= maskingScore;
    finite &= part.keep && std::isfinite(part.fill);
    if (part.keep)
      keep = evaluator.getBinary(ExprKind::And, keep, part.keep, i1);
  }
  if (choices && evaluator.getNot(keep) == dropped) {
    for (MaskPart &part : score.parts) {
      part.fill = -INFINITY;
      part.addend = nullptr;
    }
    softmax.zeroMaskedRows = true;
    return success();
  }
  if (!finite)
    return fail(miss, softmax.droppedOp,
                "probabilities are replaced by zeros on a condition that is "
                "not `every score of the row is -inf`");
  Type f32 = Float32Type::get(context);
  ExprRef factor = evaluator.getSelect(dropped, evaluator.getFloat(0),
                                       evaluator.getFloat(1), f32);
  softmax.dropout =
      softmax.dropout
          ? evaluator.getBinary(ExprKind::Mul, softmax.dropout, factor, f32)
          : factor;
  return success();
}

bool fusion::isExponential(ExprRef expr) {
  expr = stripRounding(expr);
  return expr->is(ExprKind::Exp) || expr->is(ExprKind::Exp2);
}

bool fusion::isSoftmax(ElementEvaluator &evaluator, ExprRef expr) {
  Softmax ignored;
  NearMiss none;
  return SoftmaxMatcher(evaluator, {}, {}, ignored, none)
      .findQuotient(expr)
      .has_value();
}
