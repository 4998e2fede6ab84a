//===- Passes.h - Passes on graphs and groups -------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_PASSES_H
#define FUSION_TRANSFORMS_PASSES_H

#include "fusion/IR/Fusion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::fusion {

#define GEN_PASS_DECL
#include "fusion/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fusion/Transforms/Passes.h.inc"

} // namespace mlir::fusion

#endif // FUSION_TRANSFORMS_PASSES_H
