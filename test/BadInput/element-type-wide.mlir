// Floats of 80 bits.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

// CHECK: element-type-wide.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}f80
func.func @main(%a: tensor<4xf80>) -> tensor<4xf80> {
  %e = tensor.empty() : tensor<4xf80>
  %b = linalg.exp ins(%a : tensor<4xf80>) outs(%e : tensor<4xf80>) -> tensor<4xf80>
  return %b : tensor<4xf80>
}
