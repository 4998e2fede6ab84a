//===- MatrixUnit.cpp - The instructions that multiply tiles
//---------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Kernels/MatrixUnit.h"
#include "MatrixUnits.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

/// Bytes of the widest access to shared memory.
static constexpr int64_t kChunkBytes = 16;
/// Bytes that all banks of shared memory deliver together.
static constexpr int64_t kBankLineBytes = 128;

//===----------------------------------------------------------------------===//
// SharedLayout
//===----------------------------------------------------------------------===//

SharedLayout SharedLayout::getSwizzled(int64_t rows, int64_t columns,
                                       unsigned elementBytes) {
  SharedLayout layout;
  layout.rows = rows;
  layout.columns = layout.stride = columns;
  layout.chunk = std::max<int64_t>(kChunkBytes / elementBytes, 1);
  int64_t rowBytes = columns * elementBytes;
  if (rowBytes < 2 * kChunkBytes)
    return layout;
  // Eight rows read together must meet eight different groups of four banks:
  // rows that start in the same bank differ in the permutation.
  int64_t rowsPerLine = std::max<int64_t>(kBankLineBytes / rowBytes, 1);
  int64_t chunksPerRow =
      std::min<int64_t>(rowBytes, kBankLineBytes) / kChunkBytes;
  layout.swizzleMask = chunksPerRow - 1;
  layout.swizzleShift = llvm::Log2_64(rowsPerLine);
  return layout;
}

SharedLayout SharedLayout::getPadded(int64_t rows, int64_t columns,
                                     unsigned elementBytes) {
  SharedLayout layout;
  layout.rows = rows;
  layout.columns = columns;
  layout.chunk = std::max<int64_t>(kChunkBytes / elementBytes, 1);
  layout.stride = llvm::alignTo(columns, layout.chunk) + layout.chunk;
  return layout;
}

Value SharedLayout::getOffset(OpBuilder &builder, Location loc, Value row,
                              Value column) const {
  KernelBuilder kb(builder, loc);
  Value rowOffset = kb.mul(row, stride);
  if (swizzleMask == 0)
    return kb.add(rowOffset, column);
  Value swizzle =
      kb.bitAnd(kb.div(row, int64_t(1) << swizzleShift), swizzleMask);
  Value permuted = kb.mul(kb.bitXor(kb.div(column, chunk), swizzle), chunk);
  return kb.add(kb.add(rowOffset, permuted), kb.rem(column, chunk));
}

//===----------------------------------------------------------------------===//
// Readers
//===----------------------------------------------------------------------===//

FragmentReader mlir::fusion::makeReader(OpBuilder &builder, Location loc,
                                        const SharedLayout &layout,
                                        TileOrder order, Value row,
                                        Value column) {
  KernelBuilder kb(builder, loc);
  FragmentReader reader;
  reader.layout = layout;
  reader.order = order;
  reader.rowOffset = kb.mul(row, layout.stride);
  reader.column = column;
  if (layout.swizzleMask != 0) {
    reader.column = kb.div(column, layout.chunk);
    reader.swizzle = kb.bitAnd(kb.div(row, int64_t(1) << layout.swizzleShift),
                               layout.swizzleMask);
  }
  return reader;
}

Value mlir::fusion::getReaderOffset(OpBuilder &builder, Location loc,
                                    const FragmentReader &reader, Value base,
                                    int64_t rows, int64_t columns) {
  KernelBuilder kb(builder, loc);
  const SharedLayout &layout = reader.layout;
  int64_t constant = rows * layout.stride;
  Value column = reader.column;
  if (reader.swizzle) {
    // The permutation has a period of eight rows, and touches only the low bits
    // of a chunk's number.
    int64_t chunks = columns / layout.chunk;
    int64_t low = chunks & layout.swizzleMask;
    constant += (chunks - low) * layout.chunk;
    column =
        kb.mul(kb.bitXor(kb.add(column, low), reader.swizzle), layout.chunk);
  } else {
    constant += columns;
  }
  Value offset = kb.add(reader.rowOffset, column);
  if (base)
    offset = kb.add(offset, base);
  return kb.add(offset, constant);
}

SmallVector<Value> mlir::fusion::extractElements(OpBuilder &builder,
                                                 Location loc, Value vector,
                                                 int64_t first, int64_t count) {
  SmallVector<Value> elements;
  for (int64_t i = first; i < first + count; ++i)
    elements.push_back(vector::ExtractOp::create(builder, loc, vector, i));
  return elements;
}

Value mlir::fusion::buildExtension(OpBuilder &builder, Location loc,
                                   Value value, Type elementType) {
  if (getElementTypeOrSelf(value.getType()) == elementType)
    return value;
  Type type = elementType;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    type = VectorType::get(vector.getShape(), elementType);
  if (isa<FloatType>(elementType))
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::ExtSIOp::create(builder, loc, type, value);
}

