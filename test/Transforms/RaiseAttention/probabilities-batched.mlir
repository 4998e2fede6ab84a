// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// As PyTorch's eager attention has it: batches and heads are one dimension of
// the products and two of the scores, the softmax is wide, probabilities are
// narrowed before they are returned and multiplied. Row 2 has no key: under a
// finite mask it is uniform, which the logarithm of a sum could not tell beside
// a reference of that size. The reader stands before the second product.

// CHECK: %[[A:.+]]:4 = fusion.attention
// CHECK-SAME: outs({{.*}} : tensor<6x5x8xf16>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5x7xf32>)
// AGREES-NOT: differs
// AGREES-COUNT-3: agrees
#q = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i)>
func.func @main(%Q: tensor<2x3x5x8xf16>, %K: tensor<2x3x7x8xf16>, %V: tensor<2x3x7x8xf16>, %M: tensor<2x1x5x7xi1>) -> (tensor<6x5x8xf16>, tensor<2x3x5x7xf16>, tensor<2x3x5x7xf32>) {
  %zero16 = arith.constant 0.0 : f16
  %scale = arith.constant 0.35 : f16
  %masked = arith.constant -65504.0 : f16
  %q = tensor.collapse_shape %Q [[0, 1], [2], [3]] : tensor<2x3x5x8xf16> into tensor<6x5x8xf16>
  %k = tensor.collapse_shape %K [[0, 1], [2], [3]] : tensor<2x3x7x8xf16> into tensor<6x7x8xf16>
  %v = tensor.collapse_shape %V [[0, 1], [2], [3]] : tensor<2x3x7x8xf16> into tensor<6x7x8xf16>
  %e0 = tensor.empty() : tensor<6x8x7xf16>
  %kt = linalg.transpose ins(%k : tensor<6x7x8xf16>) outs(%e0 : tensor<6x8x7xf16>) permutation = [0, 2, 1]
  %e1 = tensor.empty() : tensor<6x5x7xf16>
  %f1 = linalg.fill ins(%zero16 : f16) outs(%e1 : tensor<6x5x7xf16>) -> tensor<6x5x7xf16>
  %s1 = linalg.batch_matmul ins(%q, %kt : tensor<6x5x8xf16>, tensor<6x8x7xf16>) outs(%f1 : tensor<6x5x7xf16>) -> tensor<6x5x7xf16>
  %s2 = tensor.expand_shape %s1 [[0, 1], [2], [3]] output_shape [2, 3, 5, 7] : tensor<6x5x7xf16> into tensor<2x3x5x7xf16>
  %e3 = tensor.empty() : tensor<2x3x5x7xf32>
  %s3 = linalg.generic {indexing_maps = [#q, affine_map<(b, h, i, j) -> (b, 0, i, j)>, #q], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s2, %M : tensor<2x3x5x7xf16>, tensor<2x1x5x7xi1>) outs(%e3 : tensor<2x3x5x7xf32>) {
  ^bb0(%s: f16, %m: i1, %o: f32):
    %scaled = arith.mulf %s, %scale : f16
    %i = linalg.index 2 : index
    %two = arith.constant 2 : index
    %other = arith.cmpi ne, %i, %two : index
    %keep = arith.andi %m, %other : i1
    %x = arith.select %keep, %scaled, %masked : f16
    %w = arith.extf %x : f16 to f32
    linalg.yield %w : f32
  } -> tensor<2x3x5x7xf32>
  %p = linalg.softmax dimension(3) ins(%s3 : tensor<2x3x5x7xf32>) outs(%e3 : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %e4 = tensor.empty() : tensor<2x3x5x7xf16>
  %narrow = linalg.generic {indexing_maps = [#q, #q], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x3x5x7xf32>) outs(%e4 : tensor<2x3x5x7xf16>) {
  ^bb0(%x: f32, %o: f16):
    %y = arith.truncf %x : f32 to f16
    linalg.yield %y : f16
  } -> tensor<2x3x5x7xf16>
  %twice = linalg.add ins(%p, %p : tensor<2x3x5x7xf32>, tensor<2x3x5x7xf32>) outs(%e3 : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %p3 = tensor.collapse_shape %narrow [[0, 1], [2], [3]] : tensor<2x3x5x7xf16> into tensor<6x5x7xf16>
  %e5 = tensor.empty() : tensor<6x5x8xf16>
  %f5 = linalg.fill ins(%zero16 : f16) outs(%e5 : tensor<6x5x8xf16>) -> tensor<6x5x8xf16>
  %out = linalg.batch_matmul ins(%p3, %v : tensor<6x5x7xf16>, tensor<6x7x8xf16>) outs(%f5 : tensor<6x5x8xf16>) -> tensor<6x5x8xf16>
  return %out, %narrow, %twice : tensor<6x5x8xf16>, tensor<2x3x5x7xf16>, tensor<2x3x5x7xf32>
}
