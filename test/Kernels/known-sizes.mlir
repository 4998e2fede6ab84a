// RUN: fusion-run %s --target=sm_80 --check --level=none --dims=3,1,3,1 | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --level=attention --dims=3,1,3,1 | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=none --dims=3,1,3,1 | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=attention --dims=3,1,3,1 | FileCheck %s

// A size that an operand makes known, of a result whose type does not say it:
// the group's destination is known, too.

// CHECK: out0: agrees

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<1xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z, %x : tensor<?x?xf32>, tensor<1xf32>) outs(%y : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.mulf %s, %out : f32
    linalg.yield %t : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
