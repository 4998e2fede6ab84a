// RUN: fusion-opt %s -split-input-file -fusion-form-groups=level=none 2>/dev/null | FileCheck %s --check-prefix=NONE
// RUN: fusion-opt %s -split-input-file -fusion-form-groups=level=elementwise 2>/dev/null | FileCheck %s --check-prefix=ELEM
// RUN: fusion-opt %s -split-input-file -fusion-form-groups=level=pattern 2>/dev/null | FileCheck %s --check-prefix=PATTERN
// RUN: fusion-opt %s -split-input-file -fusion-form-groups=level=elementwise 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// A chain of element-wise operations is one group; a fill and a reshape cost
// nothing.

#id = affine_map<(d0, d1) -> (d0, d1)>

// NONE-LABEL: func @chain
// NONE-COUNT-2: fusion.group elementwise
// ELEM-LABEL: func @chain
// ELEM: fusion.group elementwise
// ELEM: linalg.exp
// ELEM: linalg.generic
// ELEM-NOT: fusion.group
// ELEM: return
func.func @chain(%x: tensor<4x6xf32>) -> tensor<24xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %y = linalg.exp ins(%x : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<4x6xf32>
  %r = tensor.collapse_shape %z [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  return %r : tensor<24xf32>
}

// -----

// A softmax is one kernel: its reductions run over the same rows.

// PATTERN-LABEL: func @softmax
// PATTERN: fusion.group softmax
// PATTERN-NOT: fusion.group
// PATTERN: return
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @softmax(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %er = tensor.empty() : tensor<4xf32>
  %m0 = linalg.fill ins(%low : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%m0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.maximumf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<4x6xf32>, tensor<4xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %v = math.exp %d : f32
    linalg.yield %v : f32
  } -> tensor<4x6xf32>
  %s0 = linalg.fill ins(%zero : f32) outs(%er : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%p : tensor<4x6xf32>) outs(%s0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<4x6xf32>, tensor<4xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %v = arith.divf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<4x6xf32>
  return %q : tensor<4x6xf32>
}

// -----

// A feeds B and C, B feeds C: A and C must not meet around B (a cycle of
// groups).

// REMARK: remark: fusion: not merged with a producer: a third group lies between them
// ELEM-LABEL: func @no_cycle
// ELEM: %[[A:.*]] = fusion.group elementwise
// ELEM: %[[B:.*]] = fusion.group reduction ins(%{{.*}} = %[[A]]
// ELEM: fusion.group elementwise ins(%{{.*}} = %[[A]] {{.*}} = %[[B]]
#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>
func.func @no_cycle(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %ec = tensor.empty() : tensor<6xf32>
  %a = linalg.exp ins(%x : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%ec : tensor<6xf32>) -> tensor<6xf32>
  %b = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]}
      ins(%a : tensor<4x6xf32>) outs(%f : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.addf %in, %out : f32
    linalg.yield %v : f32
  } -> tensor<6xf32>
  %c = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<4x6xf32>, tensor<6xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%l: f32, %m: f32, %out: f32):
    %v = arith.addf %l, %m : f32
    linalg.yield %v : f32
  } -> tensor<4x6xf32>
  return %c : tensor<4x6xf32>
}

// -----

// What stands before a product is not computed again for every tile; what
// stands behind it is its epilogue.

// PATTERN-LABEL: func @epilogue
// PATTERN: %[[A:.*]] = fusion.group elementwise
// PATTERN: fusion.group contraction {{.*}} = %[[A]]
// PATTERN: linalg.add
// PATTERN-NOT: fusion.group
// PATTERN: return
func.func @epilogue(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %a = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.matmul ins(%a, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.add ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// -----

// Three products of one operand, of unequal width: one launch.

// NONE-LABEL: func @qkv
// NONE-COUNT-3: fusion.group contraction
// PATTERN-LABEL: func @qkv
// PATTERN: fusion.group qkv
// PATTERN-NOT: fusion.group
// PATTERN: return
func.func @qkv(%x: tensor<5x8xf32>, %q: tensor<8x16xf32>, %k: tensor<8x4xf32>, %v: tensor<8x4xf32>)
    -> (tensor<5x16xf32>, tensor<5x4xf32>, tensor<5x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e16 = tensor.empty() : tensor<5x16xf32>
  %e4 = tensor.empty() : tensor<5x4xf32>
  %f16 = linalg.fill ins(%zero : f32) outs(%e16 : tensor<5x16xf32>) -> tensor<5x16xf32>
  %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %a = linalg.matmul ins(%x, %q : tensor<5x8xf32>, tensor<8x16xf32>) outs(%f16 : tensor<5x16xf32>) -> tensor<5x16xf32>
  %b = linalg.matmul ins(%x, %k : tensor<5x8xf32>, tensor<8x4xf32>) outs(%f4 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %c = linalg.matmul ins(%x, %v : tensor<5x8xf32>, tensor<8x4xf32>) outs(%f4 : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %a, %b, %c : tensor<5x16xf32>, tensor<5x4xf32>, tensor<5x4xf32>
}

// -----

// A gate: two products that meet in one epilogue.

// PATTERN-LABEL: func @gate
// PATTERN: fusion.group ffn
// PATTERN-NOT: fusion.group
// PATTERN: return
func.func @gate(%x: tensor<5x8xf32>, %g: tensor<8x16xf32>, %u: tensor<8x16xf32>) -> tensor<5x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x16xf32>) -> tensor<5x16xf32>
  %a = linalg.matmul ins(%x, %g : tensor<5x8xf32>, tensor<8x16xf32>) outs(%f : tensor<5x16xf32>) -> tensor<5x16xf32>
  %b = linalg.matmul ins(%x, %u : tensor<5x8xf32>, tensor<8x16xf32>) outs(%f : tensor<5x16xf32>) -> tensor<5x16xf32>
  %t = linalg.tanh ins(%a : tensor<5x16xf32>) outs(%e : tensor<5x16xf32>) -> tensor<5x16xf32>
  %r = linalg.mul ins(%t, %b : tensor<5x16xf32>, tensor<5x16xf32>) outs(%e : tensor<5x16xf32>) -> tensor<5x16xf32>
  return %r : tensor<5x16xf32>
}

// -----

// Work on weights alone runs once.

// PATTERN-LABEL: func @weights
// PATTERN: fusion.group elementwise {{.*}} attributes {fusion.prepare}
// PATTERN: fusion.group elementwise
// PATTERN-NOT: fusion.prepare
// PATTERN: return
func.func @weights(%w: tensor<8xf32> {fusion.constant}, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%w : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %o = tensor.empty() : tensor<8x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>,
                                        affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%a, %x : tensor<8xf32>, tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) {
  ^bb0(%l: f32, %m: f32, %out: f32):
    %v = arith.mulf %l, %m : f32
    linalg.yield %v : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// What another group writes into does not run once: the next run would find it
// overwritten.

// PATTERN-LABEL: func @overwritten
// PATTERN-NOT: fusion.prepare
// PATTERN: return
func.func @overwritten(%w: tensor<8xf32> {fusion.constant}, %x: tensor<3xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%w : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.insert_slice %x into %a[2] [3] [1] : tensor<3xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}
