// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Added: a float mask of all batches; a 0/1 float from which the mask is
// computed and subtracted.

// CHECK: fusion.attention {
// CHECK: mask(
// CHECK: fusion.attention {
// CHECK: mask(
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %M: tensor<5x7xf32>, %N: tensor<2x7xf32>, %Q1: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
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
  %e8 = tensor.empty() : tensor<2x5x7xf32>
  %t9 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7, %M : tensor<2x5x7xf32>, tensor<5x7xf32>) outs(%e8 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst10 = arith.constant 1.0 : f32
  %cst11 = arith.constant 1.0e4 : f32
  %e12 = tensor.empty() : tensor<2x5x7xf32>
  %f13 = linalg.fill ins(%cst1 : f32) outs(%e12 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s14 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f13 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e15 = tensor.empty() : tensor<2x5x7xf32>
  %t16 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s14 : tensor<2x5x7xf32>) outs(%e15 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e17 = tensor.empty() : tensor<2x5x7xf32>
  %t18 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t16, %N : tensor<2x5x7xf32>, tensor<2x7xf32>) outs(%e17 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %x = arith.subf %cst10, %a1 : f32
    %y = arith.mulf %x, %cst11 : f32
    %r = arith.subf %a0, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e19 = tensor.empty() : tensor<2x5x7xf32>
  %p20 = linalg.softmax dimension(2) ins(%t9 : tensor<2x5x7xf32>) outs(%e19 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e21 = tensor.empty() : tensor<2x5x6xf32>
  %f22 = linalg.fill ins(%cst1 : f32) outs(%e21 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out23 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p20, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f22 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e24 = tensor.empty() : tensor<2x5x7xf32>
  %p25 = linalg.softmax dimension(2) ins(%t18 : tensor<2x5x7xf32>) outs(%e24 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e26 = tensor.empty() : tensor<2x5x6xf32>
  %f27 = linalg.fill ins(%cst1 : f32) outs(%e26 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out28 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p25, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f27 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out23, %out28 : tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
