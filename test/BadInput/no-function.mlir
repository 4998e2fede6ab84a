// A module without any function.
// RUN: rm -rf %t && %refused %t fusion-compile %s --target=sm_80 -o %t | FileCheck %s

// CHECK: no-function.mlir:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}entry function
module {
}
