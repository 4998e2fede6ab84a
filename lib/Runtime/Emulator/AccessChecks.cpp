//===- AccessChecks.cpp - Checks in front of memory accesses --------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In optimized code, accesses of global memory get an inlined test of the
// shadows (about a dozen instructions and one branch) that passes in the common
// case; otherwise, and for shared memory, a function of the runtime decides.
// See GlobalMemory.h for the shadows.
//
//===----------------------------------------------------------------------===//

#include "KernelRewriter.h"
#include "Machine.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace mlir::fusion;
using namespace mlir::fusion::emulator;

namespace {
enum class Action { Load, Store, Atomic };

/// One access to check.
struct Access {
  llvm::Instruction *instruction;
  llvm::Value *pointer;
  uint64_t bytes;
  llvm::Align align;
  Action action;
  uint32_t site;
};

/// Emits the checks of one access.
class CheckBuilder {
public:
  CheckBuilder(RewriteContext &context, const Access &access)
      : context(context), access(access), builder(access.instruction),
        i64(builder.getInt64Ty()), i32(builder.getInt32Ty()) {}

  void emit();

private:
  using FastCondition = llvm::Value *;

  void emitGlobalLoad(llvm::Value *address);
  void emitGlobalStore(llvm::Value *address);
  void emitSharedLoad(llvm::Value *address);
  void emitCall(llvm::IRBuilder<> &at, llvm::Value *address, bool shared);

  /// The element of a shadow with elements of type `type` at `index`.
  llvm::Value *elementOf(const void *shadow, llvm::Type *type,
                         llvm::Value *index) {
    return builder.CreateGEP(type, context.getPointer(shadow), index);
  }
  /// Computes `offset` (inside the reservation whatever the address is) and
  /// returns whether the address is outside of it or misaligned.
  llvm::Value *emitOffset(llvm::Value *address);
  /// The bits of a bit shadow for the access, and those that must be set.
  std::pair<llvm::Value *, llvm::Value *> emitBits(const uint8_t *shadow);
  llvm::Type *getBitsType() {
    return access.bytes == 16 ? builder.getInt16Ty() : builder.getInt8Ty();
  }
  llvm::MDNode *likely() {
    return llvm::MDBuilder(context.getContext()).createLikelyBranchWeights();
  }

  RewriteContext &context;
  const Access &access;
  llvm::IRBuilder<> builder;
  llvm::Type *i64, *i32;
  llvm::Value *offset = nullptr;
  llvm::Value *bitIndex = nullptr;
};
} // namespace

uint64_t mlir::fusion::emulator::getPieceBytes(uint64_t bytes,
                                               llvm::Align align) {
  uint64_t piece = std::min<uint64_t>(align.value(), 16);
  while (bytes % piece)
    piece /= 2;
  return piece;
}

void CheckBuilder::emitCall(llvm::IRBuilder<> &at, llvm::Value *address,
                            bool shared) {
  uint32_t align = getPieceBytes(access.bytes, access.align);
  void (*function)(uint64_t, uint32_t, uint32_t, uint32_t) = nullptr;
  switch (access.action) {
  case Action::Load:
    function = shared ? checkSharedLoad : checkLoad;
    break;
  case Action::Store:
    function = shared ? checkSharedStore : checkStore;
    break;
  case Action::Atomic:
    function = shared ? checkSharedAtomic : checkAtomic;
    break;
  }
  context.callHost(at, reinterpret_cast<void *>(function), at.getVoidTy(),
                   {address, at.getInt32(access.bytes), at.getInt32(align),
                    at.getInt32(access.site)});
}

llvm::Value *CheckBuilder::emitOffset(llvm::Value *address) {
  const GlobalMemory &memory = *context.options.memory;
  uint64_t mask = memory.getSize() - 1;
  llvm::Value *distance =
      builder.CreateSub(address, builder.getInt64(memory.getBase()));
  offset = builder.CreateAnd(distance, mask);
  bitIndex = builder.CreateLShr(offset, 3);
  llvm::Value *bad = builder.CreateAnd(distance, ~mask | (access.bytes - 1));
  return builder.CreateICmpNE(bad, builder.getInt64(0));
}

