// RUN: fusion-opt %s | FileCheck %s
// RUN: fusion-opt %s | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --mlir-print-op-generic | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --emit-bytecode | fusion-opt | FileCheck %s

// CHECK: module attributes {fusion.target = #fusion.target<"sm_80">}
module attributes {fusion.target = #fusion.target<"sm_80">} {

// CHECK-LABEL: func @elementwise
// CHECK:         %[[E:.*]] = tensor.empty
// CHECK:         fusion.group elementwise ins(%[[X:.*]] = %{{.*}} : tensor<8x16xf32>) outs(%[[O:.*]] = %[[E]] : tensor<8x16xf32>) {
// CHECK:           %[[Y:.*]] = linalg.exp ins(%[[X]] : tensor<8x16xf32>) outs(%[[O]] : tensor<8x16xf32>)
// CHECK:           fusion.yield %[[Y]] : tensor<8x16xf32>
// CHECK:         } -> tensor<8x16xf32>
func.func @elementwise(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %r = fusion.group elementwise ins(%x = %arg0 : tensor<8x16xf32>) outs(%o = %e : tensor<8x16xf32>) {
    %y = linalg.exp ins(%x : tensor<8x16xf32>) outs(%o : tensor<8x16xf32>) -> tensor<8x16xf32>
    fusion.yield %y : tensor<8x16xf32>
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func @scheduled
// CHECK:         fusion.group contraction schedule(#fusion.schedule<contraction, unit = mma_sync, tile = [128, 128, 32], warps = [2, 2], stages = 3, threads = 128, vector = 8>)
// CHECK-SAME:      attributes {note = "x"}
func.func @scheduled(%a: tensor<?x64xf16>, %e: tensor<?x64xf16>) -> tensor<?x64xf16> {
  %r = fusion.group contraction schedule(#fusion.schedule<contraction, unit = mma_sync, tile = [128, 128, 32], warps = [2, 2], stages = 3, threads = 128, vector = 8>)
      ins(%x = %a : tensor<?x64xf16>) outs(%o = %e : tensor<?x64xf16>) attributes {note = "x"} {
    fusion.yield %x : tensor<?x64xf16>
  } -> tensor<?x64xf16>
  return %r : tensor<?x64xf16>
}

// Scalars are inputs too; a schedule of defaults prints short.
// CHECK-LABEL: func @scalars
// CHECK:         fusion.group update schedule(#fusion.schedule<generic>) ins(%{{.*}} = %{{.*}} : index, %{{.*}} = %{{.*}} : tensor<4xf32>) outs(%{{.*}} = %{{.*}} : tensor<16xf32>)
func.func @scalars(%i: index, %v: tensor<4xf32>, %c: tensor<16xf32>) -> tensor<16xf32> {
  %r = fusion.group update schedule(#fusion.schedule<generic>) ins(%p = %i : index, %x = %v : tensor<4xf32>) outs(%o = %c : tensor<16xf32>) {
    %y = tensor.insert_slice %x into %o[%p] [4] [1] : tensor<4xf32> into tensor<16xf32>
    fusion.yield %y : tensor<16xf32>
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// After bufferization: memrefs outside, tensors inside, no result.
// CHECK-LABEL: func @buffers
// CHECK:         fusion.group norm ins(%[[X:.*]] = %{{.*}} : memref<4xf32>) outs(%{{.*}} = %{{.*}} : memref<4xf32>) {
// CHECK-NEXT:      fusion.yield %[[X]] : tensor<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @buffers(%a: memref<4xf32>, %b: memref<4xf32>) {
  fusion.group norm ins(%x = %a : memref<4xf32>) outs(%o = %b : memref<4xf32>) {
    fusion.yield %x : tensor<4xf32>
  }
  return
}

// CHECK-LABEL: func @attention
// CHECK:         fusion.attention {indexing_maps = [{{.*}}], scale = 1.250000e-01 : f64}
// CHECK-SAME:      ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<8x77x64xf16>, tensor<2x77x64xf16>, tensor<2x77x64xf16>)
// CHECK-SAME:      outs(%{{.*}} : tensor<8x77x64xf16>) -> tensor<8x77x64xf16>
func.func @attention(%q: tensor<8x77x64xf16>, %k: tensor<2x77x64xf16>, %v: tensor<2x77x64xf16>, %o: tensor<8x77x64xf16>) -> tensor<8x77x64xf16> {
  %r = fusion.attention {
      indexing_maps = [
        affine_map<(b, q, d, k, v) -> (b, q, d)>,
        affine_map<(b, q, d, k, v) -> (b floordiv 4, k, d)>,
        affine_map<(b, q, d, k, v) -> (b floordiv 4, k, v)>,
        affine_map<(b, q, d, k, v) -> (b, q, v)>],
      scale = 0.125 : f64}
      ins(%q, %k, %v : tensor<8x77x64xf16>, tensor<2x77x64xf16>, tensor<2x77x64xf16>)
      outs(%o : tensor<8x77x64xf16>) -> tensor<8x77x64xf16>
  return %r : tensor<8x77x64xf16>
}

// Everything optional at once.
// CHECK-LABEL: func @attention_full
// CHECK:         fusion.attention {{.*}}masked_rows = #fusion.masked_rows<zero>{{.*}}softcap = {{.*}}window = 128 : i64
// CHECK-SAME:      mask(%{{.*}} : tensor<7x9xi1>) causal(%{{.*}}) outs(%{{.*}}, %{{.*}}, %{{.*}} : tensor<7x16xf32>, tensor<7xf32>, tensor<7xf32>) -> tensor<7x16xf32>, tensor<7xf32>, tensor<7xf32>
func.func @attention_full(%q: tensor<7x8xf32>, %k: tensor<9x8xf32>, %v: tensor<9x16xf32>, %m: tensor<7x9xi1>,
                          %c: index, %o: tensor<7x16xf32>, %l: tensor<7xf32>, %t: tensor<7xf32>) -> (tensor<7x16xf32>, tensor<7xf32>) {
  %r:3 = fusion.attention {
      indexing_maps = [
        affine_map<(q, d, k, v) -> (q, d)>,
        affine_map<(q, d, k, v) -> (k, d)>,
        affine_map<(q, d, k, v) -> (k, v)>,
        affine_map<(q, d, k, v) -> (q, k)>,
        affine_map<(q, d, k, v) -> (q, v)>,
        affine_map<(q, d, k, v) -> (q)>],
      scale = 1.0 : f64, window = 128 : i64, softcap = 30.0 : f64, masked_rows = #fusion.masked_rows<zero>}
      ins(%q, %k, %v : tensor<7x8xf32>, tensor<9x8xf32>, tensor<9x16xf32>)
      mask(%m : tensor<7x9xi1>) causal(%c)
      outs(%o, %l, %t : tensor<7x16xf32>, tensor<7xf32>, tensor<7xf32>) -> tensor<7x16xf32>, tensor<7xf32>, tensor<7xf32>
  return %r#0, %r#1 : tensor<7x16xf32>, tensor<7xf32>
}

// A factor, a mask that replaces scores where it is NaN, and a floor.
// CHECK-LABEL: func @attention_factor
// CHECK:         fusion.attention {floor = -4.000000e+00 : f64, {{.*}}masked_score = -2.000000e+00 : f64
// CHECK-SAME:      factor(%{{.*}} : tensor<7xf16>) mask(%{{.*}} : tensor<9xf32>) outs(
func.func @attention_factor(%q: tensor<7x8xf32>, %k: tensor<9x8xf32>, %f: tensor<7xf16>, %m: tensor<9xf32>, %o: tensor<7x8xf32>) -> tensor<7x8xf32> {
  %r = fusion.attention {
      indexing_maps = [
        affine_map<(q, d, k, v) -> (q, d)>,
        affine_map<(q, d, k, v) -> (k, d)>,
        affine_map<(q, d, k, v) -> (k, v)>,
        affine_map<(q, d, k, v) -> (q)>,
        affine_map<(q, d, k, v) -> (k)>,
        affine_map<(q, d, k, v) -> (q, v)>],
      scale = 1.0 : f64, masked_score = -2.0 : f64, floor = -4.0 : f64}
      ins(%q, %k, %k : tensor<7x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>)
      factor(%f : tensor<7xf16>) mask(%m : tensor<9xf32>)
      outs(%o : tensor<7x8xf32>) -> tensor<7x8xf32>
  return %r : tensor<7x8xf32>
}

// A sink, a dropout, and a score for masked keys.
// CHECK-LABEL: func @attention_sink
// CHECK:         fusion.attention {{.*}}masked_score = -1.000000e+09 : f64
// CHECK-SAME:      mask(%{{.*}} : tensor<9xi1>) sink(%{{.*}} : tensor<7xf32>) dropout(%{{.*}} : tensor<7x9xf16>) outs(
func.func @attention_sink(%q: tensor<7x8xf32>, %k: tensor<9x8xf32>, %m: tensor<9xi1>, %s: tensor<7xf32>, %p: tensor<7x9xf16>, %o: tensor<7x8xf32>) -> tensor<7x8xf32> {
  %r = fusion.attention {
      indexing_maps = [
        affine_map<(q, d, k, v) -> (q, d)>,
        affine_map<(q, d, k, v) -> (k, d)>,
        affine_map<(q, d, k, v) -> (k, v)>,
        affine_map<(q, d, k, v) -> (k)>,
        affine_map<(q, d, k, v) -> (q)>,
        affine_map<(q, d, k, v) -> (q, k)>,
        affine_map<(q, d, k, v) -> (q, v)>],
      scale = 1.0 : f64, masked_score = -1.0e9 : f64}
      ins(%q, %k, %k : tensor<7x8xf32>, tensor<9x8xf32>, tensor<9x8xf32>)
      mask(%m : tensor<9xi1>) sink(%s : tensor<7xf32>) dropout(%p : tensor<7x9xf16>)
      outs(%o : tensor<7x8xf32>) -> tensor<7x8xf32>
  return %r : tensor<7x8xf32>
}

// CHECK-LABEL: func @simdgroup_mma
// CHECK:         fusion.simdgroup_mma %{{.*}}, %{{.*}}, %{{.*}} : vector<2xbf16>, vector<2xf32>
func.func @simdgroup_mma(%a: vector<2xbf16>, %b: vector<2xbf16>, %c: vector<2xf32>) -> vector<2xf32> {
  %r = fusion.simdgroup_mma %a, %b, %c : vector<2xbf16>, vector<2xf32>
  return %r : vector<2xf32>
}

}
