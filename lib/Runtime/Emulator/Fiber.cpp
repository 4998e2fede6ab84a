//===- Fiber.cpp - Cheap cooperative threads ------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"
#include <sys/mman.h>

#if !defined(__x86_64__) || !defined(__ELF__)
#include <ucontext.h>
#define FUSION_FIBER_UCONTEXT 1
#endif

using namespace mlir::fusion::emulator;

#ifndef FUSION_FIBER_UCONTEXT
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

void mlir::fusion::emulator::switchFiber(Fiber &from, Fiber &to) {
  fusionFiberSwitch(&from.context, to.context);
}

static void *prepareStack(char *end, void (*function)()) {
  void **top = reinterpret_cast<void **>(end);
  *--top = nullptr; // The return address of `function`, which never returns.
  *--top = reinterpret_cast<void *>(function);
  for (int i = 0; i < 6; ++i)
    *--top = nullptr; // rbp, rbx, r12 to r15.
  return top;
}
#else
namespace {
/// What `Fiber::context` points to.
struct Context {
  ucontext_t state;
};
} // namespace

static ucontext_t &getContext(Fiber &fiber) {
  if (!fiber.context)
    fiber.context = new Context();
  return static_cast<Context *>(fiber.context)->state;
}

void mlir::fusion::emulator::switchFiber(Fiber &from, Fiber &to) {
  swapcontext(&getContext(from), &getContext(to));
}
#endif

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
  char *base = memory + uint64_t(index) * kFiberStackBytes;
  // Stacks that start at equal distances would fall into the same cache sets.
  size_t color = (index % 61) * 128;
#ifndef FUSION_FIBER_UCONTEXT
  fiber.context = prepareStack(base + kFiberStackBytes - color, function);
#else
  ucontext_t &context = getContext(fiber);
  ::getcontext(&context);
  context.uc_stack.ss_sp = base;
  context.uc_stack.ss_size = kFiberStackBytes - color;
  context.uc_link = nullptr;
  makecontext(&context, function, 0);
#endif
}
