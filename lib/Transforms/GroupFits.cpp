//===- GroupFits.cpp - What one kernel computes well ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grouping.h"
#include "fusion/Analysis/ContractionLoops.h"
#include "fusion/Analysis/ElementFlow.h"
#include "fusion/Analysis/RowElements.h"
#include "fusion/Kernels/Contraction.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

FusionRole fusion::getRole(Operation *op) {
  if (auto fusible = dyn_cast<FusibleOpInterface>(op))
    return fusible.getFusionRole();
  return FusionRole::Barrier;
}

bool Grouping::hasRole(GroupId group, FusionRole role) {
  return llvm::any_of(graph.getMembers(group), [&](Operation *member) {
    return getRole(member) == role;
  });
}

bool Grouping::hasHero(GroupId group) {
  return hasRole(group, FusionRole::Contraction) ||
         hasRole(group, FusionRole::Attention);
}

bool Grouping::hasOnly(GroupId group, ArrayRef<FusionRole> roles) {
  return llvm::all_of(graph.getMembers(group), [&](Operation *member) {
    return llvm::is_contained(roles, getRole(member));
  });
}

SmallVector<Operation *> Grouping::getUnion(GroupId a, GroupId b) {
  SmallVector<Operation *> members(graph.getMembers(a));
  llvm::append_range(members, graph.getMembers(b));
  llvm::sort(members,
             [](Operation *x, Operation *y) { return x->isBeforeInBlock(y); });
  return members;
}

bool Grouping::leavesFunction(Operation *node) {
  SmallVector<Operation *> worklist{node};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val()->getUsers()) {
      if (user->hasTrait<OpTrait::IsTerminator>() &&
          user->getBlock() == &func.getBody().front())
        return true;
      if (user->getBlock() == &func.getBody().front() && !graph.isNode(user))
        worklist.push_back(user);
    }
  return false;
}

AffineExpr Grouping::countElements(Value tensor) {
  AffineExpr count = space.constant(1);
  for (AffineExpr dim : shapes.getShape(tensor))
    count = count * dim;
  return space.simplify(count);
}

std::optional<RowDomain> Grouping::getRowDomain(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp ? fusion::getRowDomain(linalgOp, space, shapes)
                  : std::nullopt;
}

bool Grouping::isUsedOutside(Value value, ArrayRef<Operation *> members) {
  for (Operation *user : value.getUsers()) {
    while (user->getBlock() != &func.getBody().front())
      user = user->getParentOp();
    if (llvm::is_contained(members, user) || isa<tensor::DimOp>(user))
      continue;
    if (graph.isNode(user) || user->hasTrait<OpTrait::IsTerminator>())
      return true;
    for (Value result : user->getResults())
      if (isUsedOutside(result, members))
        return true;
  }
  return false;
}

unsigned Grouping::countBuffers(ArrayRef<Operation *> members) {
  llvm::SetVector<Value> inputs;
  unsigned outputs = 0;
  for (Operation *member : members) {
    llvm::SetVector<Value> reads;
    member->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (operand.getParentBlock() == &func.getBody().front())
          collectNodeOperands(operand, graph, reads);
    });
    for (Value read : reads)
      if (!read.getDefiningOp() ||
          !llvm::is_contained(members, read.getDefiningOp()))
        inputs.insert(read);
    for (Value result : member->getResults())
      outputs += isUsedOutside(result, members);
  }
  return inputs.size() + outputs;
}

SmallVector<Operation *> Grouping::withViews(ArrayRef<Operation *> members) {
  // Views between members lie behind the first of them.
  SmallVector<Operation *> ops;
  llvm::SmallPtrSet<Operation *, 16> inside(members.begin(), members.end());
  for (Operation *op = members.front(); op; op = op->getNextNode()) {
    bool isView = !graph.isNode(op) && isa<FusibleOpInterface>(op) &&
                  llvm::any_of(op->getOperands(), [&](Value operand) {
                    return operand.getDefiningOp() &&
                           inside.contains(operand.getDefiningOp());
                  });
    if (isView)
      inside.insert(op);
    if (inside.contains(op))
      ops.push_back(op);
    if (op == members.back())
      break;
  }
  return ops;
}

Value Grouping::getLeftOperand(Operation *contraction) {
  return cast<linalg::LinalgOp>(contraction).getDpsInputOperand(0)->get();
}

bool Grouping::isMemory(Value value, ArrayRef<Operation *> members) {
  Operation *op = value.getDefiningOp();
  return !op || (graph.isNode(op) && !llvm::is_contained(members, op));
}

