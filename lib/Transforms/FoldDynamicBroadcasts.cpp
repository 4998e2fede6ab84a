//===- FoldDynamicBroadcasts.cpp - Broadcasts of unknown sizes ------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An exporter that broadcasts a tensor of dynamic sizes does not know which
// dimensions have size 1, and reads `x[size == 1 ? 0 : i]` in a body that has
// no operands. Where the sizes turn out to be equal, or 1, this is an
// element-wise operation with an indexing map, and mostly a copy.
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/IndexSpace.h"
#include "fusion/Analysis/ShapeAnalysis.h"
#include "fusion/Transforms/Normalize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::fusion;

/// The result of an indexing map that reads dimension `dim` of `source` at
/// `index`, a value of the body of `op`; null where there is none.
static AffineExpr getMapResult(Value index, Value source, unsigned dim,
                               linalg::GenericOp op, ShapeAnalysis &shapes) {
  MLIRContext *context = op.getContext();
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return *constant == 0 ? getAffineConstantExpr(0, context) : AffineExpr();
  if (auto loop = index.getDefiningOp<linalg::IndexOp>())
    return getAffineDimExpr(loop.getDim(), context);
  auto select = index.getDefiningOp<arith::SelectOp>();
  if (!select || !matchPattern(select.getTrueValue(), m_Zero()))
    return nullptr;
  auto loop = select.getFalseValue().getDefiningOp<linalg::IndexOp>();
  auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!loop || !compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
      !matchPattern(compare.getRhs(), m_One()))
    return nullptr;
  // The loop runs over the result's dimension.
  IndexSpace space(context);
  AffineExpr size = space.simplify(shapes.getScalar(compare.getLhs()));
  AffineExpr bound =
      space.simplify(shapes.getDim(op.getOutputs()[0], loop.getDim()));
  AffineExpr extent = space.simplify(shapes.getDim(source, dim));
  if (extent == space.constant(1))
    return space.constant(0);
  // Where the size is 1 so is the bound, and the index is 0 anyway.
  return size == bound && size == extent
             ? getAffineDimExpr(loop.getDim(), context)
             : AffineExpr();
}

void fusion::foldDynamicBroadcasts(Operation *root) {
  SmallVector<linalg::GenericOp> candidates;
  root->walk([&](linalg::GenericOp op) {
    Block &body = *op.getBlock();
    auto yield = cast<linalg::YieldOp>(body.getTerminator());
    if (op.getInputs().empty() && op.getNumResults() == 1 &&
        op.hasPureTensorSemantics() && !op.getNumReductionLoops() &&
        op.getIndexingMapsArray().back().isIdentity() &&
        yield.getOperand(0).getDefiningOp<tensor::ExtractOp>())
      candidates.push_back(op);
  });
  if (candidates.empty())
    return;
  ShapeAnalysis shapes(root);
  IRRewriter rewriter(root->getContext());
  SmallVector<std::pair<linalg::GenericOp, linalg::GenericOp>> replacements;
  for (linalg::GenericOp op : candidates) {
    Block &body = *op.getBlock();
    auto extract =
        body.getTerminator()->getOperand(0).getDefiningOp<tensor::ExtractOp>();
    Value source = extract.getTensor();
    if (source.getParentBlock() == &body ||
        llvm::any_of(body.without_terminator(), [](Operation &inner) {
          return !isMemoryEffectFree(&inner);
        }))
      continue;
    SmallVector<AffineExpr> results;
    for (auto [dim, index] : llvm::enumerate(extract.getIndices()))
      results.push_back(getMapResult(index, source, dim, op, shapes));
    if (llvm::is_contained(results, AffineExpr()))
      continue;
    rewriter.setInsertionPoint(op);
    unsigned rank = op.getNumLoops();
    // 0 in a dimension of size 1 is the loop's index, which makes a copy one.
    if (results.size() == rank)
      for (auto [dim, result] : llvm::enumerate(results))
        if (isa<AffineConstantExpr>(result) &&
            shapes.getDim(op.getOutputs()[0], dim) ==
                rewriter.getAffineConstantExpr(1))
          result = rewriter.getAffineDimExpr(dim);
    AffineMap map = AffineMap::get(rank, 0, results, rewriter.getContext());
    AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
    auto copy = linalg::GenericOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), source, op.getOutputs(),
        ArrayRef<AffineMap>{map, identity}, op.getIteratorTypesArray(),
        [](OpBuilder &builder, Location loc, ValueRange arguments) {
          linalg::YieldOp::create(builder, loc, arguments[0]);
        });
    replacements.push_back({op, copy});
  }
  for (auto [op, copy] : replacements)
    rewriter.replaceOp(op, copy.getResults());
}
