//===- GraphTool.h - What tools that take a graph share ---------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_GRAPHTOOL_H
#define FUSION_TOOLS_GRAPHTOOL_H

#include "fusion/InitAll.h"
#include "fusion/Pipelines/Compiler.h"
#include "fusion/Target/PTX.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::fusion {

/// How a graph is compiled, on the command line.
struct GraphOptions {
  explicit GraphOptions(llvm::StringRef title) : category(title) {}

  llvm::cl::OptionCategory category;
  llvm::cl::opt<std::string> level{
      "level",
      llvm::cl::desc("How much is fused: none, elementwise, pattern, "
                     "attention"),
      llvm::cl::init("attention"), llvm::cl::value_desc("L"),
      llvm::cl::cat(category)};
  llvm::cl::opt<std::string> prefer{
      "prefer", llvm::cl::desc("What to save first: launches or time"),
      llvm::cl::init("time"), llvm::cl::cat(category)};
  llvm::cl::list<int64_t> dims{
      "dims",
      llvm::cl::desc("Dynamic sizes of the arguments, in order; the last is "
                     "repeated"),
      llvm::cl::CommaSeparated, llvm::cl::value_desc("17,37"),
      llvm::cl::cat(category)};
  llvm::cl::opt<unsigned> weights{
      "weights", llvm::cl::desc("The first N arguments are weights"),
      llvm::cl::value_desc("N"), llvm::cl::init(0), llvm::cl::cat(category)};
  llvm::cl::opt<std::string> donate{
      "donate", llvm::cl::desc("Arguments that may be overwritten: 3,295-358"),
      llvm::cl::value_desc("A-B,..."), llvm::cl::cat(category)};
  llvm::cl::opt<bool> keepF64{"keep-f64",
                              llvm::cl::desc("Keep f64 between narrower types"),
                              llvm::cl::cat(category)};
  llvm::cl::opt<bool> exactRounding{
      "exact-rounding",
      llvm::cl::desc("Round between the operations of a group as the graph "
                     "does"),
      llvm::cl::cat(category)};
};

/// Adds the dialects of graphs and of what they are compiled to.
inline void registerGraphDialects(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  fusion::registerAllDialects(registry);
  registerPTXDialectTranslations(registry);
}

/// A graph, and where it lives.
struct GraphFile {
  explicit GraphFile(const DialectRegistry &registry) : context(registry) {
    // A note with the whole module helps nobody.
    context.printOpOnDiagnostic(false);
  }

  LogicalResult read(llvm::StringRef path) {
    module = parseSourceFile<ModuleOp>(path, sources, &context);
    return success(bool(module));
  }

  MLIRContext context;
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler{sources, &context};
  // Remarks explain decisions; fusion-opt shows them.
  ScopedDiagnosticHandler quiet{&context, [](Diagnostic &diagnostic) {
                                  return success(diagnostic.getSeverity() ==
                                                 DiagnosticSeverity::Remark);
                                }};
  OwningOpRef<ModuleOp> module;
};

/// Prints an error that has no place in a file.
inline LogicalResult fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return failure();
}

} // namespace mlir::fusion

#endif // FUSION_TOOLS_GRAPHTOOL_H
