//===- ContractionComponents.cpp - Products of a group --------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionComponents.h"
#include "RowReducer.h"
#include "fusion/Kernels/Contraction.h"

using namespace mlir;
using namespace mlir::fusion;

FailureOr<Operation *> fusion::getBodyCast(linalg::LinalgOp op,
                                           unsigned operand) {
  BlockArgument argument = op.getBlock()->getArgument(operand);
  if (!argument.hasOneUse())
    return failure();
  Operation *user = *argument.getUsers().begin();
  if (user->getNumOperands() == 1 && user->getNumResults() == 1)
    return user;
  return static_cast<Operation *>(nullptr);
}

/// The heroes of a group: its contractions.
static SmallVector<linalg::LinalgOp> getHeroes(GroupOp group) {
  SmallVector<linalg::LinalgOp> heroes;
  for (auto op : group.getBody().front().getOps<FusibleOpInterface>())
    if (op.getFusionRole() == FusionRole::Contraction)
      heroes.push_back(cast<linalg::LinalgOp>(op.getOperation()));
  return heroes;
}

/// Finds what the left operand of a component needs of its rows.
static LogicalResult findPrologue(GroupOp group,
                                  ContractionComponent &component,
                                  IndexSpace &space, ShapeAnalysis &shapes) {
  linalg::LinalgOp hero = component.heroes.front();
  component.left = getLeftRows(space, hero, component.loops, component.bounds);
  SmallVector<Operation *> ops;
  for (Operation &op : group.getBody().front().without_terminator())
    ops.push_back(&op);
  FailureOr<RowPrologue> prologue =
      findRowPrologue(space, shapes, ops, hero.getDpsInputOperand(0)->get(),
                      component.left.rows);
  if (failed(prologue) || !llvm::all_of(prologue->reductions, canReduceRows))
    return failure();
  component.prologue = std::move(*prologue);
  return success();
}

/// Whether anything but left operands needs a reduction: it would be computed
/// once per element of a tile.
static bool hasOtherReductions(GroupOp group,
                               ArrayRef<ContractionComponent> components) {
  SmallVector<Value> worklist(group.getYielded());
  llvm::SmallPtrSet<Operation *, 16> seen;
  for (const ContractionComponent &component : components)
    for (linalg::LinalgOp hero : component.heroes) {
      seen.insert(hero);
      llvm::append_range(worklist, llvm::drop_begin(hero->getOperands()));
    }
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    auto fusible = dyn_cast<FusibleOpInterface>(op);
    if (fusible && fusible.getFusionRole() == FusionRole::Reduction)
      return true;
    op->walk([&](Operation *nested) {
      llvm::append_range(worklist, nested->getOperands());
    });
  }
  return false;
}

