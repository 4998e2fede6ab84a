// RUN: not fusion-opt %s -fusion-form-groups=level=all 2>&1 | FileCheck %s

// CHECK: error: unknown level 'all'; use none, elementwise, pattern or attention
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
