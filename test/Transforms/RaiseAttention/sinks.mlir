// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Sinks: an extra column, last or first; a term of the sum, with the maximum
// over it too; one more than the sum.

// CHECK: fusion.attention {
// CHECK: sink(
// CHECK: fusion.attention {
// CHECK: sink(
// CHECK: fusion.attention {
// CHECK: sink(
// CHECK: fusion.attention {
// CHECK: sink(
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-4: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %H: tensor<2xf32>, %Q1: tensor<2x5x8xf32>, %Q2: tensor<2x5x8xf32>, %Q3: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
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
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7 : tensor<2x5x7xf32>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ule, %j, %i : index
    %r = arith.select %c, %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e11 = tensor.empty() : tensor<2x5x1xf32>
  %t12 = linalg.generic {indexing_maps = [affine_map<(b, i, x) -> (b)>, affine_map<(b, i, x) -> (b, i, x)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%H : tensor<2xf32>) outs(%e11 : tensor<2x5x1xf32>) {
  ^bb0(%a0: f32, %o: f32):
    linalg.yield %a0 : f32
  } -> tensor<2x5x1xf32>
  %t13 = tensor.concat dim(2) %t10, %t12 : (tensor<2x5x7xf32>, tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
  %e14 = tensor.empty() : tensor<2x5x8xf32>
  %p15 = linalg.softmax dimension(2) ins(%t13 : tensor<2x5x8xf32>) outs(%e14 : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %t16 = tensor.extract_slice %p15[0, 0, 0] [2, 5, 7] [1, 1, 1] : tensor<2x5x8xf32> to tensor<2x5x7xf32>
  %e17 = tensor.empty() : tensor<2x5x6xf32>
  %f18 = linalg.fill ins(%cst1 : f32) outs(%e17 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out19 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t16, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f18 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e20 = tensor.empty() : tensor<2x5x7xf32>
  %f21 = linalg.fill ins(%cst1 : f32) outs(%e20 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s22 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f21 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e23 = tensor.empty() : tensor<2x5x7xf32>
  %t24 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s22 : tensor<2x5x7xf32>) outs(%e23 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e25 = tensor.empty() : tensor<2x5x1xf32>
  %t26 = linalg.generic {indexing_maps = [affine_map<(b, i, x) -> (b)>, affine_map<(b, i, x) -> (b, i, x)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%H : tensor<2xf32>) outs(%e25 : tensor<2x5x1xf32>) {
  ^bb0(%a0: f32, %o: f32):
    linalg.yield %a0 : f32
  } -> tensor<2x5x1xf32>
  %t27 = tensor.concat dim(2) %t26, %t24 : (tensor<2x5x1xf32>, tensor<2x5x7xf32>) -> tensor<2x5x8xf32>
  %e28 = tensor.empty() : tensor<2x5x8xf32>
  %p29 = linalg.softmax dimension(2) ins(%t27 : tensor<2x5x8xf32>) outs(%e28 : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %t30 = tensor.extract_slice %p29[0, 0, 1] [2, 5, 7] [1, 1, 1] : tensor<2x5x8xf32> to tensor<2x5x7xf32>
  %e31 = tensor.empty() : tensor<2x5x6xf32>
  %f32 = linalg.fill ins(%cst1 : f32) outs(%e31 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out33 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t30, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f32 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e34 = tensor.empty() : tensor<2x5x7xf32>
  %f35 = linalg.fill ins(%cst1 : f32) outs(%e34 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s36 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f35 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e37 = tensor.empty() : tensor<2x5x7xf32>
  %t38 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s36 : tensor<2x5x7xf32>) outs(%e37 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e39 = tensor.empty() : tensor<2x5xf32>
  %f40 = linalg.fill ins(%cst8 : f32) outs(%e39 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %max41 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t38 : tensor<2x5x7xf32>) outs(%f40 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e42 = tensor.empty() : tensor<2x5xf32>
  %t43 = linalg.generic {indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b)>, affine_map<(b, i) -> (b, i)>], iterator_types = ["parallel", "parallel"]} ins(%max41, %H : tensor<2x5xf32>, tensor<2xf32>) outs(%e42 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.maximumf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e44 = tensor.empty() : tensor<2x5x7xf32>
  %t45 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t38, %t43 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e44 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e46 = tensor.empty() : tensor<2x5xf32>
  %f47 = linalg.fill ins(%cst1 : f32) outs(%e46 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %sum48 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t45 : tensor<2x5x7xf32>) outs(%f47 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e49 = tensor.empty() : tensor<2x5xf32>
  %t50 = linalg.generic {indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b)>, affine_map<(b, i) -> (b, i)>], iterator_types = ["parallel", "parallel"]} ins(%sum48, %t43, %H : tensor<2x5xf32>, tensor<2x5xf32>, tensor<2xf32>) outs(%e49 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %o: f32):
    %d = arith.subf %a2, %a1 : f32
    %y = math.exp %d : f32
    %r = arith.addf %a0, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e51 = tensor.empty() : tensor<2x5x7xf32>
  %t52 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t45, %t50 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e51 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e53 = tensor.empty() : tensor<2x5x6xf32>
  %f54 = linalg.fill ins(%cst1 : f32) outs(%e53 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out55 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t52, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f54 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e56 = tensor.empty() : tensor<2x5x7xf32>
  %f57 = linalg.fill ins(%cst1 : f32) outs(%e56 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s58 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q3, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f57 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst59 = arith.constant 0.1 : f32
  %e60 = tensor.empty() : tensor<2x5x7xf32>
  %t61 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s58 : tensor<2x5x7xf32>) outs(%e60 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst59 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e62 = tensor.empty() : tensor<2x5x7xf32>
  %t63 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t61 : tensor<2x5x7xf32>) outs(%e62 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = math.exp %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e64 = tensor.empty() : tensor<2x5xf32>
  %f65 = linalg.fill ins(%cst1 : f32) outs(%e64 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %sum66 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t63 : tensor<2x5x7xf32>) outs(%f65 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %cst67 = arith.constant 1.0 : f32
  %e68 = tensor.empty() : tensor<2x5xf32>
  %t69 = linalg.generic {indexing_maps = [affine_map<(b, i) -> (b, i)>, affine_map<(b, i) -> (b, i)>], iterator_types = ["parallel", "parallel"]} ins(%sum66 : tensor<2x5xf32>) outs(%e68 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %cst67 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e70 = tensor.empty() : tensor<2x5x7xf32>
  %t71 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t63, %t69 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e70 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e72 = tensor.empty() : tensor<2x5x6xf32>
  %f73 = linalg.fill ins(%cst1 : f32) outs(%e72 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out74 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t71, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f73 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out19, %out33, %out55, %out74 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
