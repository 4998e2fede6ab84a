// The pipeline and single passes in stock mlir-opt.
//
// UNSUPPORTED: sanitize
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(fusion-compile{target=sm_80})' %s | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(fusion-normalize,func.func(fusion-form-groups{level=elementwise}))' %s | FileCheck %s --check-prefix=GROUPS
//
// An unknown target is an error of the pipeline.
// RUN: not mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(fusion-compile{target=sm_42})' %s 2>&1 | FileCheck %s --check-prefix=TARGET

// CHECK:  module attributes {{.*}}gpu.container_module
// CHECK:  gpu.launch_func
// CHECK:  gpu.module @kernels
// GROUPS: fusion.group elementwise
// TARGET: unknown target 'sm_42'
func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %b = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %c = linalg.add ins(%b, %a : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}
