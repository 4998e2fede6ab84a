// RUN: fusion-run %s --target=sm_80 --check --prefer=launches | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --prefer=launches | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --prefer=launches -o %t && FileCheck %s --check-prefix=ONE --input-file=%t/report.json

// One row: all threads of a block reduce it.

// CHECK: out0: agrees
// ONE: "launches": 1,
// ONE-NOT: "launches"

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<1x1280xf16>, %g: tensor<1280xf16>, %w: tensor<24x1280xf16>) -> (tensor<1x24xf32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 1.280000e+03 : f32
  %eps = arith.constant 1.0e-05 : f32
  %er = tensor.empty() : tensor<1xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%er : tensor<1xf32>) -> tensor<1xf32>
  %sum = linalg.generic {indexing_maps = [#m2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1x1280xf16>) outs(%r0 : tensor<1xf32>) {
  ^bb0(%in: f16, %out: f32):
    %e_in = arith.extf %in : f16 to f32
    %s = arith.addf %out, %e_in : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  %square = linalg.generic {indexing_maps = [#m2, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<1x1280xf16>, tensor<1xf32>) outs(%r0 : tensor<1xf32>) {
  ^bb0(%in: f16, %total: f32, %out: f32):
    %e_in = arith.extf %in : f16 to f32
    %mean = arith.divf %total, %count : f32
    %d = arith.subf %e_in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %out, %q : f32
    linalg.yield %s : f32
  } -> tensor<1xf32>
  %ey = tensor.empty() : tensor<1x1280xf16>
  %y = linalg.generic {indexing_maps = [#m2, #row, #col, #row, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%x, %square, %g, %sum : tensor<1x1280xf16>, tensor<1xf32>, tensor<1280xf16>, tensor<1xf32>) outs(%ey : tensor<1x1280xf16>) {
  ^bb0(%in: f16, %sq: f32, %gain: f16, %total: f32, %out: f16):
    %e_in = arith.extf %in : f16 to f32
    %mean = arith.divf %total, %count : f32
    %d = arith.subf %e_in, %mean : f32
    %m = arith.divf %sq, %count : f32
    %a = arith.addf %m, %eps : f32
    %f = math.rsqrt %a : f32
    %sc = arith.mulf %d, %f : f32
    %n = arith.truncf %sc : f32 to f16
    %y = arith.mulf %n, %gain : f16
    linalg.yield %y : f16
  } -> tensor<1x1280xf16>
  %ep = tensor.empty() : tensor<1x24xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%ep : tensor<1x24xf32>) -> tensor<1x24xf32>
  %et = tensor.empty() : tensor<1280x24xf16>
  %t = linalg.transpose ins(%w : tensor<24x1280xf16>) outs(%et : tensor<1280x24xf16>) permutation = [1, 0]
  %p = linalg.matmul ins(%y, %t : tensor<1x1280xf16>, tensor<1280x24xf16>) outs(%p0 : tensor<1x24xf32>) -> tensor<1x24xf32>
  return %p : tensor<1x24xf32>
}
