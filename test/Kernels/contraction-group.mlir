// RUN: fusion-opt %s -split-input-file -convert-fusion-to-gpu=target=sm_80 | FileCheck %s

// Both operands are memory, whole tiles: copies of 16 bytes without masks, and
// a store of 16 bytes.

// CHECK-LABEL: func @product
// CHECK:       gpu.launch_func @kernels::@[[K:.*]] blocks in (%{{.*}}, {{.*}}) threads in
// CHECK:       gpu.func @[[K]](
// CHECK:         nvgpu.device_async_copy %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}], 8 {bypassL1} : memref<?xf16> to memref<{{.*}}xf16, #gpu.address_space<workgroup>>
// CHECK:         scf.for
// CHECK:           nvvm.cp.async.wait.group 1
// CHECK-NEXT:      gpu.barrier
// CHECK:           nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = false}
// CHECK:           nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = true}
// CHECK:           nvvm.mma.sync
// CHECK:         vector.store %{{.*}} {alignment = 16 : i64} : memref<?xf16>, vector<8xf16>
func.func @product(%a: memref<128x64xf16>, %b: memref<64x128xf16>, %c: memref<128x128xf16>) {
  fusion.group contraction schedule(#fusion.schedule<contraction, unit = mma_sync, tile = [64, 64, 32], warps = [2, 2], stages = 3, threads = 128, vector = 8>)
      ins(%x = %a : memref<128x64xf16>, %y = %b : memref<64x128xf16>) outs(%o = %c : memref<128x128xf16>) {
    %zero = arith.constant 0.0 : f16
    %e = tensor.empty() : tensor<128x128xf16>
    %f = linalg.fill ins(%zero : f16) outs(%e : tensor<128x128xf16>) -> tensor<128x128xf16>
    %r = linalg.matmul ins(%x, %y : tensor<128x64xf16>, tensor<64x128xf16>) outs(%f : tensor<128x128xf16>) -> tensor<128x128xf16>
    fusion.yield %r : tensor<128x128xf16>
  }
  return
}

// -----

// Attention's result has its heads outermost. The projection reads it in place:
// only groups of 64 elements are neighbours along k, which is enough.

// CHECK-LABEL: func @projection
// CHECK:       gpu.func
// CHECK-NOT:     memref.load {{.*}} : memref<?xbf16>
// CHECK:         nvgpu.device_async_copy {{.*}}, 8 {bypassL1} : memref<?xbf16>
// CHECK-NOT:     memref.load {{.*}} : memref<?xbf16>
// CHECK:         gpu.return
func.func @projection(%heads: memref<2x64x64xbf16>, %w: memref<128x64xbf16>, %c: memref<64x64xbf16>) {
  fusion.group contraction schedule(#fusion.schedule<contraction, unit = mma_sync, tile = [64, 64, 32], warps = [2, 2], stages = 3, threads = 128, vector = 8>)
      ins(%x = %heads : memref<2x64x64xbf16>, %y = %w : memref<128x64xbf16>) outs(%o = %c : memref<64x64xbf16>) {
    %zero = arith.constant 0.0 : bf16
    %te = tensor.empty() : tensor<64x2x64xbf16>
    %t = linalg.transpose ins(%x : tensor<2x64x64xbf16>) outs(%te : tensor<64x2x64xbf16>) permutation = [1, 0, 2]
    %a = tensor.collapse_shape %t [[0], [1, 2]] : tensor<64x2x64xbf16> into tensor<64x128xbf16>
    %e = tensor.empty() : tensor<64x64xbf16>
    %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<64x64xbf16>) -> tensor<64x64xbf16>
    %r = linalg.matmul ins(%a, %y : tensor<64x128xbf16>, tensor<128x64xbf16>) outs(%f : tensor<64x64xbf16>) -> tensor<64x64xbf16>
    fusion.yield %r : tensor<64x64xbf16>
  }
  return
}

// -----

// One row: B goes straight to registers, 16 bytes at a time, and the warps' sums
// meet in shared memory.

// CHECK-LABEL: func @decode
// CHECK:       gpu.func
// CHECK-NOT:     ldmatrix
// CHECK-COUNT-8: vector.load {{.*}} {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
// CHECK:         gpu.shuffle  xor
// CHECK:         gpu.return
func.func @decode(%a: memref<1x1024xbf16>, %w: memref<64x1024xbf16>, %c: memref<1x64xbf16>) {
  fusion.group contraction schedule(#fusion.schedule<contraction, tile = [1, 8, 1024], warps = [1, 1, 4], stages = 2, threads = 128>)
      ins(%x = %a : memref<1x1024xbf16>, %y = %w : memref<64x1024xbf16>) outs(%o = %c : memref<1x64xbf16>) {
    %zero = arith.constant 0.0 : bf16
    %te = tensor.empty() : tensor<1024x64xbf16>
    %t = linalg.transpose ins(%y : tensor<64x1024xbf16>) outs(%te : tensor<1024x64xbf16>) permutation = [1, 0]
    %e = tensor.empty() : tensor<1x64xbf16>
    %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<1x64xbf16>) -> tensor<1x64xbf16>
    %r = linalg.matmul ins(%x, %t : tensor<1x1024xbf16>, tensor<1024x64xbf16>) outs(%f : tensor<1x64xbf16>) -> tensor<1x64xbf16>
    fusion.yield %r : tensor<1x64xbf16>
  }
  return
}

// -----

// Types without a matrix unit are multiplied by the scalar one.

// CHECK-LABEL: func @scalar
// CHECK:       gpu.func
// CHECK:         math.fma {{.*}} : f64
func.func @scalar(%a: memref<64x64xf64>, %b: memref<64x64xf64>, %c: memref<64x64xf64>) {
  fusion.group contraction schedule(#fusion.schedule<contraction, tile = [64, 64, 16], warps = [2, 4], stages = 2, vector = 2>)
      ins(%x = %a : memref<64x64xf64>, %y = %b : memref<64x64xf64>) outs(%o = %c : memref<64x64xf64>) {
    %zero = arith.constant 0.0 : f64
    %e = tensor.empty() : tensor<64x64xf64>
    %f = linalg.fill ins(%zero : f64) outs(%e : tensor<64x64xf64>) -> tensor<64x64xf64>
    %r = linalg.matmul ins(%x, %y : tensor<64x64xf64>, tensor<64x64xf64>) outs(%f : tensor<64x64xf64>) -> tensor<64x64xf64>
    fusion.yield %r : tensor<64x64xf64>
  }
  return
}
