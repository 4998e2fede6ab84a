// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --dims=9,9 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --dims=9,9 --check | FileCheck %s --check-prefix=AGREES

// Queries without a dimension of positions: one vector that looks at a number of
// keys which is known at run time; the one row (a class token's) of which the
// result is used.

// CHECK: tensor.expand_shape {{.*}} : tensor<8xf32> into tensor<1x8xf32>
// CHECK: fusion.attention {{.*}} ins({{.*}} : tensor<1x8xf32>, tensor<?x8xf32>, tensor<?x6xf32>)
// CHECK: fusion.attention {{.*}} ins({{.*}} : tensor<2x5x1x8xf32>, tensor<2x7x8xf32>, tensor<2x7x6xf32>)
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
func.func @main(%q: tensor<8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x6xf32>, %Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>) -> (tensor<6xf32>, tensor<2x6xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %k, %c0 : tensor<?x8xf32>
  %e0 = tensor.empty(%n) : tensor<?xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.matvec ins(%k, %q : tensor<?x8xf32>, tensor<8xf32>) outs(%f0 : tensor<?xf32>) -> tensor<?xf32>
  %p = linalg.softmax dimension(0) ins(%s : tensor<?xf32>) outs(%e0 : tensor<?xf32>) -> tensor<?xf32>
  %e1 = tensor.empty() : tensor<6xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<6xf32>) -> tensor<6xf32>
  %o = linalg.vecmat ins(%p, %v : tensor<?xf32>, tensor<?x6xf32>) outs(%f1 : tensor<6xf32>) -> tensor<6xf32>
  %e2 = tensor.empty() : tensor<2x8x7xf32>
  %t = linalg.transpose ins(%K : tensor<2x7x8xf32>) outs(%e2 : tensor<2x8x7xf32>) permutation = [0, 2, 1]
  %e3 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %S = linalg.batch_matmul ins(%Q, %t : tensor<2x5x8xf32>, tensor<2x8x7xf32>) outs(%f3 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %P = linalg.softmax dimension(2) ins(%S : tensor<2x5x7xf32>) outs(%e3 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e4 = tensor.empty() : tensor<2x5x6xf32>
  %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %O = linalg.batch_matmul ins(%P, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f4 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %row = tensor.extract_slice %O[0, 0, 0] [2, 1, 6] [1, 1, 1] : tensor<2x5x6xf32> to tensor<2x6xf32>
  return %o, %row : tensor<6xf32>, tensor<2x6xf32>
}
