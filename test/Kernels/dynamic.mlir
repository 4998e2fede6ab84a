// RUN: fusion-run %s --target=sm_80 --check --level=none --dims=17,37,37 | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --level=attention --dims=17,37,37 | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=none --dims=17,37,37 | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=attention --dims=17,37,37 | FileCheck %s

// Dynamic sizes through transposes, reductions, products and reshapes.

// CHECK: out0: agrees
// CHECK: out1: agrees
// CHECK: out2: agrees

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%x: tensor<?x?xf32>, %w: tensor<?x6xf32>) -> (tensor<?x6xf32>, tensor<?x?xf32>, tensor<?x3x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m) : tensor<?x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x6xf32>) outs(%f : tensor<?x6xf32>) -> tensor<?x6xf32>
  %et = tensor.empty(%n, %m) : tensor<?x?xf32>
  %t = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%et : tensor<?x?xf32>) permutation = [1, 0]
  %r = tensor.expand_shape %p [[0], [1, 2]] output_shape [%m, 3, 2] : tensor<?x6xf32> into tensor<?x3x2xf32>
  return %p, %t, %r : tensor<?x6xf32>, tensor<?x?xf32>, tensor<?x3x2xf32>
}
