// RUN: %python %S/Inputs/exact.py special %t
// RUN: fusion-run %s --target=sm_80 --data=%t --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --data=%t --level=none | FileCheck %s

// [N4] Infinities, NaN, denormal numbers and the sign of zero are those of IEEE
// 754. NaN shows as 0 here.

// CHECK: out0: agrees: {{.*}}, equal
// CHECK: out1: agrees: {{.*}}, equal
// CHECK: out2: agrees: {{.*}}, equal
// CHECK: out3: agrees: {{.*}}, equal
// CHECK: out4: agrees: {{.*}}, equal

#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>)
    -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  %e0 = tensor.empty() : tensor<8xi32>
  %e1 = tensor.empty() : tensor<8xi32>
  %e2 = tensor.empty() : tensor<8xi32>
  %e3 = tensor.empty() : tensor<8xi32>
  %e4 = tensor.empty() : tensor<8xi32>
  %r:5 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<8xf32>, tensor<8xf32>)
      outs(%e0, %e1, %e2, %e3, %e4 : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>) {
  ^bb0(%x0: f32, %y0: f32, %o0: i32, %o1: i32, %o2: i32, %o3: i32, %o4: i32):
    %zero = arith.constant 0 : i32
    %v0 = arith.addf %x0, %y0 : f32
    %n0 = arith.cmpf uno, %v0, %v0 : f32
    %b0 = arith.bitcast %v0 : f32 to i32
    %s0 = arith.select %n0, %zero, %b0 : i32
    %v1 = arith.subf %x0, %y0 : f32
    %n1 = arith.cmpf uno, %v1, %v1 : f32
    %b1 = arith.bitcast %v1 : f32 to i32
    %s1 = arith.select %n1, %zero, %b1 : i32
    %v2 = arith.maximumf %x0, %y0 : f32
    %n2 = arith.cmpf uno, %v2, %v2 : f32
    %b2 = arith.bitcast %v2 : f32 to i32
    %s2 = arith.select %n2, %zero, %b2 : i32
    %v3 = arith.minimumf %x0, %y0 : f32
    %n3 = arith.cmpf uno, %v3, %v3 : f32
    %b3 = arith.bitcast %v3 : f32 to i32
    %s3 = arith.select %n3, %zero, %b3 : i32
    %v4 = arith.negf %x0 : f32
    %n4 = arith.cmpf uno, %v4, %v4 : f32
    %b4 = arith.bitcast %v4 : f32 to i32
    %s4 = arith.select %n4, %zero, %b4 : i32
    linalg.yield %s0, %s1, %s2, %s3, %s4 : i32, i32, i32, i32, i32
  } -> (tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>
}
