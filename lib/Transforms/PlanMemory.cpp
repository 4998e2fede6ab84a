//===- PlanMemory.cpp - One arena for intermediates -----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Static buffers are placed by decreasing size at the lowest offset that is
// free during their life (greedy by size: Pisarchyk and Lee, "Efficient Memory
// Management for Deep Neural Net Inference", arXiv:2001.03288). Buffers of
// dynamic size follow behind; one whose life has ended gives its place to
// another of the same size expression.
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/PlanMemory.h"
#include "fusion/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_FUSIONPLANMEMORY
#include "fusion/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

/// Buffers start at multiples of a cache line pair, enough for any vector.
static constexpr int64_t kAlignment = 256;

namespace {
struct Buffer {
  memref::AllocOp alloc;
  unsigned first, last; // positions of the first and the last use
  int64_t bytes = -1;   // -1: dynamic
  int64_t offset = 0;
};

struct PlanMemory : fusion::impl::FusionPlanMemoryBase<PlanMemory> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(planMemory(getOperation())))
      signalPassFailure();
  }
};
} // namespace

/// The uses of a buffer, through views; false if it is returned.
static bool collectUses(Value buffer, Block *block,
                        const llvm::DenseMap<Operation *, unsigned> &positions,
                        unsigned &first, unsigned &last) {
  for (Operation *user : buffer.getUsers()) {
    if (user->hasTrait<OpTrait::IsTerminator>())
      return false;
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    unsigned position = positions.lookup(ancestor);
    first = std::min(first, position);
    last = std::max(last, position);
    for (Value result : user->getResults())
      if (isa<MemRefType>(result.getType()) &&
          !collectUses(result, block, positions, first, last))
        return false;
  }
  return true;
}

