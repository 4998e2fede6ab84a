//===- MatrixUnit.h - The instructions that multiply tiles ------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel template asks a `MatrixUnit` for everything that depends on how the
// hardware multiplies small matrices: the instruction's shape, which lane holds
// which element, how fragments are read from shared memory, and reductions over
// a row that is spread over lanes. There are three implementations: `mma.sync`
// (NVIDIA, sm_80 and later), `simdgroup_matrix` (Apple) and a scalar one that
// works with every element type and on every target.
//
// All 32 lanes of a warp work on one instruction together, in uniform control
// flow.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_KERNELS_MATRIXUNIT_H
#define FUSION_KERNELS_MATRIXUNIT_H

#include "fusion/IR/Fusion.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include <memory>

namespace mlir::fusion {

/// Which of an operand's two dimensions is contiguous in a tile's storage. The
/// *outer* dimension is `m` for A and `n` for B.
enum class TileOrder {
  KContiguous,     ///< Rows run along k: `A[m][k]`, `B[n][k]`.
  OuterContiguous, ///< Rows run along the outer dimension: `A[k][m]`,
                   ///< `B[k][n]`.
};

/// The two operands of a product.
enum class MatrixOperand { A, B };

/// How the elements of a two-dimensional tile lie in shared memory: row by row,
/// `stride` elements apart; inside a row, chunks of `chunk` elements (16 bytes)
/// are permuted by exclusive-or with a value that depends on the row, if
/// `swizzleMask` is not zero:
/// `chunk' = chunk ^ ((row >> swizzleShift) & swizzleMask)`.
struct SharedLayout {
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t stride = 0;
  int64_t chunk = 1;
  int64_t swizzleMask = 0;
  int64_t swizzleShift = 0;

  /// Number of elements, padding included.
  int64_t getSize() const { return rows * stride; }

  /// Offset of an element from the start of the tile. Elements of one chunk are
  /// contiguous, so the offset of a chunk's first element serves for a vector
  /// access of up to `chunk` elements.
  Value getOffset(OpBuilder &builder, Location loc, Value row,
                  Value column) const;

  /// The layout without conflicts for `ldmatrix`: no padding, exclusive-or
  /// swizzle over chunks of 16 bytes. `columns` times the element's bytes must
  /// be a power of two, or a multiple of 128.
  static SharedLayout getSwizzled(int64_t rows, int64_t columns,
                                  unsigned elementBytes);

  /// Rows padded so that consecutive rows start in different banks and every
  /// chunk stays aligned to 16 bytes (to the element for an odd width).
  static SharedLayout getPadded(int64_t rows, int64_t columns,
                                unsigned elementBytes);
};

/// The part of a fragment's address that depends on the lane and on where the
/// warp's tile starts, but neither on a loop over k nor on which fragment of
/// the warp's tile is read. Made by `MatrixUnit::prepareReader` outside of all
/// loops, used by `loadA` and `loadB`.
struct FragmentReader {
  SharedLayout layout;
  TileOrder order = TileOrder::KContiguous;
  /// Offset, in elements, of the lane's row.
  Value rowOffset;
  /// The lane's column: in chunks for a swizzled layout, else in elements.
  Value column;
  /// What the column's chunk is combined with by exclusive-or; null when the
  /// layout is not swizzled.
  Value swizzle;
};

/// The kinds of reduction over a row of an accumulator. The maximum is that of
/// the elements that are not NaN.
enum class RowReduction { Sum, Max };

/// One kind of hardware instruction, for one type of operand, with the mapping
/// between matrix elements and lanes. Objects hold no IR and can be shared by
/// kernels.
class MatrixUnit {
public:
  struct Shape {
    int64_t m, n, k;
  };

  virtual ~MatrixUnit();

  MatrixUnitKind getKind() const { return kind; }
  /// The type of the elements of A and B as they are multiplied.
  Type getOperandType() const { return operandType; }
  /// The type of the elements of the accumulator.
  Type getAccumulatorElementType() const { return accumulatorType; }
  /// Rows and columns of the result, and depth, of one instruction.
  Shape getShape() const { return shape; }

  /// What one lane holds of A (m x k), of B (k x n) and of the accumulator
  /// (m x n). Fragments of A and B are opaque; the accumulator is a
  /// one-dimensional vector whose elements `getElementRow` and
  /// `getElementColumn` place.
  virtual VectorType getFragmentType(MatrixOperand operand) const = 0;
  VectorType getAccumulatorType() const;

  //===--------------------------------------------------------------------===//
  // Shared memory
  //===--------------------------------------------------------------------===//

  /// The layout in which a tile of `rows` rows of `columns` contiguous elements
  /// is best kept for `loadA` and `loadB`.
  virtual SharedLayout getSharedLayout(int64_t rows, int64_t columns) const = 0;

  /// Prepares reads of fragments of a warp's part of a tile, which starts at
  /// (`outer`, `k`): `outer` is along m (A) or n (B). Both must be multiples of
  /// 8 and `outer` a multiple of the instruction's shape; null means 0. `lane`
  /// is the lane's index in its warp.
  virtual FragmentReader prepareReader(OpBuilder &builder, Location loc,
                                       MatrixOperand operand,
                                       const SharedLayout &layout,
                                       TileOrder order, Value lane, Value outer,
                                       Value k) const = 0;

