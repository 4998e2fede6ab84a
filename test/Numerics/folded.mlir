// RUN: %python %S/Inputs/exact.py folded %t
// RUN: fusion-run %s --target=sm_80 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --data=%t --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=attention | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --data=%t --prefer=launches | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --prefer=launches | FileCheck %s

// [N19] A product takes its operand as rounded by the graph, also where a norm is
// computed in front of it.

// CHECK: out0: agrees: {{.*}}, equal

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<20x64xf16>, %gain: tensor<64xf16>, %w: tensor<64x32xf16>) -> tensor<20x32xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 64.0 : f32
  %three = arith.constant 3.0 : f32
  %er = tensor.empty() : tensor<20xf32>
  %eh = tensor.empty() : tensor<20x64xf16>
  %eo = tensor.empty() : tensor<20x32xf32>
  %fr = linalg.fill ins(%zero : f32) outs(%er : tensor<20xf32>) -> tensor<20xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<20x32xf32>) -> tensor<20x32xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<20x64xf16>) outs(%fr : tensor<20xf32>) {
  ^bb0(%in: f16, %out: f32):
    %v = arith.extf %in : f16 to f32
    %q = arith.mulf %v, %v : f32
    %s = arith.addf %q, %out : f32
    linalg.yield %s : f32
  } -> tensor<20xf32>
  %h = linalg.generic {indexing_maps = [#id, #row, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %squares, %gain : tensor<20x64xf16>, tensor<20xf32>, tensor<64xf16>) outs(%eh : tensor<20x64xf16>) {
  ^bb0(%in: f16, %s: f32, %g: f16, %out: f16):
    %v = arith.extf %in : f16 to f32
    %m = arith.divf %s, %n : f32
    %r = math.sqrt %m : f32
    %d = arith.divf %v, %r : f32
    %gv = arith.extf %g : f16 to f32
    %p = arith.mulf %d, %gv : f32
    %t = arith.divf %p, %three : f32
    %o = arith.truncf %t : f32 to f16
    linalg.yield %o : f16
  } -> tensor<20x64xf16>
  %y = linalg.matmul ins(%h, %w : tensor<20x64xf16>, tensor<64x32xf16>) outs(%fo : tensor<20x32xf32>) -> tensor<20x32xf32>
  return %y : tensor<20x32xf32>
}
