//===- RowPrologue.cpp - What an operand needs of its whole row -----------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/RowPrologue.h"
#include "fusion/Analysis/ElementFlow.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

/// The operations among `ops` that `value` is computed from, in order.
static SmallVector<Operation *> getOpsOf(ArrayRef<Operation *> ops,
                                         Value value) {
  llvm::SmallPtrSet<Operation *, 16> inside(ops.begin(), ops.end()), slice;
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !inside.contains(op) || !slice.insert(op).second)
      continue;
    op->walk([&](Operation *nested) {
      llvm::append_range(worklist, nested->getOperands());
    });
  }
  return llvm::to_vector(llvm::make_filter_range(
      ops, [&](Operation *op) { return slice.contains(op); }));
}

/// Whether a reduction runs over the rows and columns of the matrix.
static bool hasRowsOf(linalg::LinalgOp reduction, const MatrixRows &matrix,
                      IndexSpace &space, ShapeAnalysis &shapes) {
  std::optional<RowDomain> domain = getRowDomain(reduction, space, shapes);
  return domain &&
         space.simplify(domain->rows - matrix.rows) == space.constant(0) &&
         space.simplify(domain->columns - matrix.columns) == space.constant(0);
}

/// Follows the operand's element back to the values that have no column.
static LogicalResult collectRowValues(IndexSpace &space, ShapeAnalysis &shapes,
                                      RowElements &elements, AffineExpr column,
                                      Value value, const IndexVector &indices,
                                      RowPrologue &prologue) {
  if (!elements.dependsOnReduction(value))
    return success();
  unsigned position = cast<AffineDimExpr>(column).getPosition();
  if (llvm::none_of(indices, [&](AffineExpr index) {
        return index.isFunctionOfDim(position);
      })) {
    bool isKnown = llvm::any_of(prologue.rowValues, [&](auto &known) {
      return known.value == value && known.indices == indices;
    });
    if (!isKnown)
      prologue.rowValues.push_back({value, indices});
    return success();
  }
  Operation *op = value.getDefiningOp();
  auto fusible = dyn_cast<FusibleOpInterface>(op);
  if (!fusible)
    return failure();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()) ||
        !elements.dependsOnReduction(operand.get()))
      continue;
    FailureOr<IndexVector> next = fusible.getOperandIndices(
        space, shapes, operand, cast<OpResult>(value).getResultNumber(),
        indices);
    if (failed(next) ||
        failed(collectRowValues(space, shapes, elements, column, operand.get(),
                                *next, prologue)))
      return failure();
  }
  return success();
}

FailureOr<RowPrologue> fusion::findRowPrologue(IndexSpace &space,
                                               ShapeAnalysis &shapes,
                                               ArrayRef<Operation *> ops,
                                               Value operand,
                                               const MatrixRows &matrix) {
  RowPrologue prologue;
  prologue.ops = getOpsOf(ops, operand);
  for (Operation *op : prologue.ops)
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        linalgOp && linalgOp.getNumReductionLoops())
      prologue.reductions.push_back(linalgOp);
  if (prologue.isEmpty())
    return prologue;
  if (!isa<AffineDimExpr>(matrix.column))
    return failure();
  for (linalg::LinalgOp reduction : prologue.reductions)
    if (!hasRowsOf(reduction, matrix, space, shapes))
      return failure();
  RowElements elements(space, shapes, matrix.row, matrix.column);
  if (failed(elements.assign(prologue.ops, operand)) ||
      elements.lookup(operand) != matrix.indices ||
      failed(collectRowValues(space, shapes, elements, matrix.column, operand,
                              matrix.indices, prologue)))
    return failure();
  return prologue;
}

Operation *fusion::getCombiner(linalg::LinalgOp op, unsigned index) {
  SmallVector<Operation *, 4> combiners;
  SmallVector<BlockArgument> accumulators(op.getRegionOutputArgs());
  if (!matchReduction(accumulators, index, combiners) || combiners.size() != 1)
    return nullptr;
  return combiners.front();
}

bool fusion::canReduceRows(linalg::LinalgOp op) {
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    Operation *combiner = getCombiner(op, i);
    if (!combiner || !arith::getNeutralElement(combiner))
      return false;
    Type type = getElementTypeOrSelf(op->getResult(i).getType());
    if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() > 64)
      return false;
  }
  return true;
}

LeftRows fusion::getLeftRows(IndexSpace &space, linalg::LinalgOp contraction,
                             const ContractionLoops &loops,
                             ArrayRef<AffineExpr> bounds) {
  AffineExpr batches = countIterations(space, loops.batch, bounds),
             m = countIterations(space, loops.m, bounds),
             k = countIterations(space, loops.k, bounds);
  LeftRows left;
  left.dims = {space.addDim(batches), space.addDim(m)};
  MatrixRows &rows = left.rows;
  rows.column = space.addDim(k);
  rows.columns = k;
  rows.row = space.simplify(left.dims[0] * m + left.dims[1]);
  rows.rows = space.simplify(batches * m);
  IndexVector at(bounds.size(), space.constant(0));
  setLoops(space, loops.batch, bounds, left.dims[0], at);
  setLoops(space, loops.m, bounds, left.dims[1], at);
  setLoops(space, loops.k, bounds, rows.column, at);
  OpOperand *operand = contraction.getDpsInputOperand(0);
  rows.indices =
      applyMap(space, contraction.getMatchingIndexingMap(operand), at);
  return left;
}