  /// Loads the fragment of A that starts at row `m`, column `k` of the part of
  /// the tile that `reader` was prepared for. The tile starts at element `base`
  /// of `memory` (null: 0), a one-dimensional memref in shared memory, and a
  /// multiple of 16 bytes. `m` and `k` are multiples of the instruction's
  /// shape.
  virtual Value loadA(OpBuilder &builder, Location loc,
                      const FragmentReader &reader, Value memory, Value base,
                      int64_t m, int64_t k) const = 0;

  /// Loads `count` fragments of B, side by side along n, that start at row `k`,
  /// column `n`. Several at a time are cheaper than one by one.
  virtual SmallVector<Value> loadB(OpBuilder &builder, Location loc,
                                   const FragmentReader &reader, Value memory,
                                   Value base, int64_t n, int64_t k,
                                   int64_t count) const = 0;

  //===--------------------------------------------------------------------===//
  // Arithmetic
  //===--------------------------------------------------------------------===//

  /// An accumulator of zeros.
  Value getZeroAccumulator(OpBuilder &builder, Location loc) const;

  /// `a * b + accumulator`.
  virtual Value multiply(OpBuilder &builder, Location loc, Value a, Value b,
                         Value accumulator) const = 0;

  //===--------------------------------------------------------------------===//
  // Accumulators
  //===--------------------------------------------------------------------===//

  /// Number of elements of the accumulator that one lane holds.
  int64_t getNumElements() const { return numElements; }
  /// Number of different rows that they lie in.
  int64_t getNumRows() const { return rowOffsets.size(); }
  /// Elements of a lane's row that are neighbours along n, and follow one
  /// another in the fragment: elements `i * width .. (i + 1) * width - 1`, for
  /// each i, share a row and are contiguous.
  int64_t getWidth() const { return width; }

  /// Row and column of a lane's first element. Element `e` lies in row
  /// `first + getRowOffset(getElementRow(e))` and column
  /// `second + getElementColumn(e)`.
  virtual std::pair<Value, Value> getOrigin(OpBuilder &builder, Location loc,
                                            Value lane) const = 0;
  /// Which of the lane's `getNumRows()` rows element `e` lies in.
  int64_t getElementRow(int64_t e) const { return elementRows[e]; }
  /// Distance of a lane's row from its first one.
  int64_t getRowOffset(int64_t row) const { return rowOffsets[row]; }
  /// Distance of element `e` from the lane's first column.
  int64_t getElementColumn(int64_t e) const { return elementColumns[e]; }

  /// Reduces `value`, which each lane has computed from its elements of one
  /// row, over the lanes that share the row. Every one of them gets the result.
  /// `value` is a float or an integer of 32 or 64 bits.
  Value reduceRow(OpBuilder &builder, Location loc, Value value,
                  RowReduction reduction) const;

  /// Distances (exclusive-or of the lane) over which `reduceRow` combines.
  ArrayRef<int32_t> getRowShuffles() const { return rowShuffles; }

  /// Makes operands A of a following product from accumulators that lie side by
  /// side along n: with `accumulators.size() * n` columns in all, a multiple of
  /// k, the result has one fragment for each k columns. Elements are rounded to
  /// the operands' type; they stay in registers. `lane` is the lane's index.
  virtual SmallVector<Value> convertToA(OpBuilder &builder, Location loc,
                                        ValueRange accumulators,
                                        Value lane) const = 0;
  /// How many accumulators side by side `convertToA` needs at least (it takes
  /// multiples of it).
  int64_t getNumAccumulatorsForA() const {
    return shape.k > shape.n ? shape.k / shape.n : 1;
  }

protected:
  MatrixUnit(MatrixUnitKind kind, Type operandType, Type accumulatorType,
             Shape shape)
      : kind(kind), operandType(operandType), accumulatorType(accumulatorType),
        shape(shape) {}

  MatrixUnitKind kind;
  Type operandType;
  Type accumulatorType;
  Shape shape;

  // The map from a lane's elements to rows and columns.
  int64_t numElements = 0;
  int64_t width = 1;
  SmallVector<int64_t> elementRows;
  SmallVector<int64_t> elementColumns;
  SmallVector<int64_t> rowOffsets;
  SmallVector<int32_t> rowShuffles;
};

/// Whether `kind` multiplies operands of type `operandType` into accumulators
/// of type `accumulatorType`. The scalar unit takes any two types, integers or
/// floats both, and extends operands (integers as signed ones) to the
/// accumulator's type before it multiplies.
bool supportsMatrixUnit(MatrixUnitKind kind, Type operandType,
                        Type accumulatorType);

/// Makes a unit; null where `supportsMatrixUnit` says no.
std::unique_ptr<MatrixUnit>
createMatrixUnit(MatrixUnitKind kind, Type operandType, Type accumulatorType);

/// Exchanges `value` (an integer or float of at most 64 bits) between lanes
/// whose indices differ by exclusive-or with `mask`.
Value buildShuffleXor(OpBuilder &builder, Location loc, Value value,
                      int32_t mask);

/// The value that lane `source` (an i32) holds.
Value buildShuffleIndex(OpBuilder &builder, Location loc, Value value,
                        Value source);

} // namespace mlir::fusion

#endif // FUSION_KERNELS_MATRIXUNIT_H
