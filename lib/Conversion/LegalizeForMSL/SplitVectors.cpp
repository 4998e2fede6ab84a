//===- SplitVectors.cpp - Vectors of at most 4 elements -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A one-to-many conversion of types: a vector becomes its pieces (Elements.h).
// Element-wise operations become one operation for each piece, or for each
// element where MSL has no vector form.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "SplitPoison.h"
#include "fusion/Conversion/LegalizeForMSL.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// What MSL's vectors can do
//===----------------------------------------------------------------------===//

/// True where MSL has a vector form of the element-wise operation `op`.
static bool hasVectorForm(Operation *op) {
  auto widthIn = [&](unsigned low, unsigned high) {
    auto check = [&](Type type) {
      Type scalar = getElementTypeOrSelf(type);
      return scalar.isIntOrFloat() && scalar.getIntOrFloatBitWidth() >= low &&
             scalar.getIntOrFloatBitWidth() <= high;
    };
    return llvm::all_of(op->getOperandTypes(), check) &&
           llvm::all_of(op->getResultTypes(), check);
  };
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          arith::NegFOp, arith::BitcastOp>(op))
    return true;
  if (isa<arith::SelectOp>(op))
    return !isa<VectorType>(op->getOperand(0).getType());
  if (isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
          arith::FPToSIOp, arith::FPToUIOp, arith::ExtSIOp, arith::ExtUIOp,
          arith::TruncIOp>(op))
    return widthIn(8, 32);
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
          arith::OrIOp, arith::XOrIOp, arith::ShLIOp, arith::ShRSIOp,
          arith::ShRUIOp>(op))
    return widthIn(16, 32);
  if (isa<math::MathDialect>(op->getDialect()))
    return getElementTypeOrSelf(op->getResult(0).getType()).isF32() &&
           !isa<math::PowFOp, math::Atan2Op, math::CopySignOp>(op);
  return false;
}

static bool hasVectorType(Operation *op) {
  auto isVector = [](Type type) { return isa<VectorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isVector) ||
         llvm::any_of(op->getResultTypes(), isVector);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

using Pieces = SmallVector<Value>;

/// Element-wise operations: by piece, or by element.
class SplitElementwise : public ConversionPattern {
public:
  SplitElementwise(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), /*benefit=*/1,
                          context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumRegions() != 0)
      return failure();
    bool bitsInvolved = false;
    auto noteBits = [&](Type type) {
      auto vector = dyn_cast<VectorType>(type);
      bitsInvolved |= vector && vector.getElementType().isInteger(1);
    };
    llvm::for_each(op->getOperandTypes(), noteBits);
    llvm::for_each(op->getResultTypes(), noteBits);
    if (bitsInvolved || !hasVectorForm(op))
      return byElement(op, operands, rewriter);
    return byPiece(op, operands, rewriter);
  }

