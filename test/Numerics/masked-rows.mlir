// RUN: %python %S/Inputs/exact.py masked-rows %t
// RUN: fusion-run %s --target=sm_80 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --data=%t --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=attention | FileCheck %s

// [N12] A row without keys is zero or NaN, as `masked_rows` says, and no other row
// is touched by that.

// CHECK: out0: agrees: {{.*}}, equal
// CHECK: out1: agrees: {{.*}}, equal

func.func @main(%q: tensor<4x16xf16>, %k: tensor<24x16xf16>, %v: tensor<24x16xf16>, %m: tensor<4x24xi1>)
    -> (tensor<4x16xf16>, tensor<4x16xf16>) {
  %e = tensor.empty() : tensor<4x16xf16>
  %zero = fusion.attention {
      indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>,
        affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, k)>, affine_map<(q, d, k, v) -> (q, v)>],
      scale = 0.25 : f64, masked_rows = #fusion.masked_rows<zero>}
      ins(%q, %k, %v : tensor<4x16xf16>, tensor<24x16xf16>, tensor<24x16xf16>)
      mask(%m : tensor<4x24xi1>) outs(%e : tensor<4x16xf16>) -> tensor<4x16xf16>
  %nan = fusion.attention {
      indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>,
        affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, k)>, affine_map<(q, d, k, v) -> (q, v)>],
      scale = 0.25 : f64, masked_rows = #fusion.masked_rows<nan>}
      ins(%q, %k, %v : tensor<4x16xf16>, tensor<24x16xf16>, tensor<24x16xf16>)
      mask(%m : tensor<4x24xi1>) outs(%e : tensor<4x16xf16>) -> tensor<4x16xf16>
  return %zero, %nan : tensor<4x16xf16>, tensor<4x16xf16>
}
