//===- Normalize.cpp - The form that the passes expect --------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/Normalize.h"
#include "fusion/Analysis/VerifyGraph.h"
#include "fusion/Transforms/NarrowProducts.h"
#include "fusion/Transforms/Passes.h"
#include "fusion/Transforms/RaiseConcat.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_FUSIONNORMALIZE
#include "fusion/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// linalg.softmax and other aggregates become the operations they stand for.
struct DecomposeAggregate
    : OpInterfaceRewritePattern<linalg::AggregatedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::AggregatedOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!isa<linalg::LinalgDialect>(op->getDialect()))
      return failure();
    FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
    if (failed(values))
      return failure();
    rewriter.replaceOp(op, *values);
    return success();
  }
};

/// Whether `value` is a size of a tensor, or computed from sizes by what keeps
/// them from being negative. Tensors are too small for products of their sizes
/// to wrap.
static bool isSize(Value value, unsigned depth = 0) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant >= 0;
  Operation *op = value.getDefiningOp();
  if (!op || depth > 16)
    return false;
  if (isa<tensor::DimOp>(op))
    return true;
  if (!isa<arith::IndexCastOp, arith::ExtSIOp, arith::MulIOp, arith::AddIOp,
           arith::DivSIOp, arith::MaxSIOp, arith::MinSIOp, arith::SelectOp>(op))
    return false;
  bool isSelect = isa<arith::SelectOp>(op);
  return llvm::all_of(
      op->getOperands().drop_front(isSelect),
      [&](Value operand) { return isSize(operand, depth + 1); });
}

/// Exporters compute sizes for the case that one of them is negative (to be
/// inferred), and assert that it is not. No size is, and without the choice
/// sizes are seen to be equal.
struct FoldSignOfSize : OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::CmpIOp op,
                                PatternRewriter &rewriter) const override {
    bool isLess = op.getPredicate() == arith::CmpIPredicate::slt;
    if ((!isLess && op.getPredicate() != arith::CmpIPredicate::sge) ||
        !matchPattern(op.getRhs(), m_Zero()) || !isSize(op.getLhs()))
      return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, rewriter.getBoolAttr(!isLess));
    return success();
  }
};

/// A product of sizes, taken apart.
struct SizeProduct {
  SmallVector<Value> factors;
  int64_t constant = 1;

  /// Multiplies by `value`; fails where it is not a size.
  LogicalResult add(Value value) {
    if (std::optional<int64_t> factor = getConstantIntValue(value))
      return success(*factor > 0 &&
                     !llvm::MulOverflow(constant, *factor, constant));
    if (auto product = value.getDefiningOp<arith::MulIOp>())
      return success(succeeded(add(product.getLhs())) &&
                     succeeded(add(product.getRhs())));
    factors.push_back(value);
    return success(isSize(value));
  }

  /// Divides by `other`; fails where that leaves a quotient.
  LogicalResult divide(const SizeProduct &other) {
    for (Value factor : other.factors) {
      auto *it = llvm::find(factors, factor);
      if (it == factors.end())
        return failure();
      factors.erase(it);
    }
    if (constant % other.constant != 0)
      return failure();
    constant /= other.constant;
    return success();
  }
};

