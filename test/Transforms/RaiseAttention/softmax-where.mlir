// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Softmax over some keys, as jax.nn.softmax(where=) does it: scores of others are
// -inf, the sum leaves them out, and their probabilities are zeros, in a row
// without keys too (the first row); without these, it is NaN; by hand,
// exponentials of others are zeros.

// CHECK: fusion.attention {
// CHECK-SAME: masked_rows = #fusion.masked_rows<zero>
// CHECK-SAME: mask({{.*}} : tensor<5x7xi1>)
// CHECK-COUNT-2: mask({{.*}} : tensor<5x7xi1>) causal(
// CHECK-NOT: math.exp
// AGREES-NOT: differs
// AGREES-COUNT-3: agrees
func.func @main(%Q1: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %M: tensor<5x7xi1>, %Q2: tensor<2x5x8xf32>, %Q3: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
  %cst1 = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<2x5x7xf32>
  %f3 = linalg.fill ins(%cst1 : f32) outs(%e2 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s4 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f3 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e5 = tensor.empty() : tensor<2x5x7xi1>
  %t6 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%M : tensor<5x7xi1>) outs(%e5 : tensor<2x5x7xi1>) {
  ^bb0(%a0: i1, %o: i1):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi slt, %j, %i : index
    %r = arith.andi %c, %a0 : i1
    linalg.yield %r : i1
  } -> tensor<2x5x7xi1>
  %e7 = tensor.empty() : tensor<2x5x7xf32>
  %t8 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s4, %t6 : tensor<2x5x7xf32>, tensor<2x5x7xi1>) outs(%e7 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %n = arith.constant 0xFF800000 : f32
    %r = arith.select %a1, %a0, %n : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst10 = arith.constant 0xFF800000 : f32
  %e9 = tensor.empty() : tensor<2x5xf32>
  %f11 = linalg.fill ins(%cst10 : f32) outs(%e9 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m12 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t8 : tensor<2x5x7xf32>) outs(%f11 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e13 = tensor.empty() : tensor<2x5x7xf32>
  %t14 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t8, %m12 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e13 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst16 = arith.constant 0.0 : f32
  %e15 = tensor.empty() : tensor<2x5xf32>
  %f17 = linalg.fill ins(%cst16 : f32) outs(%e15 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m18 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t14, %t6 : tensor<2x5x7xf32>, tensor<2x5x7xi1>) outs(%f17 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %zero = arith.constant 0.0 : f32
    %v = arith.select %a1, %a0, %zero : f32
    %r = arith.addf %o, %v : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e19 = tensor.empty() : tensor<2x5x7xf32>
  %t20 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t14, %m18 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e19 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e21 = tensor.empty() : tensor<2x5x7xf32>
  %t22 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t20, %t6 : tensor<2x5x7xf32>, tensor<2x5x7xi1>) outs(%e21 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %zero = arith.constant 0.0 : f32
    %r = arith.select %a1, %a0, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst23 = arith.constant 0.0 : f32
  %e24 = tensor.empty() : tensor<2x5x6xf32>
  %f25 = linalg.fill ins(%cst23 : f32) outs(%e24 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s26 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t22, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f25 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst27 = arith.constant 0.0 : f32
  %e28 = tensor.empty() : tensor<2x5x7xf32>
  %f29 = linalg.fill ins(%cst27 : f32) outs(%e28 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s30 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q2, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f29 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e31 = tensor.empty() : tensor<2x5x7xf32>
  %t32 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s30, %t6 : tensor<2x5x7xf32>, tensor<2x5x7xi1>) outs(%e31 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %n = arith.constant 0xFF800000 : f32
    %r = arith.select %a1, %a0, %n : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst34 = arith.constant 0xFF800000 : f32
  %e33 = tensor.empty() : tensor<2x5xf32>
  %f35 = linalg.fill ins(%cst34 : f32) outs(%e33 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m36 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t32 : tensor<2x5x7xf32>) outs(%f35 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e37 = tensor.empty() : tensor<2x5x7xf32>
  %t38 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t32, %m36 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e37 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst40 = arith.constant 0.0 : f32
  %e39 = tensor.empty() : tensor<2x5xf32>
  %f41 = linalg.fill ins(%cst40 : f32) outs(%e39 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m42 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t38, %t6 : tensor<2x5x7xf32>, tensor<2x5x7xi1>) outs(%f41 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %zero = arith.constant 0.0 : f32
    %v = arith.select %a1, %a0, %zero : f32
    %r = arith.addf %o, %v : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e43 = tensor.empty() : tensor<2x5x7xf32>
  %t44 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t38, %m42 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e43 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst45 = arith.constant 0.0 : f32
  %e46 = tensor.empty() : tensor<2x5x6xf32>
  %f47 = linalg.fill ins(%cst45 : f32) outs(%e46 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s48 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t44, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f47 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %cst49 = arith.constant 0.0 : f32
  %e50 = tensor.empty() : tensor<2x5x7xf32>
  %f51 = linalg.fill ins(%cst49 : f32) outs(%e50 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s52 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q3, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f51 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e53 = tensor.empty() : tensor<2x5x7xf32>
  %t54 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s52, %t6 : tensor<2x5x7xf32>, tensor<2x5x7xi1>) outs(%e53 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %n = arith.constant 0xFF800000 : f32
    %r = arith.select %a1, %a0, %n : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst56 = arith.constant 0xFF800000 : f32
  %e55 = tensor.empty() : tensor<2x5xf32>
  %f57 = linalg.fill ins(%cst56 : f32) outs(%e55 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m58 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t54 : tensor<2x5x7xf32>) outs(%f57 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.maximumf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e59 = tensor.empty() : tensor<2x5x7xf32>
  %t60 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s52, %m58, %t6 : tensor<2x5x7xf32>, tensor<2x5xf32>, tensor<2x5x7xi1>) outs(%e59 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %a2: i1, %o: f32):
    %d = arith.subf %a0, %a1 : f32
    %x = math.exp %d : f32
    %zero = arith.constant 0.0 : f32
    %r = arith.select %a2, %x, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst62 = arith.constant 0.0 : f32
  %e61 = tensor.empty() : tensor<2x5xf32>
  %f63 = linalg.fill ins(%cst62 : f32) outs(%e61 : tensor<2x5xf32>) -> tensor<2x5xf32>
  %m64 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t60 : tensor<2x5x7xf32>) outs(%f63 : tensor<2x5xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %o, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %e65 = tensor.empty() : tensor<2x5x7xf32>
  %t66 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t60, %m64 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e65 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.divf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst67 = arith.constant 0.0 : f32
  %e68 = tensor.empty() : tensor<2x5x6xf32>
  %f69 = linalg.fill ins(%cst67 : f32) outs(%e68 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %s70 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%t66, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f69 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %s26, %s48, %s70 : tensor<2x5x6xf32>, tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
