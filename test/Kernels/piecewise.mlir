// RUN: fusion-run %s --target=sm_80 --check --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=attention | FileCheck %s

// Pads, concatenations, strided slices and insertions of odd sizes.

// CHECK: out0: agrees
// CHECK: out1: agrees
// CHECK: out2: agrees
// CHECK: out3: agrees

func.func @main(%x: tensor<3x7xf32>, %y: tensor<3x5xf32>, %z: tensor<3x2xf32>) -> (tensor<3x14xf32>, tensor<5x10xf32>, tensor<2x3xf32>, tensor<3x7xf32>) {
  %c = tensor.concat dim(1) %x, %z, %y : (tensor<3x7xf32>, tensor<3x2xf32>, tensor<3x5xf32>) -> tensor<3x14xf32>
  %v = arith.constant 1.5 : f32
  %p = tensor.pad %x low[1, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<3x7xf32> to tensor<5x10xf32>
  %s = tensor.extract_slice %x[0, 1] [2, 3] [2, 2] : tensor<3x7xf32> to tensor<2x3xf32>
  %n = tensor.insert_slice %z into %x[0, 3] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<3x7xf32>
  return %c, %p, %s, %n : tensor<3x14xf32>, tensor<5x10xf32>, tensor<2x3xf32>, tensor<3x7xf32>
}
