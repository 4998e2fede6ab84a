//===- RowValues.h - What the rows of a tile share --------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values per row that a product's left operand is computed from
// (`RowPrologue`), for the rows of a block's tile: computed before the products
// and kept in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_KERNELS_ROWVALUES_H
#define FUSION_LIB_KERNELS_ROWVALUES_H

#include "fusion/Analysis/RowPrologue.h"
#include "fusion/Kernels/GroupKernel.h"

namespace mlir::fusion {

class RowValues {
public:
  /// Makes room for the values of `tileRows` rows of `operand`, whose prologue
  /// was found with `left`.
  RowValues(GroupKernel &kernel, const RowPrologue &prologue,
            const LeftRows &left, Value operand, int64_t tileRows);

  /// Bytes of shared memory that one row takes.
  static int64_t getBytesPerRow(const RowPrologue &prologue);

  /// Computes the values of the rows from `firstRow` (below `endRow`) on of
  /// batch `batch`. All threads of the block run the code; a barrier must
  /// follow.
  LogicalResult compute(Value thread, int64_t threads, Value batch,
                        AffineExpr batches, Value firstRow, Value endRow,
                        AffineExpr rows);

  /// Makes the values of a row known elements: `batch` and `row` name it, and
  /// `rowInTile` is its distance from the first row.
  void bind(AffineExpr batch, AffineExpr row, Value rowInTile);

private:
  AffineExpr at(AffineExpr expr, AffineExpr batch, AffineExpr row) const;

  GroupKernel &kernel;
  const RowPrologue &prologue;
  const LeftRows &left;
  Value operand;
  int64_t tileRows;
  SmallVector<Value> memory; // for each of the row values
};

} // namespace mlir::fusion

#endif // FUSION_LIB_KERNELS_ROWVALUES_H
