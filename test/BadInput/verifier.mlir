// A graph that breaks an operation's rules.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

func.func @main(%a: tensor<4x5xf32>, %b: tensor<6x7xf32>, %c: tensor<4x7xf32>) -> tensor<4x7xf32> {
  // CHECK: verifier.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: 'linalg.matmul' op
  %d = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<6x7xf32>) outs(%c : tensor<4x7xf32>) -> tensor<4x7xf32>
  return %d : tensor<4x7xf32>
}
