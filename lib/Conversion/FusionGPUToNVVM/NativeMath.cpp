//===- NativeMath.cpp - Math instructions without an llvm operation -------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Converts an f32 operation, element by element, to the intrinsic of an
/// instruction: the precise one, or the flushing one under `afn`.
template <typename OpTy>
struct IntrinsicLowering : ConvertOpToLLVMPattern<OpTy> {
  IntrinsicLowering(const LLVMTypeConverter &converter, StringRef precise,
                    StringRef approximate)
      : ConvertOpToLLVMPattern<OpTy>(converter, /*benefit=*/10),
        precise(precise), approximate(approximate) {}

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = adaptor.getOperand().getType();
    if (!getElementTypeOrSelf(type).isF32())
      return rewriter.notifyMatchFailure(op, "not f32");
    bool afn = bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::afn);
    StringAttr name = rewriter.getStringAttr(afn ? approximate : precise);
    Location loc = op.getLoc();
    auto call = [&](Value x) -> Value {
      return LLVM::CallIntrinsicOp::create(rewriter, loc, x.getType(), name, x)
          .getResult(0);
    };
    auto vector = dyn_cast<VectorType>(type);
    if (!vector) {
      rewriter.replaceOp(op, call(adaptor.getOperand()));
      return success();
    }
    if (vector.getRank() != 1)
      return rewriter.notifyMatchFailure(op, "not a vector of one dimension");
    Value result = LLVM::PoisonOp::create(rewriter, loc, vector);
    for (int64_t i = 0, e = vector.getNumElements(); i != e; ++i) {
      Value position = LLVM::ConstantOp::create(rewriter, loc,
                                                rewriter.getI32IntegerAttr(i));
      Value element = LLVM::ExtractElementOp::create(
          rewriter, loc, adaptor.getOperand(), position);
      result = LLVM::InsertElementOp::create(rewriter, loc, result,
                                             call(element), position);
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  StringRef precise, approximate;
};

} // namespace

void mlir::fusion::populateNativeMathPatterns(
    const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<IntrinsicLowering<math::Exp2Op>>(
      converter, "llvm.nvvm.ex2.approx.f32", "llvm.nvvm.ex2.approx.ftz.f32");
  patterns.add<IntrinsicLowering<math::RsqrtOp>>(
      converter, "llvm.nvvm.rsqrt.approx.f", "llvm.nvvm.rsqrt.approx.ftz.f");
}
