// RUN: fusion-opt %s -split-input-file -convert-fusion-to-gpu=target=sm_80 -verify-diagnostics

// The attention template would never store the second output.

#q = affine_map<(b, q, d, k, v) -> (b, q, d)>
#k = affine_map<(b, q, d, k, v) -> (b, k, d)>
#v = affine_map<(b, q, d, k, v) -> (b, k, v)>
#o = affine_map<(b, q, d, k, v) -> (b, q, v)>
func.func @unrelated_output(%x: memref<2x8x16xf32>, %y: memref<2x8x16xf32>, %z: memref<2x8x16xf32>) {
  // expected-error @+1 {{output 1 does not depend on the attention; give it a group of its own}}
  fusion.group attention ins(%a = %x : memref<2x8x16xf32>)
      outs(%o = %y : memref<2x8x16xf32>, %p = %z : memref<2x8x16xf32>) {
    %e = tensor.empty() : tensor<2x8x16xf32>
    %r = fusion.attention {indexing_maps = [#q, #k, #v, #o], scale = 0.25 : f64}
        ins(%a, %a, %a : tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>)
        outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    %s = linalg.exp ins(%a : tensor<2x8x16xf32>) outs(%e : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
    fusion.yield %r, %s : tensor<2x8x16xf32>, tensor<2x8x16xf32>
  }
  return
}

// -----

func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{groups must be bufferized before they become kernels; run fusion-bufferize first}}
  %r = fusion.group elementwise ins(%a = %x : tensor<4xf32>) outs(%o = %e : tensor<4xf32>) {
    %t = tensor.empty() : tensor<4xf32>
    %y = linalg.exp ins(%a : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
    fusion.yield %y : tensor<4xf32>
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