bool Grouping::isPreparation(Operation *node) {
  auto [it, inserted] = preparation.try_emplace(node, false);
  if (!inserted)
    return it->second;
  llvm::SetVector<Value> operands;
  node->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (operand.getParentBlock() == &func.getBody().front())
        collectNodeOperands(operand, graph, operands);
  });
  bool result = !operands.empty();
  for (Value operand : operands) {
    if (auto argument = dyn_cast<BlockArgument>(operand))
      result &= static_cast<bool>(
          func.getArgAttr(argument.getArgNumber(), kConstantAttrName));
    else
      result &= isPreparation(operand.getDefiningOp());
  }
  return preparation[node] = result;
}

/// Operations that may be done again to save a launch: a tenth of its time.
static constexpr int64_t kCheapOperations = 1 << 22;
/// Operations on an element that are hidden behind what it takes to read or
/// write another one.
static constexpr int64_t kHiddenOperations = 8;
/// Instructions of an operation that hardware does not have.
static constexpr int64_t kFunctionCost = 20;

/// Whether an element of the result is not narrower than what is read for it
/// alone: to compute it again reads no more than to read it again.
static bool readsNoMore(linalg::LinalgOp op) {
  unsigned bits = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Type type = getElementTypeOrSelf(input->get().getType());
    if (op.getMatchingIndexingMap(input).isPermutation())
      bits += type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
  }
  Type result = getElementTypeOrSelf(op->getResult(0).getType());
  return result.isIntOrFloat() && bits <= result.getIntOrFloatBitWidth();
}

bool Grouping::isCheapAgain(Operation *producer, AffineExpr times,
                            ArrayRef<Operation *> members) {
  // Nobody else may need it: it would be written, too.
  for (Value result : producer->getResults())
    if (isUsedOutside(result, members))
      return false;
  // What depends on weights alone runs once, if it is left apart.
  if (isPreparation(producer))
    return false;
  if (countElements(producer->getResult(0)) == space.constant(1))
    return true;
  if (getRole(producer) != FusionRole::Elementwise)
    return false;
  // With it whatever it is computed from in the group.
  int64_t cost = 0;
  bool readsMore = false;
  llvm::SmallSetVector<Operation *, 8> again;
  again.insert(producer);
  for (size_t i = 0; i < again.size(); ++i) {
    again[i]->walk([&](Operation *nested) {
      bool isFunction = nested->getDialect() &&
                        nested->getDialect()->getNamespace() == "math";
      cost += isFunction ? kFunctionCost : 1;
    });
    auto op = dyn_cast<linalg::LinalgOp>(again[i]);
    readsMore |= !op || !readsNoMore(op);
    for (Operation *before : graph.getProducers(again[i]))
      if (llvm::is_contained(members, before))
        again.insert(before);
  }
  if (!readsMore && cost <= kHiddenOperations)
    return true;
  auto count = dyn_cast<AffineConstantExpr>(times);
  return count && cost * count.getValue() <= kCheapOperations;
}

bool Grouping::fitsElementwise(ArrayRef<Operation *> members,
                               Operation *joining, StringRef &why) {
  // Every element of a producer is computed where it is used: not more often
  // than it was, unless it is an output anyway.
  AffineExpr count = countElements(joining->getResult(0));
  bool picks =
      isa<tensor::ConcatOp, tensor::PadOp, tensor::InsertSliceOp>(joining);
  for (Operation *producer : graph.getProducers(joining)) {
    if (!llvm::is_contained(members, producer))
      continue;
    AffineExpr produced = countElements(producer->getResult(0));
    AffineExpr difference = space.simplify(produced - count);
    auto constant = dyn_cast<AffineConstantExpr>(difference);
    bool fewer = difference == space.constant(0) ||
                 (constant && constant.getValue() >= 0) ||
                 isCheapAgain(producer, count, members);
    if (!fewer && !picks) {
      why = "the consumer would compute elements of the producer again";
      return false;
    }
  }
  return true;
}

