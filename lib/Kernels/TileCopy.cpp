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
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

/// Bytes of the widest access to memory.
static constexpr int64_t kMaxCopyBytes = 16;
/// Bytes of the narrowest asynchronous copy.
static constexpr int64_t kMinAsyncBytes = 4;
/// Where pieces go to different rows of the tile, threads take this many pieces
/// side by side, a sector of memory, and then go on to the next row of the
/// operand: 32 threads then store to 32 different banks.
static constexpr int64_t kScatteredPieces = 2;
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
  if (access.contiguous == OperandAccess::Contiguous::None ||
      !(access.isPlain() || access.loadVector) ||
      access.elementType.isInteger(1) || access.elementType.isIndex())
    return 1;
  int64_t width = std::min(std::min(access.alignment, kMaxCopyBytes) /
                               getElementBytes(access.elementType),
                           copy.maxWidth);
  // Neither the tile's extent nor the operand's end may cut a piece.
  bool isMinor = isMinorContiguous(copy);
  Value end = isMinor == copy.transposed ? copy.endRow : copy.endColumn;
  int64_t limit = end ? KernelBuilder::getConstant(end).value_or(1) : 0;
  int64_t extent = isMinor ? copy.layout.columns : copy.layout.rows;
  auto fits = [&](int64_t size) { return size % width == 0; };
  while (width > 1 && !(fits(limit) && fits(extent) &&
                        (!isMinor || fits(copy.layout.chunk))))
    width /= 2;
  return std::max<int64_t>(width, 1);
}

bool mlir::fusion::isAsyncTileCopy(const TileCopy &copy) {
  int64_t bytes =
      getTileCopyWidth(copy) * getElementBytes(copy.access->elementType);
  return copy.async && copy.access->isPlain() && isMinorContiguous(copy) &&
         bytes >= kMinAsyncBytes;
}

namespace {

/// Emits one tile's copy. "Major" runs over the rows of the tile as stored,
/// "minor" along them. A piece is a vector of neighbours in the operand's
/// memory; neighbouring threads take neighbouring pieces.
class TileCopyEmitter {
public:
  TileCopyEmitter(OpBuilder &builder, Location loc, const TileCopy &copy)
      : builder(builder), loc(loc), kb(builder, loc), copy(copy),
        access(*copy.access), width(getTileCopyWidth(copy)),
        isMinor(isMinorContiguous(copy)) {
    int64_t rows = copy.layout.rows, columns = copy.layout.columns;
    isMajorFast =
        access.contiguous != OperandAccess::Contiguous::None && !isMinor;
    fast = isMajorFast ? rows / width : columns / width;
    slow = isMajorFast ? columns : rows;
  }

  int64_t getNumPieces() const { return fast * slow; }
  int64_t getNumWholeRounds() const { return getNumPieces() / copy.threads; }
  bool hasPartialRound() const { return getNumPieces() % copy.threads != 0; }

  /// Copies the thread's piece of a round; `isWhole` says that every thread has
  /// one.
  void copyPiece(Value round, bool isWhole);
  Value loadPiece(Value round, bool isWhole);
  void storePiece(Value round, bool isWhole, Value piece);

private:
  /// Where a thread's piece lies in the tile.
  struct Position {
    Value major, minor;
    /// Whether the thread has a piece; null if it surely does.
    Value isInTile;
  };
  Position locate(Value round, bool isWhole);
  /// Moves `position` into the operand's bounds; the condition that it was
  /// inside, null if it surely was.
  Value clamp(const Position &position, Value &row, Value &column);
  Value load(const Position &position);
  void store(const Position &position, Value piece);
  void copyAsync(const Position &position);
  Value getTarget(const Position &position);
  Type getPieceType() const { return getStagedPieceType(copy); }

  OpBuilder &builder;
  Location loc;
  KernelBuilder kb;
  const TileCopy &copy;
  const OperandAccess &access;
  int64_t width;
  bool isMinor, isMajorFast;
  /// Pieces along the dimension that neighbouring threads follow, and elements
  /// along the other.
  int64_t fast, slow;
};

} // namespace

