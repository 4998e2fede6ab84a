// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Heads that share keys: expanded and collapsed; repeated by a division of the
// head; a product of five dimensions. One key head for all.

// CHECK: fusion.attention {
// CHECK: fusion.attention {
// CHECK: fusion.attention {
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-3: agrees
func.func @main(%Q: tensor<6x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %K1: tensor<7x8xf32>, %V1: tensor<7x6xf32>) -> (tensor<6x5x6xf32>, tensor<2x3x5x6xf32>, tensor<6x5x6xf32>) {
  %e1 = tensor.empty() : tensor<2x3x7x8xf32>
  %t2 = linalg.generic {indexing_maps = [affine_map<(h, g, j, d) -> (h, j, d)>, affine_map<(h, g, j, d) -> (h, g, j, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%K : tensor<2x7x8xf32>) outs(%e1 : tensor<2x3x7x8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    linalg.yield %a0 : f32
  } -> tensor<2x3x7x8xf32>
  %t3 = tensor.collapse_shape %t2 [[0, 1], [2], [3]] : tensor<2x3x7x8xf32> into tensor<6x7x8xf32>
  %cst4 = arith.constant 0.0 : f32
  %e5 = tensor.empty() : tensor<6x5x7xf32>
  %f6 = linalg.fill ins(%cst4 : f32) outs(%e5 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s7 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %t3 : tensor<6x5x8xf32>, tensor<6x7x8xf32>) outs(%f6 : tensor<6x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<6x5x7xf32>
  %cst8 = arith.constant 0.25 : f32
  %e9 = tensor.empty() : tensor<6x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s7 : tensor<6x5x7xf32>) outs(%e9 : tensor<6x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<6x5x7xf32>
  %e11 = tensor.empty() : tensor<2x3x7x6xf32>
  %t12 = linalg.generic {indexing_maps = [affine_map<(h, g, j, d) -> (h, j, d)>, affine_map<(h, g, j, d) -> (h, g, j, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%V : tensor<2x7x6xf32>) outs(%e11 : tensor<2x3x7x6xf32>) {
  ^bb0(%a0: f32, %o: f32):
    linalg.yield %a0 : f32
  } -> tensor<2x3x7x6xf32>
  %t13 = tensor.collapse_shape %t12 [[0, 1], [2], [3]] : tensor<2x3x7x6xf32> into tensor<6x7x6xf32>
  %e14 = tensor.empty() : tensor<6x5x7xf32>
  %p15 = linalg.softmax dimension(2) ins(%t10 : tensor<6x5x7xf32>) outs(%e14 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %e16 = tensor.empty() : tensor<6x5x6xf32>
  %f17 = linalg.fill ins(%cst4 : f32) outs(%e16 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
  %out18 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p15, %t13 : tensor<6x5x7xf32>, tensor<6x7x6xf32>) outs(%f17 : tensor<6x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<6x5x6xf32>
  %t19 = tensor.expand_shape %Q [[0, 1], [2], [3]] output_shape [2, 3, 5, 8] : tensor<6x5x8xf32> into tensor<2x3x5x8xf32>
  %e20 = tensor.empty() : tensor<2x3x5x7xf32>
  %f21 = linalg.fill ins(%cst4 : f32) outs(%e20 : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %s22 = linalg.generic {indexing_maps = [affine_map<(h, g, i, j, d) -> (h, g, i, d)>, affine_map<(h, g, i, j, d) -> (h, j, d)>, affine_map<(h, g, i, j, d) -> (h, g, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%t19, %K : tensor<2x3x5x8xf32>, tensor<2x7x8xf32>) outs(%f21 : tensor<2x3x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x5x7xf32>
  %e23 = tensor.empty() : tensor<2x3x5x7xf32>
  %t24 = linalg.generic {indexing_maps = [affine_map<(h, g, i, j) -> (h, g, i, j)>, affine_map<(h, g, i, j) -> (h, g, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s22 : tensor<2x3x5x7xf32>) outs(%e23 : tensor<2x3x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x5x7xf32>
  %e25 = tensor.empty() : tensor<2x3x5x7xf32>
  %p26 = linalg.softmax dimension(3) ins(%t24 : tensor<2x3x5x7xf32>) outs(%e25 : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %e27 = tensor.empty() : tensor<2x3x5x6xf32>
  %f28 = linalg.fill ins(%cst4 : f32) outs(%e27 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %s29 = linalg.generic {indexing_maps = [affine_map<(h, g, i, v, j) -> (h, g, i, j)>, affine_map<(h, g, i, v, j) -> (h, j, v)>, affine_map<(h, g, i, v, j) -> (h, g, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%p26, %V : tensor<2x3x5x7xf32>, tensor<2x7x6xf32>) outs(%f28 : tensor<2x3x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x5x6xf32>
  %e30 = tensor.empty() : tensor<6x5x7xf32>
  %f31 = linalg.fill ins(%cst4 : f32) outs(%e30 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s32 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K1 : tensor<6x5x8xf32>, tensor<7x8xf32>) outs(%f31 : tensor<6x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<6x5x7xf32>
  %e33 = tensor.empty() : tensor<6x5x7xf32>
  %t34 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s32 : tensor<6x5x7xf32>) outs(%e33 : tensor<6x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<6x5x7xf32>
  %e35 = tensor.empty() : tensor<6x5x7xf32>
  %p36 = linalg.softmax dimension(2) ins(%t34 : tensor<6x5x7xf32>) outs(%e35 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %e37 = tensor.empty() : tensor<6x5x6xf32>
  %f38 = linalg.fill ins(%cst4 : f32) outs(%e37 : tensor<6x5x6xf32>) -> tensor<6x5x6xf32>
  %s39 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p36, %V1 : tensor<6x5x7xf32>, tensor<7x6xf32>) outs(%f38 : tensor<6x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<6x5x6xf32>
  return %out18, %s29, %s39 : tensor<6x5x6xf32>, tensor<2x3x5x6xf32>, tensor<6x5x6xf32>
}
