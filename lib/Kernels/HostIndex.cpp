//===- HostIndex.cpp - Index expressions on the host ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Kernels/HostIndex.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

/// Sizes are not negative, so only a negative constant makes an expression so.
static bool mayBeNegative(AffineExpr expr) {
  bool result = false;
  expr.walk([&](AffineExpr part) {
    if (auto constant = dyn_cast<AffineConstantExpr>(part))
      result |= constant.getValue() < 0;
  });
  return result;
}

Value fusion::buildHostIndex(OpBuilder &builder, Location loc, AffineExpr expr,
                             llvm::function_ref<Value(unsigned)> getSymbol) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return arith::ConstantIndexOp::create(builder, loc, constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return getSymbol(symbol.getPosition());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = buildHostIndex(builder, loc, binary.getLHS(), getSymbol);
  Value rhs = buildHostIndex(builder, loc, binary.getRHS(), getSymbol);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
  case AffineExprKind::Mul:
    return builder.createOrFold<arith::MulIOp>(loc, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return builder.createOrFold<arith::FloorDivSIOp>(loc, lhs, rhs);
  case AffineExprKind::CeilDiv:
    return builder.createOrFold<arith::CeilDivSIOp>(loc, lhs, rhs);
  default:
    break;
  }
  if (!mayBeNegative(binary.getLHS()))
    return builder.createOrFold<arith::RemSIOp>(loc, lhs, rhs);
  // The remainder of affine expressions is never negative, arith's may be.
  Value quotient = builder.createOrFold<arith::FloorDivSIOp>(loc, lhs, rhs);
  Value whole = builder.createOrFold<arith::MulIOp>(loc, quotient, rhs);
  return builder.createOrFold<arith::SubIOp>(loc, lhs, whole);
}
