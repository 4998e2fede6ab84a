func.func @main(%a: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %r = fusion.group elementwise ins(%x = %a : tensor<8xf32>) outs(%o = %e : tensor<8xf32>) {
    %y = linalg.exp ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %y : tensor<8xf32>
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
