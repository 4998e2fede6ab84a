// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// The softmax: starts at a finite minimum, at NaN, at -inf with a second
// maximum; a reciprocal; base 2; base 2 with the reciprocal.

// CHECK: fusion.attention {
// CHECK: fusion.attention {
// CHECK: fusion.attention {
// CHECK: fusion.attention {
// CHECK: fusion.attention {
// CHECK: fusion.attention {
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-6: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %Q1: tensor<2x5x8xf32>, %Q2: tensor<2x5x8xf32>, %Q3: tensor<2x5x8xf32>, %Q4: tensor<2x5x8xf32>, %Q5: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
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
  %cst8 = arith.constant -3.40282347E+38 : f32
  %e9 = tensor.empty() : tensor<2x5xf32>
  %f10 = linalg.fill ins(%cst8 : f32) outs(%e9 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %max11 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t7 : tensor<2x5x7xf32>) outs(%f10 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e12 = tensor.empty() : tensor<2x5x7xf32>
  %exp13 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7, %max11 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e12 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e14 = tensor.empty() : tensor<2x5xf32>
  %f15 = linalg.fill ins(%cst1 : f32) outs(%e14 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %sum16 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp13 : tensor<2x5x7xf32>) outs(%f15 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e17 = tensor.empty() : tensor<2x5x7xf32>
  %p18 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp13, %sum16 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e17 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e19 = tensor.empty() : tensor<2x5x7xf32>
  %f20 = linalg.fill ins(%cst1 : f32) outs(%e19 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s21 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f20 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e22 = tensor.empty() : tensor<2x5x7xf32>
  %t23 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s21 : tensor<2x5x7xf32>) outs(%e22 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst24 = arith.constant 0x7FC00000 : f32
  %e25 = tensor.empty() : tensor<2x5xf32>
  %f26 = linalg.fill ins(%cst24 : f32) outs(%e25 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %max27 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t23 : tensor<2x5x7xf32>) outs(%f26 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maxnumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e28 = tensor.empty() : tensor<2x5x7xf32>
  %exp29 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t23, %max27 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e28 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e30 = tensor.empty() : tensor<2x5xf32>
  %f31 = linalg.fill ins(%cst1 : f32) outs(%e30 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %sum32 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp29 : tensor<2x5x7xf32>) outs(%f31 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e33 = tensor.empty() : tensor<2x5x7xf32>
  %p34 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp29, %sum32 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e33 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e35 = tensor.empty() : tensor<2x5x7xf32>
  %f36 = linalg.fill ins(%cst1 : f32) outs(%e35 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s37 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f36 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e38 = tensor.empty() : tensor<2x5x7xf32>
  %t39 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s37 : tensor<2x5x7xf32>) outs(%e38 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst40 = arith.constant 0xFF800000 : f32
  %e41 = tensor.empty() : tensor<2x5xf32>
  %f42 = linalg.fill ins(%cst40 : f32) outs(%e41 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %max43 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t39 : tensor<2x5x7xf32>) outs(%f42 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e44 = tensor.empty() : tensor<2x5xf32>
  %t45 = linalg.generic {indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>], iterator_types = ["parallel", "parallel"]} ins(%max43 : tensor<2x5xf32>) outs(%e44 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %cst40 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e46 = tensor.empty() : tensor<2x5x7xf32>
  %exp47 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t39, %t45 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e46 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e48 = tensor.empty() : tensor<2x5xf32>
  %f49 = linalg.fill ins(%cst1 : f32) outs(%e48 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %sum50 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp47 : tensor<2x5x7xf32>) outs(%f49 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e51 = tensor.empty() : tensor<2x5x7xf32>
  %p52 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp47, %sum50 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e51 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e53 = tensor.empty() : tensor<2x5x7xf32>
  %f54 = linalg.fill ins(%cst1 : f32) outs(%e53 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s55 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q3, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f54 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e56 = tensor.empty() : tensor<2x5x7xf32>
  %t57 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s55 : tensor<2x5x7xf32>) outs(%e56 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e58 = tensor.empty() : tensor<2x5xf32>
  %f59 = linalg.fill ins(%cst40 : f32) outs(%e58 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %max60 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t57 : tensor<2x5x7xf32>) outs(%f59 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e61 = tensor.empty() : tensor<2x5x7xf32>
  %exp62 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t57, %max60 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e61 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e63 = tensor.empty() : tensor<2x5xf32>
  %f64 = linalg.fill ins(%cst1 : f32) outs(%e63 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %sum65 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp62 : tensor<2x5x7xf32>) outs(%f64 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %cst66 = arith.constant 1.0 : f32
  %e67 = tensor.empty() : tensor<2x5xf32>
  %t68 = linalg.generic {indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>], iterator_types = ["parallel", "parallel"]} ins(%sum65 : tensor<2x5xf32>) outs(%e67 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.divf %cst66, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e69 = tensor.empty() : tensor<2x5x7xf32>
  %p70 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp62, %t68 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e69 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.mulf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e71 = tensor.empty() : tensor<2x5x7xf32>
  %f72 = linalg.fill ins(%cst1 : f32) outs(%e71 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s73 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q4, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f72 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e74 = tensor.empty() : tensor<2x5x7xf32>
  %t75 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s73 : tensor<2x5x7xf32>) outs(%e74 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e76 = tensor.empty() : tensor<2x5xf32>
  %f77 = linalg.fill ins(%cst40 : f32) outs(%e76 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %max78 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t75 : tensor<2x5x7xf32>) outs(%f77 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %cst79 = arith.constant 1.44269504 : f32
  %e80 = tensor.empty() : tensor<2x5x7xf32>
  %exp81 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t75, %max78 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e80 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %x = arith.mulf %d, %cst79 : f32
    %r = math.exp2 %x : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e82 = tensor.empty() : tensor<2x5xf32>
  %f83 = linalg.fill ins(%cst1 : f32) outs(%e82 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %sum84 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp81 : tensor<2x5x7xf32>) outs(%f83 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e85 = tensor.empty() : tensor<2x5x7xf32>
  %p86 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp81, %sum84 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e85 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e87 = tensor.empty() : tensor<2x5x7xf32>
  %f88 = linalg.fill ins(%cst1 : f32) outs(%e87 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s89 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q5, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f88 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e90 = tensor.empty() : tensor<2x5x7xf32>
  %t91 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s89 : tensor<2x5x7xf32>) outs(%e90 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e92 = tensor.empty() : tensor<2x5xf32>
  %f93 = linalg.fill ins(%cst40 : f32) outs(%e92 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %max94 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t91 : tensor<2x5x7xf32>) outs(%f93 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e95 = tensor.empty() : tensor<2x5x7xf32>
  %exp96 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t91, %max94 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e95 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %x = arith.mulf %d, %cst79 : f32
    %r = math.exp2 %x : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e97 = tensor.empty() : tensor<2x5xf32>
  %f98 = linalg.fill ins(%cst1 : f32) outs(%e97 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %sum99 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp96 : tensor<2x5x7xf32>) outs(%f98 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e100 = tensor.empty() : tensor<2x5xf32>
  %t101 = linalg.generic {indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>], iterator_types = ["parallel", "parallel"]} ins(%sum99 : tensor<2x5xf32>) outs(%e100 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.divf %cst66, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e102 = tensor.empty() : tensor<2x5x7xf32>
  %p103 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp96, %t101 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e102 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.mulf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e104 = tensor.empty() : tensor<2x5x6xf32>
  %f105 = linalg.fill ins(%cst1 : f32) outs(%e104 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out106 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p18, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f105 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e107 = tensor.empty() : tensor<2x5x6xf32>
  %f108 = linalg.fill ins(%cst1 : f32) outs(%e107 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out109 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p34, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f108 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e110 = tensor.empty() : tensor<2x5x6xf32>
  %f111 = linalg.fill ins(%cst1 : f32) outs(%e110 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out112 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p52, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f111 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e113 = tensor.empty() : tensor<2x5x6xf32>
  %f114 = linalg.fill ins(%cst1 : f32) outs(%e113 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out115 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p70, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f114 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e116 = tensor.empty() : tensor<2x5x6xf32>
  %f117 = linalg.fill ins(%cst1 : f32) outs(%e116 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out118 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p86, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f117 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e119 = tensor.empty() : tensor<2x5x6xf32>
  %f120 = linalg.fill ins(%cst1 : f32) outs(%e119 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out121 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p103, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f120 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out106, %out109, %out112, %out115, %out118, %out121 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
