// RUN: fusion-run %s --target=sm_80 --check --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=attention | FileCheck %s

// A convolution is a generic kernel.

// CHECK: out0: agrees

func.func @main(%x: tensor<1x9x8x3xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<1x7x6x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x7x6x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x7x6x4xf32>) -> tensor<1x7x6x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x8x3xf32>, tensor<3x3x3x4xf32>) outs(%f : tensor<1x7x6x4xf32>) -> tensor<1x7x6x4xf32>
  return %r : tensor<1x7x6x4xf32>
}
