//===- Generator.h - Graphs from seeds --------------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random graphs of the forms that exporters write: valid, free of undefined
// behaviour, and with results that depend on rounding no more than a check can
// bear.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_FUZZ_GENERATOR_H
#define FUSION_FUZZ_GENERATOR_H

#include "fusion/Runtime/Runner.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::fusion::fuzz {

/// A graph and how it is run: the sizes and values of its arguments, what may
/// be overwritten, which arguments are weights.
struct FuzzCase {
  OwningOpRef<ModuleOp> module;
  RunOptions options;
};

/// Loads what graphs consist of.
void loadDialects(MLIRContext &context);

/// Makes the graph of a seed, the same on every platform. Fails only if the
/// generator is wrong; the verifier's diagnostics say how.
FailureOr<FuzzCase> generateCase(MLIRContext &context, uint64_t seed);

/// Prints the options as fusion-run takes them, in a comment, then the graph.
void printCase(const FuzzCase &fuzzCase, llvm::raw_ostream &os);

/// Parses what `printCase` prints; without the comment, the options are those
/// of fusion-run. Errors are diagnostics or go to `errors`.
FailureOr<FuzzCase> parseCase(MLIRContext &context, llvm::StringRef file,
                              llvm::raw_ostream &errors);

} // namespace mlir::fusion::fuzz

#endif // FUSION_FUZZ_GENERATOR_H
