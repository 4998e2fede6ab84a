// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 -o %t && FileCheck %s --check-prefix=ONE --input-file=%t/report.json

// Queries of 4 heads and keys of 2 are rotated in the epilogue of their products,
// which share a launch; the rows end within a tile.

// CHECK: out0: agrees
// CHECK: out1: agrees
// ONE: "launches": 1,
// ONE-NOT: "launches"

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#m4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#cs = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
func.func @main(%x: tensor<74x72xbf16>, %cos: tensor<37x64xbf16>, %sin: tensor<37x64xbf16>, %w0: tensor<72x256xbf16>, %w1: tensor<72x128xbf16>)
    -> (tensor<2x4x37x64xbf16>, tensor<2x2x37x64xbf16>) {
  %zero0 = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<74x256xf32>
  %f0 = linalg.fill ins(%zero0 : f32) outs(%e0 : tensor<74x256xf32>) -> tensor<74x256xf32>
  %p0 = linalg.matmul ins(%x, %w0 : tensor<74x72xbf16>, tensor<72x256xbf16>) outs(%f0 : tensor<74x256xf32>) -> tensor<74x256xf32>
  %te0 = tensor.empty() : tensor<74x256xbf16>
  %t0 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%p0 : tensor<74x256xf32>) outs(%te0 : tensor<74x256xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %n = arith.truncf %in : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<74x256xbf16>
  %x0 = tensor.expand_shape %t0 [[0, 1], [2, 3]] output_shape [2, 37, 4, 64] : tensor<74x256xbf16> into tensor<2x37x4x64xbf16>
  %he0 = tensor.empty() : tensor<2x4x37x64xbf16>
  %h0 = linalg.transpose ins(%x0 : tensor<2x37x4x64xbf16>) outs(%he0 : tensor<2x4x37x64xbf16>) permutation = [0, 2, 1, 3]
  %a0 = tensor.extract_slice %h0[0, 0, 0, 0] [2, 4, 37, 32] [1, 1, 1, 1] : tensor<2x4x37x64xbf16> to tensor<2x4x37x32xbf16>
  %b0 = tensor.extract_slice %h0[0, 0, 0, 32] [2, 4, 37, 32] [1, 1, 1, 1] : tensor<2x4x37x64xbf16> to tensor<2x4x37x32xbf16>
  %ne0 = tensor.empty() : tensor<2x4x37x32xbf16>
  %n0 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b0 : tensor<2x4x37x32xbf16>) outs(%ne0 : tensor<2x4x37x32xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %v = arith.negf %in : bf16
    linalg.yield %v : bf16
  } -> tensor<2x4x37x32xbf16>
  %c0 = tensor.concat dim(3) %n0, %a0 : (tensor<2x4x37x32xbf16>, tensor<2x4x37x32xbf16>) -> tensor<2x4x37x64xbf16>
  %oe0 = tensor.empty() : tensor<2x4x37x64xbf16>
  %o0 = linalg.generic {indexing_maps = [#m4, #m4, #cs, #cs, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%h0, %c0, %cos, %sin : tensor<2x4x37x64xbf16>, tensor<2x4x37x64xbf16>, tensor<37x64xbf16>, tensor<37x64xbf16>) outs(%oe0 : tensor<2x4x37x64xbf16>) {
  ^bb0(%in: bf16, %half: bf16, %cv: bf16, %sv: bf16, %out: bf16):
    %v = arith.mulf %in, %cv : bf16
    %u = arith.mulf %half, %sv : bf16
    %s = arith.addf %v, %u : bf16
    linalg.yield %s : bf16
  } -> tensor<2x4x37x64xbf16>
  %zero1 = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<74x128xf32>
  %f1 = linalg.fill ins(%zero1 : f32) outs(%e1 : tensor<74x128xf32>) -> tensor<74x128xf32>
  %p1 = linalg.matmul ins(%x, %w1 : tensor<74x72xbf16>, tensor<72x128xbf16>) outs(%f1 : tensor<74x128xf32>) -> tensor<74x128xf32>
  %te1 = tensor.empty() : tensor<74x128xbf16>
  %t1 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%p1 : tensor<74x128xf32>) outs(%te1 : tensor<74x128xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %n = arith.truncf %in : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<74x128xbf16>
  %x1 = tensor.expand_shape %t1 [[0, 1], [2, 3]] output_shape [2, 37, 2, 64] : tensor<74x128xbf16> into tensor<2x37x2x64xbf16>
  %he1 = tensor.empty() : tensor<2x2x37x64xbf16>
  %h1 = linalg.transpose ins(%x1 : tensor<2x37x2x64xbf16>) outs(%he1 : tensor<2x2x37x64xbf16>) permutation = [0, 2, 1, 3]
  %a1 = tensor.extract_slice %h1[0, 0, 0, 0] [2, 2, 37, 32] [1, 1, 1, 1] : tensor<2x2x37x64xbf16> to tensor<2x2x37x32xbf16>
  %b1 = tensor.extract_slice %h1[0, 0, 0, 32] [2, 2, 37, 32] [1, 1, 1, 1] : tensor<2x2x37x64xbf16> to tensor<2x2x37x32xbf16>
  %ne1 = tensor.empty() : tensor<2x2x37x32xbf16>
  %n1 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b1 : tensor<2x2x37x32xbf16>) outs(%ne1 : tensor<2x2x37x32xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %v = arith.negf %in : bf16
    linalg.yield %v : bf16
  } -> tensor<2x2x37x32xbf16>
  %c1 = tensor.concat dim(3) %n1, %a1 : (tensor<2x2x37x32xbf16>, tensor<2x2x37x32xbf16>) -> tensor<2x2x37x64xbf16>
  %oe1 = tensor.empty() : tensor<2x2x37x64xbf16>
  %o1 = linalg.generic {indexing_maps = [#m4, #m4, #cs, #cs, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%h1, %c1, %cos, %sin : tensor<2x2x37x64xbf16>, tensor<2x2x37x64xbf16>, tensor<37x64xbf16>, tensor<37x64xbf16>) outs(%oe1 : tensor<2x2x37x64xbf16>) {
  ^bb0(%in: bf16, %half: bf16, %cv: bf16, %sv: bf16, %out: bf16):
    %v = arith.mulf %in, %cv : bf16
    %u = arith.mulf %half, %sv : bf16
    %s = arith.addf %v, %u : bf16
    linalg.yield %s : bf16
  } -> tensor<2x2x37x64xbf16>
  return %o0, %o1 : tensor<2x4x37x64xbf16>, tensor<2x2x37x64xbf16>
}
