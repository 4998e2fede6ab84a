//===- BuildGroups.h - From a partition to fusion.group ---------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_BUILDGROUPS_H
#define FUSION_TRANSFORMS_BUILDGROUPS_H

#include "fusion/Analysis/GroupGraph.h"
#include "fusion/IR/Fusion.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::fusion {

/// Replaces the nodes of `func` by one fusion.group per group of `graph`, in
/// topological order. Views, sources and scalar computations are copied into
/// the groups that use them; what only the host needs (sizes, run-time checks
/// of sizes) stays outside. `kindOf` names each group's kind. Fails with a
/// diagnostic where a size that an output needs is not known outside.
LogicalResult buildGroups(func::FuncOp func, GroupGraph &graph,
                          function_ref<GroupKind(GroupGraph::GroupId)> kindOf);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_BUILDGROUPS_H
