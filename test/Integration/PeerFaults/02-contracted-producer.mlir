// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// A producer computed once for the maximum and once for the exponential must
// be the same number both times: with x * c contracted into one fma, the
// exponent of the largest score can be anything.

// CHECK-COUNT-2: agrees
func.func @main(%X: tensor<5x37xf32>) -> (tensor<5x37xf32>, tensor<5x37xf32>) {
  %cst1 = arith.constant 3.3e35 : f32
  %e2 = tensor.empty() : tensor<5x37xf32>
  %t3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%X : tensor<5x37xf32>) outs(%e2 : tensor<5x37xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<5x37xf32>
  %cst4 = arith.constant 0.3 : f32
  %e5 = tensor.empty() : tensor<5x37xf32>
  %t6 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t3 : tensor<5x37xf32>) outs(%e5 : tensor<5x37xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst4 : f32
    linalg.yield %r : f32
  } -> tensor<5x37xf32>
  %cst7 = arith.constant 777.7 : f32
  %e8 = tensor.empty() : tensor<5x37xf32>
  %t9 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%X : tensor<5x37xf32>) outs(%e8 : tensor<5x37xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst7 : f32
    linalg.yield %r : f32
  } -> tensor<5x37xf32>
  %cst10 = arith.constant 1.1 : f32
  %e11 = tensor.empty() : tensor<5x37xf32>
  %t12 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t9 : tensor<5x37xf32>) outs(%e11 : tensor<5x37xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst10 : f32
    linalg.yield %r : f32
  } -> tensor<5x37xf32>
  %cst13 = arith.constant 0xFF800000 : f32
  %e14 = tensor.empty() : tensor<5xf32>
  %f15 = linalg.fill ins(%cst13 : f32) outs(%e14 : tensor<5xf32>) -> tensor<5xf32>
  %max16 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%t6 : tensor<5x37xf32>) outs(%f15 : tensor<5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  %e17 = tensor.empty() : tensor<5x37xf32>
  %exp18 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t6, %max16 : tensor<5x37xf32>, tensor<5xf32>) outs(%e17 : tensor<5x37xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<5x37xf32>
  %cst19 = arith.constant 0.0 : f32
  %e20 = tensor.empty() : tensor<5xf32>
  %f21 = linalg.fill ins(%cst19 : f32) outs(%e20 : tensor<5xf32>) -> tensor<5xf32>
  %sum22 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%exp18 : tensor<5x37xf32>) outs(%f21 : tensor<5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  %e23 = tensor.empty() : tensor<5x37xf32>
  %p24 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%exp18, %sum22 : tensor<5x37xf32>, tensor<5xf32>) outs(%e23 : tensor<5x37xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<5x37xf32>
  %e25 = tensor.empty() : tensor<5xf32>
  %f26 = linalg.fill ins(%cst13 : f32) outs(%e25 : tensor<5xf32>) -> tensor<5xf32>
  %max27 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%t12 : tensor<5x37xf32>) outs(%f26 : tensor<5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  %e28 = tensor.empty() : tensor<5x37xf32>
  %exp29 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t12, %max27 : tensor<5x37xf32>, tensor<5xf32>) outs(%e28 : tensor<5x37xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<5x37xf32>
  %e30 = tensor.empty() : tensor<5xf32>
  %f31 = linalg.fill ins(%cst19 : f32) outs(%e30 : tensor<5xf32>) -> tensor<5xf32>
  %sum32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%exp29 : tensor<5x37xf32>) outs(%f31 : tensor<5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  %e33 = tensor.empty() : tensor<5x37xf32>
  %p34 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%exp29, %sum32 : tensor<5x37xf32>, tensor<5xf32>) outs(%e33 : tensor<5x37xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<5x37xf32>
  return %p24, %p34 : tensor<5x37xf32>, tensor<5x37xf32>
}
