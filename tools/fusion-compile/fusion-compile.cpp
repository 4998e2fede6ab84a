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

#include "../GraphTool.h"
#include "fusion/Runtime/ProfileTable.h"
#include "fusion/Target/LevelReport.h"
#include "fusion/Target/PlanJSON.h"
#include "fusion/Transforms/FormGroups.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"
#include <chrono>

using namespace mlir;
using namespace mlir::fusion;
namespace cl = llvm::cl;

namespace {

struct Options : GraphOptions {
  Options() : GraphOptions("Options of fusion-compile") {}

  cl::opt<std::string> file{cl::Positional, cl::desc("FILE"), cl::Required,
                            cl::cat(category)};
  cl::opt<std::string> targets{"target",
                               cl::desc("Devices to compile for: sm_80,apple9"),
                               cl::value_desc("T[,T2]"), cl::cat(category)};
  cl::opt<std::string> output{"o", cl::desc("Folder for the results"),
                              cl::value_desc("DIR"), cl::cat(category)};
  cl::opt<std::string> report{
      "report", cl::ValueOptional,
      cl::desc("Print the table of the four levels: text (default), json or "
               "html"),
      cl::value_desc("FORM"), cl::cat(category)};
  cl::opt<std::string> explain{
      "explain", cl::ValueOptional,
      cl::desc("Say which group holds each operation, and why groups are "
               "apart: text (default) or html"),
      cl::init(""), cl::cat(category)};
};

/// A file of the results; nothing is written before everything is compiled.
struct OutputFile {
  std::string folder, name, text;
};

class Compilation {
public:
  Compilation(const Options &options, const DialectRegistry &registry)
      : options(options), graph(registry) {}

  LogicalResult run() {
    if (failed(readOptions()) || failed(readModule()))
      return failure();
    for (const TargetInfo *target : targets)
      if (failed(compileFor(*target)))
        return failure();
    if (failed(writeFiles()))
      return failure();
    if (wantsReport())
      printReports();
    return success();
  }

private:
  bool wantsReport() const { return options.report.getNumOccurrences() > 0; }
  bool wantsExplanation() const {
    return options.explain.getNumOccurrences() > 0;
  }
  StringRef getExplainForm() const {
    return options.explain.empty() ? "text" : StringRef(options.explain);
  }

  LogicalResult readOptions() {
    StringRef form = options.report;
    if (!llvm::is_contained({"", "text", "json", "html"}, form))
      return fail("unknown form of report '" + form +
                  "'; use text, json or html");
    if (!llvm::is_contained({"text", "html"}, getExplainForm()))
      return fail("unknown form of explanation '" + options.explain +
                  "'; use text or html");
    if (!wantsReport() && !wantsExplanation() && options.output.empty())
      return fail(
          "nothing to do; give a folder with -o, or ask for --report or "
          "--explain");
    if (!parseFusionPreference(options.prefer))
      return fail("unknown preference '" + options.prefer +
                  "'; use launches or time");
    if (!parseFusionLevel(options.level))
      return fail("unknown level '" + options.level +
                  "'; use none, elementwise, pattern or attention");
    if (llvm::any_of(options.dims, [](int64_t size) { return size < 0; }))
      return fail("--dims wants sizes, none of them negative");
    SmallVector<StringRef> names;
    StringRef(options.targets).split(names, ',', -1, /*KeepEmpty=*/false);
    if (names.empty())
      return fail("no target; give one with --target, known are " +
                  getTargetNames());
    for (StringRef name : names) {
      targets.push_back(lookupTarget(name));
      if (!targets.back())
        return fail("unknown target '" + name + "'; known are " +
                    getTargetNames());
    }
    llvm::Expected<std::vector<unsigned>> donated =
        parseArgumentRanges(options.donate);
    if (!donated)
      return fail("--donate: " + llvm::toString(donated.takeError()));
    compileOptions.donated = std::move(*donated);
    compileOptions.weights = options.weights;
    compileOptions.keepF64 = options.keepF64;
    compileOptions.exactRounding = options.exactRounding;
    return success();
  }

  LogicalResult readModule() {
    auto start = std::chrono::steady_clock::now();
    LogicalResult result = graph.read(options.file);
    parseSeconds = secondsSince(start);
    return result;
  }

  static double secondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }

  LogicalResult compileFor(const TargetInfo &target) {
    compileOptions.target = target.name.str();
    compileOptions.prefer = options.prefer;
    ModelReport &report = reports.emplace_back();
    report.model = llvm::sys::path::stem(options.file).str();
    report.target = compileOptions.target;
    SmallVector<std::string> levels{options.level};
    if (wantsReport())
      levels = {"none", "elementwise", "pattern", "attention"};
    for (const std::string &level : levels)
      if (failed(compileAt(target, level, report)))
        return failure();
    return success();
  }

