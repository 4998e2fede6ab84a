// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// A maximum subtracted twice; a table of scales that constants make.

// CHECK: fusion.attention {
// CHECK: fusion.attention {
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %Q1: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
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
  %cst8 = arith.constant 0xFF800000 : f32
  %e9 = tensor.empty() : tensor<2x5xf32>
  %f10 = linalg.fill ins(%cst8 : f32) outs(%e9 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %max11 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t7 : tensor<2x5x7xf32>) outs(%f10 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e12 = tensor.empty() : tensor<2x5x7xf32>
  %t13 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7, %max11 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e12 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.subf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e14 = tensor.empty() : tensor<2x5x7xf32>
  %p15 = linalg.softmax dimension(2) ins(%t13 : tensor<2x5x7xf32>) outs(%e14 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e16 = tensor.empty() : tensor<2x5x6xf32>
  %f17 = linalg.fill ins(%cst1 : f32) outs(%e16 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out18 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p15, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f17 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst19 = arith.constant 8.0 : f32
  %e20 = tensor.empty() : tensor<2x5x7xf32>
  %f21 = linalg.fill ins(%cst1 : f32) outs(%e20 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s22 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f21 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e23 = tensor.empty() : tensor<2x5x7xf32>
  %t24 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s22 : tensor<2x5x7xf32>) outs(%e23 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %x = math.sqrt %cst19 : f32
    %r = arith.divf %a0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e25 = tensor.empty() : tensor<2x5x7xf32>
  %p26 = linalg.softmax dimension(2) ins(%t24 : tensor<2x5x7xf32>) outs(%e25 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e27 = tensor.empty() : tensor<2x5x6xf32>
  %f28 = linalg.fill ins(%cst1 : f32) outs(%e27 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out29 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p26, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f28 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out18, %out29 : tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
