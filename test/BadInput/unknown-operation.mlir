// An operation that its dialect does not have.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: unknown-operation.mlir:[[#@LINE+1]]:{{[0-9]+}}: error:
  %b = "tensor.frobnicate"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
