// Attention of widths and types whose kernels are near the limit of registers:
// wide heads, sizes that are not known (an address for each copy of a tile must
// not be kept beside the results), and probabilities that are kept.

// REQUIRES: ptxas
// RUN: cp %s %t.mlir
// RUN: %python %S/assembles.py --target=sm_80,sm_90a %t

#q = affine_map<(b, q, d, k, v) -> (b, q, d)>
#k = affine_map<(b, q, d, k, v) -> (b, k, d)>
#v = affine_map<(b, q, d, k, v) -> (b, k, v)>
#o = affine_map<(b, q, d, k, v) -> (b, q, v)>
#r = affine_map<(b, q, d, k, v) -> (b, q)>
#p = affine_map<(b, q, d, k, v) -> (b, q, k)>
func.func @main(%q0: tensor<8x384x256xbf16>, %k0: tensor<8x384x256xbf16>, %v0: tensor<8x384x256xbf16>,
                %q1: tensor<8x?x256xf16>, %k1: tensor<8x?x256xf16>, %v1: tensor<8x?x256xf16>,
                %q2: tensor<8x?x300xf16>, %k2: tensor<8x?x300xf16>, %v2: tensor<8x?x300xf16>,
                %q3: tensor<8x?x192xf32>, %k3: tensor<8x?x192xf32>, %v3: tensor<8x?x128xf32>,
                %q4: tensor<8x?x300xf32>, %k4: tensor<8x?x300xf32>, %v4: tensor<8x?x300xf32>,
                %q5: tensor<8x1x300xf32>, %k5: tensor<8x384x300xf32>, %v5: tensor<8x384x300xf32>,
                %q6: tensor<12x384x64xf16>, %k6: tensor<12x384x64xf16>, %v6: tensor<12x384x64xf16>,
                %q7: tensor<12x?x128xbf16>, %k7: tensor<12x?x128xbf16>, %v7: tensor<12x?x128xbf16>,
                %q8: tensor<12x?x128xf32>, %k8: tensor<12x?x128xf32>, %v8: tensor<12x?x128xf32>,
                %q9: tensor<12x384x64xf32>, %k9: tensor<12x384x64xf32>, %v9: tensor<12x384x64xf32>)
    -> (tensor<8x384x256xbf16>,
        tensor<8x?x256xf16>,
        tensor<8x?x300xf16>,
        tensor<8x?x128xf32>,
        tensor<8x?x300xf32>,
        tensor<8x1x300xf32>,
        tensor<12x384x64xf16>,
        tensor<12x384x384xf32>,
        tensor<12x?x128xbf16>,
        tensor<12x?x?xf32>,
        tensor<12x?x128xf32>,
        tensor<12x?x?xf32>,
        tensor<12x384x64xf32>,
        tensor<12x384x384xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o0 = tensor.empty() : tensor<8x384x256xbf16>
  %a0 = fusion.attention {indexing_maps = [#q, #k, #v, #o], scale = 0.0625 : f64}
      ins(%q0, %k0, %v0 : tensor<8x384x256xbf16>, tensor<8x384x256xbf16>, tensor<8x384x256xbf16>) causal(%c0)
      outs(%o0 : tensor<8x384x256xbf16>) -> tensor<8x384x256xbf16>
  %n1 = tensor.dim %q1, %c1 : tensor<8x?x256xf16>
  %o1 = tensor.empty(%n1) : tensor<8x?x256xf16>
  %a1 = fusion.attention {indexing_maps = [#q, #k, #v, #o], scale = 0.0625 : f64}
      ins(%q1, %k1, %v1 : tensor<8x?x256xf16>, tensor<8x?x256xf16>, tensor<8x?x256xf16>)
      outs(%o1 : tensor<8x?x256xf16>) -> tensor<8x?x256xf16>
  %n2 = tensor.dim %q2, %c1 : tensor<8x?x300xf16>
  %o2 = tensor.empty(%n2) : tensor<8x?x300xf16>
  %a2 = fusion.attention {indexing_maps = [#q, #k, #v, #o], scale = 0.0625 : f64}
      ins(%q2, %k2, %v2 : tensor<8x?x300xf16>, tensor<8x?x300xf16>, tensor<8x?x300xf16>) causal(%c0)
      outs(%o2 : tensor<8x?x300xf16>) -> tensor<8x?x300xf16>
  %n3 = tensor.dim %q3, %c1 : tensor<8x?x192xf32>
  %o3 = tensor.empty(%n3) : tensor<8x?x128xf32>
  %a3 = fusion.attention {indexing_maps = [#q, #k, #v, #o], scale = 0.0625 : f64}
      ins(%q3, %k3, %v3 : tensor<8x?x192xf32>, tensor<8x?x192xf32>, tensor<8x?x128xf32>) causal(%c0)
      outs(%o3 : tensor<8x?x128xf32>) -> tensor<8x?x128xf32>
  %n4 = tensor.dim %q4, %c1 : tensor<8x?x300xf32>
  %o4 = tensor.empty(%n4) : tensor<8x?x300xf32>
  %a4 = fusion.attention {indexing_maps = [#q, #k, #v, #o], scale = 0.0625 : f64}
      ins(%q4, %k4, %v4 : tensor<8x?x300xf32>, tensor<8x?x300xf32>, tensor<8x?x300xf32>) causal(%c0)
      outs(%o4 : tensor<8x?x300xf32>) -> tensor<8x?x300xf32>
  %o5 = tensor.empty() : tensor<8x1x300xf32>
  %a5 = fusion.attention {indexing_maps = [#q, #k, #v, #o], scale = 0.0625 : f64}
      ins(%q5, %k5, %v5 : tensor<8x1x300xf32>, tensor<8x384x300xf32>, tensor<8x384x300xf32>)
      outs(%o5 : tensor<8x1x300xf32>) -> tensor<8x1x300xf32>
  %o6 = tensor.empty() : tensor<12x384x64xf16>
  %r6 = tensor.empty() : tensor<12x384xf32>
  %p6 = tensor.empty() : tensor<12x384x384xf32>
  %a6:4 = fusion.attention {indexing_maps = [#q, #k, #v, #o, #r, #p], scale = 0.0625 : f64}
      ins(%q6, %k6, %v6 : tensor<12x384x64xf16>, tensor<12x384x64xf16>, tensor<12x384x64xf16>)
      outs(%o6, %r6, %r6, %p6 : tensor<12x384x64xf16>, tensor<12x384xf32>, tensor<12x384xf32>, tensor<12x384x384xf32>) -> tensor<12x384x64xf16>, tensor<12x384xf32>, tensor<12x384xf32>, tensor<12x384x384xf32>
  %n7 = tensor.dim %q7, %c1 : tensor<12x?x128xbf16>
  %m7 = tensor.dim %k7, %c1 : tensor<12x?x128xbf16>
  %o7 = tensor.empty(%n7) : tensor<12x?x128xbf16>
  %r7 = tensor.empty(%n7) : tensor<12x?xf32>
  %p7 = tensor.empty(%n7, %m7) : tensor<12x?x?xf32>
  %a7:4 = fusion.attention {indexing_maps = [#q, #k, #v, #o, #r, #p], scale = 0.0625 : f64}
      ins(%q7, %k7, %v7 : tensor<12x?x128xbf16>, tensor<12x?x128xbf16>, tensor<12x?x128xbf16>) causal(%c0)
      outs(%o7, %r7, %r7, %p7 : tensor<12x?x128xbf16>, tensor<12x?xf32>, tensor<12x?xf32>, tensor<12x?x?xf32>) -> tensor<12x?x128xbf16>, tensor<12x?xf32>, tensor<12x?xf32>, tensor<12x?x?xf32>
  %n8 = tensor.dim %q8, %c1 : tensor<12x?x128xf32>
  %m8 = tensor.dim %k8, %c1 : tensor<12x?x128xf32>
  %o8 = tensor.empty(%n8) : tensor<12x?x128xf32>
  %r8 = tensor.empty(%n8) : tensor<12x?xf32>
  %p8 = tensor.empty(%n8, %m8) : tensor<12x?x?xf32>
  %a8:4 = fusion.attention {indexing_maps = [#q, #k, #v, #o, #r, #p], scale = 0.0625 : f64}
      ins(%q8, %k8, %v8 : tensor<12x?x128xf32>, tensor<12x?x128xf32>, tensor<12x?x128xf32>) causal(%c0)
      outs(%o8, %r8, %r8, %p8 : tensor<12x?x128xf32>, tensor<12x?xf32>, tensor<12x?xf32>, tensor<12x?x?xf32>) -> tensor<12x?x128xf32>, tensor<12x?xf32>, tensor<12x?xf32>, tensor<12x?x?xf32>
  %o9 = tensor.empty() : tensor<12x384x64xf32>
  %r9 = tensor.empty() : tensor<12x384xf32>
  %p9 = tensor.empty() : tensor<12x384x384xf32>
  %a9:4 = fusion.attention {indexing_maps = [#q, #k, #v, #o, #r, #p], scale = 0.0625 : f64}
      ins(%q9, %k9, %v9 : tensor<12x384x64xf32>, tensor<12x384x64xf32>, tensor<12x384x64xf32>) causal(%c0)
      outs(%o9, %r9, %r9, %p9 : tensor<12x384x64xf32>, tensor<12x384xf32>, tensor<12x384xf32>, tensor<12x384x384xf32>) -> tensor<12x384x64xf32>, tensor<12x384xf32>, tensor<12x384xf32>, tensor<12x384x384xf32>
  return %a0, %a1, %a2, %a3, %a4, %a5, %a6#0, %a6#3, %a7#0, %a7#3, %a8#0, %a8#3, %a9#0, %a9#3
      : tensor<8x384x256xbf16>,
        tensor<8x?x256xf16>,
        tensor<8x?x300xf16>,
        tensor<8x?x128xf32>,
        tensor<8x?x300xf32>,
        tensor<8x1x300xf32>,
        tensor<12x384x64xf16>,
        tensor<12x384x384xf32>,
        tensor<12x?x128xbf16>,
        tensor<12x?x?xf32>,
        tensor<12x?x128xf32>,
        tensor<12x?x?xf32>,
        tensor<12x384x64xf32>,
        tensor<12x384x384xf32>
}
