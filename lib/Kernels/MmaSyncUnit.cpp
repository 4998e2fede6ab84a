//===- MmaSyncUnit.cpp - mma.sync of sm_80 and later
//-----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mma.sync.aligned.m16n8k16.row.col with f16 or bf16 operands and f32
// accumulators (PTX ISA, "Matrix Fragments for mma.m16n8k16"): with g = lane /
// 4 and t = lane % 4, a lane holds the accumulator's elements (g, 2t), (g, 2t +
// 1), (g + 8, 2t), (g + 8, 2t + 1). Fragments of A and B are registers of 32
// bits, two elements each, as ldmatrix delivers them.
//
//===----------------------------------------------------------------------===//

#include "MatrixUnits.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

class MmaSyncUnit final : public MatrixUnit {
public:
  explicit MmaSyncUnit(Type operandType)
      : MatrixUnit(MatrixUnitKind::MmaSync, operandType,
                   Float32Type::get(operandType.getContext()), {16, 8, 16}) {
    numElements = 4;
    width = 2;
    elementRows = {0, 0, 1, 1};
    elementColumns = {0, 1, 0, 1};
    rowOffsets = {0, 8};
    rowShuffles = {1, 2};
  }

  VectorType getFragmentType(MatrixOperand operand) const override {
    int64_t registers = operand == MatrixOperand::A ? 4 : 2;
    return VectorType::get({registers},
                           IntegerType::get(operandType.getContext(), 32));
  }

  SharedLayout getSharedLayout(int64_t rows, int64_t columns) const override {
    int64_t bytes = columns * 2;
    if (bytes % 128 == 0 || llvm::isPowerOf2_64(bytes))
      return SharedLayout::getSwizzled(rows, columns, 2);
    return SharedLayout::getPadded(rows, columns, 2);
  }

  FragmentReader prepareReader(OpBuilder &builder, Location loc,
                               MatrixOperand operand,
                               const SharedLayout &layout, TileOrder order,
                               Value lane, Value outer, Value k) const override;

  Value loadA(OpBuilder &builder, Location loc, const FragmentReader &reader,
              Value memory, Value base, int64_t m, int64_t k) const override;
  SmallVector<Value> loadB(OpBuilder &builder, Location loc,
                           const FragmentReader &reader, Value memory,
                           Value base, int64_t n, int64_t k,
                           int64_t count) const override;
  Value multiply(OpBuilder &builder, Location loc, Value a, Value b,
                 Value accumulator) const override;
  std::pair<Value, Value> getOrigin(OpBuilder &builder, Location loc,
                                    Value lane) const override;
  SmallVector<Value> convertToA(OpBuilder &builder, Location loc,
                                ValueRange accumulators,
                                Value lane) const override;

private:
  /// Loads `count` 8x8 matrices; one register each.
  SmallVector<Value> loadMatrices(OpBuilder &builder, Location loc,
                                  const FragmentReader &reader,
                                  MatrixOperand operand, Value memory,
                                  Value base, int64_t outer, int64_t k,
                                  unsigned count) const;
};

} // namespace

FragmentReader MmaSyncUnit::prepareReader(OpBuilder &builder, Location loc,
                                          MatrixOperand operand,
                                          const SharedLayout &layout,
                                          TileOrder order, Value lane,
                                          Value outer, Value k) const {
  KernelBuilder kb(builder, loc);
  // ldmatrix.x4: lanes 8 i .. 8 i + 7 give the addresses of matrix i's rows.
  // Matrices come in the order of the fragment's registers: for A along m, then
  // along k; for B (two fragments) along k, then along n.
  Value inner = kb.rem(lane, 8);
  Value fast = kb.add(inner, kb.mul(kb.rem(kb.div(lane, 8), 2), 8));
  Value slow = kb.mul(kb.div(lane, 16), 8);
  bool isA = operand == MatrixOperand::A;
  bool isKContiguous = order == TileOrder::KContiguous;
  // The position along the rows as stored comes from the lane within a matrix,
  // so `inner` belongs to the storage's row in either order.
  bool fastIsRow = isA == isKContiguous;
  Value row = fastIsRow ? fast : kb.add(inner, slow);
  Value column = fastIsRow ? slow : kb.mul(kb.rem(kb.div(lane, 8), 2), 8);
  Value firstRow = isKContiguous ? outer : k;
  Value firstColumn = isKContiguous ? k : outer;
  if (firstRow)
    row = kb.add(row, firstRow);
  if (firstColumn)
    column = kb.add(column, firstColumn);
  return makeReader(builder, loc, layout, order, row, column);
}

SmallVector<Value> MmaSyncUnit::loadMatrices(OpBuilder &builder, Location loc,
                                             const FragmentReader &reader,
                                             MatrixOperand operand,
                                             Value memory, Value base,
                                             int64_t outer, int64_t k,
                                             unsigned count) const {
  bool isKContiguous = reader.order == TileOrder::KContiguous;
  Value offset =
      getReaderOffset(builder, loc, reader, base, isKContiguous ? outer : k,
                      isKContiguous ? k : outer);
  // A lane of A receives neighbours along k, one of B too: the storage must be
  // transposed on the way if k runs along the rows.
  auto type = VectorType::get({count, 2}, operandType);
  Value matrices = nvgpu::LdMatrixOp::create(builder, loc, type, memory, offset,
                                             /*transpose=*/!isKContiguous,
                                             /*numTiles=*/count);
  SmallVector<Value> registers;
  auto packedType = VectorType::get({1}, builder.getI32Type());
  for (unsigned i = 0; i < count; ++i) {
    Value pair = vector::ExtractOp::create(builder, loc, matrices, int64_t(i));
    Value packed = vector::BitCastOp::create(builder, loc, packedType, pair);
    registers.push_back(
        vector::ExtractOp::create(builder, loc, packed, int64_t(0)));
  }
  return registers;
}

