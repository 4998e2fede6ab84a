// An operation that means nothing on tensors of a graph.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  // CHECK: no-semantics.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}async.runtime.create_group
  %g = async.runtime.create_group %c1 : !async.group
  return %a : tensor<4xf32>
}
