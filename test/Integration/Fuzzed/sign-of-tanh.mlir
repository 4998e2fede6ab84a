// The sign of tanh(-0) decides what copysign gives.
// RUN: fusion-run %s --target=sm_80 --seed=766 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --seed=766 --check | FileCheck %s

// CHECK: out0: agrees
func.func @main(%x: tensor<63x64x1xbf16>) -> tensor<63x64x1xbf16> {
  %e = tensor.empty() : tensor<63x64x1xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<63x64x1xbf16>) outs(%e : tensor<63x64x1xbf16>) {
  ^bb0(%in: bf16, %o: bf16):
    %one = arith.constant 1.0 : bf16
    %t = math.tanh %in : bf16
    %s = math.copysign %one, %t : bf16
    linalg.yield %s : bf16
  } -> tensor<63x64x1xbf16>
  return %r : tensor<63x64x1xbf16>
}
