// RUN: fusion-opt %s -split-input-file -verify-diagnostics \
// RUN:   -pass-pipeline='builtin.module(gpu.module(fusion-legalize-for-msl))' | FileCheck %s

// Memory of complex numbers is memory of floats, and values are pairs, through
// loops and conditions too.

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @multiply(
  // CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[C:.*]]: i1)
  // CHECK-NOT: complex
  // CHECK: %[[I:.*]] = arith.muli %[[N]], %{{.*}} : index
  // CHECK: %[[J:.*]] = arith.addi %[[I]], %{{.*}} : index
  // CHECK: %[[RE:.*]] = memref.load %[[X]][%[[I]]] : memref<?xf32>
  // CHECK: %[[IM:.*]] = memref.load %[[X]][%[[J]]] : memref<?xf32>
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[RE]], %{{.*}} = %[[IM]]) -> (f32, f32)
  // CHECK: %[[S:.*]] = arith.select %[[C]], %[[R]]#0, %[[RE]] : f32
  // CHECK: %[[T:.*]] = arith.select %[[C]], %[[R]]#1, %[[IM]] : f32
  // CHECK: memref.store %[[S]], %[[Y]][%[[I]]]
  // CHECK: memref.store %[[T]], %[[Y]][%[[J]]]
  // CHECK-NOT: complex
  // CHECK: gpu.return
  gpu.func @multiply(%x: memref<?xcomplex<f32>>, %y: memref<?xcomplex<f32>>,
                     %n: index, %c: i1) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %k = complex.constant [0.5 : f32, -1.0 : f32] : complex<f32>
    %a = memref.load %x[%n] : memref<?xcomplex<f32>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (complex<f32>) {
      %p = complex.mul %s, %k : complex<f32>
      scf.yield %p : complex<f32>
    }
    %s = arith.select %c, %r, %a : complex<f32>
    memref.store %s, %y[%n] : memref<?xcomplex<f32>>
    gpu.return
  }

  // Functions become functions of the parts.
  // CHECK-LABEL: gpu.func @functions(
  // CHECK-NOT: complex
  // CHECK: math.exp
  // CHECK-NOT: complex
  // CHECK: gpu.return
  gpu.func @functions(%x: memref<?xcomplex<f32>>, %y: memref<?xf32>,
                      %n: index) kernel {
    %a = memref.load %x[%n] : memref<?xcomplex<f32>>
    %b = complex.exp %a : complex<f32>
    %c = complex.abs %b : complex<f32>
    memref.store %c, %y[%n] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @atomic(%x: memref<?xcomplex<f32>>, %y: memref<?xcomplex<f32>>,
                   %n: index) kernel {
    // expected-error @below {{has no meaning on complex numbers in memory}}
    memref.copy %x, %y : memref<?xcomplex<f32>> to memref<?xcomplex<f32>>
    gpu.return
  }
}
