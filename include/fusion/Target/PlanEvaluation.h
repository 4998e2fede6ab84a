//===- PlanEvaluation.h - Scalars of a launch plan --------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks that a launch plan is well formed, and computes its scalars for given
// arguments.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TARGET_PLANEVALUATION_H
#define FUSION_TARGET_PLANEVALUATION_H

#include "fusion/Target/LaunchPlan.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace mlir::fusion {

/// Returns the bytes of one element in memory, or nothing for a type that no
/// buffer can have.
std::optional<unsigned> getPlanElementBytes(llvm::StringRef element);

/// Returns the number of operands that scalars of `kind` have.
unsigned getNumPlanOperands(PlanScalar::Kind kind);

/// Checks everything that can be checked without arguments: indices are in
/// range, scalars precede their users, steps depend on earlier steps, element
/// types are known. The error names the place, as in "steps[3].operands[0]".
llvm::Error verifyPlan(const LaunchPlan &plan);

/// What a plan's scalars are computed from.
struct PlanInputs {
  /// The sizes of every argument; fewer arguments leave dimensions unknown.
  std::vector<std::vector<int64_t>> shapes;
  /// The values of integer arguments of rank 0; nothing where unknown.
  std::vector<std::optional<int64_t>> values;
};

/// Returns the value of every scalar of a verified plan, or nothing for one
/// that depends on an unknown input or on a division by zero. A select depends
/// only on the operand that it chooses.
std::vector<std::optional<int64_t>> evaluateScalars(const LaunchPlan &plan,
                                                    const PlanInputs &inputs);

/// Returns the sizes of every argument when the unknown ones (the `?` of the
/// entry function's arguments, in order) are `dims`, of which a shorter list
/// repeats its last value. Fails if there are unknown sizes and `dims` is
/// empty.
llvm::Expected<std::vector<std::vector<int64_t>>>
resolveShapes(const LaunchPlan &plan, llvm::ArrayRef<int64_t> dims);

} // namespace mlir::fusion

#endif // FUSION_TARGET_PLANEVALUATION_H
