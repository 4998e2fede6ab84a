//===- SplitPoison.h - Poison of types that are split -----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CONVERSION_LEGALIZEFORMSL_SPLITPOISON_H
#define FUSION_LIB_CONVERSION_LEGALIZEFORMSL_SPLITPOISON_H

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::fusion {

/// ub.poison of a type that the converter splits: every part is poison.
struct SplitPoison : OpConversionPattern<ub::PoisonOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertType(op.getType(), types)))
      return failure();
    SmallVector<Value> parts;
    for (Type type : types)
      parts.push_back(ub::PoisonOp::create(rewriter, op.getLoc(), type));
    rewriter.replaceOpWithMultiple(op, {std::move(parts)});
    return success();
  }
};

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_LEGALIZEFORMSL_SPLITPOISON_H
