//===- KernelRewriter.h - From a GPU kernel to host code --------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel and what it calls are cloned into a module of their own and
// rewritten in place: GPU intrinsics become host instructions or calls of
// handlers, shared memory becomes constant addresses, every access of memory
// gets a check in front, and `entry` unpacks the arguments.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_EMULATOR_KERNELREWRITER_H
#define FUSION_LIB_RUNTIME_EMULATOR_KERNELREWRITER_H

#include "CompiledKernel.h"
#include "fusion/Runtime/Emulator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace mlir::fusion::emulator {

/// What a rewrite depends on besides the kernel.
struct RewriteOptions {
  bool checks = true, globalRaces = true, profile = false;
  /// Put the common case of checks of global memory into the kernel, which
  /// makes it faster and its compilation slower.
  bool inlineChecks = true;
  /// log2 of the narrowest access of shared memory, where an earlier rewrite
  /// has found it; checks of shared memory can be put into the kernel then.
  std::optional<unsigned> sharedShift;
  bool isMetal = false;
  /// The kernel's parameters, when it is a Metal kernel.
  const MetalKernelInfo *metal = nullptr;
  const GlobalMemory *memory = nullptr;
  uint64_t sharedBase = 0;
  size_t maxSharedMemory = 0;
  /// Where the code will run.
  llvm::DataLayout hostLayout;
  llvm::Triple hostTriple;
};

/// The name of the function that runs one thread.
constexpr llvm::StringLiteral kEntryName = "fusion_emulator_entry";

/// Clones `kernel` into a module of its own, which the host can compile, and
/// fills what `compiled` says about it, apart from its entry.
llvm::Expected<std::unique_ptr<llvm::Module>>
rewriteKernel(const llvm::Function &kernel, const RewriteOptions &options,
              CompiledKernel &compiled);

/// Whether a function is a kernel by its calling convention.
bool isKernel(const llvm::Function &function);

/// The parts of a rewrite share this.
struct RewriteContext {
  llvm::Module &module;
  const RewriteOptions &options;
  CompiledKernel &compiled;
  /// Whether a handler was used that makes threads wait for each other.
  bool suspends = false;
  /// log2 of the narrowest access of shared memory.
  unsigned sharedShift = 4;
  /// Whether pointers of other address spaces may point to shared memory.
  bool castsShared = false;

  llvm::LLVMContext &getContext() const { return module.getContext(); }

  /// A pointer to something in this process.
  llvm::Constant *getPointer(const void *address) const;
  /// Calls a function of this process.
  llvm::CallInst *callHost(llvm::IRBuilder<> &builder, const void *function,
                           llvm::Type *result,
                           llvm::ArrayRef<llvm::Value *> arguments) const;
  /// Notes the size of an access of shared memory.
  void noteSharedAccess(uint64_t bytes);
};

/// Rewrites a call of an intrinsic, of inline assembly or of a runtime
/// function. False when the call is none of the emulator's business.
llvm::Expected<bool> rewriteCall(RewriteContext &context, llvm::CallInst &call,
                                 uint32_t site);

/// Reads a value of the running thread (`fieldOffset` in `ThreadPlace`) or of
/// the launch (a member of `machine`).
llvm::Value *readThreadField(const RewriteContext &context,
                             llvm::IRBuilder<> &builder, size_t fieldOffset);
llvm::Value *readMachineField(const RewriteContext &context,
                              llvm::IRBuilder<> &builder, const void *field);

/// Puts checks (and counters) in front of an instruction that accesses memory.
void instrumentAccess(RewriteContext &context, llvm::Instruction &instruction,
                      uint32_t site);

/// The size of the pieces in which an access goes to memory: a power of two,
/// at most its alignment and 16 bytes.
uint64_t getPieceBytes(uint64_t bytes, llvm::Align align);

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_RUNTIME_EMULATOR_KERNELREWRITER_H
