// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s
// RUN: fusion-compile %s --target=apple9 -o %t
// RUN: FileCheck %s --check-prefix=METAL --input-file=%t/kernels.metal

// bf16 on Metal: a product, an attention and a decode step, each with
// simdgroup matrices where there are rows enough.

// CHECK-COUNT-3: agrees

// METAL: simdgroup_multiply_accumulate(
// METAL: kernel void contraction_0(
// METAL: fusion_simdgroup_mma<bfloat>(
// METAL: kernel void attention_0(
// METAL: fusion_simdgroup_mma<bfloat>(
// METAL: kernel void attention_1(
func.func @main(%X: tensor<16x32xbf16>, %W: tensor<32x32xbf16>, %K: tensor<1x24x16xbf16>, %V: tensor<1x24x16xbf16>, %Q: tensor<1x16x16xbf16>, %Q1: tensor<1x1x16xbf16>) -> (tensor<16x32xbf16>, tensor<1x16x16xbf16>, tensor<1x1x16xbf16>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<16x32xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (d, j)>, affine_map<(i, j, d) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%X, %W : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%f3 : tensor<16x32xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<16x32xf32>
  %e5 = tensor.empty() : tensor<16x32xbf16>
  %t6 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s4 : tensor<16x32xf32>) outs(%e5 : tensor<16x32xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<16x32xbf16>
  %e7 = tensor.empty() : tensor<1x16x24xf32>
  %f8 = linalg.fill ins(%cst1 : f32) outs(%e7 : tensor<1x16x24xf32>) -> tensor<1x16x24xf32>
  %s9 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<1x16x16xbf16>, tensor<1x24x16xbf16>) outs(%f8 : tensor<1x16x24xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x16x24xf32>
  %cst10 = arith.constant 0.25 : f32
  %e11 = tensor.empty() : tensor<1x16x24xf32>
  %t12 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s9 : tensor<1x16x24xf32>) outs(%e11 : tensor<1x16x24xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst10 : f32
    linalg.yield %r : f32
  } -> tensor<1x16x24xf32>
  %e13 = tensor.empty() : tensor<1x16x24xf32>
  %p14 = linalg.softmax dimension(2) ins(%t12 : tensor<1x16x24xf32>) outs(%e13 : tensor<1x16x24xf32>) -> tensor<1x16x24xf32>
  %e15 = tensor.empty() : tensor<1x16x24xbf16>
  %t16 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p14 : tensor<1x16x24xf32>) outs(%e15 : tensor<1x16x24xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x16x24xbf16>
  %e17 = tensor.empty() : tensor<1x16x16xf32>
  %f18 = linalg.fill ins(%cst1 : f32) outs(%e17 : tensor<1x16x16xf32>) -> tensor<1x16x16xf32>
  %s19 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t16, %V : tensor<1x16x24xbf16>, tensor<1x24x16xbf16>) outs(%f18 : tensor<1x16x16xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x16x16xf32>
  %e20 = tensor.empty() : tensor<1x16x16xbf16>
  %t21 = linalg.generic {indexing_maps = [affine_map<(b, i, v) -> (b, i, v)>, affine_map<(b, i, v) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s19 : tensor<1x16x16xf32>) outs(%e20 : tensor<1x16x16xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x16x16xbf16>
  %e22 = tensor.empty() : tensor<1x1x24xf32>
  %f23 = linalg.fill ins(%cst1 : f32) outs(%e22 : tensor<1x1x24xf32>) -> tensor<1x1x24xf32>
  %s24 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<1x1x16xbf16>, tensor<1x24x16xbf16>) outs(%f23 : tensor<1x1x24xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x1x24xf32>
  %e25 = tensor.empty() : tensor<1x1x24xf32>
  %t26 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s24 : tensor<1x1x24xf32>) outs(%e25 : tensor<1x1x24xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst10 : f32
    linalg.yield %r : f32
  } -> tensor<1x1x24xf32>
  %e27 = tensor.empty() : tensor<1x1x24xf32>
  %p28 = linalg.softmax dimension(2) ins(%t26 : tensor<1x1x24xf32>) outs(%e27 : tensor<1x1x24xf32>) -> tensor<1x1x24xf32>
  %e29 = tensor.empty() : tensor<1x1x24xbf16>
  %t30 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p28 : tensor<1x1x24xf32>) outs(%e29 : tensor<1x1x24xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x1x24xbf16>
  %e31 = tensor.empty() : tensor<1x1x16xf32>
  %f32 = linalg.fill ins(%cst1 : f32) outs(%e31 : tensor<1x1x16xf32>) -> tensor<1x1x16xf32>
  %s33 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t30, %V : tensor<1x1x24xbf16>, tensor<1x24x16xbf16>) outs(%f32 : tensor<1x1x16xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x1x16xf32>
  %e34 = tensor.empty() : tensor<1x1x16xbf16>
  %t35 = linalg.generic {indexing_maps = [affine_map<(b, i, v) -> (b, i, v)>, affine_map<(b, i, v) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s33 : tensor<1x1x16xf32>) outs(%e34 : tensor<1x1x16xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x1x16xbf16>
  return %t6, %t21, %t35 : tensor<16x32xbf16>, tensor<1x16x16xbf16>, tensor<1x1x16xbf16>
}
