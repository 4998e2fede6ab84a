//===- FormGroups.h - Greedy grouping ---------------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_FORMGROUPS_H
#define FUSION_TRANSFORMS_FORMGROUPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace mlir::fusion {

struct TargetInfo;

/// How far fusion goes: the four rows of the table in docs/Rationale.md.
enum class FusionLevel {
  None,        ///< one kernel for each operation
  Elementwise, ///< element-wise operations and reductions join their producers
  Pattern,     ///< QKV, FFN, norms, RoPE and epilogues make groups of their own
  Attention,   ///< attention is one kernel
};

/// What decides where a fusion saves launches but costs time.
enum class FusionPreference {
  Time,     ///< the performance model's time
  Launches, ///< the number of launches
};

struct FormGroupsOptions {
  FusionLevel level = FusionLevel::Attention;
  FusionPreference prefer = FusionPreference::Time;
  /// The device whose performance model decides. Null: what depends on it is
  /// left apart, unless launches are preferred.
  const TargetInfo *target = nullptr;
};

/// "time" or "launches"; nullopt for another name.
std::optional<FusionPreference> parseFusionPreference(llvm::StringRef name);

/// "none", "elementwise", "pattern" or "attention"; nullopt for another name.
std::optional<FusionLevel> parseFusionLevel(llvm::StringRef name);

/// Puts every operation of `func` that needs a kernel into a fusion.group; see
/// the pass `fusion-form-groups`.
LogicalResult formGroups(func::FuncOp func, const FormGroupsOptions &options);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_FORMGROUPS_H
