// RUN: fusion-translate --fusion-to-msl %s -split-input-file -verify-diagnostics

// expected-error @below {{has no gpu.module; run the fusion-compile pipeline first}}
module {}

// -----

gpu.module @kernels {
  // expected-error @below {{argument #0: Metal has no 64-bit floats}}
  gpu.func @f64(%x: f64) kernel { gpu.return }
}

// -----

gpu.module @kernels {
  // expected-error @below {{argument #1 is a buffer after a scalar; put buffers first}}
  gpu.func @order(%n: index, %x: memref<?xf32>) kernel { gpu.return }
}

// -----

gpu.module @kernels {
  // expected-error @below {{kernels take one-dimensional contiguous memrefs}}
  gpu.func @rank(%x: memref<4x4xf32>) kernel { gpu.return }
}

// -----

gpu.module @kernels {
  // expected-error @below {{is memory of index type; use i32 or i64}}
  gpu.func @index_memory(%x: memref<?xindex>) kernel { gpu.return }
}

// -----

gpu.module @kernels {
  // The scalars share a buffer, here the 32nd.
  // expected-error @below {{needs 32 buffers, but Metal has 31; split the group}}
  gpu.func @buffers(
      %a0: memref<?xf32>, %a1: memref<?xf32>, %a2: memref<?xf32>,
      %a3: memref<?xf32>, %a4: memref<?xf32>, %a5: memref<?xf32>,
      %a6: memref<?xf32>, %a7: memref<?xf32>, %a8: memref<?xf32>,
      %a9: memref<?xf32>, %b0: memref<?xf32>, %b1: memref<?xf32>,
      %b2: memref<?xf32>, %b3: memref<?xf32>, %b4: memref<?xf32>,
      %b5: memref<?xf32>, %b6: memref<?xf32>, %b7: memref<?xf32>,
      %b8: memref<?xf32>, %b9: memref<?xf32>, %c0: memref<?xf32>,
      %c1: memref<?xf32>, %c2: memref<?xf32>, %c3: memref<?xf32>,
      %c4: memref<?xf32>, %c5: memref<?xf32>, %c6: memref<?xf32>,
      %c7: memref<?xf32>, %c8: memref<?xf32>, %c9: memref<?xf32>,
      %d0: memref<?xf32>, %n: index, %m: index) kernel { gpu.return }
}

// -----

gpu.module @kernels {
  // expected-error @below {{has 2048 threads in a block, but Metal has 1024}}
  gpu.func @threads() kernel attributes {known_block_size = array<i32: 1024, 2, 1>} {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{uses 33024 bytes of threadgroup memory, but Metal has 32768; use a smaller tile}}
  gpu.func @memory() workgroup(%a : memref<8192xf32, #gpu.address_space<workgroup>>,
                               %b : memref<128xf16, #gpu.address_space<workgroup>>) kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{is no kernel; inline it first}}
  gpu.func @function() { gpu.return }
}

// -----

gpu.module @kernels {
  // expected-error @below {{has several blocks; MSL needs structured control flow (scf)}}
  gpu.func @blocks() kernel {
    cf.br ^end
  ^end:
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @atomic(%x: memref<?xi64>, %i: index, %n: i64) kernel {
    // expected-error @below {{is an atomic addi on 'i64' in device memory, which Metal lacks}}
    %0 = memref.atomic_rmw addi %n, %x[%i] : (i64, memref<?xi64>) -> i64
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @shared_atomic(%i: index, %n: f32)
      workgroup(%s : memref<8xf32, #gpu.address_space<workgroup>>) kernel {
    // expected-error @below {{is an atomic addf on 'f32' in threadgroup memory, which Metal lacks}}
    %0 = memref.atomic_rmw addf %n, %s[%i] : (f32, memref<8xf32, #gpu.address_space<workgroup>>) -> f32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @long_vector(%x: memref<?xf16>, %i: index) kernel {
    // expected-error @below {{Metal has no type for vector<8xf16>; run fusion-legalize-for-msl first, which splits it}}
    %0 = vector.load %x[%i] : memref<?xf16>, vector<8xf16>
    vector.store %0, %x[%i] : memref<?xf16>, vector<8xf16>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @erf(%x: memref<?xf32>, %i: index, %a: f32) kernel {
    // expected-error @below {{has no spelling in MSL; run fusion-legalize-for-msl first}}
    %0 = math.erf %a : f32
    memref.store %0, %x[%i] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @wide_constant(%x: memref<?xf32>, %a: f32) kernel attributes {fusion.index32} {
    // expected-error @below {{does not fit 32-bit index arithmetic; drop fusion.index32}}
    %c = arith.constant 4294967296 : index
    memref.store %a, %x[%c] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @narrow_shuffle(%x: memref<?xf32>, %i: index, %a: f32) kernel {
    %w = arith.constant 16 : i32
    // expected-error @below {{has a width of 16, but a SIMD group has 32 lanes}}
    %0, %p = gpu.shuffle xor %a, %w, %w : f32
    memref.store %0, %x[%i] : memref<?xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @twice() kernel { gpu.return }
}
gpu.module @others {
  // expected-error @below {{has the name of another kernel}}
  gpu.func @twice() kernel { gpu.return }
}

// -----

gpu.module @kernels {
  // expected-error @below {{has a name that is no identifier in MSL; rename it}}
  gpu.func @"main$kernel"() kernel { gpu.return }
}
