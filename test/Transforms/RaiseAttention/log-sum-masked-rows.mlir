// RUN: fusion-opt %s --fusion-normalize --fusion-raise-attention 2>/dev/null | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s --check-prefix=AGREES
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s --check-prefix=AGREES

// Logarithms of sums of rows of which the first see no key: NaN where the
// maximum is subtracted as it is, -inf where 0 stands in for an infinite one.

// CHECK: %[[A:.+]]:3 = fusion.attention
// CHECK: linalg.generic {{.*}} ins(%[[A]]#1, %[[A]]#2
// CHECK: %[[LOG:.+]] = math.log
// CHECK-NEXT: %[[SUM:.+]] = arith.addf %{{.*}}, %[[LOG]]
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[SUM]]
// CHECK: %[[B:.+]]:3 = fusion.attention
// CHECK: linalg.generic {{.*}} ins(%[[B]]#1, %[[B]]#2
// CHECK: %[[GUARDED:.+]] = arith.addf
// CHECK-NEXT: linalg.yield %[[GUARDED]]
// AGREES-NOT: differs
// AGREES-COUNT-4: agrees
#q = affine_map<(b, i, j, d) -> (b, i, d)>
#k = affine_map<(b, i, j, d) -> (b, j, d)>
#s = affine_map<(b, i, j, d) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
#r = affine_map<(b, i) -> (b, i)>
func.func @main(%Q: tensor<2x5x8xf32>, %K: tensor<2x7x8xf32>, %V: tensor<2x7x6xf32>, %R: tensor<2x5x8xf32>) -> (tensor<2x5x6xf32>, tensor<2x5xf32>, tensor<2x5x6xf32>, tensor<2x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<2x5x7xf32>
  %er = tensor.empty() : tensor<2x5xf32>
  %eo = tensor.empty() : tensor<2x5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%er : tensor<2x5xf32>) -> tensor<2x5xf32>
  %fl = linalg.fill ins(%low : f32) outs(%er : tensor<2x5xf32>) -> tensor<2x5xf32>
  %s1 = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%Q, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f : tensor<2x5x7xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %t1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s1 : tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %first = arith.addi %j, %c2 : index
    %sees = arith.cmpi sle, %first, %i : index
    %r = arith.select %sees, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %max1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t1 : tensor<2x5x7xf32>) outs(%fl : tensor<2x5xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.maximumf %o, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %p1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t1, %max1 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %d = arith.subf %x, %y : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %l1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p1 : tensor<2x5x7xf32>) outs(%fz : tensor<2x5xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %o, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %w1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p1, %l1 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.divf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %out1 = linalg.batch_matmul ins(%w1, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%fo : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %log1 = linalg.generic {indexing_maps = [#r, #r, #r], iterator_types = ["parallel", "parallel"]} ins(%l1, %max1 : tensor<2x5xf32>, tensor<2x5xf32>) outs(%er : tensor<2x5xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %a = math.log %x : f32
    %r = arith.addf %a, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %s2 = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%R, %K : tensor<2x5x8xf32>, tensor<2x7x8xf32>) outs(%f : tensor<2x5x7xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %t2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s2 : tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %first = arith.addi %j, %c2 : index
    %sees = arith.cmpi sle, %first, %i : index
    %r = arith.select %sees, %x, %low : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %max2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t2 : tensor<2x5x7xf32>) outs(%fl : tensor<2x5xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.maximumf %o, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %shift2 = linalg.generic {indexing_maps = [#r, #r], iterator_types = ["parallel", "parallel"]} ins(%max2 : tensor<2x5xf32>) outs(%er : tensor<2x5xf32>) {
  ^bb0(%x: f32, %o: f32):
    %none = arith.cmpf oeq, %x, %low : f32
    %r = arith.select %none, %zero, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %p2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t2, %shift2 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %d = arith.subf %x, %y : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %l2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p2 : tensor<2x5x7xf32>) outs(%fz : tensor<2x5xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %o, %x : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  %w2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p2, %l2 : tensor<2x5x7xf32>, tensor<2x5xf32>) outs(%e : tensor<2x5x7xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.divf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x5x7xf32>
  %out2 = linalg.batch_matmul ins(%w2, %V : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%fo : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %log2 = linalg.generic {indexing_maps = [#r, #r, #r], iterator_types = ["parallel", "parallel"]} ins(%l2, %shift2 : tensor<2x5xf32>, tensor<2x5xf32>) outs(%er : tensor<2x5xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %a = math.log %x : f32
    %r = arith.addf %a, %y : f32
    linalg.yield %r : f32
  } -> tensor<2x5xf32>
  return %out1, %log1, %out2, %log2 : tensor<2x5x6xf32>, tensor<2x5xf32>, tensor<2x5x6xf32>, tensor<2x5xf32>
}
