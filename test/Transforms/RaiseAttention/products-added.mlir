// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Relative positions of ViTDet, as PyTorch exports them: two more products are
// added to that of queries and keys, one after the other.

// CHECK-COUNT-1: fusion.attention {{.*}} mask(
// AGREES: agrees

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, 0, d4)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @main(%arg0: tensor<4x9x16xf32>, %arg1: tensor<4x9x16xf32>, %arg2: tensor<4x9x16xf32>, %arg3: tensor<3x3x16xf32>, %arg4: tensor<3x3x16xf32>) -> tensor<4x9x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 2.500000e-01 : f32
    %0 = tensor.empty() : tensor<4x16x9xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<4x9x16xf32>) outs(%0 : tensor<4x16x9xf32>) permutation = [0, 2, 1] 
    %1 = tensor.empty() : tensor<4x9x9xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<4x9x9xf32>) -> tensor<4x9x9xf32>
    %3 = linalg.batch_matmul ins(%arg2, %transposed : tensor<4x9x16xf32>, tensor<4x16x9xf32>) outs(%2 : tensor<4x9x9xf32>) -> tensor<4x9x9xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<4x9x9xf32>) outs(%1 : tensor<4x9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.mulf %in, %cst_1 : f32
      linalg.yield %29 : f32
    } -> tensor<4x9x9xf32>
    %expanded = tensor.expand_shape %arg2 [[0], [1, 2], [3, 4]] output_shape [4, 3, 3, 16, 1] : tensor<4x9x16xf32> into tensor<4x3x3x16x1xf32>
    %expanded_2 = tensor.expand_shape %arg3 [[0], [1], [2, 3, 4]] output_shape [3, 3, 16, 1, 1] : tensor<3x3x16xf32> into tensor<3x3x16x1x1xf32>
    %5 = tensor.empty() : tensor<3x4x3x16x1xf32>
    %transposed_3 = linalg.transpose ins(%expanded : tensor<4x3x3x16x1xf32>) outs(%5 : tensor<3x4x3x16x1xf32>) permutation = [1, 0, 2, 3, 4] 
    %collapsed = tensor.collapse_shape %transposed_3 [[0], [1, 2], [3, 4]] : tensor<3x4x3x16x1xf32> into tensor<3x12x16xf32>
    %6 = tensor.empty() : tensor<3x16x3x1x1xf32>
    %transposed_4 = linalg.transpose ins(%expanded_2 : tensor<3x3x16x1x1xf32>) outs(%6 : tensor<3x16x3x1x1xf32>) permutation = [0, 2, 1, 3, 4] 
    %collapsed_5 = tensor.collapse_shape %transposed_4 [[0], [1], [2, 3, 4]] : tensor<3x16x3x1x1xf32> into tensor<3x16x3xf32>
    %7 = tensor.empty() : tensor<3x12x3xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<3x12x3xf32>) -> tensor<3x12x3xf32>
    %9 = linalg.batch_matmul ins(%collapsed, %collapsed_5 : tensor<3x12x16xf32>, tensor<3x16x3xf32>) outs(%8 : tensor<3x12x3xf32>) -> tensor<3x12x3xf32>
    %expanded_6 = tensor.expand_shape %9 [[0], [1, 2], [3, 4]] output_shape [3, 4, 3, 1, 3] : tensor<3x12x3xf32> into tensor<3x4x3x1x3xf32>
    %10 = tensor.empty() : tensor<4x3x3x3x1xf32>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<3x4x3x1x3xf32>) outs(%10 : tensor<4x3x3x3x1xf32>) permutation = [1, 0, 2, 4, 3] 
    %expanded_8 = tensor.expand_shape %arg4 [[0], [1], [2, 3, 4]] output_shape [3, 3, 16, 1, 1] : tensor<3x3x16xf32> into tensor<3x3x16x1x1xf32>
    %transposed_9 = linalg.transpose ins(%expanded : tensor<4x3x3x16x1xf32>) outs(%5 : tensor<3x4x3x16x1xf32>) permutation = [2, 0, 1, 3, 4] 
    %collapsed_10 = tensor.collapse_shape %transposed_9 [[0], [1, 2], [3, 4]] : tensor<3x4x3x16x1xf32> into tensor<3x12x16xf32>
    %transposed_11 = linalg.transpose ins(%expanded_8 : tensor<3x3x16x1x1xf32>) outs(%6 : tensor<3x16x3x1x1xf32>) permutation = [0, 2, 1, 3, 4] 
    %collapsed_12 = tensor.collapse_shape %transposed_11 [[0], [1], [2, 3, 4]] : tensor<3x16x3x1x1xf32> into tensor<3x16x3xf32>
    %11 = linalg.batch_matmul ins(%collapsed_10, %collapsed_12 : tensor<3x12x16xf32>, tensor<3x16x3xf32>) outs(%8 : tensor<3x12x3xf32>) -> tensor<3x12x3xf32>
    %expanded_13 = tensor.expand_shape %11 [[0], [1, 2], [3, 4]] output_shape [3, 4, 3, 1, 3] : tensor<3x12x3xf32> into tensor<3x4x3x1x3xf32>
    %transposed_14 = linalg.transpose ins(%expanded_13 : tensor<3x4x3x1x3xf32>) outs(%10 : tensor<4x3x3x3x1xf32>) permutation = [1, 2, 0, 4, 3] 
    %collapsed_15 = tensor.collapse_shape %transposed_14 [[0], [1], [2], [3, 4]] : tensor<4x3x3x3x1xf32> into tensor<4x3x3x3xf32>
    %expanded_16 = tensor.expand_shape %collapsed_15 [[0], [1], [2], [3, 4]] output_shape [4, 3, 3, 1, 3] : tensor<4x3x3x3xf32> into tensor<4x3x3x1x3xf32>
    %expanded_17 = tensor.expand_shape %4 [[0], [1, 2], [3, 4]] output_shape [4, 3, 3, 3, 3] : tensor<4x9x9xf32> into tensor<4x3x3x3x3xf32>
    %12 = tensor.empty() : tensor<4x3x3x3x3xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17, %transposed_7 : tensor<4x3x3x3x3xf32>, tensor<4x3x3x3x1xf32>) outs(%12 : tensor<4x3x3x3x3xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %29 = arith.addf %in, %in_20 : f32
      linalg.yield %29 : f32
    } -> tensor<4x3x3x3x3xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13, %expanded_16 : tensor<4x3x3x3x3xf32>, tensor<4x3x3x1x3xf32>) outs(%12 : tensor<4x3x3x3x3xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %29 = arith.addf %in, %in_20 : f32
      linalg.yield %29 : f32
    } -> tensor<4x3x3x3x3xf32>
    %collapsed_18 = tensor.collapse_shape %14 [[0], [1, 2], [3, 4]] : tensor<4x3x3x3x3xf32> into tensor<4x9x9xf32>
    %15 = tensor.empty() : tensor<4x9xi64>
    %16 = linalg.fill ins(%c0_i64 : i64) outs(%15 : tensor<4x9xi64>) -> tensor<4x9xi64>
    %17 = tensor.empty() : tensor<4x9xf32>
    %18 = linalg.fill ins(%cst_0 : f32) outs(%17 : tensor<4x9xf32>) -> tensor<4x9xf32>
    %19:2 = linalg.generic {indexing_maps = [#map, #map4, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%collapsed_18 : tensor<4x9x9xf32>) outs(%18, %16 : tensor<4x9xf32>, tensor<4x9xi64>) {
    ^bb0(%in: f32, %out: f32, %out_20: i64):
      %29 = linalg.index 2 : index
      %30 = arith.index_cast %29 : index to i64
      %31 = arith.maximumf %in, %out : f32
      %32 = arith.cmpf ogt, %in, %out : f32
      %33 = arith.select %32, %30, %out_20 : i64
      linalg.yield %31, %33 : f32, i64
    } -> (tensor<4x9xf32>, tensor<4x9xi64>)
    %expanded_19 = tensor.expand_shape %19#0 [[0], [1, 2]] output_shape [4, 9, 1] : tensor<4x9xf32> into tensor<4x9x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_18, %expanded_19 : tensor<4x9x9xf32>, tensor<4x9x1xf32>) outs(%1 : tensor<4x9x9xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %29 = arith.subf %in, %in_20 : f32
      linalg.yield %29 : f32
    } -> tensor<4x9x9xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<4x9x9xf32>) outs(%1 : tensor<4x9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = math.exp %in : f32
      linalg.yield %29 : f32
    } -> tensor<4x9x9xf32>
    %22 = tensor.empty() : tensor<4x9x1xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<4x9x1xf32>) -> tensor<4x9x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21 : tensor<4x9x9xf32>) outs(%23 : tensor<4x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %in, %out : f32
      linalg.yield %29 : f32
    } -> tensor<4x9x1xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<4x9x9xf32>, tensor<4x9x1xf32>) outs(%1 : tensor<4x9x9xf32>) {
    ^bb0(%in: f32, %in_20: f32, %out: f32):
      %29 = arith.divf %in, %in_20 : f32
      linalg.yield %29 : f32
    } -> tensor<4x9x9xf32>
    %26 = tensor.empty() : tensor<4x9x16xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%26 : tensor<4x9x16xf32>) -> tensor<4x9x16xf32>
    %28 = linalg.batch_matmul ins(%25, %arg2 : tensor<4x9x9xf32>, tensor<4x9x16xf32>) outs(%27 : tensor<4x9x16xf32>) -> tensor<4x9x16xf32>
    return %28 : tensor<4x9x16xf32>
  }
}
