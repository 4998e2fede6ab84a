//===- LegalizeArith.cpp - Scalar operations that Metal has ---------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns that express operations by ones with a spelling in MSL. They work on
// scalars and on vectors of any shape; SplitVectors.cpp comes after them.
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/LegalizeForMSL.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fusion;

/// `type`, a scalar or a vector, with another element type.
static Type withElement(Type type, Type element) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(element);
  return element;
}

/// A constant of `type`, a scalar or a vector of integers.
static Value integerConstant(OpBuilder &builder, Location loc, Type type,
                             int64_t value) {
  TypedAttr scalar = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(vector, Attribute(scalar)));
  return arith::ConstantOp::create(builder, loc, scalar);
}

namespace {

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// Computes in f32 what Metal does not compute in a narrow type: anything in
/// bf16 and f8; functions, minimum, maximum and remainder in f16. Rounding an
/// f32 sum, product or quotient gives what computing in the narrow type gives.
struct ComputeInF32 : RewritePattern {
  ComputeInF32(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    bool isMath = isa<math::MathDialect>(op->getDialect());
    if ((!isMath && !isa<arith::ArithDialect>(op->getDialect())) ||
        !OpTrait::hasElementwiseMappableTraits(op) ||
        isa<arith::ExtFOp, arith::TruncFOp, arith::BitcastOp, arith::SelectOp>(
            op))
      return failure();
    bool f16Too =
        isMath || isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                      arith::MinNumFOp, arith::RemFOp>(op);
    auto isNarrow = [&](Type type) {
      Type element = getElementTypeOrSelf(type);
      return element.isBF16() ||
             isa<Float8E4M3FNType, Float8E5M2Type>(element) ||
             (f16Too && element.isF16());
    };
    if (llvm::none_of(op->getOperandTypes(), isNarrow) &&
        llvm::none_of(op->getResultTypes(), isNarrow))
      return failure();

    Type f32 = rewriter.getF32Type();
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isNarrow(operand.getType())
                             ? arith::ExtFOp::create(
                                   rewriter, op->getLoc(),
                                   withElement(operand.getType(), f32), operand)
                                   .getResult()
                             : operand);
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(isNarrow(type) ? withElement(type, f32) : type);
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         op->getAttrs());
    Operation *wide = rewriter.create(state);
    SmallVector<Value> results;
    for (auto [value, type] :
         llvm::zip_equal(wide->getResults(), op->getResultTypes()))
      results.push_back(
          isNarrow(type)
              ? arith::TruncFOp::create(rewriter, op->getLoc(), type, value)
                    .getResult()
              : Value(value));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// The largest exponent that becomes products.
static constexpr int64_t maxUnrolledExponent = 8;

/// base^exponent by squaring; a small exponent keeps the error to a few ulp.
Value multiplyOut(OpBuilder &builder, Location loc, Value base,
                  int64_t exponent) {
  Type type = base.getType();
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  auto makeOne = [&]() {
    return createScalarOrSplatConstant(builder, loc, type,
                                       APFloat(element.getFloatSemantics(), 1));
  };
  if (exponent == 0)
    return makeOne();
  Value result, power = base;
  for (uint64_t left = std::abs(exponent); left; left >>= 1) {
    if (left & 1)
      result =
          result
              ? arith::MulFOp::create(builder, loc, result, power).getResult()
              : power;
    if (left > 1)
      power = arith::MulFOp::create(builder, loc, power, power);
  }
  if (exponent < 0)
    result = arith::DivFOp::create(builder, loc, makeOne(), result);
  return result;
}

/// The small integer that every element of `value` is, if it is one.
std::optional<int64_t> matchSmallInteger(Value value) {
  APInt integer;
  APFloat real(0.0f);
  int64_t exponent;
  if (matchPattern(value, m_ConstantInt(&integer))) {
    exponent = integer.getSExtValue();
  } else if (matchPattern(value, m_ConstantFloat(&real)) && real.isInteger()) {
    APSInt converted(32, /*isUnsigned=*/false);
    bool isExact = false;
    if (real.convertToInteger(converted, APFloat::rmTowardZero, &isExact) !=
        APFloat::opOK)
      return std::nullopt;
    exponent = converted.getSExtValue();
  } else {
    return std::nullopt;
  }
  if (std::abs(exponent) > maxUnrolledExponent)
    return std::nullopt;
  return exponent;
}

/// Powers with a small constant exponent, most often squares.
template <typename OpTy>
struct UnrollPower : OpRewritePattern<OpTy> {
  UnrollPower(MLIRContext *context)
      : OpRewritePattern<OpTy>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    std::optional<int64_t> exponent = matchSmallInteger(op.getRhs());
    if (!exponent)
      return failure();
    rewriter.replaceOp(
        op, multiplyOut(rewriter, op.getLoc(), op.getLhs(), *exponent));
    return success();
  }
};

