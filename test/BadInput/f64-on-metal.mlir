// Metal has no f64.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=apple9 -o %t | FileCheck %s

// CHECK: f64-on-metal.mlir:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}f64
func.func @main(%a: tensor<4xf64>) -> tensor<4xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %b = linalg.exp ins(%a : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  return %b : tensor<4xf64>
}
