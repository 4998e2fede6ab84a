// The size of the argument is twice a scalar that is computed from it: the
// kernel takes the scalar from the host.
// RUN: fusion-run %s --target=sm_80 --level=none --dims=6,5 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --dims=6,5 --check | FileCheck %s

// CHECK: out0: agrees
func.func @main(%a: tensor<?x?xf32>) -> tensor<2x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %a, %c0 : tensor<?x?xf32>
  %m = tensor.dim %a, %c1 : tensor<?x?xf32>
  %half = arith.divsi %n, %c2 : index
  %b = tensor.expand_shape %a [[0, 1], [2]] output_shape [%half, 2, %m] : tensor<?x?xf32> into tensor<?x2x?xf32>
  %e = tensor.empty(%m) : tensor<2x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?xf32>) -> tensor<2x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j, k)>],
                       iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%b : tensor<?x2x?xf32>) outs(%f : tensor<2x?xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %y = arith.addf %x, %sum : f32
    linalg.yield %y : f32
  } -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}
