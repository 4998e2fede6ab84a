// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 -o %t 2>/dev/null && FileCheck %s --check-prefix=PLAN --input-file=%t/report.json

// What stands before copies of one tensor, element by element and of another
// size and type, is done in their launch.

// CHECK: out0: agrees
// CHECK: out1: agrees
// CHECK: out2: agrees
// CHECK: out3: agrees
// PLAN: "elementwise": 1
// PLAN: "update": 3
// PLAN: "launches": 4

func.func @main(%cache: tensor<6x8xf16> {bufferization.writable = true}, %t: tensor<37xf32>, %a: tensor<1x8xf16>, %b: tensor<1x8xf16>, %c: tensor<1x8xf16>)
    -> (tensor<37xf32>, tensor<6x8xf16>, tensor<6x8xf16>, tensor<6x8xf16>) {
  %e = tensor.empty() : tensor<37xf32>
  %w = linalg.exp ins(%t : tensor<37xf32>) outs(%e : tensor<37xf32>) -> tensor<37xf32>
  %x = tensor.insert_slice %a into %cache[2, 0] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<6x8xf16>
  %y = tensor.insert_slice %b into %cache[3, 0] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<6x8xf16>
  %z = tensor.insert_slice %c into %cache[3, 0] [1, 8] [1, 1] : tensor<1x8xf16> into tensor<6x8xf16>
  return %w, %x, %y, %z : tensor<37xf32>, tensor<6x8xf16>, tensor<6x8xf16>, tensor<6x8xf16>
}
