// Two functions that call each other.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = call @ping(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
func.func private @ping(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = call @pong(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
// CHECK: mutual-recursion.mlir:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}recurs
func.func private @pong(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = call @ping(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
