// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-NOT: fusion.attention

func.func @two_key_dimensions(%Q: tensor<2x5x8xf32>, %K: tensor<2x3x4x8xf32>, %V: tensor<2x3x4x6xf32>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x3x4xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, h, j, d) -> (b, i, d)>, affine_map<(b, i, h, j, d) -> (b, h, j, d)>, affine_map<(b, i, h, j, d) -> (b, i, h, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x3x4x8xf32>) outs(%f3 : tensor<2x5x3x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x3x4xf32>
  %e5 = tensor.empty() : tensor<2x5x3x4xf32>
  %t6 = linalg.generic {indexing_maps = [affine_map<(b, i, h, j) -> (b, i, h, j)>, affine_map<(b, i, h, j) -> (b, i, h, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x3x4xf32>) outs(%e5 : tensor<2x5x3x4xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.exp %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x3x4xf32>
  %e7 = tensor.empty() : tensor<2x5xf32>
  %f8 = linalg.fill ins(%cst1 : f32) outs(%e7 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %t9 = linalg.generic {indexing_maps = [affine_map<(b, i, h, j) -> (b, i, h, j)>, affine_map<(b, i, h, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%t6 : tensor<2x5x3x4xf32>) outs(%f8 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e10 = tensor.empty() : tensor<2x5x3x4xf32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(b, i, h, j) -> (b, i, h, j)>, affine_map<(b, i, h, j) -> (b, i)>, affine_map<(b, i, h, j) -> (b, i, h, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t6, %t9 : tensor<2x5x3x4xf32>, tensor<2x5xf32>) outs(%e10 : tensor<2x5x3x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x3x4xf32>
  %e12 = tensor.empty() : tensor<2x5x6xf32>
  %f13 = linalg.fill ins(%cst1 : f32) outs(%e12 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  // expected-remark @+1 {{fusion: attention not raised: 'linalg.generic': keys have more than one dimension of their own}}
  %t14 = linalg.generic {indexing_maps = [affine_map<(b, i, v, h, j) -> (b, i, h, j)>, affine_map<(b, i, v, h, j) -> (b, h, j, v)>, affine_map<(b, i, v, h, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%t11, %V : tensor<2x5x3x4xf32>, tensor<2x3x4x6xf32>) outs(%f13 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %t14 : tensor<2x5x6xf32>
}

// -----

func.func @two_value_dimensions(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x3x2xf32>) -> (tensor<2x5x3x2xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst5 = arith.constant 0.25 : f32
  %e6 = tensor.empty() : tensor<2x5x7xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x7xf32>) outs(%e6 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e8 = tensor.empty() : tensor<2x5x7xf32>
  %p9 = linalg.softmax dimension(2) ins(%t7 : tensor<2x5x7xf32>) outs(%e8 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e10 = tensor.empty() : tensor<2x5x3x2xf32>
  %f11 = linalg.fill ins(%cst1 : f32) outs(%e10 : tensor<2x5x3x2xf32>) -> tensor<2x5x3x2xf32>
  // expected-remark @+1 {{fusion: attention not raised: 'linalg.generic': values have more than one dimension of their own}}
  %t12 = linalg.generic {indexing_maps = [affine_map<(b, i, v, w, j) -> (b, i, j)>, affine_map<(b, i, v, w, j) -> (b, j, v, w)>, affine_map<(b, i, v, w, j) -> (b, i, v, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%p9, %V : tensor<2x5x7xf32>, tensor<2x7x3x2xf32>) outs(%f11 : tensor<2x5x3x2xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x3x2xf32>
  return %t12 : tensor<2x5x3x2xf32>
}

// -----

func.func @two_widths(%Q: tensor<2x5x2x4xf32>, %K: tensor<2x7x2x4xf32>, %V: tensor<2x7x6xf32>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  // expected-remark @+1 {{fusion: attention not raised: 'linalg.generic': queries and keys are contracted along more than one dimension}}
  %t4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, c, d) -> (b, i, c, d)>, affine_map<(b, i, j, c, d) -> (b, j, c, d)>, affine_map<(b, i, j, c, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%Q, %K : tensor<2x5x2x4xf32>, tensor<2x7x2x4xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e5 = tensor.empty() : tensor<2x5x7xf32>
  %p6 = linalg.softmax dimension(2) ins(%t4 : tensor<2x5x7xf32>) outs(%e5 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e7 = tensor.empty() : tensor<2x5x6xf32>
  %f8 = linalg.fill ins(%cst1 : f32) outs(%e7 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out9 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p6, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f8 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out9 : tensor<2x5x6xf32>
}

// -----

func.func @sum_with_epsilon(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst5 = arith.constant 0.25 : f32
  %e6 = tensor.empty() : tensor<2x5x7xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x7xf32>) outs(%e6 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst8 = arith.constant 0xFF800000 : f32
  %e9 = tensor.empty() : tensor<2x5xf32>
  %f10 = linalg.fill ins(%cst8 : f32) outs(%e9 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %max11 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t7 : tensor<2x5x7xf32>) outs(%f10 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e12 = tensor.empty() : tensor<2x5x7xf32>
  %t13 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7, %max11 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e12 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e14 = tensor.empty() : tensor<2x5xf32>
  %f15 = linalg.fill ins(%cst1 : f32) outs(%e14 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %sum16 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t13 : tensor<2x5x7xf32>) outs(%f15 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %cst17 = arith.constant 1.0e-6 : f32
  %e18 = tensor.empty() : tensor<2x5x7xf32>
  %t19 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t13, %sum16 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e18 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    // expected-remark @+1 {{fusion: attention not raised: 'arith.addf': what is added to the sum of the exponentials is not the exponential of another score}}
    %y = arith.addf %a1, %cst17 : f32
    %r = arith.divf %a0, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e20 = tensor.empty() : tensor<2x5x6xf32>
  %f21 = linalg.fill ins(%cst1 : f32) outs(%e20 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out22 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t19, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f21 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out22 : tensor<2x5x6xf32>
}

// -----

func.func @bounded_scores(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst5 = arith.constant 0.25 : f32
  %e6 = tensor.empty() : tensor<2x5x7xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x7xf32>) outs(%e6 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst8 = arith.constant -50.0 : f32
  %e9 = tensor.empty() : tensor<2x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7 : tensor<2x5x7xf32>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    // expected-remark @+1 {{fusion: attention not raised: 'arith.maximumf': the scores are bounded by a value that they may reach}}
    %r = arith.maximumf %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e11 = tensor.empty() : tensor<2x5x7xf32>
  %p12 = linalg.softmax dimension(2) ins(%t10 : tensor<2x5x7xf32>) outs(%e11 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e13 = tensor.empty() : tensor<2x5x6xf32>
  %f14 = linalg.fill ins(%cst1 : f32) outs(%e13 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out15 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p12, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f14 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out15 : tensor<2x5x6xf32>
}

// -----

func.func @masked_by_infinity(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %M: tensor<5x7xi1>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst5 = arith.constant 0.25 : f32
  %e6 = tensor.empty() : tensor<2x5x7xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x7xf32>) outs(%e6 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst8 = arith.constant 0x7F800000 : f32
  %e9 = tensor.empty() : tensor<2x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7, %M : tensor<2x5x7xf32>, tensor<5x7xi1>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    // expected-remark @+1 {{fusion: attention not raised: 'arith.select': what replaces masked scores is infinite or no number}}
    %r = arith.select %a1, %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e11 = tensor.empty() : tensor<2x5x7xf32>
  %p12 = linalg.softmax dimension(2) ins(%t10 : tensor<2x5x7xf32>) outs(%e11 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e13 = tensor.empty() : tensor<2x5x6xf32>
  %f14 = linalg.fill ins(%cst1 : f32) outs(%e13 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out15 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p12, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f14 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out15 : tensor<2x5x6xf32>
}

// -----

func.func @replaced_by_a_tensor(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %M: tensor<5x7xi1>, %N: tensor<5x7xf32>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst5 = arith.constant 0.25 : f32
  %e6 = tensor.empty() : tensor<2x5x7xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x7xf32>) outs(%e6 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e8 = tensor.empty() : tensor<2x5x7xf32>
  %t9 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7, %M, %N : tensor<2x5x7xf32>, tensor<5x7xi1>, tensor<5x7xf32>) outs(%e8 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %a2: f32, %o: f32):
    // expected-remark @+1 {{fusion: attention not raised: 'arith.select': scores are replaced by something that is not a constant}}
    %r = arith.select %a1, %a0, %a2 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e10 = tensor.empty() : tensor<2x5x7xf32>
  %p11 = linalg.softmax dimension(2) ins(%t9 : tensor<2x5x7xf32>) outs(%e10 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e12 = tensor.empty() : tensor<2x5x6xf32>
  %f13 = linalg.fill ins(%cst1 : f32) outs(%e12 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out14 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p11, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f13 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out14 : tensor<2x5x6xf32>
}

// -----

func.func @replaced_then_added(%Q0: tensor<2x5x8xf32>, %K_f32: tensor<2x7x8xf32>, %V_f32: tensor<2x7x6xf32>, %M: tensor<5x7xi1>, %N_f32: tensor<5x7xf32>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q0, %K_f32 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e5 = tensor.empty() : tensor<2x5x7xf32>
  %t6 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4, %M, %N_f32 : tensor<2x5x7xf32>, tensor<5x7xi1>, tensor<5x7xf32>) outs(%e5 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %a2: f32, %o: f32):
    %low = arith.constant -1.0e4 : f32
    %x = arith.select %a1, %a0, %low : f32
    // expected-remark @+1 {{fusion: attention not raised: 'arith.addf': masked scores become a finite value that is not small enough to absorb what is added to them}}
    %r = arith.addf %x, %a2 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e7 = tensor.empty() : tensor<2x5x7xf32>
  %p8 = linalg.softmax dimension(2) ins(%t6 : tensor<2x5x7xf32>) outs(%e7 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst9 = arith.constant 0.0 : f32
  %e10 = tensor.empty() : tensor<2x5x6xf32>
  %f11 = linalg.fill ins(%cst9 : f32) outs(%e10 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s12 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p8, %V_f32 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f11 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %s12 : tensor<2x5x6xf32>
}

// -----

func.func @masked_by_themselves(%Q0: tensor<2x5x8xf32>, %K_f32: tensor<2x7x8xf32>, %V_f32: tensor<2x7x6xf32>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q0, %K_f32 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e5 = tensor.empty() : tensor<2x5x7xf32>
  %t6 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x7xf32>) outs(%e5 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %least = arith.constant 0.1 : f32
    %none = arith.constant 0xFF800000 : f32
    %c = arith.cmpf ogt, %a0, %least : f32
    // expected-remark @+1 {{fusion: attention not raised: 'arith.select': what masks the scores depends on them}}
    %r = arith.select %c, %a0, %none : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e7 = tensor.empty() : tensor<2x5x7xf32>
  %p8 = linalg.softmax dimension(2) ins(%t6 : tensor<2x5x7xf32>) outs(%e7 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst9 = arith.constant 0.0 : f32
  %e10 = tensor.empty() : tensor<2x5x6xf32>
  %f11 = linalg.fill ins(%cst9 : f32) outs(%e10 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s12 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p8, %V_f32 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f11 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %s12 : tensor<2x5x6xf32>
}

// -----

func.func @scaled_outside(%Q0: tensor<2x5x8xf32>, %K_f32: tensor<2x7x8xf32>, %V_f32: tensor<2x7x6xf32>, %N_f32: tensor<5x7xf32>, %B: tensor<5x7xf32>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q0, %K_f32 : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e5 = tensor.empty() : tensor<2x5x7xf32>
  %t6 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4, %N_f32, %B : tensor<2x5x7xf32>, tensor<5x7xf32>, tensor<5x7xf32>) outs(%e5 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %o: f32):
    // expected-remark @+1 {{fusion: attention not raised: 'arith.addf': the scores are changed before they are scaled by something that is not a constant}}
    %x = arith.addf %a0, %a1 : f32
    %r = arith.mulf %x, %a2 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e7 = tensor.empty() : tensor<2x5x7xf32>
  %p8 = linalg.softmax dimension(2) ins(%t6 : tensor<2x5x7xf32>) outs(%e7 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst9 = arith.constant 0.0 : f32
  %e10 = tensor.empty() : tensor<2x5x6xf32>
  %f11 = linalg.fill ins(%cst9 : f32) outs(%e10 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s12 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p8, %V_f32 : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f11 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %s12 : tensor<2x5x6xf32>
}

// -----

func.func @dropped_beside_infinite_mask(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %M: tensor<5x7xi1>, %N: tensor<5x7xi1>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst5 = arith.constant 0.25 : f32
  %e6 = tensor.empty() : tensor<2x5x7xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x7xf32>) outs(%e6 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst8 = arith.constant 0xFF800000 : f32
  %e9 = tensor.empty() : tensor<2x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7, %M : tensor<2x5x7xf32>, tensor<5x7xi1>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %r = arith.select %a1, %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e11 = tensor.empty() : tensor<2x5x7xf32>
  %p12 = linalg.softmax dimension(2) ins(%t10 : tensor<2x5x7xf32>) outs(%e11 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e13 = tensor.empty() : tensor<2x5x7xf32>
  %t14 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p12, %N : tensor<2x5x7xf32>, tensor<5x7xi1>) outs(%e13 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    // expected-remark @+1 {{fusion: attention not raised: 'arith.select': probabilities are replaced by zeros on a condition that is not `every score of the row is -inf`}}
    %r = arith.select %a1, %a0, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e15 = tensor.empty() : tensor<2x5x6xf32>
  %f16 = linalg.fill ins(%cst1 : f32) outs(%e15 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out17 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t14, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f16 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out17 : tensor<2x5x6xf32>
}

// -----

func.func @capped_twice(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 3.0 : f32
  %cst2 = arith.constant 0.0 : f32
  %e3 = tensor.empty() : tensor<2x5x7xf32>
  %f4 = linalg.fill ins(%cst2 : f32) outs(%e3 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s5 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f4 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst6 = arith.constant 0.25 : f32
  %e7 = tensor.empty() : tensor<2x5x7xf32>
  %t8 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s5 : tensor<2x5x7xf32>) outs(%e7 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst6 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e9 = tensor.empty() : tensor<2x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t8 : tensor<2x5x7xf32>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    // expected-remark @+1 {{fusion: attention not raised: 'math.tanh': the scores are capped twice}}
    %y = math.tanh %a0 : f32
    %r = arith.mulf %y, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e11 = tensor.empty() : tensor<2x5x7xf32>
  %t12 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t10 : tensor<2x5x7xf32>) outs(%e11 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %y = math.tanh %a0 : f32
    %r = arith.mulf %y, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e13 = tensor.empty() : tensor<2x5x7xf32>
  %p14 = linalg.softmax dimension(2) ins(%t12 : tensor<2x5x7xf32>) outs(%e13 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e15 = tensor.empty() : tensor<2x5x6xf32>
  %f16 = linalg.fill ins(%cst2 : f32) outs(%e15 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out17 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p14, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f16 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out17 : tensor<2x5x6xf32>
}

// -----

func.func @negative_cap(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst5 = arith.constant 0.25 : f32
  %e6 = tensor.empty() : tensor<2x5x7xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x7xf32>) outs(%e6 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst8 = arith.constant -3.0 : f32
  %e9 = tensor.empty() : tensor<2x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7 : tensor<2x5x7xf32>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    // expected-remark @+1 {{fusion: attention not raised: 'math.tanh': the cap of the scores is not positive}}
    %y = math.tanh %a0 : f32
    %r = arith.mulf %y, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e11 = tensor.empty() : tensor<2x5x7xf32>
  %p12 = linalg.softmax dimension(2) ins(%t10 : tensor<2x5x7xf32>) outs(%e11 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e13 = tensor.empty() : tensor<2x5x6xf32>
  %f14 = linalg.fill ins(%cst1 : f32) outs(%e13 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out15 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p12, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f14 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out15 : tensor<2x5x6xf32>
}

// -----

func.func @replaced_in_soft_cap(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %M: tensor<5x7xi1>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 3.0 : f32
  %cst2 = arith.constant 0.0 : f32
  %e3 = tensor.empty() : tensor<2x5x7xf32>
  %f4 = linalg.fill ins(%cst2 : f32) outs(%e3 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s5 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f4 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst6 = arith.constant 0.25 : f32
  %e7 = tensor.empty() : tensor<2x5x7xf32>
  %t8 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s5 : tensor<2x5x7xf32>) outs(%e7 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst6 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst9 = arith.constant 0xFF800000 : f32
  %e10 = tensor.empty() : tensor<2x5x7xf32>
  %t11 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t8, %M : tensor<2x5x7xf32>, tensor<5x7xi1>) outs(%e10 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    // expected-remark @+1 {{fusion: attention not raised: 'arith.select': the mask is applied inside of the soft cap}}
    %x = arith.select %a1, %a0, %cst9 : f32
    %y = math.tanh %x : f32
    %r = arith.mulf %y, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e12 = tensor.empty() : tensor<2x5x7xf32>
  %p13 = linalg.softmax dimension(2) ins(%t11 : tensor<2x5x7xf32>) outs(%e12 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e14 = tensor.empty() : tensor<2x5x6xf32>
  %f15 = linalg.fill ins(%cst2 : f32) outs(%e14 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out16 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p13, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f15 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out16 : tensor<2x5x6xf32>
}

// -----

func.func @no_common_type(%Q: tensor<2x5x8xbf16>, %K: tensor<2x7x8xbf16>, %V: tensor<2x7x6xf16>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xbf16>, tensor<2x7x8xbf16>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: bf16, %a1: bf16, %o: f32):
    %x = arith.extf %a0 : bf16 to f32
    %y = arith.extf %a1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst5 = arith.constant 0.25 : f32
  %e6 = tensor.empty() : tensor<2x5x7xf32>
  %t7 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4 : tensor<2x5x7xf32>) outs(%e6 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e8 = tensor.empty() : tensor<2x5x7xf32>
  %p9 = linalg.softmax dimension(2) ins(%t7 : tensor<2x5x7xf32>) outs(%e8 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e10 = tensor.empty() : tensor<2x5x6xf32>
  %f11 = linalg.fill ins(%cst1 : f32) outs(%e10 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  // expected-remark @+1 {{fusion: attention not raised: 'linalg.generic': query, key and value have no type in common}}
  %t12 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p9, %V : tensor<2x5x7xf32>, tensor<2x7x6xf16>) outs(%f11 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f16, %o: f32):
    %x = arith.extf %a1 : f16 to f32
    %m = arith.mulf %a0, %x : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %t12 : tensor<2x5x6xf32>
}

// -----

func.func @no_product(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %S: tensor<2x5x7xf32>, %M: tensor<5x7xf32>) -> (tensor<2x5x6xf32>) {
  %e1 = tensor.empty() : tensor<2x5x7xf32>
  %t2 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%S, %M : tensor<2x5x7xf32>, tensor<5x7xf32>) outs(%e1 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    // expected-remark @+1 {{fusion: attention not raised: 'arith.addf': the scores are not a product of queries and keys}}
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e3 = tensor.empty() : tensor<2x5x7xf32>
  %p4 = linalg.softmax dimension(2) ins(%t2 : tensor<2x5x7xf32>) outs(%e3 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %cst5 = arith.constant 0.0 : f32
  %e6 = tensor.empty() : tensor<2x5x6xf32>
  %f7 = linalg.fill ins(%cst5 : f32) outs(%e6 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out8 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p4, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f7 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out8 : tensor<2x5x6xf32>
}

// -----

func.func @query_at_a_sum(%Q: tensor<11x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  // expected-remark @+1 {{fusion: attention not raised: 'linalg.generic': an operand of the product depends on both the query's and the key's position}}
  %t4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (i + j, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<11x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e5 = tensor.empty() : tensor<2x5x7xf32>
  %p6 = linalg.softmax dimension(2) ins(%t4 : tensor<2x5x7xf32>) outs(%e5 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e7 = tensor.empty() : tensor<2x5x6xf32>
  %f8 = linalg.fill ins(%cst1 : f32) outs(%e7 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out9 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p6, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f8 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out9 : tensor<2x5x6xf32>
}

// -----

func.func @divided_late_by_more(%Q0: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>) -> (tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q0, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst6 = arith.constant 0xFF800000 : f32
  %e5 = tensor.empty() : tensor<2x5xf32>
  %f7 = linalg.fill ins(%cst6 : f32) outs(%e5 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m8 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s4 : tensor<2x5x7xf32>) outs(%f7 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e9 = tensor.empty() : tensor<2x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4, %m8 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst12 = arith.constant 0.0 : f32
  %e11 = tensor.empty() : tensor<2x5xf32>
  %f13 = linalg.fill ins(%cst12 : f32) outs(%e11 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m14 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t10 : tensor<2x5x7xf32>) outs(%f13 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %cst15 = arith.constant 0.0 : f32
  %e16 = tensor.empty() : tensor<2x5x6xf32>
  %f17 = linalg.fill ins(%cst15 : f32) outs(%e16 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  // expected-remark @+1 {{fusion: attention not raised: 'linalg.generic': the exponentials are multiplied with the values before they are divided by their sum}}
  %s18 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t10, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f17 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e19 = tensor.empty() : tensor<2x5x6xf32>
  %t20 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s18, %m14 : tensor<2x5x6xf32>, tensor<2x5xf32>) outs(%e19 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %eps = arith.constant 1.0e-6 : f32
    %d = arith.addf %a1, %eps : f32
    %r = arith.divf %a0, %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %t20 : tensor<2x5x6xf32>
}

// -----

func.func @undivided_returned(%Q0: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q0, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst6 = arith.constant 0xFF800000 : f32
  %e5 = tensor.empty() : tensor<2x5xf32>
  %f7 = linalg.fill ins(%cst6 : f32) outs(%e5 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m8 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%s4 : tensor<2x5x7xf32>) outs(%f7 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e9 = tensor.empty() : tensor<2x5x7xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4, %m8 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst12 = arith.constant 0.0 : f32
  %e11 = tensor.empty() : tensor<2x5xf32>
  %f13 = linalg.fill ins(%cst12 : f32) outs(%e11 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m14 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t10 : tensor<2x5x7xf32>) outs(%f13 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %cst15 = arith.constant 0.0 : f32
  %e16 = tensor.empty() : tensor<2x5x6xf32>
  %f17 = linalg.fill ins(%cst15 : f32) outs(%e16 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  // expected-remark @+1 {{fusion: attention not raised: 'linalg.generic': the exponentials are multiplied with the values before they are divided by their sum}}
  %s18 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t10, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f17 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e19 = tensor.empty() : tensor<2x5x6xf32>
  %t20 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s18, %m14 : tensor<2x5x6xf32>, tensor<2x5xf32>) outs(%e19 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %t20, %s18 : tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
