// Two transposes of weights run once, before the products that read them: they
// must not share memory, although their tensors start from one empty tensor.
// RUN: fusion-run %s --target=sm_80 --level=none --weights=2 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --level=none --weights=2 --check | FileCheck %s

// CHECK: out0: agrees
// CHECK: out1: agrees
func.func @main(%v: tensor<3x2xf32>, %w: tensor<3x2xf32>, %x: tensor<1x2xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<2x3xf32>
  %e = tensor.empty() : tensor<1x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3xf32>) -> tensor<1x3xf32>
  %vt = linalg.transpose ins(%v : tensor<3x2xf32>) outs(%t : tensor<2x3xf32>) permutation = [1, 0]
  %p = linalg.matmul ins(%x, %vt : tensor<1x2xf32>, tensor<2x3xf32>) outs(%z : tensor<1x3xf32>) -> tensor<1x3xf32>
  %wt = linalg.transpose ins(%w : tensor<3x2xf32>) outs(%t : tensor<2x3xf32>) permutation = [1, 0]
  %q = linalg.matmul ins(%x, %wt : tensor<1x2xf32>, tensor<2x3xf32>) outs(%z : tensor<1x3xf32>) -> tensor<1x3xf32>
  return %p, %q : tensor<1x3xf32>, tensor<1x3xf32>
}