LogicalResult fusion::planMemory(func::FuncOp func) {
  if (func.isExternal() || !func.getBody().hasOneBlock())
    return success();
  Block &block = func.getBody().front();
  llvm::DenseMap<Operation *, unsigned> positions;
  for (auto [i, op] : llvm::enumerate(block))
    positions[&op] = i;
  SmallVector<Buffer> buffers;
  SmallVector<memref::AllocOp> allocs(block.getOps<memref::AllocOp>());
  for (memref::AllocOp alloc : allocs) {
    Buffer buffer{alloc, ~0u, 0};
    if (!collectUses(alloc, &block, positions, buffer.first, buffer.last))
      continue;
    if (buffer.first > buffer.last) { // never used
      alloc.erase();
      continue;
    }
    // What is prepared once must outlive every run.
    for (Operation *user : alloc->getUsers())
      if (user->hasAttr(kPrepareAttrName)) {
        buffer.first = 0;
        buffer.last = ~0u;
      }
    MemRefType type = alloc.getType();
    if (type.hasStaticShape()) {
      int64_t bytes = getMemoryBytes(type.getElementType());
      for (int64_t dim : type.getShape())
        if (llvm::MulOverflow(bytes, dim, bytes))
          return alloc.emitError("a tensor has more than 2^63 bytes; make it "
                                 "smaller");
      buffer.bytes = bytes;
    }
    buffers.push_back(buffer);
  }
  if (buffers.empty())
    return success();

  SmallVector<Buffer *> order;
  for (Buffer &buffer : buffers)
    if (buffer.bytes >= 0)
      order.push_back(&buffer);
  llvm::sort(order, [](Buffer *a, Buffer *b) {
    return std::make_tuple(-a->bytes, a->first, a) <
           std::make_tuple(-b->bytes, b->first, b);
  });
  int64_t arena = 0;
  SmallVector<Buffer *> placed; // by offset
  for (Buffer *buffer : order) {
    int64_t offset = 0;
    for (Buffer *other : placed) {
      if (other->last < buffer->first || buffer->last < other->first)
        continue;
      if (offset + buffer->bytes <= other->offset)
        break;
      offset = std::max(offset, static_cast<int64_t>(llvm::alignTo(
                                    other->offset + other->bytes, kAlignment)));
    }
    buffer->offset = offset;
    arena = std::max(arena, offset + buffer->bytes);
    placed.insert(llvm::upper_bound(placed, buffer,
                                    [](Buffer *a, Buffer *b) {
                                      return a->offset < b->offset;
                                    }),
                  buffer);
  }

  OpBuilder builder(func.getContext());
  Location loc = func.getLoc();
  auto arenaType = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type());
  // Dynamic buffers: slots by element type, static sizes and size operands.
  struct Slot {
    memref::AllocOp first;
    unsigned last;
    Value offset;
  };
  SmallVector<Slot> slots;
  llvm::DenseMap<Operation *, unsigned> slotOf;
  SmallVector<Buffer *> dynamic;
  for (Buffer &buffer : buffers)
    if (buffer.bytes < 0)
      dynamic.push_back(&buffer);
  llvm::sort(dynamic, [](Buffer *a, Buffer *b) {
    return std::make_pair(a->first, a) < std::make_pair(b->first, b);
  });
  for (Buffer *buffer : dynamic) {
    bool found = false;
    for (auto [i, slot] : llvm::enumerate(slots))
      if (slot.first.getType() == buffer->alloc.getType() &&
          slot.first.getDynamicSizes() == buffer->alloc.getDynamicSizes() &&
          slot.last < buffer->first) {
        slot.last = buffer->last;
        slotOf[buffer->alloc] = i;
        found = true;
        break;
      }
    if (found)
      continue;
    slotOf[buffer->alloc] = slots.size();
    slots.push_back({buffer->alloc, buffer->last, Value()});
  }
  // The arena must follow the values that its size depends on, and precede
  // every use: sizes come from arguments, so move what computes them up.
  llvm::SetVector<Operation *> sizeOps;
  std::function<void(Value)> collect = [&](Value value) {
    Operation *def = value.getDefiningOp();
    if (!def || sizeOps.contains(def))
      return;
    for (Value operand : def->getOperands())
      collect(operand);
    sizeOps.insert(def);
  };
  for (Slot &slot : slots)
    for (Value size : slot.first.getDynamicSizes())
      collect(size);
  Operation *anchor = nullptr;
  for (Operation *op : sizeOps) {
    if (anchor)
      op->moveAfter(anchor);
    else
      op->moveBefore(&block, block.begin());
    anchor = op;
  }
  if (anchor)
    builder.setInsertionPointAfter(anchor);
  else
    builder.setInsertionPointToStart(&block);
  Value end = arith::ConstantIndexOp::create(builder, loc,
                                             llvm::alignTo(arena, kAlignment));
  Value alignment = arith::ConstantIndexOp::create(builder, loc, kAlignment);
  for (Slot &slot : slots) {
    slot.offset = end;
    MemRefType type = slot.first.getType();
    int64_t scale = getMemoryBytes(type.getElementType());
    for (int64_t dim : type.getShape())
      if (!ShapedType::isDynamic(dim))
        scale *= dim;
    Value bytes = arith::ConstantIndexOp::create(builder, loc, scale);
    for (Value size : slot.first.getDynamicSizes())
      bytes = arith::MulIOp::create(builder, loc, bytes, size);
    Value lines = arith::CeilDivSIOp::create(builder, loc, bytes, alignment);
    Value rounded = arith::MulIOp::create(builder, loc, lines, alignment);
    end = arith::AddIOp::create(builder, loc, end, rounded);
  }
  Value memory =
      memref::AllocOp::create(builder, loc, arenaType, ValueRange{end},
                              builder.getI64IntegerAttr(kAlignment));
  for (Buffer &buffer : buffers) {
    builder.setInsertionPoint(buffer.alloc);
    Value offset;
    if (buffer.bytes >= 0)
      offset = arith::ConstantIndexOp::create(builder, loc, buffer.offset);
    else
      offset = slots[slotOf[buffer.alloc]].offset;
    Value view = memref::ViewOp::create(
        builder, buffer.alloc.getLoc(),
        MemRefType::get(buffer.alloc.getType().getShape(),
                        buffer.alloc.getType().getElementType()),
        memory, offset, buffer.alloc.getDynamicSizes());
    buffer.alloc.replaceAllUsesWith(view);
    buffer.alloc.erase();
  }
  return success();
}