private:
  static Operation *clone(Operation *op, ValueRange operands, TypeRange types,
                          OpBuilder &builder) {
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         op->getAttrs());
    return builder.create(state);
  }

  static LogicalResult byPiece(Operation *op, ArrayRef<ValueRange> operands,
                               ConversionPatternRewriter &rewriter) {
    SmallVector<Pieces> results(op->getNumResults());
    SmallVector<SmallVector<Type>> types;
    for (Type type : op->getResultTypes())
      types.push_back(getVectorPieces(cast<VectorType>(type)));
    for (size_t piece = 0; piece < types.front().size(); ++piece) {
      SmallVector<Value> pieceOperands;
      for (auto [operand, type] : llvm::zip(operands, op->getOperandTypes()))
        pieceOperands.push_back(isa<VectorType>(type) ? operand[piece]
                                                      : operand.front());
      SmallVector<Type> pieceTypes;
      for (SmallVector<Type> &resultTypes : types)
        pieceTypes.push_back(resultTypes[piece]);
      Operation *part = clone(op, pieceOperands, pieceTypes, rewriter);
      for (auto [result, value] : llvm::zip(results, part->getResults()))
        result.push_back(value);
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }

  static LogicalResult byElement(Operation *op, ArrayRef<ValueRange> operands,
                                 ConversionPatternRewriter &rewriter) {
    SmallVector<SmallVector<VectorElement>> elements;
    int64_t count = 0;
    for (auto [operand, type] : llvm::zip(operands, op->getOperandTypes())) {
      elements.push_back(getElements(operand));
      if (auto vector = dyn_cast<VectorType>(type))
        count = vector.getNumElements();
    }
    SmallVector<Type> scalarTypes;
    for (Type type : op->getResultTypes())
      scalarTypes.push_back(getElementTypeOrSelf(type));
    SmallVector<SmallVector<VectorElement>> results(op->getNumResults());
    for (int64_t i = 0; i < count; ++i) {
      SmallVector<Value> scalars;
      for (auto [operand, type] : llvm::zip(elements, op->getOperandTypes()))
        scalars.push_back(materialize(rewriter, op->getLoc(),
                                      operand[isa<VectorType>(type) ? i : 0]));
      Operation *part = clone(op, scalars, scalarTypes, rewriter);
      for (auto [result, value] : llvm::zip(results, part->getResults()))
        result.push_back({value});
    }
    SmallVector<Pieces> pieces;
    for (auto [result, type] : llvm::zip(results, op->getResultTypes()))
      pieces.push_back(
          packElements(rewriter, op->getLoc(), result, cast<VectorType>(type)));
    rewriter.replaceOpWithMultiple(op, std::move(pieces));
    return success();
  }
};

struct SplitConstant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!dense)
      return failure();
    auto values = llvm::to_vector(dense.getValues<Attribute>());
    ArrayRef<Attribute> left = values;
    Pieces pieces;
    for (Type type : getVectorPieces(cast<VectorType>(op.getType()))) {
      auto vector = dyn_cast<VectorType>(type);
      int64_t size = vector ? vector.getNumElements() : 1;
      TypedAttr value = cast<TypedAttr>(left.front());
      if (vector)
        value = DenseElementsAttr::get(vector, left.take_front(size));
      pieces.push_back(arith::ConstantOp::create(rewriter, op.getLoc(), value));
      left = left.drop_front(size);
    }
    rewriter.replaceOpWithMultiple(op, {std::move(pieces)});
    return success();
  }
};

/// Operations whose result is a list of elements of their operands.
template <typename OpTy>
struct MoveElements : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  using OneToNOpAdaptor = typename OpConversionPattern<OpTy>::OneToNOpAdaptor;

  /// The elements of the result, or failure where this is no rearrangement.
  FailureOr<SmallVector<VectorElement>>
  getResult(OpTy op, OneToNOpAdaptor adaptor,
            ConversionPatternRewriter &rewriter) const;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    FailureOr<SmallVector<VectorElement>> elements =
        getResult(op, adaptor, rewriter);
    if (failed(elements))
      return failure();
    Type type = op->getResult(0).getType();
    Pieces pieces;
    if (auto vector = dyn_cast<VectorType>(type))
      pieces = packElements(rewriter, op.getLoc(), *elements, vector);
    else
      pieces = {materialize(rewriter, op.getLoc(), elements->front())};
    rewriter.replaceOpWithMultiple(op, {std::move(pieces)});
    return success();
  }
};

/// The offset of the row-major sub-vector at `position` in `type`.
int64_t getOffset(VectorType type, ArrayRef<int64_t> position) {
  int64_t offset = 0, stride = type.getNumElements();
  for (auto [size, index] : llvm::zip(type.getShape(), position)) {
    stride /= size;
    offset += index * stride;
  }
  return offset;
}

/// The single dynamic position of an access to a one-dimensional vector.
template <typename OpTy>
Value getDynamicPosition(OpTy op) {
  return op.getNumIndices() == 1 && op.hasDynamicPosition()
             ? op.getDynamicPosition().front()
             : Value();
}