/// vector.fma is math.fma, which MSL has for scalars too.
struct UseMathFma : OpRewritePattern<vector::FMAOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(vector::FMAOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<math::FmaOp>(op, op.getLhs(), op.getRhs(),
                                             op.getAcc());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// The two halves of a product of 32-bit integers, by a 64-bit product.
template <typename OpTy, typename ExtendTy>
struct WidenProduct : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getLhs().getType();
    auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
    if (!element || element.getWidth() > 32)
      return rewriter.notifyMatchFailure(op, "no wider type");
    Location loc = op.getLoc();
    Type wide = withElement(type, rewriter.getI64Type());
    Value lhs = ExtendTy::create(rewriter, loc, wide, op.getLhs());
    Value rhs = ExtendTy::create(rewriter, loc, wide, op.getRhs());
    Value product = arith::MulIOp::create(rewriter, loc, lhs, rhs);
    Value shift = integerConstant(rewriter, loc, wide, element.getWidth());
    Value high = arith::ShRUIOp::create(rewriter, loc, product, shift);
    rewriter.replaceOp(
        op, {arith::TruncIOp::create(rewriter, loc, type, product).getResult(),
             arith::TruncIOp::create(rewriter, loc, type, high).getResult()});
    return success();
  }
};

struct ExpandAddExtended : OpRewritePattern<arith::AddUIExtendedOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AddUIExtendedOp op,
                                PatternRewriter &rewriter) const override {
    Value sum =
        arith::AddIOp::create(rewriter, op.getLoc(), op.getLhs(), op.getRhs());
    Value overflow = arith::CmpIOp::create(
        rewriter, op.getLoc(), arith::CmpIPredicate::ult, sum, op.getLhs());
    rewriter.replaceOp(op, {sum, overflow});
    return success();
  }
};

/// The number of trailing zeros: the ones below the lowest set bit.
struct ExpandTrailingZeros : OpRewritePattern<math::CountTrailingZerosOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::CountTrailingZerosOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = op.getType();
    Value one = integerConstant(rewriter, loc, type, 1);
    Value ones = integerConstant(rewriter, loc, type, -1);
    Value inverted =
        arith::XOrIOp::create(rewriter, loc, op.getOperand(), ones);
    Value less = arith::SubIOp::create(rewriter, loc, op.getOperand(), one);
    Value below = arith::AndIOp::create(rewriter, loc, inverted, less);
    rewriter.replaceOpWithNewOp<math::CtPopOp>(op, below);
    return success();
  }
};

