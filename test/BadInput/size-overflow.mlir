// A tensor with more bytes than an index can count.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

func.func @main(%a: tensor<4xf32>) -> tensor<4611686018427387904x4xf32> {
  // CHECK: size-overflow.mlir:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}{{too large|overflow|2\^}}
  %e = tensor.empty() : tensor<4611686018427387904x4xf32>
  %b = linalg.broadcast ins(%a : tensor<4xf32>) outs(%e : tensor<4611686018427387904x4xf32>) dimensions = [0]
  return %b : tensor<4611686018427387904x4xf32>
}
