// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --report=json 2>/dev/null | FileCheck %s --check-prefix=KERNELS
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// As models have it: a batch of one, heads that share keys, products without
// the batch. The probabilities go into a tensor with the batch.

// CHECK: fusion.attention {{.*}} ins({{.*}} : tensor<1x4x13x16xbf16>, tensor<1x2x13x16xbf16>, tensor<1x2x13x16xbf16>)
// KERNELS: "attention": 1
// KERNELS-NEXT: },
// KERNELS-NEXT: "launches": 1,
// KERNELS-NEXT: "level": "attention"
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
#h = affine_map<(b, h, i, j) -> (b, h, i, j)>

func.func @main(%Q: tensor<1x4x13x16xbf16>, %K: tensor<1x2x13x16xbf16>, %V: tensor<1x2x13x16xbf16>) -> (tensor<4x13x16xf32>, tensor<1x4x13x13xbf16>) {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %e0 = tensor.empty() : tensor<1x2x2x13x16xbf16>
  %kr = linalg.broadcast ins(%K : tensor<1x2x13x16xbf16>) outs(%e0 : tensor<1x2x2x13x16xbf16>) dimensions = [2]
  %vr = linalg.broadcast ins(%V : tensor<1x2x13x16xbf16>) outs(%e0 : tensor<1x2x2x13x16xbf16>) dimensions = [2]
  %k = tensor.collapse_shape %kr [[0], [1, 2], [3], [4]] : tensor<1x2x2x13x16xbf16> into tensor<1x4x13x16xbf16>
  %e1 = tensor.empty() : tensor<1x4x16x13xbf16>
  %kt = linalg.transpose ins(%k : tensor<1x4x13x16xbf16>) outs(%e1 : tensor<1x4x16x13xbf16>) permutation = [0, 1, 3, 2]
  %q1 = tensor.collapse_shape %Q [[0, 1], [2], [3]] : tensor<1x4x13x16xbf16> into tensor<4x13x16xbf16>
  %k1 = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<1x4x16x13xbf16> into tensor<4x16x13xbf16>
  %v1 = tensor.collapse_shape %vr [[0, 1, 2], [3], [4]] : tensor<1x2x2x13x16xbf16> into tensor<4x13x16xbf16>
  %e2 = tensor.empty() : tensor<4x13x13xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x13x13xf32>) -> tensor<4x13x13xf32>
  %s = linalg.batch_matmul ins(%q1, %k1 : tensor<4x13x16xbf16>, tensor<4x16x13xbf16>) outs(%f2 : tensor<4x13x13xf32>) -> tensor<4x13x13xf32>
  %s4 = tensor.expand_shape %s [[0, 1], [2], [3]] output_shape [1, 4, 13, 13] : tensor<4x13x13xf32> into tensor<1x4x13x13xf32>
  %e3 = tensor.empty() : tensor<1x4x13x13xf32>
  %t = linalg.generic {indexing_maps = [#h, #h], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s4 : tensor<1x4x13x13xf32>) outs(%e3 : tensor<1x4x13x13xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %scale : f32
    linalg.yield %r : f32
  } -> tensor<1x4x13x13xf32>
  %p = linalg.softmax dimension(3) ins(%t : tensor<1x4x13x13xf32>) outs(%e3 : tensor<1x4x13x13xf32>) -> tensor<1x4x13x13xf32>
  %e4 = tensor.empty() : tensor<1x4x13x13xbf16>
  %n = linalg.generic {indexing_maps = [#h, #h], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<1x4x13x13xf32>) outs(%e4 : tensor<1x4x13x13xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x4x13x13xbf16>
  %n1 = tensor.collapse_shape %n [[0, 1], [2], [3]] : tensor<1x4x13x13xbf16> into tensor<4x13x13xbf16>
  %e5 = tensor.empty() : tensor<4x13x16xf32>
  %f5 = linalg.fill ins(%zero : f32) outs(%e5 : tensor<4x13x16xf32>) -> tensor<4x13x16xf32>
  %o = linalg.batch_matmul ins(%n1, %v1 : tensor<4x13x13xbf16>, tensor<4x13x16xbf16>) outs(%f5 : tensor<4x13x16xf32>) -> tensor<4x13x16xf32>
  return %o, %n : tensor<4x13x16xf32>, tensor<1x4x13x13xbf16>
}
