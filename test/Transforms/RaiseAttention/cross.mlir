// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Cross attention: another length and another width of values; heads beside
// positions in memory.

// CHECK: fusion.attention {
// CHECK: fusion.attention {
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
func.func @main(%Q: tensor<2x3x8xf32>, %K: tensor<2x11x8xf32>, %V: tensor<2x11x12xf32>, %Q2: tensor<4x3x8xf32>, %K2: tensor<9x3x8xf32>, %V2: tensor<9x3x6xf32>) -> (tensor<2x3x12xf32>, tensor<4x3x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x3x11xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x3x11xf32>) -> tensor<2x3x11xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x3x8xf32>, tensor<2x11x8xf32>) outs(%f3 : tensor<2x3x11xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x11xf32>
  %cst5 = arith.constant 0.25 : f32
  %e6 = tensor.empty() : tensor<2x3x11xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x3x11xf32>) outs(%e6 : tensor<2x3x11xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x11xf32>
  %e8 = tensor.empty() : tensor<2x3x11xf32>
  %p9 = linalg.softmax dimension(2) ins(%t7 : tensor<2x3x11xf32>) outs(%e8 : tensor<2x3x11xf32>) -> tensor<2x3x11xf32>
  %e10 = tensor.empty() : tensor<2x3x12xf32>
  %f11 = linalg.fill ins(%cst1 : f32) outs(%e10 : tensor<2x3x12xf32>) -> tensor<2x3x12xf32>
  %out12 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p9, %V : tensor<2x3x11xf32>, tensor<2x11x12xf32>) outs(%f11 : tensor<2x3x12xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x12xf32>
  %e13 = tensor.empty() : tensor<3x4x9xf32>
  %f14 = linalg.fill ins(%cst1 : f32) outs(%e13 : tensor<3x4x9xf32>) -> tensor<3x4x9xf32>
  %s15 = linalg.generic {indexing_maps = [affine_map<(h, i, j, d) -> (i, h, d)>, affine_map<(h, i, j, d) -> (j, h, d)>, affine_map<(h, i, j, d) -> (h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K2 : tensor<4x3x8xf32>, tensor<9x3x8xf32>) outs(%f14 : tensor<3x4x9xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<3x4x9xf32>
  %e16 = tensor.empty() : tensor<3x4x9xf32>
  %t17 = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (h, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s15 : tensor<3x4x9xf32>) outs(%e16 : tensor<3x4x9xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<3x4x9xf32>
  %e18 = tensor.empty() : tensor<3x4x9xf32>
  %p19 = linalg.softmax dimension(2) ins(%t17 : tensor<3x4x9xf32>) outs(%e18 : tensor<3x4x9xf32>) -> tensor<3x4x9xf32>
  %e20 = tensor.empty() : tensor<4x3x6xf32>
  %f21 = linalg.fill ins(%cst1 : f32) outs(%e20 : tensor<4x3x6xf32>) -> tensor<4x3x6xf32>
  %s22 = linalg.generic {indexing_maps = [affine_map<(i, h, v, j) -> (h, i, j)>, affine_map<(i, h, v, j) -> (j, h, v)>, affine_map<(i, h, v, j) -> (i, h, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p19, %V2 : tensor<3x4x9xf32>, tensor<9x3x6xf32>) outs(%f21 : tensor<4x3x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<4x3x6xf32>
  return %out12, %s22 : tensor<2x3x12xf32>, tensor<4x3x6xf32>
}
