// As PyTorch exports dynamic batches: a size is a product divided by one of its
// factors again, and the host checks it.
// RUN: fusion-run %s --target=sm_80 --level=none --dims=5 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --dims=5 --check | FileCheck %s

// RUN: not fusion-run %s --target=sm_80 --dims=3 --check 2>&1 | FileCheck %s --check-prefix=FEW

// CHECK: out0: agrees
// FEW: too few rows
func.func @main(%x: tensor<2x?x8xf32>, %w: tensor<8x6xf32>) -> tensor<2x?x6xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c1 : tensor<2x?x8xf32>
  %all = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%n]
  %half = arith.divsi %all, %c2 : index
  %floor = affine.apply affine_map<()[s0] -> (s0 floordiv 2)>()[%n]
  %same = arith.cmpi eq, %half, %n : index
  %some = arith.cmpi sgt, %floor, %c1 : index
  cf.assert %some, "too few rows"
  cf.assert %same, "mismatched size for broadcast"
  %e = tensor.empty(%half) : tensor<2x?x8xf32>
  %y = linalg.exp ins(%x : tensor<2x?x8xf32>) outs(%e : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  %flat = tensor.collapse_shape %y [[0, 1], [2]] : tensor<2x?x8xf32> into tensor<?x8xf32>
  %rows = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%half]
  %f = tensor.empty(%rows) : tensor<?x6xf32>
  %start = linalg.fill ins(%zero : f32) outs(%f : tensor<?x6xf32>) -> tensor<?x6xf32>
  %product = linalg.matmul ins(%flat, %w : tensor<?x8xf32>, tensor<8x6xf32>) outs(%start : tensor<?x6xf32>) -> tensor<?x6xf32>
  %quotient = arith.divsi %rows, %c2 : index
  %r = tensor.expand_shape %product [[0, 1], [2]] output_shape [2, %quotient, 6] : tensor<?x6xf32> into tensor<2x?x6xf32>
  return %r : tensor<2x?x6xf32>
}
