// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Scores to which something is added, then replaced by a number: the mask holds
// what is added, and NaN where the number stands. In f16 that is the least one;
// in the second and the fourth, rows 0 and 1 have no key left. The third adds
// -inf outside. A NaN that is added makes its row NaN (row 4 of the fourth).

// CHECK: fusion.attention {
// CHECK-SAME: masked_score = -1.000000e+04
// CHECK-SAME: mask({{.*}} : tensor<5x7xf32>)
// CHECK: fusion.attention {
// CHECK-SAME: masked_score = -6.550400e+04
// CHECK-SAME: mask({{.*}} : tensor<5x7xf32>)
// CHECK: fusion.attention {
// CHECK-SAME: masked_score = -5.000000e+00
// CHECK-SAME: mask({{.*}} : tensor<5x7xf32>)
// CHECK: fusion.attention {
// CHECK-SAME: masked_score = -5.000000e+00
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-4: agrees
func.func @main(%Q1: tensor<2x5x8xf32>, %K_f32: tensor<2x7x8xf32>, %V_f32: tensor<2x7x6xf32>, %M: tensor<5x7xi1>, %N_f32: tensor<5x7xf32>, %Q2: tensor<2x5x8xf16>, %K_f16: tensor<2x7x8xf16>, %V_f16: tensor<2x7x6xf16>, %N_f16: tensor<5x7xf16>, %Q3: tensor<2x5x8xf32>, %Q4: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K_f32 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e5 = tensor.empty() : tensor<2x5x7xf32>
  %t6 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4, %M, %N_f32 : tensor<2x5x7xf32>, tensor<5x7xi1>, tensor<5x7xf32>) outs(%e5 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %a2: f32, %o: f32):
    %x = arith.addf %a0, %a2 : f32
    %low = arith.constant -1.0e4 : f32
    %r = arith.select %a1, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e7 = tensor.empty() : tensor<2x5x7xf32>
  %p8 = linalg.softmax dimension(2) ins(%t6 : tensor<2x5x7xf32>) outs(%e7 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst9 = arith.constant 0.0 : f32
  %e10 = tensor.empty() : tensor<2x5x6xf32>
  %f11 = linalg.fill ins(%cst9 : f32) outs(%e10 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s12 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p8, %V_f32 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f11 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst13 = arith.constant 0.0 : f32
  %e14 = tensor.empty() : tensor<2x5x7xf32>
  %f15 = linalg.fill ins(%cst13 : f32) outs(%e14 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s16 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K_f16 : tensor<2x5x8xf16>, tensor<2x7x8xf16>) outs(%f15 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f16, %a1: f16, %o: f32):
    %x = arith.extf %a0 : f16 to f32
    %y = arith.extf %a1 : f16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e17 = tensor.empty() : tensor<2x5x7xf16>
  %t18 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s16 : tensor<2x5x7xf32>) outs(%e17 : tensor<2x5x7xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x5x7xf16>
  %e19 = tensor.empty() : tensor<2x5x7xf16>
  %t20 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t18, %N_f16 : tensor<2x5x7xf16>, tensor<5x7xf16>) outs(%e19 : tensor<2x5x7xf16>) {
  ^bb0(%a0: f16, %a1: f16, %o: f16):
    %x = arith.addf %a0, %a1 : f16
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %two = arith.constant 2 : index
    %e = arith.subi %i, %two : index
    %c = arith.cmpi sle, %j, %e : index
    %low = arith.constant -65504.0 : f16
    %r = arith.select %c, %x, %low : f16
    linalg.yield %r : f16
  } -> tensor<2x5x7xf16>
  %e21 = tensor.empty() : tensor<2x5x7xf32>
  %t22 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t20 : tensor<2x5x7xf16>) outs(%e21 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f16, %o: f32):
    %r = arith.extf %a0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e23 = tensor.empty() : tensor<2x5x7xf32>
  %p24 = linalg.softmax dimension(2) ins(%t22 : tensor<2x5x7xf32>) outs(%e23 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e25 = tensor.empty() : tensor<2x5x7xf16>
  %t26 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p24 : tensor<2x5x7xf32>) outs(%e25 : tensor<2x5x7xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x5x7xf16>
  %cst27 = arith.constant 0.0 : f32
  %e28 = tensor.empty() : tensor<2x5x6xf32>
  %f29 = linalg.fill ins(%cst27 : f32) outs(%e28 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s30 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t26, %V_f16 : tensor<2x5x7xf16>, tensor<2x7x6xf16>) outs(%f29 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f16, %a1: f16, %o: f32):
    %x = arith.extf %a0 : f16 to f32
    %y = arith.extf %a1 : f16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst31 = arith.constant 0.0 : f32
  %e32 = tensor.empty() : tensor<2x5x7xf32>
  %f33 = linalg.fill ins(%cst31 : f32) outs(%e32 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s34 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q3, %K_f32 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f33 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e35 = tensor.empty() : tensor<2x5x7xf32>
  %t36 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s34 : tensor<2x5x7xf32>) outs(%e35 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %two = arith.constant 2 : index
    %e = arith.subi %i, %two : index
    %c = arith.cmpi sle, %j, %e : index
    %low = arith.constant -5.0 : f32
    %r = arith.select %c, %a0, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e37 = tensor.empty() : tensor<2x5x7xf32>
  %t38 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t36, %M : tensor<2x5x7xf32>, tensor<5x7xi1>) outs(%e37 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %none = arith.constant 0xFF800000 : f32
    %r = arith.select %a1, %a0, %none : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e39 = tensor.empty() : tensor<2x5x7xf32>
  %p40 = linalg.softmax dimension(2) ins(%t38 : tensor<2x5x7xf32>) outs(%e39 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst41 = arith.constant 0.0 : f32
  %e42 = tensor.empty() : tensor<2x5x6xf32>
  %f43 = linalg.fill ins(%cst41 : f32) outs(%e42 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s44 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p40, %V_f32 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f43 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst45 = arith.constant 0.0 : f32
  %e46 = tensor.empty() : tensor<2x5x7xf32>
  %f47 = linalg.fill ins(%cst45 : f32) outs(%e46 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s48 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q4, %K_f32 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f47 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e49 = tensor.empty() : tensor<2x5x7xf32>
  %t50 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s48, %N_f32 : tensor<2x5x7xf32>, tensor<5x7xf32>) outs(%e49 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %two = arith.constant 2 : index
    %e = arith.subi %i, %two : index
    %c = arith.cmpi sle, %j, %e : index
    %nan = arith.constant 0x7FC00000 : f32
    %even = arith.remui %j, %two : index
    %zero = arith.constant 0 : index
    %last = arith.constant 4 : index
    %isLast = arith.cmpi eq, %i, %last : index
    %isEven = arith.cmpi eq, %even, %zero : index
    %isNone = arith.andi %isLast, %isEven : i1
    %n = arith.select %isNone, %nan, %a1 : f32
    %x = arith.addf %a0, %n : f32
    %low = arith.constant -5.0 : f32
    %r = arith.select %c, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e51 = tensor.empty() : tensor<2x5x7xf32>
  %p52 = linalg.softmax dimension(2) ins(%t50 : tensor<2x5x7xf32>) outs(%e51 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst53 = arith.constant 0.0 : f32
  %e54 = tensor.empty() : tensor<2x5x6xf32>
  %f55 = linalg.fill ins(%cst53 : f32) outs(%e54 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s56 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p52, %V_f32 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f55 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %s12, %s30, %s44, %s56 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
