//===- NarrowProducts.h - Products of which a slice is used -----*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_NARROWPRODUCTS_H
#define FUSION_TRANSFORMS_NARROWPRODUCTS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::fusion {

/// Where only a slice of a product is used (the head at the last position),
/// computes that slice alone: the slice moves up, through element-wise
/// operations and reshapes, to the product's operands.
LogicalResult narrowProducts(ModuleOp module);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_NARROWPRODUCTS_H
