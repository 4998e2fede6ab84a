//===- DuplicateGathers.cpp - A gather for each reader --------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/DuplicateGathers.h"
#include "fusion/Interfaces/FusibleOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::fusion;

/// Whether each element of the result is an element of an argument of the
/// function, and nothing is computed but its indices and their checks.
static bool isGather(linalg::GenericOp op) {
  if (op.getNumReductionLoops() || op->getNumResults() != 1)
    return false;
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  auto element = yield.getOperand(0).getDefiningOp<tensor::ExtractOp>();
  if (!element || !isa<BlockArgument>(element.getTensor()) ||
      element.getTensor().getParentBlock() != op->getBlock())
    return false;
  return llvm::all_of(
      op.getBody()->without_terminator(), [&](Operation &inner) {
        return &inner == element ||
               isa<linalg::IndexOp, arith::IndexCastOp, arith::CmpIOp,
                   arith::SelectOp, arith::AddIOp, cf::AssertOp>(inner) ||
               inner.hasTrait<OpTrait::ConstantLike>();
      });
}

/// Gives every use of a value, which `op` computes from others by index alone,
/// an operation of its own.
static void duplicate(Operation *op) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : op->getResult(0).getUses())
    if (!isa<tensor::DimOp>(use.getOwner()))
      uses.push_back(&use);
  for (OpOperand *use : uses)
    if (auto fusible = dyn_cast<FusibleOpInterface>(use->getOwner());
        fusible && fusible.getFusionRole() == FusionRole::View &&
        use->getOwner()->getBlock() == op->getBlock())
      duplicate(use->getOwner());
  // The copies of views are readers, too.
  SmallVector<OpOperand *> readers;
  for (OpOperand &use : op->getResult(0).getUses())
    if (!isa<tensor::DimOp>(use.getOwner()))
      readers.push_back(&use);
  OpBuilder builder(op);
  for (OpOperand *reader : llvm::drop_begin(readers))
    reader->set(builder.clone(*op)->getResult(0));
}

void fusion::duplicateGathers(func::FuncOp func) {
  SmallVector<linalg::GenericOp> gathers;
  for (auto op : func.getBody().front().getOps<linalg::GenericOp>())
    if (isGather(op) && !op->use_empty())
      gathers.push_back(op);
  for (linalg::GenericOp op : gathers)
    duplicate(op);
}
