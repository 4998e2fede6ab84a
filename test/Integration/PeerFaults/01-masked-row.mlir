// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// Every key of a row masked: by -inf with PyTorch's guard, which gives zeros;
// by the finite minimum, which gives the mean of the values. Never NaN.

// CHECK-COUNT-2: agrees
func.func @main(%Q: tensor<1x1x2xbf16>, %K: tensor<1x1x2xbf16>, %V: tensor<1x1x2xbf16>) -> (tensor<1x1x2xbf16>, tensor<1x1x2xbf16>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<1x1x1xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<1x1x2xbf16>, tensor<1x1x2xbf16>) outs(%f3 : tensor<1x1x1xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x1x1xf32>
  %cst5 = arith.constant 0.7071 : f32
  %e6 = tensor.empty() : tensor<1x1x1xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<1x1x1xf32>) outs(%e6 : tensor<1x1x1xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<1x1x1xf32>
  %cst8 = arith.constant 0xFF800000 : f32
  %e9 = tensor.empty() : tensor<1x1x1xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7 : tensor<1x1x1xf32>) outs(%e9 : tensor<1x1x1xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<1x1x1xf32>
  %e11 = tensor.empty() : tensor<1x1x1xf32>
  %p12 = linalg.softmax dimension(2) ins(%t10 : tensor<1x1x1xf32>) outs(%e11 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %cst13 = arith.constant 0xFFF0000000000000 : f64
  %e14 = tensor.empty() : tensor<1x1x1xi1>
  %t15 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t10 : tensor<1x1x1xf32>) outs(%e14 : tensor<1x1x1xi1>) {
  ^bb0(%a0: f32, %o: i1):
    %x = arith.extf %a0 : f32 to f64
    %r = arith.cmpf oeq, %x, %cst13 : f64
    linalg.yield %r : i1
  } -> tensor<1x1x1xi1>
  %cst16 = arith.constant true
  %e17 = tensor.empty() : tensor<1x1xi1>
  %f18 = linalg.fill ins(%cst16 : i1) outs(%e17 : tensor<1x1xi1>) -> tensor<1x1xi1>
  %t19 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t15 : tensor<1x1x1xi1>) outs(%f18 : tensor<1x1xi1>) {
  ^bb0(%a0: i1, %o: i1):
    %r = arith.andi %a0, %o : i1
    linalg.yield %r : i1
  } -> tensor<1x1xi1>
  %e20 = tensor.empty() : tensor<1x1x1xf32>
  %t21 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p12, %t19 : tensor<1x1x1xf32>, tensor<1x1xi1>) outs(%e20 : tensor<1x1x1xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %r = arith.select %a1, %cst1, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x1x1xf32>
  %e22 = tensor.empty() : tensor<1x1x2xf32>
  %t23 = linalg.generic {indexing_maps = [affine_map<(b, j, v) -> (b, j, v)>, affine_map<(b, j, v) -> (b, j, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%V : tensor<1x1x2xbf16>) outs(%e22 : tensor<1x1x2xf32>) {
  ^bb0(%a0: bf16, %o: f32):
    %r = arith.extf %a0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x1x2xf32>
  %e24 = tensor.empty() : tensor<1x1x2xf32>
  %f25 = linalg.fill ins(%cst1 : f32) outs(%e24 : tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  %out26 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t21, %t23 : tensor<1x1x1xf32>, tensor<1x1x2xf32>) outs(%f25 : tensor<1x1x2xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x1x2xf32>
  %e27 = tensor.empty() : tensor<1x1x2xbf16>
  %t28 = linalg.generic {indexing_maps = [affine_map<(b, i, v) -> (b, i, v)>, affine_map<(b, i, v) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%out26 : tensor<1x1x2xf32>) outs(%e27 : tensor<1x1x2xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x1x2xbf16>
  %e29 = tensor.empty() : tensor<1x1x1xf32>
  %f30 = linalg.fill ins(%cst1 : f32) outs(%e29 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %s31 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<1x1x2xbf16>, tensor<1x1x2xbf16>) outs(%f30 : tensor<1x1x1xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x1x1xf32>
  %e32 = tensor.empty() : tensor<1x1x1xf32>
  %t33 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s31 : tensor<1x1x1xf32>) outs(%e32 : tensor<1x1x1xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<1x1x1xf32>
  %cst34 = arith.constant -3.40282347E+38 : f32
  %e35 = tensor.empty() : tensor<1x1x1xf32>
  %t36 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t33 : tensor<1x1x1xf32>) outs(%e35 : tensor<1x1x1xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %cst34 : f32
    linalg.yield %r : f32
  } -> tensor<1x1x1xf32>
  %e37 = tensor.empty() : tensor<1x1x1xf32>
  %p38 = linalg.softmax dimension(2) ins(%t36 : tensor<1x1x1xf32>) outs(%e37 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  %e39 = tensor.empty() : tensor<1x1x2xf32>
  %t40 = linalg.generic {indexing_maps = [affine_map<(b, j, v) -> (b, j, v)>, affine_map<(b, j, v) -> (b, j, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%V : tensor<1x1x2xbf16>) outs(%e39 : tensor<1x1x2xf32>) {
  ^bb0(%a0: bf16, %o: f32):
    %r = arith.extf %a0 : bf16 to f32
    linalg.yield %r : f32
  } -> tensor<1x1x2xf32>
  %e41 = tensor.empty() : tensor<1x1x2xf32>
  %f42 = linalg.fill ins(%cst1 : f32) outs(%e41 : tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  %out43 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p38, %t40 : tensor<1x1x1xf32>, tensor<1x1x2xf32>) outs(%f42 : tensor<1x1x2xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x1x2xf32>
  %e44 = tensor.empty() : tensor<1x1x2xbf16>
  %t45 = linalg.generic {indexing_maps = [affine_map<(b, i, v) -> (b, i, v)>, affine_map<(b, i, v) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%out43 : tensor<1x1x2xf32>) outs(%e44 : tensor<1x1x2xbf16>) {
  ^bb0(%a0: f32, %o: bf16):
    %r = arith.truncf %a0 : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x1x2xbf16>
  return %t28, %t45 : tensor<1x1x2xbf16>, tensor<1x1x2xbf16>
}
