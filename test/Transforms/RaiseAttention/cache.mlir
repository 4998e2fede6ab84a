// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --range=0,4 | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check --range=0,4 | FileCheck %s --check-prefix=AGREES

// Against caches that are written first: one query; three, each seeing what is
// before it.

// CHECK: fusion.attention {
// CHECK: causal(
// CHECK: fusion.attention {
// CHECK: causal(
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-4: agrees
func.func @main(%Q: tensor<2x1x8xf32>, %KN: tensor<2x1x8xf32>, %Q3: tensor<2x3x8xf32>, %KN3: tensor<2x3x8xf32>, %KC: tensor<2x7x8xf32>, %VC: tensor<2x7x8xf32>, %P: tensor<i64>) -> (tensor<2x1x8xf32>, tensor<2x7x8xf32>, tensor<2x3x8xf32>, tensor<2x7x8xf32>) {
  %x1 = tensor.extract %P[] : tensor<i64>
  %pos2 = arith.index_cast %x1 : i64 to index
  %t3 = tensor.insert_slice %KN into %KC[0, %pos2, 0] [2, 1, 8] [1, 1, 1] : tensor<2x1x8xf32> into tensor<2x7x8xf32>
  %t4 = tensor.insert_slice %KN into %VC[0, %pos2, 0] [2, 1, 8] [1, 1, 1] : tensor<2x1x8xf32> into tensor<2x7x8xf32>
  %cst5 = arith.constant 0.0 : f32
  %e6 = tensor.empty() : tensor<2x1x7xf32>
  %f7 = linalg.fill ins(%cst5 : f32) outs(%e6 : tensor<2x1x7xf32>) -> tensor<2x1x7xf32>
  %s8 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %t3 : tensor<2x1x8xf32>, tensor<2x7x8xf32>) outs(%f7 : tensor<2x1x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x1x7xf32>
  %cst9 = arith.constant 0.25 : f32
  %e10 = tensor.empty() : tensor<2x1x7xf32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s8 : tensor<2x1x7xf32>) outs(%e10 : tensor<2x1x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst9 : f32
    linalg.yield %r : f32
  } -> tensor<2x1x7xf32>
  %cst12 = arith.constant 0xFF800000 : f32
  %e13 = tensor.empty() : tensor<2x1x7xf32>
  %t14 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t11 : tensor<2x1x7xf32>) outs(%e13 : tensor<2x1x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %e = arith.addi %i, %pos2 : index
    %c = arith.cmpi sle, %j, %e : index
    %r = arith.select %c, %a0, %cst12 : f32
    linalg.yield %r : f32
  } -> tensor<2x1x7xf32>
  %e15 = tensor.empty() : tensor<2x1x7xf32>
  %p16 = linalg.softmax dimension(2) ins(%t14 : tensor<2x1x7xf32>) outs(%e15 : tensor<2x1x7xf32>) -> tensor<2x1x7xf32>
  %e17 = tensor.empty() : tensor<2x1x8xf32>
  %f18 = linalg.fill ins(%cst5 : f32) outs(%e17 : tensor<2x1x8xf32>) -> tensor<2x1x8xf32>
  %out19 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p16, %t4 : tensor<2x1x7xf32>, tensor<2x7x8xf32>) outs(%f18 : tensor<2x1x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x1x8xf32>
  %t20 = tensor.insert_slice %KN3 into %KC[0, %pos2, 0] [2, 3, 8] [1, 1, 1] : tensor<2x3x8xf32> into tensor<2x7x8xf32>
  %t21 = tensor.insert_slice %KN3 into %VC[0, %pos2, 0] [2, 3, 8] [1, 1, 1] : tensor<2x3x8xf32> into tensor<2x7x8xf32>
  %e22 = tensor.empty() : tensor<2x3x7xf32>
  %f23 = linalg.fill ins(%cst5 : f32) outs(%e22 : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  %s24 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q3, %t20 : tensor<2x3x8xf32>, tensor<2x7x8xf32>) outs(%f23 : tensor<2x3x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x7xf32>
  %e25 = tensor.empty() : tensor<2x3x7xf32>
  %t26 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s24 : tensor<2x3x7xf32>) outs(%e25 : tensor<2x3x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst9 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x7xf32>
  %e27 = tensor.empty() : tensor<2x3x7xf32>
  %t28 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t26 : tensor<2x3x7xf32>) outs(%e27 : tensor<2x3x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %e = arith.addi %i, %pos2 : index
    %c = arith.cmpi sle, %j, %e : index
    %r = arith.select %c, %a0, %cst12 : f32
    linalg.yield %r : f32
  } -> tensor<2x3x7xf32>
  %e29 = tensor.empty() : tensor<2x3x7xf32>
  %p30 = linalg.softmax dimension(2) ins(%t28 : tensor<2x3x7xf32>) outs(%e29 : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  %e31 = tensor.empty() : tensor<2x3x8xf32>
  %f32 = linalg.fill ins(%cst5 : f32) outs(%e31 : tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %out33 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p30, %t21 : tensor<2x3x7xf32>, tensor<2x7x8xf32>) outs(%f32 : tensor<2x3x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x8xf32>
  return %out19, %t3, %out33, %t20 : tensor<2x1x8xf32>, tensor<2x7x8xf32>, tensor<2x3x8xf32>, tensor<2x7x8xf32>
}
