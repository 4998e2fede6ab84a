// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Relative positions: a bias read from a table; a second product with the
// positions' vectors.

// CHECK: fusion.attention {
// CHECK: mask(
// CHECK: fusion.attention {
// CHECK: mask(
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %TAB: tensor<2x12xf32>, %R: tensor<2x5x7x8xf32>, %Q1: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst5 = arith.constant 5 : index
  %e6 = tensor.empty() : tensor<2x5x7xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x7xf32>) outs(%e6 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %b = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %d = arith.subi %j, %i : index
    %x = arith.addi %d, %cst5 : index
    %y = tensor.extract %TAB[%b, %x] : tensor<2x12xf32>
    %r = arith.addf %a0, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e8 = tensor.empty() : tensor<2x5x7xf32>
  %f9 = linalg.fill ins(%cst1 : f32) outs(%e8 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s10 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, i, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %R : tensor<2x5x8xf32>, tensor<2x5x7x8xf32>) outs(%f9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e11 = tensor.empty() : tensor<2x5x7xf32>
  %f12 = linalg.fill ins(%cst1 : f32) outs(%e11 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s13 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f12 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst14 = arith.constant 0.25 : f32
  %e15 = tensor.empty() : tensor<2x5x7xf32>
  %t16 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s10, %s13 : tensor<2x5x7xf32>, tensor<2x5x7xf32>) outs(%e15 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %x = arith.addf %a0, %a1 : f32
    %r = arith.mulf %x, %cst14 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e17 = tensor.empty() : tensor<2x5x7xf32>
  %p18 = linalg.softmax dimension(2) ins(%t7 : tensor<2x5x7xf32>) outs(%e17 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e19 = tensor.empty() : tensor<2x5x6xf32>
  %f20 = linalg.fill ins(%cst1 : f32) outs(%e19 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out21 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p18, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f20 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e22 = tensor.empty() : tensor<2x5x7xf32>
  %p23 = linalg.softmax dimension(2) ins(%t16 : tensor<2x5x7xf32>) outs(%e22 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e24 = tensor.empty() : tensor<2x5x6xf32>
  %f25 = linalg.fill ins(%cst1 : f32) outs(%e24 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out26 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p23, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f25 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out21, %out26 : tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
