// transform.structured.fuse with the reduction tiled puts the fill of the
// accumulator inside the reduction's loop: each step starts again from zero.
//
// RUN: mlir-opt %s --transform-interpreter | FileCheck %s

// CHECK-LABEL: func @matmul
// CHECK:         scf.for %{{.*}} to %{{.*}} step %c16
// CHECK:           scf.for %{{.*}} to %{{.*}} step %c16
// CHECK:             scf.for %{{.*}} to %{{.*}} step %c32
// CHECK:               linalg.fill
// CHECK:               linalg.matmul
func.func @matmul(%a: tensor<64x96xf32>, %b: tensor<96x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x96xf32>, tensor<96x32xf32>) outs(%init : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %c : tensor<64x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %fused, %loops:3 = transform.structured.fuse %matmul tile_sizes [16, 16, 32]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
