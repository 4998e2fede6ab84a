// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --report=json 2>/dev/null | FileCheck %s --check-prefix=KERNELS
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Probabilities that are returned are a result of attention, written once.

// CHECK-NOT: linalg.softmax
// CHECK: %[[A:.+]]:4 = fusion.attention
// CHECK: %[[R:.+]] = linalg.generic {{.*}} ins(%[[A]]#3 : tensor<2x5x7xf32>)
// CHECK: return %[[A]]#0, %[[R]]
// KERNELS: "attention": 1
// KERNELS-NEXT: },
// KERNELS-NEXT: "launches": 1,
// KERNELS-NEXT: "level": "attention"
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x7xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst5 = arith.constant 0.25 : f32
  %e6 = tensor.empty() : tensor<2x5x7xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x7xf32>) outs(%e6 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e8 = tensor.empty() : tensor<2x5x7xf32>
  %p9 = linalg.softmax dimension(2) ins(%t7 : tensor<2x5x7xf32>) outs(%e8 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e10 = tensor.empty() : tensor<2x5x6xf32>
  %f11 = linalg.fill ins(%cst1 : f32) outs(%e10 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out12 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p9, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f11 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out12, %p9 : tensor<2x5x6xf32>, tensor<2x5x7xf32>
}
