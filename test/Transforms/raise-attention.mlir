// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention --canonicalize --split-input-file 2>/dev/null | FileCheck %s
// The remark says what was found.
// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention --split-input-file 2>&1 | FileCheck %s --check-prefix=REMARK

// Named operations, a transposed key.
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
// REMARK: fusion: attention raised: 'f32', scale 2.500000e-01{{$}}

// -----

#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @plain
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 5.000000e-01 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
// REMARK: fusion: attention raised: 'f32', scale 5.000000e-01
func.func @plain(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant 0.5 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %scaled = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score : tensor<2x3x5x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.mulf %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const2 : f32) outs(%init2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%scaled : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const3 : f32) outs(%init5 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init6 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init6 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init7 = tensor.empty() : tensor<2x3x5x6xf32>
  %const4 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const4 : f32) outs(%init7 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// The quotient as a product with the reciprocal.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2) -> (d0,d1,d2)>
#map6 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @recip
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 5.000000e-01 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
// REMARK: fusion: attention raised: 'f32', scale 5.000000e-01
func.func @recip(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant 0.5 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %scaled = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score : tensor<2x3x5x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.mulf %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const2 : f32) outs(%init2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%scaled : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const3 : f32) outs(%init5 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %const4 = arith.constant 1.0 : f32
  %init6 = tensor.empty() : tensor<2x3x5xf32>
  %tensor = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%sum : tensor<2x3x5xf32>) outs(%init6 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.divf %const4, %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init7 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %tensor : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init7 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.mulf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init8 = tensor.empty() : tensor<2x3x5x6xf32>
  %const5 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const5 : f32) outs(%init8 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// exp2 of scores that hold 1 / ln 2.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @exp2_folded
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 0.49999999332512091 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
// REMARK: fusion: attention raised: 'f32', scale 5.000000e-01
func.func @exp2_folded(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant 0.72134752 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %scaled = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score : tensor<2x3x5x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.mulf %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const2 : f32) outs(%init2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%scaled : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp2 %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const3 : f32) outs(%init5 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init6 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init6 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init7 = tensor.empty() : tensor<2x3x5x6xf32>
  %const4 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const4 : f32) outs(%init7 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// maxnumf from NaN.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @start_nan
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00
func.func @start_nan(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init1 = tensor.empty() : tensor<2x3x5xf32>
  %const1 = arith.constant 0x7FC00000 : f32
  %start1 = linalg.fill ins(%const1 : f32) outs(%init1 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%score : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maxnumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init2 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init2 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const2 : f32) outs(%init4 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init5 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init5 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init6 = tensor.empty() : tensor<2x3x5x6xf32>
  %const3 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const3 : f32) outs(%init6 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// No maximum is subtracted.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @nomax
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00
func.func @nomax(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score : tensor<2x3x5x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5xf32>
  %const1 = arith.constant 0.0 : f32
  %start1 = linalg.fill ins(%const1 : f32) outs(%init2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5x6xf32>
  %const2 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const2 : f32) outs(%init4 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start2 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// Operands of the products in the other order.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @swapped_operands
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00
func.func @swapped_operands(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %tensor = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%key, %query : tensor<2x3x7x4xf32>, tensor<2x3x5x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init1 = tensor.empty() : tensor<2x3x5xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const1 : f32) outs(%init1 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%tensor : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init2 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%tensor, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init2 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const2 : f32) outs(%init4 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init5 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init5 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init6 = tensor.empty() : tensor<2x3x5x6xf32>
  %const3 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const3 : f32) outs(%init6 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %tensor1 = linalg.generic {indexing_maps = [#map5, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%value, %probability : tensor<2x3x7x6xf32>, tensor<2x3x5x7xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %tensor1 : tensor<2x3x5x6xf32>
}

// -----

// A result in another layout.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>
#map6 = affine_map<(d0,d1,d2,d3,d4) -> (d3,d0,d2,d1)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d5, d0, d2, d1)>
// CHECK-LABEL: func @output_transposed
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00
func.func @output_transposed(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<6x2x5x3xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init1 = tensor.empty() : tensor<2x3x5xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const1 : f32) outs(%init1 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%score : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init2 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init2 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const2 : f32) outs(%init4 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init5 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init5 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init6 = tensor.empty() : tensor<6x2x5x3xf32>
  %const3 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const3 : f32) outs(%init6 : tensor<6x2x5x3xf32>) -> tensor<6x2x5x3xf32>
  %tensor = linalg.generic {indexing_maps = [#map0, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<6x2x5x3xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<6x2x5x3xf32>
  return %tensor : tensor<6x2x5x3xf32>
}

// -----

// One key head for all query heads.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,0,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,0,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, 0, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, 0, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @gqa1
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x1x7x4xf32>, tensor<2x1x7x6xf32>)
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00
func.func @gqa1(%query: tensor<2x3x5x4xf32>, %key: tensor<2x1x7x4xf32>, %value: tensor<2x1x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x1x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init1 = tensor.empty() : tensor<2x3x5xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const1 : f32) outs(%init1 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%score : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init2 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init2 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const2 : f32) outs(%init4 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init5 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init5 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init6 = tensor.empty() : tensor<2x3x5x6xf32>
  %const3 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const3 : f32) outs(%init6 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x1x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// A query of one position.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @single_query
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x1x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00
func.func @single_query(%query: tensor<2x3x1x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x1x6xf32>) {
  %init = tensor.empty() : tensor<2x3x1x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x1x7xf32>) -> tensor<2x3x1x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x1x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x1x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1x7xf32>
  %init1 = tensor.empty() : tensor<2x3x1xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const1 : f32) outs(%init1 : tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%score : tensor<2x3x1x7xf32>) outs(%start1 : tensor<2x3x1xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1xf32>
  %init2 = tensor.empty() : tensor<2x3x1x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %max : tensor<2x3x1x7xf32>, tensor<2x3x1xf32>) outs(%init2 : tensor<2x3x1x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1x7xf32>
  %init3 = tensor.empty() : tensor<2x3x1x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x1x7xf32>) outs(%init3 : tensor<2x3x1x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1x7xf32>
  %init4 = tensor.empty() : tensor<2x3x1xf32>
  %const2 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const2 : f32) outs(%init4 : tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x1x7xf32>) outs(%start2 : tensor<2x3x1xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1xf32>
  %init5 = tensor.empty() : tensor<2x3x1x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x1x7xf32>, tensor<2x3x1xf32>) outs(%init5 : tensor<2x3x1x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1x7xf32>
  %init6 = tensor.empty() : tensor<2x3x1x6xf32>
  %const3 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const3 : f32) outs(%init6 : tensor<2x3x1x6xf32>) -> tensor<2x3x1x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x1x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x1x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1x6xf32>
  return %result : tensor<2x3x1x6xf32>
}

// -----

// f32 products of extended bf16 values.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @bf16_ext
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xbf16>, tensor<2x3x7x4xbf16>, tensor<2x3x7x6xbf16>)
// REMARK: fusion: attention raised: 'bf16', scale 1.000000e+00
func.func @bf16_ext(%query: tensor<2x3x5x4xbf16>, %key: tensor<2x3x7x4xbf16>, %value: tensor<2x3x7x6xbf16>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xbf16>, tensor<2x3x7x4xbf16>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: bf16, %a1: bf16, %o: f32):
      %x = arith.extf %a0 : bf16 to f32
      %y = arith.extf %a1 : bf16 to f32
      %p = arith.mulf %x, %y : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init1 = tensor.empty() : tensor<2x3x5xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const1 : f32) outs(%init1 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%score : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init2 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init2 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const2 : f32) outs(%init4 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init5 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init5 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init6 = tensor.empty() : tensor<2x3x5x6xf32>
  %const3 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const3 : f32) outs(%init6 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xbf16>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: bf16, %o: f32):
      %y = arith.extf %a1 : bf16 to f32
      %p = arith.mulf %a0, %y : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @f64
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf64>, tensor<2x3x7x4xf64>, tensor<2x3x7x6xf64>)
// REMARK: fusion: attention raised: 'f64', scale 1.000000e+00
func.func @f64(%query: tensor<2x3x5x4xf64>, %key: tensor<2x3x7x4xf64>, %value: tensor<2x3x7x6xf64>) -> (tensor<2x3x5x6xf64>) {
  %init = tensor.empty() : tensor<2x3x5x7xf64>
  %const = arith.constant 0.0 : f64
  %start = linalg.fill ins(%const : f64) outs(%init : tensor<2x3x5x7xf64>) -> tensor<2x3x5x7xf64>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf64>, tensor<2x3x7x4xf64>) outs(%start : tensor<2x3x5x7xf64>) {
    ^bb0(%a0: f64, %a1: f64, %o: f64):
      %p = arith.mulf %a0, %a1 : f64
      %r = arith.addf %o, %p : f64
      linalg.yield %r : f64
    } -> tensor<2x3x5x7xf64>
  %init1 = tensor.empty() : tensor<2x3x5xf64>
  %const1 = arith.constant 0xFFF0000000000000 : f64
  %start1 = linalg.fill ins(%const1 : f64) outs(%init1 : tensor<2x3x5xf64>) -> tensor<2x3x5xf64>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%score : tensor<2x3x5x7xf64>) outs(%start1 : tensor<2x3x5xf64>) {
    ^bb0(%a0: f64, %o: f64):
      %r = arith.maximumf %a0, %o : f64
      linalg.yield %r : f64
    } -> tensor<2x3x5xf64>
  %init2 = tensor.empty() : tensor<2x3x5x7xf64>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %max : tensor<2x3x5x7xf64>, tensor<2x3x5xf64>) outs(%init2 : tensor<2x3x5x7xf64>) {
    ^bb0(%a0: f64, %a1: f64, %o: f64):
      %r = arith.subf %a0, %a1 : f64
      linalg.yield %r : f64
    } -> tensor<2x3x5x7xf64>
  %init3 = tensor.empty() : tensor<2x3x5x7xf64>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf64>) outs(%init3 : tensor<2x3x5x7xf64>) {
    ^bb0(%a0: f64, %o: f64):
      %r = math.exp %a0 : f64
      linalg.yield %r : f64
    } -> tensor<2x3x5x7xf64>
  %init4 = tensor.empty() : tensor<2x3x5xf64>
  %const2 = arith.constant 0.0 : f64
  %start2 = linalg.fill ins(%const2 : f64) outs(%init4 : tensor<2x3x5xf64>) -> tensor<2x3x5xf64>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf64>) outs(%start2 : tensor<2x3x5xf64>) {
    ^bb0(%a0: f64, %o: f64):
      %r = arith.addf %a0, %o : f64
      linalg.yield %r : f64
    } -> tensor<2x3x5xf64>
  %init5 = tensor.empty() : tensor<2x3x5x7xf64>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf64>, tensor<2x3x5xf64>) outs(%init5 : tensor<2x3x5x7xf64>) {
    ^bb0(%a0: f64, %a1: f64, %o: f64):
      %r = arith.divf %a0, %a1 : f64
      linalg.yield %r : f64
    } -> tensor<2x3x5x7xf64>
  %init6 = tensor.empty() : tensor<2x3x5x6xf64>
  %const3 = arith.constant 0.0 : f64
  %start3 = linalg.fill ins(%const3 : f64) outs(%init6 : tensor<2x3x5x6xf64>) -> tensor<2x3x5x6xf64>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf64>, tensor<2x3x7x6xf64>) outs(%start3 : tensor<2x3x5x6xf64>) {
    ^bb0(%a0: f64, %a1: f64, %o: f64):
      %p = arith.mulf %a0, %a1 : f64
      %r = arith.addf %o, %p : f64
      linalg.yield %r : f64
    } -> tensor<2x3x5x6xf64>
  return %result : tensor<2x3x5x6xf64>
}