bool Grouping::fitsRows(ArrayRef<Operation *> members, StringRef &why) {
  // One space of rows and columns for all reductions; everything else is made
  // per row or per element.
  std::optional<RowDomain> domain;
  for (Operation *member : members) {
    if (getRole(member) != FusionRole::Reduction)
      continue;
    std::optional<RowDomain> other = getRowDomain(member);
    if (!other || (domain && !(*domain == *other))) {
      why = "reductions over different rows";
      return false;
    }
    domain = other;
  }
  AffineExpr all = space.simplify(domain->rows * domain->columns);
  for (Operation *member : members) {
    if (getRole(member) == FusionRole::Reduction)
      continue;
    AffineExpr count = countElements(member->getResult(0));
    if (count != all && count != domain->rows &&
        !isCheapAgain(member, all, members)) {
      why = "its elements are neither those of the rows nor one per row";
      return false;
    }
  }
  // A value of the whole domain must meet the reductions at its own row: follow
  // an element of the first reduction's operand through the members.
  SmallVector<Operation *> ops = withViews(members);
  IndexSpace rowSpace(func.getContext());
  AffineExpr row = rowSpace.addDim(domain->rows);
  AffineExpr column = rowSpace.addDim(domain->columns);
  RowElements elements(rowSpace, shapes, row, column);
  SmallVector<Value> outputs;
  for (Operation *member : members)
    for (Value result : member->getResults())
      if (isUsedOutside(result, members))
        outputs.push_back(result);
  if (failed(elements.assign(ops, outputs))) {
    why = "an element needs the reductions of other rows";
    return false;
  }
  return true;
}

/// Whether `result` is what `attention` knows of rows.
static bool isRowResultOf(AttentionOp attention, Value result) {
  return result.getDefiningOp() == attention &&
         result != attention.getResult(0) &&
         result != attention.getProbabilities();
}

FailureOr<ColumnGroup> Grouping::followHeroes(ArrayRef<Operation *> members,
                                              ArrayRef<Operation *> heroes,
                                              StringRef &why) {
  SmallVector<Value> results;
  for (Operation *hero : heroes)
    results.push_back(hero->getResult(0));
  auto attention = dyn_cast<AttentionOp>(heroes.front());
  SmallVector<Value> outputs;
  for (Operation *member : members)
    for (OpResult result : member->getResults()) {
      bool isRowResult =
          attention == member && isRowResultOf(attention, result);
      if (isRowResult || !isUsedOutside(result, members))
        continue;
      if (getRole(member) == FusionRole::Update) {
        // In place: what is inserted is all that the kernel writes.
        auto insert = dyn_cast<tensor::InsertSliceOp>(member);
        if (!insert || !isMemory(insert.getDest(), members)) {
          why = "it can not update its destination in place";
          return failure();
        }
        outputs.push_back(insert.getSource());
        continue;
      }
      outputs.push_back(result);
    }
  SmallVector<unsigned> columnDims;
  if (auto contraction = dyn_cast<linalg::LinalgOp>(heroes.front()))
    if (std::optional<ContractionLoops> loops =
            ContractionLoops::get(contraction))
      columnDims = loops->getColumnDims(contraction);
  // The epilogue must see each element of the product once, where it is; so
  // that of the probabilities, which have a walk of their own.
  auto follow = [&](ArrayRef<Value> from) {
    IndexSpace heroSpace(func.getContext());
    IndexVector indices;
    for (AffineExpr dim : shapes.getShape(from.front()))
      indices.push_back(heroSpace.simplify(heroSpace.addDim(dim)));
    return pushToOutputs(heroSpace, shapes, withViews(members), outputs, from,
                         indices, columnDims);
  };
  FailureOr<OutputFlow> flow = follow(results), kept = OutputFlow();
  if (attention && attention.getProbabilities())
    kept = follow(attention.getProbabilities());
  if (failed(flow) || failed(kept)) {
    why = "it needs other elements of the product";
    return failure();
  }
  kept->outputs.resize(outputs.size());
  for (auto [ofResult, ofKept] :
       llvm::zip_equal(flow->outputs, kept->outputs)) {
    if (ofResult && ofKept) {
      why = "it needs both the result of attention and its probabilities";
      return failure();
    }
    if (!ofResult && !ofKept) {
      why = "an output does not depend on the product";
      return failure();
    }
  }
  return flow->columns;
}

