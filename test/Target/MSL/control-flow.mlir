// RUN: fusion-translate --fusion-to-msl %s | FileCheck %s

gpu.module @kernels {
  // The variable of a loop is its result afterwards.
  // CHECK-LABEL: kernel void sum(
  // CHECK: float [[ACC:.*]] = 0.0f;
  // CHECK-NEXT: for (int [[I:.*]] = 0; [[I]] < n; ++[[I]]) {
  // CHECK-NEXT:   float [[V:.*]] = x{{\[}}[[I]]];
  // CHECK-NEXT:   [[ACC]] = [[ACC]] + [[V]];
  // CHECK-NEXT: }
  // CHECK-NEXT: x[0] = [[ACC]];
  gpu.func @sum(%x: memref<?xf32> {fusion.name = "x"},
                %n: index {fusion.name = "n"}) kernel
      attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (f32) {
      %v = memref.load %x[%i] : memref<?xf32>
      %s = arith.addf %acc, %v : f32
      scf.yield %s : f32
    }
    memref.store %r, %x[%c0] : memref<?xf32>
    gpu.return
  }

  // No variable is read after its next value was assigned.
  // CHECK-LABEL: kernel void fibonacci(
  // CHECK: float [[A:.*]] = 0.0f;
  // CHECK: float [[B:.*]] = 1.0f;
  // CHECK: for (
  // CHECK-NEXT: float [[NEXT:.*]] = [[A]] + [[B]];
  // CHECK-NEXT: [[A]] = [[B]];
  // CHECK-NEXT: [[B]] = [[NEXT]];
  // CHECK-NEXT: }
  gpu.func @fibonacci(%x: memref<?xf32> {fusion.name = "x"},
                      %n: index {fusion.name = "n"}) kernel
      attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %z = arith.constant 0.0 : f32
    %o = arith.constant 1.0 : f32
    %r:2 = scf.for %i = %c0 to %n step %c2 iter_args(%a = %z, %b = %o) -> (f32, f32) {
      %s = arith.addf %a, %b : f32
      scf.yield %b, %s : f32, f32
    }
    memref.store %r#1, %x[%c0] : memref<?xf32>
    gpu.return
  }

  // A value is computed before the block that it is used in.
  // CHECK-LABEL: kernel void branches(
  // CHECK: float [[R:.*]];
  // CHECK-NEXT: if (args.c) {
  // CHECK-NEXT:   [[R]] = args.a;
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   float [[V:.*]] = x[1];
  // CHECK-NEXT:   [[R]] = [[V]] * 2.0f;
  // CHECK-NEXT: }
  // CHECK-NEXT: x[0] = [[R]];
  // CHECK-NEXT: if (args.c) {
  // CHECK-NEXT:   x[2] = args.a;
  // CHECK-NEXT: }
  gpu.func @branches(%x: memref<?xf32> {fusion.name = "x"},
                     %c: i1 {fusion.name = "c"}, %a: f32 {fusion.name = "a"})
      kernel attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %two = arith.constant 2.0 : f32
    %r = scf.if %c -> f32 {
      scf.yield %a : f32
    } else {
      %v = memref.load %x[%c1] : memref<?xf32>
      %w = arith.mulf %v, %two : f32
      scf.yield %w : f32
    }
    memref.store %r, %x[%c0] : memref<?xf32>
    scf.if %c {
      memref.store %a, %x[%c2] : memref<?xf32>
    }
    gpu.return
  }

  // CHECK-LABEL: kernel void search(
  // CHECK: long [[STATE:.*]] = 0L;
  // CHECK-NEXT: long [[R:.*]];
  // CHECK-NEXT: while (true) {
  // CHECK-NEXT:   float [[V:.*]] = x{{\[}}[[STATE]]];
  // CHECK-NEXT:   [[R]] = [[STATE]];
  // CHECK-NEXT:   if (!([[V]] > 0.0f))
  // CHECK-NEXT:     break;
  // CHECK-NEXT:   [[STATE]] = [[R]] + 1L;
  // CHECK-NEXT: }
  // CHECK-NEXT: y[0L] = [[R]];
  gpu.func @search(%x: memref<?xf32> {fusion.name = "x"},
                   %y: memref<?xi64> {fusion.name = "y"}) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0.0 : f32
    %r = scf.while (%i = %c0) : (index) -> index {
      %v = memref.load %x[%i] : memref<?xf32>
      %c = arith.cmpf ogt, %v, %z : f32
      scf.condition(%c) %i : index
    } do {
    ^bb0(%i: index):
      %j = arith.addi %i, %c1 : index
      scf.yield %j : index
    }
    %n = arith.index_cast %r : index to i64
    memref.store %n, %y[%c0] : memref<?xi64>
    gpu.return
  }

  // CHECK-LABEL: kernel void choose(
  // CHECK: int [[R:.*]];
  // CHECK-NEXT: switch (n) {
  // CHECK-NEXT: case 2: {
  // CHECK-NEXT:   [[R]] = 1;
  // CHECK-NEXT:   break;
  // CHECK-NEXT: }
  // CHECK-NEXT: case 5: {
  // CHECK-NEXT:   [[R]] = 7;
  // CHECK-NEXT:   break;
  // CHECK-NEXT: }
  // CHECK-NEXT: default: {
  // CHECK-NEXT:   [[R]] = 0;
  // CHECK-NEXT:   break;
  // CHECK-NEXT: }
  // CHECK-NEXT: }
  gpu.func @choose(%x: memref<?xi32> {fusion.name = "x"},
                   %n: index {fusion.name = "n"}) kernel
      attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %r = scf.index_switch %n -> i32
    case 2 {
      %c = arith.constant 1 : i32
      scf.yield %c : i32
    }
    case 5 {
      %c = arith.constant 7 : i32
      scf.yield %c : i32
    }
    default {
      %c = arith.constant 0 : i32
      scf.yield %c : i32
    }
    memref.store %r, %x[%c0] : memref<?xi32>
    gpu.return
  }

  // Where threads read what others wrote, a barrier orders device memory too.
  // CHECK-LABEL: kernel void exchange(
  // CHECK: fusion_assert(n < 4);
  // CHECK-NEXT: x[0] = 1.0f;
  // CHECK-NEXT: threadgroup_barrier(mem_flags::mem_device);
  // CHECK-NEXT: threadgroup_barrier(mem_flags::mem_threadgroup);
  gpu.func @exchange(%x: memref<?xf32> {fusion.name = "x"},
                     %n: index {fusion.name = "n"}) kernel
      attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1.0 : f32
    %in = arith.cmpi slt, %n, %c4 : index
    cf.assert %in, "index out of bounds"
    memref.store %one, %x[%c0] : memref<?xf32>
    gpu.barrier
    %v = memref.load %x[%n] : memref<?xf32>
    memref.store %v, %x[%n] : memref<?xf32>
    gpu.return
  }
}
