//===- fusion-compile.cpp - Compiles graphs -------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Graph in; plan.json, kernels and report.json out, or the table of the four
// levels. All work is in the libraries.
//
//===----------------------------------------------------------------------===//

#include "fusion/InitAll.h"
#include "fusion/Pipelines/Compiler.h"
#include "fusion/Target/LevelReport.h"
#include "fusion/Target/PTX.h"
#include "fusion/Target/PlanJSON.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include <chrono>

using namespace mlir;
using namespace mlir::fusion;
namespace cl = llvm::cl;

namespace {

struct Options {
  cl::OptionCategory category{"Options of fusion-compile"};
  cl::opt<std::string> file{cl::Positional, cl::desc("FILE"), cl::Required,
                            cl::cat(category)};
  cl::opt<std::string> targets{
      "target", cl::desc("Devices to compile for: sm_80,apple9"),
      cl::value_desc("T[,T2]"), cl::cat(category)};
  cl::opt<std::string> output{"o", cl::desc("Folder for the results"),
                              cl::value_desc("DIR"), cl::cat(category)};
  cl::opt<std::string> level{
      "level",
      cl::desc("How much is fused: none, elementwise, pattern, attention"),
      cl::init("attention"), cl::value_desc("L"), cl::cat(category)};
  cl::opt<std::string> report{
      "report", cl::ValueOptional,
      cl::desc("Print the table of the four levels: text (default), json or "
               "html"),
      cl::value_desc("FORM"), cl::cat(category)};
  cl::list<int64_t> dims{
      "dims",
      cl::desc("Dynamic sizes of the arguments for the report, in order; the "
               "last is repeated"),
      cl::CommaSeparated, cl::value_desc("17,37"), cl::cat(category)};
  cl::opt<unsigned> weights{"weights",
                            cl::desc("The first N arguments are weights"),
                            cl::value_desc("N"), cl::init(0),
                            cl::cat(category)};
  cl::opt<std::string> donate{
      "donate", cl::desc("Arguments that may be overwritten: 3,295-358"),
      cl::value_desc("A-B,..."), cl::cat(category)};
  cl::opt<bool> keepF64{"keep-f64",
                        cl::desc("Keep f64 between narrower types"),
                        cl::cat(category)};
  cl::opt<std::string> prefer{
      "prefer", cl::desc("What to save first: launches or time"),
      cl::init("time"), cl::cat(category)};
};

int fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

/// "3,295-358" as a list.
FailureOr<std::vector<unsigned>> parseRanges(StringRef text) {
  std::vector<unsigned> values;
  SmallVector<StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [low, high] = part.split('-');
    unsigned first, last;
    if (low.getAsInteger(10, first))
      return failure();
    last = first;
    if (!high.empty() && high.getAsInteger(10, last))
      return failure();
    if (last < first || last - first > 100000)
      return failure();
    for (unsigned i = first; i <= last; ++i)
      values.push_back(i);
  }
  return values;
}

/// The kernels of a compiled model in its target's language.
FailureOr<std::string> emitKernels(CompiledModel &model) {
  return model.target->isApple() ? emitMSL(model) : fusion::emitPTX(model);
}

