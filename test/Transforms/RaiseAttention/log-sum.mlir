// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// The logarithm of the sum is subtracted, where a softmax divides: of scores
// less their maximum, which is added again; exp(log_softmax(s)); without a
// maximum, and the result divided by something else.

// CHECK-COUNT-3: fusion.attention {
// CHECK-NOT: math.exp
// AGREES-NOT: differs
// AGREES-COUNT-3: agrees
func.func @main(%Q1: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %Q2: tensor<2x5x8xf32>, %Q3: tensor<2x5x8xf32>, %D: tensor<2x5xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
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
  %e15 = tensor.empty() : tensor<2x5xf32>
  %t16 = linalg.generic {indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>], iterator_types = ["parallel", "parallel"]} ins(%m14, %m8 : tensor<2x5xf32>, tensor<2x5xf32>) outs(%e15 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %p = math.absf %a0 : f32
    %l = math.log %p : f32
    %r = arith.addf %l, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e17 = tensor.empty() : tensor<2x5x7xf32>
  %t18 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4, %t16 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e17 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst19 = arith.constant 0.0 : f32
  %e20 = tensor.empty() : tensor<2x5x6xf32>
  %f21 = linalg.fill ins(%cst19 : f32) outs(%e20 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s22 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t18, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f21 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst23 = arith.constant 0.0 : f32
  %e24 = tensor.empty() : tensor<2x5x7xf32>
  %f25 = linalg.fill ins(%cst23 : f32) outs(%e24 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s26 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f25 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst28 = arith.constant 0xFF800000 : f32
  %e27 = tensor.empty() : tensor<2x5xf32>
  %f29 = linalg.fill ins(%cst28 : f32) outs(%e27 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m30 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s26 : tensor<2x5x7xf32>) outs(%f29 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e31 = tensor.empty() : tensor<2x5x7xf32>
  %t32 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s26, %m30 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e31 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.subf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e33 = tensor.empty() : tensor<2x5x7xf32>
  %t34 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t32 : tensor<2x5x7xf32>) outs(%e33 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.exp %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst36 = arith.constant 0.0 : f32
  %e35 = tensor.empty() : tensor<2x5xf32>
  %f37 = linalg.fill ins(%cst36 : f32) outs(%e35 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m38 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t34 : tensor<2x5x7xf32>) outs(%f37 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e39 = tensor.empty() : tensor<2x5xf32>
  %t40 = linalg.generic {indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>], iterator_types = ["parallel", "parallel"]} ins(%m38 : tensor<2x5xf32>) outs(%e39 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.log %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e41 = tensor.empty() : tensor<2x5x7xf32>
  %t42 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t32, %t40 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e41 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.subf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e43 = tensor.empty() : tensor<2x5x7xf32>
  %t44 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t42 : tensor<2x5x7xf32>) outs(%e43 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.exp %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst45 = arith.constant 0.0 : f32
  %e46 = tensor.empty() : tensor<2x5x6xf32>
  %f47 = linalg.fill ins(%cst45 : f32) outs(%e46 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s48 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t44, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f47 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst49 = arith.constant 0.0 : f32
  %e50 = tensor.empty() : tensor<2x5x7xf32>
  %f51 = linalg.fill ins(%cst49 : f32) outs(%e50 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s52 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q3, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f51 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e53 = tensor.empty() : tensor<2x5x7xf32>
  %t54 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s52 : tensor<2x5x7xf32>) outs(%e53 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.exp %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst56 = arith.constant 0.0 : f32
  %e55 = tensor.empty() : tensor<2x5xf32>
  %f57 = linalg.fill ins(%cst56 : f32) outs(%e55 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m58 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t54 : tensor<2x5x7xf32>) outs(%f57 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e59 = tensor.empty() : tensor<2x5xf32>
  %t60 = linalg.generic {indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>], iterator_types = ["parallel", "parallel"]} ins(%m58 : tensor<2x5xf32>) outs(%e59 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.log %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e61 = tensor.empty() : tensor<2x5x7xf32>
  %t62 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s52, %t60 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e61 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst63 = arith.constant 0.0 : f32
  %e64 = tensor.empty() : tensor<2x5x6xf32>
  %f65 = linalg.fill ins(%cst63 : f32) outs(%e64 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s66 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t62, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f65 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e67 = tensor.empty() : tensor<2x5x6xf32>
  %t68 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s66, %D : tensor<2x5x6xf32>, tensor<2x5xf32>) outs(%e67 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %a = math.absf %a1 : f32
    %b = arith.addf %a, %one : f32
    %r = arith.divf %a0, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %s22, %s48, %t68 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
