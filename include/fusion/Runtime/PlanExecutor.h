//===- PlanExecutor.h - Runs a launch plan on a device ----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_RUNTIME_PLANEXECUTOR_H
#define FUSION_RUNTIME_PLANEXECUTOR_H

#include "fusion/Runtime/Device.h"
#include "fusion/Runtime/Tensor.h"
#include "fusion/Target/LaunchPlan.h"

namespace mlir::fusion {

/// Runs a verified launch plan: bind arguments once, run as often as needed,
/// fetch the results.
///
///   PlanExecutor executor(plan, device);
///   executor.bind(arguments) -> executor.run() -> executor.getResults()
///
/// Donated arguments are overwritten on the device only; a second run sees what
/// the first has left in them.
class PlanExecutor {
public:
  /// Both must outlive the executor.
  PlanExecutor(const LaunchPlan &plan, Device &device);
  PlanExecutor(const PlanExecutor &) = delete;
  PlanExecutor &operator=(const PlanExecutor &) = delete;
  ~PlanExecutor();

  /// Checks `arguments` against the plan and the plan's own checks, allocates
  /// all device memory, copies the arguments to it and runs the steps that
  /// prepare weights. Frees what an earlier call allocated.
  llvm::Error bind(llvm::ArrayRef<Tensor> arguments);

  /// Runs the steps that do not prepare, in order. The device may still be
  /// working when this returns.
  llvm::Error run();

  /// Copies the results from the device.
  llvm::Expected<std::vector<Tensor>> getResults();

  /// Returns the value of a scalar for the bound arguments.
  llvm::Expected<int64_t> getScalar(ScalarId scalar) const;

private:
  llvm::Error checkArguments(llvm::ArrayRef<Tensor> arguments);
  llvm::Error runChecks();
  llvm::Error allocateBuffers(llvm::ArrayRef<Tensor> arguments);
  llvm::Expected<void *> allocateBuffer(const PlanBuffer &buffer,
                                        llvm::ArrayRef<Tensor> arguments);
  llvm::Expected<void *> allocate(size_t bytes);
  llvm::Error runSteps(bool prepare);
  llvm::Error runLaunch(const PlanStep &step);
  llvm::Error runCopy(const PlanStep &step);
  /// Evaluates a size; `what` names it in errors.
  llvm::Expected<int64_t> getSize(ScalarId scalar,
                                  const llvm::Twine &what) const;
  llvm::Expected<Tensor> makeResult(const PlanResult &result) const;
  /// Frees all memory; the first error is returned.
  llvm::Error release();

  const LaunchPlan &plan;
  Device &device;
  std::vector<std::optional<int64_t>> scalars;
  /// Everything to free.
  std::vector<void *> allocations;
  /// One per argument and result; null until a buffer asks for it.
  std::vector<void *> argumentMemory, resultMemory;
  void *arena = nullptr;
  int64_t arenaBytes = 0;
  /// One per buffer of the plan.
  std::vector<void *> buffers;
  bool isBound = false;
};

} // namespace mlir::fusion

#endif // FUSION_RUNTIME_PLANEXECUTOR_H
