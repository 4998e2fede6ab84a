// RUN: fusion-run %s --target=sm_80 --check --prefer=launches | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --prefer=launches | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --prefer=launches -o %t && FileCheck %s --check-prefix=ONE --input-file=%t/report.json

// Three rows for four warps.

// CHECK: out0: agrees
// ONE: "launches": 1,
// ONE-NOT: "launches"

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<3x1280xbf16>, %g: tensor<1280xbf16>, %w: tensor<24x1280xbf16>) -> (tensor<3x24xf32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 1.280000e+03 : f32
  %eps = arith.constant 1.0e-05 : f32
  %er = tensor.empty() : tensor<3xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%er : tensor<3xf32>) -> tensor<3xf32>
  %square = linalg.generic {indexing_maps = [#m2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x1280xbf16>) outs(%r0 : tensor<3xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %e_in = arith.extf %in : bf16 to f32
    %q = arith.mulf %e_in, %e_in : f32
    %s = arith.addf %out, %q : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  %ey = tensor.empty() : tensor<3x1280xbf16>
  %y = linalg.generic {indexing_maps = [#m2, #row, #col, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%x, %square, %g : tensor<3x1280xbf16>, tensor<3xf32>, tensor<1280xbf16>) outs(%ey : tensor<3x1280xbf16>) {
  ^bb0(%in: bf16, %sq: f32, %gain: bf16, %out: bf16):
    %e_in = arith.extf %in : bf16 to f32
    %m = arith.divf %sq, %count : f32
    %a = arith.addf %m, %eps : f32
    %f = math.rsqrt %a : f32
    %sc = arith.mulf %e_in, %f : f32
    %n = arith.truncf %sc : f32 to bf16
    %y = arith.mulf %n, %gain : bf16
    linalg.yield %y : bf16
  } -> tensor<3x1280xbf16>
  %ep = tensor.empty() : tensor<3x24xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%ep : tensor<3x24xf32>) -> tensor<3x24xf32>
  %et = tensor.empty() : tensor<1280x24xbf16>
  %t = linalg.transpose ins(%w : tensor<24x1280xbf16>) outs(%et : tensor<1280x24xbf16>) permutation = [1, 0]
  %p = linalg.matmul ins(%y, %t : tensor<3x1280xbf16>, tensor<1280x24xbf16>) outs(%p0 : tensor<3x24xf32>) -> tensor<3x24xf32>
  return %p : tensor<3x24xf32>
}