Value MmaSyncUnit::loadA(OpBuilder &builder, Location loc,
                         const FragmentReader &reader, Value memory, Value base,
                         int64_t m, int64_t k) const {
  SmallVector<Value> registers = loadMatrices(
      builder, loc, reader, MatrixOperand::A, memory, base, m, k, 4);
  return vector::FromElementsOp::create(
      builder, loc, getFragmentType(MatrixOperand::A), registers);
}

SmallVector<Value> MmaSyncUnit::loadB(OpBuilder &builder, Location loc,
                                      const FragmentReader &reader,
                                      Value memory, Value base, int64_t n,
                                      int64_t k, int64_t count) const {
  SmallVector<Value> fragments;
  for (int64_t i = 0; i < count; i += 2) {
    unsigned matrices = i + 1 < count ? 4 : 2;
    SmallVector<Value> registers =
        loadMatrices(builder, loc, reader, MatrixOperand::B, memory, base,
                     n + 8 * i, k, matrices);
    for (unsigned j = 0; j < matrices; j += 2)
      fragments.push_back(vector::FromElementsOp::create(
          builder, loc, getFragmentType(MatrixOperand::B),
          ValueRange{registers[j], registers[j + 1]}));
  }
  return fragments;
}

Value MmaSyncUnit::multiply(OpBuilder &builder, Location loc, Value a, Value b,
                            Value accumulator) const {
  // Operands are i32 registers for bf16, vector<2xf16> ones for f16.
  auto getRegisters = [&](Value fragment, int64_t count) {
    SmallVector<Value> registers =
        extractElements(builder, loc, fragment, 0, count);
    if (operandType.isF16())
      for (Value &value : registers)
        value = LLVM::BitcastOp::create(
            builder, loc, VectorType::get({2}, operandType), value);
    return registers;
  };
  SmallVector<Value> aRegisters = getRegisters(a, 4);
  SmallVector<Value> bRegisters = getRegisters(b, 2);
  SmallVector<Value> cRegisters =
      extractElements(builder, loc, accumulator, 0, 4);

  NVVM::MMATypes ptxType =
      operandType.isF16() ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  Type resultType = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), SmallVector<Type>(4, accumulatorType));
  Value result = NVVM::MmaOp::create(
      builder, loc, resultType, aRegisters, bRegisters, cRegisters,
      ArrayRef<int64_t>{shape.m, shape.n, shape.k}, /*b1Op=*/std::nullopt,
      /*intOverflow=*/std::nullopt,
      std::array<NVVM::MMATypes, 2>{ptxType, ptxType},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  SmallVector<Value> elements;
  for (int64_t i = 0; i < numElements; ++i)
    elements.push_back(LLVM::ExtractValueOp::create(builder, loc, result, i));
  return vector::FromElementsOp::create(builder, loc, getAccumulatorType(),
                                        elements);
}

std::pair<Value, Value> MmaSyncUnit::getOrigin(OpBuilder &builder, Location loc,
                                               Value lane) const {
  KernelBuilder kb(builder, loc);
  return {kb.div(lane, 4), kb.mul(kb.rem(lane, 4), 2)};
}

SmallVector<Value> MmaSyncUnit::convertToA(OpBuilder &builder, Location loc,
                                           ValueRange accumulators,
                                           Value lane) const {
  // The registers of A, rows g and g + 8 at columns 2t and 2t + 8, are the two
  // halves of two neighbouring accumulators.
  auto pairType = VectorType::get({2}, accumulatorType);
  auto roundedType = VectorType::get({2}, operandType);
  auto packedType = VectorType::get({1}, builder.getI32Type());
  SmallVector<Value> fragments;
  for (size_t i = 0; i + 1 < accumulators.size(); i += 2) {
    SmallVector<Value> registers;
    for (size_t half = 0; half < 2; ++half) {
      for (int64_t row = 0; row < 2; ++row) {
        Value pair = vector::FromElementsOp::create(
            builder, loc, pairType,
            extractElements(builder, loc, accumulators[i + half], 2 * row, 2));
        Value rounded =
            arith::TruncFOp::create(builder, loc, roundedType, pair);
        Value packed =
            vector::BitCastOp::create(builder, loc, packedType, rounded);
        registers.push_back(
            vector::ExtractOp::create(builder, loc, packed, int64_t(0)));
      }
    }
    fragments.push_back(vector::FromElementsOp::create(
        builder, loc, getFragmentType(MatrixOperand::A), registers));
  }
  return fragments;
}

std::unique_ptr<MatrixUnit> mlir::fusion::createMmaSyncUnit(Type operandType) {
  return std::make_unique<MmaSyncUnit>(operandType);
}
