// RUN: fusion-run %s --target=sm_80 --check --level=none --dims=6,5,2,3 | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --level=attention --dims=6,5,2,3 | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=none --dims=6,5,2,3 | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=attention --dims=6,5,2,3 | FileCheck %s

// One dynamic dimension becomes two.

// CHECK: out0: agrees

func.func @main(%x: tensor<?x?xf32>, %like: tensor<?x?xf32>) -> tensor<?x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.dim %like, %c0 : tensor<?x?xf32>
  %b = tensor.dim %like, %c1 : tensor<?x?xf32>
  %c = tensor.dim %x, %c1 : tensor<?x?xf32>
  %0 = tensor.expand_shape %x [[0, 1], [2]] output_shape [%a, %b, %c] : tensor<?x?xf32> into tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
