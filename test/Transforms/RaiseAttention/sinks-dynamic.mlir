// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --dims=17 --range=0,4 | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=sm_80 --level=none --check --dims=17 --range=0,4 | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check --dims=17 --range=0,4 | FileCheck %s --check-prefix=AGREES

// A column of sinks joined to scores of a dynamic number of keys, as PyTorch
// exports it: the slice without it ends at a bounded size.

// CHECK-COUNT-1: fusion.attention {{.*}} sink(
// AGREES: agrees

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<()[s0] -> (s0 + 1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<3x2x4x?x16xf32>, %arg1: tensor<4xf32>) -> tensor<2x4x?x16xf32> {
    %c2_i64 = arith.constant 2 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c-1 = arith.constant -1 : index
    %c3 = arith.constant 3 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c4_i64 = arith.constant 4 : i64
    %c8_i64 = arith.constant 8 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %c2 = arith.constant 2 : index
    %dim = tensor.dim %arg0, %c3 : tensor<3x2x4x?x16xf32>
    %0 = arith.index_cast %dim : index to i64
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0, 0] [1, 2, 4, %dim, 16] [1, 1, 1, 1, 1] : tensor<3x2x4x?x16xf32> to tensor<1x2x4x?x16xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3], [4]] : tensor<1x2x4x?x16xf32> into tensor<2x4x?x16xf32>
    %extracted_slice_1 = tensor.extract_slice %arg0[1, 0, 0, 0, 0] [1, 2, 4, %dim, 16] [1, 1, 1, 1, 1] : tensor<3x2x4x?x16xf32> to tensor<1x2x4x?x16xf32>
    %collapsed_2 = tensor.collapse_shape %extracted_slice_1 [[0, 1], [2], [3], [4]] : tensor<1x2x4x?x16xf32> into tensor<2x4x?x16xf32>
    %extracted_slice_3 = tensor.extract_slice %arg0[2, 0, 0, 0, 0] [1, 2, 4, %dim, 16] [1, 1, 1, 1, 1] : tensor<3x2x4x?x16xf32> to tensor<1x2x4x?x16xf32>
    %collapsed_4 = tensor.collapse_shape %extracted_slice_3 [[0, 1], [2], [3], [4]] : tensor<1x2x4x?x16xf32> into tensor<2x4x?x16xf32>
    %1 = tensor.empty(%dim) : tensor<2x4x16x?xf32>
    %transposed = linalg.transpose ins(%collapsed_2 : tensor<2x4x?x16xf32>) outs(%1 : tensor<2x4x16x?xf32>) permutation = [0, 1, 3, 2] 
    %2 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    %3 = tensor.empty(%dim) : tensor<2x4x?x16xf32>
    %4 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%3 : tensor<2x4x?x16xf32>) {
    ^bb0(%out: f32):
      %55 = linalg.index 0 : index
      %56 = linalg.index 1 : index
      %57 = linalg.index 2 : index
      %58 = linalg.index 3 : index
      %59 = arith.cmpi eq, %dim, %c1 : index
      %60 = arith.select %59, %c0, %57 : index
      %extracted = tensor.extract %collapsed[%55, %56, %60, %58] : tensor<2x4x?x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x?x16xf32>
    %collapsed_5 = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<2x4x?x16xf32> into tensor<8x?x16xf32>
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    %5 = tensor.empty(%dim) : tensor<2x4x16x?xf32>
    %6 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%5 : tensor<2x4x16x?xf32>) {
    ^bb0(%out: f32):
      %55 = linalg.index 0 : index
      %56 = linalg.index 1 : index
      %57 = linalg.index 2 : index
      %58 = linalg.index 3 : index
      %59 = arith.cmpi eq, %dim, %c1 : index
      %60 = arith.select %59, %c0, %58 : index
      %extracted = tensor.extract %transposed[%55, %56, %57, %60] : tensor<2x4x16x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x16x?xf32>
    %collapsed_6 = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<2x4x16x?xf32> into tensor<8x16x?xf32>
    %7 = tensor.empty(%dim, %dim) : tensor<8x?x?xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
    %9 = linalg.batch_matmul ins(%collapsed_5, %collapsed_6 : tensor<8x?x16xf32>, tensor<8x16x?xf32>) outs(%8 : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
    %10 = arith.muli %0, %c8_i64 : i64
    %11 = arith.cmpi slt, %0, %c0_i64 : i64
    %12 = arith.select %11, %c8_i64, %10 : i64
    %13 = arith.extui %11 : i1 to i64
    %14 = arith.muli %12, %0 : i64
    %15 = arith.addi %13, %c1_i64 : i64
    %16 = arith.select %11, %c8_i64, %14 : i64
    %17 = arith.select %11, %15, %13 : i64
    %18 = arith.cmpi sle, %17, %c1_i64 : i64
    cf.assert %18, "must have at most one inferred (negative) dimension"
    %19 = arith.muli %10, %0 : i64
    %20 = arith.divsi %19, %16 : i64
    %21 = arith.select %11, %20, %0 : i64
    %from_elements = tensor.from_elements %c2_i64, %c4_i64, %21, %21 : tensor<4xi64>
    %reshape = tensor.reshape %9(%from_elements) : (tensor<8x?x?xf32>, tensor<4xi64>) -> tensor<2x4x?x?xf32>
    %22 = arith.select %11, %c1, %dim : index
    %23 = tensor.empty(%22) : tensor<2x4x?x1xf32>
    %expanded = tensor.expand_shape %arg1 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<4x1xf32>) outs(%23 : tensor<2x4x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x?x1xf32>
    %concat = tensor.concat dim(3) %reshape, %24 : (tensor<2x4x?x?xf32>, tensor<2x4x?x1xf32>) -> tensor<2x4x?x?xf32>
    %dim_7 = tensor.dim %reshape, %c2 : tensor<2x4x?x?xf32>
    %25 = tensor.empty(%dim_7) : tensor<2x4x?xi64>
    %26 = linalg.fill ins(%c0_i64 : i64) outs(%25 : tensor<2x4x?xi64>) -> tensor<2x4x?xi64>
    %27 = tensor.empty(%dim_7) : tensor<2x4x?xf32>
    %28 = linalg.fill ins(%cst_0 : f32) outs(%27 : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
    %29:2 = linalg.generic {indexing_maps = [#map, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%concat : tensor<2x4x?x?xf32>) outs(%28, %26 : tensor<2x4x?xf32>, tensor<2x4x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_15: i64):
      %55 = linalg.index 3 : index
      %56 = arith.index_cast %55 : index to i64
      %57 = arith.maximumf %in, %out : f32
      %58 = arith.cmpf ogt, %in, %out : f32
      %59 = arith.select %58, %56, %out_15 : i64
      linalg.yield %57, %59 : f32, i64
    } -> (tensor<2x4x?xf32>, tensor<2x4x?xi64>)
    %expanded_8 = tensor.expand_shape %29#0 [[0], [1], [2, 3]] output_shape [2, 4, %dim_7, 1] : tensor<2x4x?xf32> into tensor<2x4x?x1xf32>
    %dim_9 = tensor.dim %reshape, %c3 : tensor<2x4x?x?xf32>
    %30 = affine.apply #map3()[%dim_9]
    %31 = tensor.empty(%dim_7, %30) : tensor<2x4x?x?xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %expanded_8 : tensor<2x4x?x?xf32>, tensor<2x4x?x1xf32>) outs(%31 : tensor<2x4x?x?xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %55 = arith.subf %in, %in_15 : f32
      linalg.yield %55 : f32
    } -> tensor<2x4x?x?xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x4x?x?xf32>) outs(%31 : tensor<2x4x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = math.exp %in : f32
      linalg.yield %55 : f32
    } -> tensor<2x4x?x?xf32>
    %34 = tensor.empty(%dim_7) : tensor<2x4x?x1xf32>
    %35 = linalg.fill ins(%cst : f32) outs(%34 : tensor<2x4x?x1xf32>) -> tensor<2x4x?x1xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<2x4x?x?xf32>) outs(%35 : tensor<2x4x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.addf %in, %out : f32
      linalg.yield %55 : f32
    } -> tensor<2x4x?x1xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %36 : tensor<2x4x?x?xf32>, tensor<2x4x?x1xf32>) outs(%31 : tensor<2x4x?x?xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %55 = arith.divf %in, %in_15 : f32
      linalg.yield %55 : f32
    } -> tensor<2x4x?x?xf32>
    %38 = arith.index_cast %30 : index to i64
    %39 = arith.minsi %38, %c0_i64 : i64
    %40 = arith.index_cast %39 : i64 to index
    %41 = arith.addi %30, %c-1 : index
    %42 = arith.cmpi slt, %41, %c0 : index
    %43 = arith.select %42, %c-1, %41 : index
    %44 = arith.minsi %43, %30 : index
    %45 = arith.subi %44, %40 : index
    %46 = arith.maxsi %45, %c0 : index
    %extracted_slice_10 = tensor.extract_slice %37[0, 0, 0, %40] [2, 4, %dim_7, %46] [1, 1, 1, 1] : tensor<2x4x?x?xf32> to tensor<2x4x?x?xf32>
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    %47 = tensor.empty(%dim, %dim) : tensor<2x4x?x?xf32>
    %48 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%47 : tensor<2x4x?x?xf32>) {
    ^bb0(%out: f32):
      %55 = linalg.index 0 : index
      %56 = linalg.index 1 : index
      %57 = linalg.index 2 : index
      %58 = linalg.index 3 : index
      %59 = arith.cmpi eq, %dim_7, %c1 : index
      %60 = arith.select %59, %c0, %57 : index
      %61 = arith.cmpi eq, %46, %c1 : index
      %62 = arith.select %61, %c0, %58 : index
      %extracted = tensor.extract %extracted_slice_10[%55, %56, %60, %62] : tensor<2x4x?x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x?x?xf32>
    cf.assert %18, "must have at most one inferred (negative) dimension"
    %from_elements_11 = tensor.from_elements %c8_i64, %21, %21 : tensor<3xi64>
    %reshape_12 = tensor.reshape %48(%from_elements_11) : (tensor<2x4x?x?xf32>, tensor<3xi64>) -> tensor<8x?x?xf32>
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    %49 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%3 : tensor<2x4x?x16xf32>) {
    ^bb0(%out: f32):
      %55 = linalg.index 0 : index
      %56 = linalg.index 1 : index
      %57 = linalg.index 2 : index
      %58 = linalg.index 3 : index
      %59 = arith.cmpi eq, %dim, %c1 : index
      %60 = arith.select %59, %c0, %57 : index
      %extracted = tensor.extract %collapsed_4[%55, %56, %60, %58] : tensor<2x4x?x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x?x16xf32>
    %collapsed_13 = tensor.collapse_shape %49 [[0, 1], [2], [3]] : tensor<2x4x?x16xf32> into tensor<8x?x16xf32>
    %50 = arith.index_cast %21 : i64 to index
    %51 = arith.cmpi eq, %21, %0 : i64
    cf.assert %51, "mismatching contracting dimension"
    %52 = tensor.empty(%50) : tensor<8x?x16xf32>
    %53 = linalg.fill ins(%cst : f32) outs(%52 : tensor<8x?x16xf32>) -> tensor<8x?x16xf32>
    %54 = linalg.batch_matmul ins(%reshape_12, %collapsed_13 : tensor<8x?x?xf32>, tensor<8x?x16xf32>) outs(%53 : tensor<8x?x16xf32>) -> tensor<8x?x16xf32>
    %expanded_14 = tensor.expand_shape %54 [[0, 1], [2], [3]] output_shape [2, 4, %50, 16] : tensor<8x?x16xf32> into tensor<2x4x?x16xf32>
    return %expanded_14 : tensor<2x4x?x16xf32>
  }
}
