//===- KernelRunner.h - Lowers kernels and runs them ------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tests of kernel templates share: from kernel IR to an emulator that
// runs it, and buffers of any float type.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_UNIT_KERNELS_KERNELRUNNER_H
#define FUSION_TEST_UNIT_KERNELS_KERNELRUNNER_H

#include "fusion/Runtime/Emulator.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include <string>
#include <vector>

namespace mlir::fusion::test {

/// The context of all kernels, with everything that they and their translation
/// need.
MLIRContext &getContext();

/// A kernel without a body, in a module of its own.
struct EmptyKernel {
  OwningOpRef<ModuleOp> module;
  gpu::GPUFuncOp function;
  /// The block's memory, as bytes.
  Value shared;
};

/// Makes a kernel for `target` whose parameters have the types `types`.
EmptyKernel makeKernel(StringRef name, StringRef target, ArrayRef<Type> types,
                       int64_t sharedBytes, int64_t numThreads);

/// The type of a kernel's buffer parameter.
MemRefType getBufferType(Type element);

/// The alignment, up to 16 bytes, of multiples of `stride` elements.
int64_t getAlignment(int64_t stride, int64_t elementBytes);

/// Lowers the kernels of `module`, which is consumed, for its target, and makes
/// an emulator of them. Diagnostics become part of the error.
llvm::Expected<std::unique_ptr<Emulator>>
makeEmulator(ModuleOp module, EmulatorOptions options = {});

/// Whether the kernels of `module` are for Metal. Their scalar arguments make
/// one launch argument, a struct.
bool isMetal(ModuleOp module);

/// The Metal Shading Language text of `module`'s kernels; the module is
/// consumed.
llvm::Expected<std::string> makeMSL(ModuleOp module);

/// The PTX of `module`'s kernels; the module is consumed.
llvm::Expected<std::string> makePTX(ModuleOp module);

/// Numbers on the host, each rounded to a float type, and their bytes in device
/// memory.
class DeviceBuffer {
public:
  DeviceBuffer(Device &device, Type type, std::vector<double> values);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer &) = delete;

  /// The values as rounded.
  std::vector<double> values;

  /// Writes values `[first, end)` to the device.
  void upload(size_t first, size_t end);
  void upload() { upload(0, values.size()); }
  /// Reads all values back.
  llvm::Error download();

  KernelArgument getArgument() const { return {&memory, sizeof(memory)}; }

private:
  Device &device;
  Type type;
  size_t elementBytes;
  void *memory = nullptr;
};

/// `count` numbers in [-magnitude, magnitude], the same for equal seeds.
std::vector<double> makeRandom(size_t count, uint32_t seed,
                               double magnitude = 1.0);

} // namespace mlir::fusion::test

#endif // FUSION_TEST_UNIT_KERNELS_KERNELRUNNER_H
