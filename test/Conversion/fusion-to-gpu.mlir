// RUN: fusion-opt %s -split-input-file -convert-fusion-to-gpu=target=sm_80 | FileCheck %s
// RUN: not fusion-opt %s -split-input-file -convert-fusion-to-gpu=target=sm_10 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: unknown target 'sm_10'

// Equal groups share a kernel; loads and stores are 16 bytes wide.

// CHECK-LABEL: func @twice
// CHECK: gpu.launch_func @kernels::@[[K:elementwise_0]]
// CHECK: gpu.launch_func @kernels::@[[K]]
// CHECK: gpu.func @[[K]](
// CHECK-SAME: memref<?xf32> {{.*}}llvm.readonly
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK-COUNT-4: math.exp
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
// CHECK-NOT: gpu.func
func.func @twice(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
  fusion.group elementwise ins(%a = %x : memref<64xf32>) outs(%o = %y : memref<64xf32>) {
    %t = tensor.empty() : tensor<64xf32>
    %r = linalg.exp ins(%a : tensor<64xf32>) outs(%t : tensor<64xf32>) -> tensor<64xf32>
    fusion.yield %r : tensor<64xf32>
  }
  fusion.group elementwise ins(%a = %y : memref<64xf32>) outs(%o = %z : memref<64xf32>) {
    %t = tensor.empty() : tensor<64xf32>
    %r = linalg.exp ins(%a : tensor<64xf32>) outs(%t : tensor<64xf32>) -> tensor<64xf32>
    fusion.yield %r : tensor<64xf32>
  }
  return
}

// -----

// A dynamic size is a parameter, and the grid is computed from it.

// CHECK-LABEL: func @dynamic
// CHECK: %[[SUM:.*]] = arith.addi %[[N:.*]], %{{.*}}
// CHECK: %[[BLOCKS:.*]] = arith.floordivsi %[[SUM]]
// CHECK: gpu.launch_func {{.*}} blocks in (%[[BLOCKS]], {{.*}} args({{.*}} : memref<?xf32>, {{.*}} : memref<?xf32>, %[[N]] : index)
func.func @dynamic(%x: memref<?xf32>, %y: memref<?xf32>) {
  fusion.group elementwise ins(%a = %x : memref<?xf32>) outs(%o = %y : memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %a, %c0 : tensor<?xf32>
    %t = tensor.empty(%n) : tensor<?xf32>
    %r = linalg.exp ins(%a : tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
    fusion.yield %r : tensor<?xf32>
  }
  return
}

// -----

// Only the part that an update writes is touched.

// CHECK: #[[COST:.*]] = affine_map<() -> (16, 16, 0, 0)>
// CHECK-LABEL: func @update
// CHECK: gpu.launch_func {{.*}}fusion.cost = #[[COST]]
// CHECK: gpu.func @update_0
// CHECK-NOT: scf.for
// CHECK: memref.store
func.func @update(%x: memref<2xf32>, %cache: memref<9xf32>) {
  fusion.group update ins(%a = %x : memref<2xf32>) outs(%o = %cache : memref<9xf32>) {
    %y = tensor.insert_slice %a into %o[3] [2] [1] : tensor<2xf32> into tensor<9xf32>
    fusion.yield %y : tensor<9xf32>
  }
  return
}
