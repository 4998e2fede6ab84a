// RUN: fusion-translate --fusion-to-msl %s | FileCheck %s

// Includes and helpers come first, helpers only where a kernel calls them.
// CHECK: #include <metal_stdlib>
// CHECK: #pragma METAL fp math_mode(safe)
// CHECK: #pragma METAL fp contract(off)
// CHECK: using namespace metal;
// CHECK: inline float fusion_maximum(float a, float b)
// CHECK-NOT: fusion_minimum

gpu.module @kernels {
  // A single scalar has a buffer of its own; buffers that nothing writes are
  // const; names are those of the graph.
  // CHECK: {{^..}}max_total_threads_per_threadgroup(256)]]
  // CHECK-NEXT: kernel void scale(
  // CHECK-NEXT: device const half *x {{..}}buffer(0)]],
  // CHECK-NEXT: device float *out {{..}}buffer(1)]],
  // CHECK-NEXT: constant int &n {{..}}buffer(2)]],
  // CHECK-NEXT: uint3 threadIndex {{..}}thread_position_in_threadgroup]],
  // CHECK-NEXT: uint3 blockIndex {{..}}threadgroup_position_in_grid]]) {
  gpu.func @scale(%x: memref<?xf16> {fusion.name = "x"},
                  %y: memref<?xf32> {fusion.name = "out"},
                  %n: index {fusion.name = "n"}) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, fusion.index32} {
    %c256 = arith.constant 256 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %0 = arith.muli %b, %c256 : index
    // CHECK-NEXT: int [[I:.*]] = int(blockIndex.x) * 256 + int(threadIndex.x);
    %i = arith.addi %0, %t : index
    %in = arith.cmpi slt, %i, %n : index
    // CHECK-NEXT: if ([[I]] < n) {
    scf.if %in {
      // CHECK-NEXT: half [[V:.*]] = x{{\[}}[[I]]];
      %v = memref.load %x[%i] : memref<?xf16>
      %f = arith.extf %v : f16 to f32 loc("cast")
      %h = arith.constant 0.5 : f32
      // One comment for what becomes one statement; none twice.
      // CHECK-NEXT: // cast, gelu
      // CHECK-NEXT: float [[G:.*]] = float([[V]]) * 0.5f;
      %g = arith.mulf %f, %h : f32 loc("gelu")
      %e = math.exp %g : f32 loc("gelu")
      // CHECK-NEXT: // the result
      // CHECK-NEXT: out{{\[}}[[I]]] = fusion_maximum(precise::exp([[G]]), [[G]]);
      %m = arith.maximumf %e, %g {fusion.comment = "the result"} : f32
      memref.store %m, %y[%i] : memref<?xf32>
    }
    // CHECK-NEXT: }
    // CHECK-NEXT: }
    gpu.return
  }

  // Several scalars share a struct, in the order of the arguments.
  // CHECK-LABEL: struct PackedArgs {
  // CHECK-NEXT: long rows;
  // CHECK-NEXT: float arg2;
  // CHECK-NEXT: bool flag;
  // CHECK-NEXT: };
  // CHECK: kernel void packed(
  // CHECK-NEXT: device float *y {{..}}buffer(0)]],
  // CHECK-NEXT: constant PackedArgs &args {{..}}buffer(1)]]) {
  gpu.func @packed(%y: memref<?xf32> {fusion.name = "y"},
                   %n: index {fusion.name = "rows"}, %s: f32,
                   %f: i1 {fusion.name = "flag"}) kernel {
    %z = arith.constant 0.0 : f32
    // CHECK: y[args.rows] = args.flag ? args.arg2 : 0.0f;
    %v = arith.select %f, %s, %z : f32
    memref.store %v, %y[%n] : memref<?xf32>
    gpu.return
  }

  // Shared memory is at the top of the kernel, on 16 bytes; barriers and
  // shuffles are statements.
  // CHECK-LABEL: kernel void shared(
  // CHECK: uint laneIndex {{..}}thread_index_in_simdgroup]]) {
  // CHECK-NEXT: alignas(16) threadgroup float shared[8];
  // CHECK-NEXT: alignas(16) threadgroup uchar shared1[64];
  gpu.func @shared(%y: memref<?xf32> {fusion.name = "y"})
      workgroup(%s : memref<8xf32, #gpu.address_space<workgroup>>,
                %b : memref<64xui8, #gpu.address_space<workgroup>>)
      kernel attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %w = arith.constant 32 : i32
    %d = arith.constant 16 : i32
    %l = gpu.lane_id
    %v = memref.load %s[%l] : memref<8xf32, #gpu.address_space<workgroup>>
    // CHECK: threadgroup_barrier(mem_flags::mem_threadgroup);
    gpu.barrier
    // CHECK: float [[X:.*]] = simd_shuffle_xor({{.*}}, 16);
    %x, %p = gpu.shuffle xor %v, %d, %w : f32
    // CHECK: bool [[P:.*]] = int(laneIndex) + 16 < 32;
    // CHECK: simd_shuffle_down([[X]], 16);
    %x2, %p2 = gpu.shuffle down %x, %d, %w : f32
    %x3 = arith.select %p2, %x2, %x : f32
    memref.store %x3, %s[%c0] : memref<8xf32, #gpu.address_space<workgroup>>
    memref.store %x3, %y[%c0] : memref<?xf32>
    gpu.return
  }

  // An i8 buffer seen as floats.
  // CHECK-LABEL: kernel void view(
  // CHECK: alignas(16) threadgroup char [[S:.*]][256];
  // CHECK: threadgroup float *[[V:.*]] = (threadgroup float *)([[S]] + 128);
  // CHECK: [[V]][3] = 1.0f;
  gpu.func @view()
      workgroup(%s : memref<256xi8, #gpu.address_space<workgroup>>)
      kernel attributes {fusion.index32} {
    %c128 = arith.constant 128 : index
    %c3 = arith.constant 3 : index
    %one = arith.constant 1.0 : f32
    %v = memref.view %s[%c128][] : memref<256xi8, #gpu.address_space<workgroup>>
        to memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %one, %v[%c3] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.return
  }

  // Names that would not compile, or are taken, are changed.
  // CHECK-LABEL: kernel void names(
  // CHECK-NEXT: device float *kernel1 {{..}}buffer(0)]],
  // CHECK-NEXT: device float *x {{..}}buffer(1)]],
  // CHECK-NEXT: device float *x1 {{..}}buffer(2)]],
  // CHECK-NEXT: device float *v0_weight {{..}}buffer(3)]],
  // CHECK-NEXT: device float *float4_1 {{..}}buffer(4)]]
  gpu.func @names(%a: memref<?xf32> {fusion.name = "kernel"},
                  %b: memref<?xf32> {fusion.name = "x"},
                  %c: memref<?xf32> {fusion.name = "x"},
                  %d: memref<?xf32> {fusion.name = "0.weight"},
                  %e: memref<?xf32> {fusion.name = "float4"}) kernel {
    %c0 = arith.constant 0 : index
    %v = memref.load %a[%c0] : memref<?xf32>
    memref.store %v, %b[%c0] : memref<?xf32>
    memref.store %v, %c[%c0] : memref<?xf32>
    memref.store %v, %d[%c0] : memref<?xf32>
    memref.store %v, %e[%c0] : memref<?xf32>
    memref.store %v, %a[%c0] : memref<?xf32>
    gpu.return
  }

  // The whole product is a function of the prelude.
  // CHECK-LABEL: kernel void product(
  // CHECK: float2 [[ACC:.*]] = float2(0.0f);
  // CHECK: for (
  // CHECK: float2 [[ACC1:.*]] = fusion_simdgroup_mma<half>([[A:.*]], [[A]], [[ACC]]);
  // CHECK: [[ACC]] = [[ACC1]];
  gpu.func @product(%x: memref<?xf16>, %y: memref<?xf32>) kernel
      attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %z = arith.constant dense<0.0> : vector<2xf32>
    %a = vector.load %x[%c0] {alignment = 4 : i64} : memref<?xf16>, vector<2xf16>
    %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %z) -> (vector<2xf32>) {
      %n = fusion.simdgroup_mma %a, %a, %acc : vector<2xf16>, vector<2xf32>
      scf.yield %n : vector<2xf32>
    }
    vector.store %r, %y[%c0] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
    gpu.return
  }
}
