//===- BuildLaunchPlan.h - From host IR to the launch plan ------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TARGET_BUILDLAUNCHPLAN_H
#define FUSION_TARGET_BUILDLAUNCHPLAN_H

#include "fusion/Target/LaunchPlan.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fusion {

/// Reads the launch plan off the host function of a module whose groups became
/// kernels. The function has one block of memref, arith and gpu operations;
/// anything else is an error at that operation.
FailureOr<LaunchPlan> buildLaunchPlan(ModuleOp module);

/// Registers the translation `fusion-to-plan`: prints the plan as JSON.
void registerToPlanTranslation();

} // namespace mlir::fusion

#endif // FUSION_TARGET_BUILDLAUNCHPLAN_H
