//===- NarrowFloats.cpp - Floats of eight bits in integer arithmetic ------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM has no floats of eight bits, and NVIDIA's conversions begin with sm_89.
// So f8E4M3FN and f8E5M2 are bytes in memory; they convert to and from f32 by
// integer arithmetic, rounding to nearest even, and everything else on them is
// computed in f32.
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/NarrowFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::fusion;

static bool isNarrowFloat(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(type));
}

/// Returns `like` with its element type replaced.
static Type withElement(Type like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(element);
  return element;
}

namespace {

/// Builds integer and f32 arithmetic on values shaped like one type.
struct Builder {
  Builder(PatternRewriter &rewriter, Location loc, Type shape)
      : rewriter(rewriter), loc(loc), shape(shape) {}

  Type of(Type element) const { return withElement(shape, element); }
  Value constant(TypedAttr element) {
    TypedAttr value = element;
    if (auto vector = dyn_cast<VectorType>(of(element.getType())))
      value = DenseElementsAttr::get(vector, Attribute(element));
    return arith::ConstantOp::create(rewriter, loc, value);
  }
  Value integer(int64_t value) {
    return constant(rewriter.getI32IntegerAttr(value));
  }
  Value f32(double value) { return constant(rewriter.getF32FloatAttr(value)); }
  template <typename OpTy>
  Value binary(Value a, int64_t b) {
    return OpTy::create(rewriter, loc, a, integer(b));
  }
  Value compare(arith::CmpIPredicate predicate, Value a, int64_t b) {
    return arith::CmpIOp::create(rewriter, loc, predicate, a, integer(b));
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(rewriter, loc, condition, a, b);
  }
  Value bitcast(Value a, Type element) {
    return arith::BitcastOp::create(rewriter, loc, of(element), a);
  }
  Type i32() const { return of(rewriter.getI32Type()); }

  PatternRewriter &rewriter;
  Location loc;
  Type shape;
};

/// f8 to any wider float.
struct ExtendNarrowFloat : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Type source = op.getIn().getType();
    if (!isNarrowFloat(source))
      return rewriter.notifyMatchFailure(op, "wide enough");
    Builder b(rewriter, op.getLoc(), source);
    Location loc = op.getLoc();
    Type i16 = b.of(rewriter.getI16Type());
    auto constant16 = [&](int64_t value) {
      return b.constant(rewriter.getI16IntegerAttr(value));
    };
    Value bits = arith::ExtUIOp::create(
        rewriter, loc, i16, b.bitcast(op.getIn(), rewriter.getI8Type()));
    Value half;
    Value wide;
    if (isa<Float8E5M2Type>(getElementTypeOrSelf(source))) {
      // The upper byte of an f16.
      half = arith::ShLIOp::create(rewriter, loc, bits, constant16(8));
      wide = arith::ExtFOp::create(rewriter, loc, b.of(rewriter.getF32Type()),
                                   b.bitcast(half, rewriter.getF16Type()));
    } else {
      // The exponent's bias is 7, not 15: an f16 that is 2^8 too small. There
      // are no infinities, and the largest pattern is NaN.
      Value magnitude =
          arith::AndIOp::create(rewriter, loc, bits, constant16(0x7f));
      Value sign = arith::ShLIOp::create(
          rewriter, loc,
          arith::AndIOp::create(rewriter, loc, bits, constant16(0x80)),
          constant16(8));
      half = arith::OrIOp::create(
          rewriter, loc, sign,
          arith::ShLIOp::create(rewriter, loc, magnitude, constant16(7)));
      wide = arith::ExtFOp::create(rewriter, loc, b.of(rewriter.getF32Type()),
                                   b.bitcast(half, rewriter.getF16Type()));
      wide = arith::MulFOp::create(rewriter, loc, wide, b.f32(256));
      Value isNaN = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::eq, magnitude, constant16(0x7f));
      wide = b.select(isNaN, b.f32(std::numeric_limits<double>::quiet_NaN()),
                      wide);
    }
    Type result = op.getType();
    unsigned width = getElementTypeOrSelf(result).getIntOrFloatBitWidth();
    if (width < 32)
      wide = arith::TruncFOp::create(rewriter, loc, result, wide);
    else if (width > 32)
      wide = arith::ExtFOp::create(rewriter, loc, result, wide);
    rewriter.replaceOp(op, wide);
    return success();
  }
};