int writeFile(const llvm::Twine &path, StringRef text) {
  std::error_code error;
  llvm::ToolOutputFile file(path.str(), error, llvm::sys::fs::OF_None);
  if (error)
    return fail("cannot write " + path + ": " + error.message());
  file.os() << text;
  file.keep();
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  auto options = std::make_unique<Options>();
  cl::HideUnrelatedOptions(options->category);
  cl::ParseCommandLineOptions(argc, argv, "Compiles a graph to GPU kernels\n");
  bool wantReport = options->report.getNumOccurrences() > 0;
  StringRef form = options->report;
  if (wantReport && !form.empty() && form != "text" && form != "json" &&
      form != "html")
    return fail("unknown form of report '" + form + "'; use text, json or html");
  if (options->targets.empty())
    return fail("no target; give one with --target, known are " +
                getTargetNames());
  if (!wantReport && options->output.empty())
    return fail("nothing to do; give a folder with -o, or ask for --report");
  if (options->prefer != "time" && options->prefer != "launches")
    return fail("unknown preference '" + options->prefer +
                "'; use launches or time");
  FailureOr<std::vector<unsigned>> donated = parseRanges(options->donate);
  if (failed(donated))
    return fail("malformed --donate; write 3,295-358");

  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  fusion::registerAllDialects(registry);
  registerPTXDialectTranslations(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  // Remarks explain decisions; fusion-opt shows them.
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
  });
  auto start = std::chrono::steady_clock::now();
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(options->file, sources, &context);
  if (!module)
    return fail("cannot read " + options->file);
  double parseSeconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();

  CompileOptions compileOptions;
  compileOptions.weights = options->weights;
  compileOptions.donated = *donated;
  compileOptions.keepF64 = options->keepF64;
  SmallVector<StringRef> targets;
  StringRef(options->targets).split(targets, ',', -1, /*KeepEmpty=*/false);
  std::vector<ModelReport> reports;
  for (StringRef target : targets) {
    const TargetInfo *info = lookupTarget(target);
    if (!info)
      return fail("unknown target '" + target + "'; known are " +
                  getTargetNames());
    compileOptions.target = target.str();
    ModelReport report;
    report.model = llvm::sys::path::stem(options->file).str();
    report.target = target.str();
    SmallVector<std::string> levels{options->level};
    if (wantReport)
      levels = {"none", "elementwise", "pattern", "attention"};
    for (const std::string &level : levels) {
      compileOptions.level = level;
      auto begin = std::chrono::steady_clock::now();
      FailureOr<CompiledModel> model = compile(*module, compileOptions);
      if (failed(model))
        return 1;
      FailureOr<std::string> kernels = emitKernels(*model);
      if (failed(kernels))
        return 1;
      double seconds =
          parseSeconds + std::chrono::duration<double>(
                             std::chrono::steady_clock::now() - begin)
                             .count();
      bool canReport = wantReport || !options->dims.empty();
      llvm::Expected<LevelReport> row = makeLevelReport(
          model->plan, *info, level, options->dims, seconds);
      if (row)
        report.levels.push_back(*row);
      else if (canReport)
        return fail(llvm::toString(row.takeError()));
      else
        llvm::consumeError(row.takeError());
      if (options->output.empty() || level != options->level)
        continue;
      SmallString<128> folder(options->output);
      if (targets.size() > 1)
        llvm::sys::path::append(folder, target);
      if (std::error_code error = llvm::sys::fs::create_directories(folder))
        return fail("cannot make " + folder + ": " + error.message());
      std::string plan;
      llvm::raw_string_ostream planStream(plan);
      printPlanJSON(model->plan, planStream);
      std::string table;
      llvm::raw_string_ostream tableStream(table);
      tableStream << llvm::formatv("{0:2}", toJSON(report)) << "\n";
      if (writeFile(folder + "/plan.json", plan) ||
          writeFile(folder + (info->isApple() ? "/kernels.metal"
                                              : "/kernels.ptx"),
                    *kernels) ||
          writeFile(folder + "/report.json", table))
        return 1;
    }
    reports.push_back(std::move(report));
  }
  if (!wantReport)
    return 0;
  if (form == "json") {
    if (reports.size() == 1) {
      llvm::outs() << llvm::formatv("{0:2}", toJSON(reports.front())) << "\n";
    } else {
      llvm::json::Array all;
      for (const ModelReport &report : reports)
        all.push_back(toJSON(report));
      llvm::outs() << llvm::formatv("{0:2}",
                                    llvm::json::Value(std::move(all)))
                   << "\n";
    }
  } else if (form == "html") {
    printReportHTML(reports, llvm::outs());
  } else {
    for (const ModelReport &report : reports)
      printReportText(report, llvm::outs());
  }
  return 0;
}
