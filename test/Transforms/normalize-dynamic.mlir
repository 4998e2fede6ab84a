// RUN: fusion-opt %s --fusion-normalize | FileCheck %s

// CHECK: #[[REPEAT:.*]] = affine_map<(d0, d1, d2) -> (d0, 0, d2)>

// What an exporter computes for sizes that could be negative goes: the new
// dimension has the size of the old one.
// CHECK-LABEL: func @inferred_size
// CHECK-SAME:      %[[X:.*]]: tensor<?x4xf32>
// CHECK-NOT:     arith.cmpi
// CHECK-NOT:     arith.select
// CHECK-NOT:     cf.assert
// CHECK:         %[[DIM:.*]] = tensor.dim %[[X]]
// CHECK:         %[[SIZE:.*]] = arith.index_cast %[[DIM]]
// CHECK:         tensor.from_elements %{{.*}}, %[[SIZE]]
func.func @inferred_size(%x: tensor<?x4xf32>) -> tensor<4x?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %dim = tensor.dim %x, %c0 : tensor<?x4xf32>
  %n = arith.index_cast %dim : index to i64
  %negative = arith.cmpi slt, %n, %zero : i64
  %total = arith.muli %n, %four : i64
  %known = arith.select %negative, %four, %total : i64
  %inferred = arith.divsi %total, %known : i64
  %size = arith.select %negative, %inferred, %n : i64
  %isNew = arith.cmpi sge, %size, %zero : i64
  cf.assert %isNew, "negative values not allowed in new dimensions"
  %shape = tensor.from_elements %four, %size : tensor<2xi64>
  %y = tensor.reshape %x(%shape) : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<4x?xf32>
  return %y : tensor<4x?xf32>
}

// An integer that is no size may be negative.
// CHECK-LABEL: func @any_integer
// CHECK:         arith.cmpi slt
func.func @any_integer(%x: i64) -> i1 {
  %zero = arith.constant 0 : i64
  %negative = arith.cmpi slt, %x, %zero : i64
  return %negative : i1
}

// A broadcast of equal sizes is a copy, and goes.
// CHECK-LABEL: func @copy
// CHECK-SAME:      %[[X:.*]]: tensor<1x?x8xf32>
// CHECK-NEXT:    return %[[X]]
func.func @copy(%x: tensor<1x?x8xf32>) -> tensor<1x?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %x, %c1 : tensor<1x?x8xf32>
  %e = tensor.empty(%dim) : tensor<1x?x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<1x?x8xf32>) {
  ^bb0(%out: f32):
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %isOne = arith.cmpi eq, %dim, %c1 : index
    %at = arith.select %isOne, %c0, %j : index
    %v = tensor.extract %x[%c0, %at, %k] : tensor<1x?x8xf32>
    linalg.yield %v : f32
  } -> tensor<1x?x8xf32>
  return %y : tensor<1x?x8xf32>
}

// What repeats elements gets an indexing map.
// CHECK-LABEL: func @repeat
// CHECK-SAME:      %[[X:.*]]: tensor<?x1x8xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[REPEAT]], #{{.*}}]{{.*}} ins(%[[X]] : tensor<?x1x8xf32>)
// CHECK-NEXT:    ^bb0(%[[V:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      linalg.yield %[[V]]
func.func @repeat(%x: tensor<?x1x8xf32>) -> tensor<?x4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %x, %c0 : tensor<?x1x8xf32>
  %e = tensor.empty(%dim) : tensor<?x4x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<?x4x8xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %k = linalg.index 2 : index
    %isOne = arith.cmpi eq, %dim, %c1 : index
    %at = arith.select %isOne, %c0, %i : index
    %v = tensor.extract %x[%at, %c0, %k] : tensor<?x1x8xf32>
    linalg.yield %v : f32
  } -> tensor<?x4x8xf32>
  return %y : tensor<?x4x8xf32>
}

// The sizes may differ: the choice stays.
// CHECK-LABEL: func @unknown
// CHECK:         arith.cmpi eq
// CHECK:         tensor.extract
func.func @unknown(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %dim = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %isOne = arith.cmpi eq, %dim, %c1 : index
    %at = arith.select %isOne, %c0, %i : index
    %v = tensor.extract %x[%at] : tensor<?xf32>
    linalg.yield %v : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// A gather is no broadcast.
// CHECK-LABEL: func @gather
// CHECK:         tensor.extract
func.func @gather(%x: tensor<8xf32>) -> tensor<4xf32> {
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %at = arith.muli %i, %c2 : index
    %v = tensor.extract %x[%at] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
