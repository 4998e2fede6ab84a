// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// Reductions that start from something: a sum from a tensor, a maximum from 0,
// a product's accumulator from a bias.

// CHECK-COUNT-3: agrees
func.func @main(%X: tensor<5x33xf32>, %Y: tensor<5xf32>, %W: tensor<33x6xf32>, %Z: tensor<5x6xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5x6xf32>) {
  %t1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%X : tensor<5x33xf32>) outs(%Y : tensor<5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  %cst2 = arith.constant -1.0 : f32
  %e3 = tensor.empty() : tensor<5x33xf32>
  %t4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%X : tensor<5x33xf32>) outs(%e3 : tensor<5x33xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst2 : f32
    linalg.yield %r : f32
  } -> tensor<5x33xf32>
  %cst5 = arith.constant 0.0 : f32
  %e6 = tensor.empty() : tensor<5xf32>
  %f7 = linalg.fill ins(%cst5 : f32) outs(%e6 : tensor<5xf32>) -> tensor<5xf32>
  %max8 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%t4 : tensor<5x33xf32>) outs(%f7 : tensor<5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  %s9 = linalg.generic {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (d, j)>, affine_map<(i, j, d) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%X, %W : tensor<5x33xf32>, tensor<33x6xf32>) outs(%Z : tensor<5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<5x6xf32>
  return %t1, %max8, %s9 : tensor<5xf32>, tensor<5xf32>, tensor<5x6xf32>
}
