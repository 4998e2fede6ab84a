//===- TileColumns.h - Which columns a tile holds ---------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An epilogue that needs other columns of a row (a rotation mixes the halves of
// a head) finds them in the block's tile. A tile as wide as a group of columns,
// or wider, holds whole groups. A narrower one takes an equal piece of each
// part of a group: 8 columns of a head of 128 are 4 of the first half and the 4
// that belong to them of the second.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_KERNELS_TILECOLUMNS_H
#define FUSION_LIB_KERNELS_TILECOLUMNS_H

#include "fusion/Analysis/ElementFlow.h"
#include "mlir/IR/Builders.h"

namespace mlir::fusion {

/// Maps positions, by which a template counts columns, to the columns of the
/// product, so that every tile of `tile` positions holds all the columns of a
/// group that belong together.
class TileColumns {
public:
  /// Every position is its column.
  TileColumns() = default;
  TileColumns(ColumnGroup group, int64_t tile) : group(group), tile(tile) {}

  /// Whether tiles of this width can hold what belongs together, in pieces of
  /// at least `width` neighbours.
  static bool fits(ColumnGroup group, int64_t tile, int64_t width);

  /// The column at a position, and the other way round.
  Value getColumn(OpBuilder &builder, Location loc, Value position) const;
  Value getPosition(OpBuilder &builder, Location loc, Value column) const;

  /// Positions that start at a multiple of this, and as many after it, are
  /// neighbouring columns, of which the first is a multiple of it; a power of
  /// two, at most `limit`.
  int64_t getNeighbours(int64_t limit) const;

private:
  bool isIdentity() const { return tile % group.extent == 0; }
  /// Neighbours that a tile takes of each part of a group.
  int64_t getPiece() const { return tile / group.getCount(); }

  ColumnGroup group;
  int64_t tile = 1;
};

} // namespace mlir::fusion

#endif // FUSION_LIB_KERNELS_TILECOLUMNS_H
