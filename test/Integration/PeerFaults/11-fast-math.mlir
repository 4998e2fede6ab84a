// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// att * mask + -1e10 * (1 - mask) under fast-math flags: no reassociation may
// lose a score beside 1e10.

// CHECK-COUNT-2: agrees
func.func @main(%Q: tensor<2x32x8xf32>, %K: tensor<2x32x8xf32>, %V: tensor<2x32x6xf32>, %M: tensor<32x32xi1>, %N: tensor<32x32xf32>, %Q1: tensor<2x32x8xf32>) -> (tensor<2x32x6xf32>, tensor<2x32x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x32x32xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x32x8xf32>, tensor<2x32x8xf32>) outs(%f3 : tensor<2x32x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x32x32xf32>
  %cst5 = arith.constant 0.25 : f32
  %e6 = tensor.empty() : tensor<2x32x32xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x32x32xf32>) outs(%e6 : tensor<2x32x32xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x32x32xf32>
  %e8 = tensor.empty() : tensor<32x32xf32>
  %t9 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%M : tensor<32x32xi1>) outs(%e8 : tensor<32x32xf32>) {
  ^bb0(%a0: i1, %o: f32):
    %r = arith.uitofp %a0 : i1 to f32
    linalg.yield %r : f32
  } -> tensor<32x32xf32>
  %cst10 = arith.constant 1.0 : f32
  %cst11 = arith.constant -1.0e10 : f32
  %e12 = tensor.empty() : tensor<2x32x32xf32>
  %t13 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7, %t9 : tensor<2x32x32xf32>, tensor<32x32xf32>) outs(%e12 : tensor<2x32x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %x = arith.mulf %a0, %a1 fastmath<fast> : f32
    %y = arith.subf %cst10, %a1 fastmath<fast> : f32
    %z = arith.mulf %y, %cst11 fastmath<fast> : f32
    %r = arith.addf %x, %z fastmath<fast> : f32
    linalg.yield %r : f32
  } -> tensor<2x32x32xf32>
  %e14 = tensor.empty() : tensor<2x32x32xf32>
  %f15 = linalg.fill ins(%cst1 : f32) outs(%e14 : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
  %s16 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x32x8xf32>, tensor<2x32x8xf32>) outs(%f15 : tensor<2x32x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x32x32xf32>
  %e17 = tensor.empty() : tensor<2x32x32xf32>
  %t18 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s16 : tensor<2x32x32xf32>) outs(%e17 : tensor<2x32x32xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x32x32xf32>
  %cst19 = arith.constant -1.0e3 : f32
  %e20 = tensor.empty() : tensor<2x32x32xf32>
  %t21 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t18, %N : tensor<2x32x32xf32>, tensor<32x32xf32>) outs(%e20 : tensor<2x32x32xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %x = arith.mulf %a0, %a1 fastmath<fast> : f32
    %y = arith.subf %cst10, %a1 fastmath<fast> : f32
    %z = arith.mulf %y, %cst19 fastmath<fast> : f32
    %r = arith.addf %x, %z fastmath<fast> : f32
    linalg.yield %r : f32
  } -> tensor<2x32x32xf32>
  %e22 = tensor.empty() : tensor<2x32x32xf32>
  %p23 = linalg.softmax dimension(2) ins(%t13 : tensor<2x32x32xf32>) outs(%e22 : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
  %e24 = tensor.empty() : tensor<2x32x6xf32>
  %f25 = linalg.fill ins(%cst1 : f32) outs(%e24 : tensor<2x32x6xf32>) -> tensor<2x32x6xf32>
  %out26 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p23, %V : tensor<2x32x32xf32>, tensor<2x32x6xf32>) outs(%f25 : tensor<2x32x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x32x6xf32>
  %e27 = tensor.empty() : tensor<2x32x32xf32>
  %p28 = linalg.softmax dimension(2) ins(%t21 : tensor<2x32x32xf32>) outs(%e27 : tensor<2x32x32xf32>) -> tensor<2x32x32xf32>
  %e29 = tensor.empty() : tensor<2x32x6xf32>
  %f30 = linalg.fill ins(%cst1 : f32) outs(%e29 : tensor<2x32x6xf32>) -> tensor<2x32x6xf32>
  %out31 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p28, %V : tensor<2x32x32xf32>, tensor<2x32x6xf32>) outs(%f30 : tensor<2x32x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x32x6xf32>
  return %out26, %out31 : tensor<2x32x6xf32>, tensor<2x32x6xf32>
}
