// The shape of a reshape becomes a constant while its type stays dynamic: the
// argmax over it still knows its sizes.
// RUN: fusion-run %s --target=sm_80 --level=none --dims=2,7 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --level=none --dims=2,7 --check | FileCheck %s

// CHECK: out0: agrees
#map = affine_map<(b, h, q, k) -> (b, h, q, k)>
#row = affine_map<(b, h, q, k) -> (b, h, q)>
func.func @main(%a: tensor<?x5x?xf32>, %b: tensor<2x5x7xf32>) -> tensor<1x?x5xi64> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i64
  %five = arith.constant 5 : i64
  %zero = arith.constant 0 : i64
  %low = arith.constant 0xFF800000 : f32
  %h = tensor.dim %a, %c0 : tensor<?x5x?xf32>
  %k = tensor.dim %a, %c2 : tensor<?x5x?xf32>
  %o = tensor.empty(%h, %k) : tensor<?x5x?xf32>
  %x = linalg.add ins(%a, %b : tensor<?x5x?xf32>, tensor<2x5x7xf32>)
      outs(%o : tensor<?x5x?xf32>) -> tensor<?x5x?xf32>
  %hi = arith.index_cast %h : index to i64
  %ki = arith.index_cast %k : index to i64
  %shape = tensor.from_elements %one, %hi, %five, %ki : tensor<4xi64>
  %r = tensor.reshape %x(%shape) : (tensor<?x5x?xf32>, tensor<4xi64>) -> tensor<1x?x5x?xf32>
  %e = tensor.empty(%h) : tensor<1x?x5xf32>
  %m = linalg.fill ins(%low : f32) outs(%e : tensor<1x?x5xf32>) -> tensor<1x?x5xf32>
  %f = tensor.empty(%h) : tensor<1x?x5xi64>
  %p = linalg.fill ins(%zero : i64) outs(%f : tensor<1x?x5xi64>) -> tensor<1x?x5xi64>
  %argmax:2 = linalg.generic {indexing_maps = [#map, #row, #row],
                         iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%r : tensor<1x?x5x?xf32>) outs(%m, %p : tensor<1x?x5xf32>, tensor<1x?x5xi64>) {
  ^bb0(%v: f32, %max: f32, %at: i64):
    %i = linalg.index 3 : index
    %ii = arith.index_cast %i : index to i64
    %n = arith.maximumf %v, %max : f32
    %g = arith.cmpf ogt, %v, %max : f32
    %s = arith.select %g, %ii, %at : i64
    linalg.yield %n, %s : f32, i64
  } -> (tensor<1x?x5xf32>, tensor<1x?x5xi64>)
  return %argmax#1 : tensor<1x?x5xi64>
}
