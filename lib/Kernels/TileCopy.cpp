//===- TileCopy.cpp - From an operand into shared memory ------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds are kept without branches: a position outside of them is clamped to
// one inside, and the value read there is replaced by zero (or not read at all
// by an asynchronous copy of no bytes).
//
//===----------------------------------------------------------------------===//

#include "fusion/Kernels/KernelBuilder.h"
#include "fusion/Kernels/OperandAccess.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

/// Bytes of the widest access to memory.
static constexpr int64_t kMaxCopyBytes = 16;
/// Copies of one thread that are written out; more become a loop.
static constexpr int64_t kMaxUnrolledCopies = 16;

Value OperandAccess::getElement(OpBuilder &builder, Location loc,
                                ValueRange batch, Value row,
                                Value column) const {
  if (!isPlain())
    return load(builder, loc, batch, row, column);
  return memref::LoadOp::create(builder, loc, buffer,
                                offset(builder, loc, batch, row, column));
}

namespace {

/// Emits one tile's copy. "Major" runs over the rows of the tile as stored,
/// "minor" along them.
class TileCopyEmitter {
public:
  TileCopyEmitter(OpBuilder &builder, Location loc, const TileCopy &copy)
      : builder(builder), loc(loc), kb(builder, loc), copy(copy),
        access(*copy.access), width(getTileCopyWidth(copy)) {}

  void emit();

private:
  /// Copies the piece of the tile that starts at (`major`, `minor`).
  void emitPiece(Value major, Value minor);
  /// Copies the thread's piece number `iteration` (a constant or a value).
  void emitIteration(Value iteration, bool mayExceed);

  OpBuilder &builder;
  Location loc;
  KernelBuilder kb;
  const TileCopy &copy;
  const OperandAccess &access;
  int64_t width;
};

} // namespace

/// Whether the operand is contiguous along the rows of the tile as stored.
static bool isMinorContiguous(const TileCopy &copy) {
  return copy.access->contiguous == (copy.transposed
                                         ? OperandAccess::Contiguous::Row
                                         : OperandAccess::Contiguous::Column);
}

static int64_t getElementBytes(Type type) {
  if (type.isIndex())
    return 8;
  return std::max<int64_t>(type.getIntOrFloatBitWidth() / 8, 1);
}

int64_t mlir::fusion::getTileCopyWidth(const TileCopy &copy) {
  const OperandAccess &access = *copy.access;
  if (!access.isPlain() || !isMinorContiguous(copy) ||
      access.elementType.isInteger(1) || access.elementType.isIndex())
    return 1;
  int64_t width = std::min(access.alignment, kMaxCopyBytes) /
                  getElementBytes(access.elementType);
  // Neither the tile's rows nor the operand's end may cut a piece.
  auto fits = [&](int64_t size) { return size % width == 0; };
  Value end = copy.transposed ? copy.endRow : copy.endColumn;
  int64_t limit = end ? KernelBuilder::getConstant(end).value_or(1) : 0;
  while (width > 1 &&
         !(fits(limit) && fits(copy.layout.columns) && fits(copy.layout.chunk)))
    width /= 2;
  return std::max<int64_t>(width, 1);
}

