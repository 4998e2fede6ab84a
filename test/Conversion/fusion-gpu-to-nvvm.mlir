// RUN: fusion-opt %s -split-input-file -verify-diagnostics \
// RUN:   -pass-pipeline='builtin.module(gpu.module(convert-fusion-gpu-to-nvvm))' | FileCheck %s

// Memrefs are pointers, whatever their size; attributes of arguments stay, the
// project's own do not; indices are i64.

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @signature(
  // CHECK-SAME: %[[X:.*]]: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
  // CHECK-SAME: %[[Y:.*]]: !llvm.ptr<1>, %[[N:.*]]: i64, %{{.*}}: i1, %{{.*}}: f32)
  // CHECK-SAME: nvvm.kernel
  // CHECK-SAME: nvvm.reqntid = array<i32: 128, 1, 1>
  gpu.func @signature(
      %x: memref<?xf32> {fusion.name = "x", llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
      %y: memref<?xf32>, %n: index, %b: i1, %f: f32)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x : i32
    // CHECK: %[[I:.*]] = llvm.zext nneg %[[TID]] : i32 to i64
    %i = gpu.thread_id x
    // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[X]][%[[I]]] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    // CHECK: %[[V:.*]] = llvm.load %[[P]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %v = vector.load %x[%i] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    // CHECK: llvm.store %[[V]], %{{.*}} {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr<1>
    vector.store %v, %y[%n] : memref<?xf32>, vector<4xf32>
    // CHECK: llvm.return
    gpu.return
  }
}

// -----

// Under fusion.index32 indices are i32 in registers and arguments, eight bytes
// in memory all the same, and do not overflow.

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @index32(
  // CHECK-SAME: %[[X:.*]]: !llvm.ptr<1>, %[[N:.*]]: i32)
  gpu.func @index32(%x: memref<?xindex>, %n: index) kernel attributes {fusion.index32} {
    // CHECK: %[[J:.*]] = llvm.add %[[N]], %{{.*}} overflow<nsw> : i32
    %i = gpu.block_id y
    %j = arith.addi %n, %i : index
    // CHECK: %[[P:.*]] = llvm.getelementptr inbounds %[[X]][%[[J]]] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i64
    // CHECK: %[[V:.*]] = llvm.load %[[P]] {alignment = 8 : i64} : !llvm.ptr<1> -> i64
    // CHECK: %[[T:.*]] = llvm.trunc %[[V]] : i64 to i32
    %v = memref.load %x[%j] : memref<?xindex>
    // CHECK: %[[S:.*]] = llvm.sext %[[T]] : i32 to i64
    // CHECK: llvm.store %[[S]], %{{.*}} : i64, !llvm.ptr<1>
    memref.store %v, %x[%i] : memref<?xindex>
    gpu.return
  }
}

// -----

// An i1 takes a byte.

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @bytes(
  gpu.func @bytes(%x: memref<?xi1>, %i: index) kernel {
    // CHECK: %[[V:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi8>
    // CHECK: %[[B:.*]] = llvm.icmp "ne" %[[V]], %{{.*}} : vector<4xi8>
    %v = vector.load %x[%i] {alignment = 4 : i64} : memref<?xi1>, vector<4xi1>
    // CHECK: %[[Z:.*]] = llvm.zext %[[B]] : vector<4xi1> to vector<4xi8>
    // CHECK: llvm.store %[[Z]]
    vector.store %v, %x[%i] : memref<?xi1>, vector<4xi1>
    gpu.return
  }
}

// -----

// Shared memory is a global of the module, named after its kernel; views of it
// are byte offsets.

