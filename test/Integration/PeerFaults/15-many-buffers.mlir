// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s

// More than 31 operands of one sum: Metal binds no more buffers to a kernel.

// CHECK-COUNT-1: agrees
func.func @main(%X0: tensor<3x5xf32>, %X1: tensor<3x5xf32>, %X2: tensor<3x5xf32>, %X3: tensor<3x5xf32>, %X4: tensor<3x5xf32>, %X5: tensor<3x5xf32>, %X6: tensor<3x5xf32>, %X7: tensor<3x5xf32>, %X8: tensor<3x5xf32>, %X9: tensor<3x5xf32>, %X10: tensor<3x5xf32>, %X11: tensor<3x5xf32>, %X12: tensor<3x5xf32>, %X13: tensor<3x5xf32>, %X14: tensor<3x5xf32>, %X15: tensor<3x5xf32>, %X16: tensor<3x5xf32>, %X17: tensor<3x5xf32>, %X18: tensor<3x5xf32>, %X19: tensor<3x5xf32>, %X20: tensor<3x5xf32>, %X21: tensor<3x5xf32>, %X22: tensor<3x5xf32>, %X23: tensor<3x5xf32>, %X24: tensor<3x5xf32>, %X25: tensor<3x5xf32>, %X26: tensor<3x5xf32>, %X27: tensor<3x5xf32>, %X28: tensor<3x5xf32>, %X29: tensor<3x5xf32>, %X30: tensor<3x5xf32>, %X31: tensor<3x5xf32>, %X32: tensor<3x5xf32>, %X33: tensor<3x5xf32>, %X34: tensor<3x5xf32>, %X35: tensor<3x5xf32>, %X36: tensor<3x5xf32>, %X37: tensor<3x5xf32>, %X38: tensor<3x5xf32>, %X39: tensor<3x5xf32>) -> (tensor<3x5xf32>) {
  %e1 = tensor.empty() : tensor<3x5xf32>
  %t2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%X0, %X1 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e1 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e3 = tensor.empty() : tensor<3x5xf32>
  %t4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t2, %X2 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e3 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e5 = tensor.empty() : tensor<3x5xf32>
  %t6 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t4, %X3 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e5 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e7 = tensor.empty() : tensor<3x5xf32>
  %t8 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t6, %X4 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e7 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e9 = tensor.empty() : tensor<3x5xf32>
  %t10 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t8, %X5 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e9 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e11 = tensor.empty() : tensor<3x5xf32>
  %t12 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t10, %X6 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e11 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e13 = tensor.empty() : tensor<3x5xf32>
  %t14 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t12, %X7 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e13 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e15 = tensor.empty() : tensor<3x5xf32>
  %t16 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t14, %X8 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e15 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e17 = tensor.empty() : tensor<3x5xf32>
  %t18 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t16, %X9 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e17 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e19 = tensor.empty() : tensor<3x5xf32>
  %t20 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t18, %X10 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e19 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e21 = tensor.empty() : tensor<3x5xf32>
  %t22 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t20, %X11 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e21 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e23 = tensor.empty() : tensor<3x5xf32>
  %t24 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t22, %X12 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e23 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e25 = tensor.empty() : tensor<3x5xf32>
  %t26 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t24, %X13 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e25 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e27 = tensor.empty() : tensor<3x5xf32>
  %t28 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t26, %X14 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e27 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e29 = tensor.empty() : tensor<3x5xf32>
  %t30 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t28, %X15 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e29 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e31 = tensor.empty() : tensor<3x5xf32>
  %t32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t30, %X16 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e31 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e33 = tensor.empty() : tensor<3x5xf32>
  %t34 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t32, %X17 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e33 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e35 = tensor.empty() : tensor<3x5xf32>
  %t36 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t34, %X18 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e35 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e37 = tensor.empty() : tensor<3x5xf32>
  %t38 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t36, %X19 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e37 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e39 = tensor.empty() : tensor<3x5xf32>
  %t40 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t38, %X20 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e39 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e41 = tensor.empty() : tensor<3x5xf32>
  %t42 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t40, %X21 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e41 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e43 = tensor.empty() : tensor<3x5xf32>
  %t44 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t42, %X22 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e43 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e45 = tensor.empty() : tensor<3x5xf32>
  %t46 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t44, %X23 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e45 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e47 = tensor.empty() : tensor<3x5xf32>
  %t48 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t46, %X24 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e47 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e49 = tensor.empty() : tensor<3x5xf32>
  %t50 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t48, %X25 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e49 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e51 = tensor.empty() : tensor<3x5xf32>
  %t52 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t50, %X26 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e51 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e53 = tensor.empty() : tensor<3x5xf32>
  %t54 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t52, %X27 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e53 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e55 = tensor.empty() : tensor<3x5xf32>
  %t56 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t54, %X28 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e55 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e57 = tensor.empty() : tensor<3x5xf32>
  %t58 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t56, %X29 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e57 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e59 = tensor.empty() : tensor<3x5xf32>
  %t60 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t58, %X30 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e59 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e61 = tensor.empty() : tensor<3x5xf32>
  %t62 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t60, %X31 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e61 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e63 = tensor.empty() : tensor<3x5xf32>
  %t64 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t62, %X32 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e63 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e65 = tensor.empty() : tensor<3x5xf32>
  %t66 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t64, %X33 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e65 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e67 = tensor.empty() : tensor<3x5xf32>
  %t68 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t66, %X34 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e67 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e69 = tensor.empty() : tensor<3x5xf32>
  %t70 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t68, %X35 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e69 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e71 = tensor.empty() : tensor<3x5xf32>
  %t72 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t70, %X36 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e71 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e73 = tensor.empty() : tensor<3x5xf32>
  %t74 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t72, %X37 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e73 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e75 = tensor.empty() : tensor<3x5xf32>
  %t76 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t74, %X38 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e75 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  %e77 = tensor.empty() : tensor<3x5xf32>
  %t78 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%t76, %X39 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e77 : tensor<3x5xf32>) {
  ^bb0(%a0: f32, %a1: f32, %o: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<3x5xf32>
  return %t78 : tensor<3x5xf32>
}
