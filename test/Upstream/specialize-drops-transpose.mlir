// Specialisation turns Q K^T into a plain matmul: the second operand's map is
// (n, k), which the result ignores. Raising here looks at indexing maps and never
// uses these passes.
//
// RUN: mlir-opt %s --linalg-specialize-generic-ops | FileCheck %s
// RUN: mlir-opt %s --linalg-morph-ops=generic-to-named | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @scores
// CHECK-NOT:     transpose
// CHECK:         linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<64x64xf32>, tensor<64x64xf32>)
// CHECK-NOT:     transpose
func.func @scores(%q: tensor<64x64xf32>, %k: tensor<64x64xf32>, %init: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %s = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %acc, %p : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}