// -----

// An added mask of a broadcast shape.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d1,0,d3)>
#map5 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map6 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_M:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, 0, d4)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @mask_head
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}}, %[[M:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_M]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) mask(%[[M]] : tensor<3x1x7xf32>)
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00, mask 'tensor<3x1x7xf32>'
func.func @mask_head(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>, %mask: tensor<3x1x7xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %tensor = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %mask : tensor<2x3x5x7xf32>, tensor<3x1x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.addf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const1 : f32) outs(%init2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%tensor : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%tensor, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const2 : f32) outs(%init5 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init6 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init6 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init7 = tensor.empty() : tensor<2x3x5x6xf32>
  %const3 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const3 : f32) outs(%init7 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// A condition keeps scores; it becomes the mask.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d2,d3)>
#map5 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map6 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_M:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d4)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @bool_inf
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}}, %[[M:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_M]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) mask(%[[M]] : tensor<5x7xi1>)
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00, mask 'tensor<5x7xi1>'
func.func @bool_inf(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>, %mask: tensor<5x7xi1>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %masked = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %mask : tensor<2x3x5x7xf32>, tensor<5x7xi1>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: i1, %o: f32):
      %r = arith.select %a1, %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const2 : f32) outs(%init2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%masked : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const3 : f32) outs(%init5 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init6 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init6 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init7 = tensor.empty() : tensor<2x3x5x6xf32>
  %const4 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const4 : f32) outs(%init7 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// A condition masks scores; its negation becomes the mask.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d2,d3)>
#map5 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map6 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_M:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d4)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @bool_inf_inv
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}}, %[[M:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_M]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) mask(%{{.*}} : tensor<5x7xi1>)
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00, mask 'tensor<5x7xi1>'
func.func @bool_inf_inv(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>, %mask: tensor<5x7xi1>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %masked = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %mask : tensor<2x3x5x7xf32>, tensor<5x7xi1>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: i1, %o: f32):
      %r = arith.select %a1, %const1, %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const2 : f32) outs(%init2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%masked : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const3 : f32) outs(%init5 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init6 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init6 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init7 = tensor.empty() : tensor<2x3x5x6xf32>
  %const4 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const4 : f32) outs(%init7 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// A finite minimum is no infinity: the mask is added, so that a row without a key stays uniform.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d2,d3)>
#map5 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map6 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_M:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d4)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @bool_finite
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}}, %[[M:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_M]], #[[MAP_O]]], masked_score = {{.*}}, scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) mask(%[[M]] : tensor<5x7xi1>)
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00, mask 'tensor<5x7xi1>' for -3
func.func @bool_finite(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>, %mask: tensor<5x7xi1>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant -3.40282347E+38 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %masked = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %mask : tensor<2x3x5x7xf32>, tensor<5x7xi1>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: i1, %o: f32):
      %r = arith.select %a1, %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const2 : f32) outs(%init2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%masked : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const3 : f32) outs(%init5 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init6 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init6 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init7 = tensor.empty() : tensor<2x3x5x6xf32>
  %const4 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const4 : f32) outs(%init7 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// Positions compared in the body.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @causal_body
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         %[[OFFSET:.*]] = arith.constant 0 : index
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) causal(%[[OFFSET]])
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00, causal
func.func @causal_body(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %masked = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score : tensor<2x3x5x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %q = linalg.index 2 : index
      %k = linalg.index 3 : index
      %c = arith.cmpi sle, %k, %q : index
      %r = arith.select %c, %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const2 : f32) outs(%init2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%masked : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const3 : f32) outs(%init5 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init6 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init6 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init7 = tensor.empty() : tensor<2x3x5x6xf32>
  %const4 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const4 : f32) outs(%init7 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// Every row keeps key 0: the finite value may become -inf.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @causal_finite
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         %[[OFFSET:.*]] = arith.constant 0 : index
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) causal(%[[OFFSET]])
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00, causal
func.func @causal_finite(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant -1.0e9 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %masked = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score : tensor<2x3x5x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %q = linalg.index 2 : index
      %k = linalg.index 3 : index
      %c = arith.cmpi sle, %k, %q : index
      %r = arith.select %c, %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const2 : f32) outs(%init2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%masked : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const3 : f32) outs(%init5 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init6 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init6 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init7 = tensor.empty() : tensor<2x3x5x6xf32>
  %const4 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const4 : f32) outs(%init7 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// The offset of the last query.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @causal_bottom_right
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         %[[OFFSET:.*]] = arith.constant 2 : index
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) causal(%[[OFFSET]])
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00, causal
func.func @causal_bottom_right(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
  %const = arith.constant 2 : index
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const1 = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const1 : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const2 = arith.constant -1.0e9 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %masked = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score : tensor<2x3x5x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %q = linalg.index 2 : index
      %k = linalg.index 3 : index
      %t = arith.addi %q, %const : index
      %c = arith.cmpi sle, %k, %t : index
      %r = arith.select %c, %a0, %const2 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const3 : f32) outs(%init2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%masked : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5xf32>
  %const4 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const4 : f32) outs(%init5 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init6 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init6 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init7 = tensor.empty() : tensor<2x3x5x6xf32>
  %const5 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const5 : f32) outs(%init7 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @window
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         %[[OFFSET:.*]] = arith.constant 0 : index
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 1.000000e+00 : f64, window = 3 : i64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) causal(%[[OFFSET]])
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00, causal, window 3
func.func @window(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
  %const = arith.constant 2 : index
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const1 = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const1 : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const2 = arith.constant 0xFF800000 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %masked = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score : tensor<2x3x5x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %q = linalg.index 2 : index
      %k = linalg.index 3 : index
      %c0 = arith.cmpi sle, %k, %q : index
      %dd = arith.subi %q, %k : index
      %c1 = arith.cmpi sle, %dd, %const : index
      %c = arith.andi %c0, %c1 : i1
      %r = arith.select %c, %a0, %const2 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const3 : f32) outs(%init2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%masked : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5xf32>
  %const4 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const4 : f32) outs(%init5 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init6 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init6 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init7 = tensor.empty() : tensor<2x3x5x6xf32>
  %const5 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const5 : f32) outs(%init7 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// The causal part leaves the mask.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d3)>
#map5 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map6 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_M:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @causal_and_padding
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}}, %[[M:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         %[[OFFSET:.*]] = arith.constant 0 : index
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_M]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) mask(%[[M]] : tensor<2x7xi1>) causal(%[[OFFSET]])
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00, causal, mask 'tensor<2x7xi1>'
func.func @causal_and_padding(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>, %mask: tensor<2x7xi1>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %masked = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score : tensor<2x3x5x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %q = linalg.index 2 : index
      %k = linalg.index 3 : index
      %c = arith.cmpi sle, %k, %q : index
      %r = arith.select %c, %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const2 = arith.constant 0xFF800000 : f32
  %init2 = tensor.empty() : tensor<2x3x5x7xf32>
  %masked1 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked, %mask : tensor<2x3x5x7xf32>, tensor<2x7xi1>) outs(%init2 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: i1, %o: f32):
      %r = arith.select %a1, %a0, %const2 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init3 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const3 : f32) outs(%init3 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%masked1 : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked1, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init5 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init6 = tensor.empty() : tensor<2x3x5xf32>
  %const4 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const4 : f32) outs(%init6 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init7 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init7 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init8 = tensor.empty() : tensor<2x3x5x6xf32>
  %const5 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const5 : f32) outs(%init8 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// A row may lose all keys to the padding, so the finite minimum stays.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d3)>
#map5 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map6 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_M:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d4)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @causal_and_padding_finite
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}}, %[[M:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_M]], #[[MAP_O]]], masked_score = {{.*}}, scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) mask(%{{.*}} : tensor<2x5x7xi1>)
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00, mask 'tensor<2x5x7xi1>' for -3
func.func @causal_and_padding_finite(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>, %mask: tensor<2x7xi1>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant -3.0e38 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %masked = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score : tensor<2x3x5x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %q = linalg.index 2 : index
      %k = linalg.index 3 : index
      %c = arith.cmpi sle, %k, %q : index
      %r = arith.select %c, %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const2 = arith.constant -3.0e38 : f32
  %init2 = tensor.empty() : tensor<2x3x5x7xf32>
  %masked1 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked, %mask : tensor<2x3x5x7xf32>, tensor<2x7xi1>) outs(%init2 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: i1, %o: f32):
      %r = arith.select %a1, %a0, %const2 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init3 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const3 : f32) outs(%init3 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%masked1 : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked1, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init5 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init6 = tensor.empty() : tensor<2x3x5xf32>
  %const4 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const4 : f32) outs(%init6 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init7 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init7 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init8 = tensor.empty() : tensor<2x3x5x6xf32>
  %const5 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const5 : f32) outs(%init8 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// A bias that no tensor holds is computed, without the causal part.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d1)>
#map5 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map6 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_M:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d4)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @alibi
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}}, %[[M:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         %[[OFFSET:.*]] = arith.constant 0 : index
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_M]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) mask(%{{.*}} : tensor<3x5x7xf32>) causal(%[[OFFSET]])
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00, causal, mask 'tensor<3x5x7xf32>'
func.func @alibi(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>, %mask: tensor<3xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %tensor = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %mask : tensor<2x3x5x7xf32>, tensor<3xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %q = linalg.index 2 : index
      %k = linalg.index 3 : index
      %d = arith.subi %k, %q : index
      %i = arith.index_cast %d : index to i64
      %f = arith.sitofp %i : i64 to f32
      %b = arith.mulf %f, %a1 : f32
      %r = arith.addf %a0, %b : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %init2 = tensor.empty() : tensor<2x3x5x7xf32>
  %masked = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%tensor : tensor<2x3x5x7xf32>) outs(%init2 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %q = linalg.index 2 : index
      %k = linalg.index 3 : index
      %c = arith.cmpi sle, %k, %q : index
      %r = arith.select %c, %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init3 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const2 : f32) outs(%init3 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%masked : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init5 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init6 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const3 : f32) outs(%init6 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init7 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init7 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init8 = tensor.empty() : tensor<2x3x5x6xf32>
  %const4 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const4 : f32) outs(%init8 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d2,d3)>
