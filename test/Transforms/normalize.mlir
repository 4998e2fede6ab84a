// RUN: fusion-opt %s --fusion-normalize | FileCheck %s
// RUN: fusion-opt %s --fusion-normalize=keep-f64 | FileCheck %s --check-prefix=KEEP
// RUN: fusion-opt %s --fusion-normalize | fusion-opt --fusion-normalize | FileCheck %s

// Calls to private functions are inlined, and the functions go.
// CHECK-LABEL: func @calls
// CHECK-NOT:     call
// CHECK:         %[[ONE:.*]] = linalg.exp
// CHECK:         linalg.exp ins(%[[ONE]]
// CHECK-NOT:   func private @helper
func.func @calls(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @helper(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @helper(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
func.func private @helper(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Softmax becomes its parts.
// CHECK-LABEL: func @softmax
// CHECK-NOT:     linalg.softmax
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK:           arith.maxnumf
// CHECK:         math.exp
// CHECK:         arith.divf
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// An f64 island between f32 values is computed in f32.
// CHECK-LABEL: func @island
// CHECK-NOT:     f64
// CHECK:         %[[C:.*]] = arith.constant 5.000000e-01 : f32
// CHECK:         ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[Y:.*]] = arith.mulf %[[X]], %[[C]] : f32
// CHECK-NEXT:      linalg.yield %[[Y]] : f32
// KEEP-LABEL:  func @island
// KEEP:          arith.extf %{{.*}} : f32 to f64
// KEEP:          arith.mulf %{{.*}} : f64
// KEEP:          arith.truncf %{{.*}} : f64 to f32
#id = affine_map<(d0) -> (d0)>
func.func @island(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = arith.constant 0.5 : f64
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %wide = arith.extf %in : f32 to f64
    %scaled = arith.mulf %wide, %half : f64
    %narrow = arith.truncf %scaled : f64 to f32
    linalg.yield %narrow : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// An f64 tensor between narrower ones becomes an f32 tensor.
// CHECK-LABEL: func @tensor_island
// CHECK-NOT:     f64
// CHECK:         return
// KEEP-LABEL:  func @tensor_island
// KEEP:          tensor<8xf64>
func.func @tensor_island(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %w = tensor.empty() : tensor<8xf64>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xbf16>) outs(%w : tensor<8xf64>) {
  ^bb0(%in: bf16, %out: f64):
    %1 = arith.extf %in : bf16 to f64
    linalg.yield %1 : f64
  } -> tensor<8xf64>
  %e = tensor.empty() : tensor<8xbf16>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%0 : tensor<8xf64>) outs(%e : tensor<8xbf16>) {
  ^bb0(%in: f64, %out: bf16):
    %3 = math.exp %in : f64
    %4 = arith.truncf %3 : f64 to bf16
    linalg.yield %4 : bf16
  } -> tensor<8xbf16>
  return %2 : tensor<8xbf16>
}

// f64 that crosses the function's boundary is what the graph asks for.
// CHECK-LABEL: func @boundary
// CHECK:         linalg.exp ins(%{{.*}} : tensor<8xf64>)
func.func @boundary(%x: tensor<8xf64>) -> tensor<8xf64> {
  %e = tensor.empty() : tensor<8xf64>
  %0 = linalg.exp ins(%x : tensor<8xf64>) outs(%e : tensor<8xf64>) -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// No rounding moves: the casts of the graph stay where they are.
// CHECK-LABEL: func @roundings
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
// CHECK:         arith.extf %{{.*}} : bf16 to f32
func.func @roundings(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.truncf %in : f32 to bf16
    %2 = arith.extf %1 : bf16 to f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Sizes that are multiplied and divided out again are what they were.
// CHECK-LABEL: func @quotient
// CHECK-DAG:     %[[N:.*]] = tensor.dim %{{.*}}, %c0
// CHECK-DAG:     %[[M:.*]] = tensor.dim %{{.*}}, %c1
// CHECK-NOT:     arith.divsi
// CHECK:         tensor.empty(%[[N]], %[[M]])
func.func @quotient(%x: tensor<?x?x64xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : i64
  %n = tensor.dim %x, %c0 : tensor<?x?x64xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?x64xf32>
  %n64 = arith.index_cast %n : index to i64
  %m64 = arith.index_cast %m : index to i64
  %flat = arith.muli %n64, %m64 : i64
  %all = arith.muli %flat, %c64 : i64
  %row = arith.muli %m64, %c64 : i64
  %again = arith.divsi %all, %row : i64
  %size = arith.index_cast %again : i64 to index
  %e = tensor.empty(%size, %m) : tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}

// A division that leaves a remainder stays.
// CHECK-LABEL: func @no_quotient
// CHECK:         arith.divsi
func.func @no_quotient(%x: tensor<?x?x64xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x?x64xf32>
  %q = arith.divsi %n, %c3 : index
  return %q : index
}

// The end of a slice that leaves out a column which was joined before: bounded
// by 0 and by the size.
// CHECK-LABEL: func @slice_end
// CHECK:         %[[N:.*]] = tensor.dim
// CHECK-NEXT:    return %[[N]]
func.func @slice_end(%x: tensor<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c-1 = arith.constant -1 : index
  %c0_i64 = arith.constant 0 : i64
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %more = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%n]
  %more64 = arith.index_cast %more : index to i64
  %first64 = arith.minsi %more64, %c0_i64 : i64
  %first = arith.index_cast %first64 : i64 to index
  %last = arith.addi %more, %c-1 : index
  %negative = arith.cmpi slt, %last, %c0 : index
  %end = arith.select %negative, %c-1, %last : index
  %bounded = arith.minsi %end, %more : index
  %length = arith.subi %bounded, %first : index
  %size = arith.maxsi %length, %c0 : index
  return %size : index
}

// What is not known to be a size may be negative, and rounds when it is divided.
// CHECK-LABEL: func @no_size
// CHECK:         arith.maxsi
// CHECK:         affine.apply
func.func @no_size(%n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %m = arith.maxsi %n, %c0 : index
  %h = affine.apply affine_map<()[s0] -> (s0 floordiv 2)>()[%n]
  return %m, %h : index, index
}
