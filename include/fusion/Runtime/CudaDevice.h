//===- CudaDevice.h - Runs kernels on an NVIDIA GPU -------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CUDA driver is loaded when the first device is created, so one binary
// serves machines with and without a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_RUNTIME_CUDADEVICE_H
#define FUSION_RUNTIME_CUDADEVICE_H

#include "fusion/Runtime/Device.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace mlir::fusion {

/// A recorded sequence of device work that is launched as a whole.
class CudaGraph {
public:
  virtual ~CudaGraph() = default;

  /// Starts the work; it follows all work started before.
  virtual llvm::Error launch() = 0;
};

/// A device that runs PTX kernels through the CUDA driver. All work goes to one
/// stream: launches and copies on the device return before they have finished.
class CudaDevice : public Device {
public:
  /// Loads the driver and compiles the PTX text for the GPU `ordinal`.
  /// `sharedBytes` are the kernels' needs of shared memory, which may exceed
  /// what they declare statically; kernels not named need nothing more.
  static llvm::Expected<std::unique_ptr<CudaDevice>>
  create(llvm::StringRef ptx, const llvm::StringMap<uint32_t> &sharedBytes = {},
         int ordinal = 0);

  /// Returns the name of the GPU.
  virtual std::string getName() const = 0;

  /// Returns the GPU's architecture: 90 for sm_90.
  virtual int getArchitecture() const = 0;

  /// Waits for all work; its errors come out here.
  virtual llvm::Error synchronize() = 0;

  /// Records what `work` starts instead of running it. `work` may launch
  /// kernels and copy on the device, nothing else.
  virtual llvm::Expected<std::unique_ptr<CudaGraph>>
  record(llvm::function_ref<llvm::Error()> work) = 0;

  /// Returns the microseconds that the GPU takes for what `work` starts.
  virtual llvm::Expected<double>
  measure(llvm::function_ref<llvm::Error()> work) = 0;

  /// Returns the registers of a thread of `kernel`.
  virtual llvm::Expected<int> getRegisters(llvm::StringRef kernel) = 0;
};

} // namespace mlir::fusion

#endif // FUSION_RUNTIME_CUDADEVICE_H
