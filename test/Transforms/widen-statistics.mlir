// RUN: fusion-opt %s -split-input-file -fusion-form-groups="level=none target=sm_80" -fusion-widen-statistics -canonicalize | FileCheck %s
// RUN: fusion-opt %s -split-input-file -fusion-compile="level=none target=sm_80" | FileCheck %s --check-prefix=STORED
// RUN: fusion-opt %s -split-input-file -fusion-compile="level=none target=sm_80 exact-rounding" | FileCheck %s --check-prefix=EXACT

// The mean of a row and its root are f32 between kernels; what every element
// of a row becomes stays bf16.

// CHECK-LABEL: func @root_mean
// CHECK:       fusion.group reduction ins({{.*}} : tensor<5x?xbf16>) outs(%{{.*}} : tensor<5xf32>)
// CHECK:         arith.addf {{.*}} : bf16
// CHECK:         arith.extf {{.*}} : bf16 to f32
// CHECK:         fusion.yield %{{.*}} : tensor<5xf32>
// CHECK:       fusion.group elementwise ins({{.*}} : tensor<5xf32>) outs(%{{.*}} : tensor<5xf32>)
// CHECK:         arith.truncf {{.*}} : f32 to bf16
// CHECK:         linalg.rsqrt {{.*}} -> tensor<5xbf16>
// CHECK:         arith.extf {{.*}} : bf16 to f32
// CHECK:       fusion.group elementwise ins({{.*}} : tensor<5x?xbf16>, {{.*}} : tensor<5xf32>) outs(%{{.*}} : tensor<5x?xbf16>)
// CHECK:         arith.truncf {{.*}} : f32 to bf16
// CHECK:         arith.mulf {{.*}} : bf16
// CHECK:         fusion.yield %{{.*}} : tensor<5x?xbf16>
// STORED:      gpu.launch_func {{.*}}memref<?xf32>
// EXACT:       gpu.launch_func {{.*}}memref<?xbf16>
// EXACT-NOT:   gpu.launch_func {{.*}}xf32
func.func @root_mean(%x: tensor<5x?xbf16>) -> tensor<5x?xbf16> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : bf16
  %n = tensor.dim %x, %c1 : tensor<5x?xbf16>
  %e = tensor.empty() : tensor<5xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<5xbf16>) -> tensor<5xbf16>
  %sum = linalg.reduce ins(%x : tensor<5x?xbf16>) outs(%f : tensor<5xbf16>) dimensions = [1]
    (%a: bf16, %b: bf16) {
      %c = arith.addf %a, %b : bf16
      linalg.yield %c : bf16
    }
  %root = linalg.rsqrt ins(%sum : tensor<5xbf16>) outs(%e : tensor<5xbf16>) -> tensor<5xbf16>
  %o = tensor.empty(%n) : tensor<5x?xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %root : tensor<5x?xbf16>, tensor<5xbf16>) outs(%o : tensor<5x?xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %c = arith.mulf %a, %b : bf16
    linalg.yield %c : bf16
  } -> tensor<5x?xbf16>
  return %y : tensor<5x?xbf16>
}

// -----

// A result of the graph has the graph's type; so does what is read beside it.

// CHECK-LABEL: func @returned
// CHECK:       fusion.group reduction {{.*}} outs(%{{.*}} : tensor<5xf16>)
// CHECK:       fusion.group elementwise {{.*}} outs(%{{.*}} : tensor<5xf16>)
// CHECK-NOT:   f32
// CHECK:       return
func.func @returned(%x: tensor<5x32xf16>) -> (tensor<5xf16>, tensor<5xf16>) {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<5xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<5xf16>) -> tensor<5xf16>
  %sum = linalg.reduce ins(%x : tensor<5x32xf16>) outs(%f : tensor<5xf16>) dimensions = [1]
    (%a: f16, %b: f16) {
      %c = arith.addf %a, %b : f16
      linalg.yield %c : f16
    }
  %root = linalg.rsqrt ins(%sum : tensor<5xf16>) outs(%e : tensor<5xf16>) -> tensor<5xf16>
  return %sum, %root : tensor<5xf16>, tensor<5xf16>
}

// -----

// Sums of four are half as large as what they are of: not free.

// CHECK-LABEL: func @short_rows
// CHECK-NOT:   f32
// CHECK:       return
func.func @short_rows(%x: tensor<50x4xf16>) -> tensor<50xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<50xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<50xf16>) -> tensor<50xf16>
  %sum = linalg.reduce ins(%x : tensor<50x4xf16>) outs(%f : tensor<50xf16>) dimensions = [1]
    (%a: f16, %b: f16) {
      %c = arith.addf %a, %b : f16
      linalg.yield %c : f16
    }
  %root = linalg.rsqrt ins(%sum : tensor<50xf16>) outs(%e : tensor<50xf16>) -> tensor<50xf16>
  return %root : tensor<50xf16>
}

// -----

// A product takes its operands as they lie in memory: pooled tokens stay f16.

// CHECK-LABEL: func @pooled
// CHECK-NOT:   f32
// CHECK:       return
func.func @pooled(%x: tensor<64x32x16xf16>, %w: tensor<16x24xf16>) -> tensor<32x24xf16> {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<32x16xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<32x16xf16>) -> tensor<32x16xf16>
  %sum = linalg.reduce ins(%x : tensor<64x32x16xf16>) outs(%f : tensor<32x16xf16>) dimensions = [0]
    (%a: f16, %b: f16) {
      %c = arith.addf %a, %b : f16
      linalg.yield %c : f16
    }
  %o = tensor.empty() : tensor<32x24xf16>
  %g = linalg.fill ins(%zero : f16) outs(%o : tensor<32x24xf16>) -> tensor<32x24xf16>
  %p = linalg.matmul ins(%sum, %w : tensor<32x16xf16>, tensor<16x24xf16>) outs(%g : tensor<32x24xf16>) -> tensor<32x24xf16>
  return %p : tensor<32x24xf16>
}
