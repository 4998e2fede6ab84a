//===- Grouping.h - The greedy algorithm on one function --------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups start with one operation each, and are merged: FormGroups.cpp visits
// the operations, GroupFits.cpp says whether one kernel computes a set of
// operations well, GroupMerges.cpp merges what is not producer and consumer,
// FoldNorms.cpp puts norms into products.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_GROUPING_H
#define FUSION_LIB_TRANSFORMS_GROUPING_H

#include "fusion/Analysis/ElementFlow.h"
#include "fusion/Analysis/GroupGraph.h"
#include "fusion/Analysis/RowElements.h"
#include "fusion/Analysis/ShapeAnalysis.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Interfaces/FusibleOpInterface.h"
#include "fusion/Transforms/FormGroups.h"

namespace mlir::fusion {

/// Metal binds 31 buffers, one of which holds the scalars.
inline constexpr unsigned kMaxBuffers = 29;

/// The part of an operation in a group; of one that says nothing, a barrier.
FusionRole getRole(Operation *op);

/// The greedy algorithm on one function.
class Grouping {
public:
  Grouping(func::FuncOp func, const FormGroupsOptions &options)
      : func(func), options(options), level(options.level),
        graph(func, /*copiesAreViews=*/level >= FusionLevel::Pattern),
        shapes(func), space(func.getContext()) {}

  using GroupId = GroupGraph::GroupId;

  /// Merges groups as far as the level says.
  void run();
  GroupGraph &getGraph() { return graph; }
  /// What the members of a group are.
  GroupKind classify(ArrayRef<Operation *> members);
  /// Why two groups, of which `consumer` reads `producer`, are not one.
  std::string explainEdge(GroupId producer, GroupId consumer);

private:
  void joinProducers(Operation *node);
  bool tryJoin(Operation *node, GroupId producer);
  /// Whether one kernel computes the members of both well; `why` says if not.
  bool fits(ArrayRef<Operation *> members, Operation *joining, StringRef &why);
  bool fitsElementwise(ArrayRef<Operation *> members, Operation *joining,
                       StringRef &why);
  /// Whether computing `producer` once for each of `times` elements of a member
  /// is cheaper than a launch.
  bool isCheapAgain(Operation *producer, AffineExpr times,
                    ArrayRef<Operation *> members);
  /// Whether an operation is computed from weights alone.
  bool isPreparation(Operation *node);
  bool fitsRows(ArrayRef<Operation *> members, StringRef &why);
  bool fitsHero(ArrayRef<Operation *> members, StringRef &why);
  /// The columns of the heroes' results that outputs of `members` need.
  /// Failure, with `why`, where they are not made element by element.
  FailureOr<ColumnGroup> followHeroes(ArrayRef<Operation *> members,
                                      ArrayRef<Operation *> heroes,
                                      StringRef &why);
  void mergeSiblings();
  void ejectFromEpilogues();
  void mergeEpilogues();
  void mergeFeeders();
  void foldNorms();
  bool canFoldNorm(GroupId norm, GroupId product, StringRef &why);
  bool paysToFoldNorm(GroupId norm, GroupId product, std::string &cost);
  bool isNorm(GroupId group);
  std::optional<GroupId> getOnlyReader(GroupId group);
  bool leavesFunction(Operation *node);

  AffineExpr countElements(Value tensor);
  std::optional<RowDomain> getRowDomain(Operation *op);
  /// The values that members read from outside, and those that others read.
  unsigned countBuffers(ArrayRef<Operation *> members);
  bool isUsedOutside(Value value, ArrayRef<Operation *> members);
  /// The operations between (and including) the members: them and the views.
  SmallVector<Operation *> withViews(ArrayRef<Operation *> members);
  Value getLeftOperand(Operation *contraction);
  bool hasRole(GroupId group, FusionRole role);
  /// Whether a product or attention is in the group.
  bool hasHero(GroupId group);
  /// Whether all members are of one of the roles.
  bool hasOnly(GroupId group, ArrayRef<FusionRole> roles);
  /// The members of both groups, in the order of the program.
  SmallVector<Operation *> getUnion(GroupId a, GroupId b);
  /// Whether a value is memory before `members` run: an argument, or what a
  /// node beside them has computed.
  bool isMemory(Value value, ArrayRef<Operation *> members);

  func::FuncOp func;
  const FormGroupsOptions &options;
  FusionLevel level;
  GroupGraph graph;
  ShapeAnalysis shapes;
  IndexSpace space;
  llvm::DenseMap<Operation *, bool> preparation;
};

} // namespace mlir::fusion

#endif // FUSION_LIB_TRANSFORMS_GROUPING_H
