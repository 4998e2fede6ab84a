// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// In front of the product: norms of queries and keys; rotated halves, of all
// columns or of the first; rotated pairs.

// CHECK: fusion.attention {
// CHECK-SAME: scale = 2.500000e-01
// CHECK: fusion.attention {
// CHECK-SAME: scale = 2.500000e-01
// CHECK: fusion.attention {
// CHECK-SAME: scale = 2.500000e-01
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-3: agrees
func.func @main(%Q: tensor<2x7x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %C: tensor<7x8xf32>, %S: tensor<7x8xf32>, %C4: tensor<7x4xf32>, %S4: tensor<7x4xf32>) -> (tensor<2x7x6xf32>, tensor<2x7x6xf32>, tensor<2x7x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x7xf32>) -> tensor<2x7xf32>
  %t4 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%Q : tensor<2x7x8xf32>) outs(%f3 : tensor<2x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %m = arith.mulf %a0, %a0 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x7xf32>
  %cst5 = arith.constant 0.125 : f32
  %cst6 = arith.constant 1.0e-5 : f32
  %e7 = tensor.empty() : tensor<2x7x8xf32>
  %t8 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%Q, %t4 : tensor<2x7x8xf32>, tensor<2x7xf32>) outs(%e7 : tensor<2x7x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a1, %cst5 : f32
    %e = arith.addf %m, %cst6 : f32
    %s = math.rsqrt %e : f32
    %r = arith.mulf %a0, %s : f32
    linalg.yield %r : f32
  } -> tensor<2x7x8xf32>
  %t9 = tensor.extract_slice %t8[0, 0, 0] [2, 7, 4] [1, 1, 1] : tensor<2x7x8xf32> to tensor<2x7x4xf32>
  %t10 = tensor.extract_slice %t8[0, 0, 4] [2, 7, 4] [1, 1, 1] : tensor<2x7x8xf32> to tensor<2x7x4xf32>
  %e11 = tensor.empty() : tensor<2x7x4xf32>
  %t12 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t10 : tensor<2x7x4xf32>) outs(%e11 : tensor<2x7x4xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.negf %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x4xf32>
  %t13 = tensor.concat dim(2) %t12, %t9 : (tensor<2x7x4xf32>, tensor<2x7x4xf32>) -> tensor<2x7x8xf32>
  %e14 = tensor.empty() : tensor<2x7x8xf32>
  %t15 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t8, %t13, %C, %S : tensor<2x7x8xf32>, tensor<2x7x8xf32>, tensor<7x8xf32>, tensor<7x8xf32>) outs(%e14 : tensor<2x7x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %o: f32):
    %x = arith.mulf %a0, %a2 : f32
    %y = arith.mulf %a1, %a3 : f32
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x7x8xf32>
  %e16 = tensor.empty() : tensor<2x7xf32>
  %f17 = linalg.fill ins(%cst1 : f32) outs(%e16 : tensor<2x7xf32>) -> tensor<2x7xf32>
  %t18 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%K : tensor<2x7x8xf32>) outs(%f17 : tensor<2x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %m = arith.mulf %a0, %a0 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x7xf32>
  %e19 = tensor.empty() : tensor<2x7x8xf32>
  %t20 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%K, %t18 : tensor<2x7x8xf32>, tensor<2x7xf32>) outs(%e19 : tensor<2x7x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a1, %cst5 : f32
    %e = arith.addf %m, %cst6 : f32
    %s = math.rsqrt %e : f32
    %r = arith.mulf %a0, %s : f32
    linalg.yield %r : f32
  } -> tensor<2x7x8xf32>
  %t21 = tensor.extract_slice %t20[0, 0, 0] [2, 7, 4] [1, 1, 1] : tensor<2x7x8xf32> to tensor<2x7x4xf32>
  %t22 = tensor.extract_slice %t20[0, 0, 4] [2, 7, 4] [1, 1, 1] : tensor<2x7x8xf32> to tensor<2x7x4xf32>
  %e23 = tensor.empty() : tensor<2x7x4xf32>
  %t24 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t22 : tensor<2x7x4xf32>) outs(%e23 : tensor<2x7x4xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.negf %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x4xf32>
  %t25 = tensor.concat dim(2) %t24, %t21 : (tensor<2x7x4xf32>, tensor<2x7x4xf32>) -> tensor<2x7x8xf32>
  %e26 = tensor.empty() : tensor<2x7x8xf32>
  %t27 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t20, %t25, %C, %S : tensor<2x7x8xf32>, tensor<2x7x8xf32>, tensor<7x8xf32>, tensor<7x8xf32>) outs(%e26 : tensor<2x7x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %o: f32):
    %x = arith.mulf %a0, %a2 : f32
    %y = arith.mulf %a1, %a3 : f32
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x7x8xf32>
  %e28 = tensor.empty() : tensor<2x7x7xf32>
  %f29 = linalg.fill ins(%cst1 : f32) outs(%e28 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
  %s30 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t15, %t27 : tensor<2x7x8xf32>, tensor<2x7x8xf32>) outs(%f29 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %cst31 = arith.constant 0.25 : f32
  %e32 = tensor.empty() : tensor<2x7x7xf32>
  %t33 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s30 : tensor<2x7x7xf32>) outs(%e32 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst31 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %t34 = tensor.extract_slice %Q[0, 0, 0] [2, 7, 4] [1, 1, 1] : tensor<2x7x8xf32> to tensor<2x7x4xf32>
  %t35 = tensor.extract_slice %t34[0, 0, 0] [2, 7, 2] [1, 1, 1] : tensor<2x7x4xf32> to tensor<2x7x2xf32>
  %t36 = tensor.extract_slice %t34[0, 0, 2] [2, 7, 2] [1, 1, 1] : tensor<2x7x4xf32> to tensor<2x7x2xf32>
  %e37 = tensor.empty() : tensor<2x7x2xf32>
  %t38 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t36 : tensor<2x7x2xf32>) outs(%e37 : tensor<2x7x2xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.negf %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x2xf32>
  %t39 = tensor.concat dim(2) %t38, %t35 : (tensor<2x7x2xf32>, tensor<2x7x2xf32>) -> tensor<2x7x4xf32>
  %e40 = tensor.empty() : tensor<2x7x4xf32>
  %t41 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t34, %t39, %C4, %S4 : tensor<2x7x4xf32>, tensor<2x7x4xf32>, tensor<7x4xf32>, tensor<7x4xf32>) outs(%e40 : tensor<2x7x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %o: f32):
    %x = arith.mulf %a0, %a2 : f32
    %y = arith.mulf %a1, %a3 : f32
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x7x4xf32>
  %t42 = tensor.extract_slice %Q[0, 0, 4] [2, 7, 4] [1, 1, 1] : tensor<2x7x8xf32> to tensor<2x7x4xf32>
  %t43 = tensor.concat dim(2) %t41, %t42 : (tensor<2x7x4xf32>, tensor<2x7x4xf32>) -> tensor<2x7x8xf32>
  %t44 = tensor.extract_slice %K[0, 0, 0] [2, 7, 4] [1, 1, 1] : tensor<2x7x8xf32> to tensor<2x7x4xf32>
  %t45 = tensor.extract_slice %t44[0, 0, 0] [2, 7, 2] [1, 1, 1] : tensor<2x7x4xf32> to tensor<2x7x2xf32>
  %t46 = tensor.extract_slice %t44[0, 0, 2] [2, 7, 2] [1, 1, 1] : tensor<2x7x4xf32> to tensor<2x7x2xf32>
  %e47 = tensor.empty() : tensor<2x7x2xf32>
  %t48 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t46 : tensor<2x7x2xf32>) outs(%e47 : tensor<2x7x2xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.negf %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x2xf32>
  %t49 = tensor.concat dim(2) %t48, %t45 : (tensor<2x7x2xf32>, tensor<2x7x2xf32>) -> tensor<2x7x4xf32>
  %e50 = tensor.empty() : tensor<2x7x4xf32>
  %t51 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t44, %t49, %C4, %S4 : tensor<2x7x4xf32>, tensor<2x7x4xf32>, tensor<7x4xf32>, tensor<7x4xf32>) outs(%e50 : tensor<2x7x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %o: f32):
    %x = arith.mulf %a0, %a2 : f32
    %y = arith.mulf %a1, %a3 : f32
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x7x4xf32>
  %t52 = tensor.extract_slice %K[0, 0, 4] [2, 7, 4] [1, 1, 1] : tensor<2x7x8xf32> to tensor<2x7x4xf32>
  %t53 = tensor.concat dim(2) %t51, %t52 : (tensor<2x7x4xf32>, tensor<2x7x4xf32>) -> tensor<2x7x8xf32>
  %e54 = tensor.empty() : tensor<2x7x7xf32>
  %f55 = linalg.fill ins(%cst1 : f32) outs(%e54 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
  %s56 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t43, %t53 : tensor<2x7x8xf32>, tensor<2x7x8xf32>) outs(%f55 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %e57 = tensor.empty() : tensor<2x7x7xf32>
  %t58 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s56 : tensor<2x7x7xf32>) outs(%e57 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst31 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %t59 = tensor.expand_shape %Q [[0], [1], [2, 3]] output_shape [2, 7, 4, 2] : tensor<2x7x8xf32> into tensor<2x7x4x2xf32>
  %t60 = tensor.extract_slice %t59[0, 0, 0, 0] [2, 7, 4, 1] [1, 1, 1, 1] : tensor<2x7x4x2xf32> to tensor<2x7x4xf32>
  %t61 = tensor.extract_slice %t59[0, 0, 0, 1] [2, 7, 4, 1] [1, 1, 1, 1] : tensor<2x7x4x2xf32> to tensor<2x7x4xf32>
  %e62 = tensor.empty() : tensor<2x7x4xf32>
  %t63 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t60, %t61, %C4, %S4 : tensor<2x7x4xf32>, tensor<2x7x4xf32>, tensor<7x4xf32>, tensor<7x4xf32>) outs(%e62 : tensor<2x7x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %o: f32):
    %x = arith.mulf %a0, %a2 : f32
    %y = arith.mulf %a1, %a3 : f32
    %r = arith.subf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x7x4xf32>
  %e64 = tensor.empty() : tensor<2x7x4xf32>
  %t65 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t60, %t61, %C4, %S4 : tensor<2x7x4xf32>, tensor<2x7x4xf32>, tensor<7x4xf32>, tensor<7x4xf32>) outs(%e64 : tensor<2x7x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %o: f32):
    %x = arith.mulf %a0, %a3 : f32
    %y = arith.mulf %a1, %a2 : f32
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x7x4xf32>
  %t66 = tensor.expand_shape %t63 [[0], [1], [2, 3]] output_shape [2, 7, 4, 1] : tensor<2x7x4xf32> into tensor<2x7x4x1xf32>
  %t67 = tensor.expand_shape %t65 [[0], [1], [2, 3]] output_shape [2, 7, 4, 1] : tensor<2x7x4xf32> into tensor<2x7x4x1xf32>
  %t68 = tensor.concat dim(3) %t66, %t67 : (tensor<2x7x4x1xf32>, tensor<2x7x4x1xf32>) -> tensor<2x7x4x2xf32>
  %t69 = tensor.collapse_shape %t68 [[0], [1], [2, 3]] : tensor<2x7x4x2xf32> into tensor<2x7x8xf32>
  %t70 = tensor.expand_shape %K [[0], [1], [2, 3]] output_shape [2, 7, 4, 2] : tensor<2x7x8xf32> into tensor<2x7x4x2xf32>
  %t71 = tensor.extract_slice %t70[0, 0, 0, 0] [2, 7, 4, 1] [1, 1, 1, 1] : tensor<2x7x4x2xf32> to tensor<2x7x4xf32>
  %t72 = tensor.extract_slice %t70[0, 0, 0, 1] [2, 7, 4, 1] [1, 1, 1, 1] : tensor<2x7x4x2xf32> to tensor<2x7x4xf32>
  %e73 = tensor.empty() : tensor<2x7x4xf32>
  %t74 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t71, %t72, %C4, %S4 : tensor<2x7x4xf32>, tensor<2x7x4xf32>, tensor<7x4xf32>, tensor<7x4xf32>) outs(%e73 : tensor<2x7x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %o: f32):
    %x = arith.mulf %a0, %a2 : f32
    %y = arith.mulf %a1, %a3 : f32
    %r = arith.subf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x7x4xf32>
  %e75 = tensor.empty() : tensor<2x7x4xf32>
  %t76 = linalg.generic {indexing_maps = [affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (b, i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (i, d)>, affine_map<(b, i, d) -> (b, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t71, %t72, %C4, %S4 : tensor<2x7x4xf32>, tensor<2x7x4xf32>, tensor<7x4xf32>, tensor<7x4xf32>) outs(%e75 : tensor<2x7x4xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %o: f32):
    %x = arith.mulf %a0, %a3 : f32
    %y = arith.mulf %a1, %a2 : f32
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x7x4xf32>
  %t77 = tensor.expand_shape %t74 [[0], [1], [2, 3]] output_shape [2, 7, 4, 1] : tensor<2x7x4xf32> into tensor<2x7x4x1xf32>
  %t78 = tensor.expand_shape %t76 [[0], [1], [2, 3]] output_shape [2, 7, 4, 1] : tensor<2x7x4xf32> into tensor<2x7x4x1xf32>
  %t79 = tensor.concat dim(3) %t77, %t78 : (tensor<2x7x4x1xf32>, tensor<2x7x4x1xf32>) -> tensor<2x7x4x2xf32>
  %t80 = tensor.collapse_shape %t79 [[0], [1], [2, 3]] : tensor<2x7x4x2xf32> into tensor<2x7x8xf32>
  %e81 = tensor.empty() : tensor<2x7x7xf32>
  %f82 = linalg.fill ins(%cst1 : f32) outs(%e81 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
  %s83 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t69, %t80 : tensor<2x7x8xf32>, tensor<2x7x8xf32>) outs(%f82 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %e84 = tensor.empty() : tensor<2x7x7xf32>
  %t85 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s83 : tensor<2x7x7xf32>) outs(%e84 : tensor<2x7x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst31 : f32
    linalg.yield %r : f32
  } -> tensor<2x7x7xf32>
  %e86 = tensor.empty() : tensor<2x7x7xf32>
  %p87 = linalg.softmax dimension(2) ins(%t33 : tensor<2x7x7xf32>) outs(%e86 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
  %e88 = tensor.empty() : tensor<2x7x6xf32>
  %f89 = linalg.fill ins(%cst1 : f32) outs(%e88 : tensor<2x7x6xf32>) -> tensor<2x7x6xf32>
  %out90 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p87, %V : tensor<2x7x7xf32>, tensor<2x7x6xf32>) outs(%f89 : tensor<2x7x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x7x6xf32>
  %e91 = tensor.empty() : tensor<2x7x7xf32>
  %p92 = linalg.softmax dimension(2) ins(%t58 : tensor<2x7x7xf32>) outs(%e91 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
  %e93 = tensor.empty() : tensor<2x7x6xf32>
  %f94 = linalg.fill ins(%cst1 : f32) outs(%e93 : tensor<2x7x6xf32>) -> tensor<2x7x6xf32>
  %out95 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p92, %V : tensor<2x7x7xf32>, tensor<2x7x6xf32>) outs(%f94 : tensor<2x7x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x7x6xf32>
  %e96 = tensor.empty() : tensor<2x7x7xf32>
  %p97 = linalg.softmax dimension(2) ins(%t85 : tensor<2x7x7xf32>) outs(%e96 : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
  %e98 = tensor.empty() : tensor<2x7x6xf32>
  %f99 = linalg.fill ins(%cst1 : f32) outs(%e98 : tensor<2x7x6xf32>) -> tensor<2x7x6xf32>
  %out100 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p97, %V : tensor<2x7x7xf32>, tensor<2x7x6xf32>) outs(%f99 : tensor<2x7x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x7x6xf32>
  return %out90, %out95, %out100 : tensor<2x7x6xf32>, tensor<2x7x6xf32>, tensor<2x7x6xf32>
}
