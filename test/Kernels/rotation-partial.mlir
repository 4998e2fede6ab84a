// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 -o %t && FileCheck %s --check-prefix=ONE --input-file=%t/report.json

// Only the first 16 columns of each head are rotated.

// CHECK: out0: agrees
// ONE: "launches": 1,
// ONE-NOT: "launches"

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#m4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#cs = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
func.func @main(%x: tensor<19x40xf32>, %cos: tensor<19x16xf32>, %sin: tensor<19x16xf32>, %w0: tensor<40x96xf32>)
    -> (tensor<1x3x19x32xf32>) {
  %zero0 = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<19x96xf32>
  %f0 = linalg.fill ins(%zero0 : f32) outs(%e0 : tensor<19x96xf32>) -> tensor<19x96xf32>
  %p0 = linalg.matmul ins(%x, %w0 : tensor<19x40xf32>, tensor<40x96xf32>) outs(%f0 : tensor<19x96xf32>) -> tensor<19x96xf32>
  %x0 = tensor.expand_shape %p0 [[0, 1], [2, 3]] output_shape [1, 19, 3, 32] : tensor<19x96xf32> into tensor<1x19x3x32xf32>
  %he0 = tensor.empty() : tensor<1x3x19x32xf32>
  %h0 = linalg.transpose ins(%x0 : tensor<1x19x3x32xf32>) outs(%he0 : tensor<1x3x19x32xf32>) permutation = [0, 2, 1, 3]
  %rp0 = tensor.extract_slice %h0[0, 0, 0, 0] [1, 3, 19, 16] [1, 1, 1, 1] : tensor<1x3x19x32xf32> to tensor<1x3x19x16xf32>
  %pp0 = tensor.extract_slice %h0[0, 0, 0, 16] [1, 3, 19, 16] [1, 1, 1, 1] : tensor<1x3x19x32xf32> to tensor<1x3x19x16xf32>
  %a0 = tensor.extract_slice %rp0[0, 0, 0, 0] [1, 3, 19, 8] [1, 1, 1, 1] : tensor<1x3x19x16xf32> to tensor<1x3x19x8xf32>
  %b0 = tensor.extract_slice %rp0[0, 0, 0, 8] [1, 3, 19, 8] [1, 1, 1, 1] : tensor<1x3x19x16xf32> to tensor<1x3x19x8xf32>
  %ne0 = tensor.empty() : tensor<1x3x19x8xf32>
  %n0 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b0 : tensor<1x3x19x8xf32>) outs(%ne0 : tensor<1x3x19x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.negf %in : f32
    linalg.yield %v : f32
  } -> tensor<1x3x19x8xf32>
  %c0 = tensor.concat dim(3) %n0, %a0 : (tensor<1x3x19x8xf32>, tensor<1x3x19x8xf32>) -> tensor<1x3x19x16xf32>
  %oe0 = tensor.empty() : tensor<1x3x19x16xf32>
  %o0 = linalg.generic {indexing_maps = [#m4, #m4, #cs, #cs, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%rp0, %c0, %cos, %sin : tensor<1x3x19x16xf32>, tensor<1x3x19x16xf32>, tensor<19x16xf32>, tensor<19x16xf32>) outs(%oe0 : tensor<1x3x19x16xf32>) {
  ^bb0(%in: f32, %half: f32, %cv: f32, %sv: f32, %out: f32):
    %v = arith.mulf %in, %cv : f32
    %u = arith.mulf %half, %sv : f32
    %s = arith.addf %v, %u : f32
    linalg.yield %s : f32
  } -> tensor<1x3x19x16xf32>
  %j0 = tensor.concat dim(3) %o0, %pp0 : (tensor<1x3x19x16xf32>, tensor<1x3x19x16xf32>) -> tensor<1x3x19x32xf32>
  return %j0 : tensor<1x3x19x32xf32>
}
