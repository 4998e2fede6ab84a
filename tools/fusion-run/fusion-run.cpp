//===- fusion-run.cpp - Runs graphs and checks the results ----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../GraphTool.h"
#include "fusion/Runtime/Reference.h"
#include "fusion/Runtime/Runner.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace mlir::fusion;
namespace cl = llvm::cl;

namespace {

/// The command line, in the words of the design.
struct Options : GraphOptions {
  Options() : GraphOptions("Options of fusion-run") {}

  cl::opt<std::string> file{cl::Positional,
                            cl::desc("FILE or folder of fusion-compile"),
                            cl::Required, cl::cat(category)};
  cl::opt<std::string> target{
      "target", cl::desc("Device to compile for: sm_80, apple9, ..."),
      cl::value_desc("T"), cl::cat(category)};
  cl::opt<RunDevice> device{
      "device", cl::desc("Where to run"),
      cl::values(clEnumValN(RunDevice::Emulator, "emulator",
                            "the kernels on the CPU, with all checks"),
                 clEnumValN(RunDevice::Cuda, "cuda", "the kernels on a GPU"),
                 clEnumValN(RunDevice::Reference, "reference",
                            "no kernels: upstream's lowering on the CPU")),
      cl::init(RunDevice::Emulator), cl::cat(category)};
  cl::opt<std::string> data{
      "data", cl::desc("Run on DIR/argI.npy, compare with DIR/outI.npy"),
      cl::value_desc("DIR"), cl::cat(category)};
  cl::opt<bool> check{
      "check",
      cl::desc("Run on random arguments, compare with the reference lowering"),
      cl::cat(category)};
  cl::opt<std::string> output{"output",
                              cl::desc("Write the results as DIR/outI.npy"),
                              cl::value_desc("DIR"), cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::desc("Seed of the random arguments"),
                         cl::init(0), cl::cat(category)};
  cl::list<int64_t> range{
      "range", cl::desc("Least and largest random integer (default 0,7)"),
      cl::CommaSeparated, cl::value_desc("LOW,HIGH"), cl::cat(category)};
  cl::opt<bool> profile{"profile", cl::desc("Print a table of the kernels"),
                        cl::cat(category)};
};

LogicalResult runOn(const Options &options) {
  if (options.data.empty() == !options.check)
    return fail("give one of --data=DIR and --check");

  RunOptions run;
  run.device = options.device;
  run.target = options.target;
  run.level = options.level;
  run.prefer = options.prefer;
  run.dataFolder = options.data;
  run.outputFolder = options.output;
  run.random.seed = options.seed;
  run.dims.assign(options.dims.begin(), options.dims.end());
  run.weights = options.weights;
  run.keepF64 = options.keepF64;
  run.profile = options.profile;
  run.exactRounding = options.exactRounding;
  if (options.range.size() == 2 && options.range[0] <= options.range[1]) {
    run.random.low = options.range[0];
    run.random.high = options.range[1];
  } else if (!options.range.empty()) {
    return fail("--range wants LOW,HIGH");
  }
  llvm::Expected<std::vector<unsigned>> donated =
      parseArgumentRanges(options.donate);
  if (!donated)
    return fail("--donate: " + llvm::toString(donated.takeError()));
  run.donated = std::move(*donated);

  if (llvm::sys::fs::is_directory(options.file)) {
    if (options.data.empty() || run.device == RunDevice::Reference)
      return fail("--check and --device=reference want the graph, not a "
                  "compiled folder");
    return runFolder(options.file, run, llvm::outs(), llvm::errs());
  }

  DialectRegistry registry;
  registerGraphDialects(registry);
  registerReferenceDialects(registry);
  GraphFile graph(registry);
  if (failed(graph.read(options.file)))
    return failure();
  return runGraph(*graph.module, run, llvm::outs(), llvm::errs());
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv, "fusion's runner\n");
  return succeeded(runOn(options)) ? 0 : 1;
}
