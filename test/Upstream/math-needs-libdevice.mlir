// Upstream's conversion calls libdevice for every math operation, even for those that
// are one instruction. convert-fusion-gpu-to-nvvm uses instructions and polynomials.
//
// RUN: mlir-opt %s --convert-gpu-to-nvvm | FileCheck %s

gpu.module @kernels {
  // CHECK-DAG: llvm.func @__nv_expf(f32) -> f32
  // CHECK-DAG: llvm.func @__nv_sqrtf(f32) -> f32
  // CHECK-DAG: llvm.func @__nv_fmaf(f32, f32, f32) -> f32
  // CHECK-DAG: llvm.func @__nv_fmaxf(f32, f32) -> f32
  gpu.func @math(%x: f32, %y: f32, %out: memref<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    %0 = math.exp %x : f32
    %1 = math.sqrt %0 : f32
    %2 = math.fma %1, %x, %y : f32
    %3 = arith.maxnumf %2, %y : f32
    memref.store %3, %out[%c0] : memref<4xf32>
    gpu.return
  }
}
