//===- NarrowFloats.h - Floats of eight bits in integer arithmetic -*- C++
//-*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No target here computes with floats of eight bits, so f8E4M3FN and f8E5M2 are
// bytes that convert to and from f32 by integer arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_NARROWFLOATS_H
#define FUSION_CONVERSION_NARROWFLOATS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::fusion {

/// Computes arithmetic on f8E4M3FN and f8E5M2 in f32.
LogicalResult widenNarrowFloats(gpu::GPUFuncOp kernel);

/// Adds conversions of f8E4M3FN and f8E5M2 by integer arithmetic.
void populateNarrowFloatPatterns(RewritePatternSet &patterns);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_NARROWFLOATS_H
