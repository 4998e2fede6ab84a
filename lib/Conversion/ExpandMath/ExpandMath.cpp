//===- ExpandMath.cpp - Math functions as plain arithmetic ----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The patterns that put the expansions in the place of operations.
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/ExpandMath.h"
#include "Emitter.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::fusion;

/// Whether functions of `type` have expansions of their own.
static bool isExpandable(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF32() || element.isF64();
}

/// Whether functions of `type` are computed in f32.
static bool isNarrow(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() < 32;
}

/// Returns `type` with f32 elements.
static Type widen(Type type) {
  Type f32 = Float32Type::get(type.getContext());
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(f32);
  return f32;
}

namespace {

/// Computes a function of f16 or bf16 values in f32 and rounds the result.
template <typename OpTy>
struct WidenMath : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Type type = op->getOperand(0).getType();
    if (!isNarrow(type))
      return rewriter.notifyMatchFailure(op, "wide enough");
    SmallVector<Value> operands;
    // A constant stays one: expansions look for it.
    for (Value operand : op->getOperands())
      operands.push_back(isNarrow(operand.getType())
                             ? rewriter.createOrFold<arith::ExtFOp>(
                                   op.getLoc(), widen(type), operand)
                             : operand);
    SmallVector<Type> types;
    for (Type result : op->getResultTypes())
      types.push_back(isNarrow(result) ? widen(result) : result);
    OperationState state(op.getLoc(), op->getName(), operands, types,
                         op->getAttrs());
    Operation *wide = rewriter.create(state);
    SmallVector<Value> results;
    for (auto [value, result] :
         llvm::zip_equal(wide->getResults(), op->getResultTypes()))
      results.push_back(
          isNarrow(result)
              ? arith::TruncFOp::create(rewriter, op.getLoc(), result, value)
              : Value(value));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// Replaces a function by `expand`, except where the option at `native` says
/// that the target has it for f32.
template <typename OpTy, auto expand, bool ExpandMathOptions::*native = nullptr>
struct ExpandFunction : OpRewritePattern<OpTy> {
  ExpandFunction(MLIRContext *context, ExpandMathOptions options)
      : OpRewritePattern<OpTy>(context), options(options) {}

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!isExpandable(op.getType()))
      return rewriter.notifyMatchFailure(op, "no expansion for this type");
    if constexpr (native != nullptr)
      if (options.*native && !getElementTypeOrSelf(op.getType()).isF64())
        return rewriter.notifyMatchFailure(op, "the target has it");
    Emitter emitter(rewriter, op.getLoc(), op.getType(), options);
    if constexpr (OpTy::template hasTrait<OpTrait::OneOperand>())
      rewriter.replaceOp(op, expand(emitter, op.getOperand()));
    else
      rewriter.replaceOp(op, expand(emitter, op.getLhs(), op.getRhs()));
    return success();
  }

private:
  ExpandMathOptions options;
};

/// Takes a function of vectors, whose expansion branches, apart into functions
/// of their elements.
template <typename OpTy>
struct ScalarizeMath : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.isScalable() || !isExpandable(type))
      return rewriter.notifyMatchFailure(op, "not a vector of f32 or f64");
    Location loc = op.getLoc();
    SmallVector<SmallVector<Value>> operands(type.getNumElements());
    for (Value operand : op->getOperands()) {
      auto elements = vector::ToElementsOp::create(rewriter, loc, operand);
      for (auto [list, element] :
           llvm::zip_equal(operands, elements.getResults()))
        list.push_back(element);
    }
    SmallVector<Value> results;
    for (ArrayRef<Value> list : operands)
      results.push_back(OpTy::create(rewriter, loc,
                                     TypeRange{type.getElementType()}, list,
                                     op->getAttrs()));
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, results);
    return success();
  }
};

/// e^x as the hardware's 2^(x log2(e)), whose error grows with |x|: only where
/// `afn` allows it.
struct ApproximateExp : OpRewritePattern<math::ExpOp> {
  ApproximateExp(MLIRContext *context)
      : OpRewritePattern<math::ExpOp>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32() ||
        !bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::afn))
      return rewriter.notifyMatchFailure(op, "not an approximate f32 exp");
    ExpandMathOptions options;
    Emitter e(rewriter, op.getLoc(), op.getType(), options);
    Value exponent = e.mul(op.getOperand(), 1.4426950408889634);
    rewriter.replaceOpWithNewOp<math::Exp2Op>(op, exponent, op.getFastmath());
    return success();
  }
};

struct ExpandSincos : OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::SincosOp op,
                                PatternRewriter &rewriter) const override {
    Value sin = math::SinOp::create(rewriter, op.getLoc(), op.getOperand());
    Value cos = math::CosOp::create(rewriter, op.getLoc(), op.getOperand());
    rewriter.replaceOp(op, {sin, cos});
    return success();
  }
};

