// RUN: fusion-run %s --target=sm_80 --check | FileCheck %s
// RUN: fusion-run %s --target=apple9 --check | FileCheck %s
// RUN: fusion-compile %s --target=sm_80 -o %t && FileCheck %s --check-prefix=PLAN --input-file=%t/report.json
// RUN: fusion-opt %s --fusion-normalize --fusion-form-groups 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Products of one tensor share a launch, whatever the ranks of the views of it
// and the types of the results. One whose right operand is f32 is multiplied in
// f32, with another schedule: it stays apart.

// CHECK: out0: agrees
// CHECK: out1: agrees
// CHECK: out2: agrees
// PLAN: "contraction": 1
// PLAN: "qkv": 1
// PLAN: "launches": 2
// REMARK: products of one operand share a launch
// REMARK: not merged with products of the same operand: their elements have other types

func.func @main(%x: tensor<1x37x64xf16>, %a: tensor<64x48xf16>, %b: tensor<1x64x24xf16>, %c: tensor<64x8xf32>) -> (tensor<37x48xf16>, tensor<1x37x24xf32>, tensor<37x8xf32>) {
  %z16 = arith.constant 0.0 : f16
  %z = arith.constant 0.0 : f32
  %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x37x64xf16> into tensor<37x64xf16>
  %ea = tensor.empty() : tensor<37x48xf16>
  %fa = linalg.fill ins(%z16 : f16) outs(%ea : tensor<37x48xf16>) -> tensor<37x48xf16>
  %ra = linalg.matmul ins(%x2, %a : tensor<37x64xf16>, tensor<64x48xf16>) outs(%fa : tensor<37x48xf16>) -> tensor<37x48xf16>
  %eb = tensor.empty() : tensor<1x37x24xf32>
  %fb = linalg.fill ins(%z : f32) outs(%eb : tensor<1x37x24xf32>) -> tensor<1x37x24xf32>
  %rb = linalg.batch_matmul ins(%x, %b : tensor<1x37x64xf16>, tensor<1x64x24xf16>) outs(%fb : tensor<1x37x24xf32>) -> tensor<1x37x24xf32>
  %ec = tensor.empty() : tensor<37x8xf32>
  %fc = linalg.fill ins(%z : f32) outs(%ec : tensor<37x8xf32>) -> tensor<37x8xf32>
  %rc = linalg.matmul ins(%x2, %c : tensor<37x64xf16>, tensor<64x8xf32>) outs(%fc : tensor<37x8xf32>) -> tensor<37x8xf32>
  return %ra, %rb, %rc : tensor<37x48xf16>, tensor<1x37x24xf32>, tensor<37x8xf32>
}
