// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --dims=17 --range=0,4 | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check --dims=17 --range=0,4 | FileCheck %s --check-prefix=AGREES

// Masks that are computed from positions and tables, of a dynamic size: one mask
// is made of them, whose sizes are those of the scores.

// CHECK-COUNT-1: fusion.attention {{.*}} mask(
// AGREES: agrees

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<3x2x4x?x16xf32>) -> tensor<2x4x?x16xf32> {
    %c2_i64 = arith.constant 2 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c4_i64 = arith.constant 4 : i64
    %c8_i64 = arith.constant 8 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 1.000000e-01 : f64
    %dim = tensor.dim %arg0, %c3 : tensor<3x2x4x?x16xf32>
    %0 = arith.index_cast %dim : index to i64
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0, 0] [1, 2, 4, %dim, 16] [1, 1, 1, 1, 1] : tensor<3x2x4x?x16xf32> to tensor<1x2x4x?x16xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3], [4]] : tensor<1x2x4x?x16xf32> into tensor<2x4x?x16xf32>
    %extracted_slice_2 = tensor.extract_slice %arg0[1, 0, 0, 0, 0] [1, 2, 4, %dim, 16] [1, 1, 1, 1, 1] : tensor<3x2x4x?x16xf32> to tensor<1x2x4x?x16xf32>
    %collapsed_3 = tensor.collapse_shape %extracted_slice_2 [[0, 1], [2], [3], [4]] : tensor<1x2x4x?x16xf32> into tensor<2x4x?x16xf32>
    %extracted_slice_4 = tensor.extract_slice %arg0[2, 0, 0, 0, 0] [1, 2, 4, %dim, 16] [1, 1, 1, 1, 1] : tensor<3x2x4x?x16xf32> to tensor<1x2x4x?x16xf32>
    %collapsed_5 = tensor.collapse_shape %extracted_slice_4 [[0, 1], [2], [3], [4]] : tensor<1x2x4x?x16xf32> into tensor<2x4x?x16xf32>
    %1 = tensor.empty(%dim) : tensor<2x4x16x?xf32>
    %transposed = linalg.transpose ins(%collapsed_3 : tensor<2x4x?x16xf32>) outs(%1 : tensor<2x4x16x?xf32>) permutation = [0, 1, 3, 2] 
    %2 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    %3 = tensor.empty(%dim) : tensor<2x4x?x16xf32>
    %4 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%3 : tensor<2x4x?x16xf32>) {
    ^bb0(%out: f32):
      %53 = linalg.index 0 : index
      %54 = linalg.index 1 : index
      %55 = linalg.index 2 : index
      %56 = linalg.index 3 : index
      %57 = arith.cmpi eq, %dim, %c1 : index
      %58 = arith.select %57, %c0, %55 : index
      %extracted = tensor.extract %collapsed[%53, %54, %58, %56] : tensor<2x4x?x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x?x16xf32>
    %collapsed_6 = tensor.collapse_shape %4 [[0, 1], [2], [3]] : tensor<2x4x?x16xf32> into tensor<8x?x16xf32>
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    %5 = tensor.empty(%dim) : tensor<2x4x16x?xf32>
    %6 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%5 : tensor<2x4x16x?xf32>) {
    ^bb0(%out: f32):
      %53 = linalg.index 0 : index
      %54 = linalg.index 1 : index
      %55 = linalg.index 2 : index
      %56 = linalg.index 3 : index
      %57 = arith.cmpi eq, %dim, %c1 : index
      %58 = arith.select %57, %c0, %56 : index
      %extracted = tensor.extract %transposed[%53, %54, %55, %58] : tensor<2x4x16x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x16x?xf32>
    %collapsed_7 = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<2x4x16x?xf32> into tensor<8x16x?xf32>
    %7 = tensor.empty(%dim, %dim) : tensor<8x?x?xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
    %9 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<8x?x16xf32>, tensor<8x16x?xf32>) outs(%8 : tensor<8x?x?xf32>) -> tensor<8x?x?xf32>
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
    %22 = tensor.empty(%dim) : tensor<?xi64>
    %23 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%22 : tensor<?xi64>) {
    ^bb0(%out: i64):
      %53 = linalg.index 0 : index
      %54 = arith.index_cast %53 : index to i64
      linalg.yield %54 : i64
    } -> tensor<?xi64>
    %24 = tensor.empty(%dim) : tensor<?xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%23 : tensor<?xi64>) outs(%24 : tensor<?xf32>) {
    ^bb0(%in: i64, %out: f32):
      %53 = arith.sitofp %in : i64 to f32
      linalg.yield %53 : f32
    } -> tensor<?xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%25 : tensor<?xf32>) outs(%24 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %53 = arith.truncf %cst_1 : f64 to f32
      %54 = arith.mulf %in, %53 : f32
      linalg.yield %54 : f32
    } -> tensor<?xf32>
    %expanded = tensor.expand_shape %26 [[0, 1, 2, 3]] output_shape [1, 1, 1, %dim] : tensor<?xf32> into tensor<1x1x1x?xf32>
    %27 = arith.index_cast %21 : i64 to index
    %28 = arith.cmpi eq, %27, %dim : index
    cf.assert %28, "mismatched size for broadcast"
    %29 = tensor.empty(%27, %27) : tensor<2x4x?x?xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape, %expanded : tensor<2x4x?x?xf32>, tensor<1x1x1x?xf32>) outs(%29 : tensor<2x4x?x?xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %53 = arith.addf %in, %in_15 : f32
      linalg.yield %53 : f32
    } -> tensor<2x4x?x?xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%25 : tensor<?xf32>) outs(%24 : tensor<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %53 = math.sin %in : f32
      linalg.yield %53 : f32
    } -> tensor<?xf32>
    %expanded_8 = tensor.expand_shape %31 [[0, 1, 2, 3]] output_shape [1, 1, %dim, 1] : tensor<?xf32> into tensor<1x1x?x1xf32>
    %expanded_9 = tensor.expand_shape %25 [[0, 1, 2, 3]] output_shape [1, 1, 1, %dim] : tensor<?xf32> into tensor<1x1x1x?xf32>
    %32 = tensor.empty(%dim, %dim) : tensor<1x1x?x?xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map4, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8, %expanded_9 : tensor<1x1x?x1xf32>, tensor<1x1x1x?xf32>) outs(%32 : tensor<1x1x?x?xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %53 = arith.mulf %in, %in_15 : f32
      linalg.yield %53 : f32
    } -> tensor<1x1x?x?xf32>
    cf.assert %28, "mismatched size for broadcast"
    cf.assert %28, "mismatched size for broadcast"
    %34 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %33 : tensor<2x4x?x?xf32>, tensor<1x1x?x?xf32>) outs(%29 : tensor<2x4x?x?xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %53 = arith.addf %in, %in_15 : f32
      linalg.yield %53 : f32
    } -> tensor<2x4x?x?xf32>
    %35 = tensor.empty(%27) : tensor<2x4x?xi64>
    %36 = linalg.fill ins(%c0_i64 : i64) outs(%35 : tensor<2x4x?xi64>) -> tensor<2x4x?xi64>
    %37 = tensor.empty(%27) : tensor<2x4x?xf32>
    %38 = linalg.fill ins(%cst_0 : f32) outs(%37 : tensor<2x4x?xf32>) -> tensor<2x4x?xf32>
    %39:2 = linalg.generic {indexing_maps = [#map, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%34 : tensor<2x4x?x?xf32>) outs(%38, %36 : tensor<2x4x?xf32>, tensor<2x4x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_15: i64):
      %53 = linalg.index 3 : index
      %54 = arith.index_cast %53 : index to i64
      %55 = arith.maximumf %in, %out : f32
      %56 = arith.cmpf ogt, %in, %out : f32
      %57 = arith.select %56, %54, %out_15 : i64
      linalg.yield %55, %57 : f32, i64
    } -> (tensor<2x4x?xf32>, tensor<2x4x?xi64>)
    %expanded_10 = tensor.expand_shape %39#0 [[0], [1], [2, 3]] output_shape [2, 4, %27, 1] : tensor<2x4x?xf32> into tensor<2x4x?x1xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %expanded_10 : tensor<2x4x?x?xf32>, tensor<2x4x?x1xf32>) outs(%29 : tensor<2x4x?x?xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %53 = arith.subf %in, %in_15 : f32
      linalg.yield %53 : f32
    } -> tensor<2x4x?x?xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<2x4x?x?xf32>) outs(%29 : tensor<2x4x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %53 = math.exp %in : f32
      linalg.yield %53 : f32
    } -> tensor<2x4x?x?xf32>
    %42 = tensor.empty(%27) : tensor<2x4x?x1xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<2x4x?x1xf32>) -> tensor<2x4x?x1xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%41 : tensor<2x4x?x?xf32>) outs(%43 : tensor<2x4x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %53 = arith.addf %in, %out : f32
      linalg.yield %53 : f32
    } -> tensor<2x4x?x1xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %44 : tensor<2x4x?x?xf32>, tensor<2x4x?x1xf32>) outs(%29 : tensor<2x4x?x?xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %53 = arith.divf %in, %in_15 : f32
      linalg.yield %53 : f32
    } -> tensor<2x4x?x?xf32>
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    %46 = tensor.empty(%dim, %dim) : tensor<2x4x?x?xf32>
    %47 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%46 : tensor<2x4x?x?xf32>) {
    ^bb0(%out: f32):
      %53 = linalg.index 0 : index
      %54 = linalg.index 1 : index
      %55 = linalg.index 2 : index
      %56 = linalg.index 3 : index
      %57 = arith.cmpi eq, %27, %c1 : index
      %58 = arith.select %57, %c0, %55 : index
      %59 = arith.select %57, %c0, %56 : index
      %extracted = tensor.extract %45[%53, %54, %58, %59] : tensor<2x4x?x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x?x?xf32>
    cf.assert %18, "must have at most one inferred (negative) dimension"
    %from_elements_11 = tensor.from_elements %c8_i64, %21, %21 : tensor<3xi64>
    %reshape_12 = tensor.reshape %47(%from_elements_11) : (tensor<2x4x?x?xf32>, tensor<3xi64>) -> tensor<8x?x?xf32>
    cf.assert %2, "unimplemented: dynamic negative broadcast sizes"
    %48 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%3 : tensor<2x4x?x16xf32>) {
    ^bb0(%out: f32):
      %53 = linalg.index 0 : index
      %54 = linalg.index 1 : index
      %55 = linalg.index 2 : index
      %56 = linalg.index 3 : index
      %57 = arith.cmpi eq, %dim, %c1 : index
      %58 = arith.select %57, %c0, %55 : index
      %extracted = tensor.extract %collapsed_5[%53, %54, %58, %56] : tensor<2x4x?x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x4x?x16xf32>
    %collapsed_13 = tensor.collapse_shape %48 [[0, 1], [2], [3]] : tensor<2x4x?x16xf32> into tensor<8x?x16xf32>
    %49 = arith.cmpi eq, %21, %0 : i64
    cf.assert %49, "mismatching contracting dimension"
    %50 = tensor.empty(%27) : tensor<8x?x16xf32>
    %51 = linalg.fill ins(%cst : f32) outs(%50 : tensor<8x?x16xf32>) -> tensor<8x?x16xf32>
    %52 = linalg.batch_matmul ins(%reshape_12, %collapsed_13 : tensor<8x?x?xf32>, tensor<8x?x16xf32>) outs(%51 : tensor<8x?x16xf32>) -> tensor<8x?x16xf32>
    %expanded_14 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [2, 4, %27, 16] : tensor<8x?x16xf32> into tensor<2x4x?x16xf32>
    return %expanded_14 : tensor<2x4x?x16xf32>
  }
}
