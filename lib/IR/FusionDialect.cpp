//===- FusionDialect.cpp - The fusion dialect and its attributes ----------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/IR/Fusion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

#include "fusion/IR/FusionDialect.cpp.inc"
#include "fusion/IR/FusionEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "fusion/IR/FusionAttributes.cpp.inc"

void FusionDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fusion/IR/FusionAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fusion/IR/FusionOps.cpp.inc"
      >();
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef device) {
  if (device.empty())
    return emitError() << "#fusion.target needs a device name, for example "
                          "#fusion.target<\"sm_80\">";
  return success();
}
