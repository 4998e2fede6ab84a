// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// Products of queries and keys beyond 65504, with f16 operands: only the scale
// brings them back.

// CHECK-COUNT-1: agrees
func.func @main(%Q: tensor<2x5x16xf16>, %K: tensor<2x7x16xf16>, %V: tensor<2x7x6xf16>) -> (tensor<2x5x6xf16>) {
  %cst1 = arith.constant 60.0 : f16
  %e2 = tensor.empty() : tensor<2x5x16xf16>
  %t3 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%Q : tensor<2x5x16xf16>) outs(%e2 : tensor<2x5x16xf16>) {
  ^bb0(%a0: f16, %o: f16):
    %r = arith.mulf %a0, %cst1 : f16
    linalg.yield %r : f16
  } -> tensor<2x5x16xf16>
  %e4 = tensor.empty() : tensor<2x7x16xf16>
  %t5 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%K : tensor<2x7x16xf16>) outs(%e4 : tensor<2x7x16xf16>) {
  ^bb0(%a0: f16, %o: f16):
    %r = arith.mulf %a0, %cst1 : f16
    linalg.yield %r : f16
  } -> tensor<2x7x16xf16>
  %cst6 = arith.constant 0.0 : f32
  %e7 = tensor.empty() : tensor<2x5x7xf32>
  %f8 = linalg.fill ins(%cst6 : f32) outs(%e7 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s9 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t3, %t5 : tensor<2x5x16xf16>, tensor<2x7x16xf16>) outs(%f8 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f16, %a1: f16, %o: f32):
    %x = arith.extf %a0 : f16 to f32
    %y = arith.extf %a1 : f16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst10 = arith.constant 0.0001 : f32
  %e11 = tensor.empty() : tensor<2x5x7xf32>
  %t12 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s9 : tensor<2x5x7xf32>) outs(%e11 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst10 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e13 = tensor.empty() : tensor<2x5x7xf32>
  %p14 = linalg.softmax dimension(2) ins(%t12 : tensor<2x5x7xf32>) outs(%e13 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e15 = tensor.empty() : tensor<2x7x6xf32>
  %t16 = linalg.generic {indexing_maps = [affine_map<(b, j, v) -> (b, j, v)>, affine_map<(b, j, v) -> (b, j, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%V : tensor<2x7x6xf16>) outs(%e15 : tensor<2x7x6xf32>) {
  ^bb0(%a0: f16, %o: f32):
    %r = arith.extf %a0 : f16 to f32
    linalg.yield %r : f32
  } -> tensor<2x7x6xf32>
  %e17 = tensor.empty() : tensor<2x5x6xf32>
  %f18 = linalg.fill ins(%cst6 : f32) outs(%e17 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out19 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p14, %t16 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f18 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e20 = tensor.empty() : tensor<2x5x6xf16>
  %t21 = linalg.generic {indexing_maps = [affine_map<(b, i, v) -> (b, i, v)>, affine_map<(b, i, v) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%out19 : tensor<2x5x6xf32>) outs(%e20 : tensor<2x5x6xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x5x6xf16>
  return %t21 : tensor<2x5x6xf16>
}