bool Grouping::fitsHero(ArrayRef<Operation *> members, StringRef &why) {
  SmallVector<Operation *> heroes;
  for (Operation *member : members) {
    FusionRole role = getRole(member);
    if (role == FusionRole::Contraction || role == FusionRole::Attention)
      heroes.push_back(member);
    else if (role != FusionRole::Elementwise && role != FusionRole::View &&
             role != FusionRole::Update) {
      why = "no epilogue can hold it";
      return false;
    }
  }
  // Work before the product would be done again for every tile; beside it,
  // where it meets the product element by element, it is done once.
  AffineExpr count = countElements(heroes.front()->getResult(0));
  llvm::SmallPtrSet<Operation *, 16> before;
  SmallVector<Operation *> worklist(heroes);
  while (!worklist.empty())
    for (Operation *producer : graph.getProducers(worklist.pop_back_val()))
      if (llvm::is_contained(members, producer) &&
          before.insert(producer).second)
        worklist.push_back(producer);
  llvm::SmallPtrSet<Operation *, 16> after(heroes.begin(), heroes.end());
  for (Operation *member : members) {
    for (Operation *producer : graph.getProducers(member))
      if (after.contains(producer) && llvm::is_contained(members, producer))
        after.insert(member);
    if (before.contains(member) && !after.contains(member)) {
      why = "it would be computed again for every tile of the product";
      return false;
    }
    if (!after.contains(member) &&
        (getRole(member) != FusionRole::Elementwise ||
         countElements(member->getResult(0)) != count)) {
      why = "its elements are not those of the product";
      return false;
    }
  }
  // What attention knows of rows is stored as it is.
  auto attention = dyn_cast<AttentionOp>(heroes.front());
  for (Operation *member : members) {
    llvm::SetVector<Value> operands;
    for (Value operand : member->getOperands())
      collectNodeOperands(operand, graph, operands);
    for (Value operand : operands)
      if (attention && isRowResultOf(attention, operand)) {
        why = "it reads what attention knows of rows, which has other indices";
        return false;
      }
  }
  if (heroes.size() > 1) {
    for (Operation *hero : heroes)
      if (getRole(hero) != FusionRole::Contraction) {
        why = "two heroes";
        return false;
      }
    auto first = cast<linalg::LinalgOp>(heroes.front());
    for (Operation *hero : heroes) {
      auto other = cast<linalg::LinalgOp>(hero);
      if (getLeftOperand(hero) != getLeftOperand(first) ||
          other.getIndexingMapsArray() != first.getIndexingMapsArray() ||
          hero->getResult(0).getType() != first->getResult(0).getType() ||
          other.getDpsInputOperand(1)->get().getType() !=
              first.getDpsInputOperand(1)->get().getType()) {
        why = "products of different shapes or left operands";
        return false;
      }
    }
  }
  FailureOr<ColumnGroup> columns = followHeroes(members, heroes, why);
  if (failed(columns))
    return false;
  if (!canTileColumns(*columns)) {
    why = "no tile of the product holds all the columns that it needs";
    return false;
  }
  return true;
}

bool Grouping::fits(ArrayRef<Operation *> members, Operation *joining,
                    StringRef &why) {
  bool hasReduction = false, hasHero = false;
  for (Operation *member : members) {
    FusionRole role = getRole(member);
    if (role == FusionRole::Barrier) {
      why = "a barrier";
      return false;
    }
    hasReduction |= role == FusionRole::Reduction;
    hasHero |= role == FusionRole::Contraction || role == FusionRole::Attention;
  }
  if (countBuffers(members) > kMaxBuffers) {
    why = "too many buffers for one kernel";
    return false;
  }
  if (hasHero) {
    // What a reduction reads stays with the reduction: the epilogue would write
    // it out in full.
    bool feedsReduction =
        getRole(joining) == FusionRole::Elementwise &&
        llvm::any_of(graph.getConsumers(joining), [](Operation *consumer) {
          return getRole(consumer) == FusionRole::Reduction;
        });
    if (feedsReduction && graph.getConsumers(joining).size() == 1) {
      why = "it belongs to the reduction that follows";
      return false;
    }
    if (level < FusionLevel::Pattern || hasReduction) {
      why = "a product takes no more at this level";
      return false;
    }
    return fitsHero(members, why);
  }
  if (!hasReduction)
    return fitsElementwise(members, joining, why);
  for (Operation *member : members)
    if (getRole(member) == FusionRole::Update ||
        isa<tensor::ConcatOp, tensor::PadOp>(member)) {
      why = "rows take no piecewise operations";
      return false;
    }
  if (level < FusionLevel::Pattern) {
    // One reduction, with what leads to it and what follows per row.
    unsigned reductions = 0;
    for (Operation *member : members)
      reductions += getRole(member) == FusionRole::Reduction;
    if (reductions > 1) {
      why = "several reductions make a pattern";
      return false;
    }
    Operation *reduction = *llvm::find_if(members, [](Operation *member) {
      return getRole(member) == FusionRole::Reduction;
    });
    std::optional<RowDomain> domain = getRowDomain(reduction);
    for (Operation *member : members) {
      if (member == reduction || !domain)
        continue;
      bool before = member->isBeforeInBlock(reduction);
      AffineExpr count = countElements(member->getResult(0));
      if (!before && count != domain->rows) {
        why = "what follows a reduction has more elements than it has rows";
        return false;
      }
      if (before && llvm::any_of(member->getResults(), [&](Value result) {
            return isUsedOutside(result, members);
          })) {
        why = "the reduction's operand is needed elsewhere";
        return false;
      }
    }
  }
  return fitsRows(members, why);
}
