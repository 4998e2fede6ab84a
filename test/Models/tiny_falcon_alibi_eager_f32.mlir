#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0) -> ()>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1) -> ()>
#map8 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map9 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map10 = affine_map<(d0, d1, d2) -> (d1, 0)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3) -> ()>
#map15 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, 0)>
#map16 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map18 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map19 = affine_map<(d0, d1, d2) -> (d2)>
#map20 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<31x24xf32>, %arg1: tensor<72x24xf32>, %arg2: tensor<72xf32>, %arg3: tensor<24x24xf32>, %arg4: tensor<24xf32>, %arg5: tensor<96x24xf32>, %arg6: tensor<96xf32>, %arg7: tensor<24x96xf32>, %arg8: tensor<24xf32>, %arg9: tensor<24xf32>, %arg10: tensor<24xf32>, %arg11: tensor<24xf32>, %arg12: tensor<24xf32>, %arg13: tensor<4xf32>, %arg14: tensor<4xf32>, %arg15: tensor<1x9xi64>, %arg16: tensor<1x9xi64>) -> tensor<1x9x31xf32> {
    %c9_i64 = arith.constant 9 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c31 = arith.constant 31 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f64
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_5 = arith.constant dense<true> : tensor<i1>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_7 = arith.constant dense<1.000000e+00> : tensor<9x9xf32>
    %cst_8 = arith.constant dense<2.500000e-01> : tensor<f32>
    %cst_9 = arith.constant dense<6.250000e-02> : tensor<f32>
    %cst_10 = arith.constant 0.35355339059327373 : f64
    %cst_11 = arith.constant 1.000000e-05 : f64
    %cst_12 = arith.constant 2.8284271247461903 : f64
    %c1_i32 = arith.constant 1 : i32
    %cst_13 = arith.constant -1.000000e+00 : f32
    %cst_14 = arith.constant 2.400000e+01 : f64
    %cst_15 = arith.constant 2.400000e+01 : f32
    %cst_16 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<1x9x24xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg15 : tensor<1x9xi64>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: i64, %out: f32):
      %138 = arith.index_cast %in : i64 to index
      %139 = linalg.index 2 : index
      %140 = arith.cmpi slt, %138, %c31 : index
      cf.assert %140, "index must be smaller than dim size"
      %141 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %141, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg0[%138, %139] : tensor<31x24xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x9x24xf32>
    %2 = tensor.empty() : tensor<2xi32>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<2xi32>) {
    ^bb0(%out: i32):
      %138 = linalg.index 0 : index
      %139 = arith.index_cast %138 : index to i64
      %140 = arith.trunci %139 : i64 to i32
      %141 = arith.addi %140, %c1_i32 : i32
      linalg.yield %141 : i32
    } -> tensor<2xi32>
    %4 = tensor.empty() : tensor<2xf32>
    %5 = linalg.generic {indexing_maps = [#map3, #map2, #map2], iterator_types = ["parallel"]} ins(%cst_9, %3 : tensor<f32>, tensor<2xi32>) outs(%4 : tensor<2xf32>) {
    ^bb0(%in: f32, %in_56: i32, %out: f32):
      %138 = arith.extf %in : f32 to f64
      %139 = arith.sitofp %in_56 : i32 to f64
      %140 = math.powf %138, %139 : f64
      %141 = arith.truncf %140 : f64 to f32
      linalg.yield %141 : f32
    } -> tensor<2xf32>
    %6 = tensor.empty() : tensor<1xi32>
    %7 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%6 : tensor<1xi32>) {
    ^bb0(%out: i32):
      linalg.yield %c1_i32 : i32
    } -> tensor<1xi32>
    %8 = tensor.empty() : tensor<1xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map2, #map2], iterator_types = ["parallel"]} ins(%cst_8, %7 : tensor<f32>, tensor<1xi32>) outs(%8 : tensor<1xf32>) {
    ^bb0(%in: f32, %in_56: i32, %out: f32):
      %138 = arith.extf %in : f32 to f64
      %139 = arith.sitofp %in_56 : i32 to f64
      %140 = math.powf %138, %139 : f64
      %141 = arith.truncf %140 : f64 to f32
      linalg.yield %141 : f32
    } -> tensor<1xf32>
    %concat = tensor.concat dim(0) %5, %9 : (tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>
    %10 = tensor.empty() : tensor<9xi64>
    %11 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%10 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %138 = linalg.index 0 : index
      %139 = arith.index_cast %138 : index to i64
      linalg.yield %139 : i64
    } -> tensor<9xi64>
    %expanded = tensor.expand_shape %11 [[0, 1]] output_shape [1, 9] : tensor<9xi64> into tensor<1x9xi64>
    %expanded_17 = tensor.expand_shape %11 [[0, 1]] output_shape [9, 1] : tensor<9xi64> into tensor<9x1xi64>
    %12 = tensor.empty() : tensor<9x9xi64>
    %13 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_17 : tensor<1x9xi64>, tensor<9x1xi64>) outs(%12 : tensor<9x9xi64>) {
    ^bb0(%in: i64, %in_56: i64, %out: i64):
      %138 = arith.subi %in, %in_56 : i64
      linalg.yield %138 : i64
    } -> tensor<9x9xi64>
    %14 = tensor.empty() : tensor<9x9xi1>
    %15 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<9x9xi64>) outs(%14 : tensor<9x9xi1>) {
    ^bb0(%in: i64, %out: i1):
      %138 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %138 : i1
    } -> tensor<9x9xi1>
    %16 = tensor.empty() : tensor<9x9xf32>
    %17 = linalg.generic {indexing_maps = [#map6, #map6, #map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%15, %cst_7, %cst_6 : tensor<9x9xi1>, tensor<9x9xf32>, tensor<f32>) outs(%16 : tensor<9x9xf32>) {
    ^bb0(%in: i1, %in_56: f32, %in_57: f32, %out: f32):
      %138 = arith.select %in, %in_56, %in_57 : f32
      linalg.yield %138 : f32
    } -> tensor<9x9xf32>
    %18 = tensor.empty() : tensor<1x9xf32>
    %19 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%arg16 : tensor<1x9xi64>) outs(%18 : tensor<1x9xf32>) {
    ^bb0(%in: i64, %out: f32):
      %138 = arith.sitofp %in : i64 to f32
      linalg.yield %138 : f32
    } -> tensor<1x9xf32>
    %expanded_18 = tensor.expand_shape %19 [[0], [1, 2]] output_shape [1, 1, 9] : tensor<1x9xf32> into tensor<1x1x9xf32>
    %20 = tensor.empty() : tensor<1x9x9xf32>
    %21 = linalg.generic {indexing_maps = [#map8, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %expanded_18 : tensor<9x9xf32>, tensor<1x1x9xf32>) outs(%20 : tensor<1x9x9xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.mulf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x9xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%18 : tensor<1x9xf32>) -> tensor<1x9xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21 : tensor<1x9x9xf32>) outs(%22 : tensor<1x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.addf %in, %out : f32
      linalg.yield %138 : f32
    } -> tensor<1x9xf32>
    %24 = tensor.empty() : tensor<1x9xi64>
    %25 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<1x9xf32>) outs(%24 : tensor<1x9xi64>) {
    ^bb0(%in: f32, %out: i64):
      %138 = arith.fptosi %in : f32 to i64
      linalg.yield %138 : i64
    } -> tensor<1x9xi64>
    %26 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<1x9xi64>) outs(%24 : tensor<1x9xi64>) {
    ^bb0(%in: i64, %out: i64):
      %138 = arith.subi %in, %c1_i64 : i64
      linalg.yield %138 : i64
    } -> tensor<1x9xi64>
    %27 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%26, %arg16 : tensor<1x9xi64>, tensor<1x9xi64>) outs(%24 : tensor<1x9xi64>) {
    ^bb0(%in: i64, %in_56: i64, %out: i64):
      %138 = arith.muli %in, %in_56 : i64
      linalg.yield %138 : i64
    } -> tensor<1x9xi64>
    %expanded_19 = tensor.expand_shape %27 [[0], [1, 2]] output_shape [1, 1, 9] : tensor<1x9xi64> into tensor<1x1x9xi64>
    %expanded_20 = tensor.expand_shape %concat [[0, 1]] output_shape [3, 1] : tensor<3xf32> into tensor<3x1xf32>
    %28 = tensor.empty() : tensor<3x1xbf16>
    %29 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%expanded_20 : tensor<3x1xf32>) outs(%28 : tensor<3x1xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %138 = arith.truncf %in : f32 to bf16
      linalg.yield %138 : bf16
    } -> tensor<3x1xbf16>
    %30 = tensor.empty() : tensor<1x3x9xbf16>
    %31 = linalg.generic {indexing_maps = [#map10, #map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %expanded_19 : tensor<3x1xbf16>, tensor<1x1x9xi64>) outs(%30 : tensor<1x3x9xbf16>) {
    ^bb0(%in: bf16, %in_56: i64, %out: bf16):
      %138 = arith.sitofp %in_56 : i64 to bf16
      %139 = arith.mulf %in, %138 : bf16
      linalg.yield %139 : bf16
    } -> tensor<1x3x9xbf16>
    %collapsed = tensor.collapse_shape %31 [[0, 1], [2]] : tensor<1x3x9xbf16> into tensor<3x9xbf16>
    %expanded_21 = tensor.expand_shape %collapsed [[0], [1, 2]] output_shape [3, 1, 9] : tensor<3x9xbf16> into tensor<3x1x9xbf16>
    %32 = tensor.empty() : tensor<3x1x9xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<3x1x9xbf16>) outs(%32 : tensor<3x1x9xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %138 = arith.extf %in : bf16 to f32
      linalg.yield %138 : f32
    } -> tensor<3x1x9xf32>
    %34 = tensor.empty() : tensor<1x9xi1>
    %35 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%arg16 : tensor<1x9xi64>) outs(%34 : tensor<1x9xi1>) {
    ^bb0(%in: i64, %out: i1):
      %138 = arith.cmpi ne, %in, %c0_i64 : i64
      linalg.yield %138 : i1
    } -> tensor<1x9xi1>
    %36 = tensor.empty() : tensor<1xi64>
    %37 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%36 : tensor<1xi64>) {
    ^bb0(%out: i64):
      linalg.yield %c0_i64 : i64
    } -> tensor<1xi64>
    %expanded_22 = tensor.expand_shape %37 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xi64> into tensor<1x1x1x1xi64>
    %expanded_23 = tensor.expand_shape %11 [[0, 1, 2, 3]] output_shape [1, 1, 9, 1] : tensor<9xi64> into tensor<1x1x9x1xi64>
    %expanded_24 = tensor.expand_shape %11 [[0, 1, 2, 3]] output_shape [1, 1, 1, 9] : tensor<9xi64> into tensor<1x1x1x9xi64>
    %38 = tensor.empty() : tensor<1x1x9x9xi1>
    %39 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24, %expanded_23 : tensor<1x1x1x9xi64>, tensor<1x1x9x1xi64>) outs(%38 : tensor<1x1x9x9xi1>) {
    ^bb0(%in: i64, %in_56: i64, %out: i1):
      %138 = arith.cmpi sle, %in, %in_56 : i64
      linalg.yield %138 : i1
    } -> tensor<1x1x9x9xi1>
    %40 = linalg.generic {indexing_maps = [#map14, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_5, %39 : tensor<i1>, tensor<1x1x9x9xi1>) outs(%38 : tensor<1x1x9x9xi1>) {
    ^bb0(%in: i1, %in_56: i1, %out: i1):
      %138 = arith.andi %in, %in_56 : i1
      linalg.yield %138 : i1
    } -> tensor<1x1x9x9xi1>
    %41 = tensor.empty() : tensor<1x1x1x9xi1>
    %42 = linalg.generic {indexing_maps = [#map15, #map16, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22, %expanded_24 : tensor<1x1x1x1xi64>, tensor<1x1x1x9xi64>) outs(%41 : tensor<1x1x1x9xi1>) {
    ^bb0(%in: i64, %in_56: i64, %out: i1):
      %138 = arith.cmpi slt, %in, %c0_i64 : i64
      %139 = arith.addi %in, %c1_i64 : i64
      %140 = arith.select %138, %139, %in : i64
      %141 = arith.index_cast %140 : i64 to index
      %142 = arith.cmpi slt, %in_56, %c0_i64 : i64
      %143 = arith.addi %in_56, %c9_i64 : i64
      %144 = arith.select %142, %143, %in_56 : i64
      %145 = arith.index_cast %144 : i64 to index
      %extracted = tensor.extract %35[%141, %145] : tensor<1x9xi1>
      linalg.yield %extracted : i1
    } -> tensor<1x1x1x9xi1>
    %43 = linalg.generic {indexing_maps = [#map13, #map11, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %42 : tensor<1x1x9x9xi1>, tensor<1x1x1x9xi1>) outs(%38 : tensor<1x1x9x9xi1>) {
    ^bb0(%in: i1, %in_56: i1, %out: i1):
      %138 = arith.andi %in, %in_56 : i1
      linalg.yield %138 : i1
    } -> tensor<1x1x9x9xi1>
    %44 = tensor.empty() : tensor<1x1x9x9xf32>
    %45 = linalg.generic {indexing_maps = [#map13, #map14, #map14, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %cst_6, %cst_4 : tensor<1x1x9x9xi1>, tensor<f32>, tensor<f32>) outs(%44 : tensor<1x1x9x9xf32>) {
    ^bb0(%in: i1, %in_56: f32, %in_57: f32, %out: f32):
      %138 = arith.select %in, %in_56, %in_57 : f32
      linalg.yield %138 : f32
    } -> tensor<1x1x9x9xf32>
    %expanded_25 = tensor.expand_shape %33 [[0, 1], [2], [3]] output_shape [1, 3, 1, 9] : tensor<3x1x9xf32> into tensor<1x3x1x9xf32>
    %46 = tensor.empty() : tensor<1x3x1x9xf32>
    %47 = linalg.generic {indexing_maps = [#map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x3x1x9xf32>) outs(%46 : tensor<1x3x1x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.truncf %cst_12 : f64 to f32
      %139 = arith.divf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x3x1x9xf32>
    %48 = linalg.generic {indexing_maps = [#map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<1x1x9x9xf32>) outs(%38 : tensor<1x1x9x9xi1>) {
    ^bb0(%in: f32, %out: i1):
      %138 = arith.cmpf olt, %in, %cst_13 : f32
      linalg.yield %138 : i1
    } -> tensor<1x1x9x9xi1>
    %49 = tensor.empty() : tensor<1x3x9x9xf32>
    %50 = linalg.generic {indexing_maps = [#map17, #map14, #map11, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %cst_4, %47 : tensor<1x1x9x9xi1>, tensor<f32>, tensor<1x3x1x9xf32>) outs(%49 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: i1, %in_56: f32, %in_57: f32, %out: f32):
      %138 = arith.select %in, %in_56, %in_57 : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x9x9xf32>
    %51 = tensor.empty() : tensor<1x9x24xf64>
    %52 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x9x24xf32>) outs(%51 : tensor<1x9x24xf64>) {
    ^bb0(%in: f32, %out: f64):
      %138 = arith.extf %in : f32 to f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %53 = tensor.empty() : tensor<1x9x1xf64>
    %54 = linalg.fill ins(%cst_0 : f64) outs(%53 : tensor<1x9x1xf64>) -> tensor<1x9x1xf64>
    %55 = linalg.generic {indexing_maps = [#map1, #map18], iterator_types = ["parallel", "parallel", "reduction"]} ins(%52 : tensor<1x9x24xf64>) outs(%54 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %56 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<1x9x1xf64>) outs(%53 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_14 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %57 = linalg.generic {indexing_maps = [#map1, #map18, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %56 : tensor<1x9x24xf64>, tensor<1x9x1xf64>) outs(%51 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_56: f64, %out: f64):
      %138 = arith.subf %in, %in_56 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %58 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %57 : tensor<1x9x24xf64>, tensor<1x9x24xf64>) outs(%51 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_56: f64, %out: f64):
      %138 = arith.mulf %in, %in_56 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %59 = linalg.generic {indexing_maps = [#map1, #map18], iterator_types = ["parallel", "parallel", "reduction"]} ins(%58 : tensor<1x9x24xf64>) outs(%54 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %60 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<1x9x1xf64>) outs(%53 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_14 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %61 = tensor.empty() : tensor<1x9x1xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<1x9x1xf64>) outs(%61 : tensor<1x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %138 = arith.truncf %in : f64 to f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %63 = linalg.fill ins(%cst : f32) outs(%61 : tensor<1x9x1xf32>) -> tensor<1x9x1xf32>
    %64 = linalg.generic {indexing_maps = [#map1, #map18], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x9x24xf32>) outs(%63 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.addf %in, %out : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %65 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<1x9x1xf32>) outs(%61 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.divf %in, %cst_15 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %66 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<1x9x1xf32>) outs(%61 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.truncf %cst_11 : f64 to f32
      %139 = arith.addf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x9x1xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<1x9x1xf32>) outs(%61 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = math.rsqrt %in : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %68 = linalg.generic {indexing_maps = [#map1, #map18, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %65 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.subf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %69 = linalg.generic {indexing_maps = [#map1, #map18, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %67 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.mulf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %70 = linalg.generic {indexing_maps = [#map1, #map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %arg9 : tensor<1x9x24xf32>, tensor<24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.mulf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %71 = linalg.generic {indexing_maps = [#map1, #map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %arg10 : tensor<1x9x24xf32>, tensor<24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.addf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %72 = tensor.empty() : tensor<24x72xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<72x24xf32>) outs(%72 : tensor<24x72xf32>) permutation = [1, 0] 
    %collapsed_26 = tensor.collapse_shape %71 [[0, 1], [2]] : tensor<1x9x24xf32> into tensor<9x24xf32>
    %73 = tensor.empty() : tensor<9x72xf32>
    %74 = linalg.fill ins(%cst : f32) outs(%73 : tensor<9x72xf32>) -> tensor<9x72xf32>
    %75 = linalg.matmul ins(%collapsed_26, %transposed : tensor<9x24xf32>, tensor<24x72xf32>) outs(%74 : tensor<9x72xf32>) -> tensor<9x72xf32>
    %expanded_27 = tensor.expand_shape %75 [[0, 1], [2]] output_shape [1, 9, 72] : tensor<9x72xf32> into tensor<1x9x72xf32>
    %76 = tensor.empty() : tensor<1x9x72xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_27, %arg2 : tensor<1x9x72xf32>, tensor<72xf32>) outs(%76 : tensor<1x9x72xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.addf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x72xf32>
    %expanded_28 = tensor.expand_shape %77 [[0], [1], [2, 3, 4]] output_shape [1, 9, 3, 3, 8] : tensor<1x9x72xf32> into tensor<1x9x3x3x8xf32>
    %extracted_slice = tensor.extract_slice %expanded_28[0, 0, 0, 0, 0] [1, 9, 3, 1, 8] [1, 1, 1, 1, 1] : tensor<1x9x3x3x8xf32> to tensor<1x9x3x1x8xf32>
    %collapsed_29 = tensor.collapse_shape %extracted_slice [[0], [1], [2, 3], [4]] : tensor<1x9x3x1x8xf32> into tensor<1x9x3x8xf32>
    %extracted_slice_30 = tensor.extract_slice %expanded_28[0, 0, 0, 1, 0] [1, 9, 3, 1, 8] [1, 1, 1, 1, 1] : tensor<1x9x3x3x8xf32> to tensor<1x9x3x1x8xf32>
    %collapsed_31 = tensor.collapse_shape %extracted_slice_30 [[0], [1], [2, 3], [4]] : tensor<1x9x3x1x8xf32> into tensor<1x9x3x8xf32>
    %extracted_slice_32 = tensor.extract_slice %expanded_28[0, 0, 0, 2, 0] [1, 9, 3, 1, 8] [1, 1, 1, 1, 1] : tensor<1x9x3x3x8xf32> to tensor<1x9x3x1x8xf32>
    %collapsed_33 = tensor.collapse_shape %extracted_slice_32 [[0], [1], [2, 3], [4]] : tensor<1x9x3x1x8xf32> into tensor<1x9x3x8xf32>
    %78 = tensor.empty() : tensor<1x3x9x8xf32>
    %transposed_34 = linalg.transpose ins(%collapsed_29 : tensor<1x9x3x8xf32>) outs(%78 : tensor<1x3x9x8xf32>) permutation = [0, 2, 1, 3] 
    %transposed_35 = linalg.transpose ins(%collapsed_33 : tensor<1x9x3x8xf32>) outs(%78 : tensor<1x3x9x8xf32>) permutation = [0, 2, 1, 3] 
    %79 = tensor.empty() : tensor<1x3x8x9xf32>
    %transposed_36 = linalg.transpose ins(%collapsed_31 : tensor<1x9x3x8xf32>) outs(%79 : tensor<1x3x8x9xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_37 = tensor.collapse_shape %transposed_34 [[0, 1], [2], [3]] : tensor<1x3x9x8xf32> into tensor<3x9x8xf32>
    %collapsed_38 = tensor.collapse_shape %transposed_36 [[0, 1], [2], [3]] : tensor<1x3x8x9xf32> into tensor<3x8x9xf32>
    %80 = tensor.empty() : tensor<3x9x9xf32>
    %81 = linalg.fill ins(%cst : f32) outs(%80 : tensor<3x9x9xf32>) -> tensor<3x9x9xf32>
    %82 = linalg.batch_matmul ins(%collapsed_37, %collapsed_38 : tensor<3x9x8xf32>, tensor<3x8x9xf32>) outs(%81 : tensor<3x9x9xf32>) -> tensor<3x9x9xf32>
    %expanded_39 = tensor.expand_shape %82 [[0, 1], [2], [3]] output_shape [1, 3, 9, 9] : tensor<3x9x9xf32> into tensor<1x3x9x9xf32>
    %83 = linalg.generic {indexing_maps = [#map13, #map11, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_39, %expanded_25 : tensor<1x3x9x9xf32>, tensor<1x3x1x9xf32>) outs(%49 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.addf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x9x9xf32>
    %84 = linalg.generic {indexing_maps = [#map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<1x3x9x9xf32>) outs(%49 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.truncf %cst_10 : f64 to f32
      %139 = arith.mulf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x3x9x9xf32>
    %85 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84, %50 : tensor<1x3x9x9xf32>, tensor<1x3x9x9xf32>) outs(%49 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.addf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x9x9xf32>
    %86 = tensor.empty() : tensor<1x3x9xi64>
    %87 = linalg.fill ins(%c0_i64 : i64) outs(%86 : tensor<1x3x9xi64>) -> tensor<1x3x9xi64>
    %88 = tensor.empty() : tensor<1x3x9xf32>
    %89 = linalg.fill ins(%cst_1 : f32) outs(%88 : tensor<1x3x9xf32>) -> tensor<1x3x9xf32>
    %90:2 = linalg.generic {indexing_maps = [#map13, #map20, #map20], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%85 : tensor<1x3x9x9xf32>) outs(%89, %87 : tensor<1x3x9xf32>, tensor<1x3x9xi64>) {
    ^bb0(%in: f32, %out: f32, %out_56: i64):
      %138 = linalg.index 3 : index
      %139 = arith.index_cast %138 : index to i64
      %140 = arith.maximumf %in, %out : f32
      %141 = arith.cmpf ogt, %in, %out : f32
      %142 = arith.select %141, %139, %out_56 : i64
      linalg.yield %140, %142 : f32, i64
    } -> (tensor<1x3x9xf32>, tensor<1x3x9xi64>)
    %expanded_40 = tensor.expand_shape %90#0 [[0], [1], [2, 3]] output_shape [1, 3, 9, 1] : tensor<1x3x9xf32> into tensor<1x3x9x1xf32>
    %91 = linalg.generic {indexing_maps = [#map13, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85, %expanded_40 : tensor<1x3x9x9xf32>, tensor<1x3x9x1xf32>) outs(%49 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.subf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x9x9xf32>
    %92 = linalg.generic {indexing_maps = [#map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91 : tensor<1x3x9x9xf32>) outs(%49 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = math.exp %in : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x9x9xf32>
    %93 = tensor.empty() : tensor<1x3x9x1xf32>
    %94 = linalg.fill ins(%cst : f32) outs(%93 : tensor<1x3x9x1xf32>) -> tensor<1x3x9x1xf32>
    %95 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%92 : tensor<1x3x9x9xf32>) outs(%94 : tensor<1x3x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.addf %in, %out : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x9x1xf32>
    %96 = linalg.generic {indexing_maps = [#map13, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92, %95 : tensor<1x3x9x9xf32>, tensor<1x3x9x1xf32>) outs(%49 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.divf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x3x9x9xf32>
    %collapsed_41 = tensor.collapse_shape %96 [[0, 1], [2], [3]] : tensor<1x3x9x9xf32> into tensor<3x9x9xf32>
    %collapsed_42 = tensor.collapse_shape %transposed_35 [[0, 1], [2], [3]] : tensor<1x3x9x8xf32> into tensor<3x9x8xf32>
    %97 = tensor.empty() : tensor<3x9x8xf32>
    %98 = linalg.fill ins(%cst : f32) outs(%97 : tensor<3x9x8xf32>) -> tensor<3x9x8xf32>
    %99 = linalg.batch_matmul ins(%collapsed_41, %collapsed_42 : tensor<3x9x9xf32>, tensor<3x9x8xf32>) outs(%98 : tensor<3x9x8xf32>) -> tensor<3x9x8xf32>
    %expanded_43 = tensor.expand_shape %99 [[0, 1], [2], [3]] output_shape [1, 3, 9, 8] : tensor<3x9x8xf32> into tensor<1x3x9x8xf32>
    %100 = tensor.empty() : tensor<1x9x3x8xf32>
    %transposed_44 = linalg.transpose ins(%expanded_43 : tensor<1x3x9x8xf32>) outs(%100 : tensor<1x9x3x8xf32>) permutation = [0, 2, 1, 3] 
    %101 = tensor.empty() : tensor<24x24xf32>
    %transposed_45 = linalg.transpose ins(%arg3 : tensor<24x24xf32>) outs(%101 : tensor<24x24xf32>) permutation = [1, 0] 
    %collapsed_46 = tensor.collapse_shape %transposed_44 [[0, 1], [2, 3]] : tensor<1x9x3x8xf32> into tensor<9x24xf32>
    %102 = tensor.empty() : tensor<9x24xf32>
    %103 = linalg.fill ins(%cst : f32) outs(%102 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %104 = linalg.matmul ins(%collapsed_46, %transposed_45 : tensor<9x24xf32>, tensor<24x24xf32>) outs(%103 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %expanded_47 = tensor.expand_shape %104 [[0, 1], [2]] output_shape [1, 9, 24] : tensor<9x24xf32> into tensor<1x9x24xf32>
    %105 = linalg.generic {indexing_maps = [#map1, #map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_47, %arg4 : tensor<1x9x24xf32>, tensor<24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.addf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %106 = tensor.empty() : tensor<24x96xf32>
    %transposed_48 = linalg.transpose ins(%arg5 : tensor<96x24xf32>) outs(%106 : tensor<24x96xf32>) permutation = [1, 0] 
    %107 = tensor.empty() : tensor<9x96xf32>
    %108 = linalg.fill ins(%cst : f32) outs(%107 : tensor<9x96xf32>) -> tensor<9x96xf32>
    %109 = linalg.matmul ins(%collapsed_26, %transposed_48 : tensor<9x24xf32>, tensor<24x96xf32>) outs(%108 : tensor<9x96xf32>) -> tensor<9x96xf32>
    %expanded_49 = tensor.expand_shape %109 [[0, 1], [2]] output_shape [1, 9, 96] : tensor<9x96xf32> into tensor<1x9x96xf32>
    %110 = tensor.empty() : tensor<1x9x96xf32>
    %111 = linalg.generic {indexing_maps = [#map1, #map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_49, %arg6 : tensor<1x9x96xf32>, tensor<96xf32>) outs(%110 : tensor<1x9x96xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.addf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x96xf32>
    %112 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111 : tensor<1x9x96xf32>) outs(%110 : tensor<1x9x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.divf %in, %cst_16 : f32
      %139 = math.erf %138 : f32
      %140 = arith.addf %139, %cst_2 : f32
      %141 = arith.mulf %140, %cst_3 : f32
      %142 = arith.mulf %in, %141 : f32
      linalg.yield %142 : f32
    } -> tensor<1x9x96xf32>
    %113 = tensor.empty() : tensor<96x24xf32>
    %transposed_50 = linalg.transpose ins(%arg7 : tensor<24x96xf32>) outs(%113 : tensor<96x24xf32>) permutation = [1, 0] 
    %collapsed_51 = tensor.collapse_shape %112 [[0, 1], [2]] : tensor<1x9x96xf32> into tensor<9x96xf32>
    %114 = linalg.matmul ins(%collapsed_51, %transposed_50 : tensor<9x96xf32>, tensor<96x24xf32>) outs(%103 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %expanded_52 = tensor.expand_shape %114 [[0, 1], [2]] output_shape [1, 9, 24] : tensor<9x24xf32> into tensor<1x9x24xf32>
    %115 = linalg.generic {indexing_maps = [#map1, #map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_52, %arg8 : tensor<1x9x24xf32>, tensor<24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.addf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %105 : tensor<1x9x24xf32>, tensor<1x9x24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.addf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %117 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %116 : tensor<1x9x24xf32>, tensor<1x9x24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.addf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %118 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<1x9x24xf32>) outs(%51 : tensor<1x9x24xf64>) {
    ^bb0(%in: f32, %out: f64):
      %138 = arith.extf %in : f32 to f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %119 = linalg.generic {indexing_maps = [#map1, #map18], iterator_types = ["parallel", "parallel", "reduction"]} ins(%118 : tensor<1x9x24xf64>) outs(%54 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %120 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119 : tensor<1x9x1xf64>) outs(%53 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_14 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %121 = linalg.generic {indexing_maps = [#map1, #map18, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118, %120 : tensor<1x9x24xf64>, tensor<1x9x1xf64>) outs(%51 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_56: f64, %out: f64):
      %138 = arith.subf %in, %in_56 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %122 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %121 : tensor<1x9x24xf64>, tensor<1x9x24xf64>) outs(%51 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_56: f64, %out: f64):
      %138 = arith.mulf %in, %in_56 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x24xf64>
    %123 = linalg.generic {indexing_maps = [#map1, #map18], iterator_types = ["parallel", "parallel", "reduction"]} ins(%122 : tensor<1x9x24xf64>) outs(%54 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.addf %in, %out : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %124 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<1x9x1xf64>) outs(%53 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %138 = arith.divf %in, %cst_14 : f64
      linalg.yield %138 : f64
    } -> tensor<1x9x1xf64>
    %125 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124 : tensor<1x9x1xf64>) outs(%61 : tensor<1x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %138 = arith.truncf %in : f64 to f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %126 = linalg.generic {indexing_maps = [#map1, #map18], iterator_types = ["parallel", "parallel", "reduction"]} ins(%117 : tensor<1x9x24xf32>) outs(%63 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.addf %in, %out : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %127 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<1x9x1xf32>) outs(%61 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.divf %in, %cst_15 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %128 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125 : tensor<1x9x1xf32>) outs(%61 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = arith.truncf %cst_11 : f64 to f32
      %139 = arith.addf %in, %138 : f32
      linalg.yield %139 : f32
    } -> tensor<1x9x1xf32>
    %129 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<1x9x1xf32>) outs(%61 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %138 = math.rsqrt %in : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x1xf32>
    %130 = linalg.generic {indexing_maps = [#map1, #map18, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %127 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.subf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %131 = linalg.generic {indexing_maps = [#map1, #map18, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130, %129 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.mulf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %132 = linalg.generic {indexing_maps = [#map1, #map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131, %arg11 : tensor<1x9x24xf32>, tensor<24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.mulf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %133 = linalg.generic {indexing_maps = [#map1, #map19, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132, %arg12 : tensor<1x9x24xf32>, tensor<24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_56: f32, %out: f32):
      %138 = arith.addf %in, %in_56 : f32
      linalg.yield %138 : f32
    } -> tensor<1x9x24xf32>
    %134 = tensor.empty() : tensor<24x31xf32>
    %transposed_53 = linalg.transpose ins(%arg0 : tensor<31x24xf32>) outs(%134 : tensor<24x31xf32>) permutation = [1, 0] 
    %collapsed_54 = tensor.collapse_shape %133 [[0, 1], [2]] : tensor<1x9x24xf32> into tensor<9x24xf32>
    %135 = tensor.empty() : tensor<9x31xf32>
    %136 = linalg.fill ins(%cst : f32) outs(%135 : tensor<9x31xf32>) -> tensor<9x31xf32>
    %137 = linalg.matmul ins(%collapsed_54, %transposed_53 : tensor<9x24xf32>, tensor<24x31xf32>) outs(%136 : tensor<9x31xf32>) -> tensor<9x31xf32>
    %expanded_55 = tensor.expand_shape %137 [[0, 1], [2]] output_shape [1, 9, 31] : tensor<9x31xf32> into tensor<1x9x31xf32>
    return %expanded_55 : tensor<1x9x31xf32>
  }
}
