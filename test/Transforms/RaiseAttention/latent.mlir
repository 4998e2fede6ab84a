// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// A rotated part of the keys that all heads share: joined to each head's own;
// a product of its own.

// CHECK: fusion.attention {
// CHECK: fusion.attention {
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
func.func @main(%QN: tensor<2x5x8xf32>, %QR: tensor<2x5x4xf32>, %KN: tensor<2x7x8xf32>, %KR: tensor<7x4xf32>, %V: tensor<2x7x6xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
  %e1 = tensor.empty() : tensor<2x7x4xf32>
  %t2 = linalg.generic {indexing_maps = [affine_map<(b, j, d) -> (j, d)>, affine_map<(b, j, d) -> (b, j, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%KR : tensor<7x4xf32>) outs(%e1 : tensor<2x7x4xf32>) {
  ^bb0(%a0: f32, %o: f32):
    linalg.yield %a0 : f32
  } -> tensor<2x7x4xf32>
  %t3 = tensor.concat dim(2) %QN, %QR : (tensor<2x5x8xf32>, tensor<2x5x4xf32>) -> tensor<2x5x12xf32>
  %t4 = tensor.concat dim(2) %KN, %t2 : (tensor<2x7x8xf32>, tensor<2x7x4xf32>) -> tensor<2x7x12xf32>
  %cst5 = arith.constant 0.0 : f32
  %e6 = tensor.empty() : tensor<2x5x7xf32>
  %f7 = linalg.fill ins(%cst5 : f32) outs(%e6 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s8 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t3, %t4 : tensor<2x5x12xf32>, tensor<2x7x12xf32>) outs(%f7 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst9 = arith.constant 0.25 : f32
  %e10 = tensor.empty() : tensor<2x5x7xf32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s8 : tensor<2x5x7xf32>) outs(%e10 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst9 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e12 = tensor.empty() : tensor<2x5x7xf32>
  %f13 = linalg.fill ins(%cst5 : f32) outs(%e12 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s14 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%QN, %KN : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f13 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e15 = tensor.empty() : tensor<2x5x7xf32>
  %f16 = linalg.fill ins(%cst5 : f32) outs(%e15 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s17 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%QR, %KR : tensor<2x5x4xf32>, tensor<7x4xf32>) outs(%f16 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e18 = tensor.empty() : tensor<2x5x7xf32>
  %t19 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s14, %s17 : tensor<2x5x7xf32>, tensor<2x5x7xf32>) outs(%e18 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %x = arith.addf %a0, %a1 : f32
    %r = arith.mulf %x, %cst9 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e20 = tensor.empty() : tensor<2x5x7xf32>
  %p21 = linalg.softmax dimension(2) ins(%t11 : tensor<2x5x7xf32>) outs(%e20 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e22 = tensor.empty() : tensor<2x5x6xf32>
  %f23 = linalg.fill ins(%cst5 : f32) outs(%e22 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out24 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p21, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f23 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e25 = tensor.empty() : tensor<2x5x7xf32>
  %p26 = linalg.softmax dimension(2) ins(%t19 : tensor<2x5x7xf32>) outs(%e25 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e27 = tensor.empty() : tensor<2x5x6xf32>
  %f28 = linalg.fill ins(%cst5 : f32) outs(%e27 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out29 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p26, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f28 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out24, %out29 : tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
