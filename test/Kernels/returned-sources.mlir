// RUN: fusion-run %s --target=sm_80 --check --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=attention | FileCheck %s

// Results that no operation computes from anything: fills, elements, constants.

// CHECK: out0: agrees
// CHECK: out1: agrees
// CHECK: out2: agrees
// CHECK: out3: agrees

func.func @main(%x: tensor<4x6xf32>) -> (tensor<4xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4x6xf32>) {
  %v = arith.constant 1.5 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %g = tensor.from_elements %v, %v : tensor<2xf32>
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %s = arith.constant dense<2.0> : tensor<4x6xf32>
  return %f, %g, %c, %s : tensor<4xf32>, tensor<2xf32>, tensor<3xf32>, tensor<4x6xf32>
}
