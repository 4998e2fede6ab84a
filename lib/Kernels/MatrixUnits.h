//===- MatrixUnits.h - The implementations of MatrixUnit --------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_KERNELS_MATRIXUNITS_H
#define FUSION_LIB_KERNELS_MATRIXUNITS_H

#include "fusion/Kernels/MatrixUnit.h"

namespace mlir::fusion {

std::unique_ptr<MatrixUnit> createMmaSyncUnit(Type operandType);
std::unique_ptr<MatrixUnit> createSimdgroupUnit(Type operandType);
std::unique_ptr<MatrixUnit> createScalarUnit(Type operandType,
                                             Type accumulatorType);

/// Makes a reader for a lane whose first element lies at (`row`, `column`) of
/// the tile as it is stored.
FragmentReader makeReader(OpBuilder &builder, Location loc,
                          const SharedLayout &layout, TileOrder order,
                          Value row, Value column);

/// The offset from the start of `memory` of the lane's element that lies
/// `rows` rows and `columns` columns behind the reader's first one. With a
/// swizzled layout both are multiples of 8. What does not change in a loop over
/// `base` is computed first, and constants are added last.
Value getReaderOffset(OpBuilder &builder, Location loc,
                      const FragmentReader &reader, Value base, int64_t rows,
                      int64_t columns);

/// Extends a scalar or vector to elements of a wider type; integers are signed.
Value buildExtension(OpBuilder &builder, Location loc, Value value,
                     Type elementType);

/// `a * b + c`, of floats or integers; of booleans `(a & b) | c`.
Value buildMultiplyAdd(OpBuilder &builder, Location loc, Value a, Value b,
                       Value c);

/// The elements `[first, first + count)` of a one-dimensional vector.
SmallVector<Value> extractElements(OpBuilder &builder, Location loc,
                                   Value vector, int64_t first, int64_t count);

} // namespace mlir::fusion

#endif // FUSION_LIB_KERNELS_MATRIXUNITS_H
