// RUN: fusion-run %s --target=sm_80 --check --dims=5 | FileCheck %s

// Sizes that the host computes. The remainder of affine maps is never negative:
// (-5) mod 4 = 3.

// CHECK: out0: agrees: 3xf32

func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1.5 : f32
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %n = affine.apply affine_map<()[s0] -> ((-s0) mod 4)>()[%d]
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %f : tensor<?xf32>
}
