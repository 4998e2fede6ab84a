// A function that calls itself.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = call @again(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
func.func private @again(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: recursion.mlir:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}recurs
  %b = call @again(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
