// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// A feeds B and C, B feeds C: A and C may not be one kernel beside B.

// CHECK-COUNT-2: agrees
func.func @main(%X: tensor<9x12xf32>, %W: tensor<12x12xf32>) -> (tensor<9x12xf32>, tensor<9x12xf32>) {
  %e1 = tensor.empty() : tensor<9x12xf32>
  %t2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%X : tensor<9x12xf32>) outs(%e1 : tensor<9x12xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.exp %a0 : f32
    linalg.yield %r : f32
  } -> tensor<9x12xf32>
  %cst3 = arith.constant 0.0 : f32
  %e4 = tensor.empty() : tensor<9x12xf32>
  %f5 = linalg.fill ins(%cst3 : f32) outs(%e4 : tensor<9x12xf32>) -> tensor<9x12xf32>
  %s6 = linalg.generic {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (d, j)>, affine_map<(i, j, d) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t2, %W : tensor<9x12xf32>, tensor<12x12xf32>) outs(%f5 : tensor<9x12xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<9x12xf32>
  %e7 = tensor.empty() : tensor<9xf32>
  %f8 = linalg.fill ins(%cst3 : f32) outs(%e7 : tensor<9xf32>) -> tensor<9xf32>
  %sum9 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%s6 : tensor<9x12xf32>) outs(%f8 : tensor<9xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<9xf32>
  %e10 = tensor.empty() : tensor<9x12xf32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t2, %sum9 : tensor<9x12xf32>, tensor<9xf32>) outs(%e10 : tensor<9x12xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.mulf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<9x12xf32>
  %s12 = linalg.generic {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (d, j)>, affine_map<(i, j, d) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t11, %W : tensor<9x12xf32>, tensor<12x12xf32>) outs(%t2 : tensor<9x12xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<9x12xf32>
  return %t11, %s12 : tensor<9x12xf32>, tensor<9x12xf32>
}