std::pair<llvm::Value *, llvm::Value *>
CheckBuilder::emitBits(const uint8_t *shadow) {
  llvm::Value *bits = builder.CreateAlignedLoad(
      getBitsType(), elementOf(shadow, builder.getInt8Ty(), bitIndex),
      llvm::Align(1));
  if (access.bytes >= 8)
    return {bits, llvm::ConstantInt::getAllOnesValue(bits->getType())};
  llvm::Value *shift =
      builder.CreateAnd(builder.CreateTrunc(offset, builder.getInt8Ty()), 7);
  llvm::Value *wanted =
      builder.CreateShl(builder.getInt8((1 << access.bytes) - 1), shift);
  return {builder.CreateAnd(bits, wanted), wanted};
}

void CheckBuilder::emitGlobalLoad(llvm::Value *address) {
  const GlobalMemory &memory = *context.options.memory;
  llvm::Value *bad = emitOffset(address);
  auto [bits, wanted] = emitBits(memory.getReadable());
  llvm::Value *ok = builder.CreateAnd(builder.CreateNot(bad),
                                      builder.CreateICmpEQ(bits, wanted));
  if (context.options.globalRaces) {
    // Pages that nothing has written in this launch need no look at words.
    llvm::Value *page = builder.CreateLoad(
        i32, elementOf(memory.getPageWriters(), i32,
                       builder.CreateLShr(offset, kWriterPageBits)));
    ok = builder.CreateAnd(
        ok,
        builder.CreateICmpULT(
            page, readMachineField(context, builder, &machine.window.floor)));
  }
  llvm::Instruction *slow = llvm::SplitBlockAndInsertIfThen(
      builder.CreateNot(ok), access.instruction->getIterator(),
      /*Unreachable=*/false,
      llvm::MDBuilder(context.getContext()).createUnlikelyBranchWeights());
  llvm::IRBuilder<> slowBuilder(slow);
  emitCall(slowBuilder, address, /*shared=*/false);
}

void CheckBuilder::emitGlobalStore(llvm::Value *address) {
  const GlobalMemory &memory = *context.options.memory;
  llvm::Value *bad = emitOffset(address);
  auto [bits, wanted] = emitBits(memory.getWritable());
  llvm::Value *ok = builder.CreateAnd(builder.CreateNot(bad),
                                      builder.CreateICmpEQ(bits, wanted));
  unsigned words = std::max<unsigned>(access.bytes / 4, 1);
  llvm::Value *current = nullptr, *entryPointer = nullptr, *entry = nullptr;
  llvm::Type *entryType =
      words == 1 ? i32 : llvm::FixedVectorType::get(i32, words);
  auto splat = [&](llvm::Value *value) {
    return words == 1 ? value : builder.CreateVectorSplat(words, value);
  };
  uint32_t mask = access.bytes >= 4 ? 15 : (1 << access.bytes) - 1;
  llvm::Value *masks = llvm::ConstantInt::get(entryType, mask);
  if (context.options.globalRaces) {
    current = readMachineField(context, builder, &machine.window.current);
    llvm::Value *floor =
        readMachineField(context, builder, &machine.window.floor);
    entryPointer =
        elementOf(memory.getWriters(), i32, builder.CreateLShr(offset, 2));
    entry = builder.CreateAlignedLoad(entryType, entryPointer, llvm::Align(4));
    llvm::Value *conflict =
        builder.CreateICmpULT(builder.CreateSub(entry, splat(floor)),
                              splat(builder.CreateSub(current, floor)));
    if (access.bytes < 4) {
      masks = builder.CreateShl(
          masks, builder.CreateAnd(builder.CreateTrunc(offset, i32), 3));
      conflict = builder.CreateAnd(
          conflict, builder.CreateICmpNE(builder.CreateAnd(entry, masks),
                                         builder.getInt32(0)));
    }
    if (words > 1)
      conflict = builder.CreateOrReduce(conflict);
    ok = builder.CreateAnd(ok, builder.CreateNot(conflict));
  }
  llvm::Instruction *fast = nullptr, *slow = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(ok, access.instruction->getIterator(),
                                      &fast, &slow, likely());
  llvm::IRBuilder<> slowBuilder(slow);
  emitCall(slowBuilder, address, /*shared=*/false);

  builder.SetInsertPoint(fast);
  llvm::Value *readable =
      elementOf(memory.getReadable(), builder.getInt8Ty(), bitIndex);
  llvm::Value *marks = wanted;
  if (access.bytes < 8)
    marks = builder.CreateOr(
        marks,
        builder.CreateAlignedLoad(getBitsType(), readable, llvm::Align(1)));
  builder.CreateAlignedStore(marks, readable, llvm::Align(1));
  if (!context.options.globalRaces)
    return;
  llvm::Value *fresh = splat(current);
  if (access.bytes < 4)
    // Keep the marks of the other bytes that this block has written.
    fresh = builder.CreateSelect(builder.CreateICmpUGE(entry, current), entry,
                                 current);
  builder.CreateAlignedStore(builder.CreateOr(fresh, masks), entryPointer,
                             llvm::Align(4));
  builder.CreateStore(current,
                      elementOf(memory.getPageWriters(), i32,
                                builder.CreateLShr(offset, kWriterPageBits)));
}

