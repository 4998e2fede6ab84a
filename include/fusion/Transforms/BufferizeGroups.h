//===- BufferizeGroups.h - Groups on memrefs --------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_BUFFERIZEGROUPS_H
#define FUSION_TRANSFORMS_BUFFERIZEGROUPS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::fusion {

/// Attaches BufferizableOpInterface to fusion.group: operands become memrefs,
/// the region stays on tensors.
void registerBufferizableOpExternalModels(DialectRegistry &registry);

/// One-shot bufferization of a module whose functions hold groups. Arguments
/// become memrefs with identity layout; one marked `bufferization.writable` may
/// be written in place.
LogicalResult bufferizeGroups(ModuleOp module);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_BUFFERIZEGROUPS_H
