//===- TileColumns.cpp - Which columns a tile holds -----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileColumns.h"
#include "fusion/Kernels/KernelBuilder.h"
#include <numeric>

using namespace mlir;
using namespace mlir::fusion;

bool TileColumns::fits(ColumnGroup group, int64_t tile, int64_t width) {
  TileColumns columns(group, tile);
  if (columns.isIdentity())
    return true;
  return group.extent % tile == 0 && tile % group.getCount() == 0 &&
         columns.getNeighbours(width) == width;
}

Value TileColumns::getColumn(OpBuilder &builder, Location loc,
                             Value position) const {
  if (isIdentity())
    return position;
  KernelBuilder kb(builder, loc);
  int64_t piece = getPiece();
  Value inGroup = kb.rem(position, group.extent);
  Value inTile = kb.rem(inGroup, tile);
  Value first = kb.sub(position, inGroup);
  Value part = kb.mul(kb.div(inTile, piece), group.stride);
  Value inPart =
      kb.add(kb.mul(kb.div(inGroup, tile), piece), kb.rem(inTile, piece));
  return kb.add(first, kb.add(part, inPart));
}

Value TileColumns::getPosition(OpBuilder &builder, Location loc,
                               Value column) const {
  if (isIdentity())
    return column;
  KernelBuilder kb(builder, loc);
  int64_t piece = getPiece();
  Value inGroup = kb.rem(column, group.extent);
  Value inPart = kb.rem(inGroup, group.stride);
  Value first = kb.sub(column, inGroup);
  Value inTile = kb.add(kb.mul(kb.div(inGroup, group.stride), piece),
                        kb.rem(inPart, piece));
  return kb.add(first, kb.add(kb.mul(kb.div(inPart, piece), tile), inTile));
}

int64_t TileColumns::getNeighbours(int64_t limit) const {
  if (isIdentity())
    return limit;
  int64_t common = std::gcd(getPiece(), group.stride);
  while (common % limit != 0)
    limit /= 2;
  return limit;
}