Value mlir::fusion::buildMultiplyAdd(OpBuilder &builder, Location loc, Value a,
                                     Value b, Value c) {
  Type type = getElementTypeOrSelf(c.getType());
  if (isa<FloatType>(type))
    return math::FmaOp::create(builder, loc, a, b, c);
  if (type.isInteger(1))
    return arith::OrIOp::create(builder, loc,
                                arith::AndIOp::create(builder, loc, a, b), c);
  return arith::AddIOp::create(builder, loc,
                               arith::MulIOp::create(builder, loc, a, b), c);
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// Shuffles a value of any width by shuffling its 32-bit words.
static Value buildShuffle(OpBuilder &builder, Location loc, Value value,
                          llvm::function_ref<Value(Value)> shuffleWord) {
  Type type = value.getType();
  if (type.isIndex()) {
    Value wide =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), value);
    return arith::IndexCastOp::create(
        builder, loc, type, buildShuffle(builder, loc, wide, shuffleWord));
  }
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 32)
    return shuffleWord(value);

  Type intType = builder.getIntegerType(width);
  Type wordType = builder.getI32Type();
  Value bits = value;
  if (type != intType)
    bits = arith::BitcastOp::create(builder, loc, intType, value);
  if (width < 32) {
    bits = arith::ExtUIOp::create(builder, loc, wordType, bits);
    bits = shuffleWord(bits);
    bits = arith::TruncIOp::create(builder, loc, intType, bits);
  } else {
    Value shift = arith::ConstantIntOp::create(builder, loc, intType, 32);
    Value low = arith::TruncIOp::create(builder, loc, wordType, bits);
    Value high = arith::TruncIOp::create(
        builder, loc, wordType,
        arith::ShRUIOp::create(builder, loc, bits, shift));
    low = arith::ExtUIOp::create(builder, loc, intType, shuffleWord(low));
    high = arith::ExtUIOp::create(builder, loc, intType, shuffleWord(high));
    high = arith::ShLIOp::create(builder, loc, high, shift);
    bits = arith::OrIOp::create(builder, loc, high, low);
  }
  if (type != intType)
    bits = arith::BitcastOp::create(builder, loc, type, bits);
  return bits;
}

Value mlir::fusion::buildShuffleXor(OpBuilder &builder, Location loc,
                                    Value value, int32_t mask) {
  return buildShuffle(builder, loc, value, [&](Value word) -> Value {
    return gpu::ShuffleOp::create(builder, loc, word, mask, 32,
                                  gpu::ShuffleMode::XOR)
        .getShuffleResult();
  });
}

Value mlir::fusion::buildShuffleIndex(OpBuilder &builder, Location loc,
                                      Value value, Value source) {
  Value width =
      arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 32);
  return buildShuffle(builder, loc, value, [&](Value word) -> Value {
    return gpu::ShuffleOp::create(builder, loc, word, source, width,
                                  gpu::ShuffleMode::IDX)
        .getShuffleResult();
  });
}

//===----------------------------------------------------------------------===//
// MatrixUnit
//===----------------------------------------------------------------------===//

MatrixUnit::~MatrixUnit() = default;

VectorType MatrixUnit::getAccumulatorType() const {
  return VectorType::get({numElements}, accumulatorType);
}

Value MatrixUnit::getZeroAccumulator(OpBuilder &builder, Location loc) const {
  return KernelBuilder(builder, loc).zero(getAccumulatorType());
}

Value MatrixUnit::reduceRow(OpBuilder &builder, Location loc, Value value,
                            RowReduction reduction) const {
  bool isFloat = isa<FloatType>(value.getType());
  for (int32_t distance : rowShuffles) {
    Value other = buildShuffleXor(builder, loc, value, distance);
    switch (reduction) {
    case RowReduction::Sum:
      value =
          isFloat
              ? arith::AddFOp::create(builder, loc, value, other).getResult()
              : arith::AddIOp::create(builder, loc, value, other);
      break;
    case RowReduction::Max:
      value =
          isFloat
              ? arith::MaxNumFOp::create(builder, loc, value, other).getResult()
              : arith::MaxSIOp::create(builder, loc, value, other);
      break;
    }
  }
  return value;
}

bool mlir::fusion::supportsMatrixUnit(MatrixUnitKind kind, Type operandType,
                                      Type accumulatorType) {
  switch (kind) {
  case MatrixUnitKind::MmaSync:
    return (operandType.isF16() || operandType.isBF16()) &&
           accumulatorType.isF32();
  case MatrixUnitKind::Simdgroup:
    return (operandType.isF16() || operandType.isBF16() ||
            operandType.isF32()) &&
           accumulatorType.isF32();
  case MatrixUnitKind::Scalar: {
    bool isFloat = isa<FloatType>(operandType);
    if (isFloat != isa<FloatType>(accumulatorType))
      return false;
    if (operandType == accumulatorType)
      return isFloat || operandType.isIntOrIndex();
    return operandType.isIntOrFloat() && accumulatorType.isIntOrFloat() &&
           operandType.getIntOrFloatBitWidth() <
               accumulatorType.getIntOrFloatBitWidth();
  }
  }
  llvm_unreachable("unknown matrix unit");
}

std::unique_ptr<MatrixUnit>
mlir::fusion::createMatrixUnit(MatrixUnitKind kind, Type operandType,
                               Type accumulatorType) {
  if (!supportsMatrixUnit(kind, operandType, accumulatorType))
    return nullptr;
  switch (kind) {
  case MatrixUnitKind::MmaSync:
    return createMmaSyncUnit(operandType);
  case MatrixUnitKind::Simdgroup:
    return createSimdgroupUnit(operandType);
  case MatrixUnitKind::Scalar:
    return createScalarUnit(operandType, accumulatorType);
  }
  llvm_unreachable("unknown matrix unit");
}