TileCopyEmitter::Position TileCopyEmitter::locate(Value round, bool isWhole) {
  Position position;
  Value fastIndex, slowIndex;
  if (isMajorFast && width > 1 && fast % kScatteredPieces == 0) {
    Value piece = kb.add(copy.thread, kb.mul(round, copy.threads));
    Value group = kb.div(piece, kScatteredPieces);
    slowIndex = kb.rem(group, slow);
    fastIndex = kb.add(kb.mul(kb.div(group, slow), kScatteredPieces),
                       kb.rem(piece, kScatteredPieces));
    if (!isWhole)
      position.isInTile = kb.less(piece, kb.index(getNumPieces()));
  } else if (copy.threads % fast == 0) {
    fastIndex = kb.rem(copy.thread, fast);
    slowIndex =
        kb.add(kb.div(copy.thread, fast), kb.mul(round, copy.threads / fast));
    if (!isWhole)
      position.isInTile = kb.less(slowIndex, kb.index(slow));
  } else {
    Value piece = kb.add(copy.thread, kb.mul(round, copy.threads));
    fastIndex = kb.rem(piece, fast);
    slowIndex = kb.div(piece, fast);
    if (!isWhole)
      position.isInTile = kb.less(piece, kb.index(getNumPieces()));
  }
  fastIndex = kb.mul(fastIndex, width);
  position.major = isMajorFast ? fastIndex : slowIndex;
  position.minor = isMajorFast ? slowIndex : fastIndex;
  return position;
}

Value TileCopyEmitter::clamp(const Position &position, Value &row,
                             Value &column) {
  row = copy.transposed ? position.minor : position.major;
  column = copy.transposed ? position.major : position.minor;
  if (copy.firstRow)
    row = kb.add(row, copy.firstRow);
  if (copy.firstColumn)
    column = kb.add(column, copy.firstColumn);
  Value isInside;
  auto clampOne = [&](Value &index, Value end, bool isAlong) {
    if (!end)
      return;
    Value isLess = kb.less(index, end);
    isInside = isInside ? kb.logicalAnd(isInside, isLess) : isLess;
    // The last position that a whole piece may start at. A piece is either
    // inside or outside, for ends along it are multiples of its width.
    index = kb.min(index, kb.sub(end, kb.index(isAlong ? width : 1)));
  };
  using Contiguous = OperandAccess::Contiguous;
  clampOne(row, copy.endRow, access.contiguous == Contiguous::Row);
  clampOne(column, copy.endColumn, access.contiguous == Contiguous::Column);
  return isInside;
}

Value TileCopyEmitter::getTarget(const Position &position) {
  Value target =
      copy.layout.getOffset(builder, loc, position.major, position.minor);
  return copy.base ? kb.add(target, copy.base) : target;
}

Value TileCopyEmitter::load(const Position &position) {
  Value row, column;
  Value isInside = clamp(position, row, column);
  Value piece;
  if (width == 1)
    piece = access.getElement(builder, loc, copy.batch, row, column);
  else if (!access.isPlain())
    piece = access.loadVector(builder, loc, copy.batch, row, column, width);
  else
    piece = vector::LoadOp::create(
        builder, loc, cast<VectorType>(getPieceType()), access.buffer,
        access.offset(builder, loc, copy.batch, row, column),
        /*nontemporal=*/false,
        llvm::MaybeAlign(width * getElementBytes(access.elementType)));
  if (isInside)
    piece = kb.select(isInside, piece, kb.zero(piece.getType()));
  return piece;
}

void TileCopyEmitter::store(const Position &position, Value piece) {
  Value target = getTarget(position);
  if (width == 1) {
    memref::StoreOp::create(builder, loc, piece, copy.memory, target);
    return;
  }
  if (isMinor) {
    vector::StoreOp::create(
        builder, loc, piece, copy.memory, target, /*nontemporal=*/false,
        llvm::MaybeAlign(width * getElementBytes(access.elementType)));
    return;
  }
  // Neighbours in the operand go to different rows of the tile.
  for (int64_t i = 0; i < width; ++i) {
    Position element = position;
    element.major = kb.add(position.major, i);
    memref::StoreOp::create(builder, loc,
                            vector::ExtractOp::create(builder, loc, piece, i),
                            copy.memory, getTarget(element));
  }
}

void TileCopyEmitter::copyAsync(const Position &position) {
  Value row, column;
  Value isInside = clamp(position, row, column);
  Value elements;
  if (isInside)
    elements = kb.select(isInside, kb.index(width), kb.index(0));
  Value source = access.offset(builder, loc, copy.batch, row, column);
  bool isWidest = width * getElementBytes(access.elementType) == kMaxCopyBytes;
  nvgpu::DeviceAsyncCopyOp::create(
      builder, loc, nvgpu::DeviceAsyncTokenType::get(builder.getContext()),
      copy.memory, getTarget(position), access.buffer, source,
      builder.getIndexAttr(width), elements,
      isWidest ? builder.getUnitAttr() : UnitAttr());
}