void CheckBuilder::emitSharedLoad(llvm::Value *address) {
  // The test passes when the bytes were written before the block's last barrier
  // and the load changes nothing in the record of reads.
  const SharedMemory &shared = machine.shared;
  uint64_t mask = kSharedArenaBytes - 1;
  unsigned shift = *context.options.sharedShift;
  unsigned cells = access.bytes >> shift;
  llvm::Type *type =
      cells == 1
          ? i32
          : static_cast<llvm::Type *>(llvm::FixedVectorType::get(i32, cells));
  auto splat = [&](llvm::Value *value) {
    return cells == 1 ? value : builder.CreateVectorSplat(cells, value);
  };
  auto constant = [&](uint32_t value) {
    return llvm::ConstantInt::get(type, value);
  };
  auto isZero = [&](llvm::Value *value) {
    return builder.CreateICmpEQ(value, constant(0));
  };
  llvm::Value *distance =
      builder.CreateSub(address, builder.getInt64(shared.getBase()));
  llvm::Value *inside = builder.CreateICmpEQ(
      builder.CreateAnd(distance, ~mask | (access.bytes - 1)),
      builder.getInt64(0));
  llvm::Value *cell =
      builder.CreateLShr(builder.CreateAnd(distance, mask), shift);
  llvm::Value *write = builder.CreateAlignedLoad(
      type, elementOf(shared.getWrites(), i32, cell), llvm::Align(4));
  llvm::Value *read = builder.CreateAlignedLoad(
      type, elementOf(shared.getReads(), i32, cell), llvm::Align(4));
  llvm::Value *start =
      readMachineField(context, builder, &shared.getStartTime());
  llvm::Value *barrier =
      readMachineField(context, builder, &shared.getBlockTime());
  llvm::Value *now =
      readThreadField(context, builder, offsetof(ThreadPlace, stamp));
  llvm::Value *written = builder.CreateICmpULT(
      builder.CreateSub(
          builder.CreateLShr(write, constant(SharedMemory::kTimeShift)),
          splat(start)),
      splat(builder.CreateSub(barrier, start)));
  // See SharedMemory::isCovered.
  llvm::Value *difference = builder.CreateXor(read, splat(now));
  auto has = [&](uint32_t flag) {
    return builder.CreateNot(isZero(builder.CreateAnd(read, constant(flag))));
  };
  llvm::Value *sameWarp =
      builder.CreateAnd(has(SharedMemory::kSeveralThreads),
                        isZero(builder.CreateAnd(
                            difference, constant(SharedMemory::kTimeAndWarp))));
  llvm::Value *manyWarps = builder.CreateAnd(
      has(SharedMemory::kSeveralWarps),
      builder.CreateICmpUGE(
          read, splat(builder.CreateShl(barrier, SharedMemory::kTimeShift))));
  llvm::Value *ok = builder.CreateAnd(
      written, builder.CreateOr(isZero(difference),
                                builder.CreateOr(sameWarp, manyWarps)));
  if (cells > 1)
    ok = builder.CreateAndReduce(ok);
  ok = builder.CreateAnd(ok, inside);
  llvm::Instruction *slow = llvm::SplitBlockAndInsertIfThen(
      builder.CreateNot(ok), access.instruction->getIterator(),
      /*Unreachable=*/false,
      llvm::MDBuilder(context.getContext()).createUnlikelyBranchWeights());
  llvm::IRBuilder<> slowBuilder(slow);
  emitCall(slowBuilder, address, /*shared=*/true);
}

