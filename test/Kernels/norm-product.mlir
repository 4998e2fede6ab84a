// RUN: fusion-run %s --target=sm_80 --check --prefer=launches | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --prefer=launches | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --prefer=launches -o %t && FileCheck %s --check-prefix=ONE --input-file=%t/report.json

// Each block computes the factors of an RMSNorm for its rows before the product;
// the last tile has fewer rows than its warps take.

// CHECK: out0: agrees
// ONE: "launches": 1,
// ONE-NOT: "launches"

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<77x200xbf16>, %g: tensor<200xbf16>, %w: tensor<136x200xbf16>) -> (tensor<77x136xf32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 2.000000e+02 : f32
  %eps = arith.constant 1.0e-05 : f32
  %er = tensor.empty() : tensor<77xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%er : tensor<77xf32>) -> tensor<77xf32>
  %square = linalg.generic {indexing_maps = [#m2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<77x200xbf16>) outs(%r0 : tensor<77xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %e_in = arith.extf %in : bf16 to f32
    %q = arith.mulf %e_in, %e_in : f32
    %s = arith.addf %out, %q : f32
    linalg.yield %s : f32
  } -> tensor<77xf32>
  %ey = tensor.empty() : tensor<77x200xbf16>
  %y = linalg.generic {indexing_maps = [#m2, #row, #col, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%x, %square, %g : tensor<77x200xbf16>, tensor<77xf32>, tensor<200xbf16>) outs(%ey : tensor<77x200xbf16>) {
  ^bb0(%in: bf16, %sq: f32, %gain: bf16, %out: bf16):
    %e_in = arith.extf %in : bf16 to f32
    %m = arith.divf %sq, %count : f32
    %a = arith.addf %m, %eps : f32
    %f = math.rsqrt %a : f32
    %sc = arith.mulf %e_in, %f : f32
    %n = arith.truncf %sc : f32 to bf16
    %y = arith.mulf %n, %gain : bf16
    linalg.yield %y : bf16
  } -> tensor<77x200xbf16>
  %ep = tensor.empty() : tensor<77x136xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%ep : tensor<77x136xf32>) -> tensor<77x136xf32>
  %et = tensor.empty() : tensor<200x136xbf16>
  %t = linalg.transpose ins(%w : tensor<136x200xbf16>) outs(%et : tensor<200x136xbf16>) permutation = [1, 0]
  %p = linalg.matmul ins(%y, %t : tensor<77x200xbf16>, tensor<200x136xbf16>) outs(%p0 : tensor<77x136xf32>) -> tensor<77x136xf32>
  return %p : tensor<77x136xf32>
}
