// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --report=json | FileCheck %s --check-prefix=REPORT

// One mask for all layers: the first layer's kernel is the others', and the
// bias is made once.

// CHECK-COUNT-1: agrees

// One kernel for the three attentions, and one that makes the bias.
// REPORT: "distinctKernels": 2,
// REPORT: "attention": 3,
// REPORT: "elementwise": 1
// REPORT-NEXT: }
// REPORT-NEXT: "launches": 4,
// REPORT-NEXT: "level": "attention"
func.func @main(%X: tensor<2x8x8xf32>, %M: tensor<8xi1>, %SLOPE: tensor<2xf32>) -> (tensor<2x8x8xf32>) {
  %cst1 = arith.constant -3.40282347E+38 : f32
  %e2 = tensor.empty() : tensor<2x8x8xf32>
  %t3 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b)>, affine_map<(b, i, j) -> (j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%SLOPE, %M : tensor<2xf32>, tensor<8xi1>) outs(%e2 : tensor<2x8x8xf32>) {
  ^bb0(%a0: f32, %a1: i1, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %d = arith.subi %j, %i : index
    %y = arith.index_cast %d : index to i32
    %z = arith.sitofp %y : i32 to f32
    %w = arith.mulf %z, %a0 : f32
    %r = arith.select %a1, %w, %cst1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %cst4 = arith.constant 0.0 : f32
  %e5 = tensor.empty() : tensor<2x8x8xf32>
  %f6 = linalg.fill ins(%cst4 : f32) outs(%e5 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %s7 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%X, %X : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%f6 : tensor<2x8x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %cst8 = arith.constant 0.25 : f32
  %e9 = tensor.empty() : tensor<2x8x8xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s7 : tensor<2x8x8xf32>) outs(%e9 : tensor<2x8x8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %e11 = tensor.empty() : tensor<2x8x8xf32>
  %t12 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t10, %t3 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%e11 : tensor<2x8x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %e13 = tensor.empty() : tensor<2x8x8xf32>
  %p14 = linalg.softmax dimension(2) ins(%t12 : tensor<2x8x8xf32>) outs(%e13 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %e15 = tensor.empty() : tensor<2x8x8xf32>
  %f16 = linalg.fill ins(%cst4 : f32) outs(%e15 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %out17 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p14, %X : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%f16 : tensor<2x8x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %e18 = tensor.empty() : tensor<2x8x8xf32>
  %f19 = linalg.fill ins(%cst4 : f32) outs(%e18 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %s20 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%out17, %out17 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%f19 : tensor<2x8x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %e21 = tensor.empty() : tensor<2x8x8xf32>
  %t22 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s20 : tensor<2x8x8xf32>) outs(%e21 : tensor<2x8x8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %e23 = tensor.empty() : tensor<2x8x8xf32>
  %t24 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t22, %t3 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%e23 : tensor<2x8x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %e25 = tensor.empty() : tensor<2x8x8xf32>
  %p26 = linalg.softmax dimension(2) ins(%t24 : tensor<2x8x8xf32>) outs(%e25 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %e27 = tensor.empty() : tensor<2x8x8xf32>
  %f28 = linalg.fill ins(%cst4 : f32) outs(%e27 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %out29 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p26, %out17 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%f28 : tensor<2x8x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %e30 = tensor.empty() : tensor<2x8x8xf32>
  %f31 = linalg.fill ins(%cst4 : f32) outs(%e30 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %s32 = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%out29, %out29 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%f31 : tensor<2x8x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %e33 = tensor.empty() : tensor<2x8x8xf32>
  %t34 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s32 : tensor<2x8x8xf32>) outs(%e33 : tensor<2x8x8xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.mulf %a0, %cst8 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %e35 = tensor.empty() : tensor<2x8x8xf32>
  %t36 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t34, %t3 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%e35 : tensor<2x8x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  %e37 = tensor.empty() : tensor<2x8x8xf32>
  %p38 = linalg.softmax dimension(2) ins(%t36 : tensor<2x8x8xf32>) outs(%e37 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %e39 = tensor.empty() : tensor<2x8x8xf32>
  %f40 = linalg.fill ins(%cst4 : f32) outs(%e39 : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %out41 = linalg.generic {indexing_maps = [affine_map<(b, i, v, j) -> (b, i, j)>, affine_map<(b, i, v, j) -> (b, j, v)>, affine_map<(b, i, v, j) -> (b, i, v)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p38, %out29 : tensor<2x8x8xf32>, tensor<2x8x8xf32>) outs(%f40 : tensor<2x8x8xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %m = arith.mulf %a0, %a1 : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x8x8xf32>
  return %out41 : tensor<2x8x8xf32>
}
