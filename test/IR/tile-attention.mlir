// RUN: fusion-opt %s -transform-interpreter -canonicalize | FileCheck %s

// Query rows are tiled; keys stay whole, and causality counts from the tile.

// CHECK-LABEL: func @tile
// CHECK-SAME: %[[Q:.*]]: tensor<2x64x16xf32>, %[[K:.*]]: tensor<2x48x16xf32>
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK-DAG: tensor.extract_slice %[[Q]][0, %[[I]], 0] [2, 32, 16] [1, 1, 1]
// CHECK: fusion.attention {{.*}} causal({{.*}}) {{.*}} -> tensor<2x32x16xf32>
#q = affine_map<(b, q, d, k, v) -> (b, q, d)>
#k = affine_map<(b, q, d, k, v) -> (b, k, d)>
#v = affine_map<(b, q, d, k, v) -> (b, k, v)>
#o = affine_map<(b, q, d, k, v) -> (b, q, v)>
func.func @tile(%q: tensor<2x64x16xf32>, %k: tensor<2x48x16xf32>, %v: tensor<2x48x16xf32>) -> tensor<2x64x16xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<2x64x16xf32>
  %r = fusion.attention {indexing_maps = [#q, #k, #v, #o], scale = 0.25 : f64}
      ins(%q, %k, %v : tensor<2x64x16xf32>, tensor<2x48x16xf32>, tensor<2x48x16xf32>)
      causal(%c0) outs(%e : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  return %r : tensor<2x64x16xf32>
}

// A factor of query and key is cut along the queries.
// CHECK-LABEL: func @tile_factor
// CHECK-SAME: %{{.*}}: tensor<2x64x16xf32>, %{{.*}}: tensor<2x48x16xf32>, %[[F:.*]]: tensor<64x48xf32>
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[F]][%[[I]], 0] [32, 48] [1, 1]
// CHECK: fusion.attention {floor = -4.000000e+00 : f64, {{.*}} factor(%[[SLICE]] : tensor<32x48xf32>)
#f = affine_map<(b, q, d, k, v) -> (q, k)>
func.func @tile_factor(%q: tensor<2x64x16xf32>, %k: tensor<2x48x16xf32>, %f: tensor<64x48xf32>) -> tensor<2x64x16xf32> {
  %e = tensor.empty() : tensor<2x64x16xf32>
  %r = fusion.attention {indexing_maps = [#q, #k, #v, #f, #o], scale = 0.25 : f64, floor = -4.0 : f64}
      ins(%q, %k, %k : tensor<2x64x16xf32>, tensor<2x48x16xf32>, tensor<2x48x16xf32>)
      factor(%f : tensor<64x48xf32>) outs(%e : tensor<2x64x16xf32>) -> tensor<2x64x16xf32>
  return %r : tensor<2x64x16xf32>
}

// Reference and total of rows are tiled as they are.
// CHECK-LABEL: func @tile_rows
// CHECK: scf.for
// CHECK: fusion.attention {{.*}} -> tensor<2x32x16xf32>, tensor<2x32xf32>, tensor<2x32xf32>
// CHECK-COUNT-3: tensor.insert_slice
#row = affine_map<(b, q, d, k, v) -> (b, q)>
func.func @tile_rows(%q: tensor<2x64x16xf32>, %k: tensor<2x48x16xf32>) -> (tensor<2x64x16xf32>, tensor<2x64xf32>, tensor<2x64xf32>) {
  %e = tensor.empty() : tensor<2x64x16xf32>
  %f = tensor.empty() : tensor<2x64xf32>
  %r:3 = fusion.attention {indexing_maps = [#q, #k, #v, #o, #row], scale = 0.25 : f64}
      ins(%q, %k, %k : tensor<2x64x16xf32>, tensor<2x48x16xf32>, tensor<2x48x16xf32>)
      outs(%e, %f, %f : tensor<2x64x16xf32>, tensor<2x64xf32>, tensor<2x64xf32>)
      -> tensor<2x64x16xf32>, tensor<2x64xf32>, tensor<2x64xf32>
  return %r#0, %r#1, %r#2 : tensor<2x64x16xf32>, tensor<2x64xf32>, tensor<2x64xf32>
}

// Probabilities have a map of their own; their keys stay whole.
// CHECK-LABEL: func @tile_probabilities
// CHECK: scf.for
// CHECK: fusion.attention {{.*}} -> tensor<2x32x16xf32>, tensor<2x32xf32>, tensor<2x32xf32>, tensor<32x2x48xf32>
// CHECK-COUNT-4: tensor.insert_slice
#p = affine_map<(b, q, d, k, v) -> (q, b, k)>
func.func @tile_probabilities(%q: tensor<2x64x16xf32>, %k: tensor<2x48x16xf32>) -> tensor<64x2x48xf32> {
  %e = tensor.empty() : tensor<2x64x16xf32>
  %f = tensor.empty() : tensor<2x64xf32>
  %g = tensor.empty() : tensor<64x2x48xf32>
  %r:4 = fusion.attention {indexing_maps = [#q, #k, #v, #o, #row, #p], scale = 0.25 : f64}
      ins(%q, %k, %k : tensor<2x64x16xf32>, tensor<2x48x16xf32>, tensor<2x48x16xf32>)
      outs(%e, %f, %f, %g : tensor<2x64x16xf32>, tensor<2x64xf32>, tensor<2x64xf32>, tensor<64x2x48xf32>)
      -> tensor<2x64x16xf32>, tensor<2x64xf32>, tensor<2x64xf32>, tensor<64x2x48xf32>
  return %r#3 : tensor<64x2x48xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 32, 0, 0, 0]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
