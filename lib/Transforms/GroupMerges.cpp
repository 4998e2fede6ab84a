//===- GroupMerges.cpp - Groups that share more than an edge --------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grouping.h"
#include "fusion/Analysis/ContractionLoops.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::fusion;

/// Products of one left operand whose results go separate ways: one launch.
void Grouping::mergeSiblings() {
  llvm::MapVector<Value, SmallVector<GroupId>> byLeft;
  for (GroupId group : graph.getGroups()) {
    Value left;
    bool single = true;
    for (Operation *member : graph.getMembers(group))
      if (getRole(member) == FusionRole::Contraction) {
        Value own = getLeftOperand(member);
        // What the left operand is a view of.
        llvm::SetVector<Value> behind;
        collectNodeOperands(own, graph, behind);
        Value root = behind.size() == 1 ? behind.front() : own;
        single &= !left || left == root;
        left = root;
      }
    if (left && single)
      byLeft[left].push_back(group);
  }
  // The only product of a group; null if there are several.
  auto getHero = [&](GroupId group) {
    linalg::LinalgOp hero;
    for (Operation *member : graph.getMembers(group)) {
      if (getRole(member) != FusionRole::Contraction)
        continue;
      if (hero)
        return linalg::LinalgOp();
      hero = cast<linalg::LinalgOp>(member);
    }
    return hero;
  };
  auto getColumns = [&](GroupId group) {
    StringRef why;
    FailureOr<ColumnGroup> columns = followHeroes(
        graph.getMembers(group), getHero(group).getOperation(), why);
    return columns.value_or(ColumnGroup());
  };
  for (auto &[left, groups] : byLeft) {
    SmallVector<GroupId> single;
    for (GroupId group : groups)
      if (getHero(group))
        single.push_back(group);
    if (single.size() < 2)
      continue;
    GroupId first = single.front();
    ContractionTypes types = getContractionTypes(getHero(first), space, shapes);
    ColumnGroup columns = getColumns(first);
    for (GroupId other : ArrayRef<GroupId>(single).drop_front()) {
      Operation *hero = graph.getMembers(other).front();
      // One schedule serves them all.
      if (!(getContractionTypes(getHero(other), space, shapes) == types)) {
        hero->emitRemark("fusion: not merged with products of the same "
                         "operand: their elements have other types");
        continue;
      }
      ColumnGroup own = getColumns(other);
      if (!own.isSingle() && !columns.isSingle() && !(own == columns)) {
        hero->emitRemark("fusion: not merged with products of the same "
                         "operand: their epilogues need other columns");
        continue;
      }
      if (!graph.canMerge(first, other) || graph.reaches(first, other) ||
          graph.reaches(other, first) ||
          countBuffers(getUnion(first, other)) > kMaxBuffers) {
        hero->emitRemark("fusion: not merged with products of the same "
                         "operand: one depends on the other");
        continue;
      }
      graph.merge(first, other);
      if (columns.isSingle())
        columns = own;
      hero->emitRemark("fusion: products of one operand share a launch");
    }
  }
}

/// An epilogue that writes both a value and something computed from it for one
/// and the same reader makes that reader read twice: the reader can compute it.
void Grouping::ejectFromEpilogues() {
  for (Operation *node : llvm::reverse(graph.getNodes())) {
    if (getRole(node) != FusionRole::Elementwise)
      continue;
    GroupId group = graph.getGroup(node);
    if (!hasHero(group))
      continue;
    // All readers are in one other group, which reads the producer, too.
    std::optional<GroupId> reader;
    bool single = true;
    for (Operation *consumer : graph.getConsumers(node)) {
      GroupId other = graph.getGroup(consumer);
      single &= other != group && (!reader || *reader == other);
      reader = other;
    }
    if (!single || !reader || leavesFunction(node))
      continue;
    bool readsProducer = false;
    for (Operation *producer : graph.getProducers(node))
      if (graph.getGroup(producer) == group)
        for (Operation *consumer : graph.getConsumers(producer))
          readsProducer |= graph.getGroup(consumer) == *reader;
    if (!readsProducer)
      continue;
    SmallVector<Operation *> joined(graph.getMembers(*reader));
    joined.push_back(node);
    llvm::sort(joined, [](Operation *x, Operation *y) {
      return x->isBeforeInBlock(y);
    });
    StringRef why;
    if (!fits(joined, node, why))
      continue;
    graph.move(node, *reader);
    node->emitRemark("fusion: moved from the epilogue to its reader");
  }
}

/// What mixes columns of one product's rows (the rotation of queries), or
/// updates a cache with them, becomes its epilogue.
void Grouping::mergeEpilogues() {
  for (GroupId group : graph.getGroups()) {
    if (!hasOnly(group, {FusionRole::Elementwise, FusionRole::Update}))
      continue;
    llvm::SmallSetVector<GroupId, 2> products;
    for (Operation *member : graph.getMembers(group))
      for (Operation *producer : graph.getProducers(member)) {
        GroupId other = graph.getGroup(producer);
        if (other != group && hasRole(other, FusionRole::Contraction))
          products.insert(other);
      }
    for (GroupId product : products)
      if (tryJoin(graph.getMembers(group).front(), product))
        break;
  }
}

/// Element-wise groups that feed one product or attention, such as the
/// rotations of queries and keys and the updates of caches: one launch.
void Grouping::mergeFeeders() {
  auto isElementwise = [&](GroupId group) {
    return hasOnly(group, {FusionRole::Elementwise, FusionRole::Update});
  };
  for (GroupId consumer : graph.getGroups()) {
    if (!hasHero(consumer))
      continue;
    llvm::SmallSetVector<GroupId, 4> feeders;
    for (Operation *member : graph.getMembers(consumer))
      for (Operation *producer : graph.getProducers(member)) {
        GroupId group = graph.getGroup(producer);
        // What feeds many is made early and once.
        llvm::SmallSetVector<GroupId, 4> readers;
        for (Operation *feeding : graph.getMembers(group))
          for (Operation *reader : graph.getConsumers(feeding))
            if (graph.getGroup(reader) != group)
              readers.insert(graph.getGroup(reader));
        if (group != consumer && isElementwise(group) && readers.size() == 1)
          feeders.insert(group);
      }
    if (feeders.size() < 2)
      continue;
    GroupId first = feeders.front();
    for (GroupId other : llvm::drop_begin(feeders)) {
      if (graph.reaches(first, other) || graph.reaches(other, first) ||
          !graph.canMerge(first, other) ||
          countBuffers(getUnion(first, other)) > kMaxBuffers)
        continue;
      graph.merge(first, other);
      graph.getMembers(first).front()->emitRemark(
          "fusion: shares a launch with what feeds the same consumer");
    }
  }
}
