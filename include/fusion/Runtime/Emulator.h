//===- Emulator.h - Runs GPU kernels on the CPU -----------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The emulator takes the LLVM module that would go to the NVPTX backend (or
// the one that clang makes of Metal Shading Language text), rewrites it for
// the host, compiles it just in time and runs every GPU thread of a block as a
// fiber, warps in order, blocks one after the other. It is deterministic.
//
// By default every access of memory is checked: bounds, alignment, reads of
// memory that nothing has written, data races within a block (shared memory)
// and between blocks (global memory), reads of asynchronous copies that were
// not waited for, barriers and warp-wide operations that not all threads
// reach. A fault ends the launch with an error that names the kernel, the
// instruction, the thread and the block.
//
// Arithmetic is the host's: approximate functions are more accurate than the
// hardware's, denormals are not flushed, matrix products accumulate in f32 in
// the order of k. Compare with tolerances.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_RUNTIME_EMULATOR_H
#define FUSION_RUNTIME_EMULATOR_H

#include "fusion/Runtime/Device.h"
#include "llvm/ADT/StringMap.h"
#include <memory>
#include <optional>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir::fusion {

/// What Metal binds to a kernel parameter that is not a buffer. Vectors and
/// scalars of 16- or 32-bit integers may receive them.
enum class MetalBuiltin : uint8_t {
  ThreadPositionInGrid,
  ThreadPositionInThreadgroup,
  ThreadIndexInThreadgroup,
  ThreadgroupPositionInGrid,
  ThreadsPerThreadgroup,
  ThreadIndexInSimdgroup,
  SimdgroupIndexInThreadgroup,
  SimdgroupsPerThreadgroup,
  ThreadsPerSimdgroup,
  ThreadgroupsPerGrid,
  ThreadsPerGrid,
};

/// The builtin that the attribute `[[name]]` asks for, if there is one.
std::optional<MetalBuiltin> parseMetalBuiltin(llvm::StringRef name);

/// How Metal binds the parameters of one kernel; made by the MSL front end,
/// which reads the `[[...]]` attributes that clang drops.
struct MetalKernelInfo {
  struct Parameter {
    enum class Kind : uint8_t {
      /// `device T *` or `constant T &`, `[[buffer(index)]]`: takes the
      /// launch's argument number `index`. A parameter in the `device` address
      /// space takes a device pointer (8 bytes), one in the `constant` address
      /// space the bytes themselves, which the emulator copies into memory of
      /// their own.
      Buffer,
      /// `threadgroup T *`, `[[threadgroup(index)]]`: gets memory of
      /// `threadgroupBytes` bytes.
      Threadgroup,
      /// A scalar or a vector that receives `builtin`.
      Builtin,
    };
    Kind kind = Kind::Buffer;
    /// The index in `[[buffer(index)]]` or `[[threadgroup(index)]]`.
    unsigned index = 0;
    /// The size of a `Threadgroup` parameter's memory.
    size_t threadgroupBytes = 0;
    /// Of a `Buffer` in the `constant` address space that holds a struct: takes
    /// all arguments of the launch from number `index` on as its members, each
    /// at the next multiple of its size.
    bool packed = false;
    /// What a `Builtin` parameter receives.
    MetalBuiltin builtin = MetalBuiltin::ThreadPositionInGrid;
  };
  /// One entry per parameter of the kernel's LLVM function, in order.
  std::vector<Parameter> parameters;
};

/// How an emulator behaves.
struct EmulatorOptions {
  /// Check every access of memory, barriers and warp-wide operations.
  /// Otherwise an access out of bounds is undefined behaviour of the process.
  bool checks = true;
  /// With `checks`: report races on global memory between blocks of a launch.
  bool globalRaceChecks = true;
  /// Fill `getProfiles`; launches are several times slower.
  bool profile = false;
  /// Run the blocks of a grid from the last to the first: a race that shows
  /// in one order only (a write after another block's read) shows in the other.
  bool reverseBlockOrder = false;
  /// Optimize every kernel's code before its first launch, however short.
  bool optimizeAtOnce = false;
  /// The largest shared memory of a block: 227 KiB (sm_90) unless the module
  /// is Metal's, where it is at most 32 KiB.
  size_t maxSharedMemory = 232448;
  /// Bindings of the kernels of a Metal module, by name.
  llvm::StringMap<MetalKernelInfo> metalKernels;
};

/// A device that runs kernels on the CPU. Launches of all emulators in a
/// process exclude each other; an emulator itself is not thread-safe.
class Emulator : public Device {
public:
  /// Makes an emulator of a module in which kernels have the calling
  /// convention `ptx_kernel` or `spir_kernel`. Kernels are compiled at their
  /// first launch: quickly, and again with optimization when they run long.
  /// Results do not depend on which code runs.
  static llvm::Expected<std::unique_ptr<Emulator>>
  create(std::unique_ptr<llvm::LLVMContext> context,
         std::unique_ptr<llvm::Module> module, EmulatorOptions options = {});

  ~Emulator() override;

  llvm::Expected<void *> allocate(size_t bytes) override;
  llvm::Error deallocate(void *memory) override;
  llvm::Error copyToDevice(void *destination, const void *source,
                           size_t bytes) override;
  llvm::Error copyFromDevice(void *destination, const void *source,
                             size_t bytes) override;
  llvm::Error copyOnDevice(void *destination, const void *source,
                           size_t bytes) override;
  llvm::Error launch(llvm::StringRef kernel, Dim3 grid, Dim3 block,
                     llvm::ArrayRef<KernelArgument> arguments) override;
  std::vector<NamedKernelProfile> getProfiles() const override;

  /// The names of the module's kernels, in order.
  std::vector<std::string> getKernelNames() const;

  /// Compiles a kernel without running it: rewriting errors (an unknown
  /// intrinsic, say) come out here.
  llvm::Error compile(llvm::StringRef kernel);

  /// The host IR that a kernel was rewritten to, as text; for debugging.
  llvm::Expected<std::string> getHostIR(llvm::StringRef kernel);

  /// Whether every byte of a range has been written.
  bool isInitialized(const void *memory, size_t bytes) const;

private:
  struct Impl;
  explicit Emulator(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::fusion

#endif // FUSION_RUNTIME_EMULATOR_H
