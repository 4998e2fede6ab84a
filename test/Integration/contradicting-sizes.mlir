// Sizes of arguments that contradict each other are reported, not read past the
// end of.

// RUN: not fusion-run %s --target=sm_80 --check --dims=4,5,20,20 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: not fusion-run %s --target=sm_80 --check --dims=4,4,20,19 2>&1 | FileCheck %s --check-prefix=RESHAPE
// RUN: fusion-run %s --target=sm_80 --check --dims=4,4,20,20 | FileCheck %s

// SUM: error: an assertion of the graph fails: sizes contradict each other: 'linalg.generic' at {{.*}}contradicting-sizes.mlir":[[@LINE+10]]:{{.*}}dimension #0
// RESHAPE: error: an assertion of the graph fails: sizes contradict each other: 'tensor.expand_shape' at {{.*}}it changes the number of elements
// CHECK: out0: agrees
// CHECK: out1: agrees
#id = affine_map<(i) -> (i)>
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>, %like: tensor<?xf32>) -> (tensor<?xf32>, tensor<?x5xf32>) {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %m = tensor.dim %like, %c0 : tensor<?xf32>
  %k = arith.divui %m, %c5 : index
  %w = tensor.expand_shape %z [[0, 1]] output_shape [%k, 5] : tensor<?xf32> into tensor<?x5xf32>
  return %s, %w : tensor<?xf32>, tensor<?x5xf32>
}
