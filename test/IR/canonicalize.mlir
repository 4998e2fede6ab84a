// RUN: fusion-opt %s --canonicalize | FileCheck %s

// An input that the region does not read goes; one that is passed twice is
// passed once.
// CHECK-LABEL: func @inputs
// CHECK-SAME:    (%[[A:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xf32>, %[[E:.*]]: tensor<4xf32>)
// CHECK:         fusion.group elementwise ins(%[[X:.*]] = %[[A]] : tensor<4xf32>) outs(%[[O:.*]] = %[[E]] : tensor<4xf32>) {
// CHECK:           linalg.add ins(%[[X]], %[[X]] : {{.*}}) outs(%[[O]]
func.func @inputs(%a: tensor<4xf32>, %b: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %r = fusion.group elementwise ins(%x = %a : tensor<4xf32>, %y = %b : tensor<4xf32>, %z = %a : tensor<4xf32>)
      outs(%o = %e : tensor<4xf32>) {
    %s = linalg.add ins(%x, %z : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %s : tensor<4xf32>
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// A group on tensors whose result nobody uses has no effect.
// CHECK-LABEL: func @dead
// CHECK-NEXT:    return
func.func @dead(%a: tensor<4xf32>, %e: tensor<4xf32>) {
  %r = fusion.group elementwise ins(%x = %a : tensor<4xf32>) outs(%o = %e : tensor<4xf32>) {
    fusion.yield %x : tensor<4xf32>
  } -> tensor<4xf32>
  return
}

// A group on memrefs writes its outputs: it stays, and so does the order of two.
// CHECK-LABEL: func @buffers
// CHECK-SAME:    (%[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>)
// CHECK:         fusion.group elementwise ins(%{{.*}} = %[[A]] : memref<4xf32>) outs(%{{.*}} = %[[B]] : memref<4xf32>)
// CHECK:         fusion.group norm ins(%{{.*}} = %[[B]] : memref<4xf32>) outs(%{{.*}} = %[[A]] : memref<4xf32>)
func.func @buffers(%a: memref<4xf32>, %b: memref<4xf32>) {
  fusion.group elementwise ins(%x = %a : memref<4xf32>) outs(%o = %b : memref<4xf32>) {
    fusion.yield %x : tensor<4xf32>
  }
  fusion.group norm ins(%x = %b : memref<4xf32>) outs(%o = %a : memref<4xf32>) {
    fusion.yield %x : tensor<4xf32>
  }
  return
}
