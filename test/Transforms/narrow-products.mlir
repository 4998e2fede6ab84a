// RUN: fusion-opt %s -split-input-file -fusion-normalize | FileCheck %s

// Only the last row is used: the product has one row, and so has what follows.

// CHECK-LABEL: func @last_row
// CHECK:       linalg.matmul {{.*}} -> tensor<1x512xf32>
// CHECK:       linalg.exp {{.*}} -> tensor<1x512xf32>
// CHECK-NOT:   tensor<64x512xf32>
// CHECK:       return
func.func @last_row(%x: tensor<64x128xf32>, %w: tensor<128x512xf32>) -> tensor<1x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x128xf32>, tensor<128x512xf32>) outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
  %g = linalg.exp ins(%p : tensor<64x512xf32>) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %x3 = tensor.expand_shape %g [[0, 1], [2]] output_shape [1, 64, 512] : tensor<64x512xf32> into tensor<1x64x512xf32>
  %s = tensor.extract_slice %x3[0, 63, 0] [1, 1, 512] [1, 1, 1] : tensor<1x64x512xf32> to tensor<1x1x512xf32>
  %r = tensor.collapse_shape %s [[0, 1], [2]] : tensor<1x1x512xf32> into tensor<1x512xf32>
  return %r : tensor<1x512xf32>
}

// -----

// The slice drops a dimension.

// CHECK-LABEL: func @dropped
// CHECK:       linalg.matmul {{.*}} -> tensor<1x512xf32>
// CHECK-NOT:   tensor<64x512xf32>
// CHECK:       return
func.func @dropped(%x: tensor<64x128xf32>, %w: tensor<128x512xf32>) -> tensor<1x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x128xf32>, tensor<128x512xf32>) outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
  %x3 = tensor.expand_shape %p [[0, 1], [2]] output_shape [1, 64, 512] : tensor<64x512xf32> into tensor<1x64x512xf32>
  %s = tensor.extract_slice %x3[0, 63, 0] [1, 1, 512] [1, 1, 1] : tensor<1x64x512xf32> to tensor<1x512xf32>
  return %s : tensor<1x512xf32>
}

// -----

// The other rows are used, too.

// CHECK-LABEL: func @two_readers
// CHECK:       linalg.matmul {{.*}} -> tensor<64x512xf32>
// CHECK:       tensor.extract_slice
// CHECK:       return
func.func @two_readers(%x: tensor<64x128xf32>, %w: tensor<128x512xf32>) -> (tensor<1x512xf32>, tensor<64x512xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x128xf32>, tensor<128x512xf32>) outs(%f : tensor<64x512xf32>) -> tensor<64x512xf32>
  %s = tensor.extract_slice %p[63, 0] [1, 512] [1, 1] : tensor<64x512xf32> to tensor<1x512xf32>
  return %s, %p : tensor<1x512xf32>, tensor<64x512xf32>
}

// -----

// A slice of what is no product stays where it is.

// CHECK-LABEL: func @no_product
// CHECK:       linalg.exp {{.*}} -> tensor<64x512xf32>
// CHECK:       tensor.extract_slice
// CHECK:       return
func.func @no_product(%x: tensor<64x512xf32>) -> tensor<1x512xf32> {
  %e = tensor.empty() : tensor<64x512xf32>
  %g = linalg.exp ins(%x : tensor<64x512xf32>) outs(%e : tensor<64x512xf32>) -> tensor<64x512xf32>
  %s = tensor.extract_slice %g[63, 0] [1, 512] [1, 1] : tensor<64x512xf32> to tensor<1x512xf32>
  return %s : tensor<1x512xf32>
}
