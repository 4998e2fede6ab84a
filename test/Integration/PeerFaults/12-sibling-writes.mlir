// RUN: fusion-run %s --target=sm_80 --check --range=0,3 | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --range=0,3 | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --range=0,3 --donate=0 | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --range=0,3 --donate=0 | FileCheck %s

// Two writes to one cache that do not see each other, one of them paged (by
// blocks): neither may clobber the other, nor the cache while it is still
// read.

// CHECK-COUNT-3: agrees
func.func @main(%C: tensor<4x3x8xf32>, %A: tensor<1x3x8xf32>, %B: tensor<4x1x8xf32>, %P: tensor<i64>) -> (tensor<4x3x8xf32>, tensor<4x3x8xf32>, tensor<4x3x8xf32>) {
  %x1 = tensor.extract %P[] : tensor<i64>
  %pos2 = arith.index_cast %x1 : i64 to index
  %t3 = tensor.insert_slice %A into %C[%pos2, 0, 0] [1, 3, 8] [1, 1, 1] : tensor<1x3x8xf32> into tensor<4x3x8xf32>
  %t4 = tensor.insert_slice %B into %C[0, 1, 0] [4, 1, 8] [1, 1, 1] : tensor<4x1x8xf32> into tensor<4x3x8xf32>
  %e5 = tensor.empty() : tensor<4x3x8xf32>
  %t6 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%C, %t3, %t4 : tensor<4x3x8xf32>, tensor<4x3x8xf32>, tensor<4x3x8xf32>) outs(%e5 : tensor<4x3x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %o: f32):
    %x = arith.mulf %a0, %a1 : f32
    %r = arith.subf %x, %a2 : f32
    linalg.yield %r : f32
  } -> tensor<4x3x8xf32>
  return %t3, %t4, %t6 : tensor<4x3x8xf32>, tensor<4x3x8xf32>, tensor<4x3x8xf32>
}
