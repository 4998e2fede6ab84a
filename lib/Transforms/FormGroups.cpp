//===- FormGroups.cpp - Greedy grouping -----------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/FormGroups.h"
#include "Grouping.h"
#include "fusion/Target/TargetTable.h"
#include "fusion/Transforms/BuildGroups.h"
#include "fusion/Transforms/DuplicateGathers.h"
#include "fusion/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_FUSIONFORMGROUPS
#include "fusion/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {
struct FormGroups : fusion::impl::FusionFormGroupsBase<FormGroups> {
  using Base::Base;
  void runOnOperation() override {
    std::optional<FusionLevel> parsed = parseFusionLevel(level);
    if (!parsed) {
      getOperation().emitError("unknown level '")
          << level << "'; use none, elementwise, pattern or attention";
      return signalPassFailure();
    }
    FormGroupsOptions options;
    options.level = *parsed;
    std::optional<FusionPreference> preference = parseFusionPreference(prefer);
    if (!preference) {
      getOperation().emitError("unknown preference '")
          << prefer << "'; use time or launches";
      return signalPassFailure();
    }
    options.prefer = *preference;
    if (!target.empty() && !(options.target = lookupTarget(target))) {
      getOperation().emitError("unknown target '")
          << target << "'; known are " << getTargetNames();
      return signalPassFailure();
    }
    if (failed(formGroups(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace

std::optional<FusionLevel> fusion::parseFusionLevel(StringRef name) {
  return llvm::StringSwitch<std::optional<FusionLevel>>(name)
      .Case("none", FusionLevel::None)
      .Case("elementwise", FusionLevel::Elementwise)
      .Case("pattern", FusionLevel::Pattern)
      .Case("attention", FusionLevel::Attention)
      .Default(std::nullopt);
}

std::optional<FusionPreference> fusion::parseFusionPreference(StringRef name) {
  return llvm::StringSwitch<std::optional<FusionPreference>>(name)
      .Case("time", FusionPreference::Time)
      .Case("launches", FusionPreference::Launches)
      .Default(std::nullopt);
}

bool Grouping::tryJoin(Operation *node, GroupId producer) {
  GroupId own = graph.getGroup(node);
  if (own == producer)
    return false;
  if (!graph.canMerge(producer, own)) {
    node->emitRemark("fusion: not merged with a producer: a third group lies "
                     "between them");
    return false;
  }
  StringRef why;
  if (!fits(getUnion(producer, own), node, why)) {
    node->emitRemark("fusion: not merged with a producer: ") << why;
    return false;
  }
  graph.merge(producer, own);
  node->emitRemark("fusion: merged with its producer");
  return true;
}

void Grouping::joinProducers(Operation *node) {
  switch (getRole(node)) {
  case FusionRole::Elementwise:
  case FusionRole::Reduction:
  case FusionRole::View:
  case FusionRole::Update:
    break;
  default:
    return;
  }
  // The last producer first: it is the one that the others feed.
  for (Operation *producer : llvm::reverse(graph.getProducers(node)))
    tryJoin(node, graph.getGroup(producer));
}

GroupKind Grouping::classify(ArrayRef<Operation *> members) {
  unsigned contractions = 0, reductions = 0;
  bool update = false, concat = false, exp = false, rsqrt = false;
  for (Operation *member : members) {
    switch (getRole(member)) {
    case FusionRole::Attention:
      return GroupKind::Attention;
    case FusionRole::Contraction:
      ++contractions;
      break;
    case FusionRole::Reduction:
      ++reductions;
      break;
    case FusionRole::Update:
      update = true;
      break;
    case FusionRole::Barrier:
      return GroupKind::Barrier;
    default:
      break;
    }
    concat |= isa<tensor::ConcatOp>(member);
    member->walk([&](Operation *op) {
      exp |= isa<math::ExpOp, math::Exp2Op>(op);
      rsqrt |= isa<math::RsqrtOp, math::SqrtOp>(op);
    });
  }
  if (contractions > 1) {
    // Meeting in one epilogue is an FFN's gate; going separate ways is QKV.
    llvm::DenseMap<Operation *, llvm::SmallPtrSet<Operation *, 2>> heroes;
    for (Operation *member : members) {
      if (getRole(member) == FusionRole::Contraction)
        heroes[member].insert(member);
      else
        for (Operation *producer : graph.getProducers(member))
          heroes[member].insert_range(
              llvm::SmallPtrSet<Operation *, 2>(heroes[producer]));
      if (heroes[member].size() > 1)
        return GroupKind::Ffn;
    }
    return GroupKind::Qkv;
  }
  if (contractions)
    return GroupKind::Contraction;
  if (reductions && exp)
    return GroupKind::Softmax;
  if (reductions && rsqrt)
    return GroupKind::Norm;
  if (reductions)
    return GroupKind::Reduction;
  if (update)
    return GroupKind::Update;
  if (concat && members.size() > 2)
    return GroupKind::Rope;
  return GroupKind::Elementwise;
}

/// Groups that depend on weights alone run once.
static void markPreparation(func::FuncOp func) {
  bool hasWeights = false;
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    hasWeights |= static_cast<bool>(func.getArgAttr(i, kConstantAttrName));
  if (!hasWeights)
    return;
  for (auto group : func.getBody().front().getOps<GroupOp>()) {
    bool constant = llvm::all_of(group.getInputs(), [&](Value input) {
      if (auto argument = dyn_cast<BlockArgument>(input))
        return static_cast<bool>(
            func.getArgAttr(argument.getArgNumber(), kConstantAttrName));
      auto producer = input.getDefiningOp<GroupOp>();
      return producer ? producer->hasAttr(kPrepareAttrName)
                      : matchPattern(input, m_Constant());
    });
    // An update in place would have to be done again.
    constant &= llvm::all_of(group.getOutputs(), [](Value output) {
      return output.getDefiningOp<tensor::EmptyOp>() ||
             output.getDefiningOp<tensor::CastOp>();
    });
    // Neither a result nor a tensor that another group writes into: both
    // change from run to run.
    constant &= llvm::none_of(group->getUses(), [](OpOperand &use) {
      auto user = dyn_cast<GroupOp>(use.getOwner());
      return use.getOwner()->hasTrait<OpTrait::IsTerminator>() ||
             (user && llvm::is_contained(user.getOutputs(), use.get()));
    });
    if (!constant)
      continue;
    group->setAttr(kPrepareAttrName, UnitAttr::get(func.getContext()));
    group.emitRemark("fusion: depends on weights alone: runs once");
  }
}

void Grouping::run() {
  if (level == FusionLevel::None)
    return;
  for (Operation *node : graph.getNodes())
    joinProducers(node);
  if (level < FusionLevel::Pattern)
    return;
  ejectFromEpilogues();
  mergeEpilogues();
  mergeSiblings();
  mergeFeeders();
  foldNorms();
}

LogicalResult fusion::formGroups(func::FuncOp func,
                                 const FormGroupsOptions &options) {
  if (func.isExternal())
    return success();
  if (!func.getBody().hasOneBlock())
    return func.emitError("a graph must have one block; unstructured control "
                          "flow has no kernel");
  if (options.level >= FusionLevel::Pattern)
    duplicateGathers(func);
  Grouping grouping(func, options);
  grouping.run();
  GroupGraph &graph = grouping.getGraph();
  if (failed(buildGroups(func, graph, [&](Grouping::GroupId group) {
        return grouping.classify(graph.getMembers(group));
      })))
    return failure();
  markPreparation(func);
  return success();
}
