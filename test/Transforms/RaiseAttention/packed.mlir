// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Packed projections: columns of one product sliced apart; a dimension of
// three, heads interleaved.

// CHECK: fusion.attention {
// CHECK: fusion.attention {
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
func.func @main(%X: tensor<5x12xf32>, %W: tensor<12x48xf32>, %W2: tensor<12x48xf32>) -> (tensor<2x5x8xf32>, tensor<2x5x8xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<5x48xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<5x48xf32>) -> tensor<5x48xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (d, j)>, affine_map<(i, j, d) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%X, %W : tensor<5x12xf32>, tensor<12x48xf32>) outs(%f3 : tensor<5x48xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x48xf32>
  %t5 = tensor.extract_slice %s4[0, 0] [5, 16] [1, 1] : tensor<5x48xf32> to tensor<5x16xf32>
  %t6 = tensor.expand_shape %t5 [[0], [1, 2]] output_shape [5, 2, 8] : tensor<5x16xf32> into tensor<5x2x8xf32>
  %e7 = tensor.empty() : tensor<2x5x8xf32>
  %t8 = linalg.transpose ins(%t6 : tensor<5x2x8xf32>) outs(%e7 : tensor<2x5x8xf32>) permutation = [1, 0, 2]
  %t9 = tensor.extract_slice %s4[0, 16] [5, 16] [1, 1] : tensor<5x48xf32> to tensor<5x16xf32>
  %t10 = tensor.expand_shape %t9 [[0], [1, 2]] output_shape [5, 2, 8] : tensor<5x16xf32> into tensor<5x2x8xf32>
  %e11 = tensor.empty() : tensor<2x5x8xf32>
  %t12 = linalg.transpose ins(%t10 : tensor<5x2x8xf32>) outs(%e11 : tensor<2x5x8xf32>) permutation = [1, 0, 2]
  %t13 = tensor.extract_slice %s4[0, 32] [5, 16] [1, 1] : tensor<5x48xf32> to tensor<5x16xf32>
  %t14 = tensor.expand_shape %t13 [[0], [1, 2]] output_shape [5, 2, 8] : tensor<5x16xf32> into tensor<5x2x8xf32>
  %e15 = tensor.empty() : tensor<2x5x8xf32>
  %t16 = linalg.transpose ins(%t14 : tensor<5x2x8xf32>) outs(%e15 : tensor<2x5x8xf32>) permutation = [1, 0, 2]
  %e17 = tensor.empty() : tensor<2x5x5xf32>
  %f18 = linalg.fill ins(%cst1 : f32) outs(%e17 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %s19 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t8, %t12 : tensor<2x5x8xf32>, tensor<2x5x8xf32>) outs(%f18 : tensor<2x5x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x5xf32>
  %cst20 = arith.constant 0.25 : f32
  %e21 = tensor.empty() : tensor<2x5x5xf32>
  %t22 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s19 : tensor<2x5x5xf32>) outs(%e21 : tensor<2x5x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst20 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x5xf32>
  %e23 = tensor.empty() : tensor<2x5x5xf32>
  %p24 = linalg.softmax dimension(2) ins(%t22 : tensor<2x5x5xf32>) outs(%e23 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %e25 = tensor.empty() : tensor<2x5x8xf32>
  %f26 = linalg.fill ins(%cst1 : f32) outs(%e25 : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %out27 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p24, %t16 : tensor<2x5x5xf32>, tensor<2x5x8xf32>) outs(%f26 : tensor<2x5x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x8xf32>
  %e28 = tensor.empty() : tensor<5x48xf32>
  %f29 = linalg.fill ins(%cst1 : f32) outs(%e28 : tensor<5x48xf32>) -> tensor<5x48xf32>
  %s30 = linalg.generic {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (d, j)>, affine_map<(i, j, d) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%X, %W2 : tensor<5x12xf32>, tensor<12x48xf32>) outs(%f29 : tensor<5x48xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x48xf32>
  %t31 = tensor.expand_shape %s30 [[0], [1, 2, 3]] output_shape [5, 2, 3, 8] : tensor<5x48xf32> into tensor<5x2x3x8xf32>
  %t32 = tensor.extract_slice %t31[0, 0, 0, 0] [5, 2, 1, 8] [1, 1, 1, 1] : tensor<5x2x3x8xf32> to tensor<5x2x8xf32>
  %e33 = tensor.empty() : tensor<2x5x8xf32>
  %t34 = linalg.transpose ins(%t32 : tensor<5x2x8xf32>) outs(%e33 : tensor<2x5x8xf32>) permutation = [1, 0, 2]
  %t35 = tensor.extract_slice %t31[0, 0, 1, 0] [5, 2, 1, 8] [1, 1, 1, 1] : tensor<5x2x3x8xf32> to tensor<5x2x8xf32>
  %e36 = tensor.empty() : tensor<2x5x8xf32>
  %t37 = linalg.transpose ins(%t35 : tensor<5x2x8xf32>) outs(%e36 : tensor<2x5x8xf32>) permutation = [1, 0, 2]
  %e38 = tensor.empty() : tensor<2x5x5xf32>
  %f39 = linalg.fill ins(%cst1 : f32) outs(%e38 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %s40 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t34, %t37 : tensor<2x5x8xf32>, tensor<2x5x8xf32>) outs(%f39 : tensor<2x5x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x5xf32>
  %e41 = tensor.empty() : tensor<2x5x5xf32>
  %t42 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s40 : tensor<2x5x5xf32>) outs(%e41 : tensor<2x5x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst20 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x5xf32>
  %t43 = tensor.extract_slice %t31[0, 0, 2, 0] [5, 2, 1, 8] [1, 1, 1, 1] : tensor<5x2x3x8xf32> to tensor<5x2x8xf32>
  %e44 = tensor.empty() : tensor<2x5x8xf32>
  %t45 = linalg.transpose ins(%t43 : tensor<5x2x8xf32>) outs(%e44 : tensor<2x5x8xf32>) permutation = [1, 0, 2]
  %e46 = tensor.empty() : tensor<2x5x5xf32>
  %p47 = linalg.softmax dimension(2) ins(%t42 : tensor<2x5x5xf32>) outs(%e46 : tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %e48 = tensor.empty() : tensor<2x5x8xf32>
  %f49 = linalg.fill ins(%cst1 : f32) outs(%e48 : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %out50 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p47, %t45 : tensor<2x5x5xf32>, tensor<2x5x8xf32>) outs(%f49 : tensor<2x5x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x8xf32>
  return %out27, %out50 : tensor<2x5x8xf32>, tensor<2x5x8xf32>
}
