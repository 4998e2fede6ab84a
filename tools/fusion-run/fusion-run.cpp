//===- fusion-run.cpp - Runs graphs and checks the results ----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/InitAll.h"
#include "fusion/Pipelines/Compiler.h"
#include "fusion/Runtime/Reference.h"
#include "fusion/Runtime/Runner.h"
#include "fusion/Target/PTX.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fusion;
namespace cl = llvm::cl;

namespace {

/// The command line, in the words of the design.
struct Options {
  cl::OptionCategory category{"Options of fusion-run"};
  cl::opt<std::string> file{cl::Positional,
                            cl::desc("FILE or folder of fusion-compile"),
                            cl::Required, cl::cat(category)};
  cl::opt<std::string> target{
      "target", cl::desc("Device to compile for: sm_80, apple9, ..."),
      cl::value_desc("T"), cl::cat(category)};
  cl::opt<std::string> prefer{"prefer",
                              cl::desc("What to save first: launches or time"),
                              cl::init("time"), cl::cat(category)};
  cl::opt<std::string> level{
      "level",
      cl::desc("How much is fused: none, elementwise, pattern, attention"),
      cl::init("attention"), cl::value_desc("L"), cl::cat(category)};
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
  cl::list<int64_t> dims{
      "dims",
      cl::desc(
          "Dynamic sizes of the arguments, in order; the last is repeated"),
      cl::CommaSeparated, cl::value_desc("17,37"), cl::cat(category)};
  cl::list<int64_t> range{
      "range", cl::desc("Least and largest random integer (default 0,7)"),
      cl::CommaSeparated, cl::value_desc("LOW,HIGH"), cl::cat(category)};
  cl::opt<unsigned> weights{
      "weights", cl::desc("The first N arguments are weights"),
      cl::value_desc("N"), cl::init(0), cl::cat(category)};
  cl::opt<std::string> donate{
      "donate", cl::desc("Arguments that may be overwritten: 3,295-358"),
      cl::value_desc("A-B,..."), cl::cat(category)};
  cl::opt<bool> exactRounding{
      "exact-rounding",
      cl::desc("Round between the operations of a group as the graph does"),
      cl::cat(category)};
  cl::opt<bool> keepF64{"keep-f64", cl::desc("Keep f64 between narrower types"),
                        cl::cat(category)};
  cl::opt<bool> profile{"profile", cl::desc("Print a table of the kernels"),
                        cl::cat(category)};
};

int fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv, "fusion's runner\n");
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
    LogicalResult result =
        runFolder(options.file, run, llvm::outs(), llvm::errs());
    return succeeded(result) ? 0 : 1;
  }

  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::fusion::registerAllDialects(registry);
  registerReferenceDialects(registry);
  registerPTXDialectTranslations(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  // Remarks explain decisions, fusion-opt shows them; a note with the whole
  // module helps nobody.
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
  });
  context.printOpOnDiagnostic(false);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(options.file, sources, &context);
  if (!module)
    return 1;
  return succeeded(runGraph(*module, run, llvm::outs(), llvm::errs())) ? 0 : 1;
}
