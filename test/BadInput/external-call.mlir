// A call of a function that has no body.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: external-call.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}elsewhere
  %b = call @elsewhere(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
