// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Probabilities multiplied: with a mask and a constant; chosen by i1, divided
// by what is kept; zeroed where keys are masked, so that a row without keys is
// zero.

// CHECK: fusion.attention {
// CHECK: dropout(
// CHECK: fusion.attention {
// CHECK: dropout(
// CHECK: fusion.attention {
// CHECK-SAME: masked_rows
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-3: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %M: tensor<2x5x7xf32>, %N: tensor<2x5x7xi1>, %O: tensor<2x7xi1>, %Q1: tensor<2x5x8xf32>, %Q2: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
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
  %cst10 = arith.constant 1.25 : f32
  %e11 = tensor.empty() : tensor<2x5x7xf32>
  %t12 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p9, %M : tensor<2x5x7xf32>, tensor<2x5x7xf32>) outs(%e11 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %x = arith.mulf %a0, %a1 : f32
    %r = arith.mulf %x, %cst10 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e13 = tensor.empty() : tensor<2x5x6xf32>
  %f14 = linalg.fill ins(%cst1 : f32) outs(%e13 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out15 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t12, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f14 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e16 = tensor.empty() : tensor<2x5x7xf32>
  %f17 = linalg.fill ins(%cst1 : f32) outs(%e16 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s18 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f17 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e19 = tensor.empty() : tensor<2x5x7xf32>
  %t20 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s18 : tensor<2x5x7xf32>) outs(%e19 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e21 = tensor.empty() : tensor<2x5x7xf32>
  %p22 = linalg.softmax dimension(2) ins(%t20 : tensor<2x5x7xf32>) outs(%e21 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst23 = arith.constant 0.8 : f32
  %e24 = tensor.empty() : tensor<2x5x7xf32>
  %t25 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p22, %N : tensor<2x5x7xf32>, tensor<2x5x7xi1>) outs(%e24 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %x = arith.divf %a0, %cst23 : f32
    %r = arith.select %a1, %x, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e26 = tensor.empty() : tensor<2x5x6xf32>
  %f27 = linalg.fill ins(%cst1 : f32) outs(%e26 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out28 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t25, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f27 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e29 = tensor.empty() : tensor<2x5x7xf32>
  %f30 = linalg.fill ins(%cst1 : f32) outs(%e29 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s31 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f30 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e32 = tensor.empty() : tensor<2x5x7xf32>
  %t33 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s31 : tensor<2x5x7xf32>) outs(%e32 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst34 = arith.constant -3.40282347E+38 : f32
  %e35 = tensor.empty() : tensor<2x5x7xf32>
  %t36 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t33, %O : tensor<2x5x7xf32>, tensor<2x7xi1>) outs(%e35 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %r = arith.select %a1, %a0, %cst34 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e37 = tensor.empty() : tensor<2x5x7xf32>
  %p38 = linalg.softmax dimension(2) ins(%t36 : tensor<2x5x7xf32>) outs(%e37 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e39 = tensor.empty() : tensor<2x5x7xf32>
  %t40 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p38, %O : tensor<2x5x7xf32>, tensor<2x7xi1>) outs(%e39 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %r = arith.select %a1, %a0, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e41 = tensor.empty() : tensor<2x5x6xf32>
  %f42 = linalg.fill ins(%cst1 : f32) outs(%e41 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out43 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t40, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f42 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out15, %out28, %out43 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