struct ExpandClamp : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    // The order makes a NaN stay one, and a minimum above the maximum give the
    // maximum.
    Value low = arith::MaximumFOp::create(rewriter, op.getLoc(), op.getValue(),
                                          op.getMin());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, low, op.getMax());
    return success();
  }
};

/// `math.isnan` and its like as comparisons.
template <typename OpTy>
struct ExpandClassification : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = op.getOperand();
    auto compare = [&](arith::CmpFPredicate predicate, Value a,
                       Value b) -> Value {
      return arith::CmpFOp::create(rewriter, loc, predicate, a, b);
    };
    if constexpr (std::is_same_v<OpTy, math::IsNaNOp>) {
      rewriter.replaceOp(op, compare(arith::CmpFPredicate::UNO, x, x));
      return success();
    }
    auto element = cast<FloatType>(getElementTypeOrSelf(x.getType()));
    const llvm::fltSemantics &semantics = element.getFloatSemantics();
    auto constant = [&](const APFloat &value) {
      return createScalarOrSplatConstant(rewriter, loc, x.getType(), value);
    };
    Value a = math::AbsFOp::create(rewriter, loc, x);
    Value infinity = constant(APFloat::getInf(semantics));
    if constexpr (std::is_same_v<OpTy, math::IsInfOp>) {
      rewriter.replaceOp(op, compare(arith::CmpFPredicate::OEQ, a, infinity));
      return success();
    }
    Value finite = compare(arith::CmpFPredicate::OLT, a, infinity);
    if constexpr (std::is_same_v<OpTy, math::IsNormalOp>) {
      Value smallest = constant(APFloat::getSmallestNormalized(semantics));
      finite = arith::AndIOp::create(
          rewriter, loc, finite,
          compare(arith::CmpFPredicate::OGE, a, smallest));
    }
    rewriter.replaceOp(op, finite);
    return success();
  }
};

/// Powers with an integer exponent: `math.fpowi`, whose exponent converts to
/// the float type exactly up to 2^24 (2^53).
struct ExpandFPowI : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    if (!isExpandable(op.getType()))
      return rewriter.notifyMatchFailure(op, "no expansion for this type");
    // A constant must be one for the expansion of powf, too.
    APInt value;
    Value exponent;
    if (matchPattern(op.getRhs(), m_ConstantInt(&value))) {
      ExpandMathOptions options;
      exponent = Emitter(rewriter, op.getLoc(), op.getType(), options)
                     .constant(static_cast<double>(value.getSExtValue()));
    } else {
      exponent = arith::SIToFPOp::create(rewriter, op.getLoc(), op.getType(),
                                         op.getRhs());
    }
    rewriter.replaceOpWithNewOp<math::PowFOp>(op, op.getLhs(), exponent);
    return success();
  }
};

/// Integer powers by repeated squaring. A negative exponent gives 0 unless the
/// base is 1 or -1.
struct ExpandIPowI : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::IPowIOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    Type element = getElementTypeOrSelf(type);
    if (!element.isInteger())
      return rewriter.notifyMatchFailure(op, "not an integer");
    unsigned width = element.getIntOrFloatBitWidth();
    Location loc = op.getLoc();
    auto constant = [&](int64_t value) -> Value {
      APInt bits(width, value, /*isSigned=*/true, /*implicitTrunc=*/true);
      return createScalarOrSplatConstant(rewriter, loc, type, bits);
    };
    auto equal = [&](Value x, Value y) -> Value {
      return arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, x,
                                   y);
    };
    Value base = op.getLhs(), exponent = op.getRhs();
    Value zero = constant(0), one = constant(1), minusOne = constant(-1);
    Value first = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value last = arith::ConstantIndexOp::create(rewriter, loc, width);
    Value step = arith::ConstantIndexOp::create(rewriter, loc, 1);
    auto loop = scf::ForOp::create(
        rewriter, loc, first, last, step, ValueRange{one, base, exponent},
        [&](OpBuilder &nested, Location loc, Value, ValueRange state) {
          Value even = arith::CmpIOp::create(
              nested, loc, arith::CmpIPredicate::eq,
              arith::AndIOp::create(nested, loc, state[2], one), zero);
          Value product =
              arith::MulIOp::create(nested, loc, state[0], state[1]);
          Value power =
              arith::SelectOp::create(nested, loc, even, state[0], product);
          Value square = arith::MulIOp::create(nested, loc, state[1], state[1]);
          Value rest = arith::ShRUIOp::create(nested, loc, state[2], one);
          scf::YieldOp::create(nested, loc, ValueRange{power, square, rest});
        });
    // 1 and -1 are their own inverses, so their powers are right as they are.
    Value negative = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::slt, exponent, zero);
    Value unit = arith::OrIOp::create(rewriter, loc, equal(base, one),
                                      equal(base, minusOne));
    Value inverse =
        arith::SelectOp::create(rewriter, loc, unit, loop.getResult(0), zero);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, negative, inverse,
                                                 loop.getResult(0));
    return success();
  }
};

} // namespace

