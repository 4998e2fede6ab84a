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

/// How far fusion goes: the four rows of the table in docs/Rationale.md.
enum class FusionLevel {
  None,        ///< one kernel for each operation
  Elementwise, ///< element-wise operations and reductions join their producers
  Pattern,     ///< QKV, FFN, norms, RoPE and epilogues make groups of their own
  Attention,   ///< attention is one kernel
};

/// "none", "elementwise", "pattern" or "attention"; nullopt for another name.
std::optional<FusionLevel> parseFusionLevel(llvm::StringRef name);

/// Puts every operation of `func` that needs a kernel into a fusion.group; see
/// the pass `fusion-form-groups`.
LogicalResult formGroups(func::FuncOp func, FusionLevel level);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_FORMGROUPS_H
