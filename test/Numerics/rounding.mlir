// RUN: %python %S/Inputs/exact.py rounding-each %t.each
// RUN: fusion-run %s --target=sm_80 --data=%t.each --exact-rounding | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t.each --exact-rounding | FileCheck %s
// RUN: %python %S/Inputs/exact.py rounding %t
// RUN: fusion-run %s --target=sm_80 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --data=%t --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=attention | FileCheck %s

// [N1] Between operations of a kernel a value is not rounded, unless asked for;
// where it is stored it is rounded once, to the nearest.

// CHECK: out0: agrees: {{.*}}, equal

#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<192xbf16>) -> tensor<192xbf16> {
  %scale = arith.constant 1.25 : bf16
  %shift = arith.constant 0.375 : bf16
  %three = arith.constant 3.0 : bf16
  %e = tensor.empty() : tensor<192xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<192xbf16>) outs(%e : tensor<192xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %a = arith.mulf %in, %scale : bf16
    %b = arith.addf %a, %shift : bf16
    %c = arith.mulf %b, %three : bf16
    linalg.yield %c : bf16
  } -> tensor<192xbf16>
  return %r : tensor<192xbf16>
}
