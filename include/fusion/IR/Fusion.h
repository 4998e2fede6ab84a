//===- Fusion.h - The fusion dialect ----------------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_IR_FUSION_H
#define FUSION_IR_FUSION_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

#include "fusion/IR/FusionDialect.h.inc"
#include "fusion/IR/FusionEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fusion/IR/FusionAttributes.h.inc"

#define GET_OP_CLASSES
#include "fusion/IR/FusionOps.h.inc"

namespace mlir::fusion {

/// The tensor type that a group's region uses for an operand of `type`: the
/// type itself unless it is a memref.
Type getRegionType(Type type);

/// Bytes that an element of `type` takes in memory: one for i1, eight for
/// index.
int64_t getMemoryBytes(Type type);

/// Name of the unit attribute of arguments that are weights.
inline constexpr llvm::StringLiteral kConstantAttrName = "fusion.constant";

/// Name of the unit attribute of groups and launches that run once, before the
/// first run.
inline constexpr llvm::StringLiteral kPrepareAttrName = "fusion.prepare";

/// Name of the module attribute that holds the target (#fusion.target).
inline constexpr llvm::StringLiteral kTargetAttrName = "fusion.target";

} // namespace mlir::fusion

#endif // FUSION_IR_FUSION_H
