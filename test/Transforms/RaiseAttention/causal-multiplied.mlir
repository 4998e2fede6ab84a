// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Causal by products: s * m + -1e10 * (1 - m), with m converted from a
// comparison; s * m + (m - 1) * 1e9.

// CHECK: fusion.attention {
// CHECK: causal(
// CHECK: fusion.attention {
// CHECK: causal(
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %Q1: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
  %cst1 = arith.constant 1.0 : f32
  %e2 = tensor.empty() : tensor<5x7xf32>
  %t3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e2 : tensor<5x7xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sge, %i, %j : index
    %r = arith.uitofp %c : i1 to f32
    linalg.yield %r : f32
  } -> tensor<5x7xf32>
  %cst4 = arith.constant 0.0 : f32
  %e5 = tensor.empty() : tensor<2x5x7xf32>
  %f6 = linalg.fill ins(%cst4 : f32) outs(%e5 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s7 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f6 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst8 = arith.constant 0.25 : f32
  %e9 = tensor.empty() : tensor<2x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s7 : tensor<2x5x7xf32>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst11 = arith.constant -1.0e10 : f32
  %e12 = tensor.empty() : tensor<2x5x7xf32>
  %t13 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t10, %t3 : tensor<2x5x7xf32>, tensor<5x7xf32>) outs(%e12 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %x = arith.mulf %a0, %a1 : f32
    %y = arith.subf %cst1, %a1 : f32
    %z = arith.mulf %y, %cst11 : f32
    %r = arith.addf %x, %z : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e14 = tensor.empty() : tensor<2x5x7xf32>
  %f15 = linalg.fill ins(%cst4 : f32) outs(%e14 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s16 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f15 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e17 = tensor.empty() : tensor<2x5x7xf32>
  %t18 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s16 : tensor<2x5x7xf32>) outs(%e17 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst19 = arith.constant 1.0e9 : f32
  %e20 = tensor.empty() : tensor<2x5x7xf32>
  %t21 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t18, %t3 : tensor<2x5x7xf32>, tensor<5x7xf32>) outs(%e20 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %x = arith.mulf %a0, %a1 : f32
    %y = arith.subf %a1, %cst1 : f32
    %z = arith.mulf %y, %cst19 : f32
    %r = arith.addf %x, %z : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e22 = tensor.empty() : tensor<2x5x7xf32>
  %p23 = linalg.softmax dimension(2) ins(%t13 : tensor<2x5x7xf32>) outs(%e22 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e24 = tensor.empty() : tensor<2x5x6xf32>
  %f25 = linalg.fill ins(%cst4 : f32) outs(%e24 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out26 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p23, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f25 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e27 = tensor.empty() : tensor<2x5x7xf32>
  %p28 = linalg.softmax dimension(2) ins(%t21 : tensor<2x5x7xf32>) outs(%e27 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e29 = tensor.empty() : tensor<2x5x6xf32>
  %f30 = linalg.fill ins(%cst4 : f32) outs(%e29 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out31 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p28, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f30 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out26, %out31 : tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
