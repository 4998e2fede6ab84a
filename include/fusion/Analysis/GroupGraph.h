//===- GroupGraph.h - Operations and their groups ---------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The graph that group formation works on: the operations of a function that
// need a kernel (nodes), the groups that they are put into, and the dependences
// between groups. Views and sources (FusionRole) are no nodes: they are copied
// into each group that uses them, so an edge goes from the node behind a view
// straight to the user of the view.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_GROUPGRAPH_H
#define FUSION_ANALYSIS_GROUPGRAPH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::fusion {

class GroupGraph {
public:
  using GroupId = unsigned;

  /// Every node in a group of its own. `func` must have one block. With
  /// `copiesAreViews`, transposes, broadcasts and exact extensions count as
  /// views.
  GroupGraph(func::FuncOp func, bool copiesAreViews);

  /// The nodes in the order of the program.
  ArrayRef<Operation *> getNodes() const { return nodes; }
  bool isNode(Operation *op) const { return nodeIds.contains(op); }
  /// The group of a node.
  GroupId getGroup(Operation *node) const;
  /// The nodes of a group in the order of the program; empty for a group that
  /// was merged into another.
  ArrayRef<Operation *> getMembers(GroupId group) const {
    return members[group];
  }
  /// The groups that are left, by their first member.
  SmallVector<GroupId> getGroups() const;

  /// The nodes whose results `node` reads, directly or through views and
  /// scalars, in the order of the program.
  ArrayRef<Operation *> getProducers(Operation *node) const;
  /// The nodes that read a result of `node`.
  ArrayRef<Operation *> getConsumers(Operation *node) const;

  /// Whether `to` depends on `from` through a path of at least one edge that
  /// leaves `from`; with `indirect`, only paths through a third group count.
  bool reaches(GroupId from, GroupId to, bool indirect = false) const;
  /// Whether merging the two groups keeps the graph of groups acyclic.
  bool canMerge(GroupId a, GroupId b) const;
  /// Merges `b` into `a`. The merge must be possible.
  void merge(GroupId a, GroupId b);

  /// Moves a node to another group; must keep the graph of groups acyclic, as
  /// moving a node to the only group that reads it does.
  void move(Operation *node, GroupId group);

  /// The groups in an order in which each follows those that it depends on;
  /// ties are broken by the order of the program.
  SmallVector<GroupId> getTopologicalOrder() const;

private:
  unsigned idOf(Operation *node) const { return nodeIds.lookup(node); }

  SmallVector<Operation *> nodes;
  llvm::DenseMap<Operation *, unsigned> nodeIds;
  SmallVector<SmallVector<Operation *>> producers, consumers; // per node
  SmallVector<GroupId> groupOfNode;                           // per node
  SmallVector<SmallVector<Operation *>> members;              // per group
};

/// The nodes and function arguments that `value` is computed from through
/// views, sources and scalars; `value` itself if it is the result of a node or
/// an argument.
void collectNodeOperands(Value value, const GroupGraph &graph,
                         llvm::SetVector<Value> &operands);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_GROUPGRAPH_H
