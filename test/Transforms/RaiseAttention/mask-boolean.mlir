// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Chosen: by an i1 tensor against -inf; by integers that are not 0 against
// -1e9, which is what a row keeps that loses all keys.

// CHECK: fusion.attention {
// CHECK: xi1>)
// CHECK: fusion.attention {
// CHECK-SAME: masked_score = -1.000000e+09
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %M: tensor<2x5x7xi1>, %N: tensor<2x7xi64>, %Q1: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
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
  %cst8 = arith.constant 0 : index
  %cst9 = arith.constant 0xFF800000 : f32
  %e10 = tensor.empty() : tensor<2x5x7xf32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7, %M : tensor<2x5x7xf32>, tensor<2x5x7xi1>) outs(%e10 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %z = arith.cmpi eq, %j, %cst8 : index
    %c = arith.ori %z, %a1 : i1
    %r = arith.select %c, %a0, %cst9 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e12 = tensor.empty() : tensor<2x5x7xf32>
  %f13 = linalg.fill ins(%cst1 : f32) outs(%e12 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s14 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f13 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e15 = tensor.empty() : tensor<2x5x7xf32>
  %t16 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s14 : tensor<2x5x7xf32>) outs(%e15 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst17 = arith.constant 0 : i64
  %cst18 = arith.constant -1.0e9 : f32
  %e19 = tensor.empty() : tensor<2x5x7xf32>
  %t20 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t16, %N : tensor<2x5x7xf32>, tensor<2x7xi64>) outs(%e19 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i64, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ne, %a1, %cst17 : i64
    %r = arith.select %c, %a0, %cst18 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e21 = tensor.empty() : tensor<2x5x7xf32>
  %p22 = linalg.softmax dimension(2) ins(%t11 : tensor<2x5x7xf32>) outs(%e21 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e23 = tensor.empty() : tensor<2x5x6xf32>
  %f24 = linalg.fill ins(%cst1 : f32) outs(%e23 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out25 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p22, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f24 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e26 = tensor.empty() : tensor<2x5x7xf32>
  %p27 = linalg.softmax dimension(2) ins(%t20 : tensor<2x5x7xf32>) outs(%e26 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e28 = tensor.empty() : tensor<2x5x6xf32>
  %f29 = linalg.fill ins(%cst1 : f32) outs(%e28 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out30 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p27, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f29 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out25, %out30 : tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
