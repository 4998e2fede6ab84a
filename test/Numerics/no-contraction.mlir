// RUN: fusion-compile %s --target=sm_80,apple9 -o %t.out
// RUN: FileCheck %s --check-prefix=PTX < %t.out/sm_80/kernels.ptx
// RUN: FileCheck %s --check-prefix=MSL < %t.out/apple9/kernels.metal
// RUN: %python %S/Inputs/exact.py contraction %t
// RUN: fusion-run %s --target=sm_80 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=none | FileCheck %s

// [N3] A product and a sum are rounded each, in the code that the target's own
// compiler gets, too.

// PTX: mul.rn.f32
// PTX: sub.rn.f32
// MSL: #pragma METAL fp contract(off)

// CHECK: out0: agrees: {{.*}}, equal

#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32>, %z: tensor<64xf32>)
    -> (tensor<64xf32>) {
  %e0 = tensor.empty() : tensor<64xf32>
  %r:1 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y, %z : tensor<64xf32>, tensor<64xf32>, tensor<64xf32>)
      outs(%e0 : tensor<64xf32>) {
  ^bb0(%x0: f32, %y0: f32, %z0: f32, %o0: f32):
    %p = arith.mulf %x0, %y0 : f32
    %d = arith.subf %p, %z0 : f32
    linalg.yield %d : f32
  } -> (tensor<64xf32>)
  return %r#0 : tensor<64xf32>
}
