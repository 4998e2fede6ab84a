// RUN: fusion-opt %s -split-input-file -fusion-form-groups 2>/dev/null | FileCheck %s
// RUN: fusion-opt %s -split-input-file -fusion-form-groups 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// A rotation mixes columns of one head: it becomes the product's epilogue.

// CHECK-LABEL: func @rotation
// CHECK:       fusion.group
// CHECK:         linalg.matmul
// CHECK:         tensor.concat
// CHECK-NOT:   fusion.group
// CHECK:       return

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#m4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#cs = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
func.func @rotation(%x: tensor<32x64xf32>, %cos: tensor<32x64xf32>, %sin: tensor<32x64xf32>, %w0: tensor<64x128xf32>)
    -> (tensor<1x2x32x64xf32>) {
  %zero0 = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<32x128xf32>
  %f0 = linalg.fill ins(%zero0 : f32) outs(%e0 : tensor<32x128xf32>) -> tensor<32x128xf32>
  %p0 = linalg.matmul ins(%x, %w0 : tensor<32x64xf32>, tensor<64x128xf32>) outs(%f0 : tensor<32x128xf32>) -> tensor<32x128xf32>
  %x0 = tensor.expand_shape %p0 [[0, 1], [2, 3]] output_shape [1, 32, 2, 64] : tensor<32x128xf32> into tensor<1x32x2x64xf32>
  %he0 = tensor.empty() : tensor<1x2x32x64xf32>
  %h0 = linalg.transpose ins(%x0 : tensor<1x32x2x64xf32>) outs(%he0 : tensor<1x2x32x64xf32>) permutation = [0, 2, 1, 3]
  %a0 = tensor.extract_slice %h0[0, 0, 0, 0] [1, 2, 32, 32] [1, 1, 1, 1] : tensor<1x2x32x64xf32> to tensor<1x2x32x32xf32>
  %b0 = tensor.extract_slice %h0[0, 0, 0, 32] [1, 2, 32, 32] [1, 1, 1, 1] : tensor<1x2x32x64xf32> to tensor<1x2x32x32xf32>
  %ne0 = tensor.empty() : tensor<1x2x32x32xf32>
  %n0 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b0 : tensor<1x2x32x32xf32>) outs(%ne0 : tensor<1x2x32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.negf %in : f32
    linalg.yield %v : f32
  } -> tensor<1x2x32x32xf32>
  %c0 = tensor.concat dim(3) %n0, %a0 : (tensor<1x2x32x32xf32>, tensor<1x2x32x32xf32>) -> tensor<1x2x32x64xf32>
  %oe0 = tensor.empty() : tensor<1x2x32x64xf32>
  %o0 = linalg.generic {indexing_maps = [#m4, #m4, #cs, #cs, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%h0, %c0, %cos, %sin : tensor<1x2x32x64xf32>, tensor<1x2x32x64xf32>, tensor<32x64xf32>, tensor<32x64xf32>) outs(%oe0 : tensor<1x2x32x64xf32>) {
  ^bb0(%in: f32, %half: f32, %cv: f32, %sv: f32, %out: f32):
    %v = arith.mulf %in, %cv : f32
    %u = arith.mulf %half, %sv : f32
    %s = arith.addf %v, %u : f32
    linalg.yield %s : f32
  } -> tensor<1x2x32x64xf32>
  return %o0 : tensor<1x2x32x64xf32>
}

// -----

// An update of a cache, too.

// CHECK-LABEL: func @cache
// CHECK:       fusion.group
// CHECK:         tensor.concat
// CHECK:         tensor.insert_slice
// CHECK-NOT:   fusion.group
// CHECK:       return

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#m4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#cs = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
func.func @cache(%x: tensor<1x64xf32>, %cos: tensor<1x64xf32>, %sin: tensor<1x64xf32>, %w0: tensor<64x128xf32>, %cache: tensor<1x2x8x64xf32> {bufferization.writable = true}, %pos: tensor<i64>)
    -> (tensor<1x2x8x64xf32>) {
  %zero0 = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x128xf32>
  %f0 = linalg.fill ins(%zero0 : f32) outs(%e0 : tensor<1x128xf32>) -> tensor<1x128xf32>
  %p0 = linalg.matmul ins(%x, %w0 : tensor<1x64xf32>, tensor<64x128xf32>) outs(%f0 : tensor<1x128xf32>) -> tensor<1x128xf32>
  %x0 = tensor.expand_shape %p0 [[0, 1], [2, 3]] output_shape [1, 1, 2, 64] : tensor<1x128xf32> into tensor<1x1x2x64xf32>
  %he0 = tensor.empty() : tensor<1x2x1x64xf32>
  %h0 = linalg.transpose ins(%x0 : tensor<1x1x2x64xf32>) outs(%he0 : tensor<1x2x1x64xf32>) permutation = [0, 2, 1, 3]
  %a0 = tensor.extract_slice %h0[0, 0, 0, 0] [1, 2, 1, 32] [1, 1, 1, 1] : tensor<1x2x1x64xf32> to tensor<1x2x1x32xf32>
  %b0 = tensor.extract_slice %h0[0, 0, 0, 32] [1, 2, 1, 32] [1, 1, 1, 1] : tensor<1x2x1x64xf32> to tensor<1x2x1x32xf32>
  %ne0 = tensor.empty() : tensor<1x2x1x32xf32>
  %n0 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b0 : tensor<1x2x1x32xf32>) outs(%ne0 : tensor<1x2x1x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.negf %in : f32
    linalg.yield %v : f32
  } -> tensor<1x2x1x32xf32>
  %c0 = tensor.concat dim(3) %n0, %a0 : (tensor<1x2x1x32xf32>, tensor<1x2x1x32xf32>) -> tensor<1x2x1x64xf32>
  %oe0 = tensor.empty() : tensor<1x2x1x64xf32>
  %o0 = linalg.generic {indexing_maps = [#m4, #m4, #cs, #cs, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%h0, %c0, %cos, %sin : tensor<1x2x1x64xf32>, tensor<1x2x1x64xf32>, tensor<1x64xf32>, tensor<1x64xf32>) outs(%oe0 : tensor<1x2x1x64xf32>) {
  ^bb0(%in: f32, %half: f32, %cv: f32, %sv: f32, %out: f32):
    %v = arith.mulf %in, %cv : f32
    %u = arith.mulf %half, %sv : f32
    %s = arith.addf %v, %u : f32
    linalg.yield %s : f32
  } -> tensor<1x2x1x64xf32>
  %p64 = tensor.extract %pos[] : tensor<i64>
  %zero64 = arith.constant 0 : i64
  %top64 = arith.constant 7 : i64
  %low = arith.maxsi %p64, %zero64 : i64
  %clamped = arith.minsi %low, %top64 : i64
  %at = arith.index_cast %clamped : i64 to index
  %updated = tensor.insert_slice %o0 into %cache[0, 0, %at, 0] [1, 2, 1, 64] [1, 1, 1, 1] : tensor<1x2x1x64xf32> into tensor<1x2x8x64xf32>
  return %updated : tensor<1x2x8x64xf32>
}