/// Any wider float to f8, through f32.
struct TruncateNarrowFloat : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type result = op.getType();
    if (!isNarrowFloat(result))
      return rewriter.notifyMatchFailure(op, "wide enough");
    Builder b(rewriter, op.getLoc(), result);
    Location loc = op.getLoc();
    Value x = op.getIn();
    Type f32 = b.of(rewriter.getF32Type());
    unsigned width = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
    if (width < 32)
      x = arith::ExtFOp::create(rewriter, loc, f32, x);
    else if (width > 32)
      x = arith::TruncFOp::create(rewriter, loc, f32, x);

    bool isE5M2 = isa<Float8E5M2Type>(getElementTypeOrSelf(result));
    int64_t mantissa = isE5M2 ? 2 : 3;
    int64_t bias = isE5M2 ? 15 : 7;
    int64_t dropped = 23 - mantissa;
    Value bits = b.bitcast(x, rewriter.getI32Type());
    Value magnitude = b.binary<arith::AndIOp>(bits, 0x7fffffff);
    // Normal results: round the mantissa to even, then change the bias.
    Value odd = b.binary<arith::AndIOp>(
        b.binary<arith::ShRUIOp>(magnitude, dropped), 1);
    int64_t rebias =
        ((bias - 127) * (int64_t(1) << 23)) + (int64_t(1) << (dropped - 1)) - 1;
    Value rounded = arith::AddIOp::create(
        rewriter, loc, b.binary<arith::AddIOp>(magnitude, rebias), odd);
    Value normal = b.binary<arith::ShRUIOp>(rounded, dropped);
    // Denormal ones: adding a power of two rounds at their last bit.
    int64_t power = (127 - bias + dropped + 1) << 23;
    Value sum = arith::AddFOp::create(
        rewriter, loc, b.bitcast(magnitude, rewriter.getF32Type()),
        b.bitcast(b.integer(power), rewriter.getF32Type()));
    Value denormal =
        b.binary<arith::SubIOp>(b.bitcast(sum, rewriter.getI32Type()), power);
    Value isDenormal =
        b.compare(arith::CmpIPredicate::ult, magnitude, (127 - bias + 1) << 23);
    Value value = b.select(isDenormal, denormal, normal);
    // Too large a magnitude is NaN in f8E4M3FN (from 480) and infinite in
    // f8E5M2 (from 65536).
    Value isLarge = b.compare(arith::CmpIPredicate::uge, magnitude,
                              isE5M2 ? 143 << 23 : 1087 << 20);
    Value large = b.integer(0x7f);
    if (isE5M2)
      large =
          b.select(b.compare(arith::CmpIPredicate::ugt, magnitude, 0x7f800000),
                   b.integer(0x7f), b.integer(0x7c));
    value = b.select(isLarge, large, value);
    Value sign =
        b.binary<arith::AndIOp>(b.binary<arith::ShRUIOp>(bits, 24), 0x80);
    value = arith::OrIOp::create(rewriter, loc, value, sign);
    Value byte = arith::TruncIOp::create(rewriter, loc,
                                         b.of(rewriter.getI8Type()), value);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, result, byte);
    return success();
  }
};

/// Functions that f16 has and f8 has not, in f32.
template <typename OpTy>
struct WidenNarrowFloat : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!isNarrowFloat(op.getType()))
      return rewriter.notifyMatchFailure(op, "wide enough");
    Type wide = withElement(op.getType(), rewriter.getF32Type());
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          arith::ExtFOp::create(rewriter, op.getLoc(), wide, operand));
    Value result = OpTy::create(rewriter, op.getLoc(), TypeRange{wide},
                                operands, op->getAttrs());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), result);
    return success();
  }
};

} // namespace

LogicalResult mlir::fusion::widenNarrowFloats(gpu::GPUFuncOp kernel) {
  bool found = kernel
                   .walk([](Operation *op) {
                     return llvm::any_of(op->getResultTypes(), isNarrowFloat)
                                ? WalkResult::interrupt()
                                : WalkResult::advance();
                   })
                   .wasInterrupted();
  if (!found)
    return success();
  MLIRContext *context = kernel.getContext();
  TypeConverter converter;
  arith::populateEmulateUnsupportedFloatsConversions(
      converter, {Float8E4M3FNType::get(context), Float8E5M2Type::get(context)},
      Float32Type::get(context));
  ConversionTarget target(*context);
  arith::populateEmulateUnsupportedFloatsLegality(target, converter);
  target.addLegalOp<arith::SelectOp>();
  RewritePatternSet patterns(context);
  arith::populateEmulateUnsupportedFloatsPatterns(patterns, converter);
  return applyPartialConversion(kernel, target, std::move(patterns));
}

void mlir::fusion::populateNarrowFloatPatterns(RewritePatternSet &patterns) {
  patterns.add<ExtendNarrowFloat, TruncateNarrowFloat,
               WidenNarrowFloat<math::AbsFOp>, WidenNarrowFloat<math::FmaOp>,
               WidenNarrowFloat<math::CopySignOp>>(patterns.getContext());
}
