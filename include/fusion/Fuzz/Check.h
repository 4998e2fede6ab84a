//===- Check.h - Whether a graph is compiled rightly ------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_FUZZ_CHECK_H
#define FUSION_FUZZ_CHECK_H

#include "fusion/Fuzz/Generator.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::fusion::fuzz {

/// How the check of a graph ended.
enum class OutcomeKind : uint8_t {
  Agrees,    ///< every level on every target gives what the reference gives
  Reference, ///< the reference lowering fails: the graph is at fault
  Compile,   ///< the compiler refuses the graph
  Run,       ///< the emulator finds a fault in a kernel
  Mismatch,  ///< a result differs
  Crash,     ///< the process ended
  Hang,      ///< the time was over
};

llvm::StringRef getName(OutcomeKind kind);

struct Outcome {
  OutcomeKind kind = OutcomeKind::Agrees;
  /// Where it failed.
  std::string target, level;
  /// What tells this failure from others of its kind: an error without its
  /// numbers and names.
  std::string key;
  /// What was reported.
  std::string message;
  /// How many results agree only by the roundings that the graph allows.
  unsigned byRoundings = 0;

  /// Whether a smaller graph shows the same.
  bool isLike(const Outcome &other) const {
    return kind == other.kind && key == other.key;
  }
};

/// What graphs are compiled for.
struct CheckOptions {
  std::vector<std::string> targets = {"sm_80", "apple9"};
  std::vector<std::string> levels = {"none", "elementwise", "pattern",
                                     "attention"};
  /// Seconds for each graph.
  unsigned timeout = 60;
  /// Neither evaluates the reference nor runs kernels: for graphs that the
  /// compiler refuses.
  bool compileOnly = false;
  /// Adds one to the first element of each result, which must be found: a test
  /// of the check.
  bool plantMismatch = false;
};

/// Compiles and runs a graph for all targets at all levels and compares with
/// one run of the reference; stops at the first failure.
Outcome checkCase(const FuzzCase &fuzzCase, const CheckOptions &options);

/// Runs `function` in a process of its own, which may crash or hang.
Outcome runIsolated(llvm::function_ref<Outcome()> function, unsigned timeout);

/// Runs `makeOutcome` for every number below `count`, each in a process of its
/// own and so many at a time, and `report` for each in the order in which they
/// end.
void runAllIsolated(uint64_t count, unsigned jobs, unsigned timeout,
                    llvm::function_ref<Outcome(uint64_t)> makeOutcome,
                    llvm::function_ref<void(uint64_t, const Outcome &)> report);

} // namespace mlir::fusion::fuzz

#endif // FUSION_FUZZ_CHECK_H
