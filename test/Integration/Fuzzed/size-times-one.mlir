// A size times one is that size: whoever knows it knows the other.
// RUN: fusion-run %s --target=sm_80 --level=none --seed=736 --dims=3,1,96,33,3,33 --donate=0,1,2 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --seed=736 --dims=3,1,96,33,3,33 --donate=0,1,2 --check | FileCheck %s

// CHECK: out0: agrees
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @main(%arg0: tensor<?x?x?xf32>, %arg1: tensor<96x33xf32>, %arg2: tensor<?xf32>, %arg3: tensor<?x1x?xf32>) -> tensor<?x1x?xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<?x?x?xf32> into tensor<?x?xf32>
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %collapsed, %c0 : tensor<?x?xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty(%dim) : tensor<?x33xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<?x33xf32>) -> tensor<?x33xf32>
    %2 = linalg.matmul ins(%collapsed, %arg1 : tensor<?x?xf32>, tensor<96x33xf32>) outs(%1 : tensor<?x33xf32>) -> tensor<?x33xf32>
    %c0_0 = arith.constant 0 : index
    %dim_1 = tensor.dim %arg0, %c0_0 : tensor<?x?x?xf32>
    %c1 = arith.constant 1 : index
    %dim_2 = tensor.dim %arg0, %c1 : tensor<?x?x?xf32>
    %expanded = tensor.expand_shape %2 [[0, 1], [2]] output_shape [%dim_1, %dim_2, 33] : tensor<?x33xf32> into tensor<?x?x33xf32>
    %c0_3 = arith.constant 0 : index
    %dim_4 = tensor.dim %expanded, %c0_3 : tensor<?x?x33xf32>
    %c1_5 = arith.constant 1 : index
    %dim_6 = tensor.dim %expanded, %c1_5 : tensor<?x?x33xf32>
    %3 = tensor.empty(%dim_4, %dim_6) : tensor<?x?x33xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %arg2 : tensor<?x?x33xf32>, tensor<?xf32>) outs(%3 : tensor<?x?x33xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %9 = arith.addf %in, %in_14 : f32
      linalg.yield %9 : f32
    } -> tensor<?x?x33xf32>
    %c0_7 = arith.constant 0 : index
    %dim_8 = tensor.dim %arg3, %c0_7 : tensor<?x1x?xf32>
    %c2 = arith.constant 2 : index
    %dim_9 = tensor.dim %arg3, %c2 : tensor<?x1x?xf32>
    %5 = tensor.empty(%dim_8, %dim_9) : tensor<?x1x?xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3, %4 : tensor<?x1x?xf32>, tensor<?x?x33xf32>) outs(%5 : tensor<?x1x?xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %9 = arith.addf %in, %in_14 : f32
      linalg.yield %9 : f32
    } -> tensor<?x1x?xf32>
    %c0_10 = arith.constant 0 : index
    %dim_11 = tensor.dim %6, %c0_10 : tensor<?x1x?xf32>
    %c2_12 = arith.constant 2 : index
    %dim_13 = tensor.dim %6, %c2_12 : tensor<?x1x?xf32>
    %7 = tensor.empty(%dim_11, %dim_13) : tensor<?x1x?xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<?x1x?xf32>) outs(%7 : tensor<?x1x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_14 = arith.constant 1.250000e-01 : f32
      %9 = arith.mulf %in, %cst_14 : f32
      linalg.yield %9 : f32
    } -> tensor<?x1x?xf32>
    return %8 : tensor<?x1x?xf32>
  }
}
