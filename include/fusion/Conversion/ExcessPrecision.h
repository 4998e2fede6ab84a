//===- ExcessPrecision.h - No rounding between fused operations -*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_EXCESSPRECISION_H
#define FUSION_CONVERSION_EXCESSPRECISION_H

#include "mlir/IR/Operation.h"

namespace mlir::fusion {

/// Computes scalar f16 and bf16 arithmetic below `root` in f32 and drops the
/// roundings between operations: a value is rounded where it is stored, or
/// where its bits are looked at. Results are at least as precise as the graph
/// asks for (docs/Numerics.md).
void dropIntermediateRoundings(Operation *root);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_EXCESSPRECISION_H