void TileCopyEmitter::emitPiece(Value major, Value minor) {
  Value target = copy.layout.getOffset(builder, loc, major, minor);
  if (copy.base)
    target = kb.add(target, copy.base);

  Value row = copy.transposed ? minor : major;
  Value column = copy.transposed ? major : minor;
  if (copy.firstRow)
    row = kb.add(row, copy.firstRow);
  if (copy.firstColumn)
    column = kb.add(column, copy.firstColumn);
  Value inBounds;
  auto clamp = [&](Value &position, Value end) {
    if (!end)
      return;
    Value less = kb.less(position, end);
    inBounds = inBounds ? kb.logicalAnd(inBounds, less) : less;
    // The last position that a whole piece may start at. A piece is either
    // inside or outside, for ends along it are multiples of its width.
    bool isAlong = (&position == &row) == copy.transposed;
    position = kb.min(position, kb.sub(end, kb.index(isAlong ? width : 1)));
  };
  clamp(row, copy.endRow);
  clamp(column, copy.endColumn);

  if (width == 1) {
    Value element = access.getElement(builder, loc, copy.batch, row, column);
    if (inBounds)
      element = kb.select(inBounds, element, kb.zero(access.elementType));
    memref::StoreOp::create(builder, loc, element, copy.memory, target);
    return;
  }

  Value source = access.offset(builder, loc, copy.batch, row, column);
  int64_t bytes = width * getElementBytes(access.elementType);
  if (copy.async && bytes >= 4) {
    Value elements;
    if (inBounds)
      elements = kb.select(inBounds, kb.index(width), kb.index(0));
    nvgpu::DeviceAsyncCopyOp::create(
        builder, loc, nvgpu::DeviceAsyncTokenType::get(builder.getContext()),
        copy.memory, target, access.buffer, source, builder.getIndexAttr(width),
        elements, bytes == kMaxCopyBytes ? builder.getUnitAttr() : UnitAttr());
    return;
  }
  auto type = VectorType::get({width}, access.elementType);
  llvm::MaybeAlign alignment(bytes);
  Value elements =
      vector::LoadOp::create(builder, loc, type, access.buffer, source,
                             /*nontemporal=*/false, alignment);
  if (inBounds)
    elements = kb.select(inBounds, elements, kb.zero(type));
  vector::StoreOp::create(builder, loc, elements, copy.memory, target,
                          /*nontemporal=*/false, alignment);
}

void TileCopyEmitter::emitIteration(Value iteration, bool mayExceed) {
  int64_t rows = copy.layout.rows;
  int64_t pieces = copy.layout.columns / width;
  // Neighbouring threads take neighbouring elements of the operand.
  bool majorFirst = access.contiguous != OperandAccess::Contiguous::None &&
                    !isMinorContiguous(copy);
  int64_t fast = majorFirst ? rows : pieces;
  int64_t slow = majorFirst ? pieces : rows;
  Value fastIndex, slowIndex, inTile;
  if (copy.threads % fast == 0) {
    fastIndex = kb.rem(copy.thread, fast);
    slowIndex = kb.add(kb.div(copy.thread, fast),
                       kb.mul(iteration, copy.threads / fast));
    if (mayExceed)
      inTile = kb.less(slowIndex, kb.index(slow));
  } else {
    Value piece = kb.add(copy.thread, kb.mul(iteration, copy.threads));
    fastIndex = kb.rem(piece, fast);
    slowIndex = kb.div(piece, fast);
    if (mayExceed)
      inTile = kb.less(piece, kb.index(rows * pieces));
  }
  Value major = majorFirst ? fastIndex : slowIndex;
  Value minor = kb.mul(majorFirst ? slowIndex : fastIndex, width);
  if (!inTile)
    return emitPiece(major, minor);
  auto ifOp = scf::IfOp::create(builder, loc, inTile);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(ifOp.thenYield());
  emitPiece(major, minor);
}

void TileCopyEmitter::emit() {
  int64_t total = copy.layout.rows * (copy.layout.columns / width);
  int64_t whole = total / copy.threads;
  if (whole <= kMaxUnrolledCopies) {
    for (int64_t i = 0; i < whole; ++i)
      emitIteration(kb.index(i), /*mayExceed=*/false);
  } else {
    auto loop = scf::ForOp::create(builder, loc, kb.index(0), kb.index(whole),
                                   kb.index(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    emitIteration(loop.getInductionVar(), /*mayExceed=*/false);
  }
  if (total % copy.threads != 0)
    emitIteration(kb.index(whole), /*mayExceed=*/true);
}

void mlir::fusion::buildTileCopy(OpBuilder &builder, Location loc,
                                 const TileCopy &copy) {
  if (copy.layout.rows > 0 && copy.layout.columns > 0)
    TileCopyEmitter(builder, loc, copy).emit();
}
