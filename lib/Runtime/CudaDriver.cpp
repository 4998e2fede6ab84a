//===- CudaDriver.cpp - The CUDA driver's functions -----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDriver.h"

#include "llvm/Support/DynamicLibrary.h"

using namespace mlir::fusion::cuda;

namespace {

#if defined(_WIN32)
constexpr const char *kLibraries[] = {"nvcuda.dll"};
#else
constexpr const char *kLibraries[] = {"libcuda.so.1", "libcuda.so"};
#endif

/// The outcome of loading, kept for later calls.
struct Loaded {
  Driver driver;
  std::string error;
};

Loaded load() {
  Loaded loaded;
  std::string message;
  llvm::sys::DynamicLibrary library;
  for (const char *name : kLibraries) {
    library = llvm::sys::DynamicLibrary::getPermanentLibrary(name, &message);
    if (library.isValid())
      break;
  }
  if (!library.isValid()) {
    loaded.error = "no CUDA driver: " + message;
    return loaded;
  }
  auto find = [&](const char *symbol) {
    void *address = library.getAddressOfSymbol(symbol);
    if (!address && loaded.error.empty())
      loaded.error =
          std::string("the CUDA driver is too old: it lacks ") + symbol;
    return address;
  };
#define FUSION_CUDA_FUNCTION(member, symbol, parameters)                       \
  loaded.driver.member =                                                       \
      reinterpret_cast<decltype(loaded.driver.member)>(find(#symbol));
  FUSION_CUDA_FUNCTIONS
#undef FUSION_CUDA_FUNCTION
  if (!loaded.error.empty())
    return loaded;
  if (llvm::Error error = loaded.driver.check(loaded.driver.init(0), "cuInit"))
    loaded.error = "no CUDA device: " + llvm::toString(std::move(error));
  return loaded;
}

} // namespace

llvm::Expected<const Driver *> Driver::get() {
  static const Loaded loaded = load();
  if (loaded.error.empty())
    return &loaded.driver;
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 loaded.error +
                                     "; hint: --device=emulator needs none");
}

llvm::Error Driver::check(Result result, const llvm::Twine &call) const {
  if (result == kSuccess)
    return llvm::Error::success();
  const char *text = nullptr;
  getErrorString(result, &text);
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      call + ": " + (text ? text : "error " + std::to_string(result)));
}
