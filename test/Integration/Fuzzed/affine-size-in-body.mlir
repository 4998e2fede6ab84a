// A body compares a size that an affine map computes, which the kernel then does.
// RUN: fusion-run %s --target=sm_80 --check --dims=17 --range=0,4 | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --dims=17 --range=0,4 | FileCheck %s

// CHECK: out0: agrees

#map = affine_map<()[s0] -> (s0 * 2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @main(%arg0: tensor<2x?x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64x64xf32>) -> tensor<2x?x64xf32> {
    %true = arith.constant true
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = tensor.dim %arg0, %c1 : tensor<2x?x64xf32>
    %0 = arith.index_cast %dim : index to i64
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x?x64xf32> into tensor<?x64xf32>
    %1 = affine.apply #map()[%dim]
    %2 = tensor.empty(%1) : tensor<?x64xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %4 = linalg.matmul ins(%collapsed, %arg2 : tensor<?x64xf32>, tensor<64x64xf32>) outs(%3 : tensor<?x64xf32>) -> tensor<?x64xf32>
    %5 = arith.divsi %1, %c2 : index
    %expanded = tensor.expand_shape %4 [[0, 1], [2]] output_shape [2, %5, 64] : tensor<?x64xf32> into tensor<2x?x64xf32>
    %6 = tensor.empty(%5) : tensor<2x?x1xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<2x?x1xf32>) -> tensor<2x?x1xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded : tensor<2x?x64xf32>) outs(%7 : tensor<2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = arith.addf %in, %out : f32
      linalg.yield %13 : f32
    } -> tensor<2x?x1xf32>
    %9 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %9, "unimplemented: dynamic negative broadcast sizes"
    %10 = tensor.empty(%dim) : tensor<2x?x64xf32>
    %11 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel"]} outs(%10 : tensor<2x?x64xf32>) {
    ^bb0(%out: f32):
      %13 = linalg.index 0 : index
      %14 = linalg.index 1 : index
      %15 = arith.cmpi eq, %5, %c1 : index
      %16 = arith.select %15, %c0, %14 : index
      %extracted = tensor.extract %8[%13, %16, %c0] : tensor<2x?x1xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x?x64xf32>
    cf.assert %true, "mismatched size for broadcast"
    %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %arg0 : tensor<2x?x64xf32>, tensor<2x?x64xf32>) outs(%10 : tensor<2x?x64xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %13 = arith.addf %in, %in_0 : f32
      linalg.yield %13 : f32
    } -> tensor<2x?x64xf32>
    return %12 : tensor<2x?x64xf32>
  }
}
