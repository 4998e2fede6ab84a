// RUN: fusion-opt %models/micro/sdpa_f32.mlir --fusion-normalize --fusion-raise-attention=exact-rounding 2>&1 | FileCheck %s
// RUN: fusion-opt %models/micro/sdpa_bf16.mlir --fusion-normalize --fusion-raise-attention=exact-rounding 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: fusion-opt %models/micro/attention_eager_f16.mlir --fusion-normalize --fusion-raise-attention=exact-rounding 2>&1 | FileCheck %s --check-prefix=ROUNDED

// Nothing is rounded in f32.
// CHECK: attention raised
// CHECK: fusion.attention

// The kernel would round the probabilities.
// NARROW: attention not raised: 'linalg.batch_matmul': rounding is to be exact, and the probabilities would be rounded to the values' type
// NARROW-NOT: fusion.attention

// The graph rounds the scores.
// ROUNDED-NOT: fusion.attention
