// One text for all kernels: one header, a kernel's shared memory under names of
// its own, arguments as pointers to global memory.
//
// RUN: fusion-translate --fusion-to-ptx %s | FileCheck %s
//
// Converted kernels give the same text.
//
// RUN: fusion-opt %s --pass-pipeline='builtin.module(gpu.module(convert-fusion-gpu-to-nvvm))' \
// RUN:   | fusion-translate --fusion-to-ptx | FileCheck %s

// CHECK: .version 8.0
// CHECK: .target sm_80
// CHECK: .address_size 64
// CHECK-NOT: .version

module attributes {fusion.target = #fusion.target<"sm_80">} {
  gpu.module @kernels {
    // CHECK: .visible .entry elementwise(
    // CHECK: .param .u64 .ptr .global .align 16 elementwise_param_0,
    // CHECK: .param .u64 .ptr .global .align 16 elementwise_param_1,
    // CHECK: .param .u64 elementwise_param_2
    // CHECK: .reqntid 128, 1, 1
    // CHECK-NOT: .minnctapersm
    gpu.func @elementwise(
        %x: memref<?xbf16> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly},
        %y: memref<?xbf16> {llvm.align = 16 : i64, llvm.noalias}, %n: index)
        kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c8 = arith.constant 8 : index
      %thread = gpu.thread_id x
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %first = arith.muli %block, %size : index
      %item = arith.addi %first, %thread : index
      %i = arith.muli %item, %c8 : index
      %inside = arith.cmpi ult, %i, %n : index
      scf.if %inside {
        // Eight elements in one access, through the read-only cache.
        // CHECK: ld.global.nc.v4.b32
        %v = vector.load %x[%i] {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
        %w = arith.extf %v : vector<8xbf16> to vector<8xf32>
        // A product and a sum stay two operations.
        // CHECK: mul.rn.f32
        // CHECK-NOT: fma
        // CHECK: add.rn.f32
        %s = arith.mulf %w, %w : vector<8xf32>
        %t = arith.addf %s, %w : vector<8xf32>
        %o = arith.truncf %t : vector<8xf32> to vector<8xbf16>
        // CHECK: st.global.v4.b32
        vector.store %o, %y[%i] {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
      }
      gpu.return
    }

    // CHECK: .visible .entry sum(
    // CHECK: .param .u32 sum_param_2
    // CHECK: .shared .align 16 .b8 sum_shared0[32]
    gpu.func @sum(%x: memref<?xf32> {llvm.noalias, llvm.readonly},
                  %y: memref<?xf32> {llvm.noalias}, %n: index)
        workgroup(%partial: memref<8xf32, #gpu.address_space<workgroup>>)
        kernel attributes {fusion.index32, known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c256 = arith.constant 256 : index
      %i1 = arith.constant 1 : i32
      %i32 = arith.constant 32 : i32
      %zero = arith.constant 0.0 : f32
      %thread = gpu.thread_id x
      %sum = scf.for %i = %thread to %n step %c256 iter_args(%a = %zero) -> f32 {
        %v = memref.load %x[%i] : memref<?xf32>
        %e = math.exp %v : f32
        %b = arith.addf %a, %e : f32
        scf.yield %b : f32
      }
      // CHECK: shfl.sync.bfly.b32
      %other, %valid = gpu.shuffle xor %sum, %i1, %i32 : f32
      %pair = arith.addf %sum, %other : f32
      %warp = arith.divui %thread, %c32 : index
      // CHECK: st.shared.b32
      memref.store %pair, %partial[%warp] : memref<8xf32, #gpu.address_space<workgroup>>
      // CHECK: bar.sync 0
      gpu.barrier
      %r = memref.load %partial[%c0] : memref<8xf32, #gpu.address_space<workgroup>>
      // The result is not used: a reduction, not an atomic.
      // CHECK: {{atom|red}}.{{.*}}add.f32
      %old = memref.atomic_rmw addf %r, %y[%c0] : (f32, memref<?xf32>) -> f32
      gpu.return
    }

    // CHECK: .visible .entry gather(
    // CHECK: trap;
    gpu.func @gather(%x: memref<?xf32>, %index: memref<?xi64>, %y: memref<?xf32>, %n: index)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %thread = gpu.thread_id x
      %v = memref.load %index[%thread] : memref<?xi64>
      %i = arith.index_cast %v : i64 to index
      %inside = arith.cmpi ult, %i, %n : index
      cf.assert %inside, "index out of bounds"
      %f = memref.load %x[%i] : memref<?xf32>
      memref.store %f, %y[%thread] : memref<?xf32>
      gpu.return
    }

    // Kernels that work on tiles may use all registers.
    // CHECK: .visible .entry product(
    // CHECK: .minnctapersm 1
    gpu.func @product(%x: memref<?xf16>, %y: memref<?xf32>)
        workgroup(%tile: memref<256xf16, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %thread = gpu.thread_id x
      %i = arith.muli %thread, %c8 : index
      // CHECK: cp.async.cg.shared.global
      %t = nvgpu.device_async_copy %x[%i], %tile[%i], 8 {bypassL1} : memref<?xf16> to memref<256xf16, #gpu.address_space<workgroup>>
      %g = nvgpu.device_async_create_group %t
      // CHECK: cp.async.wait_group 0
      nvgpu.device_async_wait %g {numGroups = 0 : i32}
      gpu.barrier
      // CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
      %a = nvgpu.ldmatrix %tile[%i] {numTiles = 4 : i32, transpose = false} : memref<256xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
      %a0 = vector.extract %a[0] : vector<2xf16> from vector<4x2xf16>
      %a1 = vector.extract %a[1] : vector<2xf16> from vector<4x2xf16>
      %a2 = vector.extract %a[2] : vector<2xf16> from vector<4x2xf16>
      %a3 = vector.extract %a[3] : vector<2xf16> from vector<4x2xf16>
      %zero = arith.constant 0.0 : f32
      // CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
      %d = nvvm.mma.sync A[%a0, %a1, %a2, %a3] B[%a0, %a1] C[%zero, %zero, %zero, %zero]
          {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}
          : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      %d0 = llvm.extractvalue %d[0] : !llvm.struct<(f32, f32, f32, f32)>
      memref.store %d0, %y[%thread] : memref<?xf32>
      gpu.return
    }
  }
}
