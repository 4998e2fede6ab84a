// RUN: fusion-translate --fusion-to-msl %s | FileCheck %s

gpu.module @kernels {
  // A vector access needs the alignment of the vector; otherwise elements are
  // accessed one by one.
  // CHECK-LABEL: kernel void accesses(
  gpu.func @accesses(%x: memref<?xf16> {fusion.name = "x"},
                     %y: memref<?xf32> {fusion.name = "y"},
                     %i: index {fusion.name = "i"}) kernel
      attributes {fusion.index32} {
    // CHECK: half4 [[A:.*]] = *(device const half4 *)(x + i);
    %a = vector.load %x[%i] {alignment = 8 : i64} : memref<?xf16>, vector<4xf16>
    // CHECK: half2 [[B:.*]] = half2(x[i], x[i + 1]);
    %b = vector.load %x[%i] : memref<?xf16>, vector<2xf16>
    // A vector of 3 has the size of one of 4.
    // CHECK: half3 [[C:.*]] = half3(x[i], x[i + 1], x[i + 2]);
    %c = vector.load %x[%i] {alignment = 16 : i64} : memref<?xf16>, vector<3xf16>
    // CHECK: float4 [[W:.*]] = float4([[A]]);
    %w = arith.extf %a : vector<4xf16> to vector<4xf32>
    // CHECK: *(device float4 *)(y + i) = [[W]];
    vector.store %w, %y[%i] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    // CHECK: y[i] = [[W]].x;
    // CHECK: y[i + 3] = [[W]].w;
    vector.store %w, %y[%i] {alignment = 4 : i64} : memref<?xf32>, vector<4xf32>
    // CHECK: x[i] = [[B]].x;
    // CHECK: x[i + 1] = [[B]].y;
    vector.store %b, %x[%i] : memref<?xf16>, vector<2xf16>
    // CHECK: x[i] = [[C]].z;
    %cz = vector.extract %c[2] : f16 from vector<3xf16>
    memref.store %cz, %x[%i] : memref<?xf16>
    gpu.return
  }

  // CHECK-LABEL: kernel void elements(
  gpu.func @elements(%y: memref<?xf32> {fusion.name = "y"},
                     %a: f32 {fusion.name = "a"},
                     %i: index {fusion.name = "i"}) kernel
      attributes {fusion.index32} {
    %c0 = arith.constant 0 : index
    // CHECK: float4 [[V:.*]] = *(device const float4 *)y;
    %v = vector.load %y[%c0] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    // CHECK: y[0] = [[V]][args.i];
    %e = vector.extract %v[%i] : f32 from vector<4xf32>
    memref.store %e, %y[%c0] : memref<?xf32>
    // CHECK: float4 [[N:.*]] = [[V]];
    // CHECK: [[N]].z = args.a;
    %n = vector.insert %a, %v[2] : f32 into vector<4xf32>
    // CHECK: float4 [[S:.*]] = precise::exp([[N]] + float4(args.a));
    %b = vector.broadcast %a : f32 to vector<4xf32>
    %s = arith.addf %n, %b : vector<4xf32>
    %x = math.exp %s : vector<4xf32>
    // CHECK: y[0] = [[S]].x + [[S]].w;
    %p:4 = vector.to_elements %x : vector<4xf32>
    %q = arith.addf %p#0, %p#3 : f32
    memref.store %q, %y[%c0] : memref<?xf32>
    // CHECK: *(device float2 *)y = float2(args.a, 3.0f);
    %three = arith.constant 3.0 : f32
    %f = vector.from_elements %a, %three : vector<2xf32>
    vector.store %f, %y[%c0] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
    // CHECK: *(device float2 *)y = as_type<float2>(int2(1, 2));
    %k = arith.constant dense<[1, 2]> : vector<2xi32>
    %g = vector.bitcast %k : vector<2xi32> to vector<2xf32>
    vector.store %g, %y[%c0] {alignment = 8 : i64} : memref<?xf32>, vector<2xf32>
    gpu.return
  }
}
