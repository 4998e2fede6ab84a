// RUN: %python %S/Inputs/exact.py casts-f64 %t
// RUN: fusion-run %s --target=sm_80 --data=%t --level=none | FileCheck %s

// [N2] A cast from f64 rounds once, not over f32.

// CHECK: out0: agrees: {{.*}}, equal
// CHECK: out1: agrees: {{.*}}, equal
// CHECK: out2: agrees: {{.*}}, equal

#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<5xf64>)
    -> (tensor<5xf16>, tensor<5xbf16>, tensor<5xf32>) {
  %e0 = tensor.empty() : tensor<5xf16>
  %e1 = tensor.empty() : tensor<5xbf16>
  %e2 = tensor.empty() : tensor<5xf32>
  %r:3 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<5xf64>)
      outs(%e0, %e1, %e2 : tensor<5xf16>, tensor<5xbf16>, tensor<5xf32>) {
  ^bb0(%x0: f64, %o0: f16, %o1: bf16, %o2: f32):
    %a = arith.truncf %x0 : f64 to f16
    %b = arith.truncf %x0 : f64 to bf16
    %c = arith.truncf %x0 : f64 to f32
    linalg.yield %a, %b, %c : f16, bf16, f32
  } -> (tensor<5xf16>, tensor<5xbf16>, tensor<5xf32>)
  return %r#0, %r#1, %r#2 : tensor<5xf16>, tensor<5xbf16>, tensor<5xf32>
}
