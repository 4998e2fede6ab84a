//===- CudaDevice.cpp - Runs kernels on an NVIDIA GPU ---------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/CudaDevice.h"

#include "CudaDriver.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <array>

using namespace mlir::fusion;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

namespace {

cuda::DevicePointer toDevice(const void *pointer) {
  return reinterpret_cast<cuda::DevicePointer>(pointer);
}

class CudaGraphImpl : public CudaGraph {
public:
  CudaGraphImpl(const cuda::Driver &driver, cuda::GraphExec exec,
                cuda::Stream stream)
      : driver(driver), exec(exec), stream(stream) {}

  ~CudaGraphImpl() override { driver.graphExecDestroy(exec); }

  Error launch() override {
    return driver.check(driver.graphLaunch(exec, stream), "cuGraphLaunch");
  }

private:
  const cuda::Driver &driver;
  cuda::GraphExec exec;
  cuda::Stream stream;
};

/// A kernel and the shared memory that its launches ask for.
struct Kernel {
  cuda::Function function = nullptr;
  unsigned dynamicSharedBytes = 0;
};

class CudaDeviceImpl : public CudaDevice {
public:
  CudaDeviceImpl(const cuda::Driver &driver,
                 const llvm::StringMap<uint32_t> &sharedBytes)
      : driver(driver), sharedBytes(sharedBytes) {}

  ~CudaDeviceImpl() override {
    if (!context)
      return;
    driver.ctxSetCurrent(context);
    if (stream) {
      driver.streamSynchronize(stream);
      driver.streamDestroy(stream);
    }
    if (module)
      driver.moduleUnload(module);
    driver.primaryCtxRelease(device);
  }

  Error initialize(StringRef ptx, int ordinal);

  Expected<void *> allocate(size_t bytes) override;
  Error deallocate(void *memory) override;
  Error copyToDevice(void *destination, const void *source,
                     size_t bytes) override;
  Error copyFromDevice(void *destination, const void *source,
                       size_t bytes) override;
  Error copyOnDevice(void *destination, const void *source,
                     size_t bytes) override;
  Error launch(StringRef kernel, Dim3 grid, Dim3 block,
               llvm::ArrayRef<KernelArgument> arguments) override;

  std::string getName() const override { return name; }
  int getArchitecture() const override { return architecture; }
  Error synchronize() override {
    return driver.check(driver.streamSynchronize(stream),
                        "waiting for the GPU");
  }
  Expected<std::unique_ptr<CudaGraph>>
  record(llvm::function_ref<Error()> work) override;
  Expected<double> measure(llvm::function_ref<Error()> work) override;
  Expected<int> getRegisters(StringRef kernel) override;

private:
  Error loadModule(StringRef ptx);
  Expected<Kernel> getKernel(StringRef kernelName);
  Expected<float> measureBetween(cuda::Event start, cuda::Event end,
                                 llvm::function_ref<Error()> work);

  const cuda::Driver &driver;
  llvm::StringMap<uint32_t> sharedBytes;
  std::string name;
  int architecture = 0;
  cuda::Device device = 0;
  cuda::Context context = nullptr;
  cuda::Module module = nullptr;
  cuda::Stream stream = nullptr;
  llvm::StringMap<Kernel> kernels;
};

} // namespace

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<CudaDevice>>
CudaDevice::create(StringRef ptx, const llvm::StringMap<uint32_t> &sharedBytes,
                   int ordinal) {
  Expected<const cuda::Driver *> driver = cuda::Driver::get();
  if (!driver)
    return driver.takeError();
  auto device = std::make_unique<CudaDeviceImpl>(**driver, sharedBytes);
  if (Error error = device->initialize(ptx, ordinal))
    return std::move(error);
  return device;
}