void CheckBuilder::emit() {
  llvm::Value *address = builder.CreatePtrToInt(access.pointer, i64);
  bool shared = access.pointer->getType()->getPointerAddressSpace() == 3;
  uint64_t piece = getPieceBytes(access.bytes, access.align);
  if (shared || context.castsShared)
    context.noteSharedAccess(piece);
  std::optional<unsigned> shift = context.options.sharedShift;
  if (shared && access.action == Action::Load && piece == access.bytes &&
      context.options.inlineChecks && shift && piece >> *shift >= 1 &&
      piece >> *shift <= 4)
    return emitSharedLoad(address);
  if (shared || access.action == Action::Atomic || piece != access.bytes ||
      !context.options.inlineChecks)
    return emitCall(builder, address, shared);
  if (access.action == Action::Load)
    return emitGlobalLoad(address);
  emitGlobalStore(address);
}

/// Tells the profiler about an access.
static void profileAccess(uint64_t address, uint32_t bytes, uint32_t isStore,
                          uint32_t site) {
  Machine &m = machine;
  bool shared = m.shared.contains(address);
  if (!m.profiler || (!shared && !m.memory->contains(address)))
    return;
  RequestKind kind =
      shared ? (isStore ? RequestKind::SharedStore : RequestKind::SharedLoad)
             : (isStore ? RequestKind::GlobalStore : RequestKind::GlobalLoad);
  m.profiler->access(kind, site, m.current->warp, m.current->lane,
                     m.warps[m.current->warp].lanes, address, bytes);
}

static void emitProfile(RewriteContext &context, llvm::Instruction &before,
                        llvm::Value *pointer, uint64_t bytes, bool isStore,
                        uint32_t site) {
  // Constants come through a cache of their own: space 2 of SPIR, 4 of NVPTX.
  if (pointer->getType()->getPointerAddressSpace() ==
      (context.options.isMetal ? 2 : 4))
    return;
  llvm::IRBuilder<> builder(&before);
  context.callHost(builder, reinterpret_cast<void *>(profileAccess),
                   builder.getVoidTy(),
                   {builder.CreatePtrToInt(pointer, builder.getInt64Ty()),
                    builder.getInt32(bytes), builder.getInt32(isStore),
                    builder.getInt32(site)});
}

