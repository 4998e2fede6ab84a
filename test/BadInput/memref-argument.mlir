// An argument that is a memref.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

// CHECK: memref-argument.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}memref
func.func @main(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
