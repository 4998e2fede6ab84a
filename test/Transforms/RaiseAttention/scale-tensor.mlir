// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// A scale that is no constant: learned, one for each head (Swin Transformer V2);
// a quotient by something of each key.

// CHECK: fusion.attention {{.*}}scale = 1.000000e+00{{.*}} factor({{.*}} : tensor<3xf32>) mask(
// CHECK: fusion.attention {{.*}}scale = 2.500000e-01{{.*}} factor({{.*}} : tensor<7xf32>)
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
#q = affine_map<(b, h, i, j) -> (b, h, i, j)>
func.func @main(%Q: tensor<2x3x5x8xf32>, %K: tensor<2x3x7x8xf32>, %V: tensor<2x3x7x6xf32>, %S: tensor<3x1x1xf32>, %B: tensor<3x5x7xf32>, %N: tensor<7xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %quarter = arith.constant 0.25 : f32
  %limit = arith.constant 4.6 : f32
  %e0 = tensor.empty() : tensor<2x3x5x7xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %s0 = linalg.generic {indexing_maps = [affine_map<(b, h, i, j, d) -> (b, h, i, d)>, affine_map<(b, h, i, j, d) -> (b, h, j, d)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x3x5x8xf32>, tensor<2x3x7x8xf32>) outs(%f0 : tensor<2x3x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x5x7xf32>
  %s1 = linalg.generic {indexing_maps = [#q, affine_map<(b, h, i, j) -> (h, 0, 0)>, affine_map<(b, h, i, j) -> (h, i, j)>, #q], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s0, %S, %B : tensor<2x3x5x7xf32>, tensor<3x1x1xf32>, tensor<3x5x7xf32>) outs(%e0 : tensor<2x3x5x7xf32>) {
  ^bb0(%s: f32, %l: f32, %b: f32, %o: f32):
    %c = arith.minimumf %l, %limit : f32
    %t = math.exp %c : f32
    %m = arith.mulf %s, %t : f32
    %r = arith.addf %m, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x3x5x7xf32>
  %p1 = linalg.softmax dimension(3) ins(%s1 : tensor<2x3x5x7xf32>) outs(%e0 : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %s2 = linalg.generic {indexing_maps = [#q, affine_map<(b, h, i, j) -> (j)>, #q], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s0, %N : tensor<2x3x5x7xf32>, tensor<7xf32>) outs(%e0 : tensor<2x3x5x7xf32>) {
  ^bb0(%s: f32, %n: f32, %o: f32):
    %l = math.exp %n : f32
    %d = arith.divf %s, %l : f32
    %r = arith.mulf %d, %quarter : f32
    linalg.yield %r : f32
  } -> tensor<2x3x5x7xf32>
  %p2 = linalg.softmax dimension(3) ins(%s2 : tensor<2x3x5x7xf32>) outs(%e0 : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %e1 = tensor.empty() : tensor<2x3x5x6xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %out1 = linalg.generic {indexing_maps = [affine_map<(b, h, i, v, j) -> (b, h, i, j)>, affine_map<(b, h, i, v, j) -> (b, h, j, v)>, affine_map<(b, h, i, v, j) -> (b, h, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%p1, %V : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%f1 : tensor<2x3x5x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x5x6xf32>
  %out2 = linalg.generic {indexing_maps = [affine_map<(b, h, i, v, j) -> (b, h, i, j)>, affine_map<(b, h, i, v, j) -> (b, h, j, v)>, affine_map<(b, h, i, v, j) -> (b, h, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%p2, %V : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%f1 : tensor<2x3x5x6xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x5x6xf32>
  return %out1, %out2 : tensor<2x3x5x6xf32>, tensor<2x3x5x6xf32>
}
