// RUN: fusion-opt %s --fusion-normalize --fusion-form-groups=level=elementwise | FileCheck %s

// The size of a computed tensor that turns out to be one: no group takes it from
// the tensor, which a later group computes.

// CHECK-LABEL: func.func @main
// CHECK:         fusion.group
// CHECK:         return

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<1x16xf32>, %arg1: tensor<?x1x1xf32>, %arg2: tensor<?x1x1x16xf32>, %arg3: tensor<4xi64>, %arg4: tensor<?x1x1xf32>, %arg5: tensor<?x1x16xf32>, %arg6: tensor<?x1x16x1xf32>, %arg7: tensor<?x1x1x8xf32>, %arg8: tensor<?x4xf32>, %arg9: tensor<?x1x1x8xf32>, %arg10: tensor<?x1x1x8xf32>, %arg11: tensor<?x1x1x16xf32>) -> tensor<?x1x1xf32> {
    %concat = tensor.concat dim(1) %arg8, %arg8 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %concat, %c0 : tensor<?x8xf32>
    %0 = tensor.empty(%dim) : tensor<?x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%concat : tensor<?x8xf32>) outs(%0 : tensor<?x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = math.cos %in : f32
      linalg.yield %7 : f32
    } -> tensor<?x8xf32>
    %c0_0 = arith.constant 0 : index
    %dim_1 = tensor.dim %1, %c0_0 : tensor<?x8xf32>
    %expanded = tensor.expand_shape %1 [[0, 1], [2]] output_shape [1, %dim_1, 8] : tensor<?x8xf32> into tensor<1x?x8xf32>
    %c1 = arith.constant 1 : index
    %dim_2 = tensor.dim %expanded, %c1 : tensor<1x?x8xf32>
    %expanded_3 = tensor.expand_shape %expanded [[0, 1], [2], [3]] output_shape [1, 1, %dim_2, 8] : tensor<1x?x8xf32> into tensor<1x1x?x8xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg10, %expanded_3 : tensor<?x1x1x8xf32>, tensor<1x1x?x8xf32>) outs(%arg7 : tensor<?x1x1x8xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x1x1x8xf32>
    %concat_4 = tensor.concat dim(3) %2, %arg9 : (tensor<?x1x1x8xf32>, tensor<?x1x1x8xf32>) -> tensor<?x1x1x16xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_4 : tensor<?x1x1x16xf32>) outs(%arg6 : tensor<?x1x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x1x16x1xf32>
    %collapsed = tensor.collapse_shape %3 [[0, 1], [2], [3]] : tensor<?x1x16x1xf32> into tensor<?x16x1xf32>
    %4 = linalg.batch_matmul ins(%arg5, %collapsed : tensor<?x1x16xf32>, tensor<?x16x1xf32>) outs(%arg4 : tensor<?x1x1xf32>) -> tensor<?x1x1xf32>
    %reshape = tensor.reshape %4(%arg3) : (tensor<?x1x1xf32>, tensor<4xi64>) -> tensor<?x1x1x1xf32>
    %5 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%reshape, %arg11 : tensor<?x1x1x1xf32>, tensor<?x1x1x16xf32>) outs(%arg2 : tensor<?x1x1x16xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      linalg.yield %out : f32
    } -> tensor<?x1x1x16xf32>
    %collapsed_5 = tensor.collapse_shape %5 [[0], [1], [2, 3]] : tensor<?x1x1x16xf32> into tensor<?x1x16xf32>
    %6 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed_5, %arg0 : tensor<?x1x16xf32>, tensor<1x16xf32>) outs(%arg1 : tensor<?x1x1xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x1x1xf32>
    return %6 : tensor<?x1x1xf32>
  }
}
