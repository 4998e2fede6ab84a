// The entry function has no body.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

// CHECK: declaration-only.mlir:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}entry function
func.func private @main(tensor<4xf32>) -> tensor<4xf32>
