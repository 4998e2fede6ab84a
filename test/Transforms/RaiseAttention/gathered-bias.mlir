// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// A bias computed from a table that is read by positions (Swin Transformer V2),
// and a mask of windows beside it: what is gathered is read from its own tensor,
// the rest computed into one mask.

// CHECK: %[[G:.+]] = linalg.generic
// CHECK: tensor.extract
// CHECK: %[[M:.+]] = linalg.generic {{.*}} ins(%{{.*}}, %[[G]] : tensor<2x5x7xf32>, tensor<5x7x3xf32>)
// CHECK: fusion.attention {{.*}} mask(%[[M]] : tensor<2x3x5x7xf32>)
// AGREES: agrees
#q = affine_map<(b, h, i, j) -> (b, h, i, j)>
func.func @main(%Q: tensor<2x3x5x8xf32>, %K: tensor<2x3x7x8xf32>, %V: tensor<2x3x7x6xf32>, %T: tensor<9x3xf32>, %I: tensor<5x7xi64>, %M: tensor<2x5x7xf32>) -> tensor<2x3x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %nine = arith.constant 9 : i64
  %e = tensor.empty() : tensor<5x7x3xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(i, j, h) -> (i, j)>, affine_map<(i, j, h) -> (i, j, h)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%I : tensor<5x7xi64>) outs(%e : tensor<5x7x3xf32>) {
  ^bb0(%x: i64, %o: f32):
    %r = arith.remui %x, %nine : i64
    %at = arith.index_cast %r : i64 to index
    %h = linalg.index 2 : index
    %v = tensor.extract %T[%at, %h] : tensor<9x3xf32>
    linalg.yield %v : f32
  } -> tensor<5x7x3xf32>
  %e0 = tensor.empty() : tensor<2x3x5x7xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %s0 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, j, d)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x3x5x8xf32>, tensor<2x3x7x8xf32>) outs(%f0 : tensor<2x3x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x5x7xf32>
  %s1 = linalg.generic {indexing_maps = [#q, affine_map<(b, h, i, j) -> (i, j, h)>, affine_map<(b, h, i, j) -> (b, i, j)>, #q], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s0, %bias, %M : tensor<2x3x5x7xf32>, tensor<5x7x3xf32>, tensor<2x5x7xf32>) outs(%e0 : tensor<2x3x5x7xf32>) {
  ^bb0(%s: f32, %b: f32, %w: f32, %o: f32):
    %n = arith.negf %b : f32
    %x = math.exp %n : f32
    %p = arith.addf %x, %one : f32
    %g = arith.divf %one, %p : f32
    %t = arith.addf %s, %g : f32
    %r = arith.addf %t, %w : f32
    linalg.yield %r : f32
  } -> tensor<2x3x5x7xf32>
  %p1 = linalg.softmax dimension(3) ins(%s1 : tensor<2x3x5x7xf32>) outs(%e0 : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %e1 = tensor.empty() : tensor<2x3x5x6xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %out = linalg.generic {indexing_maps = [affine_map<(b, h, i, v, j) -> (b, h, i, j)>, affine_map<(b, h, i, v, j) -> (b, h, j, v)>, affine_map<(b, h, i, v, j) -> (b, h, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%p1, %V : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%f1 : tensor<2x3x5x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x5x6xf32>
  return %out : tensor<2x3x5x6xf32>
}
