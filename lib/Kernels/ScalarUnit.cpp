//===- ScalarUnit.cpp - Products in ordinary arithmetic
//--------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A unit for every element type and target. The 32 lanes form a grid of 8 rows
// and 4 columns, and each computes a block of 4 x 4 elements: m = 32, n = 16,
// k = 1. Lane `l` holds rows `4 (l / 4) ..` and columns `4 (l % 4) ..`, row by
// row.
//
//===----------------------------------------------------------------------===//

#include "MatrixUnits.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Rows and columns of a lane's block, and columns of lanes.
constexpr int64_t kBlock = 4;
constexpr int64_t kLaneColumns = 4;

class ScalarUnit final : public MatrixUnit {
public:
  ScalarUnit(Type operandType, Type accumulatorType)
      : MatrixUnit(MatrixUnitKind::Scalar, operandType, accumulatorType,
                   {32, 16, 1}) {
    numElements = kBlock * kBlock;
    width = kBlock;
    for (int64_t row = 0; row < kBlock; ++row) {
      rowOffsets.push_back(row);
      for (int64_t column = 0; column < kBlock; ++column) {
        elementRows.push_back(row);
        elementColumns.push_back(column);
      }
    }
    rowShuffles = {1, 2};
  }

  VectorType getFragmentType(MatrixOperand operand) const override {
    return VectorType::get({kBlock}, operandType);
  }

  SharedLayout getSharedLayout(int64_t rows, int64_t columns) const override {
    return SharedLayout::getPadded(rows, columns, getElementBytes());
  }

  FragmentReader prepareReader(OpBuilder &builder, Location loc,
                               MatrixOperand operand,
                               const SharedLayout &layout, TileOrder order,
                               Value lane, Value outer,
                               Value k) const override {
    KernelBuilder kb(builder, loc);
    auto [row, column] = getOrigin(builder, loc, lane);
    Value first = operand == MatrixOperand::A ? row : column;
    if (outer)
      first = kb.add(first, outer);
    if (!k)
      k = kb.index(0);
    return order == TileOrder::KContiguous
               ? makeReader(builder, loc, layout, order, first, k)
               : makeReader(builder, loc, layout, order, k, first);
  }

  Value loadA(OpBuilder &builder, Location loc, const FragmentReader &reader,
              Value memory, Value base, int64_t m, int64_t k) const override {
    return load(builder, loc, reader, memory, base, m, k);
  }

  SmallVector<Value> loadB(OpBuilder &builder, Location loc,
                           const FragmentReader &reader, Value memory,
                           Value base, int64_t n, int64_t k,
                           int64_t count) const override {
    SmallVector<Value> fragments;
    for (int64_t i = 0; i < count; ++i)
      fragments.push_back(
          load(builder, loc, reader, memory, base, n + shape.n * i, k));
    return fragments;
  }

  Value multiply(OpBuilder &builder, Location loc, Value a, Value b,
                 Value accumulator) const override {
    SmallVector<Value> rows = extractElements(
        builder, loc, buildExtension(builder, loc, a, accumulatorType), 0,
        kBlock);
    SmallVector<Value> columns = extractElements(
        builder, loc, buildExtension(builder, loc, b, accumulatorType), 0,
        kBlock);
    SmallVector<Value> elements =
        extractElements(builder, loc, accumulator, 0, numElements);
    for (int64_t i = 0; i < numElements; ++i)
      elements[i] = buildMultiplyAdd(builder, loc, rows[i / kBlock],
                                     columns[i % kBlock], elements[i]);
    return vector::FromElementsOp::create(builder, loc, getAccumulatorType(),
                                          elements);
  }

  std::pair<Value, Value> getOrigin(OpBuilder &builder, Location loc,
                                    Value lane) const override {
    KernelBuilder kb(builder, loc);
    return {kb.mul(kb.div(lane, kLaneColumns), kBlock),
            kb.mul(kb.rem(lane, kLaneColumns), kBlock)};
  }

  SmallVector<Value> convertToA(OpBuilder &builder, Location loc,
                                ValueRange accumulators,
                                Value lane) const override;

private:
  int64_t getElementBytes() const {
    if (operandType.isIndex())
      return 8;
    return std::max<int64_t>(operandType.getIntOrFloatBitWidth() / 8, 1);
  }

  Value load(OpBuilder &builder, Location loc, const FragmentReader &reader,
             Value memory, Value base, int64_t outer, int64_t k) const;
};

} // namespace

Value ScalarUnit::load(OpBuilder &builder, Location loc,
                       const FragmentReader &reader, Value memory, Value base,
                       int64_t outer, int64_t k) const {
  KernelBuilder kb(builder, loc);
  VectorType type = getFragmentType(MatrixOperand::A);
  bool isKContiguous = reader.order == TileOrder::KContiguous;
  Value first =
      getReaderOffset(builder, loc, reader, base, isKContiguous ? outer : k,
                      isKContiguous ? k : outer);
  // Booleans take a byte in memory each, which no vector of them does.
  if (!isKContiguous && !operandType.isInteger(1) && !operandType.isIndex())
    return vector::LoadOp::create(
        builder, loc, type, memory, first, /*nontemporal=*/false,
        llvm::MaybeAlign(std::min<int64_t>(kBlock * getElementBytes(), 16)));
  int64_t stride = isKContiguous ? reader.layout.stride : 1;
  SmallVector<Value> elements;
  for (int64_t i = 0; i < kBlock; ++i)
    elements.push_back(memref::LoadOp::create(builder, loc, memory,
                                              kb.add(first, i * stride)));
  return vector::FromElementsOp::create(builder, loc, type, elements);
}

SmallVector<Value> ScalarUnit::convertToA(OpBuilder &builder, Location loc,
                                          ValueRange accumulators,
                                          Value lane) const {
  KernelBuilder kb(builder, loc);
  VectorType type = getFragmentType(MatrixOperand::A);
  // Column c of the accumulators is the fragment of step k = c. It lies in one
  // lane of each row of lanes, which hands it to the others.
  Value firstLane = kb.mul(kb.div(lane, kLaneColumns), kLaneColumns);
  SmallVector<Value> fragments;
  for (Value accumulator : accumulators) {
    SmallVector<Value> elements =
        extractElements(builder, loc, accumulator, 0, numElements);
    for (int64_t column = 0; column < shape.n; ++column) {
      Value source =
          arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                     kb.add(firstLane, column / kBlock));
      SmallVector<Value> rows;
      for (int64_t row = 0; row < kBlock; ++row) {
        Value element = buildShuffleIndex(
            builder, loc, elements[row * kBlock + column % kBlock], source);
        if (operandType != accumulatorType)
          element =
              isa<FloatType>(operandType)
                  ? arith::TruncFOp::create(builder, loc, operandType, element)
                        .getResult()
                  : arith::TruncIOp::create(builder, loc, operandType, element);
        rows.push_back(element);
      }
      fragments.push_back(
          vector::FromElementsOp::create(builder, loc, type, rows));
    }
  }
  return fragments;
}

std::unique_ptr<MatrixUnit>
mlir::fusion::createScalarUnit(Type operandType, Type accumulatorType) {
  return std::make_unique<ScalarUnit>(operandType, accumulatorType);
}
