// RUN: fusion-opt %s -split-input-file -verify-diagnostics \
// RUN:   -pass-pipeline='builtin.module(gpu.module(fusion-legalize-for-msl))' | FileCheck %s

// Long vectors become vectors of 4 and what is left, through loops too; the
// parts' alignment is what the whole's allows.

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @split(
  // CHECK-SAME: %[[X:.*]]: memref<?xf16>, %[[Y:.*]]: memref<?xf32>, %[[N:.*]]: index)
  gpu.func @split(%x: memref<?xf16>, %y: memref<?xf32>, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
    // CHECK-DAG: %[[LOW:.*]] = arith.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]>
    // CHECK-DAG: %[[HIGH:.*]] = arith.constant dense<[4.000000e+00, 5.000000e+00]>
    %k = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]> : vector<6xf32>
    // CHECK-DAG: %[[A0:.*]] = vector.load %[[X]][%[[N]]] {alignment = 16 : i64} : memref<?xf16>, vector<4xf16>
    // CHECK: %[[N4:.*]] = arith.addi %[[N]], %[[C4]]
    // CHECK: %[[A1:.*]] = vector.load %[[X]][%[[N4]]] {alignment = 8 : i64} : memref<?xf16>, vector<2xf16>
    %a = vector.load %x[%n] {alignment = 16 : i64} : memref<?xf16>, vector<6xf16>
    // CHECK: %[[W0:.*]] = arith.extf %[[A0]] : vector<4xf16> to vector<4xf32>
    // CHECK: %[[W1:.*]] = arith.extf %[[A1]] : vector<2xf16> to vector<2xf32>
    %w = arith.extf %a : vector<6xf16> to vector<6xf32>
    // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[S0:.*]] = %[[W0]], %[[S1:.*]] = %[[W1]])
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %w) -> (vector<6xf32>) {
      // CHECK: %[[P0:.*]] = arith.mulf %[[S0]], %[[LOW]] : vector<4xf32>
      // CHECK: %[[P1:.*]] = arith.mulf %[[S1]], %[[HIGH]] : vector<2xf32>
      // CHECK: scf.yield %[[P0]], %[[P1]]
      %p = arith.mulf %s, %k : vector<6xf32>
      scf.yield %p : vector<6xf32>
    }
    // CHECK: vector.store %[[R]]#0, %[[Y]][%[[N]]] : memref<?xf32>, vector<4xf32>
    // CHECK: vector.store %[[R]]#1, %[[Y]][%{{.*}}] : memref<?xf32>, vector<2xf32>
    vector.store %r, %y[%n] : memref<?xf32>, vector<6xf32>
    gpu.return
  }

  // Elements that only move are never taken apart.
  // CHECK-LABEL: gpu.func @moves(
  // CHECK-NOT: vector.extract
  // CHECK-NOT: vector.from_elements
  // CHECK: gpu.return
  gpu.func @moves(%y: memref<?xf32>, %n: index) kernel {
    %a = vector.load %y[%n] : memref<?xf32>, vector<8xf32>
    %b = vector.shape_cast %a : vector<8xf32> to vector<2x4xf32>
    %c = vector.extract %b[1] : vector<4xf32> from vector<2x4xf32>
    %d = vector.insert %c, %b[0] : vector<4xf32> into vector<2x4xf32>
    %e = vector.shape_cast %d : vector<2x4xf32> to vector<8xf32>
    vector.store %e, %y[%n] : memref<?xf32>, vector<8xf32>
    gpu.return
  }

  // Bits, and what has no vector form, are scalars.
  // CHECK-LABEL: gpu.func @scalars(
  // CHECK: %[[A:.*]] = vector.load
  // CHECK: %[[B:.*]] = vector.load
  // CHECK-COUNT-4: memref.load %{{.*}} : memref<?xi1>
  // CHECK: %[[A0:.*]] = vector.extract %[[A]][0]
  // CHECK: %[[B0:.*]] = vector.extract %[[B]][0]
  // CHECK: arith.maxnumf %[[A0]], %[[B0]] : f32
  // CHECK-COUNT-4: arith.select %{{.*}} : f32
  // CHECK: vector.from_elements
  // CHECK-COUNT-4: arith.cmpf ogt, %{{.*}} : f32
  // CHECK-COUNT-4: memref.store %{{.*}} : memref<?xi1>
  gpu.func @scalars(%x: memref<?xf32>, %y: memref<?xf32>, %p: memref<?xi1>,
                    %n: index) kernel {
    %a = vector.load %x[%n] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    %b = vector.load %y[%n] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    %m = vector.load %p[%n] : memref<?xi1>, vector<4xi1>
    %c = arith.maxnumf %a, %b : vector<4xf32>
    %d = arith.select %m, %a, %c : vector<4xi1>, vector<4xf32>
    vector.store %d, %y[%n] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    %e = arith.cmpf ogt, %a, %d : vector<4xf32>
    vector.store %e, %p[%n] : memref<?xi1>, vector<4xi1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @bitcasts(
  // CHECK: %[[A:.*]] = vector.load %{{.*}} : memref<?xf16>, vector<4xf16>
  // CHECK: %[[B:.*]] = vector.load %{{.*}} : memref<?xf16>, vector<4xf16>
  // CHECK: vector.bitcast %[[A]] : vector<4xf16> to vector<2xi32>
  // CHECK: vector.bitcast %[[B]] : vector<4xf16> to vector<2xi32>
  // CHECK: vector.store %{{.*}} : memref<?xi32>, vector<4xi32>
  // CHECK: arith.shli
  // CHECK: arith.ori
  // CHECK: arith.bitcast %{{.*}} : i32 to f32
  // CHECK: memref.store %{{.*}} : memref<?xf32>
  gpu.func @bitcasts(%x: memref<?xf16>, %q: memref<?xi32>, %c: memref<?xi8>,
                     %y: memref<?xf32>, %n: index) kernel {
    %a = vector.load %x[%n] : memref<?xf16>, vector<8xf16>
    %b = vector.bitcast %a : vector<8xf16> to vector<4xi32>
    vector.store %b, %q[%n] : memref<?xi32>, vector<4xi32>
    %d = vector.load %c[%n] : memref<?xi8>, vector<4xi8>
    %e = vector.bitcast %d : vector<4xi8> to vector<1xf32>
    vector.store %e, %y[%n] : memref<?xf32>, vector<1xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @reduce(
  // CHECK-COUNT-7: arith.addf %{{.*}} : f32
  gpu.func @reduce(%y: memref<?xf32>, %n: index) kernel {
    %a = vector.load %y[%n] : memref<?xf32>, vector<8xf32>
    %r = vector.reduction <add>, %a : vector<8xf32> into f32
    memref.store %r, %y[%n] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // bf16 is for storage, f16 for arithmetic; functions are of f32.
  // CHECK-LABEL: gpu.func @narrow(
  // CHECK-SAME: %[[B:.*]]: bf16, %[[H:.*]]: f16
  gpu.func @narrow(%b: bf16, %h: f16, %g: memref<?xbf16>, %f: memref<?xf16>,
                   %n: index) kernel {
    // CHECK: %[[W:.*]] = arith.extf %[[B]] : bf16 to f32
    // CHECK: %[[S:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
    // CHECK: arith.truncf %[[S]] : f32 to bf16
    %0 = arith.addf %b, %b : bf16
    memref.store %0, %g[%n] : memref<?xbf16>
    // CHECK: arith.addf %[[H]], %[[H]] : f16
    %1 = arith.addf %h, %h : f16
    // CHECK: %[[E:.*]] = math.exp %{{.*}} : f32
    // CHECK: arith.truncf %[[E]] : f32 to f16
    %2 = math.exp %1 : f16
    memref.store %2, %f[%n] : memref<?xf16>
    gpu.return
  }

  // Powers with a small whole exponent are products.
  // CHECK-LABEL: gpu.func @powers(
  // CHECK-SAME: %[[A:.*]]: f32
  gpu.func @powers(%a: f32, %y: memref<?xf32>, %i: i32, %n: index) kernel {
    // CHECK: %[[A2:.*]] = arith.mulf %[[A]], %[[A]] : f32
    // CHECK: memref.store %[[A2]]
    %two = arith.constant 2 : i32
    %0 = math.fpowi %a, %two : f32, i32
    memref.store %0, %y[%n] : memref<?xf32>
    // CHECK: %[[A3:.*]] = arith.mulf %[[A]], %[[A2]] : f32
    // CHECK: %[[Q:.*]] = arith.divf %{{.*}}, %[[A3]] : f32
    // CHECK: memref.store %[[Q]]
    %minus = arith.constant -3.0 : f32
    %1 = math.powf %a, %minus : f32
    memref.store %1, %y[%n] : memref<?xf32>
    // CHECK: %[[I:.*]] = arith.sitofp %{{.*}} : i32 to f32
    // CHECK: math.powf %[[A]], %[[I]] : f32
    %2 = math.fpowi %a, %i : f32, i32
    memref.store %2, %y[%n] : memref<?xf32>
    gpu.return
  }

  // Metal has no erf and its like.
  // CHECK-LABEL: gpu.func @functions(
  // CHECK-NOT: math.erf
  // CHECK-NOT: math.log1p
  // CHECK-NOT: math.isnan
  // CHECK: math.tanh
  gpu.func @functions(%a: f32, %y: memref<?xf32>, %p: memref<?xi1>,
                      %n: index) kernel {
    %0 = math.erf %a : f32
    %1 = math.log1p %0 : f32
    %2 = math.tanh %1 : f32
    memref.store %2, %y[%n] : memref<?xf32>
    %3 = math.isnan %2 : f32
    memref.store %3, %p[%n] : memref<?xi1>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @integers(
  // CHECK-NOT: arith.floordivsi
  // CHECK-NOT: arith.ceildivsi
  // CHECK-NOT: math.cttz
  // CHECK: math.ctpop %{{.*}} : i32
  // CHECK-NOT: arith.mului_extended
  // CHECK: arith.muli %{{.*}} : i64
  // CHECK-COUNT-2: gpu.shuffle xor %{{.*}} : i32
  gpu.func @integers(%a: i32, %l: i64, %q: memref<?xi32>, %r: memref<?xi64>,
                     %n: index) kernel {
    %w = arith.constant 32 : i32
    %0 = arith.floordivsi %a, %w : i32
    %1 = arith.ceildivsi %0, %a : i32
    %2 = math.cttz %1 : i32
    memref.store %2, %q[%n] : memref<?xi32>
    %3, %4 = arith.mului_extended %a, %2 : i32
    memref.store %4, %q[%n] : memref<?xi32>
    %5, %6 = gpu.shuffle xor %l, %w, %w : i64
    memref.store %5, %r[%n] : memref<?xi64>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @f64(%a: f32, %y: memref<?xf32>, %n: index) kernel {
    // expected-error @below {{uses f64, which Metal does not have; compute in f32}}
    %0 = arith.extf %a : f32 to f64
    %1 = arith.truncf %0 : f64 to f32
    memref.store %1, %y[%n] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @transpose(%y: memref<?xf32>, %n: index) kernel {
    %0 = vector.load %y[%n] : memref<?xf32>, vector<4xf32>
    %1 = vector.shape_cast %0 : vector<4xf32> to vector<2x2xf32>
    // expected-error @below {{failed to legalize operation 'vector.transpose'}}
    %2 = vector.transpose %1, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
    %3 = vector.shape_cast %2 : vector<2x2xf32> to vector<4xf32>
    vector.store %3, %y[%n] : memref<?xf32>, vector<4xf32>
    gpu.return
  }
}
