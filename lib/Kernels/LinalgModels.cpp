//===- LinalgModels.cpp - FusibleOpInterface for linalg -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// One model serves every structured operation: a parallel operation computes an
// element from its operands' elements; one with reduction dimensions loops over
// them in their order, starting from the init's element.
//
//===----------------------------------------------------------------------===//

#include "FusibleOpModels.h"
#include "RunningSums.h"
#include "fusion/Analysis/ElementFlow.h"
#include "fusion/Kernels/ElementEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

/// The iteration indices at which `op` writes the element `indices` of a result
/// with indexing map `map`; null entries for dimensions that the map does not
/// name. Failure for a map that is not a projected permutation with zeros.
static FailureOr<IndexVector> solveForLoops(AffineMap map,
                                            ArrayRef<AffineExpr> indices) {
  IndexVector loops(map.getNumDims());
  for (auto [expr, index] : llvm::zip_equal(map.getResults(), indices)) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      loops[dim.getPosition()] = index;
      continue;
    }
    if (!isa<AffineConstantExpr>(expr))
      return failure();
  }
  return loops;
}

/// Emits the body at one point of the iteration space for every lane.
/// `accumulators`, if given, holds for each lane the values of the inits'
/// arguments; otherwise the inits' elements are read. Appends for each lane the
/// yielded values.
static LogicalResult emitPoint(linalg::LinalgOp op, ElementEmitter &emitter,
                               ArrayRef<IndexVector> loops,
                               ArrayRef<SmallVector<Value>> accumulators,
                               SmallVectorImpl<SmallVector<Value>> &yielded) {
  Block &body = *op.getBlock();
  SmallVector<IRMapping> mappings(loops.size());
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    bool isInit = op.isDpsInit(&operand);
    if (isInit && !accumulators.empty()) {
      unsigned init = operand.getOperandNumber() - op.getNumDpsInputs();
      for (auto [mapping, values] : llvm::zip_equal(mappings, accumulators))
        mapping.map(argument, values[init]);
      continue;
    }
    if (argument.use_empty())
      continue;
    if (!isa<RankedTensorType>(operand.get().getType())) {
      Value value = emitter.scalar(operand.get());
      if (!value)
        return failure();
      for (IRMapping &mapping : mappings)
        mapping.map(argument, value);
      continue;
    }
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<IndexVector> indices;
    for (const IndexVector &lane : loops)
      indices.push_back(applyMap(emitter.getSpace(), map, lane));
    SmallVector<Value> values = emitter.elements(operand.get(), indices);
    if (values.empty())
      return failure();
    for (auto [mapping, value] : llvm::zip_equal(mappings, values))
      mapping.map(argument, value);
  }
  for (auto [mapping, lane] : llvm::zip_equal(mappings, loops))
    if (failed(emitter.inlineBody(body, mapping, lane, yielded.emplace_back())))
      return failure();
  return success();
}

