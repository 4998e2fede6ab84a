// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 -o %t 2>/dev/null && FileCheck %s --check-prefix=PLAN --input-file=%t/report.json

// Three caches start as the same tensor: two copies in one launch, and the third
// update in place.

// CHECK: out0: agrees
// CHECK: out1: agrees
// CHECK: out2: agrees
// PLAN: "elementwise": 1
// PLAN: "update": 3
// PLAN: "launches": 4

func.func @main(%cache: tensor<6x8xf32> {bufferization.writable = true}, %a: tensor<1x8xf32>, %b: tensor<1x8xf32>, %c: tensor<1x8xf32>)
    -> (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) {
  %x = tensor.insert_slice %a into %cache[2, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<6x8xf32>
  %y = tensor.insert_slice %b into %cache[3, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<6x8xf32>
  %z = tensor.insert_slice %c into %cache[3, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<6x8xf32>
  return %x, %y, %z : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>
}
