// Stock mlir-opt knows the dialect once the plugin is loaded.
//
// RUN: mlir-opt --load-dialect-plugin=%plugin %s --canonicalize | FileCheck %s
// RUN: not mlir-opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT
//
// Both entry points may be used, in either order.
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s | FileCheck %s
// RUN: mlir-opt --load-pass-plugin=%plugin --load-dialect-plugin=%plugin %s | FileCheck %s

// UNSUPPORTED: sanitize

// CHECK:   fusion.group elementwise
// WITHOUT: Dialect `fusion' not found
func.func @main(%a: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %r = fusion.group elementwise ins(%x = %a : tensor<8xf32>) outs(%o = %e : tensor<8xf32>) {
    %y = linalg.exp ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
    fusion.yield %y : tensor<8xf32>
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
