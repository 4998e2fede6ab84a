// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// A width of 96; nine query heads on three key heads.

// CHECK-COUNT-1: agrees
func.func @main(%Q: tensor<9x7x96xbf16>, %K: tensor<3x11x96xbf16>, %V: tensor<3x11x96xbf16>) -> (tensor<9x7x96xbf16>) {
  %e1 = tensor.empty() : tensor<3x3x11x96xbf16>
  %t2 = linalg.generic {indexing_maps = [affine_map<(h, g, j, d) -> (h, j, d)>, affine_map<(h, g, j, d) -> (h, g, j, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%K : tensor<3x11x96xbf16>) outs(%e1 : tensor<3x3x11x96xbf16>) {
  ^bb0(%a0: bf16, %o: bf16):
    linalg.yield %a0 : bf16
  } -> tensor<3x3x11x96xbf16>
  %t3 = tensor.collapse_shape %t2 [[0, 1], [2], [3]] : tensor<3x3x11x96xbf16> into tensor<9x11x96xbf16>
  %cst4 = arith.constant 0.0 : f32
  %e5 = tensor.empty() : tensor<9x7x11xf32>
  %f6 = linalg.fill ins(%cst4 : f32) outs(%e5 : tensor<9x7x11xf32>) -> tensor<9x7x11xf32>
  %s7 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %t3 : tensor<9x7x96xbf16>, tensor<9x11x96xbf16>) outs(%f6 : tensor<9x7x11xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<9x7x11xf32>
  %cst8 = arith.constant 0.102 : f32
  %e9 = tensor.empty() : tensor<9x7x11xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s7 : tensor<9x7x11xf32>) outs(%e9 : tensor<9x7x11xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<9x7x11xf32>
  %e11 = tensor.empty() : tensor<9x7x11xf32>
  %p12 = linalg.softmax dimension(2) ins(%t10 : tensor<9x7x11xf32>) outs(%e11 : tensor<9x7x11xf32>) -> tensor<9x7x11xf32>
  %e13 = tensor.empty() : tensor<9x7x11xbf16>
  %t14 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p12 : tensor<9x7x11xf32>) outs(%e13 : tensor<9x7x11xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<9x7x11xbf16>
  %e15 = tensor.empty() : tensor<3x3x11x96xbf16>
  %t16 = linalg.generic {indexing_maps = [affine_map<(h, g, j, d) -> (h, j, d)>, affine_map<(h, g, j, d) -> (h, g, j, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%V : tensor<3x11x96xbf16>) outs(%e15 : tensor<3x3x11x96xbf16>) {
  ^bb0(%a0: bf16, %o: bf16):
    linalg.yield %a0 : bf16
  } -> tensor<3x3x11x96xbf16>
  %t17 = tensor.collapse_shape %t16 [[0, 1], [2], [3]] : tensor<3x3x11x96xbf16> into tensor<9x11x96xbf16>
  %e18 = tensor.empty() : tensor<9x7x96xf32>
  %f19 = linalg.fill ins(%cst4 : f32) outs(%e18 : tensor<9x7x96xf32>) -> tensor<9x7x96xf32>
  %s20 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t14, %t17 : tensor<9x7x11xbf16>, tensor<9x11x96xbf16>) outs(%f19 : tensor<9x7x96xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<9x7x96xf32>
  %e21 = tensor.empty() : tensor<9x7x96xbf16>
  %t22 = linalg.generic {indexing_maps = [affine_map<(b, i, v) -> (b, i, v)>, affine_map<(b, i, v) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s20 : tensor<9x7x96xf32>) outs(%e21 : tensor<9x7x96xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<9x7x96xbf16>
  return %t22 : tensor<9x7x96xbf16>
}
