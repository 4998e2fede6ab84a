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

static Outcome fail(OutcomeKind kind, const RunOptions &run,
                    const std::string &text) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.target = run.target;
  outcome.level = run.level;
  // Mismatches differ in their numbers only.
  if (kind != OutcomeKind::Mismatch)
    outcome.key = makeKey(text);
  outcome.message = text;
  return outcome;
}

/// Compiles for all targets at all levels; `errors` receives diagnostics.
static Outcome compileCase(ModuleOp module, RunOptions run,
                           const CheckOptions &options, std::string &errors) {
  CompileOptions compileOptions;
  compileOptions.weights = run.weights;
  compileOptions.donated = run.donated;
  compileOptions.exactRounding = run.exactRounding;
  for (const std::string &target : options.targets) {
    for (const std::string &level : options.levels) {
      run.target = compileOptions.target = target;
      run.level = compileOptions.level = level;
      errors.clear();
      FailureOr<CompiledModel> model = compile(module, compileOptions);
      if (failed(model))
        return fail(OutcomeKind::Compile, run,
                    errors + "the graph cannot be compiled");
      auto kernels = printKernels(*model->module, *model->target);
      if (!kernels)
        return fail(OutcomeKind::Compile, run,
                    errors + llvm::toString(kernels.takeError()));
    }
  }
  return {};
}

Outcome fuzz::checkCase(const FuzzCase &fuzzCase, const CheckOptions &options) {
  ModuleOp module = *fuzzCase.module;
  std::string errors;
  llvm::raw_string_ostream os(errors);
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &d) {
    if (d.getSeverity() == DiagnosticSeverity::Error)
      os << d << "\n";
    return success();
  });
  RunOptions run = fuzzCase.options;
  if (options.compileOnly)
    return compileCase(module, run, options, errors);
  auto reference = GraphReference::create(module, run);
  if (!reference)
    return fail(OutcomeKind::Reference, run,
                errors + llvm::toString(reference.takeError()));
  Outcome total;
  for (const std::string &target : options.targets) {
    for (const std::string &level : options.levels) {
      run.target = target;
      run.level = level;
      errors.clear();
      llvm::Expected<std::vector<Tensor>> results =
          (*reference)->run(module, run, llvm::nulls());
      if (!results) {
        bool isCompiled = errors.empty();
        return fail(isCompiled ? OutcomeKind::Run : OutcomeKind::Compile, run,
                    errors + llvm::toString(results.takeError()));
      }
      if (options.plantMismatch)
        for (Tensor &result : *results)
          if (result.getNumElements())
            result.setDouble(0, result.getDouble(0) + 1);
      auto comparisons = (*reference)->compare(module, *results);
      if (!comparisons)
        return fail(OutcomeKind::Reference, run,
                    errors + llvm::toString(comparisons.takeError()));
      for (auto [i, comparison] : llvm::enumerate(*comparisons)) {
        total.byRoundings += comparison.isByRoundings;
        if (!comparison.agrees)
          return fail(OutcomeKind::Mismatch, run,
                      "out" + std::to_string(i) + ": " +
                          (*results)[i].describe() + ", " + comparison.summary +
                          "\n" + comparison.details);
      }
    }
  }
  return total;
}
