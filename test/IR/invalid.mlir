// RUN: fusion-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{#fusion.target needs a device name, for example #fusion.target<"sm_80">}}
module attributes {fusion.target = #fusion.target<"">} {}

// -----

func.func @unknown_kind(%a: tensor<4xf32>) {
  // expected-error @+1 {{unknown kind of group 'fast'}}
  fusion.group fast ins(%x = %a : tensor<4xf32>) { fusion.yield }
  return
}

// -----

func.func @group_c1_count(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{group_c1: the region has 1 arguments for 2 operands; give it one for each operand, inputs first}}
  %r = "fusion.group"(%a, %a) <{kind = #fusion.kind<norm>, operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: tensor<4xf32>):
    fusion.yield %x : tensor<4xf32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @group_c1_type(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{group_c1: argument 0 of the region has type 'tensor<4xf16>', its operand needs 'tensor<4xf32>'}}
  %r = "fusion.group"(%a, %a) <{kind = #fusion.kind<norm>, operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: tensor<4xf16>, %y: tensor<4xf32>):
    fusion.yield %y : tensor<4xf32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @group_c2_count(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{group_c2: fusion.yield yields 0 values for 1 outs; yield one for each}}
  %r = fusion.group norm outs(%o = %a : tensor<4xf32>) {
    fusion.yield
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @group_c2_type(%a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{group_c2: fusion.yield yields 'tensor<5xf32>' as value 0, outs needs 'tensor<4xf32>'}}
  %r = fusion.group norm ins(%x = %b : tensor<5xf32>) outs(%o = %a : tensor<4xf32>) {
    fusion.yield %x : tensor<5xf32>
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @group_c2_terminator(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{group_c2: end the region with fusion.yield}}
  %r = fusion.group norm outs(%o = %a : tensor<4xf32>) {
    llvm.unreachable
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @group_c3_results(%a: tensor<4xf32>) {
  // expected-error @+1 {{group_c3: results must have the types of outs}}
  fusion.group norm outs(%o = %a : tensor<4xf32>) {
    fusion.yield %o : tensor<4xf32>
  }
  return
}

// -----

func.func @group_c3_memref_results(%a: memref<4xf32>) {
  // expected-error @+1 {{group_c3: a group on memrefs has no results}}
  %r = fusion.group norm outs(%o = %a : memref<4xf32>) {
    fusion.yield %o : tensor<4xf32>
  } -> tensor<4xf32>
  return
}

// -----

func.func @group_c3_mixed(%a: memref<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{group_c3: outs mix tensors and memrefs; bufferize all of them or none}}
  fusion.group norm outs(%o = %a : memref<4xf32>, %p = %b : tensor<4xf32>) {
    fusion.yield %o, %p : tensor<4xf32>, tensor<4xf32>
  }
  return
}

// -----

func.func @isolated(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // expected-note @+1 {{required by region isolation constraints}}
  %r = fusion.group norm outs(%o = %a : tensor<4xf32>) {
    // expected-error @+1 {{using value defined outside the region}}
    fusion.yield %b : tensor<4xf32>
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @attention_c1_count(%q: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c1: 4 tensor operands need as many indexing maps, there are 3}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c1_few(%q: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c1: indexing maps need at least the dimensions q, d, k, v}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k) -> (q, d)>, affine_map<(q, d, k) -> (k, d)>, affine_map<(q, d, k) -> (k, d)>, affine_map<(q, d, k) -> (q, d)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c1_dims(%q: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c1: the map of key must have 4 dimensions and no symbols}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(b, q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c2(%q: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c2: the map of value has 1 results for rank 2}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c3_whole(%q: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c3: in the map of query d1 must be a whole result}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d + 1)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c3_twice(%q: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{attention_c3: the map of query uses d0 twice}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, q)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @attention_c3_foreign(%q: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c3: the map of value must use d3}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c4_types(%q: tensor<4x8xf32>, %k: tensor<4x8xf16>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c4: query, key and value must hold floats of one type; cast them before}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64}
      ins(%q, %k, %q : tensor<4x8xf32>, tensor<4x8xf16>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c4_mask(%q: tensor<4x8xf32>, %m: tensor<4x4xi32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c4: a mask holds floats or i1, not 'i32'}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, k)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) mask(%m : tensor<4x4xi32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c5_window(%q: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c5: a window needs a causal offset and must be positive}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64, window = 8 : i64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c5_softcap(%q: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c5: softcap must be positive}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64, softcap = -1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c4_sink(%q: tensor<4x8xf32>, %s: tensor<i32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c4: a sink holds floats, not 'i32'}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> ()>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) sink(%s : tensor<i32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c3_sink(%q: tensor<4x8xf32>, %s: tensor<4xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c3: the map of sink must not use d2}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (k)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) sink(%s : tensor<4xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c5_masked_score(%q: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c5: a masked score needs a mask and must be a number}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64, masked_score = -1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c5_floor(%q: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c5: a floor must be a number}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64, floor = 0x7FF8000000000000 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c3_factor(%q: tensor<4x8xf32>, %f: tensor<8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c3: the map of factor must not use d3}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (v)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) factor(%f : tensor<8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c4_factor(%q: tensor<4x8xf32>, %f: tensor<4xi1>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c4: a factor holds floats, not 'i1'}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (k)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) factor(%f : tensor<4xi1>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @attention_c6_types(%q: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf16> {
  // expected-error @+1 {{attention_c6: results must have the types of outs}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}

// -----

func.func @attention_c6_number(%q: tensor<4x8xf16>, %o: tensor<4x8xf16>, %l: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{attention_c6: needs one, three or four outs}}
  %r:2 = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>, affine_map<(q, d, k, v) -> (q)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) outs(%o, %l : tensor<4x8xf16>, tensor<4xf16>) -> tensor<4x8xf16>, tensor<4xf16>
  return %r#1 : tensor<4xf16>
}

// -----

func.func @attention_c6_reference(%q: tensor<4x8xf16>, %o: tensor<4x8xf16>, %l: tensor<4xf16>) -> tensor<4xf16> {
  // expected-error @+1 {{attention_c6: reference and total must hold 'f32'}}
  %r:3 = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>, affine_map<(q, d, k, v) -> (q)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) outs(%o, %l, %l : tensor<4x8xf16>, tensor<4xf16>, tensor<4xf16>) -> tensor<4x8xf16>, tensor<4xf16>, tensor<4xf16>
  return %r#1 : tensor<4xf16>
}

// -----

func.func @attention_c6_total(%q: tensor<4x8xf16>, %o: tensor<4x8xf16>, %l: tensor<4xf32>, %t: tensor<?xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attention_c6: reference and total must be of one type}}
  %r:3 = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>, affine_map<(q, d, k, v) -> (q)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) outs(%o, %l, %t : tensor<4x8xf16>, tensor<4xf32>, tensor<?xf32>) -> tensor<4x8xf16>, tensor<4xf32>, tensor<?xf32>
  return %r#1 : tensor<4xf32>
}

// -----

func.func @attention_c6_probabilities(%q: tensor<4x8xf16>, %o: tensor<4x8xf16>, %l: tensor<4xf32>, %p: tensor<4x4xf16>) -> tensor<4x4xf16> {
  // expected-error @+1 {{attention_c6: probabilities must hold 'f32'}}
  %r:4 = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>, affine_map<(q, d, k, v) -> (q)>, affine_map<(q, d, k, v) -> (q, k)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) outs(%o, %l, %l, %p : tensor<4x8xf16>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf16>) -> tensor<4x8xf16>, tensor<4xf32>, tensor<4xf32>, tensor<4x4xf16>
  return %r#3 : tensor<4x4xf16>
}

