// RUN: fusion-opt %s -split-input-file -fusion-schedule=target=sm_80 | FileCheck %s --check-prefix=SM80
// RUN: fusion-opt %s -split-input-file -fusion-schedule=target=apple9 | FileCheck %s --check-prefix=APPLE
// RUN: not fusion-opt %s -split-input-file -fusion-schedule=target=sm_10 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: unknown target 'sm_10'; known are

// SM80: fusion.group elementwise schedule(#fusion.schedule<generic
// APPLE: fusion.group elementwise schedule(#fusion.schedule<generic
func.func @elementwise(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = fusion.group elementwise ins(%a = %x : tensor<64xf32>) outs(%o = %e : tensor<64xf32>) {
    %t = tensor.empty() : tensor<64xf32>
    %y = linalg.exp ins(%a : tensor<64xf32>) outs(%t : tensor<64xf32>) -> tensor<64xf32>
    fusion.yield %y : tensor<64xf32>
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

// SM80: fusion.group contraction schedule(#fusion.schedule<contraction, unit = mma_sync
// APPLE: fusion.group contraction schedule(#fusion.schedule<contraction, unit = simdgroup
func.func @product(%x: tensor<256x256xf16>, %w: tensor<256x256xf16>) -> tensor<256x256xf32> {
  %e = tensor.empty() : tensor<256x256xf32>
  %r = fusion.group contraction ins(%a = %x : tensor<256x256xf16>, %b = %w : tensor<256x256xf16>)
      outs(%o = %e : tensor<256x256xf32>) {
    %zero = arith.constant 0.0 : f32
    %t = tensor.empty() : tensor<256x256xf32>
    %f = linalg.fill ins(%zero : f32) outs(%t : tensor<256x256xf32>) -> tensor<256x256xf32>
    %y = linalg.matmul ins(%a, %b : tensor<256x256xf16>, tensor<256x256xf16>)
                       outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
    fusion.yield %y : tensor<256x256xf32>
  } -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}

// -----

// f32 products stay f32: NVIDIA's matrix unit would round to tf32.

// SM80: fusion.group contraction schedule(#fusion.schedule<contraction
// SM80-NOT: mma_sync
// SM80: linalg.matmul
func.func @single(%x: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %e = tensor.empty() : tensor<256x256xf32>
  %r = fusion.group contraction ins(%a = %x : tensor<256x256xf32>, %b = %w : tensor<256x256xf32>)
      outs(%o = %e : tensor<256x256xf32>) {
    %zero = arith.constant 0.0 : f32
    %t = tensor.empty() : tensor<256x256xf32>
    %f = linalg.fill ins(%zero : f32) outs(%t : tensor<256x256xf32>) -> tensor<256x256xf32>
    %y = linalg.matmul ins(%a, %b : tensor<256x256xf32>, tensor<256x256xf32>)
                       outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
    fusion.yield %y : tensor<256x256xf32>
  } -> tensor<256x256xf32>
  return %r : tensor<256x256xf32>
}

// -----

// A schedule of the user's stays.

// SM80: fusion.group elementwise schedule(#fusion.schedule<generic, threads = 64, vector = 2>)
func.func @kept(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = fusion.group elementwise schedule(#fusion.schedule<generic, threads = 64, vector = 2>)
      ins(%a = %x : tensor<64xf32>) outs(%o = %e : tensor<64xf32>) {
    %t = tensor.empty() : tensor<64xf32>
    %y = linalg.exp ins(%a : tensor<64xf32>) outs(%t : tensor<64xf32>) -> tensor<64xf32>
    fusion.yield %y : tensor<64xf32>
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

// A reduction that reads what its row has one of (a mean) still is one of rows.

// SM80: fusion.group reduction schedule(#fusion.schedule<row
// APPLE: fusion.group reduction schedule(#fusion.schedule<row
#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @deviations(%x: tensor<64x256xf32>, %m: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %r = fusion.group reduction ins(%a = %x : tensor<64x256xf32>, %b = %m : tensor<64xf32>) outs(%o = %e : tensor<64xf32>) {
    %zero = arith.constant 0.0 : f32
    %t = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%zero : f32) outs(%t : tensor<64xf32>) -> tensor<64xf32>
    %y = linalg.generic {indexing_maps = [#map, #row, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a, %b : tensor<64x256xf32>, tensor<64xf32>) outs(%f : tensor<64xf32>) {
    ^bb0(%in: f32, %mean: f32, %out: f32):
      %d = arith.subf %in, %mean : f32
      %q = arith.mulf %d, %d : f32
      %v = arith.addf %q, %out : f32
      linalg.yield %v : f32
    } -> tensor<64xf32>
    fusion.yield %y : tensor<64xf32>
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
