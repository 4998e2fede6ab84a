//===- Check.cpp - Whether a graph is compiled rightly --------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Fuzz/Check.h"

#include "fusion/Pipelines/Compiler.h"
#include "fusion/Runtime/KernelDevice.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

StringRef fuzz::getName(OutcomeKind kind) {
  switch (kind) {
  case OutcomeKind::Agrees:
    return "agrees";
  case OutcomeKind::Reference:
    return "reference";
  case OutcomeKind::Compile:
    return "compile";
  case OutcomeKind::Run:
    return "run";
  case OutcomeKind::Mismatch:
    return "mismatch";
  case OutcomeKind::Crash:
    return "crash";
  case OutcomeKind::Hang:
    return "hang";
  }
  llvm_unreachable("unknown kind of outcome");
}

/// The first line of `text`, without numbers and what is quoted.
static std::string makeKey(StringRef text) {
  std::string key;
  bool isQuoted = false;
  for (char c : text.split('\n').first) {
    if (c == '\'')
      isQuoted = !isQuoted;
    if (!isQuoted && !llvm::isDigit(c))
      key += c;
  }
  return key;
}

namespace {

/// Checks a graph for one target after the other, level by level.
class CaseCheck {
public:
  CaseCheck(const FuzzCase &fuzzCase, const CheckOptions &options)
      : module(*fuzzCase.module), options(options), run(fuzzCase.options),
        handler(module.getContext(), [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            llvm::raw_string_ostream(errors) << diagnostic << "\n";
          return success();
        }) {}

  Outcome check() {
    if (!options.compileOnly) {
      auto created = GraphReference::create(module, run);
      if (!created)
        return fail(OutcomeKind::Reference, created.takeError());
      reference = std::move(*created);
    }
    for (const std::string &target : options.targets) {
      run.target = target;
      llvm::StringSet<> seen;
      for (const std::string &level : options.levels) {
        run.level = level;
        errors.clear();
        FailureOr<CompiledModel> model = compile(module, run);
        if (failed(model))
          return fail(OutcomeKind::Compile, "the graph cannot be compiled");
        // Levels often agree, and what is equal runs equally.
        std::string text;
        llvm::raw_string_ostream(text) << **model->module;
        if (!seen.insert(text).second)
          continue;
        Outcome outcome =
            options.compileOnly ? translate(*model) : execute(*model);
        byRoundings += outcome.byRoundings;
        if (outcome.kind != OutcomeKind::Agrees)
          return outcome;
      }
    }
    Outcome total;
    total.byRoundings = byRoundings;
    return total;
  }

private:
  /// Translates the kernels into the target's language.
  Outcome translate(CompiledModel &model) {
    auto kernels = printKernels(*model.module, *model.target);
    if (!kernels)
      return fail(OutcomeKind::Compile, kernels.takeError());
    return {};
  }

  /// Runs the kernels and compares their results.
  Outcome execute(CompiledModel &model) {
    llvm::Expected<std::vector<Tensor>> results =
        reference->run(model, run, llvm::nulls());
    if (!results)
      return fail(errors.empty() ? OutcomeKind::Run : OutcomeKind::Compile,
                  results.takeError());
    if (options.plantMismatch)
      for (Tensor &result : *results)
        if (result.getNumElements())
          result.setDouble(0, result.getDouble(0) + 1);
    auto comparisons = reference->compare(module, *results);
    if (!comparisons)
      return fail(OutcomeKind::Reference, comparisons.takeError());
    Outcome outcome;
    for (auto [i, comparison] : llvm::enumerate(*comparisons)) {
      outcome.byRoundings += comparison.isByRoundings;
      if (!comparison.agrees)
        return fail(OutcomeKind::Mismatch, "out" + std::to_string(i) + ": " +
                                               (*results)[i].describe() + ", " +
                                               comparison.summary + "\n" +
                                               comparison.details);
    }
    return outcome;
  }

  Outcome fail(OutcomeKind kind, std::string text) const {
    Outcome outcome;
    outcome.kind = kind;
    outcome.target = run.target;
    outcome.level = run.level;
    outcome.message = errors + text;
    // Mismatches differ in their numbers only.
    if (kind != OutcomeKind::Mismatch)
      outcome.key = makeKey(outcome.message);
    return outcome;
  }
  Outcome fail(OutcomeKind kind, llvm::Error error) const {
    return fail(kind, llvm::toString(std::move(error)));
  }

  ModuleOp module;
  const CheckOptions &options;
  RunOptions run;
  std::string errors;
  ScopedDiagnosticHandler handler;
  std::unique_ptr<GraphReference> reference;
  unsigned byRoundings = 0;
};

} // namespace

Outcome fuzz::checkCase(const FuzzCase &fuzzCase, const CheckOptions &options) {
  return CaseCheck(fuzzCase, options).check();
}
