// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 -o %t && FileCheck %s --check-prefix=ONE --input-file=%t/report.json

// No tile is as wide as a head of 96 columns: tiles hold pieces of both halves.

// CHECK: out0: agrees
// ONE: "launches": 1,
// ONE-NOT: "launches"

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#m4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#cs = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
func.func @main(%x: tensor<40x48xf16>, %cos: tensor<40x96xf16>, %sin: tensor<40x96xf16>, %w0: tensor<48x192xf16>)
    -> (tensor<1x2x40x96xf16>) {
  %zero0 = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<40x192xf32>
  %f0 = linalg.fill ins(%zero0 : f32) outs(%e0 : tensor<40x192xf32>) -> tensor<40x192xf32>
  %p0 = linalg.matmul ins(%x, %w0 : tensor<40x48xf16>, tensor<48x192xf16>) outs(%f0 : tensor<40x192xf32>) -> tensor<40x192xf32>
  %te0 = tensor.empty() : tensor<40x192xf16>
  %t0 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%p0 : tensor<40x192xf32>) outs(%te0 : tensor<40x192xf16>) {
  ^bb0(%in: f32, %out: f16):
    %n = arith.truncf %in : f32 to f16
    linalg.yield %n : f16
  } -> tensor<40x192xf16>
  %x0 = tensor.expand_shape %t0 [[0, 1], [2, 3]] output_shape [1, 40, 2, 96] : tensor<40x192xf16> into tensor<1x40x2x96xf16>
  %he0 = tensor.empty() : tensor<1x2x40x96xf16>
  %h0 = linalg.transpose ins(%x0 : tensor<1x40x2x96xf16>) outs(%he0 : tensor<1x2x40x96xf16>) permutation = [0, 2, 1, 3]
  %a0 = tensor.extract_slice %h0[0, 0, 0, 0] [1, 2, 40, 48] [1, 1, 1, 1] : tensor<1x2x40x96xf16> to tensor<1x2x40x48xf16>
  %b0 = tensor.extract_slice %h0[0, 0, 0, 48] [1, 2, 40, 48] [1, 1, 1, 1] : tensor<1x2x40x96xf16> to tensor<1x2x40x48xf16>
  %ne0 = tensor.empty() : tensor<1x2x40x48xf16>
  %n0 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b0 : tensor<1x2x40x48xf16>) outs(%ne0 : tensor<1x2x40x48xf16>) {
  ^bb0(%in: f16, %out: f16):
    %v = arith.negf %in : f16
    linalg.yield %v : f16
  } -> tensor<1x2x40x48xf16>
  %c0 = tensor.concat dim(3) %n0, %a0 : (tensor<1x2x40x48xf16>, tensor<1x2x40x48xf16>) -> tensor<1x2x40x96xf16>
  %oe0 = tensor.empty() : tensor<1x2x40x96xf16>
  %o0 = linalg.generic {indexing_maps = [#m4, #m4, #cs, #cs, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%h0, %c0, %cos, %sin : tensor<1x2x40x96xf16>, tensor<1x2x40x96xf16>, tensor<40x96xf16>, tensor<40x96xf16>) outs(%oe0 : tensor<1x2x40x96xf16>) {
  ^bb0(%in: f16, %half: f16, %cv: f16, %sv: f16, %out: f16):
    %v = arith.mulf %in, %cv : f16
    %u = arith.mulf %half, %sv : f16
    %s = arith.addf %v, %u : f16
    linalg.yield %s : f16
  } -> tensor<1x2x40x96xf16>
  return %o0 : tensor<1x2x40x96xf16>
}
