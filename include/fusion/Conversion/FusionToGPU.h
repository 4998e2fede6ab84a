//===- FusionToGPU.h - Groups to kernels and launches -----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_FUSIONTOGPU_H
#define FUSION_CONVERSION_FUSIONTOGPU_H

#include "fusion/Target/TargetTable.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fusion {

/// Name of the gpu.module that holds the kernels.
inline constexpr llvm::StringLiteral kKernelModuleName = "kernels";
/// On gpu.launch_func: the kind of the group (string).
inline constexpr llvm::StringLiteral kKindAttrName = "fusion.kind";
/// On gpu.launch_func: an affine map from the launch's index operands, in
/// order, to the bytes that an ideal execution moves, the bytes that the kernel
/// moves, and the floating-point operations of its products.
inline constexpr llvm::StringLiteral kCostAttrName = "fusion.cost";
/// On gpu.func: index arithmetic fits 32 bits; index parameters are i32.
inline constexpr llvm::StringLiteral kIndex32AttrName = "fusion.index32";

/// Replaces each bufferized fusion.group of `module` by a launch of a kernel;
/// equal groups share one. Groups without a schedule get the target's choice.
/// Unless `exactRounding`, values are not rounded between the operations of a
/// group.
LogicalResult convertFusionToGPU(ModuleOp module, const TargetInfo &target,
                                 bool exactRounding = false);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_FUSIONTOGPU_H
