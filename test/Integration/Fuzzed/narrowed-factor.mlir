// The body of a product narrows a factor of f32 to the type of the other: the
// tile holds f32, rounded.
// RUN: fusion-run %s --target=sm_80 --level=none --dims=33 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --dims=33 --check | FileCheck %s

// CHECK: out0: agrees
#left = affine_map<(i, j, k) -> (i, k)>
#right = affine_map<(i, j, k) -> (k, j)>
#result = affine_map<(i, j, k) -> (i, j)>
func.func @main(%a: tensor<?x17xf32>, %b: tensor<17x5xbf16>, %c: tensor<?x5xbf16>) -> tensor<?x5xbf16> {
  %p = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<?x17xf32>, tensor<17x5xbf16>) outs(%c : tensor<?x5xbf16>) {
  ^bb0(%x: f32, %y: bf16, %sum: bf16):
    %narrow = arith.truncf %x : f32 to bf16
    %product = arith.mulf %narrow, %y : bf16
    %next = arith.addf %product, %sum : bf16
    linalg.yield %next : bf16
  } -> tensor<?x5xbf16>
  return %p : tensor<?x5xbf16>
}
