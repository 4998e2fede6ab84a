//===- FormGroups.cpp - Greedy grouping -----------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/FormGroups.h"
#include "fusion/Analysis/GroupGraph.h"
#include "fusion/Interfaces/FusibleOpInterface.h"
#include "fusion/Transforms/BuildGroups.h"
#include "fusion/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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
    if (failed(formGroups(getOperation(), *parsed)))
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

/// The kind of a group by its members.
static GroupKind classify(ArrayRef<Operation *> members) {
  GroupKind kind = GroupKind::Elementwise;
  for (Operation *member : members) {
    auto fusible = dyn_cast<FusibleOpInterface>(member);
    if (!fusible)
      return GroupKind::Barrier;
    switch (fusible.getFusionRole()) {
    case FusionRole::Attention:
      return GroupKind::Attention;
    case FusionRole::Contraction:
      kind = GroupKind::Contraction;
      break;
    case FusionRole::Reduction:
      if (kind == GroupKind::Elementwise)
        kind = GroupKind::Reduction;
      break;
    case FusionRole::Update:
      if (kind == GroupKind::Elementwise)
        kind = GroupKind::Update;
      break;
    default:
      break;
    }
  }
  return kind;
}

LogicalResult fusion::formGroups(func::FuncOp func, FusionLevel level) {
  if (func.isExternal())
    return success();
  GroupGraph graph(func);
  return buildGroups(func, graph, [&](GroupGraph::GroupId group) {
    return classify(graph.getMembers(group));
  });
}