// -----

func.func @attention_c3_probabilities(%q: tensor<4x8xf32>, %o: tensor<4x8xf32>, %l: tensor<4xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c3: the map of probabilities must use d2}}
  %r:4 = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>, affine_map<(q, d, k, v) -> (q)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64}
      ins(%q, %q, %q : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%o, %l, %l, %o : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x8xf32>
  return %r#3 : tensor<4x8xf32>
}

// -----

func.func @attention_c7_extent(%q: tensor<6x4x8xf32>, %k: tensor<4x8xf32>, %o: tensor<6x4x8xf32>) -> tensor<6x4x8xf32> {
  // expected-error @+1 {{attention_c7: d0 must be a whole result of the map of query, key, value or output}}
  %r = fusion.attention {indexing_maps = [affine_map<(b, h, q, d, k, v) -> (b * 2 + h, q, d)>, affine_map<(b, h, q, d, k, v) -> (k, d)>, affine_map<(b, h, q, d, k, v) -> (k, v)>, affine_map<(b, h, q, d, k, v) -> (b * 2 + h, q, v)>], scale = 1.0 : f64}
      ins(%q, %k, %k : tensor<6x4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%o : tensor<6x4x8xf32>) -> tensor<6x4x8xf32>
  return %r : tensor<6x4x8xf32>
}

// -----

func.func @attention_c7_size(%q: tensor<4x8xf32>, %k: tensor<5x8xf32>, %v: tensor<6x8xf32>) -> tensor<4x8xf32> {
  // expected-error @+1 {{attention_c7: d2 has size 6 in the value and 5 before}}
  %r = fusion.attention {indexing_maps = [affine_map<(q, d, k, v) -> (q, d)>, affine_map<(q, d, k, v) -> (k, d)>, affine_map<(q, d, k, v) -> (k, v)>, affine_map<(q, d, k, v) -> (q, v)>], scale = 1.0 : f64}
      ins(%q, %k, %v : tensor<4x8xf32>, tensor<5x8xf32>, tensor<6x8xf32>) outs(%q : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

func.func @simdgroup_mma_operand(%a: vector<4xf16>, %c: vector<2xf32>) {
  // expected-error @+1 {{simdgroup_mma_c1: operands are vector<2xf16>, vector<2xbf16> or vector<2xf32>, not 'vector<4xf16>'}}
  %r = fusion.simdgroup_mma %a, %a, %c : vector<4xf16>, vector<2xf32>
  return
}

// -----

func.func @simdgroup_mma_accumulator(%a: vector<2xf16>, %c: vector<2xf16>) {
  // expected-error @+1 {{simdgroup_mma_c1: the accumulator is vector<2xf32>, not 'vector<2xf16>'}}
  %r = fusion.simdgroup_mma %a, %a, %c : vector<2xf16>, vector<2xf16>
  return
}
