// A size is the quotient of a size of a product: inside the group that needs it,
// it is computed from the argument, and the host finds the dividend there too.
// RUN: fusion-run %s --target=apple9 --seed=67 --dims=1,1,1,1,1,1,8,8 --check | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --level=none --seed=67 --dims=1,1,1,1,1,1,8,8 --check | FileCheck %s

// CHECK: out0: agrees
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3)>
module {
  func.func @main(%arg0: tensor<1x1xf32>, %arg1: tensor<8x1xbf16>, %arg2: tensor<1x1x?x8xbf16>, %arg3: tensor<1x1x?x8xf32>, %arg4: tensor<1x?x1x1xbf16>, %arg5: tensor<1x?x1x1xf32>, %arg6: tensor<1x?x1x1xbf16>, %arg7: tensor<1x?x1x1xf32>, %arg8: tensor<1x1x8x1xbf16>, %arg9: tensor<1x1x1x8xbf16>, %arg10: tensor<1x?xf32>, %arg11: tensor<1x1xbf16>, %arg12: tensor<1x?xbf16>) -> tensor<1x1x1xbf16> {
    %0 = tensor.empty() : tensor<1x1x1xbf16>
    %1 = linalg.matmul ins(%arg11, %arg12 : tensor<1x1xbf16>, tensor<1x?xbf16>) outs(%arg10 : tensor<1x?xf32>) -> tensor<1x?xf32>
    %c1 = arith.constant 1 : index
    %dim = tensor.dim %1, %c1 : tensor<1x?xf32>
    %expanded = tensor.expand_shape %1 [[0, 1], [2]] output_shape [1, 1, %dim] : tensor<1x?xf32> into tensor<1x1x?xf32>
    %c2 = arith.constant 2 : index
    %dim_0 = tensor.dim %expanded, %c2 : tensor<1x1x?xf32>
    %2 = tensor.empty(%dim_0) : tensor<1x1x?xbf16>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x1x?xf32>) outs(%2 : tensor<1x1x?xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %14 = arith.truncf %in : f32 to bf16
      linalg.yield %14 : bf16
    } -> tensor<1x1x?xbf16>
    %c2_1 = arith.constant 2 : index
    %dim_2 = tensor.dim %3, %c2_1 : tensor<1x1x?xbf16>
    %c8 = arith.constant 8 : index
    %4 = arith.divsi %dim_2, %c8 : index
    %expanded_3 = tensor.expand_shape %3 [[0], [1], [2, 3]] output_shape [1, 1, %4, 8] : tensor<1x1x?xbf16> into tensor<1x1x?x8xbf16>
    %c2_4 = arith.constant 2 : index
    %dim_5 = tensor.dim %expanded_3, %c2_4 : tensor<1x1x?x8xbf16>
    %5 = tensor.empty(%dim_5) : tensor<1x?x1x8xbf16>
    %transposed = linalg.transpose ins(%expanded_3 : tensor<1x1x?x8xbf16>) outs(%5 : tensor<1x?x1x8xbf16>) permutation = [0, 2, 1, 3] 
    %c1_6 = arith.constant 1 : index
    %extracted_slice = tensor.extract_slice %transposed[0, 0, 0, 0] [1, %c1_6, 1, 4] [1, 1, 1, 1] : tensor<1x?x1x8xbf16> to tensor<1x?x1x4xbf16>
    %concat = tensor.concat dim(3) %extracted_slice, %extracted_slice : (tensor<1x?x1x4xbf16>, tensor<1x?x1x4xbf16>) -> tensor<1x?x1x8xbf16>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%concat, %arg8 : tensor<1x?x1x8xbf16>, tensor<1x1x8x1xbf16>) outs(%arg7 : tensor<1x?x1x1xf32>) {
    ^bb0(%in: bf16, %in_9: bf16, %out: f32):
      %14 = arith.extf %in : bf16 to f32
      linalg.yield %14 : f32
    } -> tensor<1x?x1x1xf32>
    %7 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x?x1x1xf32>) outs(%arg6 : tensor<1x?x1x1xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %14 = arith.truncf %in : f32 to bf16
      linalg.yield %14 : bf16
    } -> tensor<1x?x1x1xbf16>
    %8 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x?x1x1xbf16>) outs(%arg5 : tensor<1x?x1x1xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %14 = arith.extf %in : bf16 to f32
      linalg.yield %14 : f32
    } -> tensor<1x?x1x1xf32>
    %9 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x?x1x1xf32>) outs(%arg4 : tensor<1x?x1x1xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %14 = arith.truncf %in : f32 to bf16
      linalg.yield %14 : bf16
    } -> tensor<1x?x1x1xbf16>
    %10 = linalg.generic {indexing_maps = [#map5, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%9, %arg9 : tensor<1x?x1x1xbf16>, tensor<1x1x1x8xbf16>) outs(%arg3 : tensor<1x1x?x8xf32>) {
    ^bb0(%in: bf16, %in_9: bf16, %out: f32):
      %14 = arith.extf %in : bf16 to f32
      linalg.yield %14 : f32
    } -> tensor<1x1x?x8xf32>
    %11 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x1x?x8xf32>) outs(%arg2 : tensor<1x1x?x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %14 = arith.truncf %in : f32 to bf16
      linalg.yield %14 : bf16
    } -> tensor<1x1x?x8xbf16>
    %collapsed = tensor.collapse_shape %11 [[0], [1], [2, 3]] : tensor<1x1x?x8xbf16> into tensor<1x1x?xbf16>
    %collapsed_7 = tensor.collapse_shape %collapsed [[0, 1], [2]] : tensor<1x1x?xbf16> into tensor<1x?xbf16>
    %12 = linalg.matmul ins(%collapsed_7, %arg1 : tensor<1x?xbf16>, tensor<8x1xbf16>) outs(%arg0 : tensor<1x1xf32>) -> tensor<1x1xf32>
    %expanded_8 = tensor.expand_shape %12 [[0, 1], [2]] output_shape [1, 1, 1] : tensor<1x1xf32> into tensor<1x1x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x1x1xf32>) outs(%0 : tensor<1x1x1xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %14 = arith.truncf %in : f32 to bf16
      linalg.yield %14 : bf16
    } -> tensor<1x1x1xbf16>
    return %13 : tensor<1x1x1xbf16>
  }
}
