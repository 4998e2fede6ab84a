//===- Fiber.h - Cheap cooperative threads ----------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every GPU thread runs on a stack of its own. A switch saves the registers
// that the host's calling convention preserves and nothing else (about 5 ns on
// x86-64); other hosts, and builds with FUSION_PORTABLE_FIBERS, use ucontext.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_EMULATOR_FIBER_H
#define FUSION_LIB_RUNTIME_EMULATOR_FIBER_H

#include "llvm/Support/Compiler.h"
#include <cstddef>
#include <cstdint>

#if !defined(__x86_64__) || !defined(__ELF__)
#define FUSION_PORTABLE_FIBERS 1
#endif
#ifdef FUSION_PORTABLE_FIBERS
#include <ucontext.h>
#endif

namespace mlir::fusion::emulator {

/// A suspended flow of control. The one that created the fibers has one too.
struct Fiber {
#ifdef FUSION_PORTABLE_FIBERS
  ucontext_t context;
#else
  /// Where the preserved registers are.
  void *stackPointer = nullptr;
#endif
#if LLVM_ADDRESS_SANITIZER_BUILD
  /// The extent of its stack, which the sanitizer wants to know.
  const void *stackBottom = nullptr;
  size_t stackBytes = 0;
#endif
};

/// Size of each fiber's stack.
constexpr size_t kFiberStackBytes = 64 << 10;

/// The stacks of all fibers: reserved once, reused by every block.
class FiberStacks {
public:
  ~FiberStacks();

  /// Makes room for `count` stacks; false when memory is exhausted. Stacks
  /// handed out before are invalid afterwards.
  bool reserve(unsigned count);

  /// Makes `fiber` run `function` on stack number `index` at the next switch.
  /// `function` must call `enterFiber` first, and never return.
  void prepare(Fiber &fiber, unsigned index, void (*function)());

  /// Whether an address lies on one of the stacks.
  bool contains(uint64_t address) const {
    return address - reinterpret_cast<uint64_t>(memory) <
           uint64_t(count) * kFiberStackBytes;
  }

private:
  char *memory = nullptr;
  unsigned count = 0;
};

/// Suspends `from`, the running flow, and continues `to`.
void switchFiber(Fiber &from, Fiber &to);

/// The first thing that a new fiber does.
void enterFiber();

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_RUNTIME_EMULATOR_FIBER_H
