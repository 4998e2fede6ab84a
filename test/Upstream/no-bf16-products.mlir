// Neither nvgpu.mma.sync nor !gpu.mma_matrix knows bf16. Kernels use nvvm.mma.sync
// with packed i32 operands.
//
// RUN: split-file %s %t
// RUN: mlir-opt %t/mma-sync.mlir --convert-nvgpu-to-nvvm 2>&1 | FileCheck %s --check-prefix=MMA
// RUN: not mlir-opt %t/mma-matrix.mlir 2>&1 | FileCheck %s --check-prefix=MATRIX

// MMA: failed to deduce operand PTX types
// MATRIX: MMAMatrixType elements must be

//--- mma-sync.mlir
func.func @product(%a: vector<4x2xbf16>, %b: vector<2x2xbf16>, %c: vector<2x2xf32>) -> vector<2x2xf32> {
  %d = nvgpu.mma.sync(%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xbf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return %d : vector<2x2xf32>
}

//--- mma-matrix.mlir
func.func @load(%a: memref<16x16xbf16>, %i: index) {
  %0 = gpu.subgroup_mma_load_matrix %a[%i, %i] {leadDimension = 16 : index} : memref<16x16xbf16> -> !gpu.mma_matrix<16x16xbf16, "AOp">
  return
}