void TileCopyEmitter::copyPiece(Value round, bool isWhole) {
  Position position = locate(round, isWhole);
  auto emit = [&](OpBuilder &) {
    if (isAsyncTileCopy(copy))
      copyAsync(position);
    else
      store(position, load(position));
  };
  if (position.isInTile)
    buildIf(builder, loc, position.isInTile, emit);
  else
    emit(builder);
}

Value TileCopyEmitter::loadPiece(Value round, bool isWhole) {
  Position position = locate(round, isWhole);
  if (!position.isInTile)
    return load(position);
  auto ifOp = scf::IfOp::create(builder, loc, TypeRange{getPieceType()},
                                position.isInTile, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  scf::YieldOp::create(builder, loc, load(position));
  builder.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(builder, loc, kb.zero(getPieceType()));
  return ifOp.getResult(0);
}

void TileCopyEmitter::storePiece(Value round, bool isWhole, Value piece) {
  Position position = locate(round, isWhole);
  auto emit = [&](OpBuilder &) { store(position, piece); };
  if (position.isInTile)
    buildIf(builder, loc, position.isInTile, emit);
  else
    emit(builder);
}

static bool isEmpty(const TileCopy &copy) {
  return copy.layout.rows == 0 || copy.layout.columns == 0;
}

void mlir::fusion::buildTileCopy(OpBuilder &builder, Location loc,
                                 const TileCopy &copy) {
  if (isEmpty(copy))
    return;
  KernelBuilder kb(builder, loc);
  TileCopyEmitter emitter(builder, loc, copy);
  int64_t rounds = emitter.getNumWholeRounds();
  if (rounds <= kMaxUnrolledCopies) {
    for (int64_t i = 0; i < rounds; ++i)
      emitter.copyPiece(kb.index(i), /*isWhole=*/true);
  } else {
    auto loop = scf::ForOp::create(builder, loc, kb.index(0), kb.index(rounds),
                                   kb.index(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    emitter.copyPiece(loop.getInductionVar(), /*isWhole=*/true);
  }
  if (emitter.hasPartialRound())
    emitter.copyPiece(kb.index(rounds), /*isWhole=*/false);
}

bool mlir::fusion::canStageTile(const TileCopy &copy) {
  // A computed element may take much code; once for each piece is too much
  // unless pieces are vectors.
  bool isCheap = copy.access->isPlain() || getTileCopyWidth(copy) > 1;
  return isCheap && getNumStagedPieces(copy) <= kMaxUnrolledCopies;
}

int64_t mlir::fusion::getNumStagedPieces(const TileCopy &copy) {
  int64_t pieces =
      copy.layout.rows * copy.layout.columns / getTileCopyWidth(copy);
  return llvm::divideCeil(pieces, copy.threads);
}

Type mlir::fusion::getStagedPieceType(const TileCopy &copy) {
  Type type = copy.access->elementType;
  int64_t width = getTileCopyWidth(copy);
  return width == 1 ? type : VectorType::get({width}, type);
}

SmallVector<Value> mlir::fusion::buildTileLoad(OpBuilder &builder, Location loc,
                                               const TileCopy &copy) {
  SmallVector<Value> pieces;
  if (isEmpty(copy))
    return pieces;
  KernelBuilder kb(builder, loc);
  TileCopyEmitter emitter(builder, loc, copy);
  int64_t rounds = emitter.getNumWholeRounds();
  for (int64_t i = 0; i < rounds; ++i)
    pieces.push_back(emitter.loadPiece(kb.index(i), /*isWhole=*/true));
  if (emitter.hasPartialRound())
    pieces.push_back(emitter.loadPiece(kb.index(rounds), /*isWhole=*/false));
  return pieces;
}

void mlir::fusion::buildTileStore(OpBuilder &builder, Location loc,
                                  const TileCopy &copy, ValueRange pieces) {
  KernelBuilder kb(builder, loc);
  TileCopyEmitter emitter(builder, loc, copy);
  int64_t rounds = emitter.getNumWholeRounds();
  for (auto [i, piece] : llvm::enumerate(pieces))
    emitter.storePiece(kb.index(i), static_cast<int64_t>(i) < rounds, piece);
}
