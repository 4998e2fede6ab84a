// RUN: fusion-run %s --target=sm_80 --check --level=none --dims=3,5,2 | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --level=attention --dims=3,5,2 | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=none --dims=3,5,2 | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=attention --dims=3,5,2 | FileCheck %s

// The size of a padded tensor follows from that of its source.

// CHECK: out0: agrees

func.func @main(%x: tensor<?x?x?xi1>) -> tensor<?x?x?xi1> {
  %true = arith.constant true
  %0 = tensor.pad %x low[0, 0, 1] high[0, 3, 2] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %true : i1
  } : tensor<?x?x?xi1> to tensor<?x?x?xi1>
  return %0 : tensor<?x?x?xi1>
}
