// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-NOT: fusion.attention

#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>
func.func @start_zero(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
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
  %const1 = arith.constant 0.0 : f32
  %start1 = linalg.fill ins(%const1 : f32) outs(%init1 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  // expected-remark @+1 {{fusion: attention not raised: 'linalg.generic': the running maximum starts from a value that may exceed the scores}}
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
  return %result : tensor<2x3x5x6xf32>
}

// -----

#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>
func.func @sum_one(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
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
  %const2 = arith.constant 1.0 : f32
  %start2 = linalg.fill ins(%const2 : f32) outs(%init4 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  // expected-remark @+1 {{fusion: attention not raised: 'linalg.generic': the sum of the exponentials does not start from 0}}
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

#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>
func.func @returns_exponentials(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>, tensor<2x3x5x7xf32>) {
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
  // expected-remark @+1 {{fusion: attention not raised: 'func.return': what lies between the scores and the probabilities, or probabilities after dropout, are used here as well}}
  return %result, %exponential : tensor<2x3x5x6xf32>, tensor<2x3x5x7xf32>
}

// -----

#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d3)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>
func.func @softmax_q(%query: tensor<2x3x7x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x7x6xf32>) {
  %init = tensor.empty() : tensor<2x3x7x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x7x7xf32>) -> tensor<2x3x7x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x7x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x7x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x7x7xf32>
  %init1 = tensor.empty() : tensor<2x3x7xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const1 : f32) outs(%init1 : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%score : tensor<2x3x7x7xf32>) outs(%start1 : tensor<2x3x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x7xf32>
  %init2 = tensor.empty() : tensor<2x3x7x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %max : tensor<2x3x7x7xf32>, tensor<2x3x7xf32>) outs(%init2 : tensor<2x3x7x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x7x7xf32>
  %init3 = tensor.empty() : tensor<2x3x7x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x7x7xf32>) outs(%init3 : tensor<2x3x7x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x7x7xf32>
  %init4 = tensor.empty() : tensor<2x3x7xf32>
  %const2 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const2 : f32) outs(%init4 : tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  // expected-remark @+1 {{fusion: attention not raised: 'linalg.generic': the softmax does not run along the dimension that is contracted with the values}}
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%exponential : tensor<2x3x7x7xf32>) outs(%start2 : tensor<2x3x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x7xf32>
  %init5 = tensor.empty() : tensor<2x3x7x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x7x7xf32>, tensor<2x3x7xf32>) outs(%init5 : tensor<2x3x7x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x7x7xf32>
  %init6 = tensor.empty() : tensor<2x3x7x6xf32>
  %const3 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const3 : f32) outs(%init6 : tensor<2x3x7x6xf32>) -> tensor<2x3x7x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%probability, %value : tensor<2x3x7x7xf32>, tensor<2x3x7x6xf32>) outs(%start3 : tensor<2x3x7x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x7x6xf32>
  return %result : tensor<2x3x7x6xf32>
}

// -----

#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d0,d2,d3)>
#map5 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>
func.func @softmax_head(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init1 = tensor.empty() : tensor<2x5x7xf32>
  %const1 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const1 : f32) outs(%init1 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%score : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %max : tensor<2x3x5x7xf32>, tensor<2x5x7xf32>) outs(%init2 : tensor<2x3x5x7xf32>) {
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
  %init4 = tensor.empty() : tensor<2x5x7xf32>
  %const2 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const2 : f32) outs(%init4 : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  // expected-remark @+1 {{fusion: attention not raised: 'linalg.generic': what divides the exponentials is not their sum over the keys}}
  %sum = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x5x7xf32>) outs(%init5 : tensor<2x3x5x7xf32>) {
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

#map0 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d4)>
#map1 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d3,d4)>
#map2 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d2,d3)>
#map3 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2,d3)>
#map4 = affine_map<(d0,d1,d2,d3) -> (d2,d3)>
#map5 = affine_map<(d0,d1,d2,d3) -> (d0,d1,d2)>
#map6 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>
func.func @mask_in_softcap(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>, %mask: tensor<5x7xf32>) -> (tensor<2x3x5x6xf32>) {
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
  %tensor = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score, %mask : tensor<2x3x5x7xf32>, tensor<5x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
  // expected-remark @+1 {{fusion: attention not raised: 'arith.addf': the mask is added inside of the soft cap}}
      %r = arith.addf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant 3.0 : f32
  %init2 = tensor.empty() : tensor<2x3x5x7xf32>
  %scaled = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%tensor : tensor<2x3x5x7xf32>) outs(%init2 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.divf %a0, %const1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init3 = tensor.empty() : tensor<2x3x5x7xf32>
  %capped = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled : tensor<2x3x5x7xf32>) outs(%init3 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.tanh %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const2 = arith.constant 3.0 : f32
  %init4 = tensor.empty() : tensor<2x3x5x7xf32>
  %scaled1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%capped : tensor<2x3x5x7xf32>) outs(%init4 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.mulf %a0, %const2 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init5 = tensor.empty() : tensor<2x3x5xf32>
  %const3 = arith.constant 0xFF800000 : f32
  %start1 = linalg.fill ins(%const3 : f32) outs(%init5 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %max = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%scaled1 : tensor<2x3x5x7xf32>) outs(%start1 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.maximumf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init6 = tensor.empty() : tensor<2x3x5x7xf32>
  %distance = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scaled1, %max : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init6 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init7 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%distance : tensor<2x3x5x7xf32>) outs(%init7 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init8 = tensor.empty() : tensor<2x3x5xf32>
  %const4 = arith.constant 0.0 : f32
  %start2 = linalg.fill ins(%const4 : f32) outs(%init8 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %sum = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%exponential : tensor<2x3x5x7xf32>) outs(%start2 : tensor<2x3x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5xf32>
  %init9 = tensor.empty() : tensor<2x3x5x7xf32>
  %probability = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%exponential, %sum : tensor<2x3x5x7xf32>, tensor<2x3x5xf32>) outs(%init9 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.divf %a0, %a1 : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init10 = tensor.empty() : tensor<2x3x5x6xf32>
  %const5 = arith.constant 0.0 : f32
  %start3 = linalg.fill ins(%const5 : f32) outs(%init10 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
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
#map4 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>
func.func @linear_attention(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
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
  %init2 = tensor.empty() : tensor<2x3x5x6xf32>
  %const2 = arith.constant 0.0 : f32
  %start1 = linalg.fill ins(%const2 : f32) outs(%init2 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%scaled, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start1 : tensor<2x3x5x6xf32>) {
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
#map4 = affine_map<(d0,d1,d2,d3,d4) -> (d0,d1,d4,d3)>
func.func @sigmoid_attention(%query: tensor<2x3x5x4xf32>, %key: tensor<2x3x7x4xf32>, %value: tensor<2x3x7x6xf32>) -> (tensor<2x3x5x6xf32>) {
  %init = tensor.empty() : tensor<2x3x5x7xf32>
  %const = arith.constant 0.0 : f32
  %start = linalg.fill ins(%const : f32) outs(%init : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %score = linalg.generic {indexing_maps = [#map0, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%query, %key : tensor<2x3x5x4xf32>, tensor<2x3x7x4xf32>) outs(%start : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %const1 = arith.constant 1.0 : f32
  %init1 = tensor.empty() : tensor<2x3x5x7xf32>
  %exponential = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%score : tensor<2x3x5x7xf32>) outs(%init1 : tensor<2x3x5x7xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %n = arith.negf %a0 : f32
      %e = math.exp %n : f32
      %d = arith.addf %e, %const1 : f32
      %r = arith.divf %const1, %d : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x7xf32>
  %init2 = tensor.empty() : tensor<2x3x5x6xf32>
  %const2 = arith.constant 0.0 : f32
  %start1 = linalg.fill ins(%const2 : f32) outs(%init2 : tensor<2x3x5x6xf32>) -> tensor<2x3x5x6xf32>
  %result = linalg.generic {indexing_maps = [#map0, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%exponential, %value : tensor<2x3x5x7xf32>, tensor<2x3x7x6xf32>) outs(%start1 : tensor<2x3x5x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %p = arith.mulf %a0, %a1 : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    } -> tensor<2x3x5x6xf32>
  return %result : tensor<2x3x5x6xf32>
}
