#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d2)>
#map10 = affine_map<(d0, d1) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d1, 0, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<31x24xf16>, %arg1: tensor<24xf16>, %arg2: tensor<72x24xf16>, %arg3: tensor<24x24xf16>, %arg4: tensor<24xf16>, %arg5: tensor<96x24xf16>, %arg6: tensor<24x96xf16>, %arg7: tensor<24xf16>, %arg8: tensor<1x9xi64>) -> tensor<1x9x31xf16> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %c31 = arith.constant 31 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 0.000000e+00 : f16
    %cst_2 = arith.constant 0.000000e+00 : f64
    %cst_3 = arith.constant 0xFF800000 : f32
    %cst_4 = arith.constant 1.000000e+00 : f16
    %cst_5 = arith.constant 2.000000e+00 : f16
    %cst_6 = arith.constant 5.000000e-01 : f16
    %cst_7 = arith.constant dense<-6.550400e+04> : tensor<f32>
    %cst_8 = arith.constant dense<-6.550400e+04> : tensor<f16>
    %cst_9 = arith.constant dense<0.000000e+00> : tensor<f16>
    %cst_10 = arith.constant 0.35355339059327373 : f64
    %cst_11 = arith.constant 1.000000e-05 : f64
    %c-31_i32 = arith.constant -31 : i32
    %cst_12 = arith.constant 2.000000e+00 : f32
    %cst_13 = arith.constant 2.400000e+01 : f64
    %cst_14 = arith.constant 2.400000e+01 : f32
    %0 = tensor.empty() : tensor<1x9x24xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8 : tensor<1x9xi64>) outs(%0 : tensor<1x9x24xf16>) {
    ^bb0(%in: i64, %out: f16):
      %138 = arith.index_cast %in : i64 to index
      %139 = linalg.index 2 : index
      %140 = arith.cmpi slt, %138, %c31 : index
      cf.assert %140, "index must be smaller than dim size"
      %141 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %141, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg0[%138, %139] : tensor<31x24xf16>
      linalg.yield %extracted : f16
    } -> tensor<1x9x24xf16>
    %2 = tensor.empty() : tensor<32xi32>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<32xi32>) {
    ^bb0(%out: i32):
      %138 = linalg.index 0 : index
      %139 = arith.index_cast %138 : index to i64
      %140 = arith.trunci %139 : i64 to i32
      %141 = arith.addi %140, %c-31_i32 : i32
      linalg.yield %141 : i32
    } -> tensor<32xi32>
    %expanded = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 1, 32] : tensor<32xi32> into tensor<1x1x1x32xi32>
    %4 = tensor.empty() : tensor<4xi64>
    %5 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%4 : tensor<4xi64>) {
    ^bb0(%out: i64):
      %138 = linalg.index 0 : index
      %139 = arith.index_cast %138 : index to i64
      %140 = arith.addi %139, %c1_i64 : i64
      linalg.yield %140 : i64
    } -> tensor<4xi64>
    %6 = tensor.empty() : tensor<4xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%5 : tensor<4xi64>) outs(%6 : tensor<4xf32>) {
    ^bb0(%in: i64, %out: f32):
      %138 = arith.sitofp %in : i64 to f32
      linalg.yield %138 : f32
    } -> tensor<4xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%7 : tensor<4xf32>) outs(%6 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.mulf %in, %cst_12 : f32
      linalg.yield %138 : f32
    } -> tensor<4xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%8 : tensor<4xf32>) outs(%6 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = math.powf %cst_12, %in : f32
      linalg.yield %138 : f32
    } -> tensor<4xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%9 : tensor<4xf32>) outs(%6 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.cmpf one, %in, %cst : f32
      cf.assert %138, "unimplemented: tensor with zero element"
      %139 = arith.divf %cst_0, %in : f32
      linalg.yield %139 : f32
    } -> tensor<4xf32>
    %expanded_15 = tensor.expand_shape %10 [[0, 1, 2, 3]] output_shape [1, 4, 1, 1] : tensor<4xf32> into tensor<1x4x1x1xf32>
    %extracted_slice = tensor.extract_slice %expanded_15[0, 1, 0, 0] [1, 2, 1, 1] [1, 2, 1, 1] : tensor<1x4x1x1xf32> to tensor<1x2x1x1xf32>
    %extracted_slice_16 = tensor.extract_slice %expanded_15[0, 0, 0, 0] [1, 2, 1, 1] [1, 2, 1, 1] : tensor<1x4x1x1xf32> to tensor<1x2x1x1xf32>
    %concat = tensor.concat dim(1) %extracted_slice, %extracted_slice_16 : (tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x4x1x1xf32>
    %extracted_slice_17 = tensor.extract_slice %concat[0, 0, 0, 0] [1, 3, 1, 1] [1, 1, 1, 1] : tensor<1x4x1x1xf32> to tensor<1x3x1x1xf32>
    %11 = tensor.empty() : tensor<1x3x1x32xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %extracted_slice_17 : tensor<1x1x1x32xi32>, tensor<1x3x1x1xf32>) outs(%11 : tensor<1x3x1x32xf32>) {
    ^bb0(%in: i32, %in_52: f32, %out: f32):
      %138 = arith.sitofp %in : i32 to f32
      %139 = arith.mulf %138, %in_52 : f32
      linalg.yield %139 : f32
    } -> tensor<1x3x1x32xf32>
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2], [3]] : tensor<1x3x1x32xf32> into tensor<3x1x32xf32>
    %13 = tensor.empty() : tensor<9xi64>
    %14 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%13 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %138 = linalg.index 0 : index
      %139 = arith.index_cast %138 : index to i64
      linalg.yield %139 : i64
    } -> tensor<9xi64>
    %expanded_18 = tensor.expand_shape %14 [[0, 1, 2, 3]] output_shape [1, 1, 9, 1] : tensor<9xi64> into tensor<1x1x9x1xi64>
    %expanded_19 = tensor.expand_shape %14 [[0, 1, 2, 3]] output_shape [1, 1, 1, 9] : tensor<9xi64> into tensor<1x1x1x9xi64>
    %15 = tensor.empty() : tensor<1x1x9x9xi1>
    %16 = linalg.generic {indexing_maps = [#map6, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19, %expanded_18 : tensor<1x1x1x9xi64>, tensor<1x1x9x1xi64>) outs(%15 : tensor<1x1x9x9xi1>) {
    ^bb0(%in: i64, %in_52: i64, %out: i1):
      %138 = arith.cmpi sle, %in, %in_52 : i64
      linalg.yield %138 : i1
    } -> tensor<1x1x9x9xi1>
    %17 = tensor.empty() : tensor<1x1x9x9xf16>
    %18 = linalg.generic {indexing_maps = [#map5, #map7, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %cst_9, %cst_8 : tensor<1x1x9x9xi1>, tensor<f16>, tensor<f16>) outs(%17 : tensor<1x1x9x9xf16>) {
    ^bb0(%in: i1, %in_52: f16, %in_53: f16, %out: f16):
      %138 = arith.select %in, %in_52, %in_53 : f16
      linalg.yield %138 : f16
    } -> tensor<1x1x9x9xf16>
    %19 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x1x9x9xf16>) outs(%15 : tensor<1x1x9x9xi1>) {
    ^bb0(%in: f16, %out: i1):
      %138 = arith.cmpf une, %in, %cst_1 : f16
      linalg.yield %138 : i1
    } -> tensor<1x1x9x9xi1>
    %20 = tensor.empty() : tensor<1x9x24xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x9x24xf16>) outs(%20 : tensor<1x9x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %22 = tensor.empty() : tensor<1x9x24xf64>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<1x9x24xf32>) outs(%22 : tensor<1x9x24xf64>) {
    ^bb0(%in: f32, %out: f64):
      %138 = arith.extf %in : f32 to f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %24 = tensor.empty() : tensor<1x9x1xf64>
    %25 = linalg.fill ins(%cst_2 : f64) outs(%24 : tensor<1x9x1xf64>) -> tensor<1x9x1xf64>
    %26 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%23 : tensor<1x9x24xf64>) outs(%25 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<1x9x1xf64>) outs(%24 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_13 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %28 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %27 : tensor<1x9x24xf64>, tensor<1x9x1xf64>) outs(%22 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_52: f64, %out: f64):
      %138 = arith.subf %in, %in_52 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %29 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %28 : tensor<1x9x24xf64>, tensor<1x9x24xf64>) outs(%22 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_52: f64, %out: f64):
      %138 = arith.mulf %in, %in_52 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %30 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%29 : tensor<1x9x24xf64>) outs(%25 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<1x9x1xf64>) outs(%24 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_13 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %32 = tensor.empty() : tensor<1x9x1xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<1x9x1xf64>) outs(%32 : tensor<1x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %138 = arith.truncf %in : f64 to f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %34 = linalg.fill ins(%cst : f32) outs(%32 : tensor<1x9x1xf32>) -> tensor<1x9x1xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21 : tensor<1x9x24xf32>) outs(%34 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.addf %in, %out : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<1x9x1xf32>) outs(%32 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.divf %in, %cst_14 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %37 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<1x9x1xf32>) outs(%32 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.truncf %cst_11 : f64 to f32
      %139 = arith.addf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x9x1xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<1x9x1xf32>) outs(%32 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = math.rsqrt %in : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %36 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%20 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %138 = arith.subf %in, %in_52 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %38 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%20 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %138 = arith.mulf %in, %in_52 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40, %arg1 : tensor<1x9x24xf32>, tensor<24xf16>) outs(%20 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_52: f16, %out: f32):
      %138 = arith.extf %in_52 : f16 to f32
      %139 = arith.mulf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x9x24xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<1x9x24xf32>) outs(%0 : tensor<1x9x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<1x9x24xf16>
    %43 = tensor.empty() : tensor<24x72xf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<72x24xf16>) outs(%43 : tensor<24x72xf16>) permutation = [1, 0] 
    %collapsed_20 = tensor.collapse_shape %42 [[0, 1], [2]] : tensor<1x9x24xf16> into tensor<9x24xf16>
    %44 = tensor.empty() : tensor<9x72xf32>
    %45 = linalg.fill ins(%cst : f32) outs(%44 : tensor<9x72xf32>) -> tensor<9x72xf32>
    %46 = linalg.matmul ins(%collapsed_20, %transposed : tensor<9x24xf16>, tensor<24x72xf16>) outs(%45 : tensor<9x72xf32>) -> tensor<9x72xf32>
    %47 = tensor.empty() : tensor<9x72xf16>
    %48 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%46 : tensor<9x72xf32>) outs(%47 : tensor<9x72xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<9x72xf16>
    %expanded_21 = tensor.expand_shape %48 [[0, 1], [2]] output_shape [1, 9, 72] : tensor<9x72xf16> into tensor<1x9x72xf16>
    %extracted_slice_22 = tensor.extract_slice %expanded_21[0, 0, 0] [1, 9, 24] [1, 1, 1] : tensor<1x9x72xf16> to tensor<1x9x24xf16>
    %extracted_slice_23 = tensor.extract_slice %expanded_21[0, 0, 24] [1, 9, 24] [1, 1, 1] : tensor<1x9x72xf16> to tensor<1x9x24xf16>
    %extracted_slice_24 = tensor.extract_slice %expanded_21[0, 0, 48] [1, 9, 24] [1, 1, 1] : tensor<1x9x72xf16> to tensor<1x9x24xf16>
    %expanded_25 = tensor.expand_shape %extracted_slice_22 [[0], [1], [2, 3]] output_shape [1, 9, 3, 8] : tensor<1x9x24xf16> into tensor<1x9x3x8xf16>
    %49 = tensor.empty() : tensor<1x3x9x8xf16>
    %transposed_26 = linalg.transpose ins(%expanded_25 : tensor<1x9x3x8xf16>) outs(%49 : tensor<1x3x9x8xf16>) permutation = [0, 2, 1, 3] 
    %expanded_27 = tensor.expand_shape %extracted_slice_23 [[0], [1], [2, 3]] output_shape [1, 9, 3, 8] : tensor<1x9x24xf16> into tensor<1x9x3x8xf16>
    %expanded_28 = tensor.expand_shape %extracted_slice_24 [[0], [1], [2, 3]] output_shape [1, 9, 3, 8] : tensor<1x9x24xf16> into tensor<1x9x3x8xf16>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<1x9x3x8xf16>) outs(%49 : tensor<1x3x9x8xf16>) permutation = [0, 2, 1, 3] 
    %50 = tensor.empty() : tensor<1x3x8x9xf16>
    %transposed_30 = linalg.transpose ins(%expanded_27 : tensor<1x9x3x8xf16>) outs(%50 : tensor<1x3x8x9xf16>) permutation = [0, 2, 3, 1] 
    %collapsed_31 = tensor.collapse_shape %transposed_26 [[0, 1], [2], [3]] : tensor<1x3x9x8xf16> into tensor<3x9x8xf16>
    %collapsed_32 = tensor.collapse_shape %transposed_30 [[0, 1], [2], [3]] : tensor<1x3x8x9xf16> into tensor<3x8x9xf16>
    %51 = tensor.empty() : tensor<3x9x9xf32>
    %52 = linalg.fill ins(%cst : f32) outs(%51 : tensor<3x9x9xf32>) -> tensor<3x9x9xf32>
    %53 = linalg.batch_matmul ins(%collapsed_31, %collapsed_32 : tensor<3x9x8xf16>, tensor<3x8x9xf16>) outs(%52 : tensor<3x9x9xf32>) -> tensor<3x9x9xf32>
    %54 = tensor.empty() : tensor<3x9x9xf16>
    %55 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53 : tensor<3x9x9xf32>) outs(%54 : tensor<3x9x9xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<3x9x9xf16>
    %expanded_33 = tensor.expand_shape %55 [[0, 1], [2], [3]] output_shape [1, 3, 9, 9] : tensor<3x9x9xf16> into tensor<1x3x9x9xf16>
    %56 = tensor.empty() : tensor<1x3x9x9xf16>
    %57 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_33 : tensor<1x3x9x9xf16>) outs(%56 : tensor<1x3x9x9xf16>) {
    ^bb0(%in: f16, %out: f16):
      %138 = arith.truncf %cst_10 : f64 to f16
      %139 = arith.mulf %in, %138 : f16
      linalg.yield %139 : f16
    } -> tensor<1x3x9x9xf16>
    %extracted_slice_34 = tensor.extract_slice %collapsed[0, 0, 23] [3, 1, 9] [1, 1, 1] : tensor<3x1x32xf32> to tensor<3x1x9xf32>
    %58 = tensor.empty() : tensor<1x3x9x9xf32>
    %59 = linalg.generic {indexing_maps = [#map5, #map11, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %extracted_slice_34 : tensor<1x3x9x9xf16>, tensor<3x1x9xf32>) outs(%58 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: f16, %in_52: f32, %out: f32):
      %138 = arith.extf %in : f16 to f32
      %139 = arith.addf %138, %in_52 : f32
      linalg.yield %139 : f32
    } -> tensor<1x3x9x9xf32>
    %60 = linalg.generic {indexing_maps = [#map3, #map7, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %cst_7, %59 : tensor<1x1x9x9xi1>, tensor<f32>, tensor<1x3x9x9xf32>) outs(%58 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: i1, %in_52: f32, %in_53: f32, %out: f32):
      %138 = arith.select %in, %in_52, %in_53 : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x9x9xf32>
    %61 = tensor.empty() : tensor<1x3x9xi64>
    %62 = linalg.fill ins(%c0_i64 : i64) outs(%61 : tensor<1x3x9xi64>) -> tensor<1x3x9xi64>
    %63 = tensor.empty() : tensor<1x3x9xf32>
    %64 = linalg.fill ins(%cst_3 : f32) outs(%63 : tensor<1x3x9xf32>) -> tensor<1x3x9xf32>
    %65:2 = linalg.generic {indexing_maps = [#map5, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%60 : tensor<1x3x9x9xf32>) outs(%64, %62 : tensor<1x3x9xf32>, tensor<1x3x9xi64>) {
    ^bb0(%in: f32, %out: f32, %out_52: i64):
      %138 = linalg.index 3 : index
      %139 = arith.index_cast %138 : index to i64
      %140 = arith.maximumf %in, %out : f32
      %141 = arith.cmpf ogt, %in, %out : f32
      %142 = arith.select %141, %139, %out_52 : i64
      linalg.yield %140, %142 : f32, i64
    } -> (tensor<1x3x9xf32>, tensor<1x3x9xi64>)
    %expanded_35 = tensor.expand_shape %65#0 [[0], [1], [2, 3]] output_shape [1, 3, 9, 1] : tensor<1x3x9xf32> into tensor<1x3x9x1xf32>
    %66 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %expanded_35 : tensor<1x3x9x9xf32>, tensor<1x3x9x1xf32>) outs(%58 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %138 = arith.subf %in, %in_52 : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x9x9xf32>
    %67 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66 : tensor<1x3x9x9xf32>) outs(%58 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = math.exp %in : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x9x9xf32>
    %68 = tensor.empty() : tensor<1x3x9x1xf32>
    %69 = linalg.fill ins(%cst : f32) outs(%68 : tensor<1x3x9x1xf32>) -> tensor<1x3x9x1xf32>
    %70 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%67 : tensor<1x3x9x9xf32>) outs(%69 : tensor<1x3x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.addf %in, %out : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x9x1xf32>
    %71 = linalg.generic {indexing_maps = [#map5, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %70 : tensor<1x3x9x9xf32>, tensor<1x3x9x1xf32>) outs(%58 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %138 = arith.divf %in, %in_52 : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x9x9xf32>
    %72 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<1x3x9x9xf32>) outs(%56 : tensor<1x3x9x9xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<1x3x9x9xf16>
    %collapsed_36 = tensor.collapse_shape %72 [[0, 1], [2], [3]] : tensor<1x3x9x9xf16> into tensor<3x9x9xf16>
    %collapsed_37 = tensor.collapse_shape %transposed_29 [[0, 1], [2], [3]] : tensor<1x3x9x8xf16> into tensor<3x9x8xf16>
    %73 = tensor.empty() : tensor<3x9x8xf32>
    %74 = linalg.fill ins(%cst : f32) outs(%73 : tensor<3x9x8xf32>) -> tensor<3x9x8xf32>
    %75 = linalg.batch_matmul ins(%collapsed_36, %collapsed_37 : tensor<3x9x9xf16>, tensor<3x9x8xf16>) outs(%74 : tensor<3x9x8xf32>) -> tensor<3x9x8xf32>
    %76 = tensor.empty() : tensor<3x9x8xf16>
    %77 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75 : tensor<3x9x8xf32>) outs(%76 : tensor<3x9x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<3x9x8xf16>
    %expanded_38 = tensor.expand_shape %77 [[0, 1], [2], [3]] output_shape [1, 3, 9, 8] : tensor<3x9x8xf16> into tensor<1x3x9x8xf16>
    %78 = tensor.empty() : tensor<1x9x3x8xf16>
    %transposed_39 = linalg.transpose ins(%expanded_38 : tensor<1x3x9x8xf16>) outs(%78 : tensor<1x9x3x8xf16>) permutation = [0, 2, 1, 3] 
    %79 = tensor.empty() : tensor<24x24xf16>
    %transposed_40 = linalg.transpose ins(%arg3 : tensor<24x24xf16>) outs(%79 : tensor<24x24xf16>) permutation = [1, 0] 
    %collapsed_41 = tensor.collapse_shape %transposed_39 [[0, 1], [2, 3]] : tensor<1x9x3x8xf16> into tensor<9x24xf16>
    %80 = tensor.empty() : tensor<9x24xf32>
    %81 = linalg.fill ins(%cst : f32) outs(%80 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %82 = linalg.matmul ins(%collapsed_41, %transposed_40 : tensor<9x24xf16>, tensor<24x24xf16>) outs(%81 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %83 = tensor.empty() : tensor<9x24xf16>
    %84 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%82 : tensor<9x24xf32>) outs(%83 : tensor<9x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<9x24xf16>
    %expanded_42 = tensor.expand_shape %84 [[0, 1], [2]] output_shape [1, 9, 24] : tensor<9x24xf16> into tensor<1x9x24xf16>
    %85 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_42, %1 : tensor<1x9x24xf16>, tensor<1x9x24xf16>) outs(%0 : tensor<1x9x24xf16>) {
    ^bb0(%in: f16, %in_52: f16, %out: f16):
      %138 = arith.addf %in, %in_52 : f16
      linalg.yield %138 : f16
    } -> tensor<1x9x24xf16>
    %86 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<1x9x24xf16>) outs(%20 : tensor<1x9x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<1x9x24xf32>) outs(%22 : tensor<1x9x24xf64>) {
    ^bb0(%in: f32, %out: f64):
      %138 = arith.extf %in : f32 to f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %88 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%87 : tensor<1x9x24xf64>) outs(%25 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %89 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<1x9x1xf64>) outs(%24 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_13 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %90 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %89 : tensor<1x9x24xf64>, tensor<1x9x1xf64>) outs(%22 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_52: f64, %out: f64):
      %138 = arith.subf %in, %in_52 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %91 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %90 : tensor<1x9x24xf64>, tensor<1x9x24xf64>) outs(%22 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_52: f64, %out: f64):
      %138 = arith.mulf %in, %in_52 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %92 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%91 : tensor<1x9x24xf64>) outs(%25 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %93 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<1x9x1xf64>) outs(%24 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_13 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<1x9x1xf64>) outs(%32 : tensor<1x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %138 = arith.truncf %in : f64 to f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%86 : tensor<1x9x24xf32>) outs(%34 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.addf %in, %out : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<1x9x1xf32>) outs(%32 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.divf %in, %cst_14 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<1x9x1xf32>) outs(%32 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.truncf %cst_11 : f64 to f32
      %139 = arith.addf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x9x1xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<1x9x1xf32>) outs(%32 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = math.rsqrt %in : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %96 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%20 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %138 = arith.subf %in, %in_52 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %98 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%20 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %138 = arith.mulf %in, %in_52 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %arg4 : tensor<1x9x24xf32>, tensor<24xf16>) outs(%20 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_52: f16, %out: f32):
      %138 = arith.extf %in_52 : f16 to f32
      %139 = arith.mulf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x9x24xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101 : tensor<1x9x24xf32>) outs(%0 : tensor<1x9x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<1x9x24xf16>
    %103 = tensor.empty() : tensor<24x96xf16>
    %transposed_43 = linalg.transpose ins(%arg5 : tensor<96x24xf16>) outs(%103 : tensor<24x96xf16>) permutation = [1, 0] 
    %collapsed_44 = tensor.collapse_shape %102 [[0, 1], [2]] : tensor<1x9x24xf16> into tensor<9x24xf16>
    %104 = tensor.empty() : tensor<9x96xf32>
    %105 = linalg.fill ins(%cst : f32) outs(%104 : tensor<9x96xf32>) -> tensor<9x96xf32>
    %106 = linalg.matmul ins(%collapsed_44, %transposed_43 : tensor<9x24xf16>, tensor<24x96xf16>) outs(%105 : tensor<9x96xf32>) -> tensor<9x96xf32>
    %107 = tensor.empty() : tensor<9x96xf16>
    %108 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%106 : tensor<9x96xf32>) outs(%107 : tensor<9x96xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<9x96xf16>
    %expanded_45 = tensor.expand_shape %108 [[0, 1], [2]] output_shape [1, 9, 96] : tensor<9x96xf16> into tensor<1x9x96xf16>
    %109 = tensor.empty() : tensor<1x9x96xf16>
    %110 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_45 : tensor<1x9x96xf16>) outs(%109 : tensor<1x9x96xf16>) {
    ^bb0(%in: f16, %out: f16):
      %138 = math.sqrt %cst_5 : f16
      %139 = arith.divf %in, %138 : f16
      %140 = math.erf %139 : f16
      %141 = arith.addf %140, %cst_4 : f16
      %142 = arith.mulf %141, %cst_6 : f16
      %143 = arith.mulf %in, %142 : f16
      linalg.yield %143 : f16
    } -> tensor<1x9x96xf16>
    %111 = tensor.empty() : tensor<96x24xf16>
    %transposed_46 = linalg.transpose ins(%arg6 : tensor<24x96xf16>) outs(%111 : tensor<96x24xf16>) permutation = [1, 0] 
    %collapsed_47 = tensor.collapse_shape %110 [[0, 1], [2]] : tensor<1x9x96xf16> into tensor<9x96xf16>
    %112 = linalg.matmul ins(%collapsed_47, %transposed_46 : tensor<9x96xf16>, tensor<96x24xf16>) outs(%81 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %113 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%112 : tensor<9x24xf32>) outs(%83 : tensor<9x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<9x24xf16>
    %expanded_48 = tensor.expand_shape %113 [[0, 1], [2]] output_shape [1, 9, 24] : tensor<9x24xf16> into tensor<1x9x24xf16>
    %114 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_48, %85 : tensor<1x9x24xf16>, tensor<1x9x24xf16>) outs(%0 : tensor<1x9x24xf16>) {
    ^bb0(%in: f16, %in_52: f16, %out: f16):
      %138 = arith.addf %in, %in_52 : f16
      linalg.yield %138 : f16
    } -> tensor<1x9x24xf16>
    %115 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<1x9x24xf16>) outs(%20 : tensor<1x9x24xf32>) {
    ^bb0(%in: f16, %out: f32):
      %138 = arith.extf %in : f16 to f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<1x9x24xf32>) outs(%22 : tensor<1x9x24xf64>) {
    ^bb0(%in: f32, %out: f64):
      %138 = arith.extf %in : f32 to f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %117 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%116 : tensor<1x9x24xf64>) outs(%25 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %118 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<1x9x1xf64>) outs(%24 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_13 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %119 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116, %118 : tensor<1x9x24xf64>, tensor<1x9x1xf64>) outs(%22 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_52: f64, %out: f64):
      %138 = arith.subf %in, %in_52 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %120 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %119 : tensor<1x9x24xf64>, tensor<1x9x24xf64>) outs(%22 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_52: f64, %out: f64):
      %138 = arith.mulf %in, %in_52 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %121 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%120 : tensor<1x9x24xf64>) outs(%25 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %122 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121 : tensor<1x9x1xf64>) outs(%24 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_13 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %123 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<1x9x1xf64>) outs(%32 : tensor<1x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %138 = arith.truncf %in : f64 to f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %124 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%115 : tensor<1x9x24xf32>) outs(%34 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.addf %in, %out : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %125 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124 : tensor<1x9x1xf32>) outs(%32 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.divf %in, %cst_14 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %126 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<1x9x1xf32>) outs(%32 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.truncf %cst_11 : f64 to f32
      %139 = arith.addf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x9x1xf32>
    %127 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<1x9x1xf32>) outs(%32 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = math.rsqrt %in : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %128 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %125 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%20 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %138 = arith.subf %in, %in_52 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %129 = linalg.generic {indexing_maps = [#map1, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128, %127 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%20 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %138 = arith.mulf %in, %in_52 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %130 = linalg.generic {indexing_maps = [#map1, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129, %arg7 : tensor<1x9x24xf32>, tensor<24xf16>) outs(%20 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_52: f16, %out: f32):
      %138 = arith.extf %in_52 : f16 to f32
      %139 = arith.mulf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x9x24xf32>
    %131 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130 : tensor<1x9x24xf32>) outs(%0 : tensor<1x9x24xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<1x9x24xf16>
    %132 = tensor.empty() : tensor<24x31xf16>
    %transposed_49 = linalg.transpose ins(%arg0 : tensor<31x24xf16>) outs(%132 : tensor<24x31xf16>) permutation = [1, 0] 
    %collapsed_50 = tensor.collapse_shape %131 [[0, 1], [2]] : tensor<1x9x24xf16> into tensor<9x24xf16>
    %133 = tensor.empty() : tensor<9x31xf32>
    %134 = linalg.fill ins(%cst : f32) outs(%133 : tensor<9x31xf32>) -> tensor<9x31xf32>
    %135 = linalg.matmul ins(%collapsed_50, %transposed_49 : tensor<9x24xf16>, tensor<24x31xf16>) outs(%134 : tensor<9x31xf32>) -> tensor<9x31xf32>
    %136 = tensor.empty() : tensor<9x31xf16>
    %137 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%135 : tensor<9x31xf32>) outs(%136 : tensor<9x31xf16>) {
    ^bb0(%in: f32, %out: f16):
      %138 = arith.truncf %in : f32 to f16
      linalg.yield %138 : f16
    } -> tensor<9x31xf16>
    %expanded_51 = tensor.expand_shape %137 [[0, 1], [2]] output_shape [1, 9, 31] : tensor<9x31xf16> into tensor<1x9x31xf16>
    return %expanded_51 : tensor<1x9x31xf16>
  }
}
