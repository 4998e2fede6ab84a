// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// The logarithm of each row's sum is a result, too, as results over parts of the
// keys need it: from the softmax's own maximum and sum, and from others, as
// jax.nn.logsumexp computes them. It is made of reference and total.

// CHECK: %[[A:.*]]:3 = fusion.attention {
// CHECK: linalg.generic {{.*}} ins(%[[A]]#1, %[[A]]#2 : tensor<2x5xf32>, tensor<2x5xf32>)
// CHECK: math.log
// CHECK: %[[B:.*]]:3 = fusion.attention {
// CHECK: linalg.generic {{.*}} ins(%[[B]]#1, %[[B]]#2 : tensor<2x5xf32>, tensor<2x5xf32>)
// CHECK: math.log
// CHECK-NOT: math.exp
// AGREES-NOT: differs
// AGREES-COUNT-4: agrees
func.func @main(%Q1: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %Q2: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5xf32>, tensor<2x5x6xf32>, tensor<2x5xf32>) {
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
  %e15 = tensor.empty() : tensor<2x5x7xf32>
  %t16 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t10, %m14 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e15 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e17 = tensor.empty() : tensor<2x5xf32>
  %t18 = linalg.generic {indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>], iterator_types = ["parallel", "parallel"]} ins(%m8, %m14 : tensor<2x5xf32>, tensor<2x5xf32>) outs(%e17 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %l = math.log %a1 : f32
    %r = arith.addf %a0, %l : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %cst19 = arith.constant 0.0 : f32
  %e20 = tensor.empty() : tensor<2x5x6xf32>
  %f21 = linalg.fill ins(%cst19 : f32) outs(%e20 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s22 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t16, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f21 : tensor<2x5x6xf32>) {
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
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst34 = arith.constant 0.0 : f32
  %e33 = tensor.empty() : tensor<2x5xf32>
  %f35 = linalg.fill ins(%cst34 : f32) outs(%e33 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m36 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t32 : tensor<2x5x7xf32>) outs(%f35 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e37 = tensor.empty() : tensor<2x5x7xf32>
  %t38 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t32, %m36 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e37 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e39 = tensor.empty() : tensor<2x5xf32>
  %t40 = linalg.generic {indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>], iterator_types = ["parallel", "parallel"]} ins(%m30 : tensor<2x5xf32>) outs(%e39 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %inf = arith.constant 0x7F800000 : f32
    %zero = arith.constant 0.0 : f32
    %a = math.absf %a0 : f32
    %c = arith.cmpf one, %a, %inf : f32
    %r = arith.select %c, %a0, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e41 = tensor.empty() : tensor<2x5x7xf32>
  %t42 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s26, %t40 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e41 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst44 = arith.constant 0.0 : f32
  %e43 = tensor.empty() : tensor<2x5xf32>
  %f45 = linalg.fill ins(%cst44 : f32) outs(%e43 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m46 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t42 : tensor<2x5x7xf32>) outs(%f45 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e47 = tensor.empty() : tensor<2x5xf32>
  %t48 = linalg.generic {indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>], iterator_types = ["parallel", "parallel"]} ins(%m46 : tensor<2x5xf32>) outs(%e47 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %a = math.absf %a0 : f32
    %r = math.log %a : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e49 = tensor.empty() : tensor<2x5xf32>
  %t50 = linalg.generic {indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>], iterator_types = ["parallel", "parallel"]} ins(%t48, %t40 : tensor<2x5xf32>, tensor<2x5xf32>) outs(%e49 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %cst51 = arith.constant 0.0 : f32
  %e52 = tensor.empty() : tensor<2x5x6xf32>
  %f53 = linalg.fill ins(%cst51 : f32) outs(%e52 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s54 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t38, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f53 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %s22, %t18, %s54, %t50 : tensor<2x5x6xf32>, tensor<2x5xf32>, tensor<2x5x6xf32>, tensor<2x5xf32>
}
