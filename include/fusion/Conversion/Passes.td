//===- Passes.td - Conversions of kernels --------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_PASSES_TD
#define FUSION_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertFusionGPUToNVVM
    : Pass<"convert-fusion-gpu-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert kernels to the NVVM dialect, without a device library";
  let description = [{
    Converts every `gpu.func` of a `gpu.module` to an `llvm.func` for LLVM's
    NVPTX backend. Memrefs become bare pointers in address space 1 (global) or
    3 (shared), workgroup attributions become globals whose names start with the
    kernel's, `index` becomes i64 (i32 where the kernel carries
    `fusion.index32`), `cf.assert` becomes a trap, and functions of the math
    dialect become instructions or precise expansions: what is left never calls
    libdevice.

    Example:

    ```mlir
    gpu.func @scale(%x: memref<?xf32>, %n: index) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>}
    ```

    becomes

    ```mlir
    llvm.func @scale(%x: !llvm.ptr<1>, %n: i64)
        attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>}
    ```
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::complex::ComplexDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect",
  ];
}

def LegalizeForMSL
    : Pass<"fusion-legalize-for-msl", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Rewrite kernels as Metal Shading Language can say them";
  let description = [{
    Prepares kernels for `fusion-to-msl`, which prints and decides nothing:
    vectors become vectors of 2 to 4 elements and no vector of i1 stays; bf16
    arithmetic, and functions of f16 and bf16, go through f32; powers with small
    whole exponents become products; `math.erf` and others that Metal lacks
    become polynomials; divisions that round up or down, wide products, bit
    counts and shuffles become ones that Metal has. An operation on f64 is an
    error.

    Example:

    ```mlir
    %s = arith.addf %a, %b : vector<8xf32>
    ```

    becomes

    ```mlir
    %s0 = arith.addf %a0, %b0 : vector<4xf32>
    %s1 = arith.addf %a1, %b1 : vector<4xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect",
  ];
}

def ConvertFusionToGPU : Pass<"convert-fusion-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Turn bufferized groups into kernels and launches";
  let description = [{
    Each `fusion.group` on memrefs becomes a `gpu.launch_func`; equal groups share
    one `gpu.func` of the `gpu.module @kernels`. The template is the group's
    schedule, or the target's choice where there is none. Kernels take whole
    buffers as one-dimensional memrefs, then dynamic sizes, then scalars. The
    launch carries the kind of the group and a model of its cost.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "The device; default: the module's fusion.target">,
    Option<"exactRounding", "exact-rounding", "bool", /*default=*/"false",
           "Round between the operations of a group as the graph does">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::nvgpu::NVGPUDialect"
  ];
}

#endif // FUSION_CONVERSION_PASSES_TD
