//===- GroupGraph.cpp - Operations and their groups -----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/GroupGraph.h"
#include "fusion/Analysis/ElementFlow.h"
#include "fusion/Interfaces/FusibleOpInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/BitVector.h"
#include <queue>

using namespace mlir;
using namespace mlir::fusion;

/// Whether a kernel must compute the operation.
static bool needsKernel(Operation *op, bool copiesAreViews) {
  if (!llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return false;
  auto fusible = dyn_cast<FusibleOpInterface>(op);
  if (!fusible)
    return !op->hasTrait<OpTrait::ConstantLike>();
  switch (fusible.getFusionRole()) {
  case FusionRole::Source:
    if (op->hasTrait<OpTrait::ConstantLike>())
      return false;
    [[fallthrough]];
  case FusionRole::View:
    // What leaves the function must become memory.
    return llvm::any_of(op->getUsers(), llvm::IsaPred<func::ReturnOp>);
  case FusionRole::Barrier:
    return !op->hasTrait<OpTrait::ConstantLike>();
  default:
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        linalgOp && copiesAreViews && getCopiedOperand(linalgOp))
      return llvm::any_of(op->getUsers(), llvm::IsaPred<func::ReturnOp>);
    return true;
  }
}

GroupGraph::GroupGraph(func::FuncOp func, bool copiesAreViews) {
  for (Operation &op : func.getBody().front())
    if (needsKernel(&op, copiesAreViews)) {
      nodeIds[&op] = nodes.size();
      nodes.push_back(&op);
    }
  producers.resize(nodes.size());
  consumers.resize(nodes.size());
  // The nodes behind a value, remembered for each operation that is none.
  llvm::DenseMap<Operation *, SmallVector<unsigned>> behind;
  for (Operation &op : func.getBody().front()) {
    llvm::SmallSetVector<unsigned, 8> sources;
    auto add = [&](Value value) {
      Operation *def = value.getDefiningOp();
      if (!def)
        return;
      while (def->getBlock() != &func.getBody().front())
        def = def->getParentOp();
      if (auto it = nodeIds.find(def); it != nodeIds.end())
        sources.insert(it->second);
      else if (auto it = behind.find(def); it != behind.end())
        sources.insert_range(it->second);
    };
    if (isa<tensor::DimOp>(op)) {
      // Sizes are known on the host.
    } else {
      op.walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (!operand.getDefiningOp() ||
              !op.isProperAncestor(operand.getDefiningOp()))
            add(operand);
      });
    }
    auto it = nodeIds.find(&op);
    if (it == nodeIds.end()) {
      if (!sources.empty())
        behind[&op] = SmallVector<unsigned>(sources.begin(), sources.end());
      continue;
    }
    SmallVector<unsigned> sorted(sources.begin(), sources.end());
    llvm::sort(sorted);
    for (unsigned source : sorted) {
      producers[it->second].push_back(nodes[source]);
      consumers[source].push_back(&op);
    }
  }
  groupOfNode.resize(nodes.size());
  members.resize(nodes.size());
  for (auto [i, node] : llvm::enumerate(nodes)) {
    groupOfNode[i] = i;
    members[i].push_back(node);
  }
}

GroupGraph::GroupId GroupGraph::getGroup(Operation *node) const {
  return groupOfNode[idOf(node)];
}

SmallVector<GroupGraph::GroupId> GroupGraph::getGroups() const {
  SmallVector<GroupId> groups;
  for (unsigned i = 0; i < nodes.size(); ++i)
    if (GroupId group = groupOfNode[i]; members[group].front() == nodes[i])
      groups.push_back(group);
  return groups;
}

ArrayRef<Operation *> GroupGraph::getProducers(Operation *node) const {
  return producers[idOf(node)];
}

ArrayRef<Operation *> GroupGraph::getConsumers(Operation *node) const {
  return consumers[idOf(node)];
}

bool GroupGraph::reaches(GroupId from, GroupId to, bool indirect) const {
  // Search backwards from `to`. A node before the first member of `from` cannot
  // depend on it, which bounds the search to the stretch between the two.
  unsigned first = idOf(members[from].front());
  llvm::SmallDenseSet<GroupId> seen;
  SmallVector<GroupId> worklist{to};
  seen.insert(to);
  while (!worklist.empty()) {
    GroupId group = worklist.pop_back_val();
    for (Operation *member : members[group])
      for (Operation *producer : producers[idOf(member)]) {
        GroupId source = groupOfNode[idOf(producer)];
        if (source == group)
          continue;
        if (source == from) {
          if (group == to && indirect)
            continue;
          return true;
        }
        if (source == to)
          continue;
        if (idOf(members[source].back()) > first && seen.insert(source).second)
          worklist.push_back(source);
      }
  }
  return false;
}

bool GroupGraph::canMerge(GroupId a, GroupId b) const {
  return a == b || (!reaches(a, b, /*indirect=*/true) &&
                    !reaches(b, a, /*indirect=*/true));
}

void GroupGraph::merge(GroupId a, GroupId b) {
  if (a == b)
    return;
  for (Operation *member : members[b])
    groupOfNode[idOf(member)] = a;
  llvm::append_range(members[a], members[b]);
  members[b].clear();
  llvm::sort(members[a],
             [&](Operation *x, Operation *y) { return idOf(x) < idOf(y); });
}

void GroupGraph::move(Operation *node, GroupId group) {
  SmallVector<Operation *> &old = members[groupOfNode[idOf(node)]];
  old.erase(llvm::find(old, node));
  groupOfNode[idOf(node)] = group;
  members[group].push_back(node);
  llvm::sort(members[group],
             [&](Operation *x, Operation *y) { return idOf(x) < idOf(y); });
}

SmallVector<GroupGraph::GroupId> GroupGraph::getTopologicalOrder() const {
  llvm::MapVector<GroupId, llvm::SmallSetVector<GroupId, 4>> successors;
  llvm::DenseMap<GroupId, unsigned> pending;
  SmallVector<GroupId> groups = getGroups();
  for (GroupId group : groups)
    for (Operation *member : members[group])
      for (Operation *producer : producers[idOf(member)]) {
        GroupId source = groupOfNode[idOf(producer)];
        if (source != group && successors[source].insert(group))
          ++pending[group];
      }
  auto later = [&](GroupId x, GroupId y) {
    return idOf(members[x].front()) > idOf(members[y].front());
  };
  std::priority_queue<GroupId, std::vector<GroupId>, decltype(later)> ready(
      later);
  for (GroupId group : groups)
    if (!pending.lookup(group))
      ready.push(group);
  SmallVector<GroupId> order;
  while (!ready.empty()) {
    GroupId group = ready.top();
    ready.pop();
    order.push_back(group);
    for (GroupId next : successors[group])
      if (--pending[next] == 0)
        ready.push(next);
  }
  return order;
}

void fusion::collectNodeOperands(Value value, const GroupGraph &graph,
                                 llvm::SetVector<Value> &operands) {
  Operation *def = value.getDefiningOp();
  if (!def || graph.isNode(def)) {
    operands.insert(value);
    return;
  }
  for (Value operand : def->getOperands())
    collectNodeOperands(operand, graph, operands);
}
