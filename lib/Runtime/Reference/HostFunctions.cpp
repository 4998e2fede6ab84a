//===- HostFunctions.cpp - What compiled graphs call ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostFunctions.h"

#include "fusion/Runtime/Tensor.h"
#include "llvm/ADT/bit.h"
#include <cstdlib>
#include <cstring>

using namespace mlir::fusion;
using namespace mlir::fusion::detail;

/// The run that this thread is in.
static thread_local HostRun *currentRun = nullptr;

HostRun::~HostRun() {
  for (void *pointer : memory)
    std::free(pointer);
}

bool HostRun::call(void (*function)(void **), void **arguments) {
  HostRun *outer = currentRun;
  currentRun = this;
  // Only generated code is on the stack between here and `escape`.
  bool succeeded = setjmp(escape) == 0;
  if (succeeded)
    function(arguments);
  currentRun = outer;
  return succeeded;
}

namespace {

void *allocate(size_t bytes) {
  void *pointer = std::malloc(bytes ? bytes : 1);
  currentRun->memory.push_back(pointer);
  return pointer;
}

/// Buffers live as long as the run.
void deallocate(void *) {}

/// `puts`: an assertion prints its message before it gives up.
int recordMessage(const char *text) {
  currentRun->message = text;
  return 0;
}

/// `abort`: leaves the run.
[[noreturn]] void fail() { std::longjmp(currentRun->escape, 1); }

/// A memref of any rank, as `memrefCopy` gets it.
struct UnrankedMemRef {
  int64_t rank;
  struct Descriptor {
    char *allocated, *aligned;
    int64_t offset;
    /// Sizes, then strides.
    int64_t extents[1];
  } *descriptor;
};

void copyDimension(int64_t elementBytes, int64_t rank, const int64_t *sizes,
                   const char *source, const int64_t *sourceStrides,
                   char *destination, const int64_t *destinationStrides) {
  if (rank == 0) {
    std::memcpy(destination, source, elementBytes);
    return;
  }
  for (int64_t i = 0; i < sizes[0]; ++i)
    copyDimension(elementBytes, rank - 1, sizes + 1,
                  source + i * sourceStrides[0] * elementBytes,
                  sourceStrides + 1,
                  destination + i * destinationStrides[0] * elementBytes,
                  destinationStrides + 1);
}

void copyMemRef(int64_t elementBytes, UnrankedMemRef *source,
                UnrankedMemRef *destination) {
  const UnrankedMemRef::Descriptor &from = *source->descriptor;
  const UnrankedMemRef::Descriptor &to = *destination->descriptor;
  int64_t rank = source->rank;
  copyDimension(elementBytes, rank, from.extents,
                from.aligned + from.offset * elementBytes, from.extents + rank,
                to.aligned + to.offset * elementBytes, to.extents + rank);
}

/// A 16-bit float is passed in the low bits of a vector register, where a float
/// lies too.
float passNarrow(uint16_t bits) {
  return llvm::bit_cast<float>(uint32_t(bits));
}

template <ElementType::Kind kind>
float narrow(double value) {
  Tensor rounded(kind, {});
  rounded.setDouble(0, value);
  uint16_t bits;
  std::memcpy(&bits, rounded.data(), sizeof(bits));
  return passNarrow(bits);
}

float narrowToHalf(float value) { return narrow<ElementType::F16>(value); }
float narrowToHalf(double value) { return narrow<ElementType::F16>(value); }
float narrowToBrain(float value) { return narrow<ElementType::BF16>(value); }
float narrowToBrain(double value) { return narrow<ElementType::BF16>(value); }

float widenHalf(float passed) {
  uint16_t bits = llvm::bit_cast<uint32_t>(passed);
  Tensor half(ElementType::F16, {});
  std::memcpy(half.data(), &bits, sizeof(bits));
  return half.getDouble(0);
}

} // namespace

llvm::orc::SymbolMap
mlir::fusion::detail::getHostFunctions(llvm::orc::MangleAndInterner interner) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](llvm::StringRef name, auto *function) {
    symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                               llvm::JITSymbolFlags::Exported};
  };
  add("malloc", allocate);
  add("free", deallocate);
  add("puts", recordMessage);
  add("abort", fail);
  add("memrefCopy", copyMemRef);
  add("__truncsfhf2", static_cast<float (*)(float)>(narrowToHalf));
  add("__truncdfhf2", static_cast<float (*)(double)>(narrowToHalf));
  add("__truncsfbf2", static_cast<float (*)(float)>(narrowToBrain));
  add("__truncdfbf2", static_cast<float (*)(double)>(narrowToBrain));
  add("__extendhfsf2", widenHalf);
  return symbols;
}
