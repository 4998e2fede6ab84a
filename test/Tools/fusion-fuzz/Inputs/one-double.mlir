// fusion-run FILE --check --seed=3 --dims=5 --weights=2 --donate=0,1
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0) -> (d0)>
func.func private @half(%x: tensor<7xf64>) -> tensor<7xf64> {
  %e = tensor.empty() : tensor<7xf64>
  %0 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%x : tensor<7xf64>) outs(%e : tensor<7xf64>) {
  ^bb0(%a: f64, %out: f64):
    %c = arith.constant 0.5 : f64
    %m = arith.mulf %a, %c : f64
    %s = math.sin %m : f64
    linalg.yield %s : f64
  } -> tensor<7xf64>
  return %0 : tensor<7xf64>
}
func.func @main(%x: tensor<?x8xf32>, %w: tensor<8x6xf32>, %d: tensor<7xf64>) -> (tensor<?x6xf32>, tensor<7xf64>, tensor<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x6xf32>) -> tensor<?x6xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x6xf32>) outs(%f : tensor<?x6xf32>) -> tensor<?x6xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<?x6xf32>) outs(%e : tensor<?x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<?x6xf32>
  %s = tensor.extract_slice %q[0, 2] [%n, 3] [1, 1] : tensor<?x6xf32> to tensor<?x3xf32>
  %h = func.call @half(%d) : (tensor<7xf64>) -> tensor<7xf64>
  return %q, %h, %s : tensor<?x6xf32>, tensor<7xf64>, tensor<?x3xf32>
}
