#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map8 = affine_map<(d0, d1, d2) -> (d2)>
#map9 = affine_map<(d0, d1) -> (d0, d1)>
#map10 = affine_map<(d0, d1) -> (d1)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @main(%arg0: tensor<31x24xbf16>, %arg1: tensor<3xbf16>, %arg2: tensor<24x24xbf16>, %arg3: tensor<24xbf16>, %arg4: tensor<8x24xbf16>, %arg5: tensor<8xbf16>, %arg6: tensor<8x24xbf16>, %arg7: tensor<8xbf16>, %arg8: tensor<24x24xbf16>, %arg9: tensor<24xbf16>, %arg10: tensor<40x24xbf16>, %arg11: tensor<40xbf16>, %arg12: tensor<24x40xbf16>, %arg13: tensor<24xbf16>, %arg14: tensor<24xbf16>, %arg15: tensor<24xbf16>, %arg16: tensor<24xbf16>, %arg17: tensor<31x24xbf16>, %arg18: tensor<4xf32>, %arg19: tensor<4xf32>, %arg20: tensor<1x9xi64>) -> tensor<1x9x31xbf16> {
    %c4_i64 = arith.constant 4 : i64
    %c2_i64 = arith.constant 2 : i64
    %c0_i64 = arith.constant 0 : i64
    %c31 = arith.constant 31 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF80 : bf16
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant dense<-3.389530e+38> : tensor<bf16>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<bf16>
    %cst_5 = arith.constant dense<true> : tensor<i1>
    %cst_6 = arith.constant 0.35355339059327379 : f64
    %cst_7 = arith.constant 1.000000e-05 : f64
    %cst_8 = arith.constant 1.3465735902799727 : f64
    %cst_9 = arith.constant 2.400000e+01 : f32
    %0 = tensor.empty() : tensor<1x9x24xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg20 : tensor<1x9xi64>) outs(%0 : tensor<1x9x24xbf16>) {
    ^bb0(%in: i64, %out: bf16):
      %182 = arith.index_cast %in : i64 to index
      %183 = linalg.index 2 : index
      %184 = arith.cmpi slt, %182, %c31 : index
      cf.assert %184, "index must be smaller than dim size"
      %185 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %185, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg0[%182, %183] : tensor<31x24xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<1x9x24xbf16>
    %2 = tensor.empty() : tensor<9xi64>
    %3 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%2 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %182 = linalg.index 0 : index
      %183 = arith.index_cast %182 : index to i64
      linalg.yield %183 : i64
    } -> tensor<9xi64>
    %expanded = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 9, 1] : tensor<9xi64> into tensor<1x1x9x1xi64>
    %expanded_10 = tensor.expand_shape %3 [[0, 1, 2, 3]] output_shape [1, 1, 1, 9] : tensor<9xi64> into tensor<1x1x1x9xi64>
    %4 = tensor.empty() : tensor<1x1x9x1xi64>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x1x9x1xi64>) outs(%4 : tensor<1x1x9x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %182 = arith.subi %in, %c4_i64 : i64
      linalg.yield %182 : i64
    } -> tensor<1x1x9x1xi64>
    %6 = tensor.empty() : tensor<1x1x9x9xi1>
    %7 = linalg.generic {indexing_maps = [#map4, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10, %5 : tensor<1x1x1x9xi64>, tensor<1x1x9x1xi64>) outs(%6 : tensor<1x1x9x9xi1>) {
    ^bb0(%in: i64, %in_52: i64, %out: i1):
      %182 = arith.cmpi sgt, %in, %in_52 : i64
      linalg.yield %182 : i1
    } -> tensor<1x1x9x9xi1>
    %8 = linalg.generic {indexing_maps = [#map6, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_5, %7 : tensor<i1>, tensor<1x1x9x9xi1>) outs(%6 : tensor<1x1x9x9xi1>) {
    ^bb0(%in: i1, %in_52: i1, %out: i1):
      %182 = arith.andi %in, %in_52 : i1
      linalg.yield %182 : i1
    } -> tensor<1x1x9x9xi1>
    %9 = linalg.generic {indexing_maps = [#map4, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_10, %expanded : tensor<1x1x1x9xi64>, tensor<1x1x9x1xi64>) outs(%6 : tensor<1x1x9x9xi1>) {
    ^bb0(%in: i64, %in_52: i64, %out: i1):
      %182 = arith.cmpi sle, %in, %in_52 : i64
      linalg.yield %182 : i1
    } -> tensor<1x1x9x9xi1>
    %10 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<1x1x9x9xi1>, tensor<1x1x9x9xi1>) outs(%6 : tensor<1x1x9x9xi1>) {
    ^bb0(%in: i1, %in_52: i1, %out: i1):
      %182 = arith.andi %in, %in_52 : i1
      linalg.yield %182 : i1
    } -> tensor<1x1x9x9xi1>
    %11 = tensor.empty() : tensor<1x1x9x9xbf16>
    %12 = linalg.generic {indexing_maps = [#map3, #map6, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %cst_4, %cst_3 : tensor<1x1x9x9xi1>, tensor<bf16>, tensor<bf16>) outs(%11 : tensor<1x1x9x9xbf16>) {
    ^bb0(%in: i1, %in_52: bf16, %in_53: bf16, %out: bf16):
      %182 = arith.select %in, %in_52, %in_53 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x1x9x9xbf16>
    %expanded_11 = tensor.expand_shape %3 [[0, 1, 2]] output_shape [1, 9, 1] : tensor<9xi64> into tensor<1x9x1xi64>
    %13 = tensor.empty() : tensor<1x9x1xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x9x1xi64>) outs(%13 : tensor<1x9x1xf32>) {
    ^bb0(%in: i64, %out: f32):
      %182 = arith.sitofp %in : i64 to f32
      linalg.yield %182 : f32
    } -> tensor<1x9x1xf32>
    %15 = tensor.empty() : tensor<1x9x4xf32>
    %16 = linalg.generic {indexing_maps = [#map7, #map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %arg18 : tensor<1x9x1xf32>, tensor<4xf32>) outs(%15 : tensor<1x9x4xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %182 = arith.mulf %in, %in_52 : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x4xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x9x4xf32>) outs(%15 : tensor<1x9x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.cos %in : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x4xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x9x4xf32>) outs(%15 : tensor<1x9x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.truncf %cst_8 : f64 to f32
      %183 = arith.mulf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<1x9x4xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x9x4xf32>) outs(%15 : tensor<1x9x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.sin %in : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x4xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<1x9x4xf32>) outs(%15 : tensor<1x9x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.truncf %cst_8 : f64 to f32
      %183 = arith.mulf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<1x9x4xf32>
    %21 = tensor.empty() : tensor<1x9x4xbf16>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<1x9x4xf32>) outs(%21 : tensor<1x9x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<1x9x4xbf16>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x9x4xf32>) outs(%21 : tensor<1x9x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<1x9x4xbf16>
    %24 = tensor.empty() : tensor<1x9x24xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x9x24xbf16>) outs(%24 : tensor<1x9x24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<1x9x24xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<1x9x24xf32>) outs(%24 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %182 : f32
    } -> tensor<1x9x24xf32>
    %27 = linalg.fill ins(%cst : f32) outs(%13 : tensor<1x9x1xf32>) -> tensor<1x9x1xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%26 : tensor<1x9x24xf32>) outs(%27 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.addf %in, %out : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<1x9x1xf32>) outs(%13 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.divf %in, %cst_9 : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x1xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<1x9x1xf32>) outs(%13 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.truncf %cst_7 : f64 to f32
      %183 = arith.addf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<1x9x1xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<1x9x1xf32>) outs(%13 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.rsqrt %in : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x1xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %31 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%24 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %182 = arith.mulf %in, %in_52 : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x24xf32>
    %33 = linalg.generic {indexing_maps = [#map8, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg14, %32 : tensor<24xbf16>, tensor<1x9x24xf32>) outs(%24 : tensor<1x9x24xf32>) {
    ^bb0(%in: bf16, %in_52: f32, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      %183 = arith.mulf %182, %in_52 : f32
      linalg.yield %183 : f32
    } -> tensor<1x9x24xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<1x9x24xf32>) outs(%0 : tensor<1x9x24xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<1x9x24xbf16>
    %collapsed = tensor.collapse_shape %34 [[0, 1], [2]] : tensor<1x9x24xbf16> into tensor<9x24xbf16>
    %35 = tensor.empty() : tensor<24x24xbf16>
    %transposed = linalg.transpose ins(%arg2 : tensor<24x24xbf16>) outs(%35 : tensor<24x24xbf16>) permutation = [1, 0] 
    %36 = tensor.empty() : tensor<24xf32>
    %37 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg3 : tensor<24xbf16>) outs(%36 : tensor<24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<24xf32>
    %38 = tensor.empty() : tensor<9x24xf32>
    %39 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<9x24xbf16>) outs(%38 : tensor<9x24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<9x24xf32>
    %40 = tensor.empty() : tensor<24x24xf32>
    %41 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<24x24xbf16>) outs(%40 : tensor<24x24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<24x24xf32>
    %42 = linalg.fill ins(%cst : f32) outs(%38 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %43 = linalg.matmul ins(%39, %41 : tensor<9x24xf32>, tensor<24x24xf32>) outs(%42 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %44 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<24xf32>) outs(%38 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<9x24xf32>
    %45 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%43, %44 : tensor<9x24xf32>, tensor<9x24xf32>) outs(%38 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %182 = arith.addf %in, %in_52 : f32
      linalg.yield %182 : f32
    } -> tensor<9x24xf32>
    %46 = tensor.empty() : tensor<9x24xbf16>
    %47 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%45 : tensor<9x24xf32>) outs(%46 : tensor<9x24xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<9x24xbf16>
    %expanded_12 = tensor.expand_shape %47 [[0, 1], [2, 3]] output_shape [1, 9, 3, 8] : tensor<9x24xbf16> into tensor<1x9x3x8xbf16>
    %48 = tensor.empty() : tensor<1x3x9x8xbf16>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<1x9x3x8xbf16>) outs(%48 : tensor<1x3x9x8xbf16>) permutation = [0, 2, 1, 3] 
    %49 = tensor.empty() : tensor<24x8xbf16>
    %transposed_14 = linalg.transpose ins(%arg4 : tensor<8x24xbf16>) outs(%49 : tensor<24x8xbf16>) permutation = [1, 0] 
    %50 = tensor.empty() : tensor<8xf32>
    %51 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg5 : tensor<8xbf16>) outs(%50 : tensor<8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<8xf32>
    %52 = tensor.empty() : tensor<24x8xf32>
    %53 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%transposed_14 : tensor<24x8xbf16>) outs(%52 : tensor<24x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<24x8xf32>
    %54 = tensor.empty() : tensor<9x8xf32>
    %55 = linalg.fill ins(%cst : f32) outs(%54 : tensor<9x8xf32>) -> tensor<9x8xf32>
    %56 = linalg.matmul ins(%39, %53 : tensor<9x24xf32>, tensor<24x8xf32>) outs(%55 : tensor<9x8xf32>) -> tensor<9x8xf32>
    %57 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<8xf32>) outs(%54 : tensor<9x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<9x8xf32>
    %58 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%56, %57 : tensor<9x8xf32>, tensor<9x8xf32>) outs(%54 : tensor<9x8xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %182 = arith.addf %in, %in_52 : f32
      linalg.yield %182 : f32
    } -> tensor<9x8xf32>
    %59 = tensor.empty() : tensor<9x8xbf16>
    %60 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%58 : tensor<9x8xf32>) outs(%59 : tensor<9x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<9x8xbf16>
    %expanded_15 = tensor.expand_shape %60 [[0, 1], [2, 3]] output_shape [1, 9, 1, 8] : tensor<9x8xbf16> into tensor<1x9x1x8xbf16>
    %61 = tensor.empty() : tensor<1x1x9x8xbf16>
    %transposed_16 = linalg.transpose ins(%expanded_15 : tensor<1x9x1x8xbf16>) outs(%61 : tensor<1x1x9x8xbf16>) permutation = [0, 2, 1, 3] 
    %transposed_17 = linalg.transpose ins(%arg6 : tensor<8x24xbf16>) outs(%49 : tensor<24x8xbf16>) permutation = [1, 0] 
    %62 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg7 : tensor<8xbf16>) outs(%50 : tensor<8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<8xf32>
    %63 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%transposed_17 : tensor<24x8xbf16>) outs(%52 : tensor<24x8xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<24x8xf32>
    %64 = linalg.matmul ins(%39, %63 : tensor<9x24xf32>, tensor<24x8xf32>) outs(%55 : tensor<9x8xf32>) -> tensor<9x8xf32>
    %65 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel"]} ins(%62 : tensor<8xf32>) outs(%54 : tensor<9x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<9x8xf32>
    %66 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%64, %65 : tensor<9x8xf32>, tensor<9x8xf32>) outs(%54 : tensor<9x8xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %182 = arith.addf %in, %in_52 : f32
      linalg.yield %182 : f32
    } -> tensor<9x8xf32>
    %67 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%66 : tensor<9x8xf32>) outs(%59 : tensor<9x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<9x8xbf16>
    %expanded_18 = tensor.expand_shape %67 [[0, 1], [2, 3]] output_shape [1, 9, 1, 8] : tensor<9x8xbf16> into tensor<1x9x1x8xbf16>
    %transposed_19 = linalg.transpose ins(%expanded_18 : tensor<1x9x1x8xbf16>) outs(%61 : tensor<1x1x9x8xbf16>) permutation = [0, 2, 1, 3] 
    %expanded_20 = tensor.expand_shape %22 [[0], [1, 2], [3]] output_shape [1, 1, 9, 4] : tensor<1x9x4xbf16> into tensor<1x1x9x4xbf16>
    %expanded_21 = tensor.expand_shape %23 [[0], [1, 2], [3]] output_shape [1, 1, 9, 4] : tensor<1x9x4xbf16> into tensor<1x1x9x4xbf16>
    %extracted_slice = tensor.extract_slice %transposed_13[0, 0, 0, 0] [1, 3, 9, 4] [1, 1, 1, 1] : tensor<1x3x9x8xbf16> to tensor<1x3x9x4xbf16>
    %extracted_slice_22 = tensor.extract_slice %transposed_13[0, 0, 0, 4] [1, 3, 9, 4] [1, 1, 1, 1] : tensor<1x3x9x8xbf16> to tensor<1x3x9x4xbf16>
    %68 = tensor.empty() : tensor<1x3x9x4xbf16>
    %69 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %expanded_20 : tensor<1x3x9x4xbf16>, tensor<1x1x9x4xbf16>) outs(%68 : tensor<1x3x9x4xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.mulf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x3x9x4xbf16>
    %70 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_22, %expanded_21 : tensor<1x3x9x4xbf16>, tensor<1x1x9x4xbf16>) outs(%68 : tensor<1x3x9x4xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.mulf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x3x9x4xbf16>
    %71 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %70 : tensor<1x3x9x4xbf16>, tensor<1x3x9x4xbf16>) outs(%68 : tensor<1x3x9x4xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.subf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x3x9x4xbf16>
    %72 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_22, %expanded_20 : tensor<1x3x9x4xbf16>, tensor<1x1x9x4xbf16>) outs(%68 : tensor<1x3x9x4xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.mulf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x3x9x4xbf16>
    %73 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %expanded_21 : tensor<1x3x9x4xbf16>, tensor<1x1x9x4xbf16>) outs(%68 : tensor<1x3x9x4xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.mulf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x3x9x4xbf16>
    %74 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %73 : tensor<1x3x9x4xbf16>, tensor<1x3x9x4xbf16>) outs(%68 : tensor<1x3x9x4xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.addf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x3x9x4xbf16>
    %concat = tensor.concat dim(3) %71, %74 : (tensor<1x3x9x4xbf16>, tensor<1x3x9x4xbf16>) -> tensor<1x3x9x8xbf16>
    %extracted_slice_23 = tensor.extract_slice %transposed_16[0, 0, 0, 0] [1, 1, 9, 4] [1, 1, 1, 1] : tensor<1x1x9x8xbf16> to tensor<1x1x9x4xbf16>
    %extracted_slice_24 = tensor.extract_slice %transposed_16[0, 0, 0, 4] [1, 1, 9, 4] [1, 1, 1, 1] : tensor<1x1x9x8xbf16> to tensor<1x1x9x4xbf16>
    %75 = tensor.empty() : tensor<1x1x9x4xbf16>
    %76 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_23, %expanded_20 : tensor<1x1x9x4xbf16>, tensor<1x1x9x4xbf16>) outs(%75 : tensor<1x1x9x4xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.mulf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x1x9x4xbf16>
    %77 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_24, %expanded_21 : tensor<1x1x9x4xbf16>, tensor<1x1x9x4xbf16>) outs(%75 : tensor<1x1x9x4xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.mulf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x1x9x4xbf16>
    %78 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %77 : tensor<1x1x9x4xbf16>, tensor<1x1x9x4xbf16>) outs(%75 : tensor<1x1x9x4xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.subf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x1x9x4xbf16>
    %79 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_24, %expanded_20 : tensor<1x1x9x4xbf16>, tensor<1x1x9x4xbf16>) outs(%75 : tensor<1x1x9x4xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.mulf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x1x9x4xbf16>
    %80 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_23, %expanded_21 : tensor<1x1x9x4xbf16>, tensor<1x1x9x4xbf16>) outs(%75 : tensor<1x1x9x4xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.mulf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x1x9x4xbf16>
    %81 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79, %80 : tensor<1x1x9x4xbf16>, tensor<1x1x9x4xbf16>) outs(%75 : tensor<1x1x9x4xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.addf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x1x9x4xbf16>
    %concat_25 = tensor.concat dim(3) %78, %81 : (tensor<1x1x9x4xbf16>, tensor<1x1x9x4xbf16>) -> tensor<1x1x9x8xbf16>
    %82 = tensor.empty() : tensor<1x1x3x9x8xbf16>
    %83 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%concat_25 : tensor<1x1x9x8xbf16>) outs(%82 : tensor<1x1x3x9x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x1x3x9x8xbf16>
    %collapsed_26 = tensor.collapse_shape %83 [[0], [1, 2], [3], [4]] : tensor<1x1x3x9x8xbf16> into tensor<1x3x9x8xbf16>
    %84 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%transposed_19 : tensor<1x1x9x8xbf16>) outs(%82 : tensor<1x1x3x9x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x1x3x9x8xbf16>
    %85 = tensor.empty() : tensor<1x3x8x9xbf16>
    %transposed_27 = linalg.transpose ins(%collapsed_26 : tensor<1x3x9x8xbf16>) outs(%85 : tensor<1x3x8x9xbf16>) permutation = [0, 1, 3, 2] 
    %collapsed_28 = tensor.collapse_shape %concat [[0, 1], [2], [3]] : tensor<1x3x9x8xbf16> into tensor<3x9x8xbf16>
    %collapsed_29 = tensor.collapse_shape %transposed_27 [[0, 1], [2], [3]] : tensor<1x3x8x9xbf16> into tensor<3x8x9xbf16>
    %86 = tensor.empty() : tensor<3x9x9xf32>
    %87 = linalg.fill ins(%cst : f32) outs(%86 : tensor<3x9x9xf32>) -> tensor<3x9x9xf32>
    %88 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<3x9x8xbf16>, tensor<3x8x9xbf16>) outs(%87 : tensor<3x9x9xf32>) -> tensor<3x9x9xf32>
    %89 = tensor.empty() : tensor<3x9x9xbf16>
    %90 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<3x9x9xf32>) outs(%89 : tensor<3x9x9xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<3x9x9xbf16>
    %expanded_30 = tensor.expand_shape %90 [[0, 1], [2], [3]] output_shape [1, 3, 9, 9] : tensor<3x9x9xbf16> into tensor<1x3x9x9xbf16>
    %91 = tensor.empty() : tensor<1x3x9x9xbf16>
    %92 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<1x3x9x9xbf16>) outs(%91 : tensor<1x3x9x9xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %182 = arith.truncf %cst_6 : f64 to bf16
      %183 = arith.mulf %in, %182 : bf16
      linalg.yield %183 : bf16
    } -> tensor<1x3x9x9xbf16>
    %93 = linalg.generic {indexing_maps = [#map3, #map11, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92, %12 : tensor<1x3x9x9xbf16>, tensor<1x1x9x9xbf16>) outs(%91 : tensor<1x3x9x9xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.addf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x3x9x9xbf16>
    %94 = tensor.empty() : tensor<1x3x9x1xbf16>
    %expanded_31 = tensor.expand_shape %arg1 [[0, 1, 2]] output_shape [1, 3, 1] : tensor<3xbf16> into tensor<1x3x1xbf16>
    %95 = linalg.generic {indexing_maps = [#map14, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<1x3x1xbf16>) outs(%94 : tensor<1x3x9x1xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x3x9x1xbf16>
    %concat_32 = tensor.concat dim(3) %93, %95 : (tensor<1x3x9x9xbf16>, tensor<1x3x9x1xbf16>) -> tensor<1x3x9x10xbf16>
    %96 = tensor.empty() : tensor<1x3x9xi64>
    %97 = linalg.fill ins(%c0_i64 : i64) outs(%96 : tensor<1x3x9xi64>) -> tensor<1x3x9xi64>
    %98 = tensor.empty() : tensor<1x3x9xbf16>
    %99 = linalg.fill ins(%cst_0 : bf16) outs(%98 : tensor<1x3x9xbf16>) -> tensor<1x3x9xbf16>
    %100:2 = linalg.generic {indexing_maps = [#map3, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%concat_32 : tensor<1x3x9x10xbf16>) outs(%99, %97 : tensor<1x3x9xbf16>, tensor<1x3x9xi64>) {
    ^bb0(%in: bf16, %out: bf16, %out_52: i64):
      %182 = linalg.index 3 : index
      %183 = arith.index_cast %182 : index to i64
      %184 = arith.maximumf %in, %out : bf16
      %185 = arith.cmpf ogt, %in, %out : bf16
      %186 = arith.select %185, %183, %out_52 : i64
      linalg.yield %184, %186 : bf16, i64
    } -> (tensor<1x3x9xbf16>, tensor<1x3x9xi64>)
    %expanded_33 = tensor.expand_shape %100#0 [[0], [1], [2, 3]] output_shape [1, 3, 9, 1] : tensor<1x3x9xbf16> into tensor<1x3x9x1xbf16>
    %101 = tensor.empty() : tensor<1x3x9x10xbf16>
    %102 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_32, %expanded_33 : tensor<1x3x9x10xbf16>, tensor<1x3x9x1xbf16>) outs(%101 : tensor<1x3x9x10xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.subf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x3x9x10xbf16>
    %103 = tensor.empty() : tensor<1x3x9x10xf32>
    %104 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%102 : tensor<1x3x9x10xbf16>) outs(%103 : tensor<1x3x9x10xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<1x3x9x10xf32>
    %105 = tensor.empty() : tensor<1x3x9xf32>
    %106 = linalg.fill ins(%cst_1 : f32) outs(%105 : tensor<1x3x9xf32>) -> tensor<1x3x9xf32>
    %107:2 = linalg.generic {indexing_maps = [#map3, #map15, #map15], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%104 : tensor<1x3x9x10xf32>) outs(%106, %97 : tensor<1x3x9xf32>, tensor<1x3x9xi64>) {
    ^bb0(%in: f32, %out: f32, %out_52: i64):
      %182 = linalg.index 3 : index
      %183 = arith.index_cast %182 : index to i64
      %184 = arith.maximumf %in, %out : f32
      %185 = arith.cmpf ogt, %in, %out : f32
      %186 = arith.select %185, %183, %out_52 : i64
      linalg.yield %184, %186 : f32, i64
    } -> (tensor<1x3x9xf32>, tensor<1x3x9xi64>)
    %expanded_34 = tensor.expand_shape %107#0 [[0], [1], [2, 3]] output_shape [1, 3, 9, 1] : tensor<1x3x9xf32> into tensor<1x3x9x1xf32>
    %108 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%104, %expanded_34 : tensor<1x3x9x10xf32>, tensor<1x3x9x1xf32>) outs(%103 : tensor<1x3x9x10xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %182 = arith.subf %in, %in_52 : f32
      linalg.yield %182 : f32
    } -> tensor<1x3x9x10xf32>
    %109 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%108 : tensor<1x3x9x10xf32>) outs(%103 : tensor<1x3x9x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.exp %in : f32
      linalg.yield %182 : f32
    } -> tensor<1x3x9x10xf32>
    %110 = tensor.empty() : tensor<1x3x9x1xf32>
    %111 = linalg.fill ins(%cst : f32) outs(%110 : tensor<1x3x9x1xf32>) -> tensor<1x3x9x1xf32>
    %112 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%109 : tensor<1x3x9x10xf32>) outs(%111 : tensor<1x3x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.addf %in, %out : f32
      linalg.yield %182 : f32
    } -> tensor<1x3x9x1xf32>
    %113 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%109, %112 : tensor<1x3x9x10xf32>, tensor<1x3x9x1xf32>) outs(%103 : tensor<1x3x9x10xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %182 = arith.divf %in, %in_52 : f32
      linalg.yield %182 : f32
    } -> tensor<1x3x9x10xf32>
    %114 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%113 : tensor<1x3x9x10xf32>) outs(%101 : tensor<1x3x9x10xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<1x3x9x10xbf16>
    %extracted_slice_35 = tensor.extract_slice %114[0, 0, 0, 0] [1, 3, 9, 9] [1, 1, 1, 1] : tensor<1x3x9x10xbf16> to tensor<1x3x9x9xbf16>
    %collapsed_36 = tensor.collapse_shape %extracted_slice_35 [[0, 1], [2], [3]] : tensor<1x3x9x9xbf16> into tensor<3x9x9xbf16>
    %collapsed_37 = tensor.collapse_shape %84 [[0, 1, 2], [3], [4]] : tensor<1x1x3x9x8xbf16> into tensor<3x9x8xbf16>
    %115 = tensor.empty() : tensor<3x9x8xf32>
    %116 = linalg.fill ins(%cst : f32) outs(%115 : tensor<3x9x8xf32>) -> tensor<3x9x8xf32>
    %117 = linalg.batch_matmul ins(%collapsed_36, %collapsed_37 : tensor<3x9x9xbf16>, tensor<3x9x8xbf16>) outs(%116 : tensor<3x9x8xf32>) -> tensor<3x9x8xf32>
    %118 = tensor.empty() : tensor<3x9x8xbf16>
    %119 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<3x9x8xf32>) outs(%118 : tensor<3x9x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<3x9x8xbf16>
    %expanded_38 = tensor.expand_shape %119 [[0, 1], [2], [3]] output_shape [1, 3, 9, 8] : tensor<3x9x8xbf16> into tensor<1x3x9x8xbf16>
    %120 = tensor.empty() : tensor<1x9x3x8xbf16>
    %transposed_39 = linalg.transpose ins(%expanded_38 : tensor<1x3x9x8xbf16>) outs(%120 : tensor<1x9x3x8xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_40 = tensor.collapse_shape %transposed_39 [[0, 1], [2, 3]] : tensor<1x9x3x8xbf16> into tensor<9x24xbf16>
    %transposed_41 = linalg.transpose ins(%arg8 : tensor<24x24xbf16>) outs(%35 : tensor<24x24xbf16>) permutation = [1, 0] 
    %121 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg9 : tensor<24xbf16>) outs(%36 : tensor<24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<24xf32>
    %122 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%collapsed_40 : tensor<9x24xbf16>) outs(%38 : tensor<9x24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<9x24xf32>
    %123 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%transposed_41 : tensor<24x24xbf16>) outs(%40 : tensor<24x24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<24x24xf32>
    %124 = linalg.matmul ins(%122, %123 : tensor<9x24xf32>, tensor<24x24xf32>) outs(%42 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %125 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel"]} ins(%121 : tensor<24xf32>) outs(%38 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<9x24xf32>
    %126 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%124, %125 : tensor<9x24xf32>, tensor<9x24xf32>) outs(%38 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %182 = arith.addf %in, %in_52 : f32
      linalg.yield %182 : f32
    } -> tensor<9x24xf32>
    %127 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%126 : tensor<9x24xf32>) outs(%46 : tensor<9x24xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<9x24xbf16>
    %expanded_42 = tensor.expand_shape %127 [[0, 1], [2]] output_shape [1, 9, 24] : tensor<9x24xbf16> into tensor<1x9x24xbf16>
    %128 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %expanded_42 : tensor<1x9x24xbf16>, tensor<1x9x24xbf16>) outs(%0 : tensor<1x9x24xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.addf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x9x24xbf16>
    %129 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<1x9x24xbf16>) outs(%24 : tensor<1x9x24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<1x9x24xf32>
    %130 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<1x9x24xf32>) outs(%24 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %182 : f32
    } -> tensor<1x9x24xf32>
    %131 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%130 : tensor<1x9x24xf32>) outs(%27 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.addf %in, %out : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x1xf32>
    %132 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<1x9x1xf32>) outs(%13 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.divf %in, %cst_9 : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x1xf32>
    %133 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<1x9x1xf32>) outs(%13 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.truncf %cst_7 : f64 to f32
      %183 = arith.addf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<1x9x1xf32>
    %134 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<1x9x1xf32>) outs(%13 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.rsqrt %in : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x1xf32>
    %135 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129, %134 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%24 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %182 = arith.mulf %in, %in_52 : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x24xf32>
    %136 = linalg.generic {indexing_maps = [#map8, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg15, %135 : tensor<24xbf16>, tensor<1x9x24xf32>) outs(%24 : tensor<1x9x24xf32>) {
    ^bb0(%in: bf16, %in_52: f32, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      %183 = arith.mulf %182, %in_52 : f32
      linalg.yield %183 : f32
    } -> tensor<1x9x24xf32>
    %137 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136 : tensor<1x9x24xf32>) outs(%0 : tensor<1x9x24xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<1x9x24xbf16>
    %collapsed_43 = tensor.collapse_shape %137 [[0, 1], [2]] : tensor<1x9x24xbf16> into tensor<9x24xbf16>
    %138 = tensor.empty() : tensor<24x40xbf16>
    %transposed_44 = linalg.transpose ins(%arg10 : tensor<40x24xbf16>) outs(%138 : tensor<24x40xbf16>) permutation = [1, 0] 
    %139 = tensor.empty() : tensor<40xf32>
    %140 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg11 : tensor<40xbf16>) outs(%139 : tensor<40xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<40xf32>
    %141 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%collapsed_43 : tensor<9x24xbf16>) outs(%38 : tensor<9x24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<9x24xf32>
    %142 = tensor.empty() : tensor<24x40xf32>
    %143 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%transposed_44 : tensor<24x40xbf16>) outs(%142 : tensor<24x40xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<24x40xf32>
    %144 = tensor.empty() : tensor<9x40xf32>
    %145 = linalg.fill ins(%cst : f32) outs(%144 : tensor<9x40xf32>) -> tensor<9x40xf32>
    %146 = linalg.matmul ins(%141, %143 : tensor<9x24xf32>, tensor<24x40xf32>) outs(%145 : tensor<9x40xf32>) -> tensor<9x40xf32>
    %147 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel"]} ins(%140 : tensor<40xf32>) outs(%144 : tensor<9x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<9x40xf32>
    %148 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%146, %147 : tensor<9x40xf32>, tensor<9x40xf32>) outs(%144 : tensor<9x40xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %182 = arith.addf %in, %in_52 : f32
      linalg.yield %182 : f32
    } -> tensor<9x40xf32>
    %149 = tensor.empty() : tensor<9x40xbf16>
    %150 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%148 : tensor<9x40xf32>) outs(%149 : tensor<9x40xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<9x40xbf16>
    %expanded_45 = tensor.expand_shape %150 [[0, 1], [2]] output_shape [1, 9, 40] : tensor<9x40xbf16> into tensor<1x9x40xbf16>
    %151 = tensor.empty() : tensor<1x9x40xf32>
    %152 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_45 : tensor<1x9x40xbf16>) outs(%151 : tensor<1x9x40xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<1x9x40xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152 : tensor<1x9x40xf32>) outs(%151 : tensor<1x9x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.negf %in : f32
      %183 = math.exp %182 : f32
      %184 = arith.addf %183, %cst_2 : f32
      %185 = arith.divf %cst_2, %184 : f32
      linalg.yield %185 : f32
    } -> tensor<1x9x40xf32>
    %154 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152, %153 : tensor<1x9x40xf32>, tensor<1x9x40xf32>) outs(%151 : tensor<1x9x40xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %182 = arith.mulf %in, %in_52 : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x40xf32>
    %155 = tensor.empty() : tensor<1x9x40xbf16>
    %156 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154 : tensor<1x9x40xf32>) outs(%155 : tensor<1x9x40xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<1x9x40xbf16>
    %collapsed_46 = tensor.collapse_shape %156 [[0, 1], [2]] : tensor<1x9x40xbf16> into tensor<9x40xbf16>
    %157 = tensor.empty() : tensor<40x24xbf16>
    %transposed_47 = linalg.transpose ins(%arg12 : tensor<24x40xbf16>) outs(%157 : tensor<40x24xbf16>) permutation = [1, 0] 
    %158 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%arg13 : tensor<24xbf16>) outs(%36 : tensor<24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<24xf32>
    %159 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%collapsed_46 : tensor<9x40xbf16>) outs(%144 : tensor<9x40xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<9x40xf32>
    %160 = tensor.empty() : tensor<40x24xf32>
    %161 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%transposed_47 : tensor<40x24xbf16>) outs(%160 : tensor<40x24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<40x24xf32>
    %162 = linalg.matmul ins(%159, %161 : tensor<9x40xf32>, tensor<40x24xf32>) outs(%42 : tensor<9x24xf32>) -> tensor<9x24xf32>
    %163 = linalg.generic {indexing_maps = [#map10, #map9], iterator_types = ["parallel", "parallel"]} ins(%158 : tensor<24xf32>) outs(%38 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<9x24xf32>
    %164 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%162, %163 : tensor<9x24xf32>, tensor<9x24xf32>) outs(%38 : tensor<9x24xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %182 = arith.addf %in, %in_52 : f32
      linalg.yield %182 : f32
    } -> tensor<9x24xf32>
    %165 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%164 : tensor<9x24xf32>) outs(%46 : tensor<9x24xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<9x24xbf16>
    %expanded_48 = tensor.expand_shape %165 [[0, 1], [2]] output_shape [1, 9, 24] : tensor<9x24xbf16> into tensor<1x9x24xbf16>
    %166 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128, %expanded_48 : tensor<1x9x24xbf16>, tensor<1x9x24xbf16>) outs(%0 : tensor<1x9x24xbf16>) {
    ^bb0(%in: bf16, %in_52: bf16, %out: bf16):
      %182 = arith.addf %in, %in_52 : bf16
      linalg.yield %182 : bf16
    } -> tensor<1x9x24xbf16>
    %167 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166 : tensor<1x9x24xbf16>) outs(%24 : tensor<1x9x24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      linalg.yield %182 : f32
    } -> tensor<1x9x24xf32>
    %168 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167 : tensor<1x9x24xf32>) outs(%24 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %182 : f32
    } -> tensor<1x9x24xf32>
    %169 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%168 : tensor<1x9x24xf32>) outs(%27 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.addf %in, %out : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x1xf32>
    %170 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169 : tensor<1x9x1xf32>) outs(%13 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.divf %in, %cst_9 : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x1xf32>
    %171 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%170 : tensor<1x9x1xf32>) outs(%13 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = arith.truncf %cst_7 : f64 to f32
      %183 = arith.addf %in, %182 : f32
      linalg.yield %183 : f32
    } -> tensor<1x9x1xf32>
    %172 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171 : tensor<1x9x1xf32>) outs(%13 : tensor<1x9x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %182 = math.rsqrt %in : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x1xf32>
    %173 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%167, %172 : tensor<1x9x24xf32>, tensor<1x9x1xf32>) outs(%24 : tensor<1x9x24xf32>) {
    ^bb0(%in: f32, %in_52: f32, %out: f32):
      %182 = arith.mulf %in, %in_52 : f32
      linalg.yield %182 : f32
    } -> tensor<1x9x24xf32>
    %174 = linalg.generic {indexing_maps = [#map8, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg16, %173 : tensor<24xbf16>, tensor<1x9x24xf32>) outs(%24 : tensor<1x9x24xf32>) {
    ^bb0(%in: bf16, %in_52: f32, %out: f32):
      %182 = arith.extf %in : bf16 to f32
      %183 = arith.mulf %182, %in_52 : f32
      linalg.yield %183 : f32
    } -> tensor<1x9x24xf32>
    %175 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%174 : tensor<1x9x24xf32>) outs(%0 : tensor<1x9x24xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<1x9x24xbf16>
    %176 = tensor.empty() : tensor<24x31xbf16>
    %transposed_49 = linalg.transpose ins(%arg17 : tensor<31x24xbf16>) outs(%176 : tensor<24x31xbf16>) permutation = [1, 0] 
    %collapsed_50 = tensor.collapse_shape %175 [[0, 1], [2]] : tensor<1x9x24xbf16> into tensor<9x24xbf16>
    %177 = tensor.empty() : tensor<9x31xf32>
    %178 = linalg.fill ins(%cst : f32) outs(%177 : tensor<9x31xf32>) -> tensor<9x31xf32>
    %179 = linalg.matmul ins(%collapsed_50, %transposed_49 : tensor<9x24xbf16>, tensor<24x31xbf16>) outs(%178 : tensor<9x31xf32>) -> tensor<9x31xf32>
    %180 = tensor.empty() : tensor<9x31xbf16>
    %181 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%179 : tensor<9x31xf32>) outs(%180 : tensor<9x31xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %182 = arith.truncf %in : f32 to bf16
      linalg.yield %182 : bf16
    } -> tensor<9x31xbf16>
    %expanded_51 = tensor.expand_shape %181 [[0, 1], [2]] output_shape [1, 9, 31] : tensor<9x31xbf16> into tensor<1x9x31xbf16>
    return %expanded_51 : tensor<1x9x31xbf16>
  }
}
