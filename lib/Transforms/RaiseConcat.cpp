//===- RaiseConcat.cpp - Concatenations written as gathers ----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gather reads whole tensors, so that what computes them must be kernels of
// their own. A concatenation is a piecewise view: its operands are computed
// where their elements are needed.
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/RaiseConcat.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace {

/// A dimension's index less a constant.
struct ShiftedIndex {
  uint64_t dim = 0;
  int64_t shift = 0;
};

/// What the body of a generic picks its element from.
class ConcatMatch {
public:
  explicit ConcatMatch(RankedTensorType type) : type(type) {}

  /// Matches `value` for indices along the dimension from `start` on.
  LogicalResult match(Value value, int64_t start);
  LogicalResult finish() const {
    return success(dim && end == type.getDimSize(*dim) && inputs.size() > 1);
  }

  std::optional<uint64_t> dim;
  SmallVector<Value> inputs;

private:
  LogicalResult matchPiece(tensor::ExtractOp extract, int64_t start);

  RankedTensorType type;
  int64_t end = 0;
};

} // namespace

static std::optional<ShiftedIndex> matchIndex(Value value) {
  ShiftedIndex index;
  while (Operation *op = value.getDefiningOp()) {
    if (auto source = dyn_cast<linalg::IndexOp>(op)) {
      index.dim = source.getDim();
      return index;
    }
    if (!isa<arith::SubIOp, arith::AddIOp>(op))
      return std::nullopt;
    std::optional<int64_t> constant = getConstantIntValue(op->getOperand(1));
    if (!constant)
      return std::nullopt;
    index.shift += isa<arith::SubIOp>(op) ? *constant : -*constant;
    value = op->getOperand(0);
  }
  return std::nullopt;
}

LogicalResult ConcatMatch::matchPiece(tensor::ExtractOp extract,
                                      int64_t start) {
  auto pieceType = extract.getTensor().getType();
  if (start != end || pieceType.getRank() != type.getRank() ||
      !pieceType.hasStaticShape() ||
      pieceType.getElementType() != type.getElementType())
    return failure();
  for (auto [position, operand] : llvm::enumerate(extract.getIndices())) {
    std::optional<ShiftedIndex> index = matchIndex(operand);
    bool isPicked = dim && *dim == position;
    if (!index || index->dim != position ||
        index->shift != (isPicked ? start : 0) ||
        (!isPicked &&
         pieceType.getDimSize(position) != type.getDimSize(position)))
      return failure();
  }
  inputs.push_back(extract.getTensor());
  end += dim ? pieceType.getDimSize(*dim) : 0;
  return success();
}

LogicalResult ConcatMatch::match(Value value, int64_t start) {
  if (auto extract = value.getDefiningOp<tensor::ExtractOp>())
    return matchPiece(extract, start);
  auto branch = value.getDefiningOp<scf::IfOp>();
  if (!branch || branch->getNumResults() != 1 || !branch.elseBlock())
    return failure();
  auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || (compare.getPredicate() != arith::CmpIPredicate::ult &&
                   compare.getPredicate() != arith::CmpIPredicate::slt))
    return failure();
  std::optional<ShiftedIndex> index = matchIndex(compare.getLhs());
  std::optional<int64_t> bound = getConstantIntValue(compare.getRhs());
  if (!index || !bound || (dim && index->dim != *dim))
    return failure();
  dim = index->dim;
  int64_t next = *bound + index->shift;
  if (failed(match(branch.thenYield().getOperand(0), start)) || end != next)
    return failure();
  return match(branch.elseYield().getOperand(0), next);
}

namespace {
struct RaiseConcat : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto type = op->getNumResults() == 1
                    ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                    : RankedTensorType();
    if (!type || !type.hasStaticShape() || op.getNumReductionLoops() ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
      return failure();
    ConcatMatch match(type);
    Value yielded = op.getBody()->getTerminator()->getOperand(0);
    if (failed(match.match(yielded, /*start=*/0)) || failed(match.finish()))
      return failure();
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, type, *match.dim,
                                                  match.inputs);
    return success();
  }
};
} // namespace

void fusion::populateRaiseConcatPatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseConcat>(patterns.getContext());
}
