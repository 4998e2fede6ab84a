// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --range=0,2 | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check --range=0,2 | FileCheck %s --check-prefix=AGREES

// Causal from a position that is only known at run time: a scalar argument, an
// element of a tensor.

// CHECK: fusion.attention {
// CHECK: causal(
// CHECK: fusion.attention {
// CHECK: causal(
// CHECK-NOT: fusion.attention
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %P: tensor<i64>, %T: tensor<1xi32>, %Q1: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5x6xf32>) {
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
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> ()>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t7, %P : tensor<2x5x7xf32>, tensor<i64>) outs(%e9 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: i64, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %x = arith.index_cast %a1 : i64 to index
    %e = arith.addi %i, %x : index
    %c = arith.cmpi sgt, %j, %e : index
    %r = arith.select %c, %cst8, %a0 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %cst11 = arith.constant 0 : index
  %e12 = tensor.empty() : tensor<2x5x7xf32>
  %f13 = linalg.fill ins(%cst1 : f32) outs(%e12 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s14 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q1, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f13 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e15 = tensor.empty() : tensor<2x5x7xf32>
  %t16 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s14 : tensor<2x5x7xf32>) outs(%e15 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst5 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e17 = tensor.empty() : tensor<2x5x7xf32>
  %t18 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t16 : tensor<2x5x7xf32>) outs(%e17 : tensor<2x5x7xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %x = tensor.extract %T[%cst11] : tensor<1xi32>
    %y = arith.index_cast %x : i32 to index
    %d = arith.subi %j, %i : index
    %c = arith.cmpi sle, %d, %y : index
    %r = arith.select %c, %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %e19 = tensor.empty() : tensor<2x5x7xf32>
  %p20 = linalg.softmax dimension(2) ins(%t10 : tensor<2x5x7xf32>) outs(%e19 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e21 = tensor.empty() : tensor<2x5x6xf32>
  %f22 = linalg.fill ins(%cst1 : f32) outs(%e21 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out23 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p20, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f22 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  %e24 = tensor.empty() : tensor<2x5x7xf32>
  %p25 = linalg.softmax dimension(2) ins(%t18 : tensor<2x5x7xf32>) outs(%e24 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %e26 = tensor.empty() : tensor<2x5x6xf32>
  %f27 = linalg.fill ins(%cst1 : f32) outs(%e26 : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %out28 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p25, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%f27 : tensor<2x5x6xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x6xf32>
  return %out23, %out28 : tensor<2x5x6xf32>, tensor<2x5x6xf32>
}
