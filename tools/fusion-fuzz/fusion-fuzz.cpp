//===- fusion-fuzz.cpp - Random graphs against the reference --------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Fuzz/Check.h"
#include "fusion/Fuzz/Generator.h"
#include "fusion/Fuzz/Reduce.h"
#include "fusion/InitAll.h"
#include "fusion/Runtime/Reference.h"
#include "fusion/Target/PTX.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <map>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;
namespace cl = llvm::cl;

namespace {

struct Options {
  cl::OptionCategory category{"Options of fusion-fuzz"};
  cl::opt<std::string> file{cl::Positional, cl::desc("[FILE]"),
                            cl::cat(category)};
  cl::opt<std::string> seeds{"seeds",
                             cl::desc("Check the graphs of these seeds"),
                             cl::value_desc("A:B"), cl::cat(category)};
  cl::opt<uint64_t> seed{"seed", cl::desc("One seed"), cl::init(0),
                         cl::cat(category)};
  cl::opt<bool> print{"print", cl::desc("Print the graph of --seed"),
                      cl::cat(category)};
  cl::list<std::string> targets{
      "target", cl::desc("Devices to compile for (default sm_80,apple9)"),
      cl::CommaSeparated, cl::value_desc("T,..."), cl::cat(category)};
  cl::list<std::string> levels{
      "level", cl::desc("Levels to compile at (default all)"),
      cl::CommaSeparated, cl::value_desc("L,..."), cl::cat(category)};
  cl::opt<unsigned> timeout{"timeout", cl::desc("Seconds for each graph"),
                            cl::init(60), cl::cat(category)};
  cl::opt<unsigned> jobs{"jobs", cl::desc("Graphs at a time"), cl::init(1),
                         cl::cat(category)};
  cl::opt<std::string> output{
      "output", cl::desc("Reduce what fails and write it to this folder"),
      cl::value_desc("DIR"), cl::cat(category)};
  cl::opt<unsigned> reductions{"reductions",
                               cl::desc("Reduce at most so many failures"),
                               cl::init(10), cl::cat(category)};
  cl::opt<bool> plantMismatch{
      "plant-mismatch",
      cl::desc("Change every result before it is compared: all must fail"),
      cl::cat(category)};
};

int fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

/// Checks graphs and keeps count.
class Session {
public:
  Session(MLIRContext &context, const CheckOptions &check,
          const Options &options)
      : context(context), check(check), options(options) {}

  /// Whether all graphs of these seeds agree.
  bool checkSeeds(uint64_t first, uint64_t end);
  /// Whether the graph of a file agrees; if not, and there is a folder to
  /// write to, reduces it.
  bool checkFile(const FuzzCase &fuzzCase);

private:
  void note(const std::string &name, const Outcome &outcome);
  void reduce(const FuzzCase &fuzzCase, const std::string &name,
              const Outcome &outcome);