  /// `kernels` is the model's text, PTX or MSL.
  LogicalResult printGroups(const TargetInfo &target,
                            const CompiledModel &model,
                            const std::string &kernels) {
    FailureOr<std::vector<ExplainedGroup>> groups =
        explain(*graph.module, compileOptions);
    if (failed(groups))
      return failure();
    addKernels(*groups, model.plan);
    if (target.isNVIDIA()) {
      llvm::StringMap<KernelCode> code = inspectKernels(kernels, target.name);
      for (ExplainedGroup &group : *groups)
        if (group.kernel)
          group.kernel->registers = code.lookup(group.kernel->name).registers;
    }
    if (getExplainForm() == "html")
      printExplanationHTML(*groups, llvm::outs());
    else
      printExplanation(*groups, llvm::outs());
    return success();
  }

  /// Compiles at one level; adds a row to the report and, at the level that was
  /// asked for, the files, and prints the explanation.
  LogicalResult compileAt(const TargetInfo &target, const std::string &level,
                          ModelReport &report) {
    compileOptions.level = level;
    auto start = std::chrono::steady_clock::now();
    FailureOr<CompiledModel> model = compile(*graph.module, compileOptions);
    if (failed(model))
      return failure();
    FailureOr<std::string> kernels =
        target.isApple() ? emitMSL(*model) : fusion::emitPTX(*model);
    if (failed(kernels))
      return failure();
    llvm::Expected<LevelReport> row =
        makeLevelReport(model->plan, target, level, options.dims,
                        parseSeconds + secondsSince(start));
    if (row)
      report.levels.push_back(std::move(*row));
    else if (wantsReport() || !options.dims.empty())
      return fail(llvm::toString(row.takeError()));
    else // The figures of a dynamic graph depend on sizes that were not given.
      llvm::consumeError(row.takeError());
    if (level != options.level)
      return success();
    if (!options.output.empty())
      addFiles(target, *model, *kernels, report);
    if (wantsExplanation())
      return printGroups(target, *model, *kernels);
    return success();
  }

  void addFiles(const TargetInfo &target, const CompiledModel &model,
                const std::string &kernels, const ModelReport &report) {
    SmallString<128> folder(options.output);
    if (targets.size() > 1)
      llvm::sys::path::append(folder, target.name);
    std::string plan, table;
    llvm::raw_string_ostream planStream(plan), tableStream(table);
    printPlanJSON(model.plan, planStream);
    tableStream << llvm::formatv("{0:2}", toJSON(report)) << "\n";
    auto add = [&](StringRef name, std::string text) {
      files.push_back({folder.str().str(), name.str(), std::move(text)});
    };
    add("plan.json", std::move(plan));
    add(target.isApple() ? "kernels.metal" : "kernels.ptx", kernels);
    add("report.json", std::move(table));
  }

  LogicalResult writeFiles() {
    for (const OutputFile &file : files) {
      if (std::error_code error =
              llvm::sys::fs::create_directories(file.folder))
        return fail("cannot make " + file.folder + ": " + error.message());
      SmallString<128> path(file.folder);
      llvm::sys::path::append(path, file.name);
      std::error_code error;
      llvm::ToolOutputFile output(path, error, llvm::sys::fs::OF_None);
      if (error)
        return fail("cannot write " + path + ": " + error.message());
      output.os() << file.text;
      output.keep();
    }
    return success();
  }

  void printReports() {
    raw_ostream &os = llvm::outs();
    if (options.report == "html") {
      printReportHTML(reports, os);
    } else if (options.report == "json") {
      if (reports.size() == 1) {
        os << llvm::formatv("{0:2}", toJSON(reports.front())) << "\n";
        return;
      }
      llvm::json::Array all;
      for (const ModelReport &report : reports)
        all.push_back(toJSON(report));
      os << llvm::formatv("{0:2}", llvm::json::Value(std::move(all))) << "\n";
    } else {
      for (const ModelReport &report : reports)
        printReportText(report, os);
    }
  }

  const Options &options;
  CompileOptions compileOptions;
  SmallVector<const TargetInfo *> targets;
  GraphFile graph;
  double parseSeconds = 0;
  std::vector<ModelReport> reports;
  std::vector<OutputFile> files;
};

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv, "Compiles a graph to GPU kernels\n");
  DialectRegistry registry;
  registerGraphDialects(registry);
  return succeeded(Compilation(options, registry).run()) ? 0 : 1;
}
