// RUN: %python %S/Inputs/exact.py sums %t
// RUN: fusion-run %s --target=sm_80 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --data=%t --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=attention | FileCheck %s

// [N5] Sums of f16 and bf16 are carried in f32: they don't stagnate. The start
// takes part. [N6] NaN and infinities stay in their rows; maximumf keeps NaN,
// maxnumf does not.

// CHECK: out0: agrees: {{.*}}, equal
// CHECK: out1: agrees: {{.*}}, equal
// CHECK: out2: agrees: {{.*}}, equal
// CHECK: out3: agrees: {{.*}}, equal
// CHECK: out4: agrees: {{.*}}, equal
// CHECK: out5: agrees: {{.*}}, equal

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @main(%h: tensor<3x2100xf16>, %t: tensor<2100x3xf16>, %b: tensor<3x520xbf16>, %x: tensor<4x96xf32>, %s: tensor<3xf16>)
    -> (tensor<3xf16>, tensor<3xf16>, tensor<3xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %bzero = arith.constant 0.0 : bf16
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %eb = tensor.empty() : tensor<3xbf16>
  %ex = tensor.empty() : tensor<4xf32>
  %fb = linalg.fill ins(%bzero : bf16) outs(%eb : tensor<3xbf16>) -> tensor<3xbf16>
  %fz = linalg.fill ins(%zero : f32) outs(%ex : tensor<4xf32>) -> tensor<4xf32>
  %fl = linalg.fill ins(%low : f32) outs(%ex : tensor<4xf32>) -> tensor<4xf32>
  %r0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<3x2100xf16>) outs(%s : tensor<3xf16>) {
  ^bb0(%in: f16, %out: f16):
    %v = arith.addf %in, %out : f16
    linalg.yield %v : f16
  } -> tensor<3xf16>
  %c0 = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%t : tensor<2100x3xf16>) outs(%s : tensor<3xf16>) {
  ^bb0(%in: f16, %out: f16):
    %v = arith.addf %in, %out : f16
    linalg.yield %v : f16
  } -> tensor<3xf16>
  %r1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<3x520xbf16>) outs(%fb : tensor<3xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %v = arith.addf %in, %out : bf16
    linalg.yield %v : bf16
  } -> tensor<3xbf16>
  %r2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x96xf32>) outs(%fz : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %r3 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x96xf32>) outs(%fl : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.maximumf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %r4 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x96xf32>) outs(%fl : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.maxnumf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %r0, %c0, %r1, %r2, %r3, %r4 : tensor<3xf16>, tensor<3xf16>, tensor<3xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
