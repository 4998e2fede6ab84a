// A sparse tensor.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

#csr = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
// CHECK: sparse.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}{{sparse|encoding}}
func.func @main(%a: tensor<4x4xf32, #csr>) -> tensor<4x4xf32, #csr> {
  return %a : tensor<4x4xf32, #csr>
}