#map5 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map6 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_M:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d4)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @softcap_mask
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}}, %[[M:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_M]], #[[MAP_O]]], scale = 5.000000e-01 : f64, softcap = 3.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) mask(%[[M]] : tensor<5x7xf32>)
// REMARK: fusion: attention raised: 'f32', scale 5.000000e-01, soft cap 3.000000e+00, mask 'tensor<5x7xf32>'
func.func @softcap_mask(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>, %mask: tensor<5x7xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant 0.5 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %scaled = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score : tensor<2x3x5x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.mulf %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const2 = arith.constant 3.0 : f32
  %init2 = tensor.empty() : tensor<2x3x5x7xf32>
  %scaled1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled : tensor<2x3x5x7xf32>) outs(%init2 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.divf %a0, %const2 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %capped = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled1 : tensor<2x3x5x7xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.tanh %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const3 = arith.constant 3.0 : f32
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %scaled2 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%capped : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.mulf %a0, %const3 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5x7xf32>
  %tensor = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled2, %mask : tensor<2x3x5x7xf32>, tensor<5x7xf32>) outs(%init5 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.addf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init6 = tensor.empty() : tensor<2x3x5xf32>
  %const4 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const4 : f32) outs(%init6 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%tensor : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init7 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%tensor, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init7 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init8 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init8 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init9 = tensor.empty() : tensor<2x3x5xf32>
  %const5 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const5 : f32) outs(%init9 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init10 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init10 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init11 = tensor.empty() : tensor<2x3x5x6xf32>
  %const6 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const6 : f32) outs(%init11 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// Rows without a key give zeros.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d2,d3)>
#map5 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map6 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_M:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d2, d4)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @guarded
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}}, %[[M:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_M]], #[[MAP_O]]], masked_rows = #fusion.masked_rows<zero>, scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) mask(%[[M]] : tensor<5x7xi1>)
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00, mask 'tensor<5x7xi1>'
func.func @guarded(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>, %mask: tensor<5x7xi1>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %masked = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %mask : tensor<2x3x5x7xf32>, tensor<5x7xi1>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: i1, %o: f32):
      %r = arith.select %a1, %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const2 : f32) outs(%init2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%masked : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const3 : f32) outs(%init5 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init6 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init6 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const4 = arith.constant 0xFF800000 : f32
  %init7 = tensor.empty() : tensor<2x3x5x7xi1>
  %tensor = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%masked : tensor<2x3x5x7xf32>) outs(%init7 : tensor<2x3x5x7xi1>) {
    ^bb0(%a0: f32, %o: i1):
      %r = arith.cmpf oeq, %a0, %const4 : f32
      linalg.yield %r : i1
    } -> tensor<2x3x5x7xi1>
  %init8 = tensor.empty() : tensor<2x3x5xi1>
  %const5 = arith.constant true
  %start3 = linalg.fill ins(%const5 : i1) outs(%init8 : tensor<2x3x5xi1>) -> tensor<2x3x5xi1>
  %tensor1 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%tensor : tensor<2x3x5x7xi1>) outs(%start3 : tensor<2x3x5xi1>) {
    ^bb0(%a0: i1, %o: i1):
      %r = arith.andi %a0, %o : i1
      linalg.yield %r : i1
    } -> tensor<2x3x5xi1>
  %const6 = arith.constant 0.0 : f32
  %init9 = tensor.empty() : tensor<2x3x5x7xf32>
  %tensor2 = linalg.generic {indexing_maps = [#map5, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%tensor1, %probability : tensor<2x3x5xi1>, tensor<2x3x5x7xf32>) outs(%init9 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: i1, %a1: f32, %o: f32):
      %r = arith.select %a0, %const6, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init10 = tensor.empty() : tensor<2x3x5x6xf32>
  %const7 = arith.constant 0.0 : f32
  %start4 = linalg.fill ins(%const7 : f32) outs(%init10 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%tensor2, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start4 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}

// -----

// A position that is known at run time only.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> ()>
#map5 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map6 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @decode_position
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}}, %[[M:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         %[[OFFSET:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x1x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>) causal(%[[OFFSET]])
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00, causal
func.func @decode_position(%query: tensor<2x3x1x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>, %mask: tensor<i64>) -> (tensor<2x3x1x6xf32>) {
  %init = tensor.empty() : tensor<2x3x1x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x1x7xf32>) -> tensor<2x3x1x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x1x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x1x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1x7xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %init1 = tensor.empty() : tensor<2x3x1x7xf32>
  %tensor = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %mask : tensor<2x3x1x7xf32>, tensor<i64>) outs(%init1 : tensor<2x3x1x7xf32>) {
    ^bb0(%a0: f32, %a1: i64, %o: f32):
      %k = linalg.index 3 : index
      %i = arith.index_cast %k : index to i64
      %c = arith.cmpi sle, %i, %a1 : i64
      %r = arith.select %c, %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1x7xf32>
  %init2 = tensor.empty() : tensor<2x3x1xf32>
  %const2 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const2 : f32) outs(%init2 : tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%tensor : tensor<2x3x1x7xf32>) outs(%start1 : tensor<2x3x1xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1xf32>
  %init3 = tensor.empty() : tensor<2x3x1x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%tensor, %max : tensor<2x3x1x7xf32>, tensor<2x3x1xf32>) outs(%init3 : tensor<2x3x1x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1x7xf32>
  %init4 = tensor.empty() : tensor<2x3x1x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x1x7xf32>) outs(%init4 : tensor<2x3x1x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1x7xf32>
  %init5 = tensor.empty() : tensor<2x3x1xf32>
  %const3 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const3 : f32) outs(%init5 : tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x1x7xf32>) outs(%start2 : tensor<2x3x1xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1xf32>
  %init6 = tensor.empty() : tensor<2x3x1x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x1x7xf32>, tensor<2x3x1xf32>) outs(%init6 : tensor<2x3x1x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1x7xf32>
  %init7 = tensor.empty() : tensor<2x3x1x6xf32>
  %const4 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const4 : f32) outs(%init7 : tensor<2x3x1x6xf32>) -> tensor<2x3x1x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x1x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x1x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x1x6xf32>
  return %result : tensor<2x3x1x6xf32>
}

// -----

// What is added to all scores cancels.
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>

// CHECK-DAG: #[[MAP_Q:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[MAP_K:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3)>
// CHECK-DAG: #[[MAP_V:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d5)>
// CHECK-DAG: #[[MAP_O:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d5)>
// CHECK-LABEL: func @shift_constant
// CHECK-SAME:      (%[[Q:[a-z0-9]*]]: {{[^,]*}}, %[[K:[a-z0-9]*]]: {{[^,]*}}, %[[V:[a-z0-9]*]]: {{[^,]*}})
// CHECK:         fusion.attention {indexing_maps = [#[[MAP_Q]], #[[MAP_K]], #[[MAP_V]], #[[MAP_O]]], scale = 1.000000e+00 : f64}
// CHECK-SAME:      ins(%[[Q]], %[[K]], %[[V]] : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>, tensor<2x3x7x6xf32>)
// REMARK: fusion: attention raised: 'f32', scale 1.000000e+00
func.func @shift_constant(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant 3.0 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %scaled = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score : tensor<2x3x5x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5xf32>
  %const2 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const2 : f32) outs(%init2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%scaled : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const3 : f32) outs(%init5 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init6 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init6 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init7 = tensor.empty() : tensor<2x3x5x6xf32>
  %const4 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const4 : f32) outs(%init7 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}
