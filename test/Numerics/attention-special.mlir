// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention | FileCheck %s --check-prefix=RAISED
// RUN: %python %S/Inputs/exact.py attention-special %t
// RUN: fusion-run %s --target=sm_80 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --data=%t --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=attention | FileCheck %s

// [N12] NaN, an infinite score and a row without keys show in their own row: a
// row all of whose scores are minus infinity is NaN, as the graph says (minus
// infinity minus itself); under a finite least mask it is the mean.

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
func.func @main(%q: tensor<1x1x8x16xf32>, %k: tensor<1x1x8x16xf32>, %v: tensor<1x1x8x16xf32>, %mask: tensor<1x1x8x8xf32>) -> tensor<1x1x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.25 : f32
  %zl = arith.constant 0.0 : f32
  %zt = arith.constant 0.0 : f32
  %el = tensor.empty() : tensor<1x1x8x8xf32>
  %ef = tensor.empty() : tensor<1x1x8x8xf32>
  %er = tensor.empty() : tensor<1x1x8xf32>
  %eo = tensor.empty() : tensor<1x1x8x16xf32>
  %fl = linalg.fill ins(%zl : f32) outs(%el : tensor<1x1x8x8xf32>) -> tensor<1x1x8x8xf32>
  %fm = linalg.fill ins(%low : f32) outs(%er : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%er : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  %fo = linalg.fill ins(%zt : f32) outs(%eo : tensor<1x1x8x16xf32>) -> tensor<1x1x8x16xf32>
  %l = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<1x1x8x16xf32>, tensor<1x1x8x16xf32>) outs(%fl : tensor<1x1x8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %a = arith.addf %p, %out : f32
    linalg.yield %a : f32
  } -> tensor<1x1x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%l, %mask : tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>) outs(%ef : tensor<1x1x8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %scale : f32
    %a = arith.addf %p, %y : f32
    linalg.yield %a : f32
  } -> tensor<1x1x8x8xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%s : tensor<1x1x8x8xf32>) outs(%fm : tensor<1x1x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %a = arith.maximumf %x, %out : f32
    linalg.yield %a : f32
  } -> tensor<1x1x8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %m : tensor<1x1x8x8xf32>, tensor<1x1x8xf32>) outs(%ef : tensor<1x1x8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %a = arith.subf %x, %y : f32
    %b = math.exp %a : f32
    linalg.yield %b : f32
  } -> tensor<1x1x8x8xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p : tensor<1x1x8x8xf32>) outs(%fz : tensor<1x1x8xf32>) {
  ^bb0(%x: f32, %out: f32):
    %a = arith.addf %x, %out : f32
    linalg.yield %a : f32
  } -> tensor<1x1x8xf32>
  %et = tensor.empty() : tensor<1x1x8x8xf32>
  %n = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p, %sum : tensor<1x1x8x8xf32>, tensor<1x1x8xf32>) outs(%et : tensor<1x1x8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %a = arith.divf %x, %y : f32
    linalg.yield %a : f32
  } -> tensor<1x1x8x8xf32>
  %r = linalg.generic {indexing_maps = [#sv, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%n, %v : tensor<1x1x8x8xf32>, tensor<1x1x8x16xf32>) outs(%fo : tensor<1x1x8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %a = arith.mulf %x, %y : f32
    %b = arith.addf %a, %out : f32
    linalg.yield %b : f32
  } -> tensor<1x1x8x16xf32>
  return %r : tensor<1x1x8x16xf32>
}
