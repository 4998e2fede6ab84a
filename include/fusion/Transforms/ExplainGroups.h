//===- ExplainGroups.h - Why groups are what they are -----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_EXPLAINGROUPS_H
#define FUSION_TRANSFORMS_EXPLAINGROUPS_H

#include "fusion/IR/Fusion.h"
#include "fusion/Transforms/FormGroups.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::fusion {

/// A group that another one reads.
struct ExplainedEdge {
  /// The index of the group that is read.
  size_t producer = 0;
  /// The values that are read, as the IR names them.
  std::vector<std::string> values;
  /// Their size; nullopt if it depends on a dynamic dimension.
  std::optional<int64_t> bytes;
  /// Why the two groups are not one.
  std::string why;
};

/// The kernel that a group becomes.
struct ExplainedKernel {
  std::string name;
  /// What a block takes: threads, and bytes of shared memory.
  int64_t threads = 0, sharedBytes = 0;
  /// What a thread takes, where an assembler has said so.
  std::optional<int> registers;
};

struct ExplainedGroup {
  GroupKind kind = GroupKind::Elementwise;
  /// The operations of the group, one text each.
  std::vector<std::string> operations;
  std::vector<ExplainedEdge> edges;
  /// Bytes that are neither written nor read because the operations are one
  /// kernel, beside a kernel for each; nullopt if they depend on a dynamic
  /// dimension.
  std::optional<int64_t> savedBytes = 0;
  /// Nullopt where it is not known which it is.
  std::optional<ExplainedKernel> kernel;
};

/// Says which group holds each operation of `func` that needs a kernel, and for
/// each edge between groups why it is one. `func` is a graph as `formGroups`
/// takes it; readers of gathers may get gathers of their own, nothing else is
/// changed.
std::vector<ExplainedGroup> explainGroups(func::FuncOp func,
                                          const FormGroupsOptions &options);

/// Prints groups as text, or as a page with links between them.
void printExplanation(ArrayRef<ExplainedGroup> groups, llvm::raw_ostream &os);
void printExplanationHTML(ArrayRef<ExplainedGroup> groups,
                          llvm::raw_ostream &os);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_EXPLAINGROUPS_H
