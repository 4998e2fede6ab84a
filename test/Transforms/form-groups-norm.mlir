// RUN: fusion-opt %s -split-input-file -fusion-form-groups="prefer=launches" 2>/dev/null | FileCheck %s --check-prefixes=CHECK,LAUNCHES
// RUN: fusion-opt %s -split-input-file -fusion-form-groups="target=sm_90a" 2>/dev/null | FileCheck %s --check-prefixes=CHECK,TIME
// RUN: fusion-opt %s -split-input-file -fusion-form-groups="target=sm_90a" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: not fusion-opt %s -split-input-file -fusion-form-groups="prefer=size" 2>&1 >/dev/null | FileCheck %s --check-prefix=PREFER
// RUN: not fusion-opt %s -split-input-file -fusion-form-groups="target=sm_10" 2>&1 >/dev/null | FileCheck %s --check-prefix=TARGET
// PREFER: unknown preference 'size'; use time or launches
// TARGET: unknown target 'sm_10'; known are

// One row: a launch costs more than reading the row once more in each block.

// CHECK-LABEL: func @one_row
// CHECK:       fusion.group contraction
// CHECK:         math.rsqrt
// CHECK:         linalg.matmul
// CHECK-NOT:   fusion.group
// CHECK:       return
// REMARK: folded into its product: it saves {{.*}} us and costs {{.*}} us

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @one_row(%x: tensor<1x1024xbf16>, %g: tensor<1024xbf16>, %w: tensor<512x1024xbf16>) -> (tensor<1x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 1.024000e+03 : f32
  %eps = arith.constant 1.0e-05 : f32
  %er = tensor.empty() : tensor<1xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%er : tensor<1xf32>) -> tensor<1xf32>
  %square = linalg.generic {indexing_maps = [#m2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1x1024xbf16>) outs(%r0 : tensor<1xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %e_in = arith.extf %in : bf16 to f32
    %q = arith.mulf %e_in, %e_in : f32
    %s = arith.addf %out, %q : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  %ey = tensor.empty() : tensor<1x1024xbf16>
  %y = linalg.generic {indexing_maps = [#m2, #row, #col, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%x, %square, %g : tensor<1x1024xbf16>, tensor<1xf32>, tensor<1024xbf16>) outs(%ey : tensor<1x1024xbf16>) {
  ^bb0(%in: bf16, %sq: f32, %gain: bf16, %out: bf16):
    %e_in = arith.extf %in : bf16 to f32
    %m = arith.divf %sq, %count : f32
    %a = arith.addf %m, %eps : f32
    %f = math.rsqrt %a : f32
    %sc = arith.mulf %e_in, %f : f32
    %n = arith.truncf %sc : f32 to bf16
    %y = arith.mulf %n, %gain : bf16
    linalg.yield %y : bf16
  } -> tensor<1x1024xbf16>
  %ep = tensor.empty() : tensor<1x512xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%ep : tensor<1x512xf32>) -> tensor<1x512xf32>
  %et = tensor.empty() : tensor<1024x512xbf16>
  %t = linalg.transpose ins(%w : tensor<512x1024xbf16>) outs(%et : tensor<1024x512xbf16>) permutation = [1, 0]
  %p = linalg.matmul ins(%y, %t : tensor<1x1024xbf16>, tensor<1024x512xbf16>) outs(%p0 : tensor<1x512xf32>) -> tensor<1x512xf32>
  return %p : tensor<1x512xf32>
}

// -----

// Many rows and columns: it costs more than it saves, unless launches count.

// CHECK-LABEL: func @many_rows
// LAUNCHES:    fusion.group contraction
// LAUNCHES:      math.rsqrt
// LAUNCHES:      linalg.matmul
// LAUNCHES-NOT: fusion.group
// TIME:        fusion.group norm
// TIME:        fusion.group contraction
// CHECK:       return
// REMARK: not folded into its product: it saves {{.*}} us and costs {{.*}} us

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @many_rows(%x: tensor<2048x4096xbf16>, %g: tensor<4096xbf16>, %w: tensor<16384x4096xbf16>) -> (tensor<2048x16384xf32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 4.096000e+03 : f32
  %eps = arith.constant 1.0e-05 : f32
  %er = tensor.empty() : tensor<2048xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%er : tensor<2048xf32>) -> tensor<2048xf32>
  %square = linalg.generic {indexing_maps = [#m2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2048x4096xbf16>) outs(%r0 : tensor<2048xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %e_in = arith.extf %in : bf16 to f32
    %q = arith.mulf %e_in, %e_in : f32
    %s = arith.addf %out, %q : f32
    linalg.yield %s : f32
  } -> tensor<2048xf32>
  %ey = tensor.empty() : tensor<2048x4096xbf16>
  %y = linalg.generic {indexing_maps = [#m2, #row, #col, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%x, %square, %g : tensor<2048x4096xbf16>, tensor<2048xf32>, tensor<4096xbf16>) outs(%ey : tensor<2048x4096xbf16>) {
  ^bb0(%in: bf16, %sq: f32, %gain: bf16, %out: bf16):
    %e_in = arith.extf %in : bf16 to f32
    %m = arith.divf %sq, %count : f32
    %a = arith.addf %m, %eps : f32
    %f = math.rsqrt %a : f32
    %sc = arith.mulf %e_in, %f : f32
    %n = arith.truncf %sc : f32 to bf16
    %y = arith.mulf %n, %gain : bf16
    linalg.yield %y : bf16
  } -> tensor<2048x4096xbf16>
  %ep = tensor.empty() : tensor<2048x16384xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%ep : tensor<2048x16384xf32>) -> tensor<2048x16384xf32>
  %et = tensor.empty() : tensor<4096x16384xbf16>
  %t = linalg.transpose ins(%w : tensor<16384x4096xbf16>) outs(%et : tensor<4096x16384xbf16>) permutation = [1, 0]
  %p = linalg.matmul ins(%y, %t : tensor<2048x4096xbf16>, tensor<4096x16384xbf16>) outs(%p0 : tensor<2048x16384xf32>) -> tensor<2048x16384xf32>
  return %p : tensor<2048x16384xf32>
}

// -----

// The norm is returned, too: it is made once, apart.

// CHECK-LABEL: func @other_reader
// CHECK:       fusion.group norm
// CHECK:       fusion.group contraction
// CHECK:       return

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @other_reader(%x: tensor<1x1024xbf16>, %g: tensor<1024xbf16>, %w: tensor<512x1024xbf16>) -> (tensor<1x512xf32>, tensor<1x1024xbf16>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 1.024000e+03 : f32
  %eps = arith.constant 1.0e-05 : f32
  %er = tensor.empty() : tensor<1xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%er : tensor<1xf32>) -> tensor<1xf32>
  %square = linalg.generic {indexing_maps = [#m2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1x1024xbf16>) outs(%r0 : tensor<1xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %e_in = arith.extf %in : bf16 to f32
    %q = arith.mulf %e_in, %e_in : f32
    %s = arith.addf %out, %q : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  %ey = tensor.empty() : tensor<1x1024xbf16>
  %y = linalg.generic {indexing_maps = [#m2, #row, #col, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%x, %square, %g : tensor<1x1024xbf16>, tensor<1xf32>, tensor<1024xbf16>) outs(%ey : tensor<1x1024xbf16>) {
  ^bb0(%in: bf16, %sq: f32, %gain: bf16, %out: bf16):
    %e_in = arith.extf %in : bf16 to f32
    %m = arith.divf %sq, %count : f32
    %a = arith.addf %m, %eps : f32
    %f = math.rsqrt %a : f32
    %sc = arith.mulf %e_in, %f : f32
    %n = arith.truncf %sc : f32 to bf16
    %y = arith.mulf %n, %gain : bf16
    linalg.yield %y : bf16
  } -> tensor<1x1024xbf16>
  %ep = tensor.empty() : tensor<1x512xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%ep : tensor<1x512xf32>) -> tensor<1x512xf32>
  %et = tensor.empty() : tensor<1024x512xbf16>
  %t = linalg.transpose ins(%w : tensor<512x1024xbf16>) outs(%et : tensor<1024x512xbf16>) permutation = [1, 0]
  %p = linalg.matmul ins(%y, %t : tensor<1x1024xbf16>, tensor<1024x512xbf16>) outs(%p0 : tensor<1x512xf32>) -> tensor<1x512xf32>
  return %p, %y : tensor<1x512xf32>, tensor<1x1024xbf16>
}

// -----

// The reduction runs over the columns of the right operand, not over rows of the
// left.

// CHECK-LABEL: func @right_operand
// CHECK:       fusion.group
// CHECK:       fusion.group contraction
// CHECK:       return
// REMARK: not folded into its product: more than the left operand of a product needs it

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @right_operand(%x: tensor<4x64xf32>, %w: tensor<64x32xf32>) -> tensor<4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %er = tensor.empty() : tensor<64xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%er : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#m2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%w : tensor<64x32xf32>) outs(%r0 : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %out, %in : f32
    linalg.yield %v : f32
  } -> tensor<64xf32>
  %ey = tensor.empty() : tensor<64x32xf32>
  %y = linalg.generic {indexing_maps = [#m2, #row, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s : tensor<64x32xf32>, tensor<64xf32>) outs(%ey : tensor<64x32xf32>) {
  ^bb0(%in: f32, %total: f32, %out: f32):
    %v = arith.divf %in, %total : f32
    linalg.yield %v : f32
  } -> tensor<64x32xf32>
  %ep = tensor.empty() : tensor<4x32xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%ep : tensor<4x32xf32>) -> tensor<4x32xf32>
  %p = linalg.matmul ins(%x, %y : tensor<4x64xf32>, tensor<64x32xf32>) outs(%p0 : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %p : tensor<4x32xf32>
}
