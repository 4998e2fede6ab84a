// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// No keys give zeros; a width of nothing gives the mean of the values.

// CHECK-COUNT-2: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x0x8xf32>, %V: tensor<2x0x6xf32>, %Q0: tensor<2x5x0xf32>, %K0: tensor<2x7x0xf32>, %V0: tensor<2x7x6xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x0xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x0xf32>) -> tensor<2x5x0xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x0x8xf32>) outs(%f3 : tensor<2x5x0xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x0xf32>
  %cst5 = arith.constant 0.25 : f32
  %e6 = tensor.empty() : tensor<2x5x0xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x0xf32>) outs(%e6 : tensor<2x5x0xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x0xf32>
  %cst8 = arith.constant 0xFF800000 : f32
  %e9 = tensor.empty() : tensor<2x5xf32>
  %f10 = linalg.fill ins(%cst8 : f32) outs(%e9 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %max11 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t7 : tensor<2x5x0xf32>) outs(%f10 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e12 = tensor.empty() : tensor<2x5x0xf32>
  %exp13 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7, %max11 : tensor<2x5x0xf32>, tensor<2x5xf32>) outs(%e12 : tensor<2x5x0xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x0xf32>
  %e14 = tensor.empty() : tensor<2x5xf32>
  %f15 = linalg.fill ins(%cst1 : f32) outs(%e14 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %sum16 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp13 : tensor<2x5x0xf32>) outs(%f15 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e17 = tensor.empty() : tensor<2x5x0xf32>
  %p18 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp13, %sum16 : tensor<2x5x0xf32>, tensor<2x5xf32>) outs(%e17 : tensor<2x5x0xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x0xf32>
  %e19 = tensor.empty() : tensor<2x5x6xf32>
  %f20 = linalg.fill ins(%cst1 : f32) outs(%e19 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out21 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p18, %V : tensor<2x5x0xf32>, tensor<2x0x6xf32>) outs(%f20 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e22 = tensor.empty() : tensor<2x5x7xf32>
  %f23 = linalg.fill ins(%cst1 : f32) outs(%e22 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s24 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q0, %K0 : tensor<2x5x0xf32>, tensor<2x7x0xf32>) outs(%f23 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e25 = tensor.empty() : tensor<2x5x7xf32>
  %t26 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s24 : tensor<2x5x7xf32>) outs(%e25 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e27 = tensor.empty() : tensor<2x5xf32>
  %f28 = linalg.fill ins(%cst8 : f32) outs(%e27 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %max29 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t26 : tensor<2x5x7xf32>) outs(%f28 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e30 = tensor.empty() : tensor<2x5x7xf32>
  %exp31 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t26, %max29 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e30 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e32 = tensor.empty() : tensor<2x5xf32>
  %f33 = linalg.fill ins(%cst1 : f32) outs(%e32 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %sum34 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%exp31 : tensor<2x5x7xf32>) outs(%f33 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e35 = tensor.empty() : tensor<2x5x7xf32>
  %p36 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%exp31, %sum34 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e35 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e37 = tensor.empty() : tensor<2x5x6xf32>
  %f38 = linalg.fill ins(%cst1 : f32) outs(%e37 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out39 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p36, %V0 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f38 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out21, %out39 : tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