Error CudaDeviceImpl::initialize(StringRef ptx, int ordinal) {
  int count = 0;
  if (Error error =
          driver.check(driver.deviceGetCount(&count), "cuDeviceGetCount"))
    return error;
  if (ordinal < 0 || ordinal >= count)
    return createStringError("there is no CUDA device " + llvm::Twine(ordinal) +
                             "; " + llvm::Twine(count) + " found");
  if (Error error =
          driver.check(driver.deviceGet(&device, ordinal), "cuDeviceGet"))
    return error;
  std::array<char, 256> text = {};
  int major = 0, minor = 0;
  driver.deviceGetName(text.data(), text.size() - 1, device);
  driver.deviceGetAttribute(&major, cuda::kComputeCapabilityMajor, device);
  driver.deviceGetAttribute(&minor, cuda::kComputeCapabilityMinor, device);
  name = text.data();
  architecture = 10 * major + minor;
  if (Error error = driver.check(driver.primaryCtxRetain(&context, device),
                                 "cuDevicePrimaryCtxRetain"))
    return error;
  if (Error error =
          driver.check(driver.ctxSetCurrent(context), "cuCtxSetCurrent"))
    return error;
  // A non-blocking stream, so that nothing else synchronises with it.
  if (Error error =
          driver.check(driver.streamCreate(&stream, 1), "cuStreamCreate"))
    return error;
  return loadModule(ptx);
}

