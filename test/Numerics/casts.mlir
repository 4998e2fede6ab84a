// RUN: %python %S/Inputs/exact.py casts %t
// RUN: fusion-run %s --target=sm_80 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=none | FileCheck %s

// [N2] A cast rounds once, to the nearest, ties to even; NaN stays NaN.

// CHECK: out0: agrees: {{.*}}, equal
// CHECK: out1: agrees: {{.*}}, equal
// CHECK: out2: agrees: {{.*}}, equal
// CHECK: out3: agrees: {{.*}}, equal

#id = affine_map<(d0) -> (d0)>
func.func @main(%i: tensor<5xi32>, %w: tensor<5xi64>, %x: tensor<5xf32>)
    -> (tensor<5xbf16>, tensor<5xf32>, tensor<5xbf16>, tensor<5xf16>) {
  %e0 = tensor.empty() : tensor<5xbf16>
  %e1 = tensor.empty() : tensor<5xf32>
  %e2 = tensor.empty() : tensor<5xbf16>
  %e3 = tensor.empty() : tensor<5xf16>
  %r:4 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%i, %w, %x : tensor<5xi32>, tensor<5xi64>, tensor<5xf32>)
      outs(%e0, %e1, %e2, %e3 : tensor<5xbf16>, tensor<5xf32>, tensor<5xbf16>, tensor<5xf16>) {
  ^bb0(%i0: i32, %w0: i64, %x0: f32, %o0: bf16, %o1: f32, %o2: bf16, %o3: f16):
    %a = arith.sitofp %i0 : i32 to bf16
    %b = arith.sitofp %w0 : i64 to f32
    %d = arith.truncf %x0 : f32 to bf16
    %e = arith.truncf %x0 : f32 to f16
    linalg.yield %a, %b, %d, %e : bf16, f32, bf16, f16
  } -> (tensor<5xbf16>, tensor<5xf32>, tensor<5xbf16>, tensor<5xf16>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<5xbf16>, tensor<5xf32>, tensor<5xbf16>, tensor<5xf16>
}
