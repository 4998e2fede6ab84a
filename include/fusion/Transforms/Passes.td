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

def FusionFormGroups : Pass<"fusion-form-groups", "::mlir::func::FuncOp"> {
  let summary = "Put operations into groups, one kernel each";
  let description = [{
    The greedy algorithm of the design: in topological order, an element-wise
    operation or a reduction tries to join its producer's group; a known pattern
    (QKV, attention, FFN, norms with scale and bias, RoPE) makes a group of its
    own; anything else is a barrier that starts a new group. A merge must keep
    the graph of groups acyclic and must be something that one kernel can
    compute without reading or computing more than it saves; each merge and each
    refusal is a remark.

    `level` says how far to go: `none` (a group for each operation),
    `elementwise`, `pattern`, `attention`.
  }];
  let options = [
    Option<"level", "level", "std::string", /*default=*/"\"attention\"",
           "none, elementwise, pattern or attention">
  ];
  let dependentDialects = [
    "::mlir::fusion::FusionDialect", "::mlir::arith::ArithDialect",
    "::mlir::affine::AffineDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FusionBufferize : Pass<"fusion-bufferize", "::mlir::ModuleOp"> {
  let summary = "Bufferize functions of groups";
  let description = [{
    Upstream's one-shot bufferization across function boundaries, with what
    kernels need: identity layouts everywhere, arguments read-only unless marked
    `bufferization.writable`, bodies of groups left on tensors. An update of an
    argument that is not writable costs one copy.
  }];
}

#endif // FUSION_TRANSFORMS_PASSES_TD