static void emitAccess(RewriteContext &context, const Access &access) {
  const llvm::Value *object = llvm::getUnderlyingObject(access.pointer);
  if (llvm::isa<llvm::AllocaInst>(object))
    return;
  unsigned space = access.pointer->getType()->getPointerAddressSpace();
  // Private memory: address space 0 of SPIR, 5 of NVPTX.
  if (space == (context.options.isMetal ? 0 : 5))
    return;
  if (auto *argument = llvm::dyn_cast<llvm::Argument>(object))
    if (argument->hasByValAttr())
      return;
  llvm::IRBuilder<> builder(access.instruction);
  if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
    if (!context.options.checks)
      return;
    uint64_t bytes =
        context.options.hostLayout.getTypeAllocSize(variable->getValueType());
    context.callHost(
        builder, reinterpret_cast<void *>(checkObject), builder.getVoidTy(),
        {builder.CreatePtrToInt(access.pointer, builder.getInt64Ty()),
         builder.getInt64(access.bytes),
         builder.CreatePtrToInt(const_cast<llvm::GlobalVariable *>(variable),
                                builder.getInt64Ty()),
         builder.getInt64(bytes), builder.getInt32(access.site)});
    return;
  }
  if (context.options.checks)
    CheckBuilder(context, access).emit();
  if (context.options.profile)
    emitProfile(context, *access.instruction, access.pointer, access.bytes,
                access.action != Action::Load, access.site);
}

/// Checks a memcpy, memmove or memset. One of a few bytes is the load and the
/// store that it stands for; the profile leaves larger ones out.
static void instrumentMemIntrinsic(RewriteContext &context,
                                   llvm::MemIntrinsic &intrinsic,
                                   uint32_t site) {
  auto *length = llvm::dyn_cast<llvm::ConstantInt>(intrinsic.getLength());
  auto check = [&](llvm::Value *pointer, llvm::MaybeAlign align,
                   Action action) {
    unsigned space = pointer->getType()->getPointerAddressSpace();
    const llvm::Value *object = llvm::getUnderlyingObject(pointer);
    if (llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(object) ||
        space == (context.options.isMetal ? 0 : 5))
      return;
    uint64_t piece =
        length && !length->isZero()
            ? getPieceBytes(length->getZExtValue(), align.valueOrOne())
            : 1;
    if (space == 3 || context.castsShared)
      context.noteSharedAccess(piece);
    bool isStore = action == Action::Store;
    // The load has a number of its own beside the store's.
    if (context.options.profile && length && !length->isZero() &&
        length->getZExtValue() <= 16)
      emitProfile(context, intrinsic, pointer, length->getZExtValue(), isStore,
                  isStore ? site : site | 1u << 31);
    if (!context.options.checks)
      return;
    llvm::IRBuilder<> builder(&intrinsic);
    context.callHost(
        builder, reinterpret_cast<void *>(isStore ? checkStore : checkLoad),
        builder.getVoidTy(),
        {builder.CreatePtrToInt(pointer, builder.getInt64Ty()),
         builder.CreateTrunc(intrinsic.getLength(), builder.getInt32Ty()),
         builder.getInt32(piece), builder.getInt32(site)});
  };
  if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&intrinsic))
    check(transfer->getRawSource(), transfer->getSourceAlign(), Action::Load);
  check(intrinsic.getRawDest(), intrinsic.getDestAlign(), Action::Store);
}

void mlir::fusion::emulator::instrumentAccess(RewriteContext &context,
                                              llvm::Instruction &instruction,
                                              uint32_t site) {
  const llvm::DataLayout &layout = context.options.hostLayout;
  auto access = [&](llvm::Value *pointer, llvm::Type *type, llvm::Align align,
                    Action action) {
    emitAccess(context, {&instruction, pointer,
                         layout.getTypeStoreSize(type).getFixedValue(), align,
                         action, site});
  };
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    // The host must not move the load before its check.
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, nullptr);
    return access(load->getPointerOperand(), load->getType(), load->getAlign(),
                  Action::Load);
  }
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return access(store->getPointerOperand(),
                  store->getValueOperand()->getType(), store->getAlign(),
                  Action::Store);
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return access(atomic->getPointerOperand(), atomic->getType(),
                  atomic->getAlign(), Action::Atomic);
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return access(exchange->getPointerOperand(),
                  exchange->getCompareOperand()->getType(),
                  exchange->getAlign(), Action::Atomic);
  if (auto *intrinsic = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
    instrumentMemIntrinsic(context, *intrinsic, site);
}
