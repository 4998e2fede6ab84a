// The decomposition of linalg.softmax starts its maximum at NaN and uses maxnumf,
// which drops NaN: right as a whole, but an online softmax that starts from this
// value computes exp(NaN). It also sums f16 in f16.
//
// RUN: mlir-opt %s --transform-interpreter | FileCheck %s

// CHECK-LABEL: func @softmax
// CHECK:         %[[NAN:.*]] = arith.constant 0xFE00 : f16
// CHECK:         linalg.fill ins(%[[NAN]] : f16)
// CHECK:         arith.maxnumf
// CHECK:         arith.addf %{{.*}}, %{{.*}} : f16
func.func @softmax(%x: tensor<2x64xf16>, %init: tensor<2x64xf16>) -> tensor<2x64xf16> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x64xf16>) outs(%init : tensor<2x64xf16>) -> tensor<2x64xf16>
  return %0 : tensor<2x64xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %softmax = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %parts = transform.structured.decompose_interface %softmax : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
