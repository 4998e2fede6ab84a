// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// f16 operands with an f32 mask, whose minimum is -inf in f16.

// CHECK-COUNT-1: agrees
func.func @main(%Q: tensor<2x5x8xf16>, %K: tensor<2x7x8xf16>, %V: tensor<2x7x6xf16>, %M: tensor<5x7xi1>) -> (tensor<2x5x6xf16>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf16>, tensor<2x7x8xf16>) outs(%f3 : tensor<2x5x7xf32>) {
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
  %cst7 = arith.constant 0.25 : f32
  %cst8 = arith.constant -3.40282347E+38 : f32
  %e9 = tensor.empty() : tensor<2x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t6, %M : tensor<2x5x7xf16>, tensor<5x7xi1>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f16, %a1: i1, %o: f32):
    %x = arith.extf %a0 : f16 to f32
    %y = arith.mulf %x, %cst7 : f32
    %z = arith.select %a1, %cst1, %cst8 : f32
    %r = arith.addf %y, %z : f32
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
  %e15 = tensor.empty() : tensor<2x5x6xf32>
  %f16 = linalg.fill ins(%cst1 : f32) outs(%e15 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s17 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t14, %V : tensor<2x5x7xf16>, tensor<2x7x6xf16>) outs(%f16 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f16, %a1: f16, %o: f32):
    %x = arith.extf %a0 : f16 to f32
    %y = arith.extf %a1 : f16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e18 = tensor.empty() : tensor<2x5x6xf16>
  %t19 = linalg.generic {indexing_maps = [affine_map<(b, i, v) -> (b, i, v)>, affine_map<(b, i, v) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s17 : tensor<2x5x6xf32>) outs(%e18 : tensor<2x5x6xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x5x6xf16>
  return %t19 : tensor<2x5x6xf16>
}
