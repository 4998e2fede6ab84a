// RUN: fusion-run %s --target=sm_80 --check --level=none  | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --level=attention  | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=none  | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=attention  | FileCheck %s

// A product of vectors that starts from an argument: its one element has no
// index, and is stored all the same.

// CHECK: out0: agrees
// CHECK: out1: agrees

#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
#scalar = affine_map<() -> ()>
func.func @main(%x: tensor<7xf32>, %y: tensor<7xf32>, %start: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = linalg.generic {indexing_maps = [#id, #id, #none], iterator_types = ["reduction"]}
      ins(%x, %y : tensor<7xf32>, tensor<7xf32>) outs(%start : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %out : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %e = tensor.empty() : tensor<f32>
  %1 = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []}
      ins(%0 : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%a: f32, %out: f32):
    %zero = arith.constant 0.0 : f32
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
