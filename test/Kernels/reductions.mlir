// RUN: fusion-run %s --target=sm_80 --check --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=attention | FileCheck %s

// Reductions over the first, the last and all dimensions, of several types.

// CHECK: out0: agrees
// CHECK: out1: agrees
// CHECK: out2: agrees
// CHECK: out3: agrees
// CHECK: out4: agrees
// CHECK: out5: agrees

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>
#all = affine_map<(d0, d1) -> ()>
func.func @main(%x: tensor<5x37xf32>, %h: tensor<5x37xf16>, %i: tensor<5x37xi64>, %b: tensor<5x37xi1>)
    -> (tensor<5xf32>, tensor<37xf32>, tensor<f32>, tensor<5xf16>, tensor<5xi64>, tensor<5xi1>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFC00 : f16
  %izero = arith.constant 3 : i64
  %true = arith.constant true
  %e5 = tensor.empty() : tensor<5xf32>
  %e37 = tensor.empty() : tensor<37xf32>
  %e0 = tensor.empty() : tensor<f32>
  %eh = tensor.empty() : tensor<5xf16>
  %ei = tensor.empty() : tensor<5xi64>
  %eb = tensor.empty() : tensor<5xi1>
  %f5 = linalg.fill ins(%zero : f32) outs(%e5 : tensor<5xf32>) -> tensor<5xf32>
  %f37 = linalg.fill ins(%zero : f32) outs(%e37 : tensor<37xf32>) -> tensor<37xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %fh = linalg.fill ins(%low : f16) outs(%eh : tensor<5xf16>) -> tensor<5xf16>
  %fi = linalg.fill ins(%izero : i64) outs(%ei : tensor<5xi64>) -> tensor<5xi64>
  %fb = linalg.fill ins(%true : i1) outs(%eb : tensor<5xi1>) -> tensor<5xi1>
  %r0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x37xf32>) outs(%f5 : tensor<5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sq = arith.mulf %in, %in : f32
    %v = arith.addf %sq, %out : f32
    linalg.yield %v : f32
  } -> tensor<5xf32>
  %r1 = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<5x37xf32>) outs(%f37 : tensor<37xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<37xf32>
  %r2 = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<5x37xf32>) outs(%f0 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<f32>
  %r3 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<5x37xf16>) outs(%fh : tensor<5xf16>) {
  ^bb0(%in: f16, %out: f16):
    %v = arith.maximumf %in, %out : f16
    linalg.yield %v : f16
  } -> tensor<5xf16>
  %r4 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%i : tensor<5x37xi64>) outs(%fi : tensor<5xi64>) {
  ^bb0(%in: i64, %out: i64):
    %v = arith.addi %in, %out : i64
    linalg.yield %v : i64
  } -> tensor<5xi64>
  %r5 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<5x37xi1>) outs(%fb : tensor<5xi1>) {
  ^bb0(%in: i1, %out: i1):
    %v = arith.andi %in, %out : i1
    linalg.yield %v : i1
  } -> tensor<5xi1>
  return %r0, %r1, %r2, %r3, %r4, %r5 : tensor<5xf32>, tensor<37xf32>, tensor<f32>, tensor<5xf16>, tensor<5xi64>, tensor<5xi1>
}
