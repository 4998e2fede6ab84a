// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Scores multiplied with a tensor: one of f16 for each batch, as it is, where
// multiplying queries with it would round them; a divisor for each key; one of
// each query and key, beside a mask that is made of it, inside of a soft cap, and
// times zeros and ones.

// CHECK: fusion.attention {
// CHECK-SAME: factor({{.*}} : tensor<2xf16>) mask({{.*}} : tensor<5x7xf16>)
// CHECK: fusion.attention {
// CHECK-SAME: factor({{.*}} : tensor<7xf32>)
// CHECK: fusion.attention {
// CHECK-SAME: factor(%arg{{[0-9]+}} : tensor<5x7xf32>) mask({{.*}} : tensor<5x7xf32>)
// CHECK: fusion.attention {
// CHECK-SAME: softcap
// CHECK-SAME: factor(%arg{{[0-9]+}} : tensor<5x7xf32>)
// CHECK: fusion.attention {
// CHECK-SAME: factor(%{{[0-9]+}} : tensor<5x7xf32>) outs
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-5: agrees
func.func @main(%Q1: tensor<2x5x8xf16>, %K_f16: tensor<2x7x8xf16>, %V_f16: tensor<2x7x6xf16>, %S: tensor<2xf16>, %N_f16: tensor<5x7xf16>, %Q2: tensor<2x5x8xbf16>, %K_bf16: tensor<2x7x8xbf16>, %V_bf16: tensor<2x7x6xbf16>, %D: tensor<7xbf16>, %Q3: tensor<2x5x8xf32>, %K_f32: tensor<2x7x8xf32>, %V_f32: tensor<2x7x6xf32>, %B: tensor<5x7xf32>, %Q4: tensor<2x5x8xf32>, %Q5: tensor<2x5x8xf32>, %M: tensor<5x7xi1>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
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
  %t8 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t6, %S : tensor<2x5x7xf16>, tensor<2xf16>) outs(%e7 : tensor<2x5x7xf16>) {
  ^bb0(%a0: f16, %a1: f16, %o: f16):
    %r = arith.mulf %a0, %a1 : f16
    linalg.yield %r : f16
  } -> tensor<2x5x7xf16>
  %e9 = tensor.empty() : tensor<2x5x7xf16>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t8, %N_f16 : tensor<2x5x7xf16>, tensor<5x7xf16>) outs(%e9 : tensor<2x5x7xf16>) {
  ^bb0(%a0: f16, %a1: f16, %o: f16):
    %r = arith.addf %a0, %a1 : f16
    linalg.yield %r : f16
  } -> tensor<2x5x7xf16>
  %e11 = tensor.empty() : tensor<2x5x7xf32>
  %t12 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t10 : tensor<2x5x7xf16>) outs(%e11 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f16, %o: f32):
    %r = arith.extf %a0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e13 = tensor.empty() : tensor<2x5x7xf32>
  %p14 = linalg.softmax dimension(2) ins(%t12 : tensor<2x5x7xf32>) outs(%e13 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e15 = tensor.empty() : tensor<2x5x7xf16>
  %t16 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p14 : tensor<2x5x7xf32>) outs(%e15 : tensor<2x5x7xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x5x7xf16>
  %cst17 = arith.constant 0.0 : f32
  %e18 = tensor.empty() : tensor<2x5x6xf32>
  %f19 = linalg.fill ins(%cst17 : f32) outs(%e18 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s20 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t16, %V_f16 : tensor<2x5x7xf16>, tensor<2x7x6xf16>) outs(%f19 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f16, %a1: f16, %o: f32):
    %x = arith.extf %a0 : f16 to f32
    %y = arith.extf %a1 : f16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst21 = arith.constant 0.0 : f32
  %e22 = tensor.empty() : tensor<2x5x7xf32>
  %f23 = linalg.fill ins(%cst21 : f32) outs(%e22 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s24 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K_bf16 : tensor<2x5x8xbf16>, tensor<2x7x8xbf16>) outs(%f23 : tensor<2x5x7xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e25 = tensor.empty() : tensor<2x5x7xbf16>
  %t26 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s24 : tensor<2x5x7xf32>) outs(%e25 : tensor<2x5x7xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x5x7xbf16>
  %e27 = tensor.empty() : tensor<2x5x7xbf16>
  %t28 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t26, %D : tensor<2x5x7xbf16>, tensor<7xbf16>) outs(%e27 : tensor<2x5x7xbf16>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: bf16):
    %p = math.absf %a1 : bf16
    %one = arith.constant 1.0 : bf16
    %d = arith.addf %p, %one : bf16
    %r = arith.divf %a0, %d : bf16
    linalg.yield %r : bf16
  } -> tensor<2x5x7xbf16>
  %e29 = tensor.empty() : tensor<2x5x7xf32>
  %t30 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t28 : tensor<2x5x7xbf16>) outs(%e29 : tensor<2x5x7xf32>) {
  ^bb0(%a0: bf16, %o: f32):
    %r = arith.extf %a0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e31 = tensor.empty() : tensor<2x5x7xf32>
  %p32 = linalg.softmax dimension(2) ins(%t30 : tensor<2x5x7xf32>) outs(%e31 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e33 = tensor.empty() : tensor<2x5x7xbf16>
  %t34 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p32 : tensor<2x5x7xf32>) outs(%e33 : tensor<2x5x7xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x5x7xbf16>
  %cst35 = arith.constant 0.0 : f32
  %e36 = tensor.empty() : tensor<2x5x6xf32>
  %f37 = linalg.fill ins(%cst35 : f32) outs(%e36 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s38 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t34, %V_bf16 : tensor<2x5x7xbf16>, tensor<2x7x6xbf16>) outs(%f37 : tensor<2x5x6xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst39 = arith.constant 0.0 : f32
  %e40 = tensor.empty() : tensor<2x5x7xf32>
  %f41 = linalg.fill ins(%cst39 : f32) outs(%e40 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s42 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q3, %K_f32 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f41 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e43 = tensor.empty() : tensor<2x5x7xf32>
  %t44 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s42, %B : tensor<2x5x7xf32>, tensor<5x7xf32>) outs(%e43 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %w = arith.mulf %a0, %a1 : f32
    %one = arith.constant 1.0 : f32
    %n = arith.subf %one, %a1 : f32
    %low = arith.constant -1.0e4 : f32
    %m = arith.mulf %n, %low : f32
    %r = arith.addf %w, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e45 = tensor.empty() : tensor<2x5x7xf32>
  %p46 = linalg.softmax dimension(2) ins(%t44 : tensor<2x5x7xf32>) outs(%e45 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst47 = arith.constant 0.0 : f32
  %e48 = tensor.empty() : tensor<2x5x6xf32>
  %f49 = linalg.fill ins(%cst47 : f32) outs(%e48 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s50 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p46, %V_f32 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f49 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst51 = arith.constant 0.0 : f32
  %e52 = tensor.empty() : tensor<2x5x7xf32>
  %f53 = linalg.fill ins(%cst51 : f32) outs(%e52 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s54 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q4, %K_f32 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f53 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e55 = tensor.empty() : tensor<2x5x7xf32>
  %t56 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s54, %B : tensor<2x5x7xf32>, tensor<5x7xf32>) outs(%e55 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %w = arith.mulf %a0, %a1 : f32
    %cap = arith.constant 3.0 : f32
    %x = arith.divf %w, %cap : f32
    %y = math.tanh %x : f32
    %r = arith.mulf %y, %cap : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e57 = tensor.empty() : tensor<2x5x7xf32>
  %p58 = linalg.softmax dimension(2) ins(%t56 : tensor<2x5x7xf32>) outs(%e57 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst59 = arith.constant 0.0 : f32
  %e60 = tensor.empty() : tensor<2x5x6xf32>
  %f61 = linalg.fill ins(%cst59 : f32) outs(%e60 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s62 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p58, %V_f32 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f61 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst63 = arith.constant 0.0 : f32
  %e64 = tensor.empty() : tensor<2x5x7xf32>
  %f65 = linalg.fill ins(%cst63 : f32) outs(%e64 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s66 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q5, %K_f32 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f65 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e67 = tensor.empty() : tensor<2x5x7xf32>
  %t68 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s66, %M : tensor<2x5x7xf32>, tensor<5x7xi1>) outs(%e67 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %m = arith.select %a1, %one, %zero : f32
    %r = arith.mulf %a0, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e69 = tensor.empty() : tensor<2x5x7xf32>
  %t70 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t68, %B : tensor<2x5x7xf32>, tensor<5x7xf32>) outs(%e69 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.mulf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e71 = tensor.empty() : tensor<2x5x7xf32>
  %p72 = linalg.softmax dimension(2) ins(%t70 : tensor<2x5x7xf32>) outs(%e71 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst73 = arith.constant 0.0 : f32
  %e74 = tensor.empty() : tensor<2x5x6xf32>
  %f75 = linalg.fill ins(%cst73 : f32) outs(%e74 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s76 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p72, %V_f32 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f75 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %s20, %s38, %s50, %s62, %s76 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
