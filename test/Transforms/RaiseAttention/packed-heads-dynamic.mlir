// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --dims=9,12 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --dims=9,12 --check | FileCheck %s --check-prefix=AGREES

// The same with a number of heads that is known at run time.

// CHECK: fusion.attention
// CHECK-NOT: linalg.softmax
// AGREES: out0: agrees
#q = affine_map<(b, h, i, j, d) -> (b, i, h, d)>
#k = affine_map<(b, h, i, j, d) -> (b, j, h, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#w = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#p = affine_map<(b, h, i, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, d, j) -> (b, j, h, d)>
#o = affine_map<(b, h, i, d, j) -> (b, h, i, d)>
func.func @main(%P: tensor<2x?x?x8xf32>) -> tensor<2x?x?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.35 : f32
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %P, %c1 : tensor<2x?x?x8xf32>
  %c = tensor.dim %P, %c2 : tensor<2x?x?x8xf32>
  %h = arith.divsi %c, %c3 : index
  %hh = arith.muli %h, %c2 : index
  %Q = tensor.extract_slice %P[0, 0, 0, 0] [2, %n, %h, 8] [1, 1, 1, 1] : tensor<2x?x?x8xf32> to tensor<2x?x?x8xf32>
  %K = tensor.extract_slice %P[0, 0, %h, 0] [2, %n, %h, 8] [1, 1, 1, 1] : tensor<2x?x?x8xf32> to tensor<2x?x?x8xf32>
  %V = tensor.extract_slice %P[0, 0, %hh, 0] [2, %n, %h, 8] [1, 1, 1, 1] : tensor<2x?x?x8xf32> to tensor<2x?x?x8xf32>
  %e0 = tensor.empty(%h, %n, %n) : tensor<2x?x?x?xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x?x?x?xf32>) -> tensor<2x?x?x?xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x?x?x8xf32>, tensor<2x?x?x8xf32>) outs(%f0 : tensor<2x?x?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x?x?x?xf32>
  %t = linalg.generic {indexing_maps = [#p, #p], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<2x?x?x?xf32>) outs(%e0 : tensor<2x?x?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %scale : f32
    linalg.yield %r : f32
  } -> tensor<2x?x?x?xf32>
  %w = linalg.softmax dimension(3) ins(%t : tensor<2x?x?x?xf32>) outs(%e0 : tensor<2x?x?x?xf32>) -> tensor<2x?x?x?xf32>
  %e1 = tensor.empty(%h, %n) : tensor<2x?x?x8xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x?x?x8xf32>) -> tensor<2x?x?x8xf32>
  %x = linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%w, %V : tensor<2x?x?x?xf32>, tensor<2x?x?x8xf32>) outs(%f1 : tensor<2x?x?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x?x?x8xf32>
  return %x : tensor<2x?x?x8xf32>
}
