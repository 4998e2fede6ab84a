//===- FakeDriver.cpp - A CUDA driver in host memory ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements the driver functions that the runtime calls, with one GPU that
// runs one kernel, `fill`: out[i] += value for i < grid.x * block.x. It is
// stricter than the real one: what was not set up is an error, not a crash.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace {

enum Result { Success, InvalidValue = 1, OutOfMemory = 2, NotFound = 500 };

using Work = std::vector<std::function<void()>>;

struct State {
  bool isInitialized = false, hasContext = false, hasModule = false;
  std::set<void *> memory;
  int streams = 0, graphs = 0, events = 0;
  /// What is being recorded, if anything.
  Work *capture = nullptr;
  int dynamicShared = 0;
};

State state;
int kernel, stream;

Result enqueue(std::function<void()> work) {
  if (!state.hasContext || state.streams == 0)
    return InvalidValue;
  if (state.capture)
    state.capture->push_back(std::move(work));
  else
    work();
  return Success;
}

Result copy(void *to, const void *from, size_t bytes) {
  return enqueue([=] { std::memcpy(to, from, bytes); });
}

} // namespace

extern "C" {

/// What a test may ask: everything that was made has been destroyed.
bool fakeCudaIsClean() {
  return state.memory.empty() && !state.streams && !state.graphs &&
         !state.events && !state.hasModule && !state.hasContext;
}

Result cuInit(unsigned) {
  state.isInitialized = true;
  return Success;
}
Result cuGetErrorString(Result result, const char **text) {
  *text = result == InvalidValue  ? "invalid argument"
          : result == OutOfMemory ? "out of memory"
          : result == NotFound    ? "named symbol not found"
                                  : nullptr;
  return Success;
}
Result cuDeviceGetCount(int *count) {
  *count = 1;
  return state.isInitialized ? Success : InvalidValue;
}
Result cuDeviceGet(int *device, int ordinal) {
  *device = 7;
  return ordinal == 0 ? Success : InvalidValue;
}
Result cuDeviceGetName(char *name, int length, int device) {
  std::strncpy(name, "Fake GPU", length);
  return device == 7 ? Success : InvalidValue;
}
Result cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == 75 ? 8 : attribute == 76 ? 6 : 0;
  return Success;
}
Result cuDevicePrimaryCtxRetain(void **context, int device) {
  *context = &state;
  state.hasContext = true;
  return device == 7 ? Success : InvalidValue;
}
Result cuDevicePrimaryCtxRelease_v2(int) {
  state.hasContext = false;
  return Success;
}
Result cuCtxSetCurrent(void *context) {
  return context == &state ? Success : InvalidValue;
}
Result cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                          int *options, void **values) {
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == 5)
      std::strcpy(static_cast<char *>(values[i]), "ptxas: line 3: nonsense\n");
  if (std::strstr(static_cast<const char *>(image), "nonsense"))
    return InvalidValue;
  *module = &state;
  state.hasModule = true;
  return Success;
}
Result cuModuleUnload(void *) {
  state.hasModule = false;
  return Success;
}
Result cuModuleGetFunction(void **function, void *module, const char *name) {
  if (module != &state || std::strcmp(name, "fill") != 0)
    return NotFound;
  *function = &kernel;
  return Success;
}
Result cuFuncGetAttribute(int *value, int attribute, void *function) {
  *value = attribute == 1 ? 1024 : attribute == 4 ? 42 : 0;
  return function == &kernel ? Success : InvalidValue;
}
Result cuFuncSetAttribute(void *function, int attribute, int value) {
  if (function != &kernel || attribute != 8 || value > 99 * 1024)
    return InvalidValue;
  state.dynamicShared = value;
  return Success;
}
Result cuMemAlloc_v2(uint64_t *pointer, size_t bytes) {
  if (bytes > (size_t(1) << 40))
    return OutOfMemory;
  void *memory = std::malloc(bytes);
  state.memory.insert(memory);
  *pointer = reinterpret_cast<uint64_t>(memory);
  return Success;
}
Result cuMemFree_v2(uint64_t pointer) {
  void *memory = reinterpret_cast<void *>(pointer);
  if (!state.memory.erase(memory))
    return InvalidValue;
  std::free(memory);
  return Success;
}
Result cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes,
                            void *) {
  return copy(reinterpret_cast<void *>(to), from, bytes);
}
Result cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *) {
  return copy(to, reinterpret_cast<void *>(from), bytes);
}
Result cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *) {
  return copy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
              bytes);
}
Result cuLaunchKernel(void *function, unsigned gridX, unsigned, unsigned,
                      unsigned blockX, unsigned, unsigned, unsigned shared,
                      void *, void **parameters, void **) {
  if (function != &kernel || int(shared) != state.dynamicShared)
    return InvalidValue;
  // A launch copies its parameters.
  float *out = *static_cast<float **>(parameters[0]);
  float value = *static_cast<float *>(parameters[1]);
  return enqueue([=] {
    for (unsigned i = 0; i < gridX * blockX; ++i)
      out[i] += value;
  });
}
Result cuStreamCreate(void **out, unsigned flags) {
  *out = &stream;
  ++state.streams;
  return flags == 1 ? Success : InvalidValue;
}
Result cuStreamDestroy_v2(void *) {
  --state.streams;
  return Success;
}
Result cuStreamSynchronize(void *) {
  return state.capture ? InvalidValue : Success;
}
Result cuStreamBeginCapture_v2(void *, int mode) {
  if (state.capture || mode != 1)
    return InvalidValue;
  state.capture = new Work;
  return Success;
}
Result cuStreamEndCapture(void *, void **graph) {
  if (!state.capture)
    return InvalidValue;
  *graph = state.capture;
  ++state.graphs;
  state.capture = nullptr;
  return Success;
}
Result cuGraphInstantiateWithFlags(void **exec, void *graph,
                                   unsigned long long) {
  *exec = new Work(*static_cast<Work *>(graph));
  ++state.graphs;
  return Success;
}
Result cuGraphLaunch(void *exec, void *) {
  for (const auto &work : *static_cast<Work *>(exec))
    work();
  return Success;
}
Result cuGraphDestroy(void *graph) {
  delete static_cast<Work *>(graph);
  --state.graphs;
  return Success;
}
Result cuGraphExecDestroy(void *exec) { return cuGraphDestroy(exec); }
Result cuEventCreate(void **event, unsigned) {
  *event = new char;
  ++state.events;
  return Success;
}
Result cuEventDestroy_v2(void *event) {
  delete static_cast<char *>(event);
  --state.events;
  return Success;
}
Result cuEventRecord(void *, void *) { return Success; }
Result cuEventSynchronize(void *) { return Success; }
Result cuEventElapsedTime(float *milliseconds, void *, void *) {
  *milliseconds = 1.5;
  return Success;
}

} // extern "C"
