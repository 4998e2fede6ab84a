// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// What is no attention: a softmax over the queries, and over the heads;
// sigmoids; a kernel's feature map. It stays correct.

// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-4: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %Q1: tensor<2x5x8xf32>, %Q2: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
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
  %t9 = linalg.softmax dimension(1) ins(%t7 : tensor<2x5x7xf32>) outs(%e8 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e10 = tensor.empty() : tensor<2x5x6xf32>
  %f11 = linalg.fill ins(%cst1 : f32) outs(%e10 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out12 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t9, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f11 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e13 = tensor.empty() : tensor<2x5x7xf32>
  %f14 = linalg.fill ins(%cst1 : f32) outs(%e13 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s15 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f14 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e16 = tensor.empty() : tensor<2x5x7xf32>
  %t17 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s15 : tensor<2x5x7xf32>) outs(%e16 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e18 = tensor.empty() : tensor<2x5x7xf32>
  %t19 = linalg.softmax dimension(0) ins(%t17 : tensor<2x5x7xf32>) outs(%e18 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e20 = tensor.empty() : tensor<2x5x6xf32>
  %f21 = linalg.fill ins(%cst1 : f32) outs(%e20 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out22 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t19, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f21 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst23 = arith.constant 1.0 : f32
  %e24 = tensor.empty() : tensor<2x5x7xf32>
  %f25 = linalg.fill ins(%cst1 : f32) outs(%e24 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s26 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f25 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e27 = tensor.empty() : tensor<2x5x7xf32>
  %t28 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s26 : tensor<2x5x7xf32>) outs(%e27 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e29 = tensor.empty() : tensor<2x5x7xf32>
  %t30 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t28 : tensor<2x5x7xf32>) outs(%e29 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %n = arith.negf %a0 : f32
    %e = math.exp %n : f32
    %d = arith.addf %e, %cst23 : f32
    %r = arith.divf %cst23, %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e31 = tensor.empty() : tensor<2x5x6xf32>
  %f32 = linalg.fill ins(%cst1 : f32) outs(%e31 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out33 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t30, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f32 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e34 = tensor.empty() : tensor<2x7x8xf32>
  %t35 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%K : tensor<2x7x8xf32>) outs(%e34 : tensor<2x7x8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.exp %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x8xf32>
  %e36 = tensor.empty() : tensor<2x8x6xf32>
  %f37 = linalg.fill ins(%cst1 : f32) outs(%e36 : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  %s38 = linalg.generic {indexing_maps = [affine_map<(b, d, v, j) -> (b, j, d)>, affine_map<(b, d, v, j) -> (b, j, v)>, affine_map<(b, d, v, j) -> (b, d, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t35, %V : tensor<2x7x8xf32>, tensor<2x7x6xf32>) outs(%f37 : tensor<2x8x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x8x6xf32>
  %e39 = tensor.empty() : tensor<2x5x8xf32>
  %t40 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%Q : tensor<2x5x8xf32>) outs(%e39 : tensor<2x5x8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.exp %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x8xf32>
  %e41 = tensor.empty() : tensor<2x5x6xf32>
  %f42 = linalg.fill ins(%cst1 : f32) outs(%e41 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s43 = linalg.generic {indexing_maps = [affine_map<(b, i, v, d) -> (b, i, d)>, affine_map<(b, i, v, d) -> (b, d, v)>, affine_map<(b, i, v, d) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t40, %s38 : tensor<2x5x8xf32>, tensor<2x8x6xf32>) outs(%f42 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out12, %out22, %out33, %s43 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
