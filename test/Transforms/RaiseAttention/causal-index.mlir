// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Causal: positions compared in the body, last key with last query; integers
// of two tensors compared, first with first.

// CHECK: fusion.attention {
// CHECK: causal(
// CHECK: fusion.attention {
// CHECK: causal(
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
  %cst8 = arith.constant 2 : index
  %cst9 = arith.constant 0xFF800000 : f32
  %e10 = tensor.empty() : tensor<2x5x7xf32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7 : tensor<2x5x7xf32>) outs(%e10 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %e = arith.addi %i, %cst8 : index
    %c = arith.cmpi ule, %j, %e : index
    %r = arith.select %c, %a0, %cst9 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e12 = tensor.empty() : tensor<5xi64>
  %t13 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e12 : tensor<5xi64>) {
  ^bb0(%o: i64):
    %x = linalg.index 0 : index
    %r = arith.index_cast %x : index to i64
    linalg.yield %r : i64
  } -> tensor<5xi64>
  %e14 = tensor.empty() : tensor<7xi64>
  %t15 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e14 : tensor<7xi64>) {
  ^bb0(%o: i64):
    %x = linalg.index 0 : index
    %r = arith.index_cast %x : index to i64
    linalg.yield %r : i64
  } -> tensor<7xi64>
  %e16 = tensor.empty() : tensor<2x5x7xf32>
  %f17 = linalg.fill ins(%cst1 : f32) outs(%e16 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s18 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f17 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e19 = tensor.empty() : tensor<2x5x7xf32>
  %t20 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s18 : tensor<2x5x7xf32>) outs(%e19 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst21 = arith.constant -3.40282347E+38 : f32
  %e22 = tensor.empty() : tensor<2x5x7xf32>
  %t23 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i)>, affine_map<(b, i, j) -> (j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t20, %t13, %t15 : tensor<2x5x7xf32>, tensor<5xi64>, tensor<7xi64>) outs(%e22 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i64, %a2: i64, %o: f32):
    %c = arith.cmpi slt, %a1, %a2 : i64
    %r = arith.select %c, %cst21, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e24 = tensor.empty() : tensor<2x5x7xf32>
  %p25 = linalg.softmax dimension(2) ins(%t11 : tensor<2x5x7xf32>) outs(%e24 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e26 = tensor.empty() : tensor<2x5x6xf32>
  %f27 = linalg.fill ins(%cst1 : f32) outs(%e26 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out28 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p25, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f27 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e29 = tensor.empty() : tensor<2x5x7xf32>
  %p30 = linalg.softmax dimension(2) ins(%t23 : tensor<2x5x7xf32>) outs(%e29 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e31 = tensor.empty() : tensor<2x5x6xf32>
  %f32 = linalg.fill ins(%cst1 : f32) outs(%e31 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out33 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p30, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f32 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out28, %out33 : tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
