// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 -o %t && FileCheck %s --check-prefix=ONE --input-file=%t/report.json

// One row: blocks of 8 columns, 4 of each half of a head; the rotated keys go
// straight into the cache, whose other rows stay as they are.

// CHECK: out0: agrees
// CHECK: out1: agrees
// ONE: "launches": 1,
// ONE-NOT: "launches"

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#m4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#cs = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
func.func @main(%x: tensor<1x1100xf16>, %cos: tensor<1x128xf16>, %sin: tensor<1x128xf16>, %w0: tensor<1100x512xf16>, %w1: tensor<1100x256xf16>, %cache: tensor<1x2x9x128xf16> {bufferization.writable = true}, %pos: tensor<i64>)
    -> (tensor<1x4x1x128xf16>, tensor<1x2x9x128xf16>) {
  %zero0 = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x512xf32>
  %f0 = linalg.fill ins(%zero0 : f32) outs(%e0 : tensor<1x512xf32>) -> tensor<1x512xf32>
  %p0 = linalg.matmul ins(%x, %w0 : tensor<1x1100xf16>, tensor<1100x512xf16>) outs(%f0 : tensor<1x512xf32>) -> tensor<1x512xf32>
  %te0 = tensor.empty() : tensor<1x512xf16>
  %t0 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%p0 : tensor<1x512xf32>) outs(%te0 : tensor<1x512xf16>) {
  ^bb0(%in: f32, %out: f16):
    %n = arith.truncf %in : f32 to f16
    linalg.yield %n : f16
  } -> tensor<1x512xf16>
  %x0 = tensor.expand_shape %t0 [[0, 1], [2, 3]] output_shape [1, 1, 4, 128] : tensor<1x512xf16> into tensor<1x1x4x128xf16>
  %he0 = tensor.empty() : tensor<1x4x1x128xf16>
  %h0 = linalg.transpose ins(%x0 : tensor<1x1x4x128xf16>) outs(%he0 : tensor<1x4x1x128xf16>) permutation = [0, 2, 1, 3]
  %a0 = tensor.extract_slice %h0[0, 0, 0, 0] [1, 4, 1, 64] [1, 1, 1, 1] : tensor<1x4x1x128xf16> to tensor<1x4x1x64xf16>
  %b0 = tensor.extract_slice %h0[0, 0, 0, 64] [1, 4, 1, 64] [1, 1, 1, 1] : tensor<1x4x1x128xf16> to tensor<1x4x1x64xf16>
  %ne0 = tensor.empty() : tensor<1x4x1x64xf16>
  %n0 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b0 : tensor<1x4x1x64xf16>) outs(%ne0 : tensor<1x4x1x64xf16>) {
  ^bb0(%in: f16, %out: f16):
    %v = arith.negf %in : f16
    linalg.yield %v : f16
  } -> tensor<1x4x1x64xf16>
  %c0 = tensor.concat dim(3) %n0, %a0 : (tensor<1x4x1x64xf16>, tensor<1x4x1x64xf16>) -> tensor<1x4x1x128xf16>
  %oe0 = tensor.empty() : tensor<1x4x1x128xf16>
  %o0 = linalg.generic {indexing_maps = [#m4, #m4, #cs, #cs, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%h0, %c0, %cos, %sin : tensor<1x4x1x128xf16>, tensor<1x4x1x128xf16>, tensor<1x128xf16>, tensor<1x128xf16>) outs(%oe0 : tensor<1x4x1x128xf16>) {
  ^bb0(%in: f16, %half: f16, %cv: f16, %sv: f16, %out: f16):
    %v = arith.mulf %in, %cv : f16
    %u = arith.mulf %half, %sv : f16
    %s = arith.addf %v, %u : f16
    linalg.yield %s : f16
  } -> tensor<1x4x1x128xf16>
  %zero1 = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<1x256xf32>
  %f1 = linalg.fill ins(%zero1 : f32) outs(%e1 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %p1 = linalg.matmul ins(%x, %w1 : tensor<1x1100xf16>, tensor<1100x256xf16>) outs(%f1 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %te1 = tensor.empty() : tensor<1x256xf16>
  %t1 = linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%p1 : tensor<1x256xf32>) outs(%te1 : tensor<1x256xf16>) {
  ^bb0(%in: f32, %out: f16):
    %n = arith.truncf %in : f32 to f16
    linalg.yield %n : f16
  } -> tensor<1x256xf16>
  %x1 = tensor.expand_shape %t1 [[0, 1], [2, 3]] output_shape [1, 1, 2, 128] : tensor<1x256xf16> into tensor<1x1x2x128xf16>
  %he1 = tensor.empty() : tensor<1x2x1x128xf16>
  %h1 = linalg.transpose ins(%x1 : tensor<1x1x2x128xf16>) outs(%he1 : tensor<1x2x1x128xf16>) permutation = [0, 2, 1, 3]
  %a1 = tensor.extract_slice %h1[0, 0, 0, 0] [1, 2, 1, 64] [1, 1, 1, 1] : tensor<1x2x1x128xf16> to tensor<1x2x1x64xf16>
  %b1 = tensor.extract_slice %h1[0, 0, 0, 64] [1, 2, 1, 64] [1, 1, 1, 1] : tensor<1x2x1x128xf16> to tensor<1x2x1x64xf16>
  %ne1 = tensor.empty() : tensor<1x2x1x64xf16>
  %n1 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b1 : tensor<1x2x1x64xf16>) outs(%ne1 : tensor<1x2x1x64xf16>) {
  ^bb0(%in: f16, %out: f16):
    %v = arith.negf %in : f16
    linalg.yield %v : f16
  } -> tensor<1x2x1x64xf16>
  %c1 = tensor.concat dim(3) %n1, %a1 : (tensor<1x2x1x64xf16>, tensor<1x2x1x64xf16>) -> tensor<1x2x1x128xf16>
  %oe1 = tensor.empty() : tensor<1x2x1x128xf16>
  %o1 = linalg.generic {indexing_maps = [#m4, #m4, #cs, #cs, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%h1, %c1, %cos, %sin : tensor<1x2x1x128xf16>, tensor<1x2x1x128xf16>, tensor<1x128xf16>, tensor<1x128xf16>) outs(%oe1 : tensor<1x2x1x128xf16>) {
  ^bb0(%in: f16, %half: f16, %cv: f16, %sv: f16, %out: f16):
    %v = arith.mulf %in, %cv : f16
    %u = arith.mulf %half, %sv : f16
    %s = arith.addf %v, %u : f16
    linalg.yield %s : f16
  } -> tensor<1x2x1x128xf16>
  %p64 = tensor.extract %pos[] : tensor<i64>
  %zero64 = arith.constant 0 : i64
  %top64 = arith.constant 8 : i64
  %low = arith.maxsi %p64, %zero64 : i64
  %clamped = arith.minsi %low, %top64 : i64
  %at = arith.index_cast %clamped : i64 to index
  %updated = tensor.insert_slice %o1 into %cache[0, 0, %at, 0] [1, 2, 1, 128] [1, 1, 1, 1] : tensor<1x2x1x128xf16> into tensor<1x2x9x128xf16>
  return %o0, %updated : tensor<1x4x1x128xf16>, tensor<1x2x9x128xf16>
}
