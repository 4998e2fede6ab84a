//===- FusionGPUToNVVM.h - Kernel IR to the NVVM dialect --------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts kernels (gpu, memref, vector, scf, arith, math, nvgpu) to
// `llvm.func` operations that LLVM's NVPTX backend compiles. Mathematics is
// native or is expanded here: no call of a device library is ever left.
//
// Kernel ABI, in the order of the arguments of the `gpu.func`:
// - a memref is one pointer to its first element, in address space 1 (8 bytes);
// - an index is an i64, or an i32 where the kernel carries `fusion.index32`,
//   which promises that no index value of the kernel leaves the i32 range;
// - other integers and floats are passed as they are; i1 takes one byte.
// In memory an index takes 8 bytes and an i1 one byte, everywhere.
//
// `known_block_size` becomes .reqntid: a launch with another size fails. The
// attributes nvvm.minctasm, nvvm.maxnreg, nvvm.cluster_dim and
// nvvm.cluster_max_blocks of a kernel are kept. One that works on tiles (uses
// the matrix unit, or 4 KiB of shared memory) and has neither of the first two
// gets nvvm.minctasm = 1: ptxas may use all registers rather than spill.
//
// The conversion is precise (fusion/Conversion/ExpandMath.h), except that `afn`
// on `math.exp`, `math.exp2` and `math.rsqrt` of f32 asks for the instruction
// that approximates and flushes denormal numbers.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_FUSIONGPUTONVVM_H
#define FUSION_CONVERSION_FUSIONGPUTONVVM_H

#include "mlir/Support/LLVM.h"

namespace mlir::gpu {
class GPUModuleOp;
} // namespace mlir::gpu

namespace mlir::fusion {

/// Converts every `gpu.func` of `module` to an `llvm.func`. On failure, which
/// is reported as a diagnostic at the operation that has no conversion, the
/// module may be left half converted.
LogicalResult convertFusionGPUToNVVM(gpu::GPUModuleOp module);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_FUSIONGPUTONVVM_H
