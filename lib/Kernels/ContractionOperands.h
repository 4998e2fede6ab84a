//===- ContractionOperands.h - Operands of products -------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_KERNELS_CONTRACTIONOPERANDS_H
#define FUSION_LIB_KERNELS_CONTRACTIONOPERANDS_H

#include "ContractionComponents.h"
#include "RowValues.h"
#include "TileColumns.h"

namespace mlir::fusion {

/// Where operand `operandIndex` of `hero` lies, as a function of batch, outer
/// (m or n) and k. `rowValues` holds what is known of the rows of a tile of
/// `tileM` rows; null where nothing is.
OperandAccess makeContractionAccess(GroupKernel &kernel,
                                    const ContractionComponent &component,
                                    linalg::LinalgOp hero,
                                    unsigned operandIndex,
                                    const TileColumns &tileColumns,
                                    RowValues *rowValues, int64_t tileM);

} // namespace mlir::fusion

#endif // FUSION_LIB_KERNELS_CONTRACTIONOPERANDS_H
