// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// Products that share an operand but are not alike: one with a vector, results
// of different types, an addend in one only.

// CHECK-COUNT-3: agrees
func.func @main(%X: tensor<7x12xbf16>, %W: tensor<12x10xbf16>, %U: tensor<12xbf16>, %Y: tensor<12x14xbf16>, %BIAS: tensor<14xf32>) -> (tensor<7x10xbf16>, tensor<7xf32>, tensor<7x14xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<7x10xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<7x10xf32>) -> tensor<7x10xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (d, j)>, affine_map<(i, j, d) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%X, %W : tensor<7x12xbf16>, tensor<12x10xbf16>) outs(%f3 : tensor<7x10xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<7x10xf32>
  %e5 = tensor.empty() : tensor<7x10xbf16>
  %t6 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s4 : tensor<7x10xf32>) outs(%e5 : tensor<7x10xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<7x10xbf16>
  %e7 = tensor.empty() : tensor<7xf32>
  %f8 = linalg.fill ins(%cst1 : f32) outs(%e7 : tensor<7xf32>) -> tensor<7xf32>
  %s9 = linalg.generic {indexing_maps = [affine_map<(i, d) -> (i, d)>, affine_map<(i, d) -> (d)>, affine_map<(i, d) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%X, %U : tensor<7x12xbf16>, tensor<12xbf16>) outs(%f8 : tensor<7xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<7xf32>
  %e10 = tensor.empty() : tensor<7x14xf32>
  %f11 = linalg.fill ins(%cst1 : f32) outs(%e10 : tensor<7x14xf32>) -> tensor<7x14xf32>
  %s12 = linalg.generic {indexing_maps = [affine_map<(i, j, d) -> (i, d)>, affine_map<(i, j, d) -> (d, j)>, affine_map<(i, j, d) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%X, %Y : tensor<7x12xbf16>, tensor<12x14xbf16>) outs(%f11 : tensor<7x14xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<7x14xf32>
  %e13 = tensor.empty() : tensor<7x14xf32>
  %t14 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s12, %BIAS : tensor<7x14xf32>, tensor<14xf32>) outs(%e13 : tensor<7x14xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<7x14xf32>
  return %t6, %s9, %t14 : tensor<7x10xbf16>, tensor<7xf32>, tensor<7x14xf32>
}
