// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Scores bounded below by the type's minimum, below which a mask of -inf would
// take them; a mask of that minimum is the same.

// CHECK: fusion.attention {
// CHECK: mask(
// CHECK: fusion.attention {
// CHECK-SAME: masked_score
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %M: tensor<2x5x7xi1>, %Q1: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
  %cst1 = arith.constant -3.40282347E+38 : f32
  %cst2 = arith.constant 0.0 : f32
  %e3 = tensor.empty() : tensor<2x5x7xf32>
  %f4 = linalg.fill ins(%cst2 : f32) outs(%e3 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s5 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f4 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst6 = arith.constant 0.25 : f32
  %e7 = tensor.empty() : tensor<2x5x7xf32>
  %t8 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s5 : tensor<2x5x7xf32>) outs(%e7 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst6 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst9 = arith.constant 0xFF800000 : f32
  %e10 = tensor.empty() : tensor<2x5x7xf32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t8, %M : tensor<2x5x7xf32>, tensor<2x5x7xi1>) outs(%e10 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %x = arith.select %a1, %cst2, %cst9 : f32
    %y = arith.addf %a0, %x : f32
    %r = arith.maximumf %y, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e12 = tensor.empty() : tensor<2x5x7xf32>
  %f13 = linalg.fill ins(%cst2 : f32) outs(%e12 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s14 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f13 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e15 = tensor.empty() : tensor<2x5x7xf32>
  %t16 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s14 : tensor<2x5x7xf32>) outs(%e15 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst6 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e17 = tensor.empty() : tensor<2x5x7xf32>
  %t18 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t16, %M : tensor<2x5x7xf32>, tensor<2x5x7xi1>) outs(%e17 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %x = arith.select %a1, %a0, %cst9 : f32
    %r = arith.maxnumf %x, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e19 = tensor.empty() : tensor<2x5x7xf32>
  %p20 = linalg.softmax dimension(2) ins(%t11 : tensor<2x5x7xf32>) outs(%e19 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e21 = tensor.empty() : tensor<2x5x6xf32>
  %f22 = linalg.fill ins(%cst2 : f32) outs(%e21 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out23 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p20, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f22 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e24 = tensor.empty() : tensor<2x5x7xf32>
  %p25 = linalg.softmax dimension(2) ins(%t18 : tensor<2x5x7xf32>) outs(%e24 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e26 = tensor.empty() : tensor<2x5x6xf32>
  %f27 = linalg.fill ins(%cst2 : f32) outs(%e26 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out28 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p25, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f27 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out23, %out28 : tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
