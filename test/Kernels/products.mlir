// RUN: fusion-run %s --target=sm_80 --check --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=attention | FileCheck %s

// Contractions: odd sizes, transposed, batched, matrix by vector, an init that is added.

// CHECK: out0: agrees
// CHECK: out1: agrees
// CHECK: out2: agrees

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#bt = affine_map<(d0, d1, d2) -> (d1, d2)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%x: tensor<33x77xf16>, %w: tensor<9x77xf16>, %p: tensor<3x5x7xf32>, %q: tensor<3x7x11xf32>, %v: tensor<77xf16>, %i: tensor<33x9xf32>)
    -> (tensor<33x9xf32>, tensor<3x5x11xf32>, tensor<33xf32>) {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<3x5x11xf32>
  %e2 = tensor.empty() : tensor<33xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<3x5x11xf32>) -> tensor<3x5x11xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<33xf32>) -> tensor<33xf32>
  %r0 = linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<33x77xf16>, tensor<9x77xf16>) outs(%i : tensor<33x9xf32>) {
  ^bb0(%l: f16, %m: f16, %out: f32):
    %le = arith.extf %l : f16 to f32
    %me = arith.extf %m : f16 to f32
    %pr = arith.mulf %le, %me : f32
    %s = arith.addf %out, %pr : f32
    linalg.yield %s : f32
  } -> tensor<33x9xf32>
  %r1 = linalg.batch_matmul ins(%p, %q : tensor<3x5x7xf32>, tensor<3x7x11xf32>) outs(%f1 : tensor<3x5x11xf32>) -> tensor<3x5x11xf32>
  %r2 = linalg.matvec ins(%x, %v : tensor<33x77xf16>, tensor<77xf16>) outs(%f2 : tensor<33xf32>) -> tensor<33xf32>
  return %r0, %r1, %r2 : tensor<33x9xf32>, tensor<3x5x11xf32>, tensor<33xf32>
}
