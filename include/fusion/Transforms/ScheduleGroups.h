//===- ScheduleGroups.h - How groups become kernels -------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_SCHEDULEGROUPS_H
#define FUSION_TRANSFORMS_SCHEDULEGROUPS_H

#include "fusion/Target/TargetTable.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// Gives every group of `func` that has no schedule the target's choice.
void scheduleGroups(func::FuncOp func, const TargetInfo &target);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_SCHEDULEGROUPS_H
