//===- SimdgroupUnit.cpp - simdgroup_matrix of Apple GPUs
//------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of 8x8 matrices with f16, bf16 or f32 operands and f32 accumulators.
// A lane holds two neighbours of one row of every matrix: with q = lane / 4,
// row (q & 4) + (lane / 2) % 4 and columns (q & 2) * 2 + (lane % 2) * 2 and the
// one after it. A, B and the accumulator are laid out alike.
//
//===----------------------------------------------------------------------===//

#include "MatrixUnits.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

class SimdgroupUnit final : public MatrixUnit {
public:
  explicit SimdgroupUnit(Type operandType)
      : MatrixUnit(MatrixUnitKind::Simdgroup, operandType,
                   Float32Type::get(operandType.getContext()), {8, 8, 8}) {
    numElements = 2;
    width = 2;
    elementRows = {0, 0};
    elementColumns = {0, 1};
    rowOffsets = {0};
    rowShuffles = {1, 8};
  }

  VectorType getFragmentType(MatrixOperand operand) const override {
    return VectorType::get({2}, operandType);
  }

  SharedLayout getSharedLayout(int64_t rows, int64_t columns) const override {
    return SharedLayout::getPadded(rows, columns,
                                   operandType.getIntOrFloatBitWidth() / 8);
  }

  FragmentReader prepareReader(OpBuilder &builder, Location loc,
                               MatrixOperand operand,
                               const SharedLayout &layout, TileOrder order,
                               Value lane, Value outer,
                               Value k) const override {
    KernelBuilder kb(builder, loc);
    auto [row, column] = getOrigin(builder, loc, lane);
    // Matrix rows run along m (A) or k (B).
    if (storesTransposed(operand, order))
      std::swap(row, column);
    Value firstRow = order == TileOrder::KContiguous ? outer : k;
    Value firstColumn = order == TileOrder::KContiguous ? k : outer;
    if (firstRow)
      row = kb.add(row, firstRow);
    if (firstColumn)
      column = kb.add(column, firstColumn);
    return makeReader(builder, loc, layout, order, row, column);
  }

  Value loadA(OpBuilder &builder, Location loc, const FragmentReader &reader,
              Value memory, Value base, int64_t m, int64_t k) const override {
    return load(builder, loc, reader, MatrixOperand::A, memory, base, m, k);
  }

  SmallVector<Value> loadB(OpBuilder &builder, Location loc,
                           const FragmentReader &reader, Value memory,
                           Value base, int64_t n, int64_t k,
                           int64_t count) const override {
    SmallVector<Value> fragments;
    for (int64_t i = 0; i < count; ++i)
      fragments.push_back(load(builder, loc, reader, MatrixOperand::B, memory,
                               base, n + 8 * i, k));
    return fragments;
  }

  Value multiply(OpBuilder &builder, Location loc, Value a, Value b,
                 Value accumulator) const override {
    return SimdgroupMmaOp::create(builder, loc, accumulator.getType(), a, b,
                                  accumulator);
  }

  std::pair<Value, Value> getOrigin(OpBuilder &builder, Location loc,
                                    Value lane) const override {
    KernelBuilder kb(builder, loc);
    Value quad = kb.div(lane, 4);
    Value row = kb.add(kb.bitAnd(quad, 4), kb.rem(kb.div(lane, 2), 4));
    Value column =
        kb.add(kb.mul(kb.bitAnd(quad, 2), 2), kb.mul(kb.rem(lane, 2), 2));
    return {row, column};
  }

  SmallVector<Value> convertToA(OpBuilder &builder, Location loc,
                                ValueRange accumulators,
                                Value lane) const override {
    SmallVector<Value> fragments;
    for (Value accumulator : accumulators)
      fragments.push_back(
          operandType == accumulatorType
              ? accumulator
              : arith::TruncFOp::create(builder, loc,
                                        getFragmentType(MatrixOperand::A),
                                        accumulator));
    return fragments;
  }

private:
  /// Whether rows of the matrix are columns of the tile as stored.
  static bool storesTransposed(MatrixOperand operand, TileOrder order) {
    return (operand == MatrixOperand::A) != (order == TileOrder::KContiguous);
  }

  Value load(OpBuilder &builder, Location loc, const FragmentReader &reader,
             MatrixOperand operand, Value memory, Value base, int64_t outer,
             int64_t k) const {
    bool isKContiguous = reader.order == TileOrder::KContiguous;
    int64_t row = isKContiguous ? outer : k;
    int64_t column = isKContiguous ? k : outer;
    VectorType type = getFragmentType(operand);
    Value first = getReaderOffset(builder, loc, reader, base, row, column);
    if (!storesTransposed(operand, reader.order))
      return vector::LoadOp::create(
          builder, loc, type, memory, first, /*nontemporal=*/false,
          llvm::MaybeAlign(2 * operandType.getIntOrFloatBitWidth() / 8));
    Value second = KernelBuilder(builder, loc).add(first, reader.layout.stride);
    Value elements[] = {memref::LoadOp::create(builder, loc, memory, first),
                        memref::LoadOp::create(builder, loc, memory, second)};
    return vector::FromElementsOp::create(builder, loc, type, elements);
  }
};

} // namespace

std::unique_ptr<MatrixUnit>
mlir::fusion::createSimdgroupUnit(Type operandType) {
  return std::make_unique<SimdgroupUnit>(operandType);
}
