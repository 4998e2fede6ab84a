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
#include "fusion/Runtime/PlanExecutor.h"
#include "fusion/Runtime/ProfileTable.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fusion;
using llvm::Error;
using llvm::Expected;

namespace {

/// How often a graph is launched to measure its time.
constexpr int kWarmUps = 3, kRepetitions = 20;

class KernelRun {
public:
  KernelRun(CompiledModel &model, const RunOptions &options, raw_ostream &os)
      : model(model), options(options), os(os) {}

  Expected<std::vector<Tensor>> run(ArrayRef<Tensor> arguments) {
    return options.device == RunDevice::Cuda ? runOnCuda(arguments)
                                             : runInEmulator(arguments);
  }

private:
  Expected<std::vector<Tensor>> runInEmulator(ArrayRef<Tensor> arguments) {
    EmulatorOptions emulatorOptions;
    emulatorOptions.profile = options.profile;
    auto emulator =
        createEmulator(*model.module, *model.target, emulatorOptions);
    if (!emulator)
      return emulator.takeError();
    PlanExecutor executor(model.plan, **emulator);
    if (Error error = executor.bind(arguments))
      return std::move(error);
    if (Error error = executor.run())
      return std::move(error);
    if (options.profile)
      printProfile(executor, (*emulator)->getProfiles());
    return executor.getResults();
  }

  /// Runs the plan as one CUDA graph.
  Expected<std::vector<Tensor>> runOnCuda(ArrayRef<Tensor> arguments) {
    auto device = createCudaDevice(*model.module, *model.target, model.plan);
    if (!device)
      return device.takeError();
    PlanExecutor executor(model.plan, **device);
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
    llvm::StringMap<AssembledKernel> assembled;
    if (model.target->isNVIDIA()) {
      Expected<std::string> ptx = printKernels(*model.module, *model.target);
      if (ptx)
        assembled = assembleKernels(*ptx, model.target->name);
      else
        llvm::consumeError(ptx.takeError());
    }
    printKernelRows(makeKernelRows(model.plan, executor, *model.target,
                                   profiles, assembled),
                    os);
  }

  CompiledModel &model;
  const RunOptions &options;
  raw_ostream &os;
};

} // namespace

Expected<std::vector<Tensor>>
fusion::detail::runKernels(ModuleOp module, const RunOptions &options,
                           ArrayRef<Tensor> arguments, raw_ostream &os) {
  CompileOptions compileOptions;
  compileOptions.target = options.target;
  compileOptions.level = options.level;
  compileOptions.weights = options.weights;
  compileOptions.donated = options.donated;
  FailureOr<CompiledModel> model = compile(module, compileOptions);
  if (failed(model))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "the graph cannot be compiled");
  return KernelRun(*model, options, os).run(arguments);
}
