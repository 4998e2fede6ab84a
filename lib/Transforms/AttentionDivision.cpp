//===- AttentionDivision.cpp - Results divided by the sum -----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph may multiply exponentials with the values first and divide the result
// by their sum, as a kernel does. The division is found among the readers of
// the product, and its divisor followed back to the rows of the exponentials;
// then both are matched as if the division came first, and it is dropped.
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "fusion/Interfaces/FusibleOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

/// Views and copies that may lie between the product and the division.
static constexpr unsigned maxSteps = 8;

/// The only reader of `value`, sizes apart; null where there are several.
static Operation *getOnlyReader(Value value) {
  Operation *reader = nullptr;
  for (Operation *user : value.getUsers()) {
    if (isa<tensor::DimOp>(user))
      continue;
    if (reader && reader != user)
      return nullptr;
    reader = user;
  }
  return reader;
}

std::optional<LateDivision>
fusion::findLateDivision(ElementEvaluator &evaluator,
                         linalg::LinalgOp contraction,
                         ArrayRef<AffineExpr> loops) {
  IndexSpace &space = evaluator.getSpace();
  ShapeAnalysis &shapes = evaluator.getShapes();
  Value product = contraction->getResult(0);
  OpOperand *init = contraction.getDpsInitOperand(0);
  IndexVector written =
      evaluator.applyMap(contraction.getMatchingIndexingMap(init), loops);
  // What the product is added to would have to be divided, too.
  ExprRef start = getInit(evaluator, contraction, written);
  if (!start || !start->isFloat(0))
    return std::nullopt;
  Value value = product;
  for (unsigned step = 0; step < maxSteps; ++step) {
    Operation *reader = getOnlyReader(value);
    if (!reader || reader->getNumResults() != 1)
      return std::nullopt;
    value = reader->getResult(0);
    auto fusible = dyn_cast<FusibleOpInterface>(reader);
    if (fusible && fusible.getFusionRole() == FusionRole::View)
      continue;
    auto op = dyn_cast<linalg::LinalgOp>(reader);
    if (!isa<linalg::GenericOp, linalg::DivOp>(reader) ||
        op.getNumReductionLoops())
      return std::nullopt;
    IndexVector positions;
    for (AffineExpr bound : evaluator.getBounds(op))
      positions.push_back(space.addDim(bound));
    ExprRef expr = stripRounding(evaluator.getElement(
        value,
        evaluator.applyMap(op.getIndexingMapMatchingResult(op->getResult(0)),
                           positions)));
    auto isProduct = [&](ExprRef part) {
      return part->is(ExprKind::Element) && part->value == product;
    };
    if (isProduct(expr))
      continue;
    if (!expr->is(ExprKind::Div) || expr->op->getParentOp() != op)
      return std::nullopt;
    ExprRef dividend = stripRounding(expr->operands[0]);
    ExprRef divisor = stripRounding(expr->operands[1]);
    if (!isProduct(dividend) || !divisor->is(ExprKind::Element))
      return std::nullopt;
    // The reader's positions at the loops of the product.
    FailureOr<IndexVector> dims =
        solveForDims(space, shapes, dividend, written);
    if (failed(dims))
      return std::nullopt;
    IndexVector at;
    for (AffineExpr index : divisor->indices)
      at.push_back(space.simplify(index.replaceDims(*dims)));
    for (AffineExpr index : at)
      for (AffineExpr position : positions)
        if (index.isFunctionOfDim(cast<AffineDimExpr>(position).getPosition()))
          return std::nullopt;
    return LateDivision{op, expr->op, evaluator.getElement(divisor->value, at)};
  }
  return std::nullopt;
}

void fusion::dropDivision(const LateDivision &late) {
  // A named operation's body cannot change.
  Operation *dropped = late.reader;
  if (isa<linalg::GenericOp>(dropped))
    dropped = late.division;
  dropped->getResult(0).replaceAllUsesWith(dropped->getOperand(0));
}
