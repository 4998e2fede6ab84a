//===- HostIndex.h - Index expressions on the host --------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_KERNELS_HOSTINDEX_H
#define FUSION_KERNELS_HOSTINDEX_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"

namespace mlir::fusion {

/// Emits the value of `expr`, an expression of sizes, as arithmetic on indices;
/// `getSymbol` gives the value of a symbol. Unlike affine maps, expressions of
/// sizes hold products and quotients of symbols.
Value buildHostIndex(OpBuilder &builder, Location loc, AffineExpr expr,
                     llvm::function_ref<Value(unsigned)> getSymbol);

} // namespace mlir::fusion

#endif // FUSION_KERNELS_HOSTINDEX_H
