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
// x86-64); other hosts use ucontext.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_EMULATOR_FIBER_H
#define FUSION_LIB_RUNTIME_EMULATOR_FIBER_H

#include <cstddef>
#include <cstdint>

namespace mlir::fusion::emulator {

/// A suspended flow of control. The one that created the fibers has one too.
struct Fiber {
  /// The saved stack pointer (x86-64) or the saved context (elsewhere).
  void *context = nullptr;
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
  /// `function` must never return.
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

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_RUNTIME_EMULATOR_FIBER_H
