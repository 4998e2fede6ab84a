//===- LevelReport.cpp - What a compiled graph costs ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Target/LevelReport.h"

#include "fusion/Target/PlanEvaluation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::fusion;
using llvm::Error;
using llvm::Expected;

double mlir::fusion::modelLaunchMicroseconds(const TargetInfo &target,
                                             int64_t bytes, int64_t flops,
                                             int64_t blocks) {
  double effectiveFlops = double(flops);
  if (blocks > 0) {
    int64_t units = target.multiprocessors;
    effectiveFlops *=
        double(llvm::divideCeil(blocks, units) * units) / double(blocks);
  }
  return modelMicroseconds(target, double(bytes), effectiveFlops);
}

namespace {

class Summary {
public:
  Summary(const LaunchPlan &plan, const TargetInfo &target, LevelReport &report)
      : plan(plan), target(target), report(report) {}

  Error run(llvm::ArrayRef<int64_t> dims) {
    auto shapes = resolveShapes(plan, dims);
    if (!shapes)
      return shapes.takeError();
    PlanInputs inputs;
    inputs.shapes = std::move(*shapes);
    inputs.values.assign(plan.arguments.size(), 0);
    scalars = evaluateScalars(plan, inputs);
    for (auto [i, step] : llvm::enumerate(plan.steps)) {
      if (step.prepare || step.kind == PlanStep::Kind::Check)
        continue;
      Error error =
          step.kind == PlanStep::Kind::Launch ? addLaunch(step) : addCopy(step);
      if (error)
        return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                       llvm::formatv("steps[{0}]: ", i) +
                                           llvm::toString(std::move(error)));
    }
    report.distinctKernels = used.size();
    return Error::success();
  }

private:
  Error get(ScalarId scalar, llvm::StringRef what, int64_t &value) {
    if (!scalars[scalar])
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "the " + what +
                                         " has no value for these dimensions");
    value = *scalars[scalar];
    return Error::success();
  }

  Error addLaunch(const PlanStep &step) {
    int64_t bytes, minimumBytes, rereadBytes, flops, blocks = 1;
    if (Error error = get(step.bytes, "number of bytes", bytes))
      return error;
    if (Error error =
            get(step.minimumBytes, "least number of bytes", minimumBytes))
      return error;
    if (Error error =
            get(step.rereadBytes, "number of bytes read again", rereadBytes))
      return error;
    if (Error error = get(step.flops, "number of operations", flops))
      return error;
    for (ScalarId scalar : step.grid) {
      int64_t size;
      if (Error error = get(scalar, "grid", size))
        return error;
      blocks = llvm::SaturatingMultiply<uint64_t>(blocks,
                                                  std::max<int64_t>(size, 0)) &
               INT64_MAX;
    }
    const PlanKernel &kernel = plan.kernels[step.kernel];
    used.insert(step.kernel);
    add(kernel.kind, bytes, minimumBytes, rereadBytes, flops, blocks);
    return Error::success();
  }

  Error addCopy(const PlanStep &step) {
    int64_t bytes;
    if (Error error =
            get(plan.buffers[step.source].bytes, "number of bytes", bytes))
      return error;
    // Read and written once: a copy is as good as a copy can be.
    add("copy", 2 * bytes, 2 * bytes, /*rereadBytes=*/0, /*flops=*/0,
        /*blocks=*/0);
    return Error::success();
  }

  void add(const std::string &kind, int64_t bytes, int64_t minimumBytes,
           int64_t rereadBytes, int64_t flops, int64_t blocks) {
    ++report.launches;
    ++report.kinds[kind];
    report.bytes += bytes;
    report.minimumBytes += minimumBytes;
    report.rereadBytes += rereadBytes;
    report.flops += flops;
    report.modelledMicroseconds +=
        modelLaunchMicroseconds(target, bytes + rereadBytes, flops, blocks);
  }

  const LaunchPlan &plan;
  const TargetInfo &target;
  LevelReport &report;
  std::vector<std::optional<int64_t>> scalars;
  llvm::SmallSet<uint32_t, 32> used;
};

} // namespace

Expected<LevelReport> mlir::fusion::makeLevelReport(
    const LaunchPlan &plan, const TargetInfo &target, llvm::StringRef level,
    llvm::ArrayRef<int64_t> dims, double compileSeconds) {
  LevelReport report;
  report.level = level.str();
  report.compileSeconds = compileSeconds;
  if (Error error = Summary(plan, target, report).run(dims))
    return std::move(error);
  return report;
}
