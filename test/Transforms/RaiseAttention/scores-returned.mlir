// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Scores that are returned stay what they are; attention multiplies queries and
// keys again rather than read them.

// CHECK: %[[S:.+]] = linalg.generic
// CHECK: %[[A:.+]] = fusion.attention
// CHECK: return %[[A]], %[[S]]
// AGREES-NOT: differs
// AGREES-COUNT-2: agrees
#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>
func.func @main(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5x7xf32>) {
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
  %init6 = tensor.empty() : tensor<2x3x5x6xf32>
  %const3 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const3 : f32) outs(%init6 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result, %score : tensor<2x3x5x6xf32>, tensor<2x3x5x7xf32>
}
