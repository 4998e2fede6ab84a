// RUN: %python %S/Inputs/exact.py variance %t
// RUN: fusion-run %s --target=sm_80 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --data=%t --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=attention | FileCheck %s

// [N7] A variance is taken about the mean: what the mean's size costs is its
// rounding, not its square's. [N8] An island of f64 between narrower types is
// computed in f32, with nothing lost here.

// CHECK: out0: agrees: {{.*}}, equal
// CHECK: out1: agrees: {{.*}}, equal

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%x0: tensor<3x16xf32>, %x1: tensor<2x16xf16>) -> (tensor<3x16xf32>, tensor<2x16xf16>) {
  %c0 = arith.constant 16.0 : f64
  %z0 = arith.constant 0.0 : f64
  %ew0 = tensor.empty() : tensor<3xf64>
  %e0 = tensor.empty() : tensor<3x16xf32>
  %f0 = linalg.fill ins(%z0 : f64) outs(%ew0 : tensor<3xf64>) -> tensor<3xf64>
  %sum0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x0 : tensor<3x16xf32>) outs(%f0 : tensor<3xf64>) {
  ^bb0(%in: f32, %out: f64):
    %w = arith.extf %in : f32 to f64
    %v = arith.addf %w, %out : f64
    linalg.yield %v : f64
  } -> tensor<3xf64>
  %squares0 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x0, %sum0 : tensor<3x16xf32>, tensor<3xf64>) outs(%f0 : tensor<3xf64>) {
  ^bb0(%in: f32, %s: f64, %out: f64):
    %w = arith.extf %in : f32 to f64
    %m = arith.divf %s, %c0 : f64
    %d = arith.subf %w, %m : f64
    %q = arith.mulf %d, %d : f64
    %v = arith.addf %q, %out : f64
    linalg.yield %v : f64
  } -> tensor<3xf64>
  %r0 = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x0, %sum0, %squares0 : tensor<3x16xf32>, tensor<3xf64>, tensor<3xf64>) outs(%e0 : tensor<3x16xf32>) {
  ^bb0(%in: f32, %s: f64, %sq: f64, %out: f32):
    %w = arith.extf %in : f32 to f64
    %m = arith.divf %s, %c0 : f64
    %d = arith.subf %w, %m : f64
    %var = arith.divf %sq, %c0 : f64
    %dev = math.sqrt %var : f64
    %y = arith.divf %d, %dev : f64
    %v = arith.truncf %y : f64 to f32
    linalg.yield %v : f32
  } -> tensor<3x16xf32>
  %c1 = arith.constant 16.0 : f32
  %z1 = arith.constant 0.0 : f32
  %ew1 = tensor.empty() : tensor<2xf32>
  %e1 = tensor.empty() : tensor<2x16xf16>
  %f1 = linalg.fill ins(%z1 : f32) outs(%ew1 : tensor<2xf32>) -> tensor<2xf32>
  %sum1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x1 : tensor<2x16xf16>) outs(%f1 : tensor<2xf32>) {
  ^bb0(%in: f16, %out: f32):
    %w = arith.extf %in : f16 to f32
    %v = arith.addf %w, %out : f32
    linalg.yield %v : f32
  } -> tensor<2xf32>
  %squares1 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x1, %sum1 : tensor<2x16xf16>, tensor<2xf32>) outs(%f1 : tensor<2xf32>) {
  ^bb0(%in: f16, %s: f32, %out: f32):
    %w = arith.extf %in : f16 to f32
    %m = arith.divf %s, %c1 : f32
    %d = arith.subf %w, %m : f32
    %q = arith.mulf %d, %d : f32
    %v = arith.addf %q, %out : f32
    linalg.yield %v : f32
  } -> tensor<2xf32>
  %r1 = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x1, %sum1, %squares1 : tensor<2x16xf16>, tensor<2xf32>, tensor<2xf32>) outs(%e1 : tensor<2x16xf16>) {
  ^bb0(%in: f16, %s: f32, %sq: f32, %out: f16):
    %w = arith.extf %in : f16 to f32
    %m = arith.divf %s, %c1 : f32
    %d = arith.subf %w, %m : f32
    %var = arith.divf %sq, %c1 : f32
    %dev = math.sqrt %var : f32
    %y = arith.divf %d, %dev : f32
    %v = arith.truncf %y : f32 to f16
    linalg.yield %v : f16
  } -> tensor<2x16xf16>
  return %r0, %r1 : tensor<3x16xf32>, tensor<2x16xf16>
}
