// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s --check-prefix=RAISED
// RUN: %python %S/Inputs/exact.py probabilities-large %t
// RUN: fusion-run %s --target=sm_80 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --data=%t | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t | FileCheck %s

// [N17] A row's largest score is its reference, also among probabilities that
// are kept: with all the weight on one key, of whatever score, it has exactly 1.
// On matrix units, and on the f32 numbers that scalar units multiply.

// RAISED-COUNT-2: fusion.attention {{.*}}, tensor<2x13x37xf32>

// CHECK: out0: agrees: {{.*}}, equal
// CHECK: out1: agrees: {{.*}}, equal
// CHECK: out2: agrees: {{.*}}, equal
// CHECK: out3: agrees: {{.*}}, equal

#q = affine_map<(b, i, j, d) -> (b, i, d)>
#k = affine_map<(b, i, j, d) -> (b, j, d)>
#s = affine_map<(b, i, j, d) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
func.func @main(%q16: tensor<2x13x67xf16>, %k16: tensor<2x37x67xf16>, %v16: tensor<2x37x6xf16>,
                %q32: tensor<2x13x67xf32>, %k32: tensor<2x37x67xf32>, %v32: tensor<2x37x6xf32>)
    -> (tensor<2x13x6xf32>, tensor<2x13x37xf32>, tensor<2x13x6xf32>, tensor<2x13x37xf32>) {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 1.1 : f32
  %e = tensor.empty() : tensor<2x13x37xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x13x37xf32>) -> tensor<2x13x37xf32>
  %eo = tensor.empty() : tensor<2x13x6xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x13x6xf32>) -> tensor<2x13x6xf32>
  %s16 = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q16, %k16 : tensor<2x13x67xf16>, tensor<2x37x67xf16>) outs(%f : tensor<2x13x37xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %p = arith.mulf %xw, %yw : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x13x37xf32>
  %p16 = linalg.softmax dimension(2) ins(%s16 : tensor<2x13x37xf32>) outs(%e : tensor<2x13x37xf32>) -> tensor<2x13x37xf32>
  %e16 = tensor.empty() : tensor<2x13x37xf16>
  %n16 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p16 : tensor<2x13x37xf32>) outs(%e16 : tensor<2x13x37xf16>) {
  ^bb0(%x: f32, %o: f16):
    %r = arith.truncf %x : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x13x37xf16>
  %o16 = linalg.batch_matmul ins(%n16, %v16 : tensor<2x13x37xf16>, tensor<2x37x6xf16>) outs(%fo : tensor<2x13x6xf32>) -> tensor<2x13x6xf32>
  %s32 = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q32, %k32 : tensor<2x13x67xf32>, tensor<2x37x67xf32>) outs(%f : tensor<2x13x37xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x13x37xf32>
  %t32 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s32 : tensor<2x13x37xf32>) outs(%e : tensor<2x13x37xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.mulf %x, %scale : f32
    linalg.yield %r : f32
  } -> tensor<2x13x37xf32>
  %p32 = linalg.softmax dimension(2) ins(%t32 : tensor<2x13x37xf32>) outs(%e : tensor<2x13x37xf32>) -> tensor<2x13x37xf32>
  %o32 = linalg.batch_matmul ins(%p32, %v32 : tensor<2x13x37xf32>, tensor<2x37x6xf32>) outs(%fo : tensor<2x13x6xf32>) -> tensor<2x13x6xf32>
  return %o16, %p16, %o32, %p32 : tensor<2x13x6xf32>, tensor<2x13x37xf32>, tensor<2x13x6xf32>, tensor<2x13x37xf32>
}
