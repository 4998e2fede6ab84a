// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Causal: tables of constants, of floats that are added, of i1, and positions
// 0, 1, 2 ... that are compared.

// CHECK: fusion.attention {
// CHECK: causal(
// CHECK: fusion.attention {
// CHECK: causal(
// CHECK: fusion.attention {
// CHECK: causal(
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-3: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %Q1: tensor<2x5x8xf32>, %Q2: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
  %table1 = arith.constant dense<[[0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000], [0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000]]> : tensor<5x7xf32>
  %cst2 = arith.constant 0.0 : f32
  %e3 = tensor.empty() : tensor<2x5x7xf32>
  %f4 = linalg.fill ins(%cst2 : f32) outs(%e3 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s5 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f4 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst6 = arith.constant 0.25 : f32
  %e7 = tensor.empty() : tensor<2x5x7xf32>
  %t8 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s5 : tensor<2x5x7xf32>) outs(%e7 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst6 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e9 = tensor.empty() : tensor<2x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t8, %table1 : tensor<2x5x7xf32>, tensor<5x7xf32>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %table11 = arith.constant dense<[[true, true, true, false, false, false, false], [true, true, true, true, false, false, false], [true, true, true, true, true, false, false], [true, true, true, true, true, true, false], [true, true, true, true, true, true, true]]> : tensor<5x7xi1>
  %e12 = tensor.empty() : tensor<2x5x7xf32>
  %f13 = linalg.fill ins(%cst2 : f32) outs(%e12 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s14 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f13 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e15 = tensor.empty() : tensor<2x5x7xf32>
  %t16 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s14 : tensor<2x5x7xf32>) outs(%e15 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst6 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst17 = arith.constant -3.40282347E+38 : f32
  %e18 = tensor.empty() : tensor<2x5x7xf32>
  %t19 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t16, %table11 : tensor<2x5x7xf32>, tensor<5x7xi1>) outs(%e18 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %r = arith.select %a1, %a0, %cst17 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %table20 = arith.constant dense<[0, 1, 2, 3, 4, 5, 6]> : tensor<7xi32>
  %table21 = arith.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %e22 = tensor.empty() : tensor<2x5x7xf32>
  %f23 = linalg.fill ins(%cst2 : f32) outs(%e22 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s24 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f23 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e25 = tensor.empty() : tensor<2x5x7xf32>
  %t26 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s24 : tensor<2x5x7xf32>) outs(%e25 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst6 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst27 = arith.constant 0xFF800000 : f32
  %e28 = tensor.empty() : tensor<2x5x7xf32>
  %t29 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i)>, affine_map<(b, i, j) -> (j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t26, %table21, %table20 : tensor<2x5x7xf32>, tensor<5xi32>, tensor<7xi32>) outs(%e28 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i32, %a2: i32, %o: f32):
    %c = arith.cmpi sle, %a2, %a1 : i32
    %r = arith.select %c, %a0, %cst27 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e30 = tensor.empty() : tensor<2x5x7xf32>
  %p31 = linalg.softmax dimension(2) ins(%t10 : tensor<2x5x7xf32>) outs(%e30 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e32 = tensor.empty() : tensor<2x5x6xf32>
  %f33 = linalg.fill ins(%cst2 : f32) outs(%e32 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out34 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p31, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f33 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e35 = tensor.empty() : tensor<2x5x7xf32>
  %p36 = linalg.softmax dimension(2) ins(%t19 : tensor<2x5x7xf32>) outs(%e35 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e37 = tensor.empty() : tensor<2x5x6xf32>
  %f38 = linalg.fill ins(%cst2 : f32) outs(%e37 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out39 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p36, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f38 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e40 = tensor.empty() : tensor<2x5x7xf32>
  %p41 = linalg.softmax dimension(2) ins(%t29 : tensor<2x5x7xf32>) outs(%e40 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e42 = tensor.empty() : tensor<2x5x6xf32>
  %f43 = linalg.fill ins(%cst2 : f32) outs(%e42 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out44 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p41, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f43 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out34, %out39, %out44 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