Value isPosition(OpBuilder &builder, Location loc, Value position, int64_t i) {
  Value constant = arith::ConstantIndexOp::create(builder, loc, i);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, position,
                               constant);
}

template <>
FailureOr<SmallVector<VectorElement>>
MoveElements<vector::ExtractOp>::getResult(
    vector::ExtractOp op, OneToNOpAdaptor adaptor,
    ConversionPatternRewriter &rewriter) const {
  VectorType type = op.getSourceVectorType();
  SmallVector<VectorElement> elements = getElements(adaptor.getSource());
  if (op.hasDynamicPosition()) {
    Value position = getDynamicPosition(op);
    if (!position || type.getRank() != 1)
      return rewriter.notifyMatchFailure(op, "dynamic position of many");
    Value result = materialize(rewriter, op.getLoc(), elements.front());
    for (size_t i = 1; i < elements.size(); ++i)
      result = arith::SelectOp::create(
          rewriter, op.getLoc(), isPosition(rewriter, op.getLoc(), position, i),
          materialize(rewriter, op.getLoc(), elements[i]), result);
    return SmallVector<VectorElement>{{result}};
  }
  auto result = dyn_cast<VectorType>(op.getType());
  int64_t offset = getOffset(type, op.getStaticPosition());
  if (offset < 0)
    return rewriter.notifyMatchFailure(op, "poison position");
  return llvm::to_vector(
      ArrayRef(elements).slice(offset, result ? result.getNumElements() : 1));
}

template <>
FailureOr<SmallVector<VectorElement>> MoveElements<vector::InsertOp>::getResult(
    vector::InsertOp op, OneToNOpAdaptor adaptor,
    ConversionPatternRewriter &rewriter) const {
  VectorType type = op.getDestVectorType();
  SmallVector<VectorElement> elements = getElements(adaptor.getDest());
  SmallVector<VectorElement> inserted = getElements(adaptor.getValueToStore());
  if (op.hasDynamicPosition()) {
    Value position = getDynamicPosition(op);
    if (!position || type.getRank() != 1)
      return rewriter.notifyMatchFailure(op, "dynamic position of many");
    Value value = materialize(rewriter, op.getLoc(), inserted.front());
    for (auto [i, element] : llvm::enumerate(elements)) {
      Value old = materialize(rewriter, op.getLoc(), element);
      element = {arith::SelectOp::create(
          rewriter, op.getLoc(), isPosition(rewriter, op.getLoc(), position, i),
          value, old)};
    }
    return elements;
  }
  int64_t offset = getOffset(type, op.getStaticPosition());
  if (offset < 0)
    return rewriter.notifyMatchFailure(op, "poison position");
  llvm::copy(inserted, elements.begin() + offset);
  return elements;
}

template <>
FailureOr<SmallVector<VectorElement>>
MoveElements<vector::BroadcastOp>::getResult(
    vector::BroadcastOp op, OneToNOpAdaptor adaptor,
    ConversionPatternRewriter &) const {
  SmallVector<VectorElement> source = getElements(adaptor.getSource());
  VectorType type = op.getResultVectorType();
  auto sourceType = dyn_cast<VectorType>(op.getSourceType());
  SmallVector<VectorElement> elements;
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    // The source's dimensions are the last of the result's; those of size 1
    // are stretched.
    int64_t left = i, index = 0, stride = 1;
    for (int64_t d = 0; sourceType && d < sourceType.getRank(); ++d) {
      int64_t size = type.getDimSize(type.getRank() - 1 - d);
      int64_t sourceSize = sourceType.getDimSize(sourceType.getRank() - 1 - d);
      index += (sourceSize == 1 ? 0 : left % size) * stride;
      stride *= sourceSize;
      left /= size;
    }
    elements.push_back(source[index]);
  }
  return elements;
}

template <>
FailureOr<SmallVector<VectorElement>>
MoveElements<vector::FromElementsOp>::getResult(
    vector::FromElementsOp op, OneToNOpAdaptor adaptor,
    ConversionPatternRewriter &) const {
  SmallVector<VectorElement> elements;
  for (ValueRange element : adaptor.getElements())
    elements.push_back({element.front()});
  return elements;
}

