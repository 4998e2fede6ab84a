// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Windows: two comparisons; the distance of positions (not causal); a finite
// minimum, where every row keeps its own key.

// CHECK: fusion.attention {
// CHECK-SAME: window = 3
// CHECK: fusion.attention {
// CHECK-SAME: window = 5
// CHECK: fusion.attention {
// CHECK-SAME: window = 3
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-3: agrees
func.func @main(%Q: tensor<2x7x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %Q1: tensor<2x7x8xf32>, %Q2: tensor<2x7x8xf32>) -> (tensor<2x7x6xf32>, tensor<2x7x6xf32>, tensor<2x7x6xf32>) {
  %cst1 = arith.constant 3 : index
  %cst2 = arith.constant 0.0 : f32
  %e3 = tensor.empty() : tensor<2x7x7xf32>
  %f4 = linalg.fill ins(%cst2 : f32) outs(%e3 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
  %s5 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x7x8xf32>, tensor<2x7x8xf32>) outs(%f4 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %cst6 = arith.constant 0.25 : f32
  %e7 = tensor.empty() : tensor<2x7x7xf32>
  %t8 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s5 : tensor<2x7x7xf32>) outs(%e7 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst6 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %cst9 = arith.constant 0xFF800000 : f32
  %e10 = tensor.empty() : tensor<2x7x7xf32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t8 : tensor<2x7x7xf32>) outs(%e10 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c1 = arith.cmpi ule, %j, %i : index
    %x = arith.addi %j, %cst1 : index
    %c2 = arith.cmpi ugt, %x, %i : index
    %c = arith.andi %c1, %c2 : i1
    %r = arith.select %c, %a0, %cst9 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %e12 = tensor.empty() : tensor<2x7x7xf32>
  %f13 = linalg.fill ins(%cst2 : f32) outs(%e12 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
  %s14 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x7x8xf32>, tensor<2x7x8xf32>) outs(%f13 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %e15 = tensor.empty() : tensor<2x7x7xf32>
  %t16 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s14 : tensor<2x7x7xf32>) outs(%e15 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst6 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %cst17 = arith.constant 2 : index
  %e18 = tensor.empty() : tensor<2x7x7xf32>
  %t19 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t16 : tensor<2x7x7xf32>) outs(%e18 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %d = arith.subi %i, %j : index
    %x = math.absi %d : index
    %c = arith.cmpi sle, %x, %cst17 : index
    %r = arith.select %c, %a0, %cst9 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %e20 = tensor.empty() : tensor<2x7x7xf32>
  %f21 = linalg.fill ins(%cst2 : f32) outs(%e20 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
  %s22 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K : tensor<2x7x8xf32>, tensor<2x7x8xf32>) outs(%f21 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %e23 = tensor.empty() : tensor<2x7x7xf32>
  %t24 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s22 : tensor<2x7x7xf32>) outs(%e23 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst6 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %cst25 = arith.constant -3.40282347E+38 : f32
  %e26 = tensor.empty() : tensor<2x7x7xf32>
  %t27 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t24 : tensor<2x7x7xf32>) outs(%e26 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c1 = arith.cmpi sle, %j, %i : index
    %x = arith.subi %i, %j : index
    %c2 = arith.cmpi slt, %x, %cst1 : index
    %c = arith.andi %c1, %c2 : i1
    %r = arith.select %c, %a0, %cst25 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %e28 = tensor.empty() : tensor<2x7x7xf32>
  %p29 = linalg.softmax dimension(2) ins(%t11 : tensor<2x7x7xf32>) outs(%e28 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
  %e30 = tensor.empty() : tensor<2x7x6xf32>
  %f31 = linalg.fill ins(%cst2 : f32) outs(%e30 : tensor<2x7x6xf32>) -> tensor<2x7x6xf32>
  %out32 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p29, %V : tensor<2x7x7xf32>, tensor<2x7x6xf32>) outs(%f31 : tensor<2x7x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x7x6xf32>
  %e33 = tensor.empty() : tensor<2x7x7xf32>
  %p34 = linalg.softmax dimension(2) ins(%t19 : tensor<2x7x7xf32>) outs(%e33 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
  %e35 = tensor.empty() : tensor<2x7x6xf32>
  %f36 = linalg.fill ins(%cst2 : f32) outs(%e35 : tensor<2x7x6xf32>) -> tensor<2x7x6xf32>
  %out37 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p34, %V : tensor<2x7x7xf32>, tensor<2x7x6xf32>) outs(%f36 : tensor<2x7x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x7x6xf32>
  %e38 = tensor.empty() : tensor<2x7x7xf32>
  %p39 = linalg.softmax dimension(2) ins(%t27 : tensor<2x7x7xf32>) outs(%e38 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
  %e40 = tensor.empty() : tensor<2x7x6xf32>
  %f41 = linalg.fill ins(%cst2 : f32) outs(%e40 : tensor<2x7x6xf32>) -> tensor<2x7x6xf32>
  %out42 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p39, %V : tensor<2x7x7xf32>, tensor<2x7x6xf32>) outs(%f41 : tensor<2x7x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x7x6xf32>
  return %out32, %out37, %out42 : tensor<2x7x6xf32>, tensor<2x7x6xf32>, tensor<2x7x6xf32>
}
