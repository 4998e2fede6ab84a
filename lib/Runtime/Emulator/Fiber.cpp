//===- Fiber.cpp - Cheap cooperative threads ------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"
#include <sys/mman.h>

using namespace mlir::fusion::emulator;

//===----------------------------------------------------------------------===//
// AddressSanitizer
//===----------------------------------------------------------------------===//

#if LLVM_ADDRESS_SANITIZER_BUILD
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

/// The flow that was suspended by the switch under way.
static Fiber *suspended = nullptr;

static void *announceSwitch(Fiber &from, Fiber &to) {
  void *fakeStack = nullptr;
  suspended = &from;
  __sanitizer_start_switch_fiber(&fakeStack, to.stackBottom, to.stackBytes);
  return fakeStack;
}

static void concludeSwitch(void *fakeStack) {
  __sanitizer_finish_switch_fiber(fakeStack, &suspended->stackBottom,
                                  &suspended->stackBytes);
}

/// Lifts the marks that abandoned frames have left on a stack. The sanitizer's
/// own function for it does nothing where marks by users are switched off, as
/// they must be beside libraries of LLVM that are not instrumented.
__attribute__((no_sanitize("address"))) static void
clearMarks(const char *bottom, size_t bytes) {
  size_t scale, offset;
  __asan_get_shadow_mapping(&scale, &offset);
  auto *marks = reinterpret_cast<volatile uint64_t *>(
      (reinterpret_cast<uintptr_t>(bottom) >> scale) + offset);
  for (size_t i = 0, e = (bytes >> scale) / sizeof(uint64_t); i < e; ++i)
    marks[i] = 0;
}
#else
static void *announceSwitch(Fiber &, Fiber &) { return nullptr; }
static void concludeSwitch(void *) {}
#endif

void mlir::fusion::emulator::enterFiber() { concludeSwitch(nullptr); }

//===----------------------------------------------------------------------===//
// Switches
//===----------------------------------------------------------------------===//

#ifndef FUSION_PORTABLE_FIBERS
// System V x86-64: push the preserved registers, exchange the stack pointers,
// pop the other side's. rdi: where to save; rsi: the stack to continue on.
extern "C" void fusionFiberSwitch(void **save, void *stack);
__asm__(R"(
  .text
  .p2align 4
  .globl fusionFiberSwitch
  .hidden fusionFiberSwitch
  .type fusionFiberSwitch,@function
fusionFiberSwitch:
  .cfi_startproc
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
  .cfi_endproc
  .size fusionFiberSwitch, .-fusionFiberSwitch
)");

static void switchContext(Fiber &from, Fiber &to) {
  fusionFiberSwitch(&from.stackPointer, to.stackPointer);
}

static void prepareContext(Fiber &fiber, char *bottom, char *top,
                           void (*function)()) {
  void **stack = reinterpret_cast<void **>(top);
  *--stack = nullptr; // The return address of `function`, which never returns.
  *--stack = reinterpret_cast<void *>(function);
  for (int i = 0; i < 6; ++i)
    *--stack = nullptr; // rbp, rbx, r12 to r15.
  fiber.stackPointer = static_cast<void *>(stack);
}
#else
static void switchContext(Fiber &from, Fiber &to) {
  swapcontext(&from.context, &to.context);
}

static void prepareContext(Fiber &fiber, char *bottom, char *top,
                           void (*function)()) {
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = bottom;
  fiber.context.uc_stack.ss_size = top - bottom;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, function, 0);
}
#endif

void mlir::fusion::emulator::switchFiber(Fiber &from, Fiber &to) {
  void *fakeStack = announceSwitch(from, to);
  switchContext(from, to);
  concludeSwitch(fakeStack);
}

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

FiberStacks::~FiberStacks() {
  if (memory)
    munmap(memory, uint64_t(count) * kFiberStackBytes);
}

bool FiberStacks::reserve(unsigned wanted) {
  if (wanted <= count)
    return true;
  void *fresh =
      mmap(nullptr, uint64_t(wanted) * kFiberStackBytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (fresh == MAP_FAILED)
    return false;
  if (memory)
    munmap(memory, uint64_t(count) * kFiberStackBytes);
  memory = static_cast<char *>(fresh);
  count = wanted;
  return true;
}

void FiberStacks::prepare(Fiber &fiber, unsigned index, void (*function)()) {
  char *bottom = memory + uint64_t(index) * kFiberStackBytes;
  // Stacks that start at equal distances would fall into the same cache sets.
  size_t color = (index % 61) * 128;
  prepareContext(fiber, bottom, bottom + kFiberStackBytes - color, function);
#if LLVM_ADDRESS_SANITIZER_BUILD
  clearMarks(bottom, kFiberStackBytes);
  fiber.stackBottom = bottom;
  fiber.stackBytes = kFiberStackBytes;
#endif
}