// -----

// No tile holds the 40 columns of a head: the rotation stays apart.

// CHECK-LABEL: func @odd_head
// CHECK:       fusion.group
// CHECK:         linalg.matmul
// CHECK:         fusion.yield
// CHECK:       fusion.group
// CHECK:         tensor.concat
// REMARK: not merged with a producer: no tile of the product holds all the columns that it needs

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#m4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#cs = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
func.func @odd_head(%x: tensor<32x64xf32>, %cos: tensor<32x40xf32>, %sin: tensor<32x40xf32>, %w0: tensor<64x80xf32>)
    -> (tensor<1x2x32x40xf32>) {
  %zero0 = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<32x80xf32>
  %f0 = linalg.fill ins(%zero0 : f32) outs(%e0 : tensor<32x80xf32>) -> tensor<32x80xf32>
  %p0 = linalg.matmul ins(%x, %w0 : tensor<32x64xf32>, tensor<64x80xf32>) outs(%f0 : tensor<32x80xf32>) -> tensor<32x80xf32>
  %x0 = tensor.expand_shape %p0 [[0, 1], [2, 3]] output_shape [1, 32, 2, 40] : tensor<32x80xf32> into tensor<1x32x2x40xf32>
  %he0 = tensor.empty() : tensor<1x2x32x40xf32>
  %h0 = linalg.transpose ins(%x0 : tensor<1x32x2x40xf32>) outs(%he0 : tensor<1x2x32x40xf32>) permutation = [0, 2, 1, 3]
  %a0 = tensor.extract_slice %h0[0, 0, 0, 0] [1, 2, 32, 20] [1, 1, 1, 1] : tensor<1x2x32x40xf32> to tensor<1x2x32x20xf32>
  %b0 = tensor.extract_slice %h0[0, 0, 0, 20] [1, 2, 32, 20] [1, 1, 1, 1] : tensor<1x2x32x40xf32> to tensor<1x2x32x20xf32>
  %ne0 = tensor.empty() : tensor<1x2x32x20xf32>
  %n0 = linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%b0 : tensor<1x2x32x20xf32>) outs(%ne0 : tensor<1x2x32x20xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.negf %in : f32
    linalg.yield %v : f32
  } -> tensor<1x2x32x20xf32>
  %c0 = tensor.concat dim(3) %n0, %a0 : (tensor<1x2x32x20xf32>, tensor<1x2x32x20xf32>) -> tensor<1x2x32x40xf32>
  %oe0 = tensor.empty() : tensor<1x2x32x40xf32>
  %o0 = linalg.generic {indexing_maps = [#m4, #m4, #cs, #cs, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%h0, %c0, %cos, %sin : tensor<1x2x32x40xf32>, tensor<1x2x32x40xf32>, tensor<32x40xf32>, tensor<32x40xf32>) outs(%oe0 : tensor<1x2x32x40xf32>) {
  ^bb0(%in: f32, %half: f32, %cv: f32, %sv: f32, %out: f32):
    %v = arith.mulf %in, %cv : f32
    %u = arith.mulf %half, %sv : f32
    %s = arith.addf %v, %u : f32
    linalg.yield %s : f32
  } -> tensor<1x2x32x40xf32>
  return %o0 : tensor<1x2x32x40xf32>
}

// -----

// A shift of rows needs other rows of the product.

// CHECK-LABEL: func @shifted_rows
// CHECK:       fusion.group
// CHECK:         linalg.matmul
// CHECK:         fusion.yield
// CHECK:       fusion.group
// CHECK:         tensor.concat
// REMARK: not merged with a producer: it needs other elements of the product

func.func @shifted_rows(%x: tensor<32x16xf32>, %w: tensor<16x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<32x16xf32>, tensor<16x64xf32>) outs(%f : tensor<32x64xf32>) -> tensor<32x64xf32>
  %a = tensor.extract_slice %p[0, 0] [16, 64] [1, 1] : tensor<32x64xf32> to tensor<16x64xf32>
  %b = tensor.extract_slice %p[16, 0] [16, 64] [1, 1] : tensor<32x64xf32> to tensor<16x64xf32>
  %r = tensor.concat dim(0) %b, %a : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}
