// RUN: fusion-run %s --target=sm_80 --check --level=none | FileCheck %s
// RUN: fusion-run %s --target=sm_80 --check --level=attention | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=none | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check --level=attention | FileCheck %s

// Products of integers.

// CHECK: out0: agrees

func.func @main(%x: tensor<7x13xi8>, %w: tensor<13x5xi8>) -> tensor<7x5xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<7x5xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<7x5xi32>) -> tensor<7x5xi32>
  %r = linalg.matmul ins(%x, %w : tensor<7x13xi8>, tensor<13x5xi8>) outs(%f : tensor<7x5xi32>) -> tensor<7x5xi32>
  return %r : tensor<7x5xi32>
}
