// A gather keeps its bounds check: an index outside ends the run with an error that
// says where.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as n, sys; d = sys.argv[1]; n.save(d + '/arg0.npy', n.zeros((4, 8), n.float32)); n.save(d + '/arg1.npy', n.array([0, 9], n.int64)); n.save(d + '/out0.npy', n.zeros((2, 8), n.float32))" %t
// RUN: not fusion-run %s --target=sm_80 --data=%t 2>&1 | FileCheck %s

// CHECK: error: {{.*}}kernel {{.*}}trap (failed assertion)
func.func @main(%table: tensor<4x8xf32>, %ids: tensor<2xi64>) -> tensor<2x8xf32> {
  %c0 = arith.constant 0 : i64
  %c4 = arith.constant 4 : i64
  %e = tensor.empty() : tensor<2x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<2xi64>) outs(%e : tensor<2x8xf32>) {
  ^bb0(%id: i64, %out: f32):
    %low = arith.cmpi sge, %id, %c0 : i64
    %high = arith.cmpi slt, %id, %c4 : i64
    %ok = arith.andi %low, %high : i1
    cf.assert %ok, "index out of range"
    %i = arith.index_cast %id : i64 to index
    %j = linalg.index 1 : index
    %x = tensor.extract %table[%i, %j] : tensor<4x8xf32>
    linalg.yield %x : f32
  } -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}
