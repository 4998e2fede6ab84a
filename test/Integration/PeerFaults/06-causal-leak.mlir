// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// No row sees a later key, not within a group of four rows either: all values
// from the diagonal on are far larger.

// CHECK-COUNT-1: agrees
func.func @main(%Q: tensor<2x64x64xf16>, %K: tensor<2x64x64xf16>, %V: tensor<2x64x64xf16>) -> (tensor<2x64x64xf16>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x64x64xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x64x64xf16>, tensor<2x64x64xf16>) outs(%f3 : tensor<2x64x64xf32>) {
  ^bb0(%a0: f16, %a1: f16, %o: f32):
    %x = arith.extf %a0 : f16 to f32
    %y = arith.extf %a1 : f16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x64x64xf32>
  %cst5 = arith.constant 0.01 : f32
  %e6 = tensor.empty() : tensor<2x64x64xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x64x64xf32>) outs(%e6 : tensor<2x64x64xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x64x64xf32>
  %cst8 = arith.constant 0xFF800000 : f32
  %e9 = tensor.empty() : tensor<2x64x64xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7 : tensor<2x64x64xf32>) outs(%e9 : tensor<2x64x64xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ule, %j, %i : index
    %r = arith.select %c, %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x64x64xf32>
  %e11 = tensor.empty() : tensor<2x64x64xf32>
  %p12 = linalg.softmax dimension(2) ins(%t10 : tensor<2x64x64xf32>) outs(%e11 : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %e13 = tensor.empty() : tensor<2x64x64xf16>
  %t14 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p12 : tensor<2x64x64xf32>) outs(%e13 : tensor<2x64x64xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x64x64xf16>
  %e15 = tensor.empty() : tensor<2x64x64xf16>
  %t16 = linalg.generic {indexing_maps = [affine_map<(b, j, v) -> (b, j, v)>, affine_map<(b, j, v) -> (b, j, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%V : tensor<2x64x64xf16>) outs(%e15 : tensor<2x64x64xf16>) {
  ^bb0(%a0: f16, %o: f16):
    %j = linalg.index 1 : index
    %x = arith.index_cast %j : index to i32
    %y = arith.sitofp %x : i32 to f16
    %r = arith.addf %a0, %y : f16
    linalg.yield %r : f16
  } -> tensor<2x64x64xf16>
  %e17 = tensor.empty() : tensor<2x64x64xf32>
  %f18 = linalg.fill ins(%cst1 : f32) outs(%e17 : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %s19 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t14, %t16 : tensor<2x64x64xf16>, tensor<2x64x64xf16>) outs(%f18 : tensor<2x64x64xf32>) {
  ^bb0(%a0: f16, %a1: f16, %o: f32):
    %x = arith.extf %a0 : f16 to f32
    %y = arith.extf %a1 : f16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x64x64xf32>
  %e20 = tensor.empty() : tensor<2x64x64xf16>
  %t21 = linalg.generic {indexing_maps = [affine_map<(b, i, v) -> (b, i, v)>, affine_map<(b, i, v) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s19 : tensor<2x64x64xf32>) outs(%e20 : tensor<2x64x64xf16>) {
  ^bb0(%a0: f32, %o: f16):
    %r = arith.truncf %a0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x64x64xf16>
  return %t21 : tensor<2x64x64xf16>
}