void mlir::fusion::populateExpandMathPatterns(
    RewritePatternSet &patterns, const ExpandMathOptions &options) {
  MLIRContext *context = patterns.getContext();
  // Everything but fma, absf and copysign, which narrow types have.
  patterns.add<
      WidenMath<math::AcosOp>, WidenMath<math::AcoshOp>,
      WidenMath<math::AsinOp>, WidenMath<math::AsinhOp>,
      WidenMath<math::Atan2Op>, WidenMath<math::AtanOp>,
      WidenMath<math::AtanhOp>, WidenMath<math::CbrtOp>,
      WidenMath<math::CeilOp>, WidenMath<math::CosOp>, WidenMath<math::CoshOp>,
      WidenMath<math::ErfOp>, WidenMath<math::ErfcOp>, WidenMath<math::Exp2Op>,
      WidenMath<math::ExpM1Op>, WidenMath<math::ExpOp>,
      WidenMath<math::FPowIOp>, WidenMath<math::FloorOp>,
      WidenMath<math::Log10Op>, WidenMath<math::Log1pOp>,
      WidenMath<math::Log2Op>, WidenMath<math::LogOp>, WidenMath<math::PowFOp>,
      WidenMath<math::RoundEvenOp>, WidenMath<math::RoundOp>,
      WidenMath<math::RsqrtOp>, WidenMath<math::SinOp>, WidenMath<math::SinhOp>,
      WidenMath<math::SqrtOp>, WidenMath<math::TanOp>, WidenMath<math::TanhOp>,
      WidenMath<math::TruncOp>>(context);
  patterns.add<ExpandSincos, ExpandClamp, ExpandFPowI, ExpandIPowI,
               ExpandClassification<math::IsFiniteOp>,
               ExpandClassification<math::IsInfOp>,
               ExpandClassification<math::IsNaNOp>,
               ExpandClassification<math::IsNormalOp>>(context);
  patterns.add<ExpandFunction<math::CbrtOp, expandCbrt>,
               ExpandFunction<math::ErfOp, expandErf>,
               ExpandFunction<math::ErfcOp, expandErfc>,
               ExpandFunction<math::ExpM1Op, expandExpM1>,
               ExpandFunction<math::Log1pOp, expandLog1p>>(context, options);
  if (options.nativeFunctions)
    return;
  patterns.add<ExpandFunction<math::AcosOp, expandAcos>,
               ExpandFunction<math::AcoshOp, expandAcosh>,
               ExpandFunction<math::AsinOp, expandAsin>,
               ExpandFunction<math::AsinhOp, expandAsinh>,
               ExpandFunction<math::AtanOp, expandAtan>,
               ExpandFunction<math::AtanhOp, expandAtanh>,
               ExpandFunction<math::CoshOp, expandCosh>,
               ExpandFunction<math::ExpOp, expandExp>,
               ExpandFunction<math::Log10Op, expandLog10>,
               ExpandFunction<math::Log2Op, expandLog2>,
               ExpandFunction<math::LogOp, expandLog>,
               ExpandFunction<math::SinhOp, expandSinh>,
               ExpandFunction<math::TanhOp, expandTanh>,
               ExpandFunction<math::Atan2Op, expandAtan2>,
               ExpandFunction<math::PowFOp, expandPow>>(context, options);
  // The scalar form of these branches; their vectors are taken apart first.
  patterns.add<ExpandFunction<math::CosOp, expandCos>,
               ExpandFunction<math::SinOp, expandSin>,
               ExpandFunction<math::TanOp, expandTan>>(context, options);
  patterns.add<ScalarizeMath<math::CosOp>, ScalarizeMath<math::SinOp>,
               ScalarizeMath<math::TanOp>, ScalarizeMath<arith::RemFOp>>(
      context, /*benefit=*/2);
  patterns.add<ExpandFunction<arith::RemFOp, expandRemainder>>(context,
                                                               options);
  patterns.add<WidenMath<arith::RemFOp>>(context);
  if (options.nativeExp2)
    patterns.add<ApproximateExp>(context);
  patterns.add<
      ExpandFunction<math::Exp2Op, expandExp2, &ExpandMathOptions::nativeExp2>,
      ExpandFunction<math::RsqrtOp, expandRsqrt,
                     &ExpandMathOptions::nativeRsqrt>>(context, options);
}

LogicalResult mlir::fusion::expandMath(Operation *root,
                                       const ExpandMathOptions &options) {
  RewritePatternSet patterns(root->getContext());
  populateExpandMathPatterns(patterns, options);
  return applyPatternsGreedily(root, std::move(patterns));
}
