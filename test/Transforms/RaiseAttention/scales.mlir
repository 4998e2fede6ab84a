// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// The scale: on the queries, on the keys, split, after the product, as a
// divisor, absent.

// CHECK: fusion.attention {
// CHECK-SAME: scale = 2.500000e-01
// CHECK: fusion.attention {
// CHECK-SAME: scale = 2.500000e-01
// CHECK: fusion.attention {
// CHECK-SAME: scale = 2.500000e-01
// CHECK: fusion.attention {
// CHECK-SAME: scale = 2.500000e-01
// CHECK: fusion.attention {
// CHECK-SAME: scale = 2.500000e-01
// CHECK: fusion.attention {
// CHECK-SAME: scale = 1.000000e+00
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-6: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %K3: tensor<2x7x8xf32>, %Q4: tensor<2x5x8xf32>, %Q5: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.25 : f32
  %e2 = tensor.empty() : tensor<2x5x8xf32>
  %t3 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%Q : tensor<2x5x8xf32>) outs(%e2 : tensor<2x5x8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x8xf32>
  %cst4 = arith.constant 0.0 : f32
  %e5 = tensor.empty() : tensor<2x5x7xf32>
  %f6 = linalg.fill ins(%cst4 : f32) outs(%e5 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s7 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t3, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f6 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e8 = tensor.empty() : tensor<2x7x8xf32>
  %t9 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%K3 : tensor<2x7x8xf32>) outs(%e8 : tensor<2x7x8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x8xf32>
  %e10 = tensor.empty() : tensor<2x5x7xf32>
  %f11 = linalg.fill ins(%cst4 : f32) outs(%e10 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s12 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %t9 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f11 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst13 = arith.constant 0.5 : f32
  %e14 = tensor.empty() : tensor<2x5x8xf32>
  %t15 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%Q : tensor<2x5x8xf32>) outs(%e14 : tensor<2x5x8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst13 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x8xf32>
  %e16 = tensor.empty() : tensor<2x7x8xf32>
  %t17 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%K3 : tensor<2x7x8xf32>) outs(%e16 : tensor<2x7x8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst13 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x8xf32>
  %e18 = tensor.empty() : tensor<2x5x7xf32>
  %f19 = linalg.fill ins(%cst4 : f32) outs(%e18 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s20 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t15, %t17 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f19 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e21 = tensor.empty() : tensor<2x5x7xf32>
  %f22 = linalg.fill ins(%cst4 : f32) outs(%e21 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s23 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f22 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e24 = tensor.empty() : tensor<2x5x7xf32>
  %t25 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s23 : tensor<2x5x7xf32>) outs(%e24 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e26 = tensor.empty() : tensor<2x5x7xf32>
  %f27 = linalg.fill ins(%cst4 : f32) outs(%e26 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s28 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q4, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f27 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst29 = arith.constant 4.0 : f32
  %e30 = tensor.empty() : tensor<2x5x7xf32>
  %t31 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s28 : tensor<2x5x7xf32>) outs(%e30 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.divf %a0, %cst29 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e32 = tensor.empty() : tensor<2x5x7xf32>
  %f33 = linalg.fill ins(%cst4 : f32) outs(%e32 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s34 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q5, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f33 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e35 = tensor.empty() : tensor<2x5x7xf32>
  %p36 = linalg.softmax dimension(2) ins(%s7 : tensor<2x5x7xf32>) outs(%e35 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e37 = tensor.empty() : tensor<2x5x6xf32>
  %f38 = linalg.fill ins(%cst4 : f32) outs(%e37 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out39 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p36, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f38 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e40 = tensor.empty() : tensor<2x5x7xf32>
  %p41 = linalg.softmax dimension(2) ins(%s12 : tensor<2x5x7xf32>) outs(%e40 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e42 = tensor.empty() : tensor<2x5x6xf32>
  %f43 = linalg.fill ins(%cst4 : f32) outs(%e42 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out44 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p41, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f43 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e45 = tensor.empty() : tensor<2x5x7xf32>
  %p46 = linalg.softmax dimension(2) ins(%s20 : tensor<2x5x7xf32>) outs(%e45 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e47 = tensor.empty() : tensor<2x5x6xf32>
  %f48 = linalg.fill ins(%cst4 : f32) outs(%e47 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out49 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p46, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f48 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e50 = tensor.empty() : tensor<2x5x7xf32>
  %p51 = linalg.softmax dimension(2) ins(%t25 : tensor<2x5x7xf32>) outs(%e50 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e52 = tensor.empty() : tensor<2x5x6xf32>
  %f53 = linalg.fill ins(%cst4 : f32) outs(%e52 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out54 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p51, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f53 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e55 = tensor.empty() : tensor<2x5x7xf32>
  %p56 = linalg.softmax dimension(2) ins(%t31 : tensor<2x5x7xf32>) outs(%e55 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e57 = tensor.empty() : tensor<2x5x6xf32>
  %f58 = linalg.fill ins(%cst4 : f32) outs(%e57 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out59 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p56, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f58 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e60 = tensor.empty() : tensor<2x5x7xf32>
  %p61 = linalg.softmax dimension(2) ins(%s34 : tensor<2x5x7xf32>) outs(%e60 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e62 = tensor.empty() : tensor<2x5x6xf32>
  %f63 = linalg.fill ins(%cst4 : f32) outs(%e62 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out64 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p61, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f63 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out39, %out44, %out49, %out54, %out59, %out64 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
