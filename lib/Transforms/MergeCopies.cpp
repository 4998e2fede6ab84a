//===- MergeCopies.cpp - Copies of one source in one launch ---------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph that updates one tensor in several ways (an export in which all
// caches start as the same zeros) needs a copy for each update but one. Where
// nothing writes the source in between, one kernel reads it once and writes
// them all. Element-wise work that stands right before them (the table of a
// rotation) shares their launch.
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/MergeCopies.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Target/TargetTable.h"
#include "fusion/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_FUSIONMERGECOPIES
#include "fusion/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {
struct MergeCopies : fusion::impl::FusionMergeCopiesBase<MergeCopies> {
  using Base::Base;
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    const TargetInfo *info = lookupTarget(target);
    if (!info) {
      func.emitError("unknown target '")
          << target << "'; known are " << getTargetNames();
      return signalPassFailure();
    }
    mergeCopies(func, info->maxBufferArguments);
  }
};
} // namespace

/// Whether `op` may write the buffer `source`.
static bool mayWrite(Operation &op, Value source) {
  if (auto group = dyn_cast<GroupOp>(op))
    return llvm::is_contained(group.getOutputs(), source);
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return copy.getTarget() == source;
  return !isMemoryEffectFree(&op) && !isa<memref::AllocOp>(op) &&
         llvm::is_contained(op.getOperands(), source);
}

/// Whether `copy` could run where `first` runs: its target is memory of its own
/// that nothing touches before, and its source has the same contents there.
static bool canHoist(memref::CopyOp copy, memref::CopyOp first) {
  auto target = copy.getTarget().getDefiningOp<memref::AllocOp>();
  if (!target || target->getBlock() != copy->getBlock() ||
      copy->getBlock() != first->getBlock())
    return false;
  for (Value size : target.getDynamicSizes())
    if (Operation *def = size.getDefiningOp();
        def && !def->isBeforeInBlock(first))
      return false;
  for (Operation *user : target->getUsers()) {
    Operation *ancestor = copy->getBlock()->findAncestorOpInBlock(*user);
    if (ancestor != copy && ancestor->isBeforeInBlock(copy))
      return false;
  }
  for (Operation &op :
       llvm::make_range(first->getIterator(), copy->getIterator()))
    if (mayWrite(op, copy.getSource()))
      return false;
  return true;
}

/// The element-wise group before `copy` that could as well run beside it; null
/// where there is none.
static GroupOp findNeighbour(memref::CopyOp copy) {
  for (Operation *op = copy->getPrevNode(); op; op = op->getPrevNode()) {
    auto group = dyn_cast<GroupOp>(op);
    if (!group) {
      // Buffers and views of them.
      if (isMemoryEffectFree(op) || isa<memref::AllocOp>(op))
        continue;
      return nullptr;
    }
    bool isGeneric = group.getKind() == GroupKind::Elementwise ||
                     group.getKind() == GroupKind::Rope;
    isGeneric &= group.getScheduleAttr() &&
                 group.getScheduleAttr().getStrategy() == Strategy::Generic &&
                 !group->hasAttr(kPrepareAttrName);
    auto touches = [&](Value buffer) {
      return llvm::is_contained(group.getOutputs(), buffer);
    };
    for (Operation *between = group->getNextNode(); between != copy;
         between = between->getNextNode())
      isGeneric &= llvm::none_of(between->getOperands(), touches);
    return isGeneric && !touches(copy.getSource()) &&
                   !llvm::is_contained(group.getInputs(), copy.getTarget())
               ? group
               : nullptr;
  }
  return nullptr;
}

/// Replaces `copies`, which could all run where the first runs, by a group that
/// also does the work of `neighbour`, if there is one.
static void buildGroup(ArrayRef<memref::CopyOp> copies, GroupOp neighbour) {
  memref::CopyOp first = copies.front();
  OpBuilder builder(first);
  SmallVector<Value> targets;
  for (memref::CopyOp copy : copies) {
    if (auto alloc = copy.getTarget().getDefiningOp<memref::AllocOp>();
        alloc && first->isBeforeInBlock(alloc))
      alloc->moveBefore(first);
    targets.push_back(copy.getTarget());
  }
  SmallVector<Value> inputs{first.getSource()};
  if (neighbour) {
    llvm::append_range(inputs, neighbour.getInputs());
    llvm::append_range(targets, neighbour.getOutputs());
  }
  auto group = GroupOp::create(builder, first.getLoc(), inputs, targets,
                               GroupKind::Elementwise);
  Block &body = group.getBody().front();
  if (!body.empty() && body.back().hasTrait<OpTrait::IsTerminator>())
    body.back().erase();
  builder.setInsertionPointToEnd(&body);
  SmallVector<Value> yielded(copies.size(), Value(group.getInputArgument(0)));
  if (neighbour) {
    IRMapping mapping;
    for (unsigned i = 0; i < neighbour.getInputs().size(); ++i)
      mapping.map(neighbour.getInputArgument(i), group.getInputArgument(i + 1));
    for (unsigned i = 0; i < neighbour.getOutputs().size(); ++i)
      mapping.map(neighbour.getOutputArgument(i),
                  group.getOutputArgument(copies.size() + i));
    Block &work = neighbour.getBody().front();
    for (Operation &op : work.without_terminator())
      builder.clone(op, mapping);
    for (Value value : neighbour.getYielded())
      yielded.push_back(mapping.lookup(value));
  }
  YieldOp::create(builder, first.getLoc(), yielded);
  InFlightDiagnostic remark = group.emitRemark("fusion: ");
  remark << copies.size() << " copies of one tensor share a launch";
  if (neighbour) {
    remark << " with the element-wise work before them";
    neighbour.erase();
  }
  for (memref::CopyOp copy : copies)
    copy.erase();
}

void fusion::mergeCopies(func::FuncOp func, unsigned maxBuffers) {
  if (func.isExternal() || !func.getBody().hasOneBlock())
    return;
  llvm::MapVector<Value, SmallVector<memref::CopyOp>> bySource;
  for (auto copy : func.getBody().front().getOps<memref::CopyOp>())
    if (copy.getSource().getType() == copy.getTarget().getType())
      bySource[copy.getSource()].push_back(copy);
  // The scalars of a kernel take a buffer, too.
  size_t most = maxBuffers ? maxBuffers - 2 : SIZE_MAX;
  for (auto &[source, all] : bySource) {
    SmallVector<memref::CopyOp> together;
    GroupOp neighbour;
    size_t limit = most;
    auto flush = [&] {
      if (together.size() > 1)
        buildGroup(together, neighbour);
      together.clear();
    };
    for (memref::CopyOp copy : all) {
      if (together.size() == limit ||
          (!together.empty() && !canHoist(copy, together.front())))
        flush();
      if (together.empty()) {
        neighbour = findNeighbour(copy);
        limit = most;
        if (neighbour && neighbour->getNumOperands() + 1 < most)
          limit -= neighbour->getNumOperands();
        else
          neighbour = nullptr;
      }
      together.push_back(copy);
    }
    flush();
  }
}
