//===- DuplicateGathers.h - A gather for each reader ------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_DUPLICATEGATHERS_H
#define FUSION_TRANSFORMS_DUPLICATEGATHERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fusion {

/// Gives every reader of a plain gather (an embedding) a gather of its own, so
/// that each can read the table: as many bytes as it would read of a tensor
/// that holds the gathered rows, which need not be written then. Those that no
/// group takes in are equal again, and become one by common subexpression
/// elimination.
void duplicateGathers(func::FuncOp func);

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_DUPLICATEGATHERS_H
