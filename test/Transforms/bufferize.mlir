// RUN: fusion-opt %s -split-input-file -fusion-bufferize -canonicalize | FileCheck %s

// The region stays on tensors.

// CHECK-LABEL: func @group(
// CHECK-SAME: %[[X:.*]]: memref<4xf32>) -> memref<4xf32>
// CHECK: %[[OUT:.*]] = memref.alloc() {{.*}} : memref<4xf32>
// CHECK: fusion.group elementwise ins(%[[A:.*]] = %[[X]] : memref<4xf32>) outs(%{{.*}} = %[[OUT]] : memref<4xf32>)
// CHECK: linalg.exp ins(%[[A]] : tensor<4xf32>)
// CHECK: return %[[OUT]]
func.func @group(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = fusion.group elementwise ins(%a = %x : tensor<4xf32>) outs(%o = %e : tensor<4xf32>) {
    %t = tensor.empty() : tensor<4xf32>
    %y = linalg.exp ins(%a : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %y : tensor<4xf32>
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// An update of a writable argument is in place.

// CHECK-LABEL: func @in_place(
// CHECK-SAME: %[[X:.*]]: memref<2xf32>, %[[CACHE:.*]]: memref<8xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: fusion.group update {{.*}} outs(%{{.*}} = %[[CACHE]] : memref<8xf32>)
// CHECK: return %[[CACHE]]
func.func @in_place(%x: tensor<2xf32>, %cache: tensor<8xf32> {bufferization.writable = true}) -> tensor<8xf32> {
  %r = fusion.group update ins(%a = %x : tensor<2xf32>) outs(%o = %cache : tensor<8xf32>) {
    %y = tensor.insert_slice %a into %o[3] [2] [1] : tensor<2xf32> into tensor<8xf32>
    fusion.yield %y : tensor<8xf32>
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// An argument that belongs to the caller is copied.

// CHECK-LABEL: func @copied(
// CHECK: memref.alloc
// CHECK: memref.copy
// CHECK: fusion.group update
func.func @copied(%x: tensor<2xf32>, %cache: tensor<8xf32>) -> tensor<8xf32> {
  %r = fusion.group update ins(%a = %x : tensor<2xf32>) outs(%o = %cache : tensor<8xf32>) {
    %y = tensor.insert_slice %a into %o[3] [2] [1] : tensor<2xf32> into tensor<8xf32>
    fusion.yield %y : tensor<8xf32>
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
