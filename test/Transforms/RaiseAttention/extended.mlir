// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Narrow operands: extended to f32 with the scale on both sides, as PyTorch
// decomposes; extended in the product's body, rounded after.

// CHECK: fusion.attention {
// CHECK: xbf16>, tensor
// CHECK: fusion.attention {
// CHECK: xbf16>, tensor
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
func.func @main(%Q: tensor<2x5x8xbf16>, %K: tensor<2x7x8xbf16>, %V: tensor<2x7x6xbf16>) -> (tensor<2x5x6xbf16>, tensor<2x5x6xbf16>) {
  %cst1 = arith.constant 0.5 : f32
  %e2 = tensor.empty() : tensor<2x5x8xf32>
  %t3 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%Q : tensor<2x5x8xbf16>) outs(%e2 : tensor<2x5x8xf32>) {
  ^bb0(%a0: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %r = arith.mulf %x, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x8xf32>
  %e4 = tensor.empty() : tensor<2x7x8xf32>
  %t5 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%K : tensor<2x7x8xbf16>) outs(%e4 : tensor<2x7x8xf32>) {
  ^bb0(%a0: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %r = arith.mulf %x, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x8xf32>
  %cst6 = arith.constant 0.0 : f32
  %e7 = tensor.empty() : tensor<2x5x7xf32>
  %f8 = linalg.fill ins(%cst6 : f32) outs(%e7 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s9 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t3, %t5 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f8 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e10 = tensor.empty() : tensor<2x5x7xf32>
  %p11 = linalg.softmax dimension(2) ins(%s9 : tensor<2x5x7xf32>) outs(%e10 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e12 = tensor.empty() : tensor<2x7x6xf32>
  %t13 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%V : tensor<2x7x6xbf16>) outs(%e12 : tensor<2x7x6xf32>) {
  ^bb0(%a0: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    linalg.yield %x : f32
  } -> tensor<2x7x6xf32>
  %e14 = tensor.empty() : tensor<2x5x6xf32>
  %f15 = linalg.fill ins(%cst6 : f32) outs(%e14 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out16 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p11, %t13 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f15 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e17 = tensor.empty() : tensor<2x5x6xbf16>
  %t18 = linalg.generic {indexing_maps = [affine_map<(b, i, v) -> (b, i, v)>, affine_map<(b, i, v) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%out16 : tensor<2x5x6xf32>) outs(%e17 : tensor<2x5x6xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x5x6xbf16>
  %e19 = tensor.empty() : tensor<2x5x7xf32>
  %f20 = linalg.fill ins(%cst6 : f32) outs(%e19 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s21 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xbf16>, tensor<2x7x8xbf16>) outs(%f20 : tensor<2x5x7xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e22 = tensor.empty() : tensor<2x5x7xbf16>
  %t23 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s21 : tensor<2x5x7xf32>) outs(%e22 : tensor<2x5x7xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x5x7xbf16>
  %cst24 = arith.constant 0.25 : bf16
  %e25 = tensor.empty() : tensor<2x5x7xf32>
  %t26 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t23 : tensor<2x5x7xbf16>) outs(%e25 : tensor<2x5x7xf32>) {
  ^bb0(%a0: bf16, %o: f32):
    %x = arith.mulf %a0, %cst24 : bf16
    %r = arith.extf %x : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e27 = tensor.empty() : tensor<2x5x7xf32>
  %p28 = linalg.softmax dimension(2) ins(%t26 : tensor<2x5x7xf32>) outs(%e27 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e29 = tensor.empty() : tensor<2x5x7xbf16>
  %t30 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p28 : tensor<2x5x7xf32>) outs(%e29 : tensor<2x5x7xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x5x7xbf16>
  %e31 = tensor.empty() : tensor<2x5x6xf32>
  %f32 = linalg.fill ins(%cst6 : f32) outs(%e31 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s33 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t30, %V : tensor<2x5x7xbf16>, tensor<2x7x6xbf16>) outs(%f32 : tensor<2x5x6xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e34 = tensor.empty() : tensor<2x5x6xbf16>
  %t35 = linalg.generic {indexing_maps = [affine_map<(b, i, v) -> (b, i, v)>, affine_map<(b, i, v) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s33 : tensor<2x5x6xf32>) outs(%e34 : tensor<2x5x6xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x5x6xbf16>
  return %t18, %t35 : tensor<2x5x6xbf16>, tensor<2x5x6xbf16>
}
