// linalg.softmax can be tiled along the dimension that it normalises: the result
// is one softmax for each tile. Softmax is decomposed before any tiling here.
//
// RUN: mlir-opt %s --transform-interpreter | FileCheck %s

// CHECK-LABEL: func @softmax
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             linalg.softmax dimension(1) ins(%{{.*}} : tensor<1x2xf32>)
func.func @softmax(%x: tensor<2x4xf32>, %init: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x4xf32>) outs(%init : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %softmax tile_sizes [1, 2]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
