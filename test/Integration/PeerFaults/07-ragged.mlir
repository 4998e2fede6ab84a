// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// 98 queries, 1748 keys, four query heads on one key head, and a mask; the
// last tile of either is not full.

// CHECK-COUNT-1: agrees
func.func @main(%Q: tensor<4x98x8xf32>, %K: tensor<1x1748x8xf32>, %V: tensor<1x1748x8xf32>, %M: tensor<98x1748xi1>) -> (tensor<4x98x8xf32>) {
  %e1 = tensor.empty() : tensor<1x4x1748x8xf32>
  %t2 = linalg.generic {indexing_maps = [affine_map<(h, g, j, d) -> (h, j, d)>, affine_map<(h, g, j, d) -> (h, g, j, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%K : tensor<1x1748x8xf32>) outs(%e1 : tensor<1x4x1748x8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    linalg.yield %a0 : f32
  } -> tensor<1x4x1748x8xf32>
  %t3 = tensor.collapse_shape %t2 [[0, 1], [2], [3]] : tensor<1x4x1748x8xf32> into tensor<4x1748x8xf32>
  %cst4 = arith.constant 0.0 : f32
  %e5 = tensor.empty() : tensor<4x98x1748xf32>
  %f6 = linalg.fill ins(%cst4 : f32) outs(%e5 : tensor<4x98x1748xf32>) -> tensor<4x98x1748xf32>
  %s7 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %t3 : tensor<4x98x8xf32>, tensor<4x1748x8xf32>) outs(%f6 : tensor<4x98x1748xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<4x98x1748xf32>
  %cst8 = arith.constant 0.25 : f32
  %e9 = tensor.empty() : tensor<4x98x1748xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s7 : tensor<4x98x1748xf32>) outs(%e9 : tensor<4x98x1748xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<4x98x1748xf32>
  %cst11 = arith.constant 0xFF800000 : f32
  %e12 = tensor.empty() : tensor<4x98x1748xf32>
  %t13 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t10, %M : tensor<4x98x1748xf32>, tensor<98x1748xi1>) outs(%e12 : tensor<4x98x1748xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %z = arith.select %a1, %cst4, %cst11 : f32
    %r = arith.addf %a0, %z : f32
    linalg.yield %r : f32
  } -> tensor<4x98x1748xf32>
  %e14 = tensor.empty() : tensor<1x4x1748x8xf32>
  %t15 = linalg.generic {indexing_maps = [affine_map<(h, g, j, d) -> (h, j, d)>, affine_map<(h, g, j, d) -> (h, g, j, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%V : tensor<1x1748x8xf32>) outs(%e14 : tensor<1x4x1748x8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    linalg.yield %a0 : f32
  } -> tensor<1x4x1748x8xf32>
  %t16 = tensor.collapse_shape %t15 [[0, 1], [2], [3]] : tensor<1x4x1748x8xf32> into tensor<4x1748x8xf32>
  %e17 = tensor.empty() : tensor<4x98x1748xf32>
  %p18 = linalg.softmax dimension(2) ins(%t13 : tensor<4x98x1748xf32>) outs(%e17 : tensor<4x98x1748xf32>) -> tensor<4x98x1748xf32>
  %e19 = tensor.empty() : tensor<4x98x8xf32>
  %f20 = linalg.fill ins(%cst4 : f32) outs(%e19 : tensor<4x98x8xf32>) -> tensor<4x98x8xf32>
  %out21 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p18, %t16 : tensor<4x98x1748xf32>, tensor<4x1748x8xf32>) outs(%f20 : tensor<4x98x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<4x98x8xf32>
  return %out21 : tensor<4x98x8xf32>
}