template <>
FailureOr<SmallVector<VectorElement>>
MoveElements<vector::ShapeCastOp>::getResult(
    vector::ShapeCastOp op, OneToNOpAdaptor adaptor,
    ConversionPatternRewriter &) const {
  return getElements(adaptor.getSource());
}

template <>
FailureOr<SmallVector<VectorElement>>
MoveElements<vector::ShuffleOp>::getResult(
    vector::ShuffleOp op, OneToNOpAdaptor adaptor,
    ConversionPatternRewriter &rewriter) const {
  if (op.getResultVectorType().getRank() != 1)
    return rewriter.notifyMatchFailure(op, "more than one dimension");
  SmallVector<VectorElement> sources = getElements(adaptor.getV1());
  llvm::append_range(sources, getElements(adaptor.getV2()));
  SmallVector<VectorElement> elements;
  // A poison element may be any.
  for (int64_t position : op.getMask())
    elements.push_back(sources[std::max<int64_t>(position, 0)]);
  return elements;
}

/// vector.to_elements has one result for each element.
struct SplitToElements : OpConversionPattern<vector::ToElementsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(vector::ToElementsOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Pieces> results;
    for (VectorElement element : getElements(adaptor.getSource()))
      results.push_back({materialize(rewriter, op.getLoc(), element)});
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

/// Bits are moved by `as_type` where both sides are short vectors of at least
/// two elements, and by shifts elsewhere.
struct SplitBitCast : OpConversionPattern<vector::BitCastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(vector::BitCastOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    VectorType from = op.getSourceVectorType(), to = op.getResultVectorType();
    unsigned fromBits = from.getElementTypeBitWidth();
    unsigned toBits = to.getElementTypeBitWidth();
    unsigned low = std::min(fromBits, toBits);
    unsigned high = std::max(fromBits, toBits);
    if (low < 8 || high % low != 0)
      return rewriter.notifyMatchFailure(op, "no layout in bytes");
    unsigned ratio = high / low;
    int64_t numWide =
        fromBits == high ? from.getNumElements() : to.getNumElements();
    Location loc = op.getLoc();
    SmallVector<VectorElement> source = getElements(adaptor.getSource());
    SmallVector<VectorElement> result;
    for (int64_t done = 0; done < numWide;) {
      int64_t left = numWide - done;
      int64_t wide = ratio == 1                ? std::min<int64_t>(left, 4)
                     : ratio == 2 && left >= 2 ? 2
                                               : 1;
      done += wide;
      int64_t count = fromBits == high ? wide : wide * ratio;
      ArrayRef<VectorElement> group = ArrayRef(source).take_front(count);
      if (wide == 1)
        moveByShifts(group, to.getElementType(), ratio, fromBits == high,
                     result, loc, rewriter);
      else
        moveByVector(group, from, to, wide, ratio, result, loc, rewriter);
      source.erase(source.begin(), source.begin() + count);
    }
    rewriter.replaceOpWithMultiple(op,
                                   {packElements(rewriter, loc, result, to)});
    return success();
  }

private:
  static void moveByVector(ArrayRef<VectorElement> group, VectorType from,
                           VectorType to, int64_t wide, int64_t ratio,
                           SmallVectorImpl<VectorElement> &result, Location loc,
                           OpBuilder &builder) {
    auto groupType = VectorType::get(group.size(), from.getElementType());
    int64_t count =
        int64_t(group.size()) == wide && ratio != 1 ? wide * ratio : wide;
    auto resultType = VectorType::get(count, to.getElementType());
    Value value = packElements(builder, loc, group, groupType).front();
    llvm::append_range(result, getElements(vector::BitCastOp::create(
                                               builder, loc, resultType, value)
                                               .getResult()));
  }

  static Value toInteger(Value value, Location loc, OpBuilder &builder) {
    Type type = builder.getIntegerType(value.getType().getIntOrFloatBitWidth());
    return value.getType() == type
               ? value
               : arith::BitcastOp::create(builder, loc, type, value)
                     .getResult();
  }

  static Value fromInteger(Value value, Type type, Location loc,
                           OpBuilder &builder) {
    return value.getType() == type
               ? value
               : arith::BitcastOp::create(builder, loc, type, value)
                     .getResult();
  }

  static void moveByShifts(ArrayRef<VectorElement> group, Type to,
                           unsigned ratio, bool isSplit,
                           SmallVectorImpl<VectorElement> &result, Location loc,
                           OpBuilder &builder) {
    Type toInt = builder.getIntegerType(to.getIntOrFloatBitWidth());
    auto constant = [&](Type type, unsigned value) {
      return arith::ConstantOp::create(builder, loc,
                                       builder.getIntegerAttr(type, value));
    };
    if (ratio == 1 || isSplit) {
      Value bits =
          toInteger(materialize(builder, loc, group.front()), loc, builder);
      for (unsigned i = 0; i < ratio; ++i) {
        Value part = bits;
        if (i)
          part = arith::ShRUIOp::create(
              builder, loc, bits,
              constant(bits.getType(), i * toInt.getIntOrFloatBitWidth()));
        if (ratio != 1)
          part = arith::TruncIOp::create(builder, loc, toInt, part);
        result.push_back({fromInteger(part, to, loc, builder)});
      }
      return;
    }
    Value bits;
    for (auto [i, element] : llvm::enumerate(group)) {
      Value part = toInteger(materialize(builder, loc, element), loc, builder);
      unsigned width = part.getType().getIntOrFloatBitWidth();
      part = arith::ExtUIOp::create(builder, loc, toInt, part);
      if (i)
        part = arith::ShLIOp::create(builder, loc, part,
                                     constant(toInt, i * width));
      bits = bits ? arith::OrIOp::create(builder, loc, bits, part).getResult()
                  : part;
    }
    result.push_back({fromInteger(bits, to, loc, builder)});
  }
};

