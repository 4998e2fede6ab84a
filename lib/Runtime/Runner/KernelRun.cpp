//===- KernelRun.cpp - Runs a graph's compiled kernels --------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"

#include "fusion/Pipelines/Compiler.h"
#include "fusion/Runtime/CudaDevice.h"
#include "fusion/Runtime/KernelDevice.h"
#include "fusion/Runtime/MetalFrontend.h"
#include "fusion/Runtime/PlanExecutor.h"
#include "fusion/Runtime/ProfileTable.h"
#include "fusion/Runtime/Reference.h"
#include "fusion/Target/PlanJSON.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::detail;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

namespace {

/// How often a graph is launched to measure its time.
constexpr int kWarmUps = 3, kRepetitions = 20;

class KernelRun {
public:
  /// `ptx` is empty for other kernels.
  KernelRun(const LaunchPlan &plan, const TargetInfo &target, StringRef ptx,
            const RunOptions &options, raw_ostream &os)
      : plan(plan), target(target), ptx(ptx), options(options), os(os) {}

  Expected<std::vector<Tensor>> run(Emulator &emulator,
                                    ArrayRef<Tensor> arguments) {
    PlanExecutor executor(plan, emulator);
    if (Error error = executor.bind(arguments))
      return std::move(error);
    if (Error error = executor.run())
      return std::move(error);
    if (options.profile)
      printProfile(executor, emulator.getProfiles());
    return executor.getResults();
  }

  /// Runs the plan as one CUDA graph.
  Expected<std::vector<Tensor>> runOnCuda(ArrayRef<Tensor> arguments) {
    auto device = createCudaDevice(ptx, target, plan);
    if (!device)
      return device.takeError();
    PlanExecutor executor(plan, **device);
    if (Error error = executor.bind(arguments))
      return std::move(error);
    auto graph = (*device)->record([&] { return executor.run(); });
    if (!graph)
      return graph.takeError();
    if (Error error = (*graph)->launch())
      return std::move(error);
    Expected<std::vector<Tensor>> results = executor.getResults();
    // Measuring runs again, and overwrites what may be overwritten.
    if (results && options.profile) {
      printProfile(executor, (*device)->getProfiles());
      if (Error error = printTime(**device, **graph))
        return std::move(error);
    }
    return results;
  }

private:
  Error printTime(CudaDevice &device, CudaGraph &graph) {
    auto repeat = [&](int times) -> Error {
      for (int i = 0; i < times; ++i)
        if (Error error = graph.launch())
          return error;
      return Error::success();
    };
    if (Error error = repeat(kWarmUps))
      return error;
    Expected<double> time =
        device.measure([&] { return repeat(kRepetitions); });
    if (!time)
      return time.takeError();
    os << device.getName() << ": measured "
       << llvm::format("%.1f", *time / kRepetitions) << " us a run\n";
    return Error::success();
  }

  void printProfile(const PlanExecutor &executor,
                    ArrayRef<NamedKernelProfile> profiles) {
    printKernelRows(makeKernelRows(plan, executor, target, profiles,
                                   inspectKernels(ptx, target.name)),
                    os);
  }

  const LaunchPlan &plan;
  const TargetInfo &target;
  StringRef ptx;
  const RunOptions &options;
  raw_ostream &os;
};

} // namespace

Expected<std::vector<Tensor>>
fusion::detail::runModule(ModuleOp module, const RunOptions &options,
                          ArrayRef<Tensor> arguments, raw_ostream &os) {
  if (options.device == RunDevice::Reference) {
    auto reference = Reference::create(module);
    if (!reference)
      return reference.takeError();
    return (*reference)->run(arguments);
  }
  FailureOr<CompiledModel> model = compile(module, options);
  if (failed(model))
    return createStringError("the graph cannot be compiled");
  return runKernels(*model, options, arguments, os);
}

Expected<std::vector<Tensor>>
fusion::detail::runKernels(CompiledModel &model, const RunOptions &options,
                           ArrayRef<Tensor> arguments, raw_ostream &os) {
  bool isCuda = options.device == RunDevice::Cuda;
  std::string ptx;
  if (isCuda || (options.profile && model.target->isNVIDIA())) {
    Expected<std::string> text = printKernels(*model.module, *model.target);
    if (!text)
      return text.takeError();
    ptx = std::move(*text);
  }
  KernelRun run(model.plan, *model.target, ptx, options, os);
  if (isCuda)
    return run.runOnCuda(arguments);
  EmulatorOptions emulatorOptions;
  emulatorOptions.profile = options.profile;
  auto emulator = createEmulator(*model.module, *model.target, emulatorOptions);
  if (!emulator)
    return emulator.takeError();
  return run.run(**emulator, arguments);
}

//===----------------------------------------------------------------------===//
// Compiled folders
//===----------------------------------------------------------------------===//

static Expected<std::string> readFile(StringRef folder, StringRef name) {
  SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return createStringError(
        path + ": can not be read: " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

Expected<CompiledFolder> fusion::detail::readCompiledFolder(StringRef folder) {
  Expected<std::string> json = readFile(folder, "plan.json");
  if (!json)
    return json.takeError();
  Expected<LaunchPlan> plan = parsePlanJSON(*json);
  if (!plan)
    return createStringError(folder +
                             "/plan.json: " + llvm::toString(plan.takeError()));
  CompiledFolder compiled;
  compiled.plan = std::move(*plan);
  compiled.target = lookupTarget(compiled.plan.target);
  if (!compiled.target)
    return createStringError(folder + "/plan.json: unknown target '" +
                             compiled.plan.target + "'; known are " +
                             getTargetNames());
  Expected<std::string> kernels = readFile(
      folder, compiled.target->isApple() ? "kernels.metal" : "kernels.ptx");
  if (!kernels)
    return kernels.takeError();
  compiled.kernels = std::move(*kernels);
  return compiled;
}

Expected<std::vector<Tensor>>
fusion::detail::runCompiledFolder(const CompiledFolder &compiled,
                                  const RunOptions &options,
                                  ArrayRef<Tensor> arguments, raw_ostream &os) {
  bool isApple = compiled.target->isApple();
  KernelRun run(compiled.plan, *compiled.target,
                isApple ? StringRef() : compiled.kernels, options, os);
  if (options.device == RunDevice::Cuda)
    return run.runOnCuda(arguments);
  if (!isApple)
    return createStringError(
        "the emulator does not run PTX; hint: give the graph in "
        "place of the folder, or --device=cuda");
  EmulatorOptions emulatorOptions;
  emulatorOptions.profile = options.profile;
  auto emulator = createMetalEmulator(compiled.kernels, emulatorOptions);
  if (!emulator)
    return emulator.takeError();
  return run.run(**emulator, arguments);
}
