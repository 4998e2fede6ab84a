//===- Passes.td - Passes on graphs and groups --------------*- tablegen -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_PASSES_TD
#define FUSION_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def FusionNormalize : Pass<"fusion-normalize", "::mlir::ModuleOp"> {
  let summary = "Bring a graph into the form that the other passes expect";
  let description = [{
    Calls to private functions are inlined, what upstream can decompose is
    decomposed (`linalg.softmax`, `tensor.gather`-like sugar), constants are
    folded, equal operations merged and dead ones removed. Nothing that rounds
    is added, moved or dropped; with `keep-f64` off, f64 values between narrower
    ones are computed in f32 (docs/Numerics.md).
  }];
  let options = [
    Option<"keepF64", "keep-f64", "bool", /*default=*/"false",
           "Keep f64 between narrower types">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

#endif // FUSION_TRANSFORMS_PASSES_TD
