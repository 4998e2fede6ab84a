// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --report=json 2>/dev/null | FileCheck %s --check-prefix=KERNELS
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Probabilities of narrow heads that share keys: they and the result are rounded
// in the attention's kernel.

// CHECK: fusion.attention {{.*}} -> tensor<4x13x16xf32>, tensor<4x13xf32>, tensor<4x13xf32>, tensor<4x13x13xf32>
// KERNELS: "attention": 1
// KERNELS-NEXT: },
// KERNELS-NEXT: "launches": 1,
// KERNELS-NEXT: "level": "attention"
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
#h = affine_map<(h, i, j) -> (h, i, j)>
func.func @main(%Q: tensor<4x13x16xbf16>, %K: tensor<2x13x16xbf16>, %V: tensor<2x13x16xbf16>) -> (tensor<4x13x16xbf16>, tensor<4x13x13xbf16>) {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %e0 = tensor.empty() : tensor<2x2x13x16xbf16>
  %kr = linalg.broadcast ins(%K : tensor<2x13x16xbf16>) outs(%e0 : tensor<2x2x13x16xbf16>) dimensions = [1]
  %vr = linalg.broadcast ins(%V : tensor<2x13x16xbf16>) outs(%e0 : tensor<2x2x13x16xbf16>) dimensions = [1]
  %k = tensor.collapse_shape %kr [[0, 1], [2], [3]] : tensor<2x2x13x16xbf16> into tensor<4x13x16xbf16>
  %v = tensor.collapse_shape %vr [[0, 1], [2], [3]] : tensor<2x2x13x16xbf16> into tensor<4x13x16xbf16>
  %e1 = tensor.empty() : tensor<4x13x13xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<4x13x13xf32>) -> tensor<4x13x13xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(h, i, j, d) -> (h, i, d)>, affine_map<(h, i, j, d) -> (h, j, d)>, affine_map<(h, i, j, d) -> (h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %k : tensor<4x13x16xbf16>, tensor<4x13x16xbf16>) outs(%f1 : tensor<4x13x13xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<4x13x13xf32>
  %t = linalg.generic {indexing_maps = [#h, #h], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<4x13x13xf32>) outs(%e1 : tensor<4x13x13xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %scale : f32
    linalg.yield %r : f32
  } -> tensor<4x13x13xf32>
  %p = linalg.softmax dimension(2) ins(%t : tensor<4x13x13xf32>) outs(%e1 : tensor<4x13x13xf32>) -> tensor<4x13x13xf32>
  %e2 = tensor.empty() : tensor<4x13x13xbf16>
  %n = linalg.generic {indexing_maps = [#h, #h], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : tensor<4x13x13xf32>) outs(%e2 : tensor<4x13x13xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x13x13xbf16>
  %e3 = tensor.empty() : tensor<4x13x16xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4x13x16xf32>) -> tensor<4x13x16xf32>
  %o = linalg.batch_matmul ins(%n, %v : tensor<4x13x13xbf16>, tensor<4x13x16xbf16>) outs(%f3 : tensor<4x13x16xf32>) -> tensor<4x13x16xf32>
  %e4 = tensor.empty() : tensor<4x13x16xbf16>
  %out = linalg.generic {indexing_maps = [#h, #h], iterator_types = ["parallel", "parallel", "parallel"]} ins(%o : tensor<4x13x16xf32>) outs(%e4 : tensor<4x13x16xbf16>) {
  ^bb0(%a: f32, %q: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4x13x16xbf16>
  return %out, %n : tensor<4x13x16xbf16>, tensor<4x13x13xbf16>
}
