// RUN: fusion-run %s --target=sm_80 --check --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --level=attention | FileCheck %s

// f64 in the generic kernel; Metal has none.

// CHECK: out0: agrees
// CHECK: out1: agrees

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%x: tensor<5x9xf64>, %w: tensor<9x4xf64>) -> (tensor<5x4xf64>, tensor<5xf64>) {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<5x4xf64>
  %er = tensor.empty() : tensor<5xf64>
  %f = linalg.fill ins(%zero : f64) outs(%e : tensor<5x4xf64>) -> tensor<5x4xf64>
  %fr = linalg.fill ins(%zero : f64) outs(%er : tensor<5xf64>) -> tensor<5xf64>
  %p = linalg.matmul ins(%x, %w : tensor<5x9xf64>, tensor<9x4xf64>) outs(%f : tensor<5x4xf64>) -> tensor<5x4xf64>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x9xf64>) outs(%fr : tensor<5xf64>) {
  ^bb0(%in: f64, %out: f64):
    %v = arith.addf %in, %out : f64
    linalg.yield %v : f64
  } -> tensor<5xf64>
  return %p, %r : tensor<5x4xf64>, tensor<5xf64>
}
