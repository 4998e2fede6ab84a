// What LLVM would leave unresolved, or end the process on, is an error.
//
// RUN: not fusion-translate --fusion-to-ptx -split-input-file %s 2>&1 | FileCheck %s

// CHECK: error: has no target; add 'fusion.target = #fusion.target<"sm_80">' to its attributes
module {
  gpu.module @kernels {
  }
}

// -----

// CHECK: error: no PTX for target 'apple9'; known targets: sm_80
module attributes {fusion.target = #fusion.target<"apple9">} {
  gpu.module @kernels {
    gpu.func @empty() kernel {
      gpu.return
    }
  }
}

// -----

// CHECK: error: has no gpu.module
module attributes {fusion.target = #fusion.target<"sm_80">} {
}

// -----

// CHECK: error: kernel 'calls' calls '__nv_expf', which would be an unresolved '.extern .func' of its PTX
module attributes {fusion.target = #fusion.target<"sm_80">} {
  gpu.module @kernels {
    llvm.func @__nv_expf(f32) -> f32
    llvm.func @calls(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
      %y = llvm.call @__nv_expf(%x) : (f32) -> f32
      llvm.store %y, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

// CHECK: error: kernel 'logarithm' uses 'llvm.log.f32', for which there is no instruction
module attributes {fusion.target = #fusion.target<"sm_80">} {
  gpu.module @kernels {
    llvm.func @logarithm(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
      %y = llvm.intr.log(%x) : (f32) -> f32
      llvm.store %y, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

// An instruction of another architecture: LLVM's fatal error is survived.
// CHECK: error: LLVM can not compile the kernels of 'wgmma' for sm_80: Cannot select: intrinsic %llvm.nvvm.wgmma.fence.sync.aligned
module attributes {fusion.target = #fusion.target<"sm_80">} {
  gpu.module @kernels {
    llvm.func @wgmma() attributes {nvvm.kernel} {
      nvvm.wgmma.fence.aligned
      llvm.return
    }
  }
}

// -----

// After it, compilation goes on.
// CHECK: .visible .entry afterwards
module attributes {fusion.target = #fusion.target<"sm_80">} {
  gpu.module @kernels {
    gpu.func @afterwards() kernel {
      gpu.return
    }
  }
}
