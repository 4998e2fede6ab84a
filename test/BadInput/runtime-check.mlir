// A dynamic graph's check that its arguments break: the run ends with the graph's
// own message, before any kernel.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as n, sys; d = sys.argv[1]; n.save(d + '/arg0.npy', n.zeros(4, n.float32)); n.save(d + '/arg1.npy', n.zeros(5, n.float32)); n.save(d + '/out0.npy', n.zeros(4, n.float32))" %t
// RUN: not fusion-run %s --target=sm_80 --data=%t 2>&1 | FileCheck %s

// CHECK: error: {{.*}}mismatched size for broadcast
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %m = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %n, %m : index
  cf.assert %same, "mismatched size for broadcast"
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
