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
#include <numeric>

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
/// Checks that pulling elements reaches the hero only at the known indices, or
/// at other columns.
class PullCheck {
public:
  /// Pairs of columns: one that is read, and the one in whose place it is.
  using Columns = SmallVector<std::pair<AffineExpr, AffineExpr>>;

  PullCheck(IndexSpace &space, ShapeAnalysis &shapes, ArrayRef<Value> heroes,
            ArrayRef<AffineExpr> indices, ArrayRef<unsigned> columnDims)
      : space(space), shapes(shapes), heroes(heroes), indices(indices),
        columnDims(columnDims) {}

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

  bool check(Value value, ArrayRef<AffineExpr> at, Columns &columns) {
    if (llvm::is_contained(heroes, value))
      return checkHero(value, at, columns);
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
          fusible.getPickedIndices(space, shapes, operand, result, at);
      if (failed(next) || !check(operand.get(), *next, columns))
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
  bool checkHero(Value hero, ArrayRef<AffineExpr> at, Columns &columns) {
    bool sameColumn = true;
    for (auto [dim, pair] : llvm::enumerate(llvm::zip_equal(at, indices))) {
      auto [read, own] = pair;
      if (read == own || space.widen(read) == own)
        continue;
      if (!llvm::is_contained(columnDims, dim))
        return false;
      sameColumn = false;
    }
    if (sameColumn)
      return true;
    SmallVector<AffineExpr> shape, read, own;
    for (unsigned dim : columnDims) {
      shape.push_back(shapes.getDim(hero, dim));
      read.push_back(at[dim]);
      own.push_back(indices[dim]);
    }
    columns.emplace_back(space.linearize(read, shape),
                         space.linearize(own, shape));
    return true;
  }

  IndexSpace &space;
  ShapeAnalysis &shapes;
  ArrayRef<Value> heroes;
  ArrayRef<AffineExpr> indices;
  ArrayRef<unsigned> columnDims;
  llvm::DenseMap<Operation *, bool> depends;
};
} // namespace

/// The widest group of columns: a block's tile must hold it.
static constexpr int64_t kMaxColumnGroup = 256;

/// The smallest group in which all the columns lie; failure if there is none
/// that divides the `size` columns of a row.
static FailureOr<ColumnGroup> findColumnGroup(IndexSpace &space,
                                              const PullCheck::Columns &columns,
                                              AffineExpr size) {
  ColumnGroup group;
  if (columns.empty())
    return group;
  auto count = dyn_cast<AffineConstantExpr>(size);
  if (!count)
    return failure();
  group.stride = 0;
  for (auto [read, own] : columns) {
    auto distance =
        dyn_cast<AffineConstantExpr>(space.simplify(space.widen(read) - own));
    if (!distance || distance.getValue() == 0)
      return failure();
    group.stride = std::gcd(group.stride, std::abs(distance.getValue()));
  }
  for (group.extent = 2 * group.stride; group.extent <= kMaxColumnGroup;
       group.extent += group.stride) {
    if (count.getValue() % group.extent != 0)
      continue;
    bool holdsAll = llvm::all_of(columns, [&](auto &pair) {
      return space.simplify(pair.first.floorDiv(group.extent) -
                            pair.second.floorDiv(group.extent)) ==
             space.constant(0);
    });
    if (holdsAll)
      return group;
  }
  return failure();
}

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

/// Elements of `value` that may be in the place of element `indices` of a hero,
/// where pieces of rows stand between them: the same row-major position, or the
/// same with rows of heads ([batch, head, row, column]).
static SmallVector<IndexVector, 2>
guessElements(IndexSpace &space, ShapeAnalysis &shapes, Value value, Value hero,
              ArrayRef<AffineExpr> indices, ArrayRef<unsigned> columnDims) {
  SmallVector<IndexVector, 2> guesses;
  SmallVector<AffineExpr> heroShape = shapes.getShape(hero),
                          shape = shapes.getShape(value);
  auto countOf = [&](ArrayRef<AffineExpr> sizes) {
    AffineExpr count = space.constant(1);
    for (AffineExpr size : sizes)
      count = count * size;
    return space.simplify(count);
  };
  if (countOf(heroShape) != countOf(shape))
    return guesses;
  guesses.push_back(IndexVector(
      space.delinearize(space.linearize(indices, heroShape), shape)));
  if (shape.size() < 3)
    return guesses;
  SmallVector<AffineExpr> rowSizes, rows, columnSizes, columns;
  for (auto [dim, size] : llvm::enumerate(heroShape)) {
    bool isColumn = llvm::is_contained(columnDims, dim);
    (isColumn ? columnSizes : rowSizes).push_back(size);
    (isColumn ? columns : rows).push_back(indices[dim]);
  }
  size_t rank = shape.size();
  SmallVector<AffineExpr> outerSizes(shape.begin(), shape.end() - 3);
  outerSizes.push_back(shape[rank - 2]);
  SmallVector<AffineExpr> headSizes{shape[rank - 3], shape[rank - 1]};
  if (countOf(outerSizes) != countOf(rowSizes) ||
      countOf(headSizes) != countOf(columnSizes))
    return guesses;
  SmallVector<AffineExpr> outer =
      space.delinearize(space.linearize(rows, rowSizes), outerSizes);
  SmallVector<AffineExpr> head =
      space.delinearize(space.linearize(columns, columnSizes), headSizes);
  IndexVector guess(outer.begin(), outer.end() - 1);
  guess.append({head[0], outer.back(), head[1]});
  guesses.push_back(guess);
  return guesses;
}

FailureOr<OutputFlow>
fusion::pushToOutputs(IndexSpace &space, ShapeAnalysis &shapes,
                      ArrayRef<Operation *> ops, ArrayRef<Value> outputs,
                      ArrayRef<Value> heroResults, ArrayRef<AffineExpr> indices,
                      ArrayRef<unsigned> columnDims) {
  llvm::DenseMap<Value, IndexVector> known =
      pushElements(space, shapes, ops, heroResults, indices);
  PullCheck pull(space, shapes, heroResults, indices, columnDims);
  OutputFlow flow;
  PullCheck::Columns columns;
  for (Value output : outputs) {
    if (!pull.dependsOnHero(output)) {
      flow.outputs.emplace_back();
      continue;
    }
    SmallVector<IndexVector, 2> candidates;
    if (auto it = known.find(output); it != known.end())
      candidates.push_back(it->second);
    else if (!columnDims.empty())
      candidates = guessElements(space, shapes, output, heroResults.front(),
                                 indices, columnDims);
    auto *found = llvm::find_if(candidates, [&](const IndexVector &candidate) {
      PullCheck::Columns own;
      if (!pull.check(output, candidate, own))
        return false;
      llvm::append_range(columns, own);
      return true;
    });
    if (found == candidates.end())
      return failure();
    flow.outputs.push_back(*found);
  }
  AffineExpr size = space.constant(1);
  for (unsigned dim : columnDims)
    size = size * shapes.getDim(heroResults.front(), dim);
  FailureOr<ColumnGroup> group =
      findColumnGroup(space, columns, space.simplify(size));
  if (failed(group))
    return failure();
  flow.columns = *group;
  return flow;
}
