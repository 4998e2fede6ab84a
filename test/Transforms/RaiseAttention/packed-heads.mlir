// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Heads of queries, keys and values beside each other in one dimension: the
// first, which an index alone would say, are cut off, since the operation takes
// the number of heads from them.

// CHECK: %[[Q:.*]] = tensor.extract_slice %[[P:.*]][0, 0, 0, 0] [2, 9, 4, 8]
// CHECK: fusion.attention {{.*}} ins(%[[Q]], %[[P]], %[[P]] : tensor<2x9x4x8xf32>, tensor<2x9x12x8xf32>, tensor<2x9x12x8xf32>)
// CHECK-NOT: linalg.softmax
// AGREES: out0: agrees
#q = affine_map<(b, h, i, j, d) -> (b, i, h, d)>
#k = affine_map<(b, h, i, j, d) -> (b, j, h, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#w = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#p = affine_map<(b, h, i, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, d, j) -> (b, j, h, d)>
#o = affine_map<(b, h, i, d, j) -> (b, h, i, d)>
func.func @main(%P: tensor<2x9x12x8xf32>) -> tensor<2x4x9x8xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.35 : f32
  %Q = tensor.extract_slice %P[0, 0, 0, 0] [2, 9, 4, 8] [1, 1, 1, 1] : tensor<2x9x12x8xf32> to tensor<2x9x4x8xf32>
  %K = tensor.extract_slice %P[0, 0, 4, 0] [2, 9, 4, 8] [1, 1, 1, 1] : tensor<2x9x12x8xf32> to tensor<2x9x4x8xf32>
  %V = tensor.extract_slice %P[0, 0, 8, 0] [2, 9, 4, 8] [1, 1, 1, 1] : tensor<2x9x12x8xf32> to tensor<2x9x4x8xf32>
  %e0 = tensor.empty() : tensor<2x4x9x9xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x4x9x9xf32>) -> tensor<2x4x9x9xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x9x4x8xf32>, tensor<2x9x4x8xf32>) outs(%f0 : tensor<2x4x9x9xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x9x9xf32>
  %t = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<2x4x9x9xf32>) outs(%e0 : tensor<2x4x9x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %scale : f32
    linalg.yield %r : f32
  } -> tensor<2x4x9x9xf32>
  %w = linalg.softmax dimension(3) ins(%t : tensor<2x4x9x9xf32>) outs(%e0 : tensor<2x4x9x9xf32>) -> tensor<2x4x9x9xf32>
  %e1 = tensor.empty() : tensor<2x4x9x8xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x4x9x8xf32>) -> tensor<2x4x9x8xf32>
  %x = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%w, %V : tensor<2x4x9x9xf32>, tensor<2x9x4x8xf32>) outs(%f1 : tensor<2x4x9x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x4x9x8xf32>
  return %x : tensor<2x4x9x8xf32>
}