/// Counts bits of other widths than 32 by 32-bit counts.
template <typename OpTy>
struct CountIn32Bits : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    constexpr bool leading = std::is_same_v<OpTy, math::CountLeadingZerosOp>;
    Type type = op.getType();
    auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
    if (!element || element.getWidth() == 32 || element.getWidth() > 64)
      return rewriter.notifyMatchFailure(op, "32 bits, or not 64");
    unsigned width = element.getWidth();
    Location loc = op.getLoc();
    Type word = withElement(type, rewriter.getI32Type());
    Value input = op.getOperand();
    if (width < 32) {
      Value wide = arith::ExtUIOp::create(rewriter, loc, word, input);
      Value count = OpTy::create(rewriter, loc, wide);
      if (leading)
        count = arith::SubIOp::create(
            rewriter, loc, count,
            integerConstant(rewriter, loc, word, 32 - width));
      rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, type, count);
      return success();
    }
    if (width != 64)
      return rewriter.notifyMatchFailure(op, "not 64 bits");
    Value low = arith::TruncIOp::create(rewriter, loc, word, input);
    Value shift = integerConstant(rewriter, loc, type, 32);
    Value high = arith::TruncIOp::create(
        rewriter, loc, word,
        arith::ShRUIOp::create(rewriter, loc, input, shift));
    Value lowCount = OpTy::create(rewriter, loc, low);
    Value highCount = OpTy::create(rewriter, loc, high);
    Value sum = arith::AddIOp::create(rewriter, loc, highCount, lowCount);
    if (leading) {
      Value zero = integerConstant(rewriter, loc, word, 0);
      Value isZero = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::eq, high, zero);
      sum = arith::SelectOp::create(rewriter, loc, isZero, sum, highCount);
    }
    rewriter.replaceOpWithNewOp<arith::ExtUIOp>(op, type, sum);
    return success();
  }
};

/// Shuffles of integers that are not of 16 or 32 bits, and of bf16, which moves
/// as an integer.
struct ShuffleWords : OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(gpu::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (op.getValue().getType().isBF16()) {
      Value bits = arith::BitcastOp::create(
          rewriter, loc, rewriter.getI16Type(), op.getValue());
      auto moved = gpu::ShuffleOp::create(rewriter, loc, bits, op.getOffset(),
                                          op.getWidth(), op.getMode());
      Value result = arith::BitcastOp::create(
          rewriter, loc, rewriter.getBF16Type(), moved.getShuffleResult());
      rewriter.replaceOp(op, {result, moved.getValid()});
      return success();
    }
    auto type = dyn_cast<IntegerType>(op.getValue().getType());
    if (!type || type.getWidth() == 16 || type.getWidth() == 32)
      return rewriter.notifyMatchFailure(op, "has a shuffle");
    Type word = rewriter.getI32Type();
    auto shuffle = [&](Value value) {
      return gpu::ShuffleOp::create(rewriter, loc, value, op.getOffset(),
                                    op.getWidth(), op.getMode());
    };
    if (type.getWidth() < 32) {
      Value wide = arith::ExtUIOp::create(rewriter, loc, word, op.getValue());
      gpu::ShuffleOp moved = shuffle(wide);
      Value result = arith::TruncIOp::create(rewriter, loc, type,
                                             moved.getShuffleResult());
      rewriter.replaceOp(op, {result, moved.getValid()});
      return success();
    }
    if (type.getWidth() != 64)
      return rewriter.notifyMatchFailure(op, "not two words");
    Value shift = integerConstant(rewriter, loc, type, 32);
    Value low = arith::TruncIOp::create(rewriter, loc, word, op.getValue());
    Value high = arith::TruncIOp::create(
        rewriter, loc, word,
        arith::ShRUIOp::create(rewriter, loc, op.getValue(), shift));
    gpu::ShuffleOp movedLow = shuffle(low), movedHigh = shuffle(high);
    Value wideLow = arith::ExtUIOp::create(rewriter, loc, type,
                                           movedLow.getShuffleResult());
    Value wideHigh = arith::ExtUIOp::create(rewriter, loc, type,
                                            movedHigh.getShuffleResult());
    Value shifted = arith::ShLIOp::create(rewriter, loc, wideHigh, shift);
    Value result = arith::OrIOp::create(rewriter, loc, shifted, wideLow);
    rewriter.replaceOp(op, {result, movedLow.getValid()});
    return success();
  }
};

} // namespace

void fusion::populateLegalizeArithForMSLPatterns(RewritePatternSet &patterns) {
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  patterns.add<
      ComputeInF32, UnrollPower<math::FPowIOp>, UnrollPower<math::PowFOp>,
      UseMathFma, WidenProduct<arith::MulUIExtendedOp, arith::ExtUIOp>,
      WidenProduct<arith::MulSIExtendedOp, arith::ExtSIOp>, ExpandAddExtended,
      ExpandTrailingZeros, CountIn32Bits<math::CountLeadingZerosOp>,
      CountIn32Bits<math::CtPopOp>, ShuffleWords>(patterns.getContext());
}
