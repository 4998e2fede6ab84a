// RUN: fusion-opt %s -split-input-file -fusion-plan-memory -canonicalize | FileCheck %s

// Of three buffers, the first and the third are never alive together.

// CHECK-LABEL: func @reuse
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C512:.*]] = arith.constant 512 : index
// CHECK: %[[ARENA:.*]] = memref.alloc() {{.*}} : memref<{{.*}}xi8>
// CHECK: memref.view %[[ARENA]][%[[C0]]][] : {{.*}} to memref<100xf32>
// CHECK: memref.view %[[ARENA]][%[[C512]]][] : {{.*}} to memref<100xf32>
// CHECK: memref.view %[[ARENA]][%[[C0]]][] : {{.*}} to memref<100xf32>
func.func @reuse(%x: memref<100xf32>) {
  %a = memref.alloc() : memref<100xf32>
  memref.copy %x, %a : memref<100xf32> to memref<100xf32>
  %b = memref.alloc() : memref<100xf32>
  memref.copy %a, %b : memref<100xf32> to memref<100xf32>
  %c = memref.alloc() : memref<100xf32>
  memref.copy %b, %c : memref<100xf32> to memref<100xf32>
  memref.copy %c, %x : memref<100xf32> to memref<100xf32>
  return
}

// -----

// Results are not the arena's.

// CHECK-LABEL: func @result
// CHECK-NOT: memref.view
// CHECK: %[[A:.*]] = memref.alloc() : memref<100xf32>
// CHECK: return %[[A]]
func.func @result(%x: memref<100xf32>) -> memref<100xf32> {
  %a = memref.alloc() : memref<100xf32>
  memref.copy %x, %a : memref<100xf32> to memref<100xf32>
  return %a : memref<100xf32>
}

// -----

// Buffers of equal dynamic size share a place.

// CHECK-LABEL: func @dynamic
// CHECK: %[[ARENA:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?xi8>
// CHECK: memref.view %[[ARENA]][%[[FIRST:.*]]][
// CHECK: memref.view %[[ARENA]][%[[SECOND:.*]]][
// CHECK: memref.view %[[ARENA]][%[[FIRST]]][
func.func @dynamic(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  memref.copy %b, %c : memref<?xf32> to memref<?xf32>
  memref.copy %c, %x : memref<?xf32> to memref<?xf32>
  return
}
