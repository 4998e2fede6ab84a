// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s
// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>&1 | FileCheck %s --check-prefix=RAISED

// Eager attention: the softmax in f32, rounded back; scores filled by a causal
// mask that is computed in the graph.

// CHECK-COUNT-2: agrees
// RAISED: attention raised
// RAISED: attention raised
func.func @main(%Q: tensor<2x5x8xbf16>, %K: tensor<2x7x8xbf16>, %V: tensor<2x7x6xbf16>, %M: tensor<5x7xbf16>, %Q2: tensor<2x5x8xf32>, %K2: tensor<2x7x8xf32>, %V2: tensor<2x7x6xf32>) -> (tensor<2x5x6xbf16>, tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xbf16>, tensor<2x7x8xbf16>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e5 = tensor.empty() : tensor<2x5x7xbf16>
  %t6 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x7xf32>) outs(%e5 : tensor<2x5x7xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x5x7xbf16>
  %cst7 = arith.constant 0.25 : bf16
  %e8 = tensor.empty() : tensor<2x5x7xf32>
  %t9 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t6, %M : tensor<2x5x7xbf16>, tensor<5x7xbf16>) outs(%e8 : tensor<2x5x7xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.mulf %a0, %cst7 : bf16
    %y = arith.addf %x, %a1 : bf16
    %r = arith.extf %y : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e10 = tensor.empty() : tensor<2x5x7xf32>
  %p11 = linalg.softmax dimension(2) ins(%t9 : tensor<2x5x7xf32>) outs(%e10 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e12 = tensor.empty() : tensor<2x5x7xbf16>
  %t13 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p11 : tensor<2x5x7xf32>) outs(%e12 : tensor<2x5x7xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x5x7xbf16>
  %e14 = tensor.empty() : tensor<2x5x6xf32>
  %f15 = linalg.fill ins(%cst1 : f32) outs(%e14 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s16 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t13, %V : tensor<2x5x7xbf16>, tensor<2x7x6xbf16>) outs(%f15 : tensor<2x5x6xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e17 = tensor.empty() : tensor<2x5x6xbf16>
  %t18 = linalg.generic {indexing_maps = [affine_map<(b, i, v) -> (b, i, v)>, affine_map<(b, i, v) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s16 : tensor<2x5x6xf32>) outs(%e17 : tensor<2x5x6xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x5x6xbf16>
  %cst19 = arith.constant 1.0 : f32
  %e20 = tensor.empty() : tensor<5x7xf32>
  %f21 = linalg.fill ins(%cst19 : f32) outs(%e20 : tensor<5x7xf32>) -> tensor<5x7xf32>
  %e22 = tensor.empty() : tensor<5x7xf32>
  %t23 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%f21 : tensor<5x7xf32>) outs(%e22 : tensor<5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ule, %j, %i : index
    %r = arith.select %c, %a0, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<5x7xf32>
  %e24 = tensor.empty() : tensor<5x7xi1>
  %t25 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t23 : tensor<5x7xf32>) outs(%e24 : tensor<5x7xi1>) {
  ^bb0(%a0: f32, %o: i1):
    %r = arith.cmpf oeq, %a0, %cst1 : f32
    linalg.yield %r : i1
  } -> tensor<5x7xi1>
  %e26 = tensor.empty() : tensor<2x5x7xf32>
  %f27 = linalg.fill ins(%cst1 : f32) outs(%e26 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s28 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K2 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f27 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst29 = arith.constant 0.25 : f32
  %e30 = tensor.empty() : tensor<2x5x7xf32>
  %t31 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s28 : tensor<2x5x7xf32>) outs(%e30 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst29 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst32 = arith.constant 0xFF800000 : f32
  %e33 = tensor.empty() : tensor<2x5x7xf32>
  %t34 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t31, %t25 : tensor<2x5x7xf32>, tensor<5x7xi1>) outs(%e33 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %r = arith.select %a1, %cst32, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e35 = tensor.empty() : tensor<2x5x7xf32>
  %p36 = linalg.softmax dimension(2) ins(%t34 : tensor<2x5x7xf32>) outs(%e35 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e37 = tensor.empty() : tensor<2x5x6xf32>
  %f38 = linalg.fill ins(%cst1 : f32) outs(%e37 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out39 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p36, %V2 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f38 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %t18, %out39 : tensor<2x5x6xbf16>, tensor<2x5x6xf32>
}
