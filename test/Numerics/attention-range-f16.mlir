// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention | FileCheck %s --check-prefix=RAISED
// RUN: %python %S/Inputs/exact.py attention-range %t
// RUN: fusion-run %s --target=sm_80 --data=%t --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=attention | FileCheck %s

// [N14] Scores of f16 operands are f32, also where the graph rounds them to f16
// before it scales them.

// RAISED: fusion.attention

// CHECK: out0: agrees: {{.*}}, equal

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#sv = affine_map<(b, h, q, d, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, d, k) -> (b, h, k, d)>
#o = affine_map<(b, h, q, d, k) -> (b, h, q, d)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>
#row = affine_map<(b, h, q, k) -> (b, h, q)>
func.func @main(%q: tensor<1x1x4x16xf16>, %k: tensor<1x1x40x16xf16>, %v: tensor<1x1x40x16xf16>) -> tensor<1x1x4x16xf16> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f32
  %zl = arith.constant 0.0 : f16
  %zt = arith.constant 0.0 : f16
  %el = tensor.empty() : tensor<1x1x4x40xf16>
  %ef = tensor.empty() : tensor<1x1x4x40xf32>
  %er = tensor.empty() : tensor<1x1x4xf32>
  %eo = tensor.empty() : tensor<1x1x4x16xf16>
  %fl = linalg.fill ins(%zl : f16) outs(%el : tensor<1x1x4x40xf16>) -> tensor<1x1x4x40xf16>
  %fm = linalg.fill ins(%low : f32) outs(%er : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%er : tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  %fo = linalg.fill ins(%zt : f16) outs(%eo : tensor<1x1x4x16xf16>) -> tensor<1x1x4x16xf16>
  %l = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<1x1x4x16xf16>, tensor<1x1x40x16xf16>) outs(%fl : tensor<1x1x4x40xf16>) {
  ^bb0(%x: f16, %y: f16, %out: f16):
    %p = arith.mulf %x, %y : f16
    %a = arith.addf %p, %out : f16
    linalg.yield %a : f16
  } -> tensor<1x1x4x40xf16>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%l : tensor<1x1x4x40xf16>) outs(%ef : tensor<1x1x4x40xf32>) {
  ^bb0(%x: f16, %out: f32):
    %w = arith.extf %x : f16 to f32
    %p = arith.mulf %w, %scale : f32
    linalg.yield %p : f32
  } -> tensor<1x1x4x40xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s : tensor<1x1x4x40xf32>) outs(%fm : tensor<1x1x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %a = arith.maximumf %x, %out : f32
    linalg.yield %a : f32
  } -> tensor<1x1x4xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %m : tensor<1x1x4x40xf32>, tensor<1x1x4xf32>) outs(%ef : tensor<1x1x4x40xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %a = arith.subf %x, %y : f32
    %b = math.exp %a : f32
    linalg.yield %b : f32
  } -> tensor<1x1x4x40xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p : tensor<1x1x4x40xf32>) outs(%fz : tensor<1x1x4xf32>) {
  ^bb0(%x: f32, %out: f32):
    %a = arith.addf %x, %out : f32
    linalg.yield %a : f32
  } -> tensor<1x1x4xf32>
  %et = tensor.empty() : tensor<1x1x4x40xf16>
  %n = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p, %sum : tensor<1x1x4x40xf32>, tensor<1x1x4xf32>) outs(%et : tensor<1x1x4x40xf16>) {
  ^bb0(%x: f32, %y: f32, %out: f16):
    %a = arith.divf %x, %y : f32
    %b = arith.truncf %a : f32 to f16
    linalg.yield %b : f16
  } -> tensor<1x1x4x40xf16>
  %r = linalg.generic {indexing_maps = [#sv, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%n, %v : tensor<1x1x4x40xf16>, tensor<1x1x40x16xf16>) outs(%fo : tensor<1x1x4x16xf16>) {
  ^bb0(%x: f16, %y: f16, %out: f16):
    %a = arith.mulf %x, %y : f16
    %b = arith.addf %a, %out : f16
    linalg.yield %b : f16
  } -> tensor<1x1x4x16xf16>
  return %r : tensor<1x1x4x16xf16>
}
