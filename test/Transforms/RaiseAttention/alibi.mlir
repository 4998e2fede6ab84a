// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// ALiBi: slopes times distances; what the product starts from; added before
// the scale.

// CHECK: fusion.attention {
// CHECK: causal(
// CHECK: fusion.attention {
// CHECK: mask(
// CHECK: fusion.attention {
// CHECK: mask(
// CHECK: fusion.attention {
// CHECK: mask(
// CHECK: fusion.attention {
// CHECK: causal(
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-5: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %H: tensor<2xf32>, %Q2: tensor<2x5x8xf32>, %H8: tensor<8xf32>, %Q3: tensor<2x5x8xf32>, %Q4: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
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
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7, %H : tensor<2x5x7xf32>, tensor<2xf32>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %d = arith.subi %j, %i : index
    %x = arith.index_cast %d : index to i64
    %y = arith.sitofp %x : i64 to f32
    %z = arith.mulf %a1, %y : f32
    %t = arith.addf %a0, %z : f32
    %c = arith.cmpi ule, %j, %i : index
    %r = arith.select %c, %t, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e11 = tensor.empty() : tensor<2x5x7xf32>
  %t12 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%H : tensor<2xf32>) outs(%e11 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %j = linalg.index 2 : index
    %x = arith.index_cast %j : index to i64
    %y = arith.sitofp %x : i64 to f32
    %r = arith.mulf %a0, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e13 = tensor.empty() : tensor<2x5x8xf32>
  %t14 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%Q : tensor<2x5x8xf32>) outs(%e13 : tensor<2x5x8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x8xf32>
  %s15 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t14, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%t12 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e16 = tensor.empty() : tensor<2x5x7xf32>
  %f17 = linalg.fill ins(%cst1 : f32) outs(%e16 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s18 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f17 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e19 = tensor.empty() : tensor<2x5x7xf32>
  %t20 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s18, %H : tensor<2x5x7xf32>, tensor<2xf32>) outs(%e19 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %x = arith.index_cast %j : index to i64
    %y = arith.sitofp %x : i64 to f32
    %z = arith.mulf %y, %a1 : f32
    %r = arith.addf %z, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e21 = tensor.empty() : tensor<2x5x7xf32>
  %t22 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t20 : tensor<2x5x7xf32>) outs(%e21 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %t23 = tensor.extract_slice %H8[0] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %e24 = tensor.empty() : tensor<2x5x7xf32>
  %f25 = linalg.fill ins(%cst1 : f32) outs(%e24 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s26 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q3, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f25 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e27 = tensor.empty() : tensor<2x5x7xf32>
  %t28 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s26 : tensor<2x5x7xf32>) outs(%e27 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e29 = tensor.empty() : tensor<2x5x7xf32>
  %t30 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t28, %t23 : tensor<2x5x7xf32>, tensor<2xf32>) outs(%e29 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %x = arith.index_cast %j : index to i64
    %y = arith.sitofp %x : i64 to f32
    %z = arith.mulf %y, %a1 : f32
    %r = arith.addf %z, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e31 = tensor.empty() : tensor<2xf32>
  %t32 = linalg.generic {indexing_maps = [affine_map<(b) -> (b)>], iterator_types = ["parallel"]} outs(%e31 : tensor<2xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %x = arith.index_cast %i : index to i64
    %y = arith.sitofp %x : i64 to f32
    %n = arith.negf %y : f32
    %r = math.exp2 %n : f32
    linalg.yield %r : f32
  } -> tensor<2xf32>
  %e33 = tensor.empty() : tensor<2x5x7xf32>
  %f34 = linalg.fill ins(%cst1 : f32) outs(%e33 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s35 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q4, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f34 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e36 = tensor.empty() : tensor<2x5x7xf32>
  %t37 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s35 : tensor<2x5x7xf32>) outs(%e36 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst38 = arith.constant -65504.0 : f32
  %e39 = tensor.empty() : tensor<2x5x7xf32>
  %t40 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t37, %t32 : tensor<2x5x7xf32>, tensor<2xf32>) outs(%e39 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %d = arith.subi %j, %i : index
    %x = arith.index_cast %d : index to i64
    %y = arith.sitofp %x : i64 to f32
    %z = arith.mulf %y, %a1 : f32
    %t = arith.addf %z, %a0 : f32
    %c = arith.cmpi ule, %j, %i : index
    %r = arith.select %c, %t, %cst38 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e41 = tensor.empty() : tensor<2x5x7xf32>
  %p42 = linalg.softmax dimension(2) ins(%t10 : tensor<2x5x7xf32>) outs(%e41 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e43 = tensor.empty() : tensor<2x5x6xf32>
  %f44 = linalg.fill ins(%cst1 : f32) outs(%e43 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out45 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p42, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f44 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e46 = tensor.empty() : tensor<2x5x7xf32>
  %p47 = linalg.softmax dimension(2) ins(%s15 : tensor<2x5x7xf32>) outs(%e46 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e48 = tensor.empty() : tensor<2x5x6xf32>
  %f49 = linalg.fill ins(%cst1 : f32) outs(%e48 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out50 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p47, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f49 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e51 = tensor.empty() : tensor<2x5x7xf32>
  %p52 = linalg.softmax dimension(2) ins(%t22 : tensor<2x5x7xf32>) outs(%e51 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e53 = tensor.empty() : tensor<2x5x6xf32>
  %f54 = linalg.fill ins(%cst1 : f32) outs(%e53 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out55 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p52, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f54 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e56 = tensor.empty() : tensor<2x5x7xf32>
  %p57 = linalg.softmax dimension(2) ins(%t30 : tensor<2x5x7xf32>) outs(%e56 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e58 = tensor.empty() : tensor<2x5x6xf32>
  %f59 = linalg.fill ins(%cst1 : f32) outs(%e58 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out60 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p57, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f59 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e61 = tensor.empty() : tensor<2x5x7xf32>
  %p62 = linalg.softmax dimension(2) ins(%t40 : tensor<2x5x7xf32>) outs(%e61 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e63 = tensor.empty() : tensor<2x5x6xf32>
  %f64 = linalg.fill ins(%cst1 : f32) outs(%e63 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out65 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p62, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f64 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out45, %out50, %out55, %out60, %out65 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
