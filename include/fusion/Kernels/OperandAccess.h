//===- OperandAccess.h - How a kernel reads an operand ----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernel templates know an operand as a stack of matrices: some batch indices,
// a row and a column. Where an element lies, or what computes it, is the
// caller's affair: `OperandAccess` is the answer, and `buildTileCopy` brings a
// rectangle of such an operand into shared memory in the widest way that the
// answer allows.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_KERNELS_OPERANDACCESS_H
#define FUSION_KERNELS_OPERANDACCESS_H

#include "fusion/Kernels/MatrixUnit.h"
#include "mlir/IR/Builders.h"
#include <functional>

namespace mlir::fusion {

/// How a kernel reads one operand. Either the operand is plain memory (`buffer`
/// and `offset`), or its elements are computed where they are needed (`load`).
struct OperandAccess {
  /// Builds a value from the batch indices, the row and the column.
  using ElementFn =
      std::function<Value(OpBuilder &builder, Location loc, ValueRange batch,
                          Value row, Value column)>;

  /// The dimension along which neighbours are neighbours in memory.
  enum class Contiguous { None, Row, Column };

  /// The type of the elements, in memory and as `load` returns them.
  Type elementType;

  /// A one-dimensional memref of `elementType`; null if `load` is to be used.
  Value buffer;
  /// The position in `buffer` of an element, an index.
  ElementFn offset;
  /// Contiguous::Row: elements of one column lie side by side, and so on.
  Contiguous contiguous = Contiguous::None;
  /// Every element whose position along the contiguous dimension is a multiple
  /// of `alignment / size of the element` has an address that is a multiple of
  /// `alignment` bytes. A power of two; 0 means no more than the element's own.
  int64_t alignment = 0;

  /// Computes the element's value. Called for positions in bounds only.
  ElementFn load;
  /// Optional, beside `load`: computes a vector of `width` neighbours along the
  /// contiguous dimension, from the position on, which is a multiple of
  /// `width`. Asked for vectors of up to `alignment` bytes.
  std::function<Value(OpBuilder &builder, Location loc, ValueRange batch,
                      Value row, Value column, int64_t width)>
      loadVector;

  bool isPlain() const { return static_cast<bool>(buffer); }

  /// Reads one element, whichever way.
  Value getElement(OpBuilder &builder, Location loc, ValueRange batch,
                   Value row, Value column) const;
};

/// A rectangle of an operand and where it goes in shared memory.
struct TileCopy {
  /// The operand, and which of its matrices.
  const OperandAccess *access = nullptr;
  ValueRange batch;

  /// The operand's row and column that the tile starts at; null means 0. With a
  /// `transposed` tile, rows of the tile are columns of the operand.
  Value firstRow, firstColumn;
  /// The first row and column of the operand that must not be read: the tile
  /// gets zeros there. Null means that the whole tile is in bounds. They must
  /// exceed `firstRow` and `firstColumn`.
  Value endRow, endColumn;
  bool transposed = false;

  /// The destination: a tile laid out as `layout` from element `base` (null: 0)
  /// of `memory`.
  SharedLayout layout;
  Value memory, base;

  /// The thread's index among the `threads` that share the work.
  Value thread;
  int64_t threads = 0;
  /// The longest vector to move at a time; longer ones would be split.
  int64_t maxWidth = 16;
  /// Whether the target has asynchronous copies. Where they serve, the copy is
  /// started and the caller commits and waits.
  bool async = false;
};

/// Copies a tile of an operand into shared memory, zeros outside its bounds.
/// Does not synchronise.
void buildTileCopy(OpBuilder &builder, Location loc, const TileCopy &copy);

/// The number of elements that `buildTileCopy` moves at a time.
int64_t getTileCopyWidth(const TileCopy &copy);

/// Whether `buildTileCopy` makes an asynchronous copy.
bool isAsyncTileCopy(const TileCopy &copy);

/// Whether a tile is small enough to be copied in two steps: into registers and
/// from there into shared memory.
bool canStageTile(const TileCopy &copy);

/// The number and the type of the values that `buildTileLoad` gives.
int64_t getNumStagedPieces(const TileCopy &copy);
Type getStagedPieceType(const TileCopy &copy);

/// The first step: loads the thread's share of the tile, one value for each
/// piece. `memory` and `base` are not used.
SmallVector<Value> buildTileLoad(OpBuilder &builder, Location loc,
                                 const TileCopy &copy);

/// The second step: stores what `buildTileLoad` has loaded.
void buildTileStore(OpBuilder &builder, Location loc, const TileCopy &copy,
                    ValueRange pieces);

} // namespace mlir::fusion

#endif // FUSION_KERNELS_OPERANDACCESS_H