FailureOr<SmallVector<ContractionComponent, 1>>
fusion::analyzeContractions(GroupOp group, IndexSpace &space,
                            ShapeAnalysis &shapes) {
  SmallVector<linalg::LinalgOp> heroes = getHeroes(group);
  if (heroes.empty())
    return failure();
  for (auto op : group.getBody().front().getOps<FusibleOpInterface>())
    if (op.getFusionRole() == FusionRole::Attention ||
        op.getFusionRole() == FusionRole::Barrier)
      return failure();
  SmallVector<ContractionComponent, 1> components;
  for (linalg::LinalgOp hero : heroes) {
    ContractionComponent component;
    std::optional<ContractionLoops> loops = ContractionLoops::get(hero);
    if (!loops || loops->k.empty())
      return failure();
    component.heroes = {hero};
    component.loops = *loops;
    component.bounds = getLoopBounds(hero, shapes);
    if (failed(findPrologue(group, component, space, shapes)))
      return failure();
    components.push_back(component);
  }
  if (hasOtherReductions(group, components))
    return failure();
  // The outputs of each hero. Heroes that reach the same output belong
  // together.
  auto heroIndices = [&](ContractionComponent &component) {
    IndexSpace &s = space;
    IndexVector loopIndices(component.bounds.size(), s.constant(0));
    AffineExpr batch =
        s.addDim(countIterations(s, component.loops.batch, component.bounds));
    AffineExpr m =
        s.addDim(countIterations(s, component.loops.m, component.bounds));
    AffineExpr n =
        s.addDim(countIterations(s, component.loops.n, component.bounds));
    setLoops(s, component.loops.batch, component.bounds, batch, loopIndices);
    setLoops(s, component.loops.m, component.bounds, m, loopIndices);
    setLoops(s, component.loops.n, component.bounds, n, loopIndices);
    linalg::LinalgOp hero = component.heroes.front();
    return applyMap(s, hero.getMatchingIndexingMap(hero.getDpsInitOperand(0)),
                    loopIndices);
  };
  SmallVector<ContractionComponent, 1> merged;
  if (components.size() > 1) {
    // Try all of them in one pass.
    auto sameShape = [&](ContractionComponent &a, ContractionComponent &b) {
      linalg::LinalgOp x = a.heroes.front(), y = b.heroes.front();
      return x.getIndexingMapsArray() == y.getIndexingMapsArray() &&
             a.bounds == b.bounds &&
             x.getDpsInputOperand(0)->get() == y.getDpsInputOperand(0)->get() &&
             x.getDpsInputOperand(1)->get().getType() ==
                 y.getDpsInputOperand(1)->get().getType() &&
             x->getResult(0).getType() == y->getResult(0).getType();
    };
    bool same = llvm::all_of(components, [&](ContractionComponent &other) {
      return sameShape(components.front(), other);
    });
    if (same) {
      IndexVector indices = heroIndices(components.front());
      SmallVector<Value> results;
      for (linalg::LinalgOp hero : heroes)
        results.push_back(hero->getResult(0));
      FailureOr<OutputFlow> flow =
          pushToOutputs(space, shapes, group, results, indices,
                        components.front().loops.getColumnDims(heroes.front()));
      // Together only if some output needs two of them.
      bool meet = false;
      for (Value yielded : group.getYielded()) {
        unsigned reached = 0;
        for (Value result : results) {
          SmallVector<Value> worklist{yielded};
          llvm::SmallPtrSet<Operation *, 16> seen;
          bool found = false;
          while (!worklist.empty() && !found) {
            Value value = worklist.pop_back_val();
            found |= value == result;
            if (Operation *def = value.getDefiningOp();
                def && seen.insert(def).second)
              llvm::append_range(worklist, def->getOperands());
          }
          reached += found;
        }
        meet |= reached > 1;
      }
      if (succeeded(flow) && meet) {
        ContractionComponent all = components.front();
        all.heroes = heroes;
        all.outputs = flow->outputs;
        all.columns = flow->columns;
        merged.push_back(all);
      }
    }
  }
  if (merged.empty()) {
    for (ContractionComponent &component : components) {
      IndexVector indices = heroIndices(component);
      linalg::LinalgOp hero = component.heroes.front();
      FailureOr<OutputFlow> flow =
          pushToOutputs(space, shapes, group, {hero->getResult(0)}, indices,
                        component.loops.getColumnDims(hero));
      if (failed(flow))
        return failure();
      component.outputs = flow->outputs;
      component.columns = flow->columns;
    }
    merged = components;
    // Each output has one hero.
    for (unsigned i = 0; i < group.getOutputs().size(); ++i) {
      unsigned owners = 0;
      for (ContractionComponent &component : merged)
        owners += component.outputs[i].has_value();
      if (owners != 1)
        return failure();
    }
  } else {
    for (const std::optional<IndexVector> &indices : merged.front().outputs)
      if (!indices)
        return failure();
  }
  // Types.
  for (ContractionComponent &component : merged) {
    if (!canTileColumns(component.columns))
      return failure();
    ContractionTypes types =
        getContractionTypes(component.heroes.front(), space, shapes);
    for (linalg::LinalgOp hero : component.heroes)
      if (failed(getBodyCast(hero, 0)) || failed(getBodyCast(hero, 1)) ||
          !(getContractionTypes(hero, space, shapes) == types))
        return failure();
    component.operandType = types.operand;
    component.accumulatorType = types.sum;
    if (!component.accumulatorType.isIntOrFloat())
      return failure();
  }
  return merged;
}
