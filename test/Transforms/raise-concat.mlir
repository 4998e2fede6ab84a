// RUN: fusion-opt %s -split-input-file -fusion-normalize | FileCheck %s

// A generic that picks its element by an index is a concatenation.

// CHECK-LABEL: func @two
// CHECK-NOT:   linalg.generic
// CHECK:       %[[R:.*]] = tensor.concat dim(1) %arg0, %arg1
// CHECK:       return %[[R]]
func.func @two(%x0: tensor<4x3xf32>, %x1: tensor<4x5xf32>) -> tensor<4x8xf32> {
  %c1 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %b0 = arith.cmpi ult, %j, %c1 : index
    %s0 = scf.if %b0 -> (f32) {
      %v0 = tensor.extract %x0[%i, %j] : tensor<4x3xf32>
      scf.yield %v0 : f32
    } else {
      %k1 = arith.subi %j, %c1 : index
      %v1 = tensor.extract %x1[%i, %k1] : tensor<4x5xf32>
      scf.yield %v1 : f32
    }
    linalg.yield %s0 : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @three
// CHECK-NOT:   linalg.generic
// CHECK:       tensor.concat dim(1) %arg0, %arg1, %arg2
func.func @three(%x0: tensor<4x3xf32>, %x1: tensor<4x5xf32>, %x2: tensor<4x2xf32>) -> tensor<4x10xf32> {
  %c1 = arith.constant 3 : index
  %c2 = arith.constant 8 : index
  %e = tensor.empty() : tensor<4x10xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x10xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %b0 = arith.cmpi ult, %j, %c1 : index
    %s0 = scf.if %b0 -> (f32) {
      %v0 = tensor.extract %x0[%i, %j] : tensor<4x3xf32>
      scf.yield %v0 : f32
    } else {
      %b1 = arith.cmpi ult, %j, %c2 : index
      %s1 = scf.if %b1 -> (f32) {
        %k1 = arith.subi %j, %c1 : index
        %v1 = tensor.extract %x1[%i, %k1] : tensor<4x5xf32>
        scf.yield %v1 : f32
      } else {
        %k2 = arith.subi %j, %c2 : index
        %v2 = tensor.extract %x2[%i, %k2] : tensor<4x2xf32>
        scf.yield %v2 : f32
      }
      scf.yield %s1 : f32
    }
    linalg.yield %s0 : f32
  } -> tensor<4x10xf32>
  return %r : tensor<4x10xf32>
}

// -----

// The second piece begins one column late: the first is read out of its bounds,
// which a concatenation does not do.

// CHECK-LABEL: func @late
// CHECK-NOT:   tensor.concat
// CHECK:       linalg.generic
func.func @late(%x0: tensor<4x3xf32>, %x1: tensor<4x5xf32>) -> tensor<4x8xf32> {
  %c1 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %b0 = arith.cmpi ult, %j, %c1 : index
    %s0 = scf.if %b0 -> (f32) {
      %v0 = tensor.extract %x0[%i, %j] : tensor<4x3xf32>
      scf.yield %v0 : f32
    } else {
      %k1 = arith.subi %j, %c1 : index
      %v1 = tensor.extract %x1[%i, %k1] : tensor<4x5xf32>
      scf.yield %v1 : f32
    }
    linalg.yield %s0 : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// Both indices are the column: a diagonal.

// CHECK-LABEL: func @diagonal
// CHECK-NOT:   tensor.concat
// CHECK:       linalg.generic
func.func @diagonal(%x0: tensor<4x3xf32>, %x1: tensor<4x5xf32>) -> tensor<4x8xf32> {
  %c1 = arith.constant 3 : index
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 1 : index
    %b0 = arith.cmpi ult, %j, %c1 : index
    %s0 = scf.if %b0 -> (f32) {
      %v0 = tensor.extract %x0[%i, %j] : tensor<4x3xf32>
      scf.yield %v0 : f32
    } else {
      %k1 = arith.subi %j, %c1 : index
      %v1 = tensor.extract %x1[%i, %k1] : tensor<4x5xf32>
      scf.yield %v1 : f32
    }
    linalg.yield %s0 : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
