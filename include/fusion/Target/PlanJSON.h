//===- PlanJSON.h - plan.json -----------------------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The launch plan as text, for hosts in any language. docs/plan.schema.json
// describes it and the grammar of its expressions.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TARGET_PLANJSON_H
#define FUSION_TARGET_PLANJSON_H

#include "fusion/Target/LaunchPlan.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::fusion {

/// Prints a verified plan. Scalars are integers where they are static and
/// expressions such as "ceildiv(arg3.dim1 * 64, 256)" where not; long ones
/// that are used more than once get a name.
void printPlanJSON(const LaunchPlan &plan, llvm::raw_ostream &os);

/// Parses what `printPlanJSON` prints, and verifies it. Unknown keys are
/// errors, which name the place: "plan.steps[3].grid[0]: ...".
llvm::Expected<LaunchPlan> parsePlanJSON(llvm::StringRef text);

} // namespace mlir::fusion

#endif // FUSION_TARGET_PLANJSON_H
