// A value without a rank inside the graph.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: unranked-inside.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}rank
  %b = tensor.cast %a : tensor<4xf32> to tensor<*xf32>
  %c = tensor.cast %b : tensor<*xf32> to tensor<4xf32>
  return %c : tensor<4xf32>
}