/// The index of the piece that starts `offset` elements after `base`.
Value offsetIndex(OpBuilder &builder, Location loc, Value base,
                  int64_t offset) {
  if (offset == 0)
    return base;
  Value constant = arith::ConstantIndexOp::create(builder, loc, offset);
  return arith::AddIOp::create(builder, loc, base, constant);
}

/// The alignment of an address `offset` elements after one of `alignment`.
llvm::MaybeAlign offsetAlignment(llvm::MaybeAlign alignment, Type element,
                                 int64_t offset) {
  if (!alignment || !element.isIntOrFloat())
    return alignment;
  uint64_t bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  return llvm::commonAlignment(*alignment, offset * bytes);
}

/// Calls `access` for each piece of the vector that a load or a store moves:
/// with its number, type, index and alignment.
template <typename OpTy>
LogicalResult splitAccess(
    OpTy op, PatternRewriter &rewriter,
    llvm::function_ref<void(size_t, Type, Value, llvm::MaybeAlign)> access) {
  if (op.getIndices().size() != 1)
    return rewriter.notifyMatchFailure(op, "more than one dimension");
  VectorType type = op.getVectorType();
  int64_t offset = 0;
  for (auto [i, piece] : llvm::enumerate(getVectorPieces(type))) {
    access(i, piece,
           offsetIndex(rewriter, op.getLoc(), op.getIndices().front(), offset),
           offsetAlignment(op.getMaybeAlign(), type.getElementType(), offset));
    auto vector = dyn_cast<VectorType>(piece);
    offset += vector ? vector.getNumElements() : 1;
  }
  return success();
}