Error CudaDeviceImpl::loadModule(StringRef ptx) {
  std::string text = ptx.str();
  std::array<char, 8192> log = {};
  int options[] = {cuda::kJitErrorLogBuffer, cuda::kJitErrorLogBufferSizeBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  cuda::Result result =
      driver.moduleLoadDataEx(&module, text.c_str(), 2, options, values);
  Error error =
      driver.check(result, "the driver refuses the kernels for " + name +
                               " (sm_" + llvm::Twine(architecture) + ")");
  StringRef messages = StringRef(log.data()).trim();
  if (!error || messages.empty())
    return error;
  return createStringError(llvm::toString(std::move(error)) + "\n" + messages);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Expected<void *> CudaDeviceImpl::allocate(size_t bytes) {
  cuda::DevicePointer pointer = 0;
  if (Error error =
          driver.check(driver.memAlloc(&pointer, std::max<size_t>(bytes, 1)),
                       "allocating " + llvm::Twine(bytes) + " bytes"))
    return std::move(error);
  return reinterpret_cast<void *>(pointer);
}

Error CudaDeviceImpl::deallocate(void *memory) {
  if (!memory)
    return Error::success();
  return driver.check(driver.memFree(toDevice(memory)), "cuMemFree");
}

Error CudaDeviceImpl::copyToDevice(void *destination, const void *source,
                                   size_t bytes) {
  if (Error error = driver.check(
          driver.memcpyHtoDAsync(toDevice(destination), source, bytes, stream),
          "copying to the GPU"))
    return error;
  return synchronize();
}

Error CudaDeviceImpl::copyFromDevice(void *destination, const void *source,
                                     size_t bytes) {
  if (Error error = driver.check(
          driver.memcpyDtoHAsync(destination, toDevice(source), bytes, stream),
          "copying from the GPU"))
    return error;
  return synchronize();
}

Error CudaDeviceImpl::copyOnDevice(void *destination, const void *source,
                                   size_t bytes) {
  return driver.check(driver.memcpyDtoDAsync(toDevice(destination),
                                             toDevice(source), bytes, stream),
                      "copying on the GPU");
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Expected<Kernel> CudaDeviceImpl::getKernel(StringRef kernelName) {
  auto [it, isNew] = kernels.try_emplace(kernelName);
  Kernel &kernel = it->second;
  if (!isNew && kernel.function)
    return kernel;
  std::string text = kernelName.str();
  if (Error error = driver.check(
          driver.moduleGetFunction(&kernel.function, module, text.c_str()),
          "kernel " + kernelName))
    return std::move(error);
  // What a kernel needs beyond its static shared memory comes with the launch.
  int staticBytes = 0;
  driver.funcGetAttribute(&staticBytes, cuda::kSharedSizeBytes,
                          kernel.function);
  int needed = int(sharedBytes.lookup(kernelName));
  kernel.dynamicSharedBytes = std::max(0, needed - staticBytes);
  if (kernel.dynamicSharedBytes)
    if (Error error =
            driver.check(driver.funcSetAttribute(
                             kernel.function, cuda::kMaxDynamicSharedSizeBytes,
                             int(kernel.dynamicSharedBytes)),
                         "kernel " + kernelName + " asks for " +
                             llvm::Twine(kernel.dynamicSharedBytes) +
                             " bytes of shared memory"))
      return std::move(error);
  return kernel;
}

Error CudaDeviceImpl::launch(StringRef kernelName, Dim3 grid, Dim3 block,
                             llvm::ArrayRef<KernelArgument> arguments) {
  Expected<Kernel> kernel = getKernel(kernelName);
  if (!kernel)
    return kernel.takeError();
  llvm::SmallVector<void *> parameters;
  for (const KernelArgument &argument : arguments)
    parameters.push_back(const_cast<void *>(argument.data));
  return driver.check(driver.launchKernel(kernel->function, grid.x, grid.y,
                                          grid.z, block.x, block.y, block.z,
                                          kernel->dynamicSharedBytes, stream,
                                          parameters.data(), nullptr),
                      "launching " + kernelName);
}

Expected<std::unique_ptr<CudaGraph>>
CudaDeviceImpl::record(llvm::function_ref<Error()> work) {
  if (Error error = driver.check(
          driver.streamBeginCapture(stream, cuda::kCaptureThreadLocal),
          "cuStreamBeginCapture"))
    return std::move(error);
  Error failed = work();
  cuda::Graph graph = nullptr;
  Error ended = driver.check(driver.streamEndCapture(stream, &graph),
                             "cuStreamEndCapture");
  if (failed || ended) {
    if (graph)
      driver.graphDestroy(graph);
    return llvm::joinErrors(std::move(failed), std::move(ended));
  }
  cuda::GraphExec exec = nullptr;
  Error error = driver.check(driver.graphInstantiate(&exec, graph, 0),
                             "cuGraphInstantiate");
  driver.graphDestroy(graph);
  if (error)
    return std::move(error);
  return std::make_unique<CudaGraphImpl>(driver, exec, stream);
}

Expected<double> CudaDeviceImpl::measure(llvm::function_ref<Error()> work) {
  cuda::Event start = nullptr, end = nullptr;
  Error error = driver.check(driver.eventCreate(&start, 0), "cuEventCreate");
  if (!error)
    error = driver.check(driver.eventCreate(&end, 0), "cuEventCreate");
  Expected<float> milliseconds = error ? Expected<float>(std::move(error))
                                       : measureBetween(start, end, work);
  if (start)
    driver.eventDestroy(start);
  if (end)
    driver.eventDestroy(end);
  if (!milliseconds)
    return milliseconds.takeError();
  return double(*milliseconds) * 1e3;
}

Expected<float>
CudaDeviceImpl::measureBetween(cuda::Event start, cuda::Event end,
                               llvm::function_ref<Error()> work) {
  if (Error error =
          driver.check(driver.eventRecord(start, stream), "cuEventRecord"))
    return std::move(error);
  if (Error error = work())
    return std::move(error);
  if (Error error =
          driver.check(driver.eventRecord(end, stream), "cuEventRecord"))
    return std::move(error);
  if (Error error =
          driver.check(driver.eventSynchronize(end), "waiting for the GPU"))
    return std::move(error);
  float milliseconds = 0;
  if (Error error =
          driver.check(driver.eventElapsedTime(&milliseconds, start, end),
                       "cuEventElapsedTime"))
    return std::move(error);
  return milliseconds;
}

Expected<int> CudaDeviceImpl::getRegisters(StringRef kernelName) {
  Expected<Kernel> kernel = getKernel(kernelName);
  if (!kernel)
    return kernel.takeError();
  int registers = 0;
  if (Error error = driver.check(
          driver.funcGetAttribute(&registers, cuda::kNumRegs, kernel->function),
          "kernel " + kernelName))
    return std::move(error);
  return registers;
}
