// An argument without a rank.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

// CHECK: unranked-argument.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}rank
func.func @main(%a: tensor<*xf32>) -> tensor<*xf32> {
  return %a : tensor<*xf32>
}
