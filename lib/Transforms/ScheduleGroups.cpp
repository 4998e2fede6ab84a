//===- ScheduleGroups.cpp - How groups become kernels ---------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/ScheduleGroups.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Kernels/GroupKernel.h"
#include "fusion/Transforms/Passes.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_FUSIONSCHEDULE
#include "fusion/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

void fusion::scheduleGroups(func::FuncOp func, const TargetInfo &target) {
  func.walk([&](GroupOp group) {
    if (!group.getScheduleAttr())
      group.setScheduleAttr(chooseSchedule(group, target));
  });
}

namespace {
struct ScheduleGroups : fusion::impl::FusionScheduleBase<ScheduleGroups> {
  using Base::Base;
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    StringRef name = target;
    if (name.empty())
      if (auto module = func->getParentOfType<ModuleOp>())
        if (auto attr = module->getAttrOfType<TargetAttr>(kTargetAttrName))
          name = attr.getDevice();
    const TargetInfo *info = lookupTarget(name);
    if (!info) {
      func.emitError("unknown target '")
          << name << "'; known are " << getTargetNames();
      return signalPassFailure();
    }
    scheduleGroups(func, *info);
  }
};
} // namespace
