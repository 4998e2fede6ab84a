// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 --dims=70,150 --report=json 2>/dev/null | FileCheck %s --check-prefix=KERNELS
// RUN: fusion-run %s --target=sm_80 --check --dims=70,150 | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check --dims=70,150 | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=sm_80 --check --dims=3,1 | FileCheck %s --check-prefix=AGREES

// Rows without a key, under a band that starts two keys before the query, and
// whole tiles that no row sees: they are stored too. The first rows are NaN in
// the probabilities that are returned and zero in those that are multiplied and
// returned after that: one policy is the attention's, the other is applied to
// what it stores.

// CHECK: %[[A:.+]]:4 = fusion.attention {{.*}}masked_rows<zero>{{.*}}window = 5
// CHECK: linalg.generic {{.*}} ins(%[[A]]#3 :
// CHECK: linalg.generic {{.*}} ins(%[[A]]#3, %[[A]]#2
// CHECK: arith.cmpf oeq
// CHECK-NOT: linalg.generic
// KERNELS: "attention": 1,
// KERNELS-NEXT: "elementwise": 1
// KERNELS-NEXT: },
// KERNELS-NEXT: "launches": 2,
// KERNELS-NEXT: "level": "attention"
// AGREES-NOT: differs
// AGREES-COUNT-3: agrees
#row = affine_map<(b, i, j) -> (b, i)>
#id = affine_map<(b, i, j) -> (b, i, j)>
func.func @main(%Q: tensor<2x?x8xf32>, %K: tensor<2x?x8xf32>, %V: tensor<2x?x8xf32>) -> (tensor<2x?x8xf32>, tensor<2x?x?xf32>, tensor<2x?x?xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %low = arith.constant 0xFF800000 : f32
  %m = tensor.dim %Q, %c1 : tensor<2x?x8xf32>
  %n = tensor.dim %K, %c1 : tensor<2x?x8xf32>
  %e = tensor.empty(%m, %n) : tensor<2x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, i, j, d) -> (b, i, d)>, affine_map<(b, i, j, d) -> (b, j, d)>, affine_map<(b, i, j, d) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x?x8xf32>, tensor<2x?x8xf32>) outs(%f : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %o, %p : f32
    linalg.yield %r : f32
  } -> tensor<2x?x?xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<2x?x?xf32>) outs(%e : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %q = linalg.index 1 : index
    %k = linalg.index 2 : index
    %first = arith.addi %k, %c2 : index
    %last = arith.addi %k, %c7 : index
    %after = arith.cmpi sle, %first, %q : index
    %before = arith.cmpi sgt, %last, %q : index
    %sees = arith.andi %after, %before : i1
    %scaled = arith.mulf %x, %scale : f32
    %r = arith.select %sees, %scaled, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x?x?xf32>
  %p = linalg.softmax dimension(2) ins(%t : tensor<2x?x?xf32>) outs(%e : tensor<2x?x?xf32>) -> tensor<2x?x?xf32>
  %er = tensor.empty(%m) : tensor<2x?xf32>
  %fr = linalg.fill ins(%low : f32) outs(%er : tensor<2x?xf32>) -> tensor<2x?xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t : tensor<2x?x?xf32>) outs(%fr : tensor<2x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.maximumf %x, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x?xf32>
  %g = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p, %max : tensor<2x?x?xf32>, tensor<2x?xf32>) outs(%e : tensor<2x?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %none = arith.cmpf oeq, %y, %low : f32
    %r = arith.select %none, %zero, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x?x?xf32>
  %eo = tensor.empty(%m) : tensor<2x?x8xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  %out = linalg.batch_matmul ins(%g, %V : tensor<2x?x?xf32>, tensor<2x?x8xf32>) outs(%fo : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  return %out, %p, %g : tensor<2x?x8xf32>, tensor<2x?x?xf32>, tensor<2x?x?xf32>
}