/// Exporters flatten dynamic sizes and divide some of them out again.
struct FoldQuotientOfSizes : OpRewritePattern<arith::DivSIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::DivSIOp op,
                                PatternRewriter &rewriter) const override {
    SizeProduct quotient, divisor;
    if (failed(quotient.add(op.getLhs())) || failed(divisor.add(op.getRhs())) ||
        divisor.factors.empty() || failed(quotient.divide(divisor)))
      return failure();
    Value result = arith::ConstantOp::create(
        rewriter, op.getLoc(),
        rewriter.getIntegerAttr(op.getType(), quotient.constant));
    for (Value factor : quotient.factors)
      result =
          rewriter.createOrFold<arith::MulIOp>(op.getLoc(), result, factor);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// A size that is computed by an affine map becomes arithmetic, which the other
/// patterns know.
struct ExpandAffineSize : OpRewritePattern<affine::AffineApplyOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(affine::AffineApplyOp op,
                                PatternRewriter &rewriter) const override {
    // Divisions would become choices, and indices in bodies are fine as they
    // are.
    bool divides = false;
    op.getAffineMap().walkExprs([&](AffineExpr expr) {
      divides |= expr.getKind() == AffineExprKind::FloorDiv ||
                 expr.getKind() == AffineExprKind::CeilDiv ||
                 expr.getKind() == AffineExprKind::Mod;
    });
    if (divides || op->getParentOfType<linalg::LinalgOp>())
      return failure();
    std::optional<SmallVector<Value>> results = affine::expandAffineMap(
        rewriter, op.getLoc(), op.getAffineMap(), op.getMapOperands());
    if (!results)
      return failure();
    rewriter.replaceOp(op, *results);
    return success();
  }
};

/// A value and a constant that is added to it.
static std::pair<Value, int64_t> splitAddend(Value value) {
  int64_t constant = 0;
  while (Operation *op = value.getDefiningOp()) {
    if (isa<arith::IndexCastOp>(op) &&
        llvm::all_of(
            TypeRange{op->getOperand(0).getType(), op->getResult(0).getType()},
            [](Type type) { return type.isIndex() || type.isInteger(64); })) {
      value = op->getOperand(0);
      continue;
    }
    std::optional<int64_t> addend;
    if (auto add = dyn_cast<arith::AddIOp>(op))
      addend = getConstantIntValue(add.getRhs());
    if (!addend || llvm::AddOverflow(constant, *addend, constant))
      break;
    value = op->getOperand(0);
  }
  return {value, constant};
}

/// Exporters bound the ends of slices: the lesser and the greater of sizes, of
/// which it is known which they are.
template <typename OpTy, bool takesLesser>
struct FoldBoundOfSize : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    Value lhs = op.getLhs(), rhs = op.getRhs();
    auto [left, leftAddend] = splitAddend(lhs);
    auto [right, rightAddend] = splitAddend(rhs);
    bool isLeftLess;
    if (left == right && isSize(left))
      isLeftLess = leftAddend <= rightAddend;
    else if (auto constant = getConstantIntValue(rhs);
             constant && *constant <= 0 && isSize(lhs))
      isLeftLess = false;
    else
      return failure();
    rewriter.replaceOp(op, isLeftLess == takesLesser ? lhs : rhs);
    return success();
  }
};

struct Normalize : fusion::impl::FusionNormalizeBase<Normalize> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(normalize(getOperation(), keepF64)))
      signalPassFailure();
  }
};
} // namespace

LogicalResult fusion::normalize(ModuleOp module, bool keepF64) {
  if (failed(verifyGraph(module)))
    return failure();
  PassManager inliner(module.getContext());
  inliner.addPass(createInlinerPass());
  inliner.addPass(createSymbolDCEPass());
  if (failed(inliner.run(module)))
    return failure();
  if (!keepF64)
    demoteF64(module);
  RewritePatternSet patterns(module.getContext());
  patterns.add<DecomposeAggregate, ExpandAffineSize, FoldQuotientOfSizes,
               FoldSignOfSize, FoldBoundOfSize<arith::MinSIOp, true>,
               FoldBoundOfSize<arith::MaxSIOp, false>>(module.getContext());
  arith::AddIOp::getCanonicalizationPatterns(patterns, module.getContext());
  populateRaiseConcatPatterns(patterns);
  if (failed(applyPatternsGreedily(module, std::move(patterns))))
    return module.emitError("decomposition did not converge");
  foldDynamicBroadcasts(module);
  if (failed(narrowProducts(module)))
    return failure();
  PassManager cleanup(module.getContext());
  cleanup.addPass(createCanonicalizerPass());
  cleanup.addPass(createCSEPass());
  return cleanup.run(module);
}
