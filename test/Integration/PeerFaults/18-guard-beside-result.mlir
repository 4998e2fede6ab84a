// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// An element-wise result and a reduction of conditions on it in one kernel:
// PyTorch's guard of rows without keys, scores returned too.

// CHECK-COUNT-2: agrees
func.func @main(%X: tensor<2x5x7xf32>, %M: tensor<2x5x7xi1>) -> (tensor<2x5x7xf32>, tensor<2x5x7xf32>) {
  %cst1 = arith.constant 0xFF800000 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %t3 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%X, %M : tensor<2x5x7xf32>, tensor<2x5x7xi1>) outs(%e2 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %r = arith.select %a1, %a0, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e4 = tensor.empty() : tensor<2x5x7xf32>
  %p5 = linalg.softmax dimension(2) ins(%t3 : tensor<2x5x7xf32>) outs(%e4 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst6 = arith.constant 0xFFF0000000000000 : f64
  %e7 = tensor.empty() : tensor<2x5x7xi1>
  %t8 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t3 : tensor<2x5x7xf32>) outs(%e7 : tensor<2x5x7xi1>) {
  ^bb0(%a0: f32, %o: i1):
    %x = arith.extf %a0 : f32 to f64
    %r = arith.cmpf oeq, %x, %cst6 : f64
    linalg.yield %r : i1
  } -> tensor<2x5x7xi1>
  %cst9 = arith.constant true
  %e10 = tensor.empty() : tensor<2x5xi1>
  %f11 = linalg.fill ins(%cst9 : i1) outs(%e10 : tensor<2x5xi1>) -> tensor<2x5xi1>
  %t12 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t8 : tensor<2x5x7xi1>) outs(%f11 : tensor<2x5xi1>) {
  ^bb0(%a0: i1, %o: i1):
    %r = arith.andi %a0, %o : i1
    linalg.yield %r : i1
  } -> tensor<2x5xi1>
  %cst13 = arith.constant 0.0 : f32
  %e14 = tensor.empty() : tensor<2x5x7xf32>
  %t15 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p5, %t12 : tensor<2x5x7xf32>, tensor<2x5xi1>) outs(%e14 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %r = arith.select %a1, %cst13, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  return %t3, %t15 : tensor<2x5x7xf32>, tensor<2x5x7xf32>
}