gpu.module @kernels {
  // CHECK-DAG: llvm.mlir.global internal @shared_shared0() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x f16>
  // CHECK-DAG: llvm.mlir.global internal @shared_shared1() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<512 x i8>
  // CHECK-LABEL: llvm.func @shared(
  gpu.func @shared(%i: index)
      workgroup(%a: memref<64xf16, #gpu.address_space<workgroup>>,
                %b: memref<512xi8, #gpu.address_space<workgroup>> {llvm.align = 128 : i64})
      kernel {
    // CHECK-DAG: %[[A:.*]] = llvm.mlir.addressof @shared_shared0 : !llvm.ptr<3>
    // CHECK-DAG: %[[B:.*]] = llvm.mlir.addressof @shared_shared1 : !llvm.ptr<3>
    %c256 = arith.constant 256 : index
    // CHECK: %[[VIEW:.*]] = llvm.getelementptr inbounds %[[B]][%{{.*}}] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, i8
    %view = memref.view %b[%c256][] : memref<512xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
    // CHECK: llvm.getelementptr inbounds %[[VIEW]][%{{.*}}] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    %v = memref.load %view[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    %h = arith.truncf %v : f32 to f16
    // CHECK: nvvm.barrier
    gpu.barrier
    // CHECK: llvm.getelementptr inbounds %[[A]]
    memref.store %h, %a[%i] : memref<64xf16, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// An assertion is a branch to a trap.

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @assertion(
  gpu.func @assertion(%x: memref<?xf32>, %i: index, %n: index) kernel {
    %inside = arith.cmpi ult, %i, %n : index
    // CHECK: llvm.cond_br %{{.*}}, ^[[REST:.*]], ^[[TRAP:.*]]
    // CHECK: ^[[TRAP]]:
    // CHECK-NEXT: llvm.intr.trap
    // CHECK-NEXT: llvm.unreachable
    // CHECK: ^[[REST]]:
    cf.assert %inside, "index out of bounds"
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %x[%n] : memref<?xf32>
    gpu.return
  }
}

// -----

// Shuffles move registers of 32 bits.

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @shuffles(
  // CHECK-SAME: %[[F:[^:]*]]: f32, %[[H:[^:]*]]: f16, %[[D:[^:]*]]: f64, %[[O:[^:]*]]: i32
  gpu.func @shuffles(%f: f32, %h: f16, %d: f64, %o: i32, %x: memref<?xf64>) kernel {
    %c32 = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    // CHECK: nvvm.shfl.sync bfly %{{.*}}, %[[F]], %[[O]], %{{.*}} : f32 -> f32
    %a, %va = gpu.shuffle xor %f, %o, %c32 : f32
    // CHECK: %[[HI:.*]] = llvm.bitcast %[[H]] : f16 to i16
    // CHECK: %[[HZ:.*]] = llvm.zext %[[HI]] : i16 to i32
    // CHECK: %[[HS:.*]] = nvvm.shfl.sync down %{{.*}}, %[[HZ]], %[[O]], %{{.*}} {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    %b, %vb = gpu.shuffle down %h, %o, %c32 : f16
    // CHECK: llvm.bitcast %[[D]] : f64 to vector<2xi32>
    // CHECK-COUNT-2: nvvm.shfl.sync idx
    %c, %vc = gpu.shuffle idx %d, %o, %c32 : f64
    %be = arith.extf %b : f16 to f64
    %ae = arith.extf %a : f32 to f64
    %s = arith.addf %ae, %be : f64
    %t = arith.select %vb, %s, %c : f64
    memref.store %t, %x[%c0] : memref<?xf64>
    gpu.return
  }
}

// -----

// No function of the math dialect is left as a call.

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @math(
  // CHECK-NOT: llvm.call @
  // CHECK-NOT: llvm.intr.{{exp|log|sin|cos|pow|tanh}}
  gpu.func @math(%x: memref<?xf32>, %h: memref<?xbf16>) kernel {
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%c0] : memref<?xf32>
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"
    %b = math.exp %a : f32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f32"
    %b2 = math.exp %b fastmath<afn> : f32
    %c = math.log %b2 : f32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"
    %d = math.rsqrt %c : f32
    %e = math.tanh %d : f32
    %f = math.sin %e : f32
    %g = math.powf %f, %e : f32
    // CHECK: llvm.intr.fma
    %i = math.fma %g, %f, %e : f32
    memref.store %i, %x[%c0] : memref<?xf32>
    %j = memref.load %h[%c0] : memref<?xbf16>
    // CHECK: llvm.fpext %{{.*}} : bf16 to f32
    // CHECK: llvm.intr.sqrt(%{{.*}}) : (f32) -> f32
    // CHECK: llvm.fptrunc %{{.*}} : f32 to bf16
    %k = math.sqrt %j : bf16
    memref.store %k, %h[%c0] : memref<?xbf16>
    gpu.return
  }
}

// -----

// Powers with small constant exponents are products, in every type.

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @squares(
  gpu.func @squares(%x: memref<?xf32>, %h: memref<?xbf16>, %i: index) kernel {
    %c2 = arith.constant 2 : i64
    %a = memref.load %x[%i] : memref<?xf32>
    // CHECK: %[[A:.*]] = llvm.load %{{.*}} -> f32
    // CHECK-NEXT: %[[B:.*]] = llvm.fmul %[[A]], %[[A]] : f32
    %b = math.fpowi %a, %c2 : f32, i64
    memref.store %b, %x[%i] : memref<?xf32>
    %three = arith.constant dense<3.0> : vector<2xbf16>
    %c = vector.load %h[%i] : memref<?xbf16>, vector<2xbf16>
    // CHECK: %[[C:.*]] = llvm.fpext %{{.*}} : vector<2xbf16> to vector<2xf32>
    // CHECK-NEXT: %[[D:.*]] = llvm.fmul %[[C]], %[[C]] : vector<2xf32>
    // CHECK-NEXT: %[[E:.*]] = llvm.fmul %[[D]], %[[C]] : vector<2xf32>
    // CHECK-NEXT: llvm.fptrunc %[[E]] : vector<2xf32> to vector<2xbf16>
    %d = math.powf %c, %three : vector<2xbf16>
    vector.store %d, %h[%i] : memref<?xbf16>, vector<2xbf16>
    gpu.return
  }
}

// -----

// cp.async and ldmatrix on pointers.

gpu.module @kernels {
  // CHECK-LABEL: llvm.func @tiles(
  gpu.func @tiles(%x: memref<?xf16>, %i: index, %n: index, %y: memref<?xf16>)
      workgroup(%a: memref<1024xf16, #gpu.address_space<workgroup>>) kernel {
    // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    %t = nvgpu.device_async_copy %x[%i], %a[%i], 8 {bypassL1} : memref<?xf16> to memref<1024xf16, #gpu.address_space<workgroup>>
    // CHECK: %[[BYTES:.*]] = llvm.mul
    // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca, %[[BYTES]]
    %u = nvgpu.device_async_copy %x[%i], %a[%i], 4, %n : memref<?xf16> to memref<1024xf16, #gpu.address_space<workgroup>>
    // CHECK: nvvm.cp.async.commit.group
    %g = nvgpu.device_async_create_group %t, %u
    // CHECK: nvvm.cp.async.wait.group 0
    nvgpu.device_async_wait %g {numGroups = 0 : i32}
    // CHECK: nvvm.ldmatrix %{{.*}} {{.*}}num = 4
    %m = nvgpu.ldmatrix %a[%i] {numTiles = 4 : i32, transpose = false} : memref<1024xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
    %v = vector.extract %m[1] : vector<2xf16> from vector<4x2xf16>
    vector.store %v, %y[%i] : memref<?xf16>, vector<2xf16>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @copy(%x: memref<?xf32>, %y: memref<?xf32>) kernel {
    // expected-error @below {{'memref.copy' has no conversion to NVVM; kernels access memrefs by memref.load}}
    memref.copy %x, %y : memref<?xf32> to memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{argument 0 of type 'memref<?x?xf32>' can not be passed to a kernel}}
  gpu.func @argument(%x: memref<?x?xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @pointer(%x: memref<?xf32>, %y: memref<?xindex>) kernel attributes {fusion.index32} {
    // expected-error @below {{a global pointer does not fit the 32-bit index of a kernel with 'fusion.index32'}}
    %p = memref.extract_aligned_pointer_as_index %x : memref<?xf32> -> index
    memref.store %p, %y[%p] : memref<?xindex>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @atomic(%x: memref<?xf32>, %v: f32) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @below {{there is no atomic 'mulf' of 'f32'}}
    %old = memref.atomic_rmw mulf %v, %x[%c0] : (f32, memref<?xf32>) -> f32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{workgroup attribution 0 of type 'memref<64xf32>' is not a static array in the workgroup address space}}
  gpu.func @attribution() workgroup(%a: memref<64xf32>) kernel {
    gpu.return
  }
}
