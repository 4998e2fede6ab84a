//===- fusion-translate.cpp - Prints kernels in other languages -----------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-translate with this project's translations.
//
//===----------------------------------------------------------------------===//

#include "fusion/Target/BuildLaunchPlan.h"
#include "fusion/Target/MSL.h"
#include "fusion/Target/PTX.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int main(int argc, char **argv) {
  mlir::fusion::registerToMSLTranslation();
  mlir::fusion::registerToPlanTranslation();
  mlir::fusion::registerToPTXTranslation();
  return mlir::failed(
      mlir::mlirTranslateMain(argc, argv, "fusion translations"));
}
