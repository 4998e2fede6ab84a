// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 -o %t 2>/dev/null && FileCheck %s --check-prefix=PLAN --input-file=%t/plan.json

// JAX says which arguments it donates: the caches are updated in place, but for
// the one that it keeps, which is copied.

// CHECK: out0: agrees
// CHECK: out1: agrees
// CHECK: out2: agrees
// PLAN-COUNT-1: "kind":"copy"
// PLAN-NOT: "kind":"copy"
func.func @main(%k: tensor<6x8xf32> {tf.aliasing_output = 0 : i32}, %v: tensor<6x8xf32> {jax.buffer_donor = true}, %kept: tensor<6x8xf32>, %a: tensor<1x8xf32>)
    -> (tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>) {
  %x = tensor.insert_slice %a into %k[2, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<6x8xf32>
  %y = tensor.insert_slice %a into %v[3, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<6x8xf32>
  %z = tensor.insert_slice %a into %kept[3, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<6x8xf32>
  return %x, %y, %z : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>
}
