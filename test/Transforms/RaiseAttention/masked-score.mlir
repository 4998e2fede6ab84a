// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Scores that are replaced by a number that is no mask, or hardly one; rows
// whose keys are all masked by -1e9, so that they are the mean of the values.

// CHECK: fusion.attention {
// CHECK-SAME: masked_score = -3.000000e+00
// CHECK: fusion.attention {
// CHECK-SAME: masked_score = -1.000000e+09
// CHECK: fusion.attention {
// CHECK-SAME: masked_score = -5.000000e+03
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-3: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %M: tensor<5x7xi1>, %Q1: tensor<2x5x8xf32>, %Q2: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
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
  %cst8 = arith.constant -3.0 : f32
  %e9 = tensor.empty() : tensor<2x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7, %M : tensor<2x5x7xf32>, tensor<5x7xi1>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %r = arith.select %a1, %a0, %cst8 : f32
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
  %e14 = tensor.empty() : tensor<2x5x7xf32>
  %t15 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s13 : tensor<2x5x7xf32>) outs(%e14 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst16 = arith.constant 2 : index
  %cst17 = arith.constant -1.0e9 : f32
  %e18 = tensor.empty() : tensor<2x5x7xf32>
  %t19 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t15 : tensor<2x5x7xf32>) outs(%e18 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %e = arith.subi %i, %cst16 : index
    %c = arith.cmpi sle, %j, %e : index
    %r = arith.select %c, %a0, %cst17 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e20 = tensor.empty() : tensor<2x5x7xf32>
  %f21 = linalg.fill ins(%cst1 : f32) outs(%e20 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s22 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f21 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e23 = tensor.empty() : tensor<2x5x7xf32>
  %t24 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s22 : tensor<2x5x7xf32>) outs(%e23 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst25 = arith.constant -1.0e4 : f32
  %e26 = tensor.empty() : tensor<2x5x7xf32>
  %t27 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t24, %M : tensor<2x5x7xf32>, tensor<5x7xi1>) outs(%e26 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %r = arith.select %a1, %cst25, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst28 = arith.constant 0.5 : f32
  %e29 = tensor.empty() : tensor<2x5x7xf32>
  %t30 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t27 : tensor<2x5x7xf32>) outs(%e29 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst28 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e31 = tensor.empty() : tensor<2x5x7xf32>
  %p32 = linalg.softmax dimension(2) ins(%t10 : tensor<2x5x7xf32>) outs(%e31 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e33 = tensor.empty() : tensor<2x5x6xf32>
  %f34 = linalg.fill ins(%cst1 : f32) outs(%e33 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out35 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p32, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f34 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e36 = tensor.empty() : tensor<2x5x7xf32>
  %p37 = linalg.softmax dimension(2) ins(%t19 : tensor<2x5x7xf32>) outs(%e36 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e38 = tensor.empty() : tensor<2x5x6xf32>
  %f39 = linalg.fill ins(%cst1 : f32) outs(%e38 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out40 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p37, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f39 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e41 = tensor.empty() : tensor<2x5x7xf32>
  %p42 = linalg.softmax dimension(2) ins(%t30 : tensor<2x5x7xf32>) outs(%e41 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e43 = tensor.empty() : tensor<2x5x6xf32>
  %f44 = linalg.fill ins(%cst1 : f32) outs(%e43 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out45 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p42, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f44 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out35, %out40, %out45 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
