// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s
// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>&1 | FileCheck %s --check-prefix=RAISED

// Products that PyTorch decomposes in f32 from bf16 operands, scaled on both
// sides: bf16 products with f32 sums, on matrix units.

// CHECK-COUNT-1: agrees
// RAISED: 'bf16', scale
func.func @main(%Q: tensor<2x16x16xbf16>, %K: tensor<2x16x16xbf16>, %V: tensor<2x16x16xbf16>, %M: tensor<16x16xbf16>) -> (tensor<2x16x16xbf16>) {
  %cst1 = arith.constant 0.594603539 : f32
  %e2 = tensor.empty() : tensor<2x16x16xf32>
  %t3 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%Q : tensor<2x16x16xbf16>) outs(%e2 : tensor<2x16x16xf32>) {
  ^bb0(%a0: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %r = arith.mulf %x, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x16x16xf32>
  %e4 = tensor.empty() : tensor<2x16x16xf32>
  %t5 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%K : tensor<2x16x16xbf16>) outs(%e4 : tensor<2x16x16xf32>) {
  ^bb0(%a0: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %r = arith.mulf %x, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x16x16xf32>
  %cst6 = arith.constant 0.0 : f32
  %e7 = tensor.empty() : tensor<2x16x16xf32>
  %f8 = linalg.fill ins(%cst6 : f32) outs(%e7 : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
  %s9 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t3, %t5 : tensor<2x16x16xf32>, tensor<2x16x16xf32>) outs(%f8 : tensor<2x16x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x16x16xf32>
  %e10 = tensor.empty() : tensor<2x16x16xf32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s9, %M : tensor<2x16x16xf32>, tensor<16x16xbf16>) outs(%e10 : tensor<2x16x16xf32>) {
  ^bb0(%a0: f32, %a1: bf16, %o: f32):
    %x = arith.extf %a1 : bf16 to f32
    %r = arith.addf %a0, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x16x16xf32>
  %e12 = tensor.empty() : tensor<2x16x16xf32>
  %p13 = linalg.softmax dimension(2) ins(%t11 : tensor<2x16x16xf32>) outs(%e12 : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
  %cst14 = arith.constant 0xFFF0000000000000 : f64
  %e15 = tensor.empty() : tensor<2x16x16xi1>
  %t16 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t11 : tensor<2x16x16xf32>) outs(%e15 : tensor<2x16x16xi1>) {
  ^bb0(%a0: f32, %o: i1):
    %x = arith.extf %a0 : f32 to f64
    %r = arith.cmpf oeq, %x, %cst14 : f64
    linalg.yield %r : i1
  } -> tensor<2x16x16xi1>
  %cst17 = arith.constant true
  %e18 = tensor.empty() : tensor<2x16xi1>
  %f19 = linalg.fill ins(%cst17 : i1) outs(%e18 : tensor<2x16xi1>) -> tensor<2x16xi1>
  %t20 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t16 : tensor<2x16x16xi1>) outs(%f19 : tensor<2x16xi1>) {
  ^bb0(%a0: i1, %o: i1):
    %r = arith.andi %a0, %o : i1
    linalg.yield %r : i1
  } -> tensor<2x16xi1>
  %e21 = tensor.empty() : tensor<2x16x16xf32>
  %t22 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p13, %t20 : tensor<2x16x16xf32>, tensor<2x16xi1>) outs(%e21 : tensor<2x16x16xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %r = arith.select %a1, %cst6, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x16x16xf32>
  %e23 = tensor.empty() : tensor<2x16x16xf32>
  %t24 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%V : tensor<2x16x16xbf16>) outs(%e23 : tensor<2x16x16xf32>) {
  ^bb0(%a0: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    linalg.yield %x : f32
  } -> tensor<2x16x16xf32>
  %e25 = tensor.empty() : tensor<2x16x16xf32>
  %f26 = linalg.fill ins(%cst6 : f32) outs(%e25 : tensor<2x16x16xf32>) -> tensor<2x16x16xf32>
  %out27 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t22, %t24 : tensor<2x16x16xf32>, tensor<2x16x16xf32>) outs(%f26 : tensor<2x16x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x16x16xf32>
  %e28 = tensor.empty() : tensor<2x16x16xbf16>
  %t29 = linalg.generic {indexing_maps = [affine_map<(b, i, v) -> (b, i, v)>, affine_map<(b, i, v) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%out27 : tensor<2x16x16xf32>) outs(%e28 : tensor<2x16x16xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x16x16xbf16>
  return %t29 : tensor<2x16x16xbf16>
}
