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
// them all.
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/MergeCopies.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Target/TargetTable.h"
#include "fusion/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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

/// Replaces `copies`, which could all run where the first runs, by a group.
static void buildGroup(ArrayRef<memref::CopyOp> copies) {
  memref::CopyOp first = copies.front();
  OpBuilder builder(first);
  SmallVector<Value> targets;
  for (memref::CopyOp copy : copies) {
    if (auto alloc = copy.getTarget().getDefiningOp<memref::AllocOp>();
        alloc && first->isBeforeInBlock(alloc))
      alloc->moveBefore(first);
    targets.push_back(copy.getTarget());
  }
  auto group = GroupOp::create(builder, first.getLoc(), first.getSource(),
                               targets, GroupKind::Elementwise);
  Block &body = group.getBody().front();
  if (!body.empty() && body.back().hasTrait<OpTrait::IsTerminator>())
    body.back().erase();
  builder.setInsertionPointToEnd(&body);
  YieldOp::create(
      builder, first.getLoc(),
      SmallVector<Value>(targets.size(), Value(group.getInputArgument(0))));
  group.emitRemark("fusion: ")
      << copies.size() << " copies of one tensor share a launch";
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
  size_t limit = maxBuffers ? maxBuffers - 2 : SIZE_MAX;
  for (auto &[source, all] : bySource) {
    SmallVector<memref::CopyOp> together;
    auto flush = [&] {
      if (together.size() > 1)
        buildGroup(together);
      together.clear();
    };
    for (memref::CopyOp copy : all) {
      if (together.size() == limit ||
          (!together.empty() && !canHoist(copy, together.front())))
        flush();
      together.push_back(copy);
    }
    flush();
  }
}
