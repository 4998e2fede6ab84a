// A graph that allocates memory by itself.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  // CHECK: buffers-inside.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}memref.alloc
  %m = memref.alloc() : memref<4xf32>
  %x = tensor.extract %a[%c0] : tensor<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  return %a : tensor<4xf32>
}
