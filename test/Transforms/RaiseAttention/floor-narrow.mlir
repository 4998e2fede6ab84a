// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Scores bounded below by a number that they might reach: the least of f16, and
// a greater one. A row whose scores all are that number, as all of the first two
// rows of the third are, is the mean of the values; in the fourth, probabilities
// of such keys are replaced by zeros.

// CHECK: fusion.attention {
// CHECK-SAME: floor = -6.550400e+04
// CHECK-SAME: mask({{.*}} : tensor<5x7xf16>)
// CHECK: fusion.attention {
// CHECK-SAME: floor = -4.000000e+04
// CHECK-SAME: mask(
// CHECK: fusion.attention {
// CHECK-SAME: floor = -4.000000e+04
// CHECK: fusion.attention {
// CHECK-SAME: floor = -4.000000e+04
// CHECK-SAME: dropout(
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-4: agrees
func.func @main(%Q1: tensor<2x5x8xf16>, %K_f16: tensor<2x7x8xf16>, %V_f16: tensor<2x7x6xf16>, %N_f16: tensor<5x7xf16>, %Q2: tensor<2x5x8xf32>, %K_f32: tensor<2x7x8xf32>, %V_f32: tensor<2x7x6xf32>, %M: tensor<5x7xi1>, %Q3: tensor<2x5x8xf32>, %Q4: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K_f16 : tensor<2x5x8xf16>, tensor<2x7x8xf16>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f16, %a1: f16, %o: f32):
    %x = arith.extf %a0 : f16 to f32
    %y = arith.extf %a1 : f16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e5 = tensor.empty() : tensor<2x5x7xf16>
  %t6 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x7xf32>) outs(%e5 : tensor<2x5x7xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x5x7xf16>
  %e7 = tensor.empty() : tensor<2x5x7xf16>
  %t8 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t6, %N_f16 : tensor<2x5x7xf16>, tensor<5x7xf16>) outs(%e7 : tensor<2x5x7xf16>) {
  ^bb0(%a0: f16, %a1: f16, %o: f16):
    %x = arith.addf %a0, %a1 : f16
    %low = arith.constant -65504.0 : f16
    %c = arith.cmpf ogt, %x, %low : f16
    %r = arith.select %c, %x, %low : f16
    linalg.yield %r : f16
  } -> tensor<2x5x7xf16>
  %e9 = tensor.empty() : tensor<2x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t8 : tensor<2x5x7xf16>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f16, %o: f32):
    %r = arith.extf %a0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e11 = tensor.empty() : tensor<2x5x7xf32>
  %p12 = linalg.softmax dimension(2) ins(%t10 : tensor<2x5x7xf32>) outs(%e11 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e13 = tensor.empty() : tensor<2x5x7xf16>
  %t14 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p12 : tensor<2x5x7xf32>) outs(%e13 : tensor<2x5x7xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x5x7xf16>
  %cst15 = arith.constant 0.0 : f32
  %e16 = tensor.empty() : tensor<2x5x6xf32>
  %f17 = linalg.fill ins(%cst15 : f32) outs(%e16 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s18 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t14, %V_f16 : tensor<2x5x7xf16>, tensor<2x7x6xf16>) outs(%f17 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f16, %a1: f16, %o: f32):
    %x = arith.extf %a0 : f16 to f32
    %y = arith.extf %a1 : f16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst19 = arith.constant 0.0 : f32
  %e20 = tensor.empty() : tensor<2x5x7xf32>
  %f21 = linalg.fill ins(%cst19 : f32) outs(%e20 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s22 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K_f32 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f21 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e23 = tensor.empty() : tensor<2x5x7xf32>
  %t24 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s22, %M : tensor<2x5x7xf32>, tensor<5x7xi1>) outs(%e23 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %zero = arith.constant 0.0 : f32
    %none = arith.constant 0xFF800000 : f32
    %m = arith.select %a1, %zero, %none : f32
    %x = arith.addf %a0, %m : f32
    %low = arith.constant -4.0e4 : f32
    %c = arith.cmpf ogt, %x, %low : f32
    %r = arith.select %c, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e25 = tensor.empty() : tensor<2x5x7xf32>
  %p26 = linalg.softmax dimension(2) ins(%t24 : tensor<2x5x7xf32>) outs(%e25 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst27 = arith.constant 0.0 : f32
  %e28 = tensor.empty() : tensor<2x5x6xf32>
  %f29 = linalg.fill ins(%cst27 : f32) outs(%e28 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s30 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p26, %V_f32 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f29 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
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
    %none = arith.constant 0xFF800000 : f32
    %y = arith.select %c, %a0, %none : f32
    %low = arith.constant -4.0e4 : f32
    %lower = arith.cmpf ult, %y, %low : f32
    %r = arith.select %lower, %low, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e37 = tensor.empty() : tensor<2x5x7xf32>
  %p38 = linalg.softmax dimension(2) ins(%t36 : tensor<2x5x7xf32>) outs(%e37 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst39 = arith.constant 0.0 : f32
  %e40 = tensor.empty() : tensor<2x5x6xf32>
  %f41 = linalg.fill ins(%cst39 : f32) outs(%e40 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s42 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p38, %V_f32 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f41 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst43 = arith.constant 0.0 : f32
  %e44 = tensor.empty() : tensor<2x5x7xf32>
  %f45 = linalg.fill ins(%cst43 : f32) outs(%e44 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s46 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q4, %K_f32 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f45 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e47 = tensor.empty() : tensor<2x5x7xf32>
  %t48 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s46 : tensor<2x5x7xf32>) outs(%e47 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %two = arith.constant 2 : index
    %e = arith.subi %i, %two : index
    %c = arith.cmpi sle, %j, %e : index
    %none = arith.constant 0xFF800000 : f32
    %y = arith.select %c, %a0, %none : f32
    %low = arith.constant -4.0e4 : f32
    %r = arith.maxnumf %y, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e49 = tensor.empty() : tensor<2x5x7xf32>
  %p50 = linalg.softmax dimension(2) ins(%t48 : tensor<2x5x7xf32>) outs(%e49 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e51 = tensor.empty() : tensor<2x5x7xf32>
  %t52 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p50 : tensor<2x5x7xf32>) outs(%e51 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %two = arith.constant 2 : index
    %e = arith.subi %i, %two : index
    %c = arith.cmpi sle, %j, %e : index
    %zero = arith.constant 0.0 : f32
    %r = arith.select %c, %a0, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst53 = arith.constant 0.0 : f32
  %e54 = tensor.empty() : tensor<2x5x6xf32>
  %f55 = linalg.fill ins(%cst53 : f32) outs(%e54 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s56 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t52, %V_f32 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f55 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %s18, %s30, %s42, %s56 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
