//===- FusibleOpModels.h - Models of upstream operations --------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_KERNELS_FUSIBLEOPMODELS_H
#define FUSION_KERNELS_FUSIBLEOPMODELS_H

#include "mlir/IR/MLIRContext.h"

namespace mlir::fusion {

/// FusibleOpInterface for the structured operations of linalg.
void attachLinalgModels(MLIRContext *context);
/// FusibleOpInterface for operations of tensor and arith that give tensors.
void attachTensorModels(MLIRContext *context);

} // namespace mlir::fusion

#endif // FUSION_KERNELS_FUSIBLEOPMODELS_H
