// Integers of three bits.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

// CHECK: element-type-odd.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}i3
func.func @main(%a: tensor<4xi3>) -> tensor<4xi3> {
  return %a : tensor<4xi3>
}
