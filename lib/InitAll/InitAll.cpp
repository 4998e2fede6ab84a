//===- InitAll.cpp - Registers everything of this project -----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/InitAll.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Interfaces/FusibleOpInterface.h"
#include "fusion/Pipelines/Compiler.h"
#include "fusion/Transforms/BufferizeGroups.h"
#include "fusion/Transforms/Passes.h"

using namespace mlir;

void fusion::registerAllDialects(DialectRegistry &registry) {
  registry.insert<FusionDialect>();
  registerFusibleOpExternalModels(registry);
  registerBufferizableOpExternalModels(registry);
}

/// The registrations of each library's passes and pipelines.
static void registerPassesOnce() {
  fusion::registerFusionConversionPasses();
  fusion::registerFusionTransformsPasses();
  fusion::registerCompilePipeline();
}

void fusion::registerAllPasses() {
  // MLIR accepts a pipeline's name once in a process.
  static const bool done = (registerPassesOnce(), true);
  (void)done;
}
