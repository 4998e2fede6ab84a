// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Rows without keys: every score compared with -inf in f64, zeros in their
// place; the maximum compared with -inf.

// CHECK: fusion.attention {
// CHECK-SAME: masked_rows<zero>
// CHECK: fusion.attention {
// CHECK-SAME: masked_rows<zero>
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %M: tensor<2x5x7xi1>, %Q1: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
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
  %cst8 = arith.constant 0xFF800000 : f32
  %e9 = tensor.empty() : tensor<2x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7, %M : tensor<2x5x7xf32>, tensor<2x5x7xi1>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %r = arith.select %a1, %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e11 = tensor.empty() : tensor<2x5x7xf32>
  %p12 = linalg.softmax dimension(2) ins(%t10 : tensor<2x5x7xf32>) outs(%e11 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst13 = arith.constant 0xFFF0000000000000 : f64
  %e14 = tensor.empty() : tensor<2x5x7xi1>
  %t15 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t10 : tensor<2x5x7xf32>) outs(%e14 : tensor<2x5x7xi1>) {
  ^bb0(%a0: f32, %o: i1):
    %x = arith.extf %a0 : f32 to f64
    %r = arith.cmpf oeq, %x, %cst13 : f64
    linalg.yield %r : i1
  } -> tensor<2x5x7xi1>
  %cst16 = arith.constant true
  %e17 = tensor.empty() : tensor<2x5xi1>
  %f18 = linalg.fill ins(%cst16 : i1) outs(%e17 : tensor<2x5xi1>) -> tensor<2x5xi1>
  %t19 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t15 : tensor<2x5x7xi1>) outs(%f18 : tensor<2x5xi1>) {
  ^bb0(%a0: i1, %o: i1):
    %r = arith.andi %a0, %o : i1
    linalg.yield %r : i1
  } -> tensor<2x5xi1>
  %e20 = tensor.empty() : tensor<2x5x7xf32>
  %t21 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p12, %t19 : tensor<2x5x7xf32>, tensor<2x5xi1>) outs(%e20 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %r = arith.select %a1, %cst1, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e22 = tensor.empty() : tensor<2x5x6xf32>
  %f23 = linalg.fill ins(%cst1 : f32) outs(%e22 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out24 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t21, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f23 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e25 = tensor.empty() : tensor<2x5x7xf32>
  %f26 = linalg.fill ins(%cst1 : f32) outs(%e25 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s27 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f26 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e28 = tensor.empty() : tensor<2x5x7xf32>
  %t29 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s27 : tensor<2x5x7xf32>) outs(%e28 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e30 = tensor.empty() : tensor<2x5x7xf32>
  %t31 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t29, %M : tensor<2x5x7xf32>, tensor<2x5x7xi1>) outs(%e30 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %r = arith.select %a1, %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e32 = tensor.empty() : tensor<2x5x7xf32>
  %p33 = linalg.softmax dimension(2) ins(%t31 : tensor<2x5x7xf32>) outs(%e32 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e34 = tensor.empty() : tensor<2x5xf32>
  %f35 = linalg.fill ins(%cst8 : f32) outs(%e34 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %max36 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t31 : tensor<2x5x7xf32>) outs(%f35 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e37 = tensor.empty() : tensor<2x5x7xf32>
  %t38 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p33, %max36 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e37 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %c = arith.cmpf oeq, %a1, %cst8 : f32
    %r = arith.select %c, %cst1, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e39 = tensor.empty() : tensor<2x5x6xf32>
  %f40 = linalg.fill ins(%cst1 : f32) outs(%e39 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out41 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t38, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f40 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out24, %out41 : tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
