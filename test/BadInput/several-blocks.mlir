// Control flow between blocks.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

func.func @main(%a: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  // CHECK: several-blocks.mlir:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}block
  cf.cond_br %c, ^one, ^two
^one:
  return %a : tensor<4xf32>
^two:
  %b = tensor.empty() : tensor<4xf32>
  return %b : tensor<4xf32>
}
