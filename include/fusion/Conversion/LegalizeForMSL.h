//===- LegalizeForMSL.h - Kernels as MSL can say them -----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns kernels into operations that the MSL printer (fusion/Target/MSL.h) has
// a spelling for: vectors of 2, 3 or 4 elements and none of i1; elementary
// functions on f32; bf16 as a storage type only. What Metal can not do at all
// (f64) is an error at the operation.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_LEGALIZEFORMSL_H
#define FUSION_CONVERSION_LEGALIZEFORMSL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::fusion {

/// Rewrites the kernels nested in `root`.
LogicalResult legalizeForMSL(Operation *root);

/// Adds patterns that express scalar and element-wise operations by ones that
/// Metal has.
void populateLegalizeArithForMSLPatterns(RewritePatternSet &patterns);

/// Makes floats of the complex numbers in the kernels of `module`: two of every
/// value, and memrefs twice as long. The types of kernels' arguments change.
LogicalResult expandComplexForMSL(gpu::GPUModuleOp module);

/// Splits vectors nested in `root` into vectors of at most 4 elements, and what
/// Metal's vectors can not do into scalars.
LogicalResult splitVectorsForMSL(Operation *root);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_LEGALIZEFORMSL_H
