// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// Causal with fewer queries than keys: the first query sees the first key, or
// the last query the last key, as the graph says.

// CHECK-COUNT-2: agrees
func.func @main(%Q: tensor<1x4x64xf32>, %K: tensor<1x16x64xf32>, %V: tensor<1x16x64xf32>, %Q1: tensor<1x4x64xf32>) -> (tensor<1x4x64xf32>, tensor<1x4x64xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<1x4x16xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<1x4x64xf32>, tensor<1x16x64xf32>) outs(%f3 : tensor<1x4x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x4x16xf32>
  %cst5 = arith.constant 0.125 : f32
  %e6 = tensor.empty() : tensor<1x4x16xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<1x4x16xf32>) outs(%e6 : tensor<1x4x16xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x16xf32>
  %cst8 = arith.constant 0xFF800000 : f32
  %e9 = tensor.empty() : tensor<1x4x16xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7 : tensor<1x4x16xf32>) outs(%e9 : tensor<1x4x16xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ule, %j, %i : index
    %r = arith.select %c, %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x16xf32>
  %e11 = tensor.empty() : tensor<1x4x16xf32>
  %f12 = linalg.fill ins(%cst1 : f32) outs(%e11 : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  %s13 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<1x4x64xf32>, tensor<1x16x64xf32>) outs(%f12 : tensor<1x4x16xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x4x16xf32>
  %e14 = tensor.empty() : tensor<1x4x16xf32>
  %t15 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s13 : tensor<1x4x16xf32>) outs(%e14 : tensor<1x4x16xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x16xf32>
  %cst16 = arith.constant 12 : index
  %e17 = tensor.empty() : tensor<1x4x16xf32>
  %t18 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t15 : tensor<1x4x16xf32>) outs(%e17 : tensor<1x4x16xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %e = arith.addi %i, %cst16 : index
    %c = arith.cmpi ule, %j, %e : index
    %r = arith.select %c, %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<1x4x16xf32>
  %e19 = tensor.empty() : tensor<1x4x16xf32>
  %p20 = linalg.softmax dimension(2) ins(%t10 : tensor<1x4x16xf32>) outs(%e19 : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  %e21 = tensor.empty() : tensor<1x4x64xf32>
  %f22 = linalg.fill ins(%cst1 : f32) outs(%e21 : tensor<1x4x64xf32>) -> tensor<1x4x64xf32>
  %out23 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p20, %V : tensor<1x4x16xf32>, tensor<1x16x64xf32>) outs(%f22 : tensor<1x4x64xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x4x64xf32>
  %e24 = tensor.empty() : tensor<1x4x16xf32>
  %p25 = linalg.softmax dimension(2) ins(%t18 : tensor<1x4x16xf32>) outs(%e24 : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  %e26 = tensor.empty() : tensor<1x4x64xf32>
  %f27 = linalg.fill ins(%cst1 : f32) outs(%e26 : tensor<1x4x64xf32>) -> tensor<1x4x64xf32>
  %out28 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p25, %V : tensor<1x4x16xf32>, tensor<1x16x64xf32>) outs(%f27 : tensor<1x4x64xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x4x64xf32>
  return %out23, %out28 : tensor<1x4x64xf32>, tensor<1x4x64xf32>
}
