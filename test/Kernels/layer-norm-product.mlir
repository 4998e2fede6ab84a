// RUN: fusion-run %s --target=sm_80 --check --prefer=launches | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --prefer=launches | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --prefer=launches -o %t && FileCheck %s --check-prefix=ONE --input-file=%t/report.json

// Mean and factor of a LayerNorm, with columns that no vector divides.

// CHECK: out0: agrees
// ONE: "launches": 1,
// ONE-NOT: "launches"

#m2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<33x75xf32>, %g: tensor<75xf32>, %w: tensor<50x75xf32>) -> (tensor<33x50xf32>) {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 7.500000e+01 : f32
  %eps = arith.constant 1.0e-05 : f32
  %er = tensor.empty() : tensor<33xf32>
  %r0 = linalg.fill ins(%zero : f32) outs(%er : tensor<33xf32>) -> tensor<33xf32>
  %sum = linalg.generic {indexing_maps = [#m2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<33x75xf32>) outs(%r0 : tensor<33xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<33xf32>
  %square = linalg.generic {indexing_maps = [#m2, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : tensor<33x75xf32>, tensor<33xf32>) outs(%r0 : tensor<33xf32>) {
  ^bb0(%in: f32, %total: f32, %out: f32):
    %mean = arith.divf %total, %count : f32
    %d = arith.subf %in, %mean : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %out, %q : f32
    linalg.yield %s : f32
  } -> tensor<33xf32>
  %ey = tensor.empty() : tensor<33x75xf32>
  %y = linalg.generic {indexing_maps = [#m2, #row, #col, #row, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%x, %square, %g, %sum : tensor<33x75xf32>, tensor<33xf32>, tensor<75xf32>, tensor<33xf32>) outs(%ey : tensor<33x75xf32>) {
  ^bb0(%in: f32, %sq: f32, %gain: f32, %total: f32, %out: f32):
    %mean = arith.divf %total, %count : f32
    %d = arith.subf %in, %mean : f32
    %m = arith.divf %sq, %count : f32
    %a = arith.addf %m, %eps : f32
    %f = math.rsqrt %a : f32
    %sc = arith.mulf %d, %f : f32
    %y = arith.mulf %sc, %gain : f32
    linalg.yield %y : f32
  } -> tensor<33x75xf32>
  %ep = tensor.empty() : tensor<33x50xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%ep : tensor<33x50xf32>) -> tensor<33x50xf32>
  %et = tensor.empty() : tensor<75x50xf32>
  %t = linalg.transpose ins(%w : tensor<50x75xf32>) outs(%et : tensor<75x50xf32>) permutation = [1, 0]
  %p = linalg.matmul ins(%y, %t : tensor<33x75xf32>, tensor<75x50xf32>) outs(%p0 : tensor<33x50xf32>) -> tensor<33x50xf32>
  return %p : tensor<33x50xf32>
}
