// An operation of a dialect that nobody registered.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: unknown-dialect.mlir:[[#@LINE+1]]:{{[0-9]+}}: error:
  %b = "nonesuch.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
