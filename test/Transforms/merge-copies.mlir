// RUN: fusion-opt %s -split-input-file -fusion-merge-copies=target=sm_80 2>/dev/null | FileCheck %s
// RUN: fusion-opt %s -split-input-file -fusion-merge-copies=target=sm_80 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: not fusion-opt %s -split-input-file -fusion-merge-copies=target=sm_10 2>&1 >/dev/null | FileCheck %s --check-prefix=TARGET
// TARGET: unknown target 'sm_10'; known are

// Two copies of an argument are made where the first was.

// CHECK-LABEL: func @two
// CHECK-SAME:  %[[X:.*]]: memref<8xf32>
// CHECK:       %[[A:.*]] = memref.alloc
// CHECK:       %[[B:.*]] = memref.alloc
// CHECK:       fusion.group elementwise ins(%[[V:.*]] = %[[X]] : memref<8xf32>) outs(%{{.*}} = %[[A]] : memref<8xf32>, %{{.*}} = %[[B]] : memref<8xf32>)
// CHECK:         fusion.yield %[[V]], %[[V]]
// CHECK-NOT:   memref.copy
// CHECK:       return
// REMARK: 2 copies of one tensor share a launch
func.func @two(%x: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  return %a, %b : memref<8xf32>, memref<8xf32>
}

// -----

// The source is written in between: its second copy is another one.

// CHECK-LABEL: func @written
// CHECK-COUNT-2: memref.copy %arg0
// CHECK:       return
func.func @written(%x: memref<8xf32>, %y: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  fusion.group elementwise ins(%v = %y : memref<8xf32>) outs(%o = %x : memref<8xf32>) {
    fusion.yield %v : tensor<8xf32>
  }
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  return %a, %b : memref<8xf32>, memref<8xf32>
}

// -----

// The target holds something else before.

// CHECK-LABEL: func @used_before
// CHECK:       memref.copy %arg0
// CHECK:       memref.copy %arg0
// CHECK:       return
func.func @used_before(%x: memref<8xf32>, %y: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  memref.copy %y, %b : memref<8xf32> to memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  return %a, %b : memref<8xf32>, memref<8xf32>
}

// -----

// Element-wise work before the copies shares their launch; the copies' source
// is the first input.

// CHECK-LABEL: func @work_before
// CHECK:       fusion.group elementwise ins(%{{.*}} = %arg0 : memref<8xf32>, %[[Y:.*]] = %arg1 : memref<5xf32>) outs(%{{.*}} : memref<8xf32>, %{{.*}} : memref<8xf32>, %{{.*}} : memref<5xf32>)
// CHECK-NEXT:    %[[E:.*]] = linalg.exp ins(%[[Y]] : tensor<5xf32>)
// CHECK-NEXT:    fusion.yield %[[X:.*]], %[[X]], %[[E]]
// CHECK-NOT:   memref.copy
// CHECK:       return
func.func @work_before(%x: memref<8xf32>, %y: memref<5xf32>) -> (memref<8xf32>, memref<8xf32>, memref<5xf32>) {
  %w = memref.alloc() : memref<5xf32>
  fusion.group elementwise schedule(#fusion.schedule<generic>) ins(%v = %y : memref<5xf32>) outs(%o = %w : memref<5xf32>) {
    %e = linalg.exp ins(%v : tensor<5xf32>) outs(%o : tensor<5xf32>) -> tensor<5xf32>
    fusion.yield %e : tensor<5xf32>
  }
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  return %a, %b, %w : memref<8xf32>, memref<8xf32>, memref<5xf32>
}

// -----

// What makes the source is not.

// CHECK-LABEL: func @makes_the_source
// CHECK:       %[[S:.*]] = memref.alloc
// CHECK:       fusion.group elementwise {{.*}} ins(%{{.*}} = %arg0 : memref<8xf32>) outs(%{{.*}} = %[[S]] : memref<8xf32>)
// CHECK:       fusion.group elementwise ins(%{{.*}} = %[[S]] : memref<8xf32>)
// CHECK:       return
func.func @makes_the_source(%y: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  %x = memref.alloc() : memref<8xf32>
  fusion.group elementwise schedule(#fusion.schedule<generic>) ins(%v = %y : memref<8xf32>) outs(%o = %x : memref<8xf32>) {
    %e = linalg.exp ins(%v : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %e : tensor<8xf32>
  }
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  return %a, %b : memref<8xf32>, memref<8xf32>
}
