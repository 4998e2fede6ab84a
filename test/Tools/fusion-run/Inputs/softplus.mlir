// log(1 + exp(x + bias)) in bf16, and where x is more than a half.
func.func @main(%x: tensor<?x?xbf16>, %bias: tensor<?xbf16>) -> (tensor<?x?xbf16>, tensor<?x?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : bf16
  %half = arith.constant 0.5 : bf16
  %m = tensor.dim %x, %c0 : tensor<?x?xbf16>
  %n = tensor.dim %x, %c1 : tensor<?x?xbf16>
  %k = tensor.dim %bias, %c0 : tensor<?xbf16>
  %same = arith.cmpi eq, %n, %k : index
  cf.assert %same, "a bias for every column"
  %empty = tensor.empty(%m, %n) : tensor<?x?xbf16>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %bias : tensor<?x?xbf16>, tensor<?xbf16>) outs(%empty : tensor<?x?xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %out: bf16):
    %sum = arith.addf %a, %b : bf16
    %e = math.exp %sum : bf16
    %p = arith.addf %e, %one : bf16
    %l = math.log %p : bf16
    linalg.yield %l : bf16
  } -> tensor<?x?xbf16>
  %integers = tensor.empty(%m, %n) : tensor<?x?xi64>
  %large = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x?xbf16>) outs(%integers : tensor<?x?xi64>) {
  ^bb0(%a: bf16, %out: i64):
    %is = arith.cmpf ogt, %a, %half : bf16
    %i = arith.extui %is : i1 to i64
    linalg.yield %i : i64
  } -> tensor<?x?xi64>
  return %y, %large : tensor<?x?xbf16>, tensor<?x?xi64>
}
