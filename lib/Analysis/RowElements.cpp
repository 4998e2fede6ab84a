//===- RowElements.cpp - Elements of rows ---------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/RowElements.h"
#include "fusion/Analysis/ElementFlow.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

std::optional<RowDomain> fusion::getRowDomain(linalg::LinalgOp op,
                                              IndexSpace &space,
                                              ShapeAnalysis &shapes) {
  if (!op.getNumReductionLoops())
    return std::nullopt;
  RowDomain domain{space.constant(1), space.constant(1)};
  for (auto [bound, type] :
       llvm::zip_equal(getLoopBounds(op, shapes), op.getIteratorTypesArray())) {
    if (!bound)
      return std::nullopt;
    AffineExpr &count =
        type == utils::IteratorType::reduction ? domain.columns : domain.rows;
    count = count * bound;
  }
  domain.rows = space.simplify(domain.rows);
  domain.columns = space.simplify(domain.columns);
  return domain;
}

IndexVector RowElements::getLoops(linalg::LinalgOp op) {
  SmallVector<AffineExpr> bounds = getLoopBounds(op, shapes);
  SmallVector<AffineExpr> rowShape, columnShape;
  for (auto [bound, type] : llvm::zip_equal(bounds, op.getIteratorTypesArray()))
    (type == utils::IteratorType::reduction ? columnShape : rowShape)
        .push_back(bound);
  SmallVector<AffineExpr> rows = space.delinearize(row, rowShape),
                          columns = space.delinearize(column, columnShape);
  IndexVector loops;
  size_t nextRow = 0, nextColumn = 0;
  for (utils::IteratorType type : op.getIteratorTypesArray())
    loops.push_back(type == utils::IteratorType::reduction
                        ? columns[nextColumn++]
                        : rows[nextRow++]);
  return loops;
}

bool RowElements::dependsOnReduction(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !inside.contains(op))
    return false;
  auto [it, inserted] = depends.try_emplace(op, false);
  if (!inserted)
    return it->second;
  bool result = llvm::is_contained(reductions, op) ||
                llvm::any_of(op->getOperands(), [&](Value operand) {
                  return dependsOnReduction(operand);
                });
  op->walk([&](tensor::ExtractOp extract) {
    result |= extract != op && dependsOnReduction(extract.getTensor());
  });
  return depends[op] = result;
}

bool RowElements::checkPull(Value value, ArrayRef<AffineExpr> indices) {
  Operation *op = value.getDefiningOp();
  if (!op || !dependsOnReduction(value))
    return true;
  if (llvm::is_contained(reductions, op))
    return ArrayRef<AffineExpr>(elements.lookup(value)) == indices;
  auto fusible = dyn_cast<FusibleOpInterface>(op);
  if (!fusible)
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()) ||
        !dependsOnReduction(operand.get()))
      continue;
    FailureOr<IndexVector> next = fusible.getOperandIndices(
        space, shapes, operand, cast<OpResult>(value).getResultNumber(),
        indices);
    if (failed(next) || !checkPull(operand.get(), *next))
      return false;
  }
  return true;
}

LogicalResult RowElements::assign(ArrayRef<Operation *> ops,
                                  ArrayRef<Value> outputs) {
  inside.insert(ops.begin(), ops.end());
  for (Operation *op : ops)
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      if (linalgOp.getNumReductionLoops())
        reductions.push_back(linalgOp);
  // Seeds: what the reductions read and write.
  for (linalg::LinalgOp reduction : reductions) {
    IndexVector loops = getLoops(reduction);
    for (OpOperand &operand : reduction->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()))
        elements.try_emplace(
            operand.get(),
            applyMap(space, reduction.getMatchingIndexingMap(&operand), loops));
    for (OpResult result : reduction->getResults())
      elements[result] = applyMap(
          space, reduction.getIndexingMapMatchingResult(result), loops);
  }
  // Backwards to the values that are computed before, then forwards.
  for (Operation *op : llvm::reverse(ops)) {
    auto fusible = dyn_cast<FusibleOpInterface>(op);
    if (!fusible || llvm::is_contained(reductions, op))
      continue;
    for (OpResult result : op->getResults()) {
      auto it = elements.find(result);
      if (it == elements.end())
        continue;
      IndexVector at = it->second;
      for (OpOperand &operand : op->getOpOperands()) {
        if (!isa<RankedTensorType>(operand.get().getType()) ||
            elements.contains(operand.get()))
          continue;
        FailureOr<IndexVector> next = fusible.getOperandIndices(
            space, shapes, operand, result.getResultNumber(), at);
        if (succeeded(next))
          elements[operand.get()] = *next;
      }
    }
  }
  for (Operation *op : ops) {
    auto fusible = dyn_cast<FusibleOpInterface>(op);
    if (!fusible || llvm::is_contained(reductions, op))
      continue;
    for (OpResult result : op->getResults()) {
      if (elements.contains(result))
        continue;
      // The operand with the most elements decides: a value per row comes
      // along.
      IndexVector best;
      int64_t bestDims = -1;
      for (OpOperand &operand : op->getOpOperands()) {
        auto it = elements.find(operand.get());
        if (it == elements.end() ||
            !isa<RankedTensorType>(operand.get().getType()))
          continue;
        IndexVector at = it->second;
        FailureOr<IndexVector> next = fusible.getResultIndices(
            space, shapes, operand, result.getResultNumber(), at);
        if (failed(next))
          continue;
        int64_t dims = llvm::count_if(*next, [](AffineExpr expr) {
          return !isa<AffineConstantExpr>(expr);
        });
        if (dims > bestDims) {
          best = *next;
          bestDims = dims;
        }
      }
      if (bestDims >= 0)
        elements[result] = best;
    }
  }
  for (Value output : outputs) {
    auto it = elements.find(output);
    if (it == elements.end() || !checkPull(output, it->second))
      return failure();
  }
  // What a reduction reads must meet earlier reductions at this row, too.
  for (linalg::LinalgOp reduction : reductions) {
    IndexVector loops = getLoops(reduction);
    for (OpOperand &operand : reduction->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()) &&
          !checkPull(operand.get(),
                     applyMap(space, reduction.getMatchingIndexingMap(&operand),
                              loops)))
        return failure();
  }
  return success();
}
