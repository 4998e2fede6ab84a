// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// A rounded producer of several users: each sees the rounded number or a
// better one, and the returned one is rounded once.

// CHECK-COUNT-3: agrees
func.func @main(%A: tensor<5x33xf16>, %B: tensor<5x33xf16>, %C: tensor<5x33xf16>) -> (tensor<5x33xf16>, tensor<5x33xf16>, tensor<5x33xf16>) {
  %e1 = tensor.empty() : tensor<5x33xf16>
  %t2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%A, %B : tensor<5x33xf16>, tensor<5x33xf16>) outs(%e1 : tensor<5x33xf16>) {
  ^bb0(%a0: f16, %a1: f16, %o: f16):
    %r = arith.mulf %a0, %a1 : f16
    linalg.yield %r : f16
  } -> tensor<5x33xf16>
  %e3 = tensor.empty() : tensor<5x33xf16>
  %t4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t2, %C : tensor<5x33xf16>, tensor<5x33xf16>) outs(%e3 : tensor<5x33xf16>) {
  ^bb0(%a0: f16, %a1: f16, %o: f16):
    %r = arith.addf %a0, %a1 : f16
    linalg.yield %r : f16
  } -> tensor<5x33xf16>
  %cst5 = arith.constant 0xFC00 : f16
  %e6 = tensor.empty() : tensor<5xf16>
  %f7 = linalg.fill ins(%cst5 : f16) outs(%e6 : tensor<5xf16>) -> tensor<5xf16>
  %t8 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%t2 : tensor<5x33xf16>) outs(%f7 : tensor<5xf16>) {
  ^bb0(%a0: f16, %o: f16):
    %r = arith.maximumf %a0, %o : f16
    linalg.yield %r : f16
  } -> tensor<5xf16>
  %e9 = tensor.empty() : tensor<5x33xf16>
  %t10 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t2, %t8 : tensor<5x33xf16>, tensor<5xf16>) outs(%e9 : tensor<5x33xf16>) {
  ^bb0(%a0: f16, %a1: f16, %o: f16):
    %x = arith.subf %a0, %a1 : f16
    %r = math.exp %x : f16
    linalg.yield %r : f16
  } -> tensor<5x33xf16>
  return %t2, %t4, %t10 : tensor<5x33xf16>, tensor<5x33xf16>, tensor<5x33xf16>
}
