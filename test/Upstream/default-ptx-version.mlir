// The default PTX version is 6.0, with which code generation for sm_80 and later
// ends the process. Targets here name a version.
//
// RUN: not mlir-opt %s --pass-pipeline='builtin.module(gpu-lower-to-nvvm-pipeline{cubin-chip=sm_90 cubin-format=isa})' 2>&1 | FileCheck %s

// CHECK: LLVM ERROR: PTX version 6.0 does not support target 'sm_90'

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @triple(%a: memref<1024xf32>, %b: memref<1024xf32>) kernel {
      %t = gpu.thread_id x
      %v = memref.load %a[%t] : memref<1024xf32>
      %e = arith.addf %v, %v : f32
      %s = arith.addf %e, %v : f32
      memref.store %s, %b[%t] : memref<1024xf32>
      gpu.return
    }
  }
}
