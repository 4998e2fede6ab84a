// Text that is not MLIR.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: syntax-error.mlir:[[#@LINE+1]]:{{[0-9]+}}: error:
  return %a tensor<4xf32>
}
