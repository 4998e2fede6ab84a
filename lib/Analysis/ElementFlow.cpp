//===- ElementFlow.cpp - Which elements come from which -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/ElementFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

IndexVector fusion::applyMap(IndexSpace &space, AffineMap map,
                             ArrayRef<AffineExpr> loops) {
  IndexVector indices;
  for (AffineExpr expr : map.getResults())
    indices.push_back(space.simplify(expr.replaceDims(loops)));
  return indices;
}

SmallVector<AffineExpr> fusion::getLoopBounds(linalg::LinalgOp op,
                                              ShapeAnalysis &shapes) {
  SmallVector<AffineExpr> bounds(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [i, expr] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        if (AffineExpr size = shapes.getDim(operand.get(), i);
            !bounds[dim.getPosition()] || isa<AffineConstantExpr>(size))
          bounds[dim.getPosition()] = size;
  }
  return bounds;
}

/// The operand that a structured operation copies or widens, if that is all it
/// does.
OpOperand *fusion::getCopiedOperand(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() || op->getNumResults() != 1)
    return nullptr;
  Block &body = *op.getBlock();
  Value yielded = body.getTerminator()->getOperand(0);
  if (auto extend = yielded.getDefiningOp<arith::ExtFOp>())
    yielded = extend.getIn();
  auto argument = dyn_cast<BlockArgument>(yielded);
  if (!argument || argument.getOwner() != &body)
    return nullptr;
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (op.isDpsInit(operand) || !isa<RankedTensorType>(operand->get().getType()))
    return nullptr;
  return operand;
}

ResolvedElement fusion::resolveElement(IndexSpace &space, ShapeAnalysis &shapes,
                                       Value value,
                                       ArrayRef<AffineExpr> indices) {
  ResolvedElement current{value, IndexVector(indices)};
  while (Operation *op = current.value.getDefiningOp()) {
    auto fusible = dyn_cast<FusibleOpInterface>(op);
    if (!fusible)
      break;
    OpOperand *operand = nullptr;
    if (fusible.getFusionRole() == FusionRole::View)
      operand = &op->getOpOperand(0);
    else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
             linalgOp && !isa<linalg::FillOp>(op))
      operand = getCopiedOperand(linalgOp);
    if (!operand)
      break;
    unsigned result = cast<OpResult>(current.value).getResultNumber();
    FailureOr<IndexVector> next = fusible.getOperandIndices(
        space, shapes, *operand, result, current.indices);
    if (failed(next))
      break;
    current = {operand->get(), *next};
  }
  return current;
}

namespace {
/// Checks that pulling elements reaches the hero only at the known indices.
class PullCheck {
public:
  PullCheck(IndexSpace &space, ShapeAnalysis &shapes, ArrayRef<Value> heroes,
            ArrayRef<AffineExpr> indices)
      : space(space), shapes(shapes), heroes(heroes), indices(indices) {}

  bool dependsOnHero(Value value) {
    if (llvm::is_contained(heroes, value))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    auto [it, inserted] = depends.try_emplace(op, false);
    if (!inserted)
      return it->second;
    bool result = llvm::any_of(op->getOperands(), [&](Value operand) {
      return dependsOnHero(operand);
    });
    op->walk([&](tensor::ExtractOp extract) {
      result |= extract != op && dependsOnHero(extract.getTensor());
    });
    return depends[op] = result;
  }

  bool check(Value value, ArrayRef<AffineExpr> at) {
    if (llvm::is_contained(heroes, value))
      return ArrayRef<AffineExpr>(at) == indices;
    Operation *op = value.getDefiningOp();
    if (!op || !dependsOnHero(value))
      return true;
    auto fusible = dyn_cast<FusibleOpInterface>(op);
    if (!fusible)
      return false;
    unsigned result = cast<OpResult>(value).getResultNumber();
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()) ||
          !dependsOnHero(operand.get()))
        continue;
      FailureOr<IndexVector> next =
          fusible.getOperandIndices(space, shapes, operand, result, at);
      if (failed(next) || !check(operand.get(), *next))
        return false;
    }
    // A gather from the hero's result is another element.
    bool gathers = false;
    op->walk([&](tensor::ExtractOp extract) {
      gathers |= dependsOnHero(extract.getTensor());
    });
    return !gathers;
  }

private:
  IndexSpace &space;
  ShapeAnalysis &shapes;
  ArrayRef<Value> heroes;
  ArrayRef<AffineExpr> indices;
  llvm::DenseMap<Operation *, bool> depends;
};
} // namespace

llvm::DenseMap<Value, IndexVector>
fusion::pushElements(IndexSpace &space, ShapeAnalysis &shapes,
                     ArrayRef<Operation *> ops, ArrayRef<Value> heroResults,
                     ArrayRef<AffineExpr> indices) {
  llvm::DenseMap<Value, IndexVector> known;
  for (Value result : heroResults)
    known[result] = IndexVector(indices);
  for (Operation *op : ops) {
    auto fusible = dyn_cast<FusibleOpInterface>(op);
    if (!fusible)
      continue;
    for (OpResult result : op->getResults()) {
      if (known.contains(result))
        continue;
      for (OpOperand &operand : op->getOpOperands()) {
        auto it = known.find(operand.get());
        if (it == known.end())
          continue;
        IndexVector at = it->second;
        FailureOr<IndexVector> next = fusible.getResultIndices(
            space, shapes, operand, result.getResultNumber(), at);
        if (succeeded(next)) {
          known[result] = *next;
          break;
        }
      }
    }
  }
  return known;
}

FailureOr<SmallVector<IndexVector>>
fusion::pushToOutputs(IndexSpace &space, ShapeAnalysis &shapes,
                      ArrayRef<Operation *> ops, ArrayRef<Value> outputs,
                      ArrayRef<Value> heroResults,
                      ArrayRef<AffineExpr> indices) {
  llvm::DenseMap<Value, IndexVector> known =
      pushElements(space, shapes, ops, heroResults, indices);
  PullCheck pull(space, shapes, heroResults, indices);
  SmallVector<IndexVector> result;
  for (Value output : outputs) {
    if (!pull.dependsOnHero(output)) {
      result.emplace_back();
      continue;
    }
    auto it = known.find(output);
    if (it == known.end() || !pull.check(output, it->second))
      return failure();
    result.push_back(it->second);
  }
  return result;
}
