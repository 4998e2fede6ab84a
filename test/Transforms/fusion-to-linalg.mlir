// RUN: fusion-opt %s --fusion-to-linalg --canonicalize --cse --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @group
// CHECK-SAME:      %[[A:.*]]: tensor<8xf32>, %[[E:.*]]: tensor<8xf32>
// CHECK-NEXT:    %[[Y:.*]] = linalg.exp ins(%[[A]] : tensor<8xf32>) outs(%[[E]] : tensor<8xf32>)
// CHECK-NEXT:    return %[[Y]]
func.func @group(%a: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %r = fusion.group elementwise ins(%x = %a : tensor<8xf32>) outs(%o = %e : tensor<8xf32>) {
    %y = linalg.exp ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %y : tensor<8xf32>
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// The cap, then the mask, then the band; zeros for a row without a key; heads
// that share keys; the result rounded once.
// CHECK-LABEL: func @attention
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : tensor<4x7x16xbf16>, tensor<2x11x16xbf16>)
// CHECK:           arith.extf
// CHECK:           arith.mulf
// CHECK:         linalg.generic
// CHECK:           arith.mulf %{{.*}}, %[[SCALE:.*]] : f32
// CHECK-NEXT:      arith.divf
// CHECK-NEXT:      math.tanh
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      arith.extf
// CHECK-NEXT:      arith.addf
// CHECK:           arith.cmpi sgt
// CHECK-NEXT:      arith.select
// CHECK:           arith.cmpi sle
// CHECK-NEXT:      arith.select
// CHECK:           arith.maximumf
// CHECK:           math.exp
// CHECK:           arith.addf
// CHECK:         linalg.generic {{.*}}ins(%{{.*}}, %{{.*}} : tensor<4x7x11xf32>, tensor<2x11x24xbf16>)
// CHECK:           arith.divf
// CHECK:           arith.cmpf oeq
// CHECK-NEXT:      arith.select
// CHECK-NEXT:      arith.truncf
// The reference: the largest score, 0 in a row without a key.
// CHECK:           arith.cmpf oeq
// CHECK-NEXT:      arith.select
// CHECK-NEXT:      linalg.yield
func.func @attention(%q: tensor<4x7x16xbf16>, %k: tensor<2x11x16xbf16>, %v: tensor<2x11x24xbf16>, %m: tensor<7x11xbf16>, %offset: index, %o: tensor<4x7x24xbf16>, %l: tensor<4x7xf32>) -> (tensor<4x7x24xbf16>, tensor<4x7xf32>, tensor<4x7xf32>) {
  %r:3 = fusion.attention {indexing_maps = [
      affine_map<(h, q, d, k, v) -> (h, q, d)>, affine_map<(h, q, d, k, v) -> (h floordiv 2, k, d)>,
      affine_map<(h, q, d, k, v) -> (h floordiv 2, k, v)>, affine_map<(h, q, d, k, v) -> (q, k)>,
      affine_map<(h, q, d, k, v) -> (h, q, v)>, affine_map<(h, q, d, k, v) -> (h, q)>],
      scale = 0.25, softcap = 20.0, window = 3, masked_rows = #fusion.masked_rows<zero>}
    ins(%q, %k, %v : tensor<4x7x16xbf16>, tensor<2x11x16xbf16>, tensor<2x11x24xbf16>) mask(%m : tensor<7x11xbf16>) causal(%offset)
    outs(%o, %l, %l : tensor<4x7x24xbf16>, tensor<4x7xf32>, tensor<4x7xf32>) -> tensor<4x7x24xbf16>, tensor<4x7xf32>, tensor<4x7xf32>
  return %r#0, %r#1, %r#2 : tensor<4x7x24xbf16>, tensor<4x7xf32>, tensor<4x7xf32>
}

// -----

// The scale, the factor, the mask or the score where that is NaN, the floor.
// CHECK-LABEL: func @attention_factor
// CHECK:         linalg.generic {{.*}}ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<7x9xf32>, tensor<7xf16>, tensor<9xf32>)
// CHECK-NEXT:    ^bb0(%{{.*}}: f32, %[[F:.*]]: f16, %[[M:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[SCALED:.*]] = arith.mulf
// CHECK-NEXT:      %[[FACTOR:.*]] = arith.extf %[[F]]
// CHECK-NEXT:      %[[S:.*]] = arith.mulf %[[SCALED]], %[[FACTOR]]
// CHECK-NEXT:      %[[SUM:.*]] = arith.addf %[[S]], %[[M]]
// CHECK-NEXT:      %[[NAN:.*]] = arith.cmpf uno, %[[M]], %[[M]]
// CHECK-NEXT:      %[[MASKED:.*]] = arith.select %[[NAN]], %{{.*}}, %[[SUM]]
// CHECK-NEXT:      arith.maxnumf %[[MASKED]]
func.func @attention_factor(%q: tensor<7x8xf32>, %k: tensor<9x8xf32>, %f: tensor<7xf16>, %m: tensor<9xf32>, %o: tensor<7x8xf32>) -> tensor<7x8xf32> {
  %r = fusion.attention {indexing_maps = [
      affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>,
      affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q)>,
      affine_map<(q, d, k, v) -> (k)>, affine_map<(q, d, k, v) -> (q, v)>],
      scale = 0.25, masked_score = -2.0, floor = -4.0}
    ins(%q, %k, %k : tensor<7x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>) factor(%f : tensor<7xf16>) mask(%m : tensor<9xf32>)
    outs(%o : tensor<7x8xf32>) -> tensor<7x8xf32>
  return %r : tensor<7x8xf32>
}

// -----

// Probabilities are divided like the result, without the dropout, and lie where
// their map says.
// CHECK-LABEL: func @attention_probabilities
// CHECK-SAME:    %[[P:[a-z0-9]+]]: tensor<9x7xf32>)
// CHECK:           math.exp
// CHECK:         %[[RESULT:.*]] = linalg.generic {{.*}}ins(%{{.*}}, %{{.*}} : tensor<7x9xf32>, tensor<7xf32>, tensor<7xf32>) outs(%[[P]] : tensor<9x7xf32>)
// CHECK-NEXT:    ^bb0(%[[TERM:.*]]: f32, %[[TOTAL:.*]]: f32, %[[MAX:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[QUOTIENT:.*]] = arith.divf %[[TERM]], %[[TOTAL]]
// CHECK-NEXT:      %[[EMPTY:.*]] = arith.cmpf oeq, %[[MAX]], %{{.*}}
// CHECK-NEXT:      arith.select %[[EMPTY]], %{{.*}}, %[[QUOTIENT]]
// CHECK:         return %[[RESULT]]
func.func @attention_probabilities(%q: tensor<7x8xf32>, %k: tensor<9x8xf32>, %d: tensor<9xf32>, %o: tensor<7x8xf32>, %l: tensor<7xf32>, %p: tensor<9x7xf32>) -> tensor<9x7xf32> {
  %r:4 = fusion.attention {indexing_maps = [
      affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>,
      affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (k)>,
      affine_map<(q, d, k, v) -> (q, v)>, affine_map<(q, d, k, v) -> (q)>,
      affine_map<(q, d, k, v) -> (k, q)>], scale = 0.25, masked_rows = #fusion.masked_rows<zero>}
    ins(%q, %k, %k : tensor<7x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>) dropout(%d : tensor<9xf32>)
    outs(%o, %l, %l, %p : tensor<7x8xf32>, tensor<7xf32>, tensor<7xf32>, tensor<9x7xf32>)
    -> tensor<7x8xf32>, tensor<7xf32>, tensor<7xf32>, tensor<9x7xf32>
  return %r#3 : tensor<9x7xf32>
}
