// RUN: fusion-run %s --target=sm_80 --check --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=attention | FileCheck %s

// Arguments, views of arguments and one value twice as results.

// CHECK: out0: agrees
// CHECK: out1: agrees
// CHECK: out2: agrees
// CHECK: out3: agrees
// CHECK: out4: agrees

func.func @main(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<24xf32>, tensor<6x4xf32>, tensor<2x6xf32>, tensor<24xf32>) {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %e = tensor.empty() : tensor<6x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x6xf32>) outs(%e : tensor<6x4xf32>) permutation = [1, 0]
  %s = tensor.extract_slice %x[1, 0] [2, 6] [2, 1] : tensor<4x6xf32> to tensor<2x6xf32>
  return %x, %c, %t, %s, %c : tensor<4x6xf32>, tensor<24xf32>, tensor<6x4xf32>, tensor<2x6xf32>, tensor<24xf32>
}
