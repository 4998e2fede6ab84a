// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Exponentials are multiplied with the values, and the result is divided by
// their sum: by a generic or a named operation, and where heads are dimensions of their
// own again, with the result transposed.

// CHECK-COUNT-3: fusion.attention {
// CHECK-NOT: arith.divf
// CHECK-NOT: math.exp
// AGREES-NOT: differs
// AGREES-COUNT-3: agrees
func.func @main(%Q1: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %Q2: tensor<2x5x8xf32>, %Q3: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<1x5x2x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst6 = arith.constant 0xFF800000 : f32
  %e5 = tensor.empty() : tensor<2x5xf32>
  %f7 = linalg.fill ins(%cst6 : f32) outs(%e5 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m8 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s4 : tensor<2x5x7xf32>) outs(%f7 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e9 = tensor.empty() : tensor<2x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4, %m8 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst12 = arith.constant 0.0 : f32
  %e11 = tensor.empty() : tensor<2x5xf32>
  %f13 = linalg.fill ins(%cst12 : f32) outs(%e11 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m14 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t10 : tensor<2x5x7xf32>) outs(%f13 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %cst15 = arith.constant 0.0 : f32
  %e16 = tensor.empty() : tensor<2x5x6xf32>
  %f17 = linalg.fill ins(%cst15 : f32) outs(%e16 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s18 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t10, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f17 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e19 = tensor.empty() : tensor<2x5x6xf32>
  %t20 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s18, %m14 : tensor<2x5x6xf32>, tensor<2x5xf32>) outs(%e19 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst21 = arith.constant 0.0 : f32
  %e22 = tensor.empty() : tensor<2x5x7xf32>
  %f23 = linalg.fill ins(%cst21 : f32) outs(%e22 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s24 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f23 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst26 = arith.constant 0xFF800000 : f32
  %e25 = tensor.empty() : tensor<2x5xf32>
  %f27 = linalg.fill ins(%cst26 : f32) outs(%e25 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m28 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s24 : tensor<2x5x7xf32>) outs(%f27 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e29 = tensor.empty() : tensor<2x5x7xf32>
  %t30 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s24, %m28 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e29 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst32 = arith.constant 0.0 : f32
  %e31 = tensor.empty() : tensor<2x5xf32>
  %f33 = linalg.fill ins(%cst32 : f32) outs(%e31 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m34 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t30 : tensor<2x5x7xf32>) outs(%f33 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %cst35 = arith.constant 0.0 : f32
  %e36 = tensor.empty() : tensor<2x5x6xf32>
  %f37 = linalg.fill ins(%cst35 : f32) outs(%e36 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s38 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t30, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f37 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e39 = tensor.empty() : tensor<2x5x6xf32>
  %b40 = linalg.broadcast ins(%m34 : tensor<2x5xf32>) outs(%e39 : tensor<2x5x6xf32>) dimensions = [2]
  %d41 = linalg.div ins(%s38, %b40 : tensor<2x5x6xf32>, tensor<2x5x6xf32>) outs(%e39 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %cst42 = arith.constant 0.0 : f32
  %e43 = tensor.empty() : tensor<2x5x7xf32>
  %f44 = linalg.fill ins(%cst42 : f32) outs(%e43 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s45 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q3, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f44 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst47 = arith.constant 0xFF800000 : f32
  %e46 = tensor.empty() : tensor<2x5xf32>
  %f48 = linalg.fill ins(%cst47 : f32) outs(%e46 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m49 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s45 : tensor<2x5x7xf32>) outs(%f48 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e50 = tensor.empty() : tensor<2x5x7xf32>
  %t51 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s45, %m49 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e50 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst53 = arith.constant 0.0 : f32
  %e52 = tensor.empty() : tensor<2x5xf32>
  %f54 = linalg.fill ins(%cst53 : f32) outs(%e52 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m55 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t51 : tensor<2x5x7xf32>) outs(%f54 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %cst56 = arith.constant 0.0 : f32
  %e57 = tensor.empty() : tensor<2x5x6xf32>
  %f58 = linalg.fill ins(%cst56 : f32) outs(%e57 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s59 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t51, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f58 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %c60 = tensor.expand_shape %s59 [[0, 1], [2], [3]] output_shape [1, 2, 5, 6] : tensor<2x5x6xf32> into tensor<1x2x5x6xf32>
  %c61 = tensor.expand_shape %m55 [[0, 1], [2]] output_shape [1, 2, 5] : tensor<2x5xf32> into tensor<1x2x5xf32>
  %e62 = tensor.empty() : tensor<1x5x2x6xf32>
  %t63 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (b, h, i, j)>, affine_map<(b, h, i, j) -> (b, h, i)>, affine_map<(b, h, i, j) -> (b, i, h, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c60, %c61 : tensor<1x2x5x6xf32>, tensor<1x2x5xf32>) outs(%e62 : tensor<1x5x2x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x5x2x6xf32>
  return %t20, %d41, %t63 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<1x5x2x6xf32>
}
