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
    `elementwise`, `pattern`, `attention`. `prefer` decides about fusions that
    save a launch and cost time elsewhere, such as a norm that every block of a
    product computes for its own rows: `time` asks the performance model of
    `target`, `launches` takes them all.
  }];
  let options = [
    Option<"level", "level", "std::string", /*default=*/"\"attention\"",
           "none, elementwise, pattern or attention">,
    Option<"prefer", "prefer", "std::string", /*default=*/"\"time\"",
           "time or launches">,
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "The device whose performance model decides, as in sm_90a">
  ];
  let dependentDialects = [
    "::mlir::fusion::FusionDialect", "::mlir::arith::ArithDialect",
    "::mlir::affine::AffineDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FusionWidenStatistics
    : Pass<"fusion-widen-statistics", "::mlir::func::FuncOp"> {
  let summary = "Store statistics of rows that pass between groups as f32";
  let description = [{
    A narrow float result of a group is a statistic where the group reduces rows
    of 16 elements or more and yields one element for each of them, or where it
    computes one element from each element of another statistic. It is stored as
    f32 where only groups without products read it: a few bytes more beside the
    rows, and one rounding less in all that is computed from it [N1].
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def FusionSchedule : Pass<"fusion-schedule", "::mlir::func::FuncOp"> {
  let summary = "Choose how each group becomes a kernel";
  let description = [{
    Puts a `#fusion.schedule` on every group that has none: the kernel template,
    the matrix unit, tiles and threads that suit the target. A user's own
    schedules stay. Without this pass `convert-fusion-to-gpu` makes the same
    choices.

    Example:

    ```mlir
    fusion.group norm ins(...) outs(...) {...}
    ```

    becomes

    ```mlir
    fusion.group norm schedule(#fusion.schedule<row, tile = [4], warps = [4],
                               threads = 128, vector = 8>)
        ins(...) outs(...) {...}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "The device; default: the module's fusion.target">
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

def FusionRaiseAttention
    : Pass<"fusion-raise-attention", "::mlir::func::FuncOp"> {
  let summary = "Find attention in a graph and make one operation of it";
  let description = [{
    Replaces a contraction of a softmax of scaled, masked products of queries
    and keys by `fusion.attention`. The match follows single elements through
    casts, reshapes, transposes, broadcasts and slices, so that the spelling
    does not matter; docs/Attention.md lists the forms.

    - Constant scales before, on either side of, or after the product become
      `scale`, others `factor`; `c * tanh(s / c)` becomes `softcap`.
    - Conditions on the positions of keys and queries become the causal offset
      and `window`; other masks, boolean or added, become the mask operand.
    - Operands are the tensors nearest to the function's arguments from which
      only indexing, exact casts and constant scales lead to the product: an f32
      product of extended bf16 values becomes a bf16 attention, and keys that
      are repeated for several query heads are read where they are.
    - Roundings of scores and probabilities are dropped, none is added; with
      `exact-rounding` what has such roundings, or operands narrower than f32,
      is left alone.

    A finite value that masks is replaced by -inf only where every row is proven
    to keep a key. A remark tells what was raised, and for a softmax that feeds
    a contraction and does not match, which operation is in the way and why.

    Example: before,

    ```mlir
    %s = linalg.batch_matmul ins(%q, %kt : tensor<6x11x16xf32>, tensor<6x16x11xf32>) ...
    %x = linalg.generic ... ins(%s) { arith.mulf %in, %cst } // 0.25
    %m = linalg.generic ... ins(%x) { arith.maximumf %out, %in }
    %e = linalg.generic ... ins(%x, %m) { math.exp (%in - %in_0) }
    %l = linalg.generic ... ins(%e) { arith.addf %out, %in }
    %p = linalg.generic ... ins(%e, %l) { arith.divf %in, %in_0 }
    %o = linalg.batch_matmul ins(%p, %v : tensor<6x11x11xf32>, tensor<6x11x16xf32>) ...
    ```

    and after,

    ```mlir
    %o = fusion.attention {indexing_maps = [
           affine_map<(b, q, d, k, v) -> (b, q, d)>,
           affine_map<(b, q, d, k, v) -> (b, k, d)>,
           affine_map<(b, q, d, k, v) -> (b, k, v)>,
           affine_map<(b, q, d, k, v) -> (b, q, v)>], scale = 2.500000e-01 : f64}
         ins(%q, %k, %v : tensor<6x11x16xf32>, tensor<6x11x16xf32>, tensor<6x11x16xf32>)
         outs(%empty : tensor<6x11x16xf32>) -> tensor<6x11x16xf32>
    ```
  }];
  let options = [
    Option<"exactRounding", "exact-rounding", "bool", /*default=*/"false",
           "Keep every rounding as the graph has it, and raise only where the "
           "probabilities need none">
  ];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::fusion::FusionDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def FusionToLinalg : Pass<"fusion-to-linalg"> {
  let summary = "Lower groups and attention to plain linalg";
  let description = [{
    The reference semantics of the dialect, to be run on a CPU and compared
    with: groups (on tensors) are replaced by the operations of their regions,
    `fusion.attention` by linalg operations that hold every score in memory, in
    the accumulator's type.

    Example: before,

    ```mlir
    %r = fusion.group elementwise ins(%x = %a : tensor<8xf32>)
                                  outs(%o = %e : tensor<8xf32>) {
      %y = linalg.exp ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
      fusion.yield %y : tensor<8xf32>
    } -> tensor<8xf32>
    ```

    and after,

    ```mlir
    %r = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FusionMergeCopies : Pass<"fusion-merge-copies", "::mlir::func::FuncOp"> {
  let summary = "Make several copies of one tensor in one launch";
  let description = [{
    Runs after bufferization. A graph that updates one tensor in several ways
    needs a copy for each update but one. Copies of a buffer that nothing writes
    in between become a group that reads it once and writes them all, up to the
    number of buffers that a kernel of `target` can have. An element-wise group
    right before them that they do not depend on becomes part of it.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "The device, as in sm_90a">
  ];
  let dependentDialects = [
    "::mlir::fusion::FusionDialect", "::mlir::memref::MemRefDialect"
  ];
}

def FusionPlanMemory : Pass<"fusion-plan-memory", "::mlir::func::FuncOp"> {
  let summary = "Place intermediate buffers in one arena";
  let description = [{
    Allocations that the function does not return become views of one
    allocation, `memref<?xi8>`: buffers whose lives do not overlap share memory.
    Run it after bufferization, before groups become launches.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"
  ];
}

#endif // FUSION_TRANSFORMS_PASSES_TD