/// Loops over the dimensions `reductions`. `accumulators` holds for each lane
/// the running values (RunningSums.h).
static LogicalResult
emitReduction(linalg::LinalgOp op, ElementEmitter &emitter,
              ArrayRef<AffineExpr> bounds, ArrayRef<unsigned> reductions,
              SmallVector<IndexVector> loops,
              SmallVectorImpl<SmallVector<Value>> &accumulators) {
  OpBuilder &builder = emitter.getBuilder();
  Location loc = op.getLoc();
  if (reductions.empty()) {
    for (SmallVector<Value> &lane : accumulators)
      for (auto [value, argument] :
           llvm::zip_equal(lane, op.getRegionOutputArgs()))
        value = fromRunning(builder, loc, value, argument.getType());
    SmallVector<SmallVector<Value>> yielded;
    if (failed(emitPoint(op, emitter, loops, accumulators, yielded)))
      return failure();
    for (SmallVector<Value> &lane : yielded)
      for (Value &value : lane)
        value = toRunning(builder, loc, value);
    accumulators.assign(yielded.begin(), yielded.end());
    return success();
  }
  unsigned dim = reductions.front();
  Value zero = emitter.materialize(emitter.getSpace().constant(0));
  Value one = emitter.materialize(emitter.getSpace().constant(1));
  Value upper = emitter.materialize(emitter.getSpace().simplify(bounds[dim]));
  if (!upper)
    return failure();
  SmallVector<Value> flat;
  for (auto &lane : accumulators)
    llvm::append_range(flat, lane);
  auto loop = scf::ForOp::create(builder, loc, zero, upper, one, flat);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ElementEmitter::Scope scope(emitter);
  AffineExpr iv = emitter.bindDim(loop.getInductionVar(),
                                  emitter.getSpace().simplify(bounds[dim]));
  for (IndexVector &lane : loops)
    lane[dim] = iv;
  size_t next = 0;
  SmallVector<SmallVector<Value>> inner(accumulators.size());
  for (auto [lane, outer] : llvm::zip_equal(inner, accumulators))
    for (size_t i = 0; i < outer.size(); ++i)
      lane.push_back(loop.getRegionIterArg(next++));
  if (failed(emitReduction(op, emitter, bounds, reductions.drop_front(), loops,
                           inner)))
    return failure();
  flat.clear();
  for (auto &lane : inner)
    llvm::append_range(flat, lane);
  // An empty loop body already has no terminator only if it carries values.
  if (!loop.getBody()->empty() &&
      loop.getBody()->back().hasTrait<OpTrait::IsTerminator>())
    loop.getBody()->back().erase();
  builder.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(builder, loc, flat);
  next = 0;
  for (auto &lane : accumulators)
    for (Value &value : lane)
      value = loop.getResult(next++);
  return success();
}

namespace {
template <typename OpT>
struct LinalgModel : FusibleOpInterface::ExternalModel<LinalgModel<OpT>, OpT> {
  FusionRole getFusionRole(Operation *operation) const {
    if (isa<linalg::FillOp>(operation))
      return FusionRole::Source;
    auto op = cast<linalg::LinalgOp>(operation);
    if (op.getNumReductionLoops() == 0)
      return FusionRole::Elementwise;
    if (linalg::isaContractionOpInterface(op))
      return FusionRole::Contraction;
    return FusionRole::Reduction;
  }