struct SplitLoad : OpConversionPattern<vector::LoadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(vector::LoadOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Pieces pieces;
    auto load = [&](size_t, Type type, Value index, llvm::MaybeAlign align) {
      if (auto vector = dyn_cast<VectorType>(type))
        pieces.push_back(vector::LoadOp::create(rewriter, op.getLoc(), vector,
                                                op.getBase(), index,
                                                op.getNontemporal(), align));
      else
        pieces.push_back(
            memref::LoadOp::create(rewriter, op.getLoc(), op.getBase(), index));
    };
    if (failed(splitAccess(op, rewriter, load)))
      return failure();
    rewriter.replaceOpWithMultiple(op, {std::move(pieces)});
    return success();
  }
};

struct SplitStore : OpConversionPattern<vector::StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(vector::StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ValueRange pieces = adaptor.getValueToStore();
    auto store = [&](size_t i, Type type, Value index, llvm::MaybeAlign align) {
      if (isa<VectorType>(type))
        vector::StoreOp::create(rewriter, op.getLoc(), pieces[i], op.getBase(),
                                index, op.getNontemporal(), align);
      else
        memref::StoreOp::create(rewriter, op.getLoc(), pieces[i], op.getBase(),
                                index);
    };
    if (failed(splitAccess(op, rewriter, store)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

struct SplitReduction : OpConversionPattern<vector::ReductionOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(vector::ReductionOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value result = op.getAcc();
    for (VectorElement element : getElements(adaptor.getVector())) {
      Value value = materialize(rewriter, op.getLoc(), element);
      result = result ? vector::makeArithReduction(rewriter, op.getLoc(),
                                                   op.getKind(), result, value)
                      : value;
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Shuffles between lanes move scalars.
struct SplitShuffle : OpConversionPattern<gpu::ShuffleOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(gpu::ShuffleOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getValue().getType());
    if (!type)
      return failure();
    SmallVector<VectorElement> elements;
    Value valid;
    for (VectorElement element : getElements(adaptor.getValue())) {
      auto shuffle = gpu::ShuffleOp::create(
          rewriter, op.getLoc(), materialize(rewriter, op.getLoc(), element),
          op.getOffset(), op.getWidth(), op.getMode());
      elements.push_back({shuffle.getShuffleResult()});
      valid = shuffle.getValid();
    }
    SmallVector<Pieces> results{
        packElements(rewriter, op.getLoc(), elements, type), {valid}};
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// The conversion
//===----------------------------------------------------------------------===//

LogicalResult fusion::splitVectorsForMSL(Operation *root) {
  MLIRContext *context = root->getContext();
  TypeConverter converter;
  converter.addConversion([](Type type) { return type; });
  converter.addConversion(
      [](VectorType type,
         SmallVectorImpl<Type> &results) -> std::optional<LogicalResult> {
        if (type.isScalable())
          return failure();
        results = getVectorPieces(type);
        return success();
      });

  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal([&](Operation *op) {
    if (!converter.isLegal(op) || isa<vector::ShapeCastOp>(op))
      return false;
    if (!hasVectorType(op))
      return true;
    if (isa<gpu::ShuffleOp, vector::ReductionOp, vector::ShuffleOp>(op))
      return false;
    if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
      return !isa<VectorType>(broadcast.getSourceType());
    return !OpTrait::hasElementwiseMappableTraits(op) || hasVectorForm(op);
  });

  RewritePatternSet patterns(context);
  patterns.add<
      SplitElementwise, SplitConstant, SplitPoison, SplitToElements,
      SplitBitCast, SplitLoad, SplitStore, SplitReduction, SplitShuffle,
      MoveElements<vector::ExtractOp>, MoveElements<vector::InsertOp>,
      MoveElements<vector::BroadcastOp>, MoveElements<vector::FromElementsOp>,
      MoveElements<vector::ShapeCastOp>, MoveElements<vector::ShuffleOp>>(
      converter, context);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  ConversionConfig config;
  config.allowPatternRollback = false;
  if (failed(applyPartialConversion(root, target, std::move(patterns), config)))
    return failure();

  // Elements that were packed and taken apart again.
  GreedyRewriteConfig greedy;
  greedy.enableConstantCSE(false);
  return applyPatternsGreedily(root, RewritePatternSet(context), greedy);
}
