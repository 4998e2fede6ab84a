// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention --canonicalize --split-input-file 2>/dev/null | FileCheck %s

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-DAG: #[[Q:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
// CHECK-DAG: #[[K:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d2)>
// CHECK-DAG: #[[V:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
// CHECK-DAG: #[[O:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>
// CHECK-LABEL: func @scale_after
// CHECK-SAME:      %[[Q_:[a-z0-9]*]]: tensor<6x7x16xf32>, %[[K_:[a-z0-9]*]]: tensor<6x11x16xf32>, %[[V_:[a-z0-9]*]]: tensor<6x11x24xf32>
// CHECK-NEXT:    %[[E:.*]] = tensor.empty() : tensor<6x7x24xf32>
// CHECK-NEXT:    %[[R:.*]] = fusion.attention {indexing_maps = [#[[Q]], #[[K]], #[[V]], #[[O]]], scale = 2.500000e-01 : f64}
// CHECK-SAME:      ins(%[[Q_]], %[[K_]], %[[V_]] : tensor<6x7x16xf32>, tensor<6x11x16xf32>, tensor<6x11x24xf32>)
// CHECK-SAME:      outs(%[[E]] : tensor<6x7x24xf32>)
// CHECK-NEXT:    return %[[R]]
func.func @scale_after(%q: tensor<6x7x16xf32>, %k: tensor<6x11x16xf32>, %v: tensor<6x11x24xf32>) -> tensor<6x7x24xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %kte = tensor.empty() : tensor<6x16x11xf32>
  %kt = linalg.transpose ins(%k : tensor<6x11x16xf32>) outs(%kte : tensor<6x16x11xf32>) permutation = [0, 2, 1]
  %se = tensor.empty() : tensor<6x7x11xf32>
  %sf = linalg.fill ins(%zero : f32) outs(%se : tensor<6x7x11xf32>) -> tensor<6x7x11xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<6x7x16xf32>, tensor<6x16x11xf32>) outs(%sf : tensor<6x7x11xf32>) -> tensor<6x7x11xf32>
  %x = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<6x7x11xf32>) outs(%se : tensor<6x7x11xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.mulf %in, %scale : f32
    linalg.yield %m : f32
  } -> tensor<6x7x11xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<6x7x11xf32>) outs(%se : tensor<6x7x11xf32>) -> tensor<6x7x11xf32>
  %oe = tensor.empty() : tensor<6x7x24xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<6x7x24xf32>) -> tensor<6x7x24xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<6x7x11xf32>, tensor<6x11x24xf32>) outs(%of : tensor<6x7x24xf32>) -> tensor<6x7x24xf32>
  return %o : tensor<6x7x24xf32>
}
