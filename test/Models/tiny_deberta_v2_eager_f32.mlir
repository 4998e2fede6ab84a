#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> ()>
#map9 = affine_map<(d0, d1) -> (d1)>
#map10 = affine_map<() -> ()>
#map11 = affine_map<(d0, d1, d2) -> ()>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map13 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map15 = affine_map<(d0, d1, d2, d3) -> ()>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<31x24xf32>, %arg1: tensor<32x24xf32>, %arg2: tensor<24xf32>, %arg3: tensor<24xf32>, %arg4: tensor<24x24xf32>, %arg5: tensor<24xf32>, %arg6: tensor<24x24xf32>, %arg7: tensor<24xf32>, %arg8: tensor<24x24xf32>, %arg9: tensor<24xf32>, %arg10: tensor<24x24xf32>, %arg11: tensor<24xf32>, %arg12: tensor<24xf32>, %arg13: tensor<24xf32>, %arg14: tensor<40x24xf32>, %arg15: tensor<40xf32>, %arg16: tensor<24x40xf32>, %arg17: tensor<24xf32>, %arg18: tensor<24xf32>, %arg19: tensor<24xf32>, %arg20: tensor<16x24xf32>, %arg21: tensor<1x32xi64>, %arg22: tensor<1x9xi64>) -> tensor<1x9x24xf32> {
    %c-4_i64 = arith.constant -4 : i64
    %c4_i64 = arith.constant 4 : i64
    %c0_i64 = arith.constant 0 : i64
    %c32 = arith.constant 32 : index
    %c31 = arith.constant 31 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c16 = arith.constant 16 : index
    %true = arith.constant true
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_4 = arith.constant dense<-3.40282347E+38> : tensor<f32>
    %cst_5 = arith.constant dense<true> : tensor<1x1x9x9xi1>
    %cst_6 = arith.constant dense<1.000000e+00> : tensor<1x9x1xf32>
    %cst_7 = arith.constant dense<2.400000e+01> : tensor<f32>
    %cst_8 = arith.constant dense<2.04769278> : tensor<f32>
    %cst_9 = arith.constant 9.9999999999999995E-8 : f64
    %cst_10 = arith.constant 2.400000e+01 : f64
    %cst_11 = arith.constant 2.400000e+01 : f32
    %cst_12 = arith.constant 4.000000e+00 : f32
    %cst_13 = arith.constant 3.000000e+00 : f32
    %cst_14 = arith.constant 1.41421354 : f32
    %c8_i64 = arith.constant 8 : i64
    %c15_i64 = arith.constant 15 : i64
    %cst_15 = arith.constant dense<-1> : tensor<i64>
    %cst_16 = arith.constant dense<0> : tensor<i64>
    %cst_17 = arith.constant dense<1> : tensor<i64>
    %cst_18 = arith.constant dense<3> : tensor<i64>
    %extracted_slice = tensor.extract_slice %arg21[0, 0] [1, 9] [1, 1] : tensor<1x32xi64> to tensor<1x9xi64>
    %0 = tensor.empty() : tensor<1x9x24xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg22 : tensor<1x9xi64>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: i64, %out: f32):
      %170 = arith.index_cast %in : i64 to index
      %171 = linalg.index 2 : index
      %172 = arith.cmpi slt, %170, %c31 : index
      cf.assert %172, "index must be smaller than dim size"
      %173 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %173, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg0[%170, %171] : tensor<31x24xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x9x24xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<1x9xi64>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: i64, %out: f32):
      %170 = arith.index_cast %in : i64 to index
      %171 = linalg.index 2 : index
      %172 = arith.cmpi slt, %170, %c32 : index
      cf.assert %172, "index must be smaller than dim size"
      %173 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %173, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%170, %171] : tensor<32x24xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x9x24xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %2 : tensor<1x9x24xf32>, tensor<1x9x24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %4 = tensor.empty() : tensor<1x9x24xf64>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<1x9x24xf32>) outs(%4 : tensor<1x9x24xf64>) {
    ^bb0(%in: f32, %out: f64):
      %170 = arith.extf %in : f32 to f64
      linalg.yield %170 : f64
    } -> tensor<1x9x24xf64>
    %6 = tensor.empty() : tensor<1x9x1xf64>
    %7 = linalg.fill ins(%cst : f64) outs(%6 : tensor<1x9x1xf64>) -> tensor<1x9x1xf64>
    %8 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5 : tensor<1x9x24xf64>) outs(%7 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %170 = arith.addf %in, %out : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x1xf64>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x9x1xf64>) outs(%6 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %170 = arith.divf %in, %cst_10 : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x1xf64>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %9 : tensor<1x9x24xf64>, tensor<1x9x1xf64>) outs(%4 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_58: f64, %out: f64):
      %170 = arith.subf %in, %in_58 : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x24xf64>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %10 : tensor<1x9x24xf64>, tensor<1x9x24xf64>) outs(%4 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_58: f64, %out: f64):
      %170 = arith.mulf %in, %in_58 : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x24xf64>
    %12 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<1x9x24xf64>) outs(%7 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %170 = arith.addf %in, %out : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x1xf64>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x9x1xf64>) outs(%6 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %170 = arith.divf %in, %cst_10 : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x1xf64>
    %14 = tensor.empty() : tensor<1x9x1xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x9x1xf64>) outs(%14 : tensor<1x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %170 = arith.truncf %in : f64 to f32
      linalg.yield %170 : f32
    } -> tensor<1x9x1xf32>
    %16 = linalg.fill ins(%cst_0 : f32) outs(%14 : tensor<1x9x1xf32>) -> tensor<1x9x1xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<1x9x24xf32>) outs(%16 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.addf %in, %out : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x1xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x9x1xf32>) outs(%14 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.divf %in, %cst_11 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x1xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x9x1xf32>) outs(%14 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.truncf %cst_9 : f64 to f32
      %171 = arith.addf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<1x9x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x9x1xf32>) outs(%14 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.rsqrt %in : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %18 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.subf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %20 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.mulf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %arg2 : tensor<1x9x24xf32>, tensor<24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.mulf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %arg3 : tensor<1x9x24xf32>, tensor<24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %cst_6 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.mulf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %26 = tensor.empty() : tensor<9xi64>
    %27 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%26 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %170 = linalg.index 0 : index
      %171 = arith.index_cast %170 : index to i64
      linalg.yield %171 : i64
    } -> tensor<9xi64>
    %expanded = tensor.expand_shape %27 [[0, 1]] output_shape [9, 1] : tensor<9xi64> into tensor<9x1xi64>
    %expanded_19 = tensor.expand_shape %27 [[0, 1]] output_shape [1, 9] : tensor<9xi64> into tensor<1x9xi64>
    %28 = tensor.empty() : tensor<9x9xi64>
    %29 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_19 : tensor<9x1xi64>, tensor<1x9xi64>) outs(%28 : tensor<9x9xi64>) {
    ^bb0(%in: i64, %in_58: i64, %out: i64):
      %170 = arith.subi %in, %in_58 : i64
      linalg.yield %170 : i64
    } -> tensor<9x9xi64>
    %30 = tensor.empty() : tensor<9x9xi1>
    %31 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<9x9xi64>) outs(%30 : tensor<9x9xi1>) {
    ^bb0(%in: i64, %out: i1):
      %170 = arith.cmpi sgt, %in, %c0_i64 : i64
      linalg.yield %170 : i1
    } -> tensor<9x9xi1>
    %32 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<9x9xi64>) outs(%30 : tensor<9x9xi1>) {
    ^bb0(%in: i64, %out: i1):
      %170 = arith.cmpi slt, %in, %c0_i64 : i64
      linalg.yield %170 : i1
    } -> tensor<9x9xi1>
    %33 = linalg.generic {indexing_maps = [#map7, #map8, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%31, %cst_17, %cst_16 : tensor<9x9xi1>, tensor<i64>, tensor<i64>) outs(%28 : tensor<9x9xi64>) {
    ^bb0(%in: i1, %in_58: i64, %in_59: i64, %out: i64):
      %170 = arith.select %in, %in_58, %in_59 : i64
      linalg.yield %170 : i64
    } -> tensor<9x9xi64>
    %34 = linalg.generic {indexing_maps = [#map7, #map8, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%32, %cst_15, %33 : tensor<9x9xi1>, tensor<i64>, tensor<9x9xi64>) outs(%28 : tensor<9x9xi64>) {
    ^bb0(%in: i1, %in_58: i64, %in_59: i64, %out: i64):
      %170 = arith.select %in, %in_58, %in_59 : i64
      linalg.yield %170 : i64
    } -> tensor<9x9xi64>
    %35 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<9x9xi64>) outs(%30 : tensor<9x9xi1>) {
    ^bb0(%in: i64, %out: i1):
      %170 = arith.cmpi slt, %in, %c4_i64 : i64
      linalg.yield %170 : i1
    } -> tensor<9x9xi1>
    %36 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<9x9xi64>) outs(%30 : tensor<9x9xi1>) {
    ^bb0(%in: i64, %out: i1):
      %170 = arith.cmpi sgt, %in, %c-4_i64 : i64
      linalg.yield %170 : i1
    } -> tensor<9x9xi1>
    %37 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%35, %36 : tensor<9x9xi1>, tensor<9x9xi1>) outs(%30 : tensor<9x9xi1>) {
    ^bb0(%in: i1, %in_58: i1, %out: i1):
      %170 = arith.andi %in, %in_58 : i1
      linalg.yield %170 : i1
    } -> tensor<9x9xi1>
    %38 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<9x9xi64>) outs(%28 : tensor<9x9xi64>) {
    ^bb0(%in: i64, %out: i64):
      %170 = math.absi %in : i64
      linalg.yield %170 : i64
    } -> tensor<9x9xi64>
    %39 = linalg.generic {indexing_maps = [#map7, #map8, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%37, %cst_18, %38 : tensor<9x9xi1>, tensor<i64>, tensor<9x9xi64>) outs(%28 : tensor<9x9xi64>) {
    ^bb0(%in: i1, %in_58: i64, %in_59: i64, %out: i64):
      %170 = arith.select %in, %in_58, %in_59 : i64
      linalg.yield %170 : i64
    } -> tensor<9x9xi64>
    %40 = tensor.empty() : tensor<9x9xf32>
    %41 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<9x9xi64>) outs(%40 : tensor<9x9xf32>) {
    ^bb0(%in: i64, %out: f32):
      %170 = arith.sitofp %in : i64 to f32
      %171 = arith.divf %170, %cst_12 : f32
      linalg.yield %171 : f32
    } -> tensor<9x9xf32>
    %42 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<9x9xf32>) outs(%40 : tensor<9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.log %in : f32
      linalg.yield %170 : f32
    } -> tensor<9x9xf32>
    %43 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%42, %cst_8 : tensor<9x9xf32>, tensor<f32>) outs(%40 : tensor<9x9xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.divf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<9x9xf32>
    %44 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%43 : tensor<9x9xf32>) outs(%40 : tensor<9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.mulf %in, %cst_13 : f32
      linalg.yield %170 : f32
    } -> tensor<9x9xf32>
    %45 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%44 : tensor<9x9xf32>) outs(%40 : tensor<9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.ceil %in : f32
      linalg.yield %170 : f32
    } -> tensor<9x9xf32>
    %46 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%45 : tensor<9x9xf32>) outs(%40 : tensor<9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.addf %in, %cst_12 : f32
      linalg.yield %170 : f32
    } -> tensor<9x9xf32>
    %47 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<9x9xi64>) outs(%30 : tensor<9x9xi1>) {
    ^bb0(%in: i64, %out: i1):
      %170 = arith.cmpi sle, %in, %c4_i64 : i64
      linalg.yield %170 : i1
    } -> tensor<9x9xi1>
    %48 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<9x9xi64>) outs(%40 : tensor<9x9xf32>) {
    ^bb0(%in: i64, %out: f32):
      %170 = arith.sitofp %in : i64 to f32
      linalg.yield %170 : f32
    } -> tensor<9x9xf32>
    %49 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%46, %34 : tensor<9x9xf32>, tensor<9x9xi64>) outs(%40 : tensor<9x9xf32>) {
    ^bb0(%in: f32, %in_58: i64, %out: f32):
      %170 = arith.sitofp %in_58 : i64 to f32
      %171 = arith.mulf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<9x9xf32>
    %50 = linalg.generic {indexing_maps = [#map7, #map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%47, %48, %49 : tensor<9x9xi1>, tensor<9x9xf32>, tensor<9x9xf32>) outs(%40 : tensor<9x9xf32>) {
    ^bb0(%in: i1, %in_58: f32, %in_59: f32, %out: f32):
      %170 = arith.select %in, %in_58, %in_59 : f32
      linalg.yield %170 : f32
    } -> tensor<9x9xf32>
    %51 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%50 : tensor<9x9xf32>) outs(%28 : tensor<9x9xi64>) {
    ^bb0(%in: f32, %out: i64):
      %170 = arith.fptosi %in : f32 to i64
      linalg.yield %170 : i64
    } -> tensor<9x9xi64>
    %collapsed = tensor.collapse_shape %25 [[0, 1], [2]] : tensor<1x9x24xf32> into tensor<9x24xf32>
    %52 = tensor.empty() : tensor<24x24xf32>
    %transposed = linalg.transpose ins(%arg4 : tensor<24x24xf32>) outs(%52 : tensor<24x24xf32>) permutation = [1, 0] 
    %53 = tensor.empty() : tensor<9x24xf32>
    %54 = linalg.fill ins(%cst_0 : f32) outs(%53 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %55 = linalg.matmul ins(%collapsed, %transposed : tensor<9x24xf32>, tensor<24x24xf32>) outs(%54 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %56 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<24xf32>) outs(%53 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<9x24xf32>
    %57 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%55, %56 : tensor<9x24xf32>, tensor<9x24xf32>) outs(%53 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<9x24xf32>
    %expanded_20 = tensor.expand_shape %57 [[0, 1], [2, 3]] output_shape [1, 9, 3, 8] : tensor<9x24xf32> into tensor<1x9x3x8xf32>
    %58 = tensor.empty() : tensor<1x3x9x8xf32>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<1x9x3x8xf32>) outs(%58 : tensor<1x3x9x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_22 = tensor.collapse_shape %transposed_21 [[0, 1], [2], [3]] : tensor<1x3x9x8xf32> into tensor<3x9x8xf32>
    %transposed_23 = linalg.transpose ins(%arg6 : tensor<24x24xf32>) outs(%52 : tensor<24x24xf32>) permutation = [1, 0] 
    %59 = linalg.matmul ins(%collapsed, %transposed_23 : tensor<9x24xf32>, tensor<24x24xf32>) outs(%54 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %60 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<24xf32>) outs(%53 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<9x24xf32>
    %61 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%59, %60 : tensor<9x24xf32>, tensor<9x24xf32>) outs(%53 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<9x24xf32>
    %expanded_24 = tensor.expand_shape %61 [[0, 1], [2, 3]] output_shape [1, 9, 3, 8] : tensor<9x24xf32> into tensor<1x9x3x8xf32>
    %transposed_25 = linalg.transpose ins(%expanded_24 : tensor<1x9x3x8xf32>) outs(%58 : tensor<1x3x9x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_26 = tensor.collapse_shape %transposed_25 [[0, 1], [2], [3]] : tensor<1x3x9x8xf32> into tensor<3x9x8xf32>
    %transposed_27 = linalg.transpose ins(%arg8 : tensor<24x24xf32>) outs(%52 : tensor<24x24xf32>) permutation = [1, 0] 
    %62 = linalg.matmul ins(%collapsed, %transposed_27 : tensor<9x24xf32>, tensor<24x24xf32>) outs(%54 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %63 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<24xf32>) outs(%53 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<9x24xf32>
    %64 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%62, %63 : tensor<9x24xf32>, tensor<9x24xf32>) outs(%53 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<9x24xf32>
    %expanded_28 = tensor.expand_shape %64 [[0, 1], [2, 3]] output_shape [1, 9, 3, 8] : tensor<9x24xf32> into tensor<1x9x3x8xf32>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<1x9x3x8xf32>) outs(%58 : tensor<1x3x9x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_30 = tensor.collapse_shape %transposed_29 [[0, 1], [2], [3]] : tensor<1x3x9x8xf32> into tensor<3x9x8xf32>
    %65 = tensor.empty() : tensor<f32>
    %66 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = []} ins(%cst_7 : tensor<f32>) outs(%65 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.sqrt %in : f32
      linalg.yield %170 : f32
    } -> tensor<f32>
    %67 = tensor.empty() : tensor<3x8x9xf32>
    %transposed_31 = linalg.transpose ins(%collapsed_26 : tensor<3x9x8xf32>) outs(%67 : tensor<3x8x9xf32>) permutation = [0, 2, 1] 
    %68 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_31, %66 : tensor<3x8x9xf32>, tensor<f32>) outs(%67 : tensor<3x8x9xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.divf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<3x8x9xf32>
    %69 = tensor.empty() : tensor<3x9x9xf32>
    %70 = linalg.fill ins(%cst_0 : f32) outs(%69 : tensor<3x9x9xf32>) -> tensor<3x9x9xf32>
    %71 = linalg.batch_matmul ins(%collapsed_22, %68 : tensor<3x9x8xf32>, tensor<3x8x9xf32>) outs(%70 : tensor<3x9x9xf32>) -> tensor<3x9x9xf32>
    %expanded_32 = tensor.expand_shape %51 [[0, 1, 2], [3]] output_shape [1, 1, 9, 9] : tensor<9x9xi64> into tensor<1x1x9x9xi64>
    %72 = tensor.empty() : tensor<16x24xf32>
    %73 = linalg.fill ins(%cst_0 : f32) outs(%72 : tensor<16x24xf32>) -> tensor<16x24xf32>
    %74 = linalg.matmul ins(%arg20, %transposed : tensor<16x24xf32>, tensor<24x24xf32>) outs(%73 : tensor<16x24xf32>) -> tensor<16x24xf32>
    %75 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<24xf32>) outs(%72 : tensor<16x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x24xf32>
    %76 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%74, %75 : tensor<16x24xf32>, tensor<16x24xf32>) outs(%72 : tensor<16x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<16x24xf32>
    %expanded_33 = tensor.expand_shape %76 [[0, 1], [2, 3]] output_shape [1, 16, 3, 8] : tensor<16x24xf32> into tensor<1x16x3x8xf32>
    %77 = tensor.empty() : tensor<1x3x16x8xf32>
    %transposed_34 = linalg.transpose ins(%expanded_33 : tensor<1x16x3x8xf32>) outs(%77 : tensor<1x3x16x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_35 = tensor.collapse_shape %transposed_34 [[0, 1], [2], [3]] : tensor<1x3x16x8xf32> into tensor<3x16x8xf32>
    %78 = linalg.matmul ins(%arg20, %transposed_23 : tensor<16x24xf32>, tensor<24x24xf32>) outs(%73 : tensor<16x24xf32>) -> tensor<16x24xf32>
    %79 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg7 : tensor<24xf32>) outs(%72 : tensor<16x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x24xf32>
    %80 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%78, %79 : tensor<16x24xf32>, tensor<16x24xf32>) outs(%72 : tensor<16x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<16x24xf32>
    %expanded_36 = tensor.expand_shape %80 [[0, 1], [2, 3]] output_shape [1, 16, 3, 8] : tensor<16x24xf32> into tensor<1x16x3x8xf32>
    %transposed_37 = linalg.transpose ins(%expanded_36 : tensor<1x16x3x8xf32>) outs(%77 : tensor<1x3x16x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_38 = tensor.collapse_shape %transposed_37 [[0, 1], [2], [3]] : tensor<1x3x16x8xf32> into tensor<3x16x8xf32>
    %81 = tensor.empty() : tensor<3x8x16xf32>
    %transposed_39 = linalg.transpose ins(%collapsed_38 : tensor<3x16x8xf32>) outs(%81 : tensor<3x8x16xf32>) permutation = [0, 2, 1] 
    %82 = tensor.empty() : tensor<3x9x16xf32>
    %83 = linalg.fill ins(%cst_0 : f32) outs(%82 : tensor<3x9x16xf32>) -> tensor<3x9x16xf32>
    %84 = linalg.batch_matmul ins(%collapsed_22, %transposed_39 : tensor<3x9x8xf32>, tensor<3x8x16xf32>) outs(%83 : tensor<3x9x16xf32>) -> tensor<3x9x16xf32>
    %85 = tensor.empty() : tensor<1x1x9x9xi64>
    %86 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<1x1x9x9xi64>) outs(%85 : tensor<1x1x9x9xi64>) {
    ^bb0(%in: i64, %out: i64):
      %170 = arith.addi %in, %c8_i64 : i64
      linalg.yield %170 : i64
    } -> tensor<1x1x9x9xi64>
    %87 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86 : tensor<1x1x9x9xi64>) outs(%85 : tensor<1x1x9x9xi64>) {
    ^bb0(%in: i64, %out: i64):
      %170 = arith.maxsi %in, %c0_i64 : i64
      %171 = arith.minsi %170, %c15_i64 : i64
      linalg.yield %171 : i64
    } -> tensor<1x1x9x9xi64>
    %88 = tensor.empty() : tensor<3x9x9xi64>
    %collapsed_40 = tensor.collapse_shape %87 [[0, 1, 2], [3]] : tensor<1x1x9x9xi64> into tensor<9x9xi64>
    %89 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_40 : tensor<9x9xi64>) outs(%88 : tensor<3x9x9xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<3x9x9xi64>
    %90 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<3x9x9xi64>) outs(%70 : tensor<3x9x9xf32>) {
    ^bb0(%in: i64, %out: f32):
      %170 = linalg.index 0 : index
      %171 = linalg.index 1 : index
      %172 = arith.index_cast %in : i64 to index
      %173 = arith.cmpi slt, %172, %c16 : index
      cf.assert %173, "index must be smaller than dim size"
      %174 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %174, "index must be larger or equal to 0"
      %extracted = tensor.extract %84[%170, %171, %172] : tensor<3x9x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<3x9x9xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %66 : tensor<3x9x9xf32>, tensor<f32>) outs(%69 : tensor<3x9x9xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.divf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<3x9x9xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<3x9x9xf32>) outs(%69 : tensor<3x9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.addf %in, %cst_0 : f32
      linalg.yield %170 : f32
    } -> tensor<3x9x9xf32>
    %93 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<1x1x9x9xi64>) outs(%85 : tensor<1x1x9x9xi64>) {
    ^bb0(%in: i64, %out: i64):
      %170 = arith.sitofp %in : i64 to f32
      %171 = arith.negf %170 : f32
      %172 = arith.fptosi %171 : f32 to i64
      linalg.yield %172 : i64
    } -> tensor<1x1x9x9xi64>
    %94 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%93 : tensor<1x1x9x9xi64>) outs(%85 : tensor<1x1x9x9xi64>) {
    ^bb0(%in: i64, %out: i64):
      %170 = arith.addi %in, %c8_i64 : i64
      linalg.yield %170 : i64
    } -> tensor<1x1x9x9xi64>
    %95 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%94 : tensor<1x1x9x9xi64>) outs(%85 : tensor<1x1x9x9xi64>) {
    ^bb0(%in: i64, %out: i64):
      %170 = arith.maxsi %in, %c0_i64 : i64
      %171 = arith.minsi %170, %c15_i64 : i64
      linalg.yield %171 : i64
    } -> tensor<1x1x9x9xi64>
    %transposed_41 = linalg.transpose ins(%collapsed_35 : tensor<3x16x8xf32>) outs(%81 : tensor<3x8x16xf32>) permutation = [0, 2, 1] 
    %96 = linalg.batch_matmul ins(%collapsed_26, %transposed_41 : tensor<3x9x8xf32>, tensor<3x8x16xf32>) outs(%83 : tensor<3x9x16xf32>) -> tensor<3x9x16xf32>
    %collapsed_42 = tensor.collapse_shape %95 [[0, 1, 2], [3]] : tensor<1x1x9x9xi64> into tensor<9x9xi64>
    %97 = linalg.generic {indexing_maps = [#map13, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_42 : tensor<9x9xi64>) outs(%88 : tensor<3x9x9xi64>) {
    ^bb0(%in: i64, %out: i64):
      linalg.yield %in : i64
    } -> tensor<3x9x9xi64>
    %98 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<3x9x9xi64>) outs(%70 : tensor<3x9x9xf32>) {
    ^bb0(%in: i64, %out: f32):
      %170 = linalg.index 0 : index
      %171 = linalg.index 1 : index
      %172 = arith.index_cast %in : i64 to index
      %173 = arith.cmpi slt, %172, %c16 : index
      cf.assert %173, "index must be smaller than dim size"
      %174 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %174, "index must be larger or equal to 0"
      %extracted = tensor.extract %96[%170, %171, %172] : tensor<3x9x16xf32>
      linalg.yield %extracted : f32
    } -> tensor<3x9x9xf32>
    %transposed_43 = linalg.transpose ins(%98 : tensor<3x9x9xf32>) outs(%69 : tensor<3x9x9xf32>) permutation = [0, 2, 1] 
    %99 = linalg.generic {indexing_maps = [#map1, #map11, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_43, %66 : tensor<3x9x9xf32>, tensor<f32>) outs(%69 : tensor<3x9x9xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.divf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<3x9x9xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %99 : tensor<3x9x9xf32>, tensor<3x9x9xf32>) outs(%69 : tensor<3x9x9xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<3x9x9xf32>
    %101 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %100 : tensor<3x9x9xf32>, tensor<3x9x9xf32>) outs(%69 : tensor<3x9x9xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<3x9x9xf32>
    %expanded_44 = tensor.expand_shape %101 [[0, 1], [2], [3]] output_shape [1, 3, 9, 9] : tensor<3x9x9xf32> into tensor<1x3x9x9xf32>
    %102 = tensor.empty() : tensor<1x1x9x9xi1>
    %103 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<1x1x9x9xi1>) outs(%102 : tensor<1x1x9x9xi1>) {
    ^bb0(%in: i1, %out: i1):
      %170 = arith.xori %in, %true : i1
      linalg.yield %170 : i1
    } -> tensor<1x1x9x9xi1>
    %104 = tensor.empty() : tensor<1x3x9x9xf32>
    %105 = linalg.generic {indexing_maps = [#map14, #map15, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%103, %cst_4, %expanded_44 : tensor<1x1x9x9xi1>, tensor<f32>, tensor<1x3x9x9xf32>) outs(%104 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: i1, %in_58: f32, %in_59: f32, %out: f32):
      %170 = arith.select %in, %in_58, %in_59 : f32
      linalg.yield %170 : f32
    } -> tensor<1x3x9x9xf32>
    %106 = tensor.empty() : tensor<1x3x9xi64>
    %107 = linalg.fill ins(%c0_i64 : i64) outs(%106 : tensor<1x3x9xi64>) -> tensor<1x3x9xi64>
    %108 = tensor.empty() : tensor<1x3x9xf32>
    %109 = linalg.fill ins(%cst_1 : f32) outs(%108 : tensor<1x3x9xf32>) -> tensor<1x3x9xf32>
    %110:2 = linalg.generic {indexing_maps = [#map12, #map16, #map16], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%105 : tensor<1x3x9x9xf32>) outs(%109, %107 : tensor<1x3x9xf32>, tensor<1x3x9xi64>) {
    ^bb0(%in: f32, %out: f32, %out_58: i64):
      %170 = linalg.index 3 : index
      %171 = arith.index_cast %170 : index to i64
      %172 = arith.maximumf %in, %out : f32
      %173 = arith.cmpf ogt, %in, %out : f32
      %174 = arith.select %173, %171, %out_58 : i64
      linalg.yield %172, %174 : f32, i64
    } -> (tensor<1x3x9xf32>, tensor<1x3x9xi64>)
    %expanded_45 = tensor.expand_shape %110#0 [[0], [1], [2, 3]] output_shape [1, 3, 9, 1] : tensor<1x3x9xf32> into tensor<1x3x9x1xf32>
    %111 = linalg.generic {indexing_maps = [#map12, #map17, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%105, %expanded_45 : tensor<1x3x9x9xf32>, tensor<1x3x9x1xf32>) outs(%104 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.subf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x3x9x9xf32>
    %112 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%111 : tensor<1x3x9x9xf32>) outs(%104 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.exp %in : f32
      linalg.yield %170 : f32
    } -> tensor<1x3x9x9xf32>
    %113 = tensor.empty() : tensor<1x3x9x1xf32>
    %114 = linalg.fill ins(%cst_0 : f32) outs(%113 : tensor<1x3x9x1xf32>) -> tensor<1x3x9x1xf32>
    %115 = linalg.generic {indexing_maps = [#map12, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%112 : tensor<1x3x9x9xf32>) outs(%114 : tensor<1x3x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.addf %in, %out : f32
      linalg.yield %170 : f32
    } -> tensor<1x3x9x1xf32>
    %116 = linalg.generic {indexing_maps = [#map12, #map17, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112, %115 : tensor<1x3x9x9xf32>, tensor<1x3x9x1xf32>) outs(%104 : tensor<1x3x9x9xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.divf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x3x9x9xf32>
    %collapsed_46 = tensor.collapse_shape %116 [[0, 1], [2], [3]] : tensor<1x3x9x9xf32> into tensor<3x9x9xf32>
    %117 = tensor.empty() : tensor<3x9x8xf32>
    %118 = linalg.fill ins(%cst_0 : f32) outs(%117 : tensor<3x9x8xf32>) -> tensor<3x9x8xf32>
    %119 = linalg.batch_matmul ins(%collapsed_46, %collapsed_30 : tensor<3x9x9xf32>, tensor<3x9x8xf32>) outs(%118 : tensor<3x9x8xf32>) -> tensor<3x9x8xf32>
    %expanded_47 = tensor.expand_shape %119 [[0, 1], [2], [3]] output_shape [1, 3, 9, 8] : tensor<3x9x8xf32> into tensor<1x3x9x8xf32>
    %120 = tensor.empty() : tensor<1x9x3x8xf32>
    %transposed_48 = linalg.transpose ins(%expanded_47 : tensor<1x3x9x8xf32>) outs(%120 : tensor<1x9x3x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_49 = tensor.collapse_shape %transposed_48 [[0, 1], [2, 3]] : tensor<1x9x3x8xf32> into tensor<9x24xf32>
    %transposed_50 = linalg.transpose ins(%arg10 : tensor<24x24xf32>) outs(%52 : tensor<24x24xf32>) permutation = [1, 0] 
    %121 = linalg.matmul ins(%collapsed_49, %transposed_50 : tensor<9x24xf32>, tensor<24x24xf32>) outs(%54 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %122 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg11 : tensor<24xf32>) outs(%53 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<9x24xf32>
    %123 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%121, %122 : tensor<9x24xf32>, tensor<9x24xf32>) outs(%53 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<9x24xf32>
    %expanded_51 = tensor.expand_shape %123 [[0, 1], [2]] output_shape [1, 9, 24] : tensor<9x24xf32> into tensor<1x9x24xf32>
    %124 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_51, %25 : tensor<1x9x24xf32>, tensor<1x9x24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %125 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124 : tensor<1x9x24xf32>) outs(%4 : tensor<1x9x24xf64>) {
    ^bb0(%in: f32, %out: f64):
      %170 = arith.extf %in : f32 to f64
      linalg.yield %170 : f64
    } -> tensor<1x9x24xf64>
    %126 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%125 : tensor<1x9x24xf64>) outs(%7 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %170 = arith.addf %in, %out : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x1xf64>
    %127 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<1x9x1xf64>) outs(%6 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %170 = arith.divf %in, %cst_10 : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x1xf64>
    %128 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %127 : tensor<1x9x24xf64>, tensor<1x9x1xf64>) outs(%4 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_58: f64, %out: f64):
      %170 = arith.subf %in, %in_58 : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x24xf64>
    %129 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128, %128 : tensor<1x9x24xf64>, tensor<1x9x24xf64>) outs(%4 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_58: f64, %out: f64):
      %170 = arith.mulf %in, %in_58 : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x24xf64>
    %130 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%129 : tensor<1x9x24xf64>) outs(%7 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %170 = arith.addf %in, %out : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x1xf64>
    %131 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130 : tensor<1x9x1xf64>) outs(%6 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %170 = arith.divf %in, %cst_10 : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x1xf64>
    %132 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<1x9x1xf64>) outs(%14 : tensor<1x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %170 = arith.truncf %in : f64 to f32
      linalg.yield %170 : f32
    } -> tensor<1x9x1xf32>
    %133 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%124 : tensor<1x9x24xf32>) outs(%16 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.addf %in, %out : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x1xf32>
    %134 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<1x9x1xf32>) outs(%14 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.divf %in, %cst_11 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x1xf32>
    %135 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<1x9x1xf32>) outs(%14 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.truncf %cst_9 : f64 to f32
      %171 = arith.addf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<1x9x1xf32>
    %136 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<1x9x1xf32>) outs(%14 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.rsqrt %in : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x1xf32>
    %137 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124, %134 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.subf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %138 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %136 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.mulf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %139 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %arg12 : tensor<1x9x24xf32>, tensor<24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.mulf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %140 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139, %arg13 : tensor<1x9x24xf32>, tensor<24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %collapsed_52 = tensor.collapse_shape %140 [[0, 1], [2]] : tensor<1x9x24xf32> into tensor<9x24xf32>
    %141 = tensor.empty() : tensor<24x40xf32>
    %transposed_53 = linalg.transpose ins(%arg14 : tensor<40x24xf32>) outs(%141 : tensor<24x40xf32>) permutation = [1, 0] 
    %142 = tensor.empty() : tensor<9x40xf32>
    %143 = linalg.fill ins(%cst_0 : f32) outs(%142 : tensor<9x40xf32>) -> tensor<9x40xf32>
    %144 = linalg.matmul ins(%collapsed_52, %transposed_53 : tensor<9x24xf32>, tensor<24x40xf32>) outs(%143 : tensor<9x40xf32>) -> tensor<9x40xf32>
    %145 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg15 : tensor<40xf32>) outs(%142 : tensor<9x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<9x40xf32>
    %146 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%144, %145 : tensor<9x40xf32>, tensor<9x40xf32>) outs(%142 : tensor<9x40xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<9x40xf32>
    %expanded_54 = tensor.expand_shape %146 [[0, 1], [2]] output_shape [1, 9, 40] : tensor<9x40xf32> into tensor<1x9x40xf32>
    %147 = tensor.empty() : tensor<1x9x40xf32>
    %148 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_54 : tensor<1x9x40xf32>) outs(%147 : tensor<1x9x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.divf %in, %cst_14 : f32
      %171 = math.erf %170 : f32
      %172 = arith.addf %171, %cst_2 : f32
      %173 = arith.mulf %172, %cst_3 : f32
      %174 = arith.mulf %in, %173 : f32
      linalg.yield %174 : f32
    } -> tensor<1x9x40xf32>
    %collapsed_55 = tensor.collapse_shape %148 [[0, 1], [2]] : tensor<1x9x40xf32> into tensor<9x40xf32>
    %149 = tensor.empty() : tensor<40x24xf32>
    %transposed_56 = linalg.transpose ins(%arg16 : tensor<24x40xf32>) outs(%149 : tensor<40x24xf32>) permutation = [1, 0] 
    %150 = linalg.matmul ins(%collapsed_55, %transposed_56 : tensor<9x40xf32>, tensor<40x24xf32>) outs(%54 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %151 = linalg.generic {indexing_maps = [#map9, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg17 : tensor<24xf32>) outs(%53 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<9x24xf32>
    %152 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%150, %151 : tensor<9x24xf32>, tensor<9x24xf32>) outs(%53 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<9x24xf32>
    %expanded_57 = tensor.expand_shape %152 [[0, 1], [2]] output_shape [1, 9, 24] : tensor<9x24xf32> into tensor<1x9x24xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_57, %140 : tensor<1x9x24xf32>, tensor<1x9x24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %154 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153 : tensor<1x9x24xf32>) outs(%4 : tensor<1x9x24xf64>) {
    ^bb0(%in: f32, %out: f64):
      %170 = arith.extf %in : f32 to f64
      linalg.yield %170 : f64
    } -> tensor<1x9x24xf64>
    %155 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%154 : tensor<1x9x24xf64>) outs(%7 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %170 = arith.addf %in, %out : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x1xf64>
    %156 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155 : tensor<1x9x1xf64>) outs(%6 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %170 = arith.divf %in, %cst_10 : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x1xf64>
    %157 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154, %156 : tensor<1x9x24xf64>, tensor<1x9x1xf64>) outs(%4 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_58: f64, %out: f64):
      %170 = arith.subf %in, %in_58 : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x24xf64>
    %158 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157, %157 : tensor<1x9x24xf64>, tensor<1x9x24xf64>) outs(%4 : tensor<1x9x24xf64>) {
    ^bb0(%in: f64, %in_58: f64, %out: f64):
      %170 = arith.mulf %in, %in_58 : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x24xf64>
    %159 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%158 : tensor<1x9x24xf64>) outs(%7 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %170 = arith.addf %in, %out : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x1xf64>
    %160 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%159 : tensor<1x9x1xf64>) outs(%6 : tensor<1x9x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %170 = arith.divf %in, %cst_10 : f64
      linalg.yield %170 : f64
    } -> tensor<1x9x1xf64>
    %161 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%160 : tensor<1x9x1xf64>) outs(%14 : tensor<1x9x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %170 = arith.truncf %in : f64 to f32
      linalg.yield %170 : f32
    } -> tensor<1x9x1xf32>
    %162 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%153 : tensor<1x9x24xf32>) outs(%16 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.addf %in, %out : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x1xf32>
    %163 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162 : tensor<1x9x1xf32>) outs(%14 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.divf %in, %cst_11 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x1xf32>
    %164 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161 : tensor<1x9x1xf32>) outs(%14 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = arith.truncf %cst_9 : f64 to f32
      %171 = arith.addf %in, %170 : f32
      linalg.yield %171 : f32
    } -> tensor<1x9x1xf32>
    %165 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164 : tensor<1x9x1xf32>) outs(%14 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %170 = math.rsqrt %in : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x1xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153, %163 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.subf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %167 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166, %165 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.mulf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %168 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167, %arg18 : tensor<1x9x24xf32>, tensor<24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.mulf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    %169 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168, %arg19 : tensor<1x9x24xf32>, tensor<24xf32>) outs(%0 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_58: f32, %out: f32):
      %170 = arith.addf %in, %in_58 : f32
      linalg.yield %170 : f32
    } -> tensor<1x9x24xf32>
    return %169 : tensor<1x9x24xf32>
  }
}
