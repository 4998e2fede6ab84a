// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Of the result only the last positions are used: queries are cut to them.

// CHECK: %[[Q:.*]] = tensor.extract_slice %{{.*}}[0, 9, 0] [2, 4, 16] [1, 1, 1] : tensor<2x13x16xf32>
// CHECK: fusion.attention {{.*}} ins(%[[Q]], {{.*}} -> tensor<2x4x16xf32>
// CHECK-NOT: linalg.softmax
// AGREES: out0: agrees
func.func @main(%q: tensor<2x13x16xf32>, %k: tensor<2x16x17xf32>, %v: tensor<2x17x16xf32>) -> tensor<2x4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x13x17xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x13x17xf32>) -> tensor<2x13x17xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x13x16xf32>, tensor<2x16x17xf32>) outs(%f : tensor<2x13x17xf32>) -> tensor<2x13x17xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x13x17xf32>) outs(%e : tensor<2x13x17xf32>) -> tensor<2x13x17xf32>
  %oe = tensor.empty() : tensor<2x13x16xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x13x16xf32>) -> tensor<2x13x16xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x13x17xf32>, tensor<2x17x16xf32>) outs(%of : tensor<2x13x16xf32>) -> tensor<2x13x16xf32>
  %r = tensor.extract_slice %o[0, 9, 0] [2, 4, 16] [1, 1, 1] : tensor<2x13x16xf32> to tensor<2x4x16xf32>
  return %r : tensor<2x4x16xf32>
}
