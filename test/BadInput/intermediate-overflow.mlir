// Only an intermediate value is too large.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: intermediate-overflow.mlir:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}{{too large|overflow|2\^}}
  %e = tensor.empty() : tensor<4x4611686018427387904x8xf32>
  %b = linalg.broadcast ins(%a : tensor<4xf32>) outs(%e : tensor<4x4611686018427387904x8xf32>) dimensions = [1, 2]
  %z = tensor.extract_slice %b[0, 0, 0] [4, 1, 1] [1, 1, 1] : tensor<4x4611686018427387904x8xf32> to tensor<4xf32>
  return %z : tensor<4xf32>
}
