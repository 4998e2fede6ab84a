//===- AttentionScore.cpp - The softmax and its scores --------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
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

/// Whether a product takes part in `expr`, conditions of choices apart.
static bool holdsProduct(ExprRef expr) {
  bool found = false;
  walkExpr(expr, [&](ExprRef part) {
    found |= isProduct(part);
    return !found && part->kind != ExprKind::Element;
  });
  return found;
}

/// Whether a running maximum may start from `expr`: whatever the scores are, it
/// does not change the result.
static bool isMaximumStart(ExprRef expr, bool ignoresNaN) {
  if (!expr->is(ExprKind::Float))
    return false;
  if (std::isnan(expr->number))
    return ignoresNaN;
  return expr->number <= maskingScore;
}

/// The maximum of a row, without what guards it against rows of -inf.
static ExprRef stripMaximum(ExprRef expr) {
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

/// Strips constant factors, which go to `factor`.
static ExprRef stripFactors(ExprRef expr, double &factor) {
  while (true) {
    expr = stripRounding(expr);
    if (expr->is(ExprKind::Mul) && expr->operands[1]->is(ExprKind::Float)) {
      factor *= expr->operands[1]->number;
      expr = expr->operands[0];
    } else if (expr->is(ExprKind::Mul) &&
               expr->operands[0]->is(ExprKind::Float)) {
      factor *= expr->operands[0]->number;
      expr = expr->operands[1];
    } else if (expr->is(ExprKind::Div) &&
               expr->operands[1]->is(ExprKind::Float)) {
      factor /= expr->operands[1]->number;
      expr = expr->operands[0];
    } else if (expr->is(ExprKind::Neg)) {
      factor = -factor;
      expr = expr->operands[0];
    } else {
      return expr;
    }
  }
}

/// Whether `condition` says that every score of the row is -inf.
static bool isMaskedRowTest(ElementEvaluator &evaluator, ExprRef condition,
                            ExprRef score, ExprRef maximum, AffineExpr key,
                            AffineExpr numKeys) {
  auto comparesWithInfinity = [](ExprRef expr, ExprRef operand) {
    if (!expr->is(ExprKind::CompareFloat))
      return false;
    auto predicate = static_cast<arith::CmpFPredicate>(expr->predicate);
    bool isEqual = predicate == arith::CmpFPredicate::OEQ ||
                   predicate == arith::CmpFPredicate::OLE;
    return isEqual && stripRounding(expr->operands[0]) == operand &&
           expr->operands[1]->isFloat(-INFINITY);
  };
  if (maximum && comparesWithInfinity(condition, maximum))
    return true;
  FailureOr<ReductionStep> all =
      evaluator.expandReduction(condition, key, numKeys);
  return succeeded(all) && all->combiner == ExprKind::And &&
         all->init->is(ExprKind::Bool) && all->init->number == 1 &&
         comparesWithInfinity(all->body, score);
}

MatchResult fusion::matchSoftmax(ElementEvaluator &evaluator,
                                 ExprRef probability, AffineExpr key,
                                 AffineExpr numKeys, Softmax &softmax,
                                 NearMiss &miss) {
  ExprRef expr = stripRounding(probability);
  ExprRef guard = nullptr;
  if (expr->is(ExprKind::Select) && expr->operands[1]->isFloat(0)) {
    guard = expr->operands[0];
    expr = stripRounding(expr->operands[2]);
  }
  double probabilityScale = 1;
  ExprRef scaled = expr;
  expr = stripFactors(expr, probabilityScale);
  std::optional<Quotient> quotient = splitQuotient(expr);
  if (!quotient)
    return MatchResult::Unrelated;
  ExprRef exponential = quotient->numerator;
  bool isBaseTwo = exponential->is(ExprKind::Exp2);
  if (!isBaseTwo && !exponential->is(ExprKind::Exp))
    return MatchResult::Unrelated;
  ExprRef total = quotient->denominator;
  if (!total->is(ExprKind::Element))
    return MatchResult::Unrelated;

  // From here on this is a softmax, and what does not fit is reported.
  auto missed = [&](ExprRef at, const Twine &reason) {
    (void)fail(miss, at, reason);
    return MatchResult::Missed;
  };
  if (probabilityScale != 1)
    return missed(scaled, "the probabilities are scaled");
  FailureOr<ReductionStep> sum = evaluator.expandReduction(total, key, numKeys);
  if (failed(sum) || sum->combiner != ExprKind::Add)
    return missed(total, "what divides the exponentials is not their sum over "
                         "the keys");
  if (stripRounding(sum->body) != exponential)
    return missed(total, "the softmax does not run along the dimension that is "
                         "contracted with the values");
  if (!sum->init->isFloat(0))
    return missed(total, "the sum of the exponentials does not start from 0");

  double factor = isBaseTwo ? M_LN2 : 1;
  ExprRef argument = stripFactors(exponential->operands[0], factor);
  ExprRef score = argument, maximum = nullptr;
  if (argument->is(ExprKind::Sub)) {
    score = stripRounding(argument->operands[0]);
    maximum = stripMaximum(argument->operands[1]);
    FailureOr<ReductionStep> largest =
        evaluator.expandReduction(maximum, key, numKeys);
    if (failed(largest) || largest->combiner != ExprKind::Max)
      return missed(argument, "what is subtracted from the scores is not their "
                              "maximum over the keys");
    if (stripRounding(largest->body) != score)
      return missed(maximum, "the maximum is not of the scores that it is "
                             "subtracted from");
    if (!isMaximumStart(largest->init, largest->ignoresNaN))
      return missed(maximum, "the running maximum starts from a value that may "
                             "exceed the scores");
  }
  // 1 / ln 2 comes rounded to the graph's type.
  if (std::abs(factor - 1) < 1e-6)
    factor = 1;
  softmax.score = score;
  softmax.factor = factor;
  if (guard) {
    if (!isMaskedRowTest(evaluator, guard, score, maximum, key, numKeys))
      return missed(expr, "probabilities are replaced by zeros on a condition "
                          "that is not `every score of the row is -inf`");
    softmax.zeroMaskedRows = true;
  }
  return MatchResult::Matched;
}

/// Whether `expr` is a choice between 0 (or -0) and a score that masks.
static bool isMaskingChoice(ExprRef expr, bool &keepsWhereTrue, double &fill) {
  if (!expr->is(ExprKind::Select) || !expr->operands[1]->is(ExprKind::Float) ||
      !expr->operands[2]->is(ExprKind::Float))
    return false;
  double yes = expr->operands[1]->number, no = expr->operands[2]->number;
  if (yes == 0 && no <= maskingScore) {
    keepsWhereTrue = true;
    fill = no;
    return true;
  }
  if (no == 0 && yes <= maskingScore) {
    keepsWhereTrue = false;
    fill = yes;
    return true;
  }
  return false;
}

LogicalResult fusion::matchScore(ElementEvaluator &evaluator,
                                 const Softmax &softmax, Score &score,
                                 NearMiss &miss) {
  double factor = softmax.factor;
  ExprRef expr = softmax.score;
  bool isInsideSoftcap = false;
  while (true) {
    expr = stripFactors(expr, factor);
    if (isProduct(expr)) {
      score.product = expr;
      score.scale = isInsideSoftcap ? factor * *score.softcap : factor;
      return success();
    }
    switch (expr->kind) {
    case ExprKind::Tanh:
      if (isInsideSoftcap)
        return fail(miss, expr, "the scores are capped twice");
      if (factor <= 0)
        return fail(miss, expr, "the cap of the scores is not positive");
      score.softcap = factor;
      factor = 1;
      isInsideSoftcap = true;
      expr = expr->operands[0];
      continue;
    case ExprKind::Add:
    case ExprKind::Sub: {
      bool left = holdsProduct(expr->operands[0]),
           right = holdsProduct(expr->operands[1]);
      // A constant is the same for all keys and cancels.
      auto isShift = [](ExprRef operand) {
        return operand->is(ExprKind::Float) && std::isfinite(operand->number);
      };
      if (!isInsideSoftcap && isShift(expr->operands[1])) {
        expr = expr->operands[0];
        continue;
      }
      if (!isInsideSoftcap && expr->is(ExprKind::Add) &&
          isShift(expr->operands[0])) {
        expr = expr->operands[1];
        continue;
      }
      if (left == right)
        return fail(miss, expr,
                    left ? "two products make the scores"
                         : "the scores are not a product of queries and keys");
      if (isInsideSoftcap)
        return fail(miss, expr, "the mask is added inside of the soft cap");
      if (expr->is(ExprKind::Sub))
        return fail(miss, expr,
                    "the scores are subtracted from, or something "
                    "else than a constant is subtracted from them");
      // A rounded mask is not the mask: its finite minimum may have become
      // an infinity.
      ExprRef addend = expr->operands[left ? 1 : 0];
      MaskPart part;
      part.op = expr->op;
      bool keepsWhereTrue;
      if (factor != 1) {
        // -inf stays what it is when it is scaled.
        if (!isMaskingChoice(addend, keepsWhereTrue, part.fill) ||
            !std::isinf(part.fill) || factor < 0)
          return fail(miss, expr, "the scale is applied after the mask");
        part.keep = keepsWhereTrue ? addend->operands[0]
                                   : evaluator.getNot(addend->operands[0]);
      } else {
        part.addend = addend;
      }
      score.parts.push_back(part);
      expr = expr->operands[left ? 0 : 1];
      continue;
    }
    case ExprKind::Select: {
      ExprRef yes = stripRounding(expr->operands[1]),
              no = stripRounding(expr->operands[2]);
      bool keepsWhereTrue = no->is(ExprKind::Float);
      if (!keepsWhereTrue && !yes->is(ExprKind::Float))
        return fail(miss, expr,
                    "scores are replaced by something that is not "
                    "a constant");
      if (isInsideSoftcap)
        return fail(miss, expr, "the mask is applied inside of the soft cap");
      MaskPart part;
      part.op = expr->op;
      part.fill = (keepsWhereTrue ? no : yes)->number * factor;
      if (!(part.fill <= maskingScore))
        return fail(miss, expr,
                    "the value that replaces masked scores is not "
                    "small enough to mask");
      part.keep = keepsWhereTrue ? expr->operands[0]
                                 : evaluator.getNot(expr->operands[0]);
      score.parts.push_back(part);
      expr = keepsWhereTrue ? yes : no;
      continue;
    }
    case ExprKind::Mul:
    case ExprKind::Div:
      if (holdsProduct(expr))
        return fail(miss, expr,
                    "the scores are scaled by something that is "
                    "not a constant");
      break;
    default:
      break;
    }
    return fail(miss, expr, "the scores are not a product of queries and keys");
  }
}
