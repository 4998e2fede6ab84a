// RUN: fusion-opt %s -split-input-file -fusion-form-groups="level=pattern target=sm_80" 2>/dev/null | FileCheck %s

// What is computed for each column of a norm (Gemma's 1 + g) is hidden behind
// the row's memory: computed again for each row, in one kernel.

// CHECK-LABEL: func @one_plus_gain
// CHECK:       fusion.group norm ins({{.*}} : tensor<4096xf32>, {{.*}} : tensor<2048x4096xf32>)
// CHECK-NOT:   fusion.group
// CHECK:       return
#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
#c = affine_map<(i, j) -> (j)>
#v = affine_map<(i) -> (i)>
func.func @one_plus_gain(%x: tensor<2048x4096xf32>, %g: tensor<4096xf32>) -> tensor<2048x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = arith.constant 4096.0 : f32
  %e = tensor.empty() : tensor<2048x4096xf32>
  %re = tensor.empty() : tensor<2048xf32>
  %ge = tensor.empty() : tensor<4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%re : tensor<2048xf32>) -> tensor<2048xf32>
  %h = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%g : tensor<4096xf32>) outs(%ge : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %one : f32
    linalg.yield %r : f32
  } -> tensor<4096xf32>
  %sum = linalg.generic {indexing_maps = [#x, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2048x4096xf32>) outs(%f : tensor<2048xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %a, %a : f32
    %r = arith.addf %b, %s : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  %s = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%sum : tensor<2048xf32>) outs(%re : tensor<2048xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.divf %a, %n : f32
    %r = math.rsqrt %m : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  %y = linalg.generic {indexing_maps = [#x, #r, #c, #x], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %h : tensor<2048x4096xf32>, tensor<2048xf32>, tensor<4096xf32>) outs(%e : tensor<2048x4096xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.mulf %m, %c : f32
    linalg.yield %r : f32
  } -> tensor<2048x4096xf32>
  return %y : tensor<2048x4096xf32>
}

// -----

// A function for each element is not.

// CHECK-LABEL: func @function_of_gain
// CHECK:       fusion.group elementwise ins({{.*}} : tensor<4096xf32>)
// CHECK:       fusion.group norm
// CHECK:       return
#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
#c = affine_map<(i, j) -> (j)>
#v = affine_map<(i) -> (i)>
func.func @function_of_gain(%x: tensor<2048x4096xf32>, %g: tensor<4096xf32>) -> tensor<2048x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = arith.constant 4096.0 : f32
  %e = tensor.empty() : tensor<2048x4096xf32>
  %re = tensor.empty() : tensor<2048xf32>
  %ge = tensor.empty() : tensor<4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%re : tensor<2048xf32>) -> tensor<2048xf32>
  %h = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%g : tensor<4096xf32>) outs(%ge : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<4096xf32>
  %sum = linalg.generic {indexing_maps = [#x, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2048x4096xf32>) outs(%f : tensor<2048xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %a, %a : f32
    %r = arith.addf %b, %s : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  %s = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%sum : tensor<2048xf32>) outs(%re : tensor<2048xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.divf %a, %n : f32
    %r = math.rsqrt %m : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  %y = linalg.generic {indexing_maps = [#x, #r, #c, #x], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %h : tensor<2048x4096xf32>, tensor<2048xf32>, tensor<4096xf32>) outs(%e : tensor<2048x4096xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.mulf %m, %c : f32
    linalg.yield %r : f32
  } -> tensor<2048x4096xf32>
  return %y : tensor<2048x4096xf32>
}

// -----

// Nor are two vectors to read instead of one.

// CHECK-LABEL: func @sum_of_gains
// CHECK:       fusion.group elementwise ins({{.*}} : tensor<4096xf32>, {{.*}} : tensor<4096xf32>)
// CHECK:       fusion.group norm
// CHECK:       return
#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
#c = affine_map<(i, j) -> (j)>
#v = affine_map<(i) -> (i)>
func.func @sum_of_gains(%x: tensor<2048x4096xf32>, %g: tensor<4096xf32>, %g2: tensor<4096xf32>) -> tensor<2048x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = arith.constant 4096.0 : f32
  %e = tensor.empty() : tensor<2048x4096xf32>
  %re = tensor.empty() : tensor<2048xf32>
  %ge = tensor.empty() : tensor<4096xf32>
  %f = linalg.fill ins(%zero : f32) outs(%re : tensor<2048xf32>) -> tensor<2048xf32>
  %h = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%g, %g2 : tensor<4096xf32>, tensor<4096xf32>) outs(%ge : tensor<4096xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32):
    %r = arith.addf %a, %c : f32
    linalg.yield %r : f32
  } -> tensor<4096xf32>
  %sum = linalg.generic {indexing_maps = [#x, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<2048x4096xf32>) outs(%f : tensor<2048xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %a, %a : f32
    %r = arith.addf %b, %s : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  %s = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%sum : tensor<2048xf32>) outs(%re : tensor<2048xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.divf %a, %n : f32
    %r = math.rsqrt %m : f32
    linalg.yield %r : f32
  } -> tensor<2048xf32>
  %y = linalg.generic {indexing_maps = [#x, #r, #c, #x], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %h : tensor<2048x4096xf32>, tensor<2048xf32>, tensor<4096xf32>) outs(%e : tensor<2048x4096xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.mulf %m, %c : f32
    linalg.yield %r : f32
  } -> tensor<2048x4096xf32>
  return %y : tensor<2048x4096xf32>
}

// -----

// A few rows only: both pay against a launch.

// CHECK-LABEL: func @few_rows
// CHECK:       fusion.group softmax ins({{.*}} : tensor<512xf32>, {{.*}} : tensor<4x512xf32>)
// CHECK-NOT:   fusion.group
// CHECK:       return
#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
#c = affine_map<(i, j) -> (j)>
#v = affine_map<(i) -> (i)>
func.func @few_rows(%x: tensor<4x512xf32>, %g: tensor<512xf32>) -> tensor<4x512xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = arith.constant 512.0 : f32
  %e = tensor.empty() : tensor<4x512xf32>
  %re = tensor.empty() : tensor<4xf32>
  %ge = tensor.empty() : tensor<512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%re : tensor<4xf32>) -> tensor<4xf32>
  %h = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%g : tensor<512xf32>) outs(%ge : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<512xf32>
  %sum = linalg.generic {indexing_maps = [#x, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x512xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.mulf %a, %a : f32
    %r = arith.addf %b, %s : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%sum : tensor<4xf32>) outs(%re : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.divf %a, %n : f32
    %r = math.rsqrt %m : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [#x, #r, #c, #x], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %h : tensor<4x512xf32>, tensor<4xf32>, tensor<512xf32>) outs(%e : tensor<4x512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.mulf %m, %c : f32
    linalg.yield %r : f32
  } -> tensor<4x512xf32>
  return %y : tensor<4x512xf32>
}
