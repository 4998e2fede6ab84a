//===- FusionPlugin.cpp - Plugin of stock mlir-opt ------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module that mlir-opt loads: the dialect through --load-dialect-plugin, the
// passes and pipelines through --load-pass-plugin.
//
//===----------------------------------------------------------------------===//

#include "fusion/InitAll.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "fusion", FUSION_VERSION,
          [](mlir::DialectRegistry *registry) {
            mlir::fusion::registerAllDialects(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "fusion", FUSION_VERSION,
          [] { mlir::fusion::registerAllPasses(); }};
}
