//===- Schedule.cpp - The template of a group -----------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Kernels/GroupKernel.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::fusion;

/// Neighbours that a thread of the generic kernel handles: as many as fill 16
/// bytes of the narrowest output. Threads that loop take one element.
static int64_t chooseVector(GroupOp group) {
  bool loops = false;
  group.walk(
      [&](linalg::LinalgOp op) { loops |= op.getNumReductionLoops() > 0; });
  if (loops)
    return 1;
  int64_t narrowest = 16;
  for (Value output : group.getOutputs()) {
    Type element = getElementTypeOrSelf(output.getType());
    int64_t bits =
        element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
    narrowest = std::min<int64_t>(narrowest, std::max<int64_t>(bits / 8, 2));
  }
  return 16 / narrowest;
}

ScheduleAttr fusion::chooseSchedule(GroupOp group, const TargetInfo &target) {
  MLIRContext *context = group.getContext();
  if (std::optional<ScheduleAttr> schedule =
          chooseAttentionGroupSchedule(group, target))
    return *schedule;
  if (std::optional<ScheduleAttr> schedule =
          chooseContractionGroupSchedule(group, target))
    return *schedule;
  if (std::optional<ScheduleAttr> schedule =
          chooseRowGroupSchedule(group, target))
    return *schedule;
  for (auto op : group.getBody().front().getOps<FusibleOpInterface>())
    if (op.getFusionRole() == FusionRole::Contraction) {
      group.emitRemark("fusion: no template computes this product: each "
                       "element is a loop of one thread");
      break;
    }
  return ScheduleAttr::get(context, Strategy::Generic, MatrixUnitKind::Scalar,
                           /*tile=*/{}, /*warps=*/{}, /*stages=*/1,
                           /*threads=*/256, chooseVector(group));
}

FailureOr<GridBuilder> fusion::buildGroupKernel(GroupKernel &kernel) {
  switch (kernel.schedule.getStrategy()) {
  case Strategy::Generic:
    return buildGenericKernel(kernel);
  case Strategy::Contraction:
    return buildContractionKernel(kernel);
  case Strategy::Attention:
    return buildAttentionKernel(kernel);
  case Strategy::Row:
    return buildRowKernel(kernel);
  }
  return kernel.group.emitError("no kernel template for this schedule");
}
