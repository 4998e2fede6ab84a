//===- consumer.cpp - Embeds fusion in another program --------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses a file, runs the pass pipeline of the second argument and prints the
// result: what an embedding compiler does first.
//
//===----------------------------------------------------------------------===//

#include "fusion/IR/Fusion.h"
#include "fusion/InitAll.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: consumer FILE PIPELINE\n";
    return 1;
  }
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::fusion::registerAllDialects(registry);
  mlir::registerTransformsPasses();
  mlir::fusion::registerAllPasses();

  mlir::MLIRContext context(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  mlir::PassManager manager(&context);
  if (failed(mlir::parsePassPipeline(argv[2], manager)) ||
      failed(manager.run(*module)))
    return 1;
  int groups = 0;
  module->walk([&](mlir::fusion::GroupOp) { ++groups; });
  llvm::outs() << "groups: " << groups << "\n";
  module->print(llvm::outs());
  return 0;
}