  MLIRContext &context;
  const CheckOptions &check;
  const Options &options;
  std::map<OutcomeKind, unsigned> counts;
  unsigned byRoundings = 0, reduced = 0;
};

void Session::note(const std::string &name, const Outcome &outcome) {
  ++counts[outcome.kind];
  byRoundings += outcome.byRoundings;
  if (outcome.kind == OutcomeKind::Agrees)
    return;
  llvm::outs() << name << ": " << getName(outcome.kind);
  if (!outcome.target.empty())
    llvm::outs() << ", " << outcome.target << ", " << outcome.level;
  llvm::outs() << ": " << StringRef(outcome.message).rtrim() << "\n";
  llvm::outs().flush();
}

void Session::reduce(const FuzzCase &fuzzCase, const std::string &name,
                     const Outcome &outcome) {
  if (options.output.empty() || reduced++ >= options.reductions)
    return;
  FuzzCase smaller = reduceCase(fuzzCase, outcome, check);
  std::string path = options.output + "/" + name + ".mlir";
  std::error_code code = llvm::sys::fs::create_directories(options.output);
  if (!code) {
    llvm::raw_fd_ostream os(path, code);
    if (!code)
      printCase(smaller, os);
  }
  if (code)
    llvm::errs() << "error: " << path << ": " << code.message() << "\n";
  else
    llvm::outs() << name << ": reduced to " << path << "\n";
}

bool Session::checkSeeds(uint64_t first, uint64_t end) {
  auto start = std::chrono::steady_clock::now();
  auto checkSeed = [&](uint64_t seed) {
    FailureOr<FuzzCase> fuzzCase = generateCase(context, seed);
    if (succeeded(fuzzCase))
      return checkCase(*fuzzCase, check);
    Outcome outcome;
    outcome.kind = OutcomeKind::Reference;
    outcome.message = "the graph is not valid";
    return outcome;
  };
  std::vector<std::pair<uint64_t, Outcome>> failures;
  runAllIsolated(
      end - first, options.jobs, check.timeout,
      [&](uint64_t i) { return checkSeed(first + i); },
      [&](uint64_t i, const Outcome &outcome) {
        note("seed " + std::to_string(first + i), outcome);
        if (outcome.kind != OutcomeKind::Agrees)
          failures.emplace_back(first + i, outcome);
      });
  llvm::sort(failures,
             [](const auto &x, const auto &y) { return x.first < y.first; });
  for (const auto &[seed, outcome] : failures) {
    FailureOr<FuzzCase> fuzzCase = generateCase(context, seed);
    if (succeeded(fuzzCase))
      reduce(*fuzzCase, "seed" + std::to_string(seed), outcome);
  }
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  llvm::outs() << end - first << " graphs, " << check.targets.size()
               << " targets, " << check.levels.size()
               << " levels: " << counts[OutcomeKind::Agrees] << " agree";
  for (auto kind :
       {OutcomeKind::Mismatch, OutcomeKind::Compile, OutcomeKind::Run,
        OutcomeKind::Crash, OutcomeKind::Hang, OutcomeKind::Reference})
    llvm::outs() << ", " << counts[kind] << " " << getName(kind);
  llvm::outs() << "; " << byRoundings << " results by roundings; "
               << llvm::format("%.1f", seconds) << " s\n";
  return failures.empty();
}

bool Session::checkFile(const FuzzCase &fuzzCase) {
  Outcome outcome =
      runIsolated([&] { return checkCase(fuzzCase, check); }, check.timeout);
  note(options.file, outcome);
  if (outcome.kind == OutcomeKind::Agrees) {
    llvm::outs() << options.file << ": agrees\n";
    return true;
  }
  reduce(fuzzCase, "reduced", outcome);
  return false;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(argc, argv,
                              "fusion's random graphs\n\n"
                              "Checks random graphs, or FILE, against the "
                              "reference lowering.\n");
  bool hasSeeds = !options.seeds.empty();
  if (options.print + hasSeeds + !options.file.empty() != 1)
    return fail("give one of --print, --seeds=A:B and FILE");

  CheckOptions check;
  if (!options.targets.empty())
    check.targets.assign(options.targets.begin(), options.targets.end());
  if (!options.levels.empty())
    check.levels.assign(options.levels.begin(), options.levels.end());
  check.timeout = options.timeout;
  check.plantMismatch = options.plantMismatch;

  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::fusion::registerAllDialects(registry);
  registerReferenceDialects(registry);
  registerPTXDialectTranslations(registry);
  // Children are forked, so there must be one thread.
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &diagnostic) {
    return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
  });
  context.printOpOnDiagnostic(false);

  if (options.print) {
    FailureOr<FuzzCase> fuzzCase = generateCase(context, options.seed);
    if (failed(fuzzCase))
      return 1;
    printCase(*fuzzCase, llvm::outs());
    return 0;
  }
  Session session(context, check, options);
  if (!hasSeeds) {
    FailureOr<FuzzCase> fuzzCase =
        parseCase(context, options.file, llvm::errs());
    return failed(fuzzCase) || !session.checkFile(*fuzzCase);
  }
  uint64_t first, end;
  auto [low, high] = StringRef(options.seeds).split(':');
  if (low.getAsInteger(10, first) || high.getAsInteger(10, end) || end < first)
    return fail("--seeds wants A:B, two numbers of which the second is not "
                "smaller");
  return !session.checkSeeds(first, end);
}
