//===- CudaDriver.h - The CUDA driver's functions ---------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types and functions of the driver API, declared here because CUDA's headers
// are not needed to build. The names are the driver's, with the version suffix
// that its own header adds.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_CUDADRIVER_H
#define FUSION_LIB_RUNTIME_CUDADRIVER_H

#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>

namespace mlir::fusion::cuda {

using Result = int;
using Device = int;
using DevicePointer = uint64_t;
using Context = struct ContextImpl *;
using Module = struct ModuleImpl *;
using Function = struct FunctionImpl *;
using Stream = struct StreamImpl *;
using Event = struct EventImpl *;
using Graph = struct GraphImpl *;
using GraphExec = struct GraphExecImpl *;

constexpr Result kSuccess = 0;

/// CUdevice_attribute.
constexpr int kComputeCapabilityMajor = 75, kComputeCapabilityMinor = 76;
/// CUfunction_attribute.
constexpr int kSharedSizeBytes = 1, kNumRegs = 4,
              kMaxDynamicSharedSizeBytes = 8;
/// CUjit_option.
constexpr int kJitErrorLogBuffer = 5, kJitErrorLogBufferSizeBytes = 6;
/// CUstreamCaptureMode: only this thread's calls are checked.
constexpr int kCaptureThreadLocal = 1;

/// The driver's functions, as FUSION_CUDA_FUNCTION(member, symbol, parameters).
#define FUSION_CUDA_FUNCTIONS                                                  \
  FUSION_CUDA_FUNCTION(init, cuInit, (unsigned flags))                         \
  FUSION_CUDA_FUNCTION(getErrorString, cuGetErrorString,                       \
                       (Result result, const char **text))                     \
  FUSION_CUDA_FUNCTION(deviceGetCount, cuDeviceGetCount, (int *count))         \
  FUSION_CUDA_FUNCTION(deviceGet, cuDeviceGet, (Device * device, int ordinal)) \
  FUSION_CUDA_FUNCTION(deviceGetName, cuDeviceGetName,                         \
                       (char *name, int length, Device device))                \
  FUSION_CUDA_FUNCTION(deviceGetAttribute, cuDeviceGetAttribute,               \
                       (int *value, int attribute, Device device))             \
  FUSION_CUDA_FUNCTION(primaryCtxRetain, cuDevicePrimaryCtxRetain,             \
                       (Context * context, Device device))                     \
  FUSION_CUDA_FUNCTION(primaryCtxRelease, cuDevicePrimaryCtxRelease_v2,        \
                       (Device device))                                        \
  FUSION_CUDA_FUNCTION(ctxSetCurrent, cuCtxSetCurrent, (Context context))      \
  FUSION_CUDA_FUNCTION(moduleLoadDataEx, cuModuleLoadDataEx,                   \
                       (Module * module, const void *image, unsigned count,    \
                        int *options, void **values))                          \
  FUSION_CUDA_FUNCTION(moduleUnload, cuModuleUnload, (Module module))          \
  FUSION_CUDA_FUNCTION(moduleGetFunction, cuModuleGetFunction,                 \
                       (Function * function, Module module, const char *name)) \
  FUSION_CUDA_FUNCTION(funcGetAttribute, cuFuncGetAttribute,                   \
                       (int *value, int attribute, Function function))         \
  FUSION_CUDA_FUNCTION(funcSetAttribute, cuFuncSetAttribute,                   \
                       (Function function, int attribute, int value))          \
  FUSION_CUDA_FUNCTION(memAlloc, cuMemAlloc_v2,                                \
                       (DevicePointer * pointer, size_t bytes))                \
  FUSION_CUDA_FUNCTION(memFree, cuMemFree_v2, (DevicePointer pointer))         \
  FUSION_CUDA_FUNCTION(memcpyHtoDAsync, cuMemcpyHtoDAsync_v2,                  \
                       (DevicePointer destination, const void *source,         \
                        size_t bytes, Stream stream))                          \
  FUSION_CUDA_FUNCTION(                                                        \
      memcpyDtoHAsync, cuMemcpyDtoHAsync_v2,                                   \
      (void *destination, DevicePointer source, size_t bytes, Stream stream))  \
  FUSION_CUDA_FUNCTION(memcpyDtoDAsync, cuMemcpyDtoDAsync_v2,                  \
                       (DevicePointer destination, DevicePointer source,       \
                        size_t bytes, Stream stream))                          \
  FUSION_CUDA_FUNCTION(launchKernel, cuLaunchKernel,                           \
                       (Function function, unsigned gridX, unsigned gridY,     \
                        unsigned gridZ, unsigned blockX, unsigned blockY,      \
                        unsigned blockZ, unsigned sharedBytes, Stream stream,  \
                        void **parameters, void **extra))                      \
  FUSION_CUDA_FUNCTION(streamCreate, cuStreamCreate,                           \
                       (Stream * stream, unsigned flags))                      \
  FUSION_CUDA_FUNCTION(streamDestroy, cuStreamDestroy_v2, (Stream stream))     \
  FUSION_CUDA_FUNCTION(streamSynchronize, cuStreamSynchronize,                 \
                       (Stream stream))                                        \
  FUSION_CUDA_FUNCTION(streamBeginCapture, cuStreamBeginCapture_v2,            \
                       (Stream stream, int mode))                              \
  FUSION_CUDA_FUNCTION(streamEndCapture, cuStreamEndCapture,                   \
                       (Stream stream, Graph * graph))                         \
  FUSION_CUDA_FUNCTION(                                                        \
      graphInstantiate, cuGraphInstantiateWithFlags,                           \
      (GraphExec * exec, Graph graph, unsigned long long flags))               \
  FUSION_CUDA_FUNCTION(graphLaunch, cuGraphLaunch,                             \
                       (GraphExec exec, Stream stream))                        \
  FUSION_CUDA_FUNCTION(graphDestroy, cuGraphDestroy, (Graph graph))            \
  FUSION_CUDA_FUNCTION(graphExecDestroy, cuGraphExecDestroy, (GraphExec exec)) \
  FUSION_CUDA_FUNCTION(eventCreate, cuEventCreate,                             \
                       (Event * event, unsigned flags))                        \
  FUSION_CUDA_FUNCTION(eventDestroy, cuEventDestroy_v2, (Event event))         \
  FUSION_CUDA_FUNCTION(eventRecord, cuEventRecord,                             \
                       (Event event, Stream stream))                           \
  FUSION_CUDA_FUNCTION(eventSynchronize, cuEventSynchronize, (Event event))    \
  FUSION_CUDA_FUNCTION(eventElapsedTime, cuEventElapsedTime,                   \
                       (float *milliseconds, Event start, Event end))

/// The loaded driver.
struct Driver {
#define FUSION_CUDA_FUNCTION(member, symbol, parameters)                       \
  Result(*member) parameters = nullptr;
  FUSION_CUDA_FUNCTIONS
#undef FUSION_CUDA_FUNCTION

  /// Loads and initialises the driver, once a process.
  static llvm::Expected<const Driver *> get();

  /// Returns an error that says what `call` returned, success for kSuccess.
  llvm::Error check(Result result, const llvm::Twine &call) const;
};

} // namespace mlir::fusion::cuda

#endif // FUSION_LIB_RUNTIME_CUDADRIVER_H
