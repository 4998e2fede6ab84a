//===- VerifyGraph.h - What may be compiled ---------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a module must be for the passes to work on it: checked once, at the
// start, so that no pass meets a case that it has no answer for.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_VERIFYGRAPH_H
#define FUSION_ANALYSIS_VERIFYGRAPH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fusion {

/// Checks that the functions of `module` are graphs: each is one block of
/// operations on ranked tensors and scalars that have a meaning here, of
/// element types that kernels can hold, with static sizes that an address can
/// count; calls end in functions with a body and do not recurse. Emits an error
/// with a hint at the first place that breaks a rule.
LogicalResult verifyGraph(ModuleOp module);

/// Returns the entry function of `module`: `main`, or else the only public
/// function with a body. Emits an error and returns null if there is none.
func::FuncOp findEntryFunction(ModuleOp module);

} // namespace mlir::fusion

#endif // FUSION_ANALYSIS_VERIFYGRAPH_H