  LogicalResult emitElements(Operation *operation, ElementEmitter &emitter,
                             unsigned result, ArrayRef<IndexVector> lanes,
                             SmallVectorImpl<Value> &values) const {
    auto op = cast<linalg::LinalgOp>(operation);
    AffineMap map = op.getIndexingMapMatchingResult(op->getResult(result));
    SmallVector<AffineExpr> bounds = getLoopBounds(op, emitter.getShapes());
    SmallVector<IndexVector> loops;
    SmallVector<unsigned> reductions;
    for (const IndexVector &lane : lanes) {
      FailureOr<IndexVector> solved = solveForLoops(map, lane);
      if (failed(solved))
        return op->emitError("the indexing map of a result is no permutation "
                             "of the dimensions; such an operation cannot be "
                             "part of a kernel");
      loops.push_back(*solved);
    }
    for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
      if (loops.front()[dim])
        continue;
      // A parallel dimension that the map lacks has one value.
      if (op.getIteratorTypesArray()[dim] == utils::IteratorType::reduction)
        reductions.push_back(dim);
      else
        for (IndexVector &lane : loops)
          lane[dim] = emitter.getSpace().constant(0);
    }
    SmallVector<SmallVector<Value>> yielded;
    if (reductions.empty()) {
      if (failed(emitPoint(op, emitter, loops, {}, yielded)))
        return failure();
    } else {
      // All results are reduced together; each must be written at the element
      // that this one is.
      yielded.resize(lanes.size());
      for (OpOperand &init : op.getDpsInitsMutable()) {
        AffineMap initMap = op.getMatchingIndexingMap(&init);
        SmallVector<IndexVector> indices;
        for (const IndexVector &lane : loops) {
          for (AffineExpr expr : initMap.getResults())
            if (auto dim = dyn_cast<AffineDimExpr>(expr))
              if (!lane[dim.getPosition()])
                return op->emitError(
                    "results of a reduction must have the same dimensions");
          indices.push_back(applyMap(emitter.getSpace(), initMap, lane));
        }
        SmallVector<Value> starts = emitter.elements(init.get(), indices);
        if (starts.empty())
          return failure();
        for (auto [lane, start] : llvm::zip_equal(yielded, starts))
          lane.push_back(toRunning(emitter.getBuilder(), op.getLoc(), start));
      }
      if (failed(
              emitReduction(op, emitter, bounds, reductions, loops, yielded)))
        return failure();
      for (SmallVector<Value> &lane : yielded)
        for (auto [value, argument] :
             llvm::zip_equal(lane, op.getRegionOutputArgs()))
          value = fromRunning(emitter.getBuilder(), op.getLoc(), value,
                              argument.getType());
    }
    for (size_t i = 0; i < lanes.size(); ++i) {
      ArrayRef<Value> lane = yielded[i];
      ArrayRef<AffineExpr> loop = loops[i];
      // Other results at the same point come for free.
      for (OpResult other : op->getResults()) {
        if (other.getResultNumber() == result)
          continue;
        AffineMap otherMap = op.getIndexingMapMatchingResult(other);
        bool known = llvm::all_of(otherMap.getResults(), [&](AffineExpr expr) {
          auto dim = dyn_cast<AffineDimExpr>(expr);
          return !dim || loop[dim.getPosition()];
        });
        if (known)
          emitter.setElement(other,
                             applyMap(emitter.getSpace(), otherMap, loop),
                             lane[other.getResultNumber()]);
      }
      values.push_back(lane[result]);
    }
    return success();
  }

  FailureOr<IndexVector> getOperandIndices(Operation *operation,
                                           IndexSpace &space,
                                           ShapeAnalysis &shapes,
                                           OpOperand &operand, unsigned result,
                                           ArrayRef<AffineExpr> indices) const {
    auto op = cast<linalg::LinalgOp>(operation);
    if (op.getNumReductionLoops())
      return failure();
    FailureOr<IndexVector> loops = solveForLoops(
        op.getIndexingMapMatchingResult(op->getResult(result)), indices);
    if (failed(loops))
      return failure();
    for (AffineExpr &loop : *loops)
      if (!loop)
        loop = space.constant(0);
    return applyMap(space, op.getMatchingIndexingMap(&operand), *loops);
  }

  FailureOr<IndexVector> getResultIndices(Operation *operation,
                                          IndexSpace &space,
                                          ShapeAnalysis &shapes,
                                          OpOperand &operand, unsigned result,
                                          ArrayRef<AffineExpr> indices) const {
    auto op = cast<linalg::LinalgOp>(operation);
    if (op.getNumReductionLoops())
      return failure();
    FailureOr<IndexVector> loops =
        solveForLoops(op.getMatchingIndexingMap(&operand), indices);
    if (failed(loops))
      return failure();
    SmallVector<AffineExpr> bounds = getLoopBounds(op, shapes);
    for (auto [loop, bound] : llvm::zip_equal(*loops, bounds))
      if (!loop) {
        if (bound != space.constant(1))
          return failure();
        loop = space.constant(0);
      }
    return applyMap(
        space, op.getIndexingMapMatchingResult(op->getResult(result)), *loops);
  }
};

template <typename... OpTs>
void attachAll(MLIRContext *context) {
  (OpTs::template attachInterface<LinalgModel<OpTs>>(*context), ...);
}
} // namespace

void fusion::attachLinalgModels(MLIRContext *context) {
  attachAll<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
      >(context);
}
