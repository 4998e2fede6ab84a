// RUN: %python %S/Inputs/exact.py products %t
// RUN: fusion-run %s --target=sm_80 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --data=%t --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=attention | FileCheck %s

// [N10] f32 products have all 24 bits: no tf32, for many rows and for one.
// [N11] f16 products are summed up in f32, whatever the type of the result, and
// don't overflow there.

// CHECK: out0: agrees: {{.*}}, equal
// CHECK: out1: agrees: {{.*}}, equal
// CHECK: out2: agrees: {{.*}}, equal
// CHECK: out3: agrees: {{.*}}, equal
// CHECK: out4: agrees: {{.*}}, equal

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#bt = affine_map<(d0, d1, d2) -> (d1, d2)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%x: tensor<20x24xf32>, %w: tensor<24x16xf32>, %h: tensor<20x64xf16>, %g: tensor<64x16xf16>, %big: tensor<20x64xf16>)
    -> (tensor<20x16xf32>, tensor<1x16xf32>, tensor<20x16xf32>, tensor<20x16xf16>, tensor<20x20xf32>) {
  %row = tensor.extract_slice %x[0, 0] [1, 24] [1, 1] : tensor<20x24xf32> to tensor<1x24xf32>
  %z0 = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<20x16xf32>
  %f0 = linalg.fill ins(%z0 : f32) outs(%e0 : tensor<20x16xf32>) -> tensor<20x16xf32>
  %r0 = linalg.matmul ins(%x, %w : tensor<20x24xf32>, tensor<24x16xf32>) outs(%f0 : tensor<20x16xf32>) -> tensor<20x16xf32>
  %z1 = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<1x16xf32>
  %f1 = linalg.fill ins(%z1 : f32) outs(%e1 : tensor<1x16xf32>) -> tensor<1x16xf32>
  %r1 = linalg.matmul ins(%row, %w : tensor<1x24xf32>, tensor<24x16xf32>) outs(%f1 : tensor<1x16xf32>) -> tensor<1x16xf32>
  %z2 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<20x16xf32>
  %f2 = linalg.fill ins(%z2 : f32) outs(%e2 : tensor<20x16xf32>) -> tensor<20x16xf32>
  %r2 = linalg.matmul ins(%h, %g : tensor<20x64xf16>, tensor<64x16xf16>) outs(%f2 : tensor<20x16xf32>) -> tensor<20x16xf32>
  %z3 = arith.constant 0.0 : f16
  %e3 = tensor.empty() : tensor<20x16xf16>
  %f3 = linalg.fill ins(%z3 : f16) outs(%e3 : tensor<20x16xf16>) -> tensor<20x16xf16>
  %r3 = linalg.matmul ins(%h, %g : tensor<20x64xf16>, tensor<64x16xf16>) outs(%f3 : tensor<20x16xf16>) -> tensor<20x16xf16>
  %z4 = arith.constant 0.0 : f32
  %e4 = tensor.empty() : tensor<20x20xf32>
  %f4 = linalg.fill ins(%z4 : f32) outs(%e4 : tensor<20x20xf32>) -> tensor<20x20xf32>
  %r4 = linalg.matmul indexing_maps = [#a, #bt, #c] ins(%big, %big : tensor<20x64xf16>, tensor<20x64xf16>) outs(%f4 : tensor<20x20xf32>) -> tensor<20x20xf32>
  return %r0, %r1, %r2, %r3, %r4 : tensor<20x16xf32>, tensor<1x16xf32>, tensor<20x16xf32>, tensor<20x16xf16>, tensor<20x20xf32>
}
