//===- FusionToLinalg.cpp - Reference semantics ---------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definition of this dialect's operations that can be executed: plain
// linalg, no tiling, every intermediate in memory and in the accumulator's
// type. Results of kernels are compared with it.
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/FusionToLinalg.h"
#include "fusion/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>

namespace mlir::fusion {
#define GEN_PASS_DEF_FUSIONTOLINALG
#include "fusion/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

LogicalResult fusion::inlineGroup(RewriterBase &rewriter, GroupOp group) {
  if (!group.getNumResults() && !group.getOutputs().empty())
    return group.emitError("is bufferized: its region has no meaning on "
                           "tensors any more; lower it before bufferization");
  Operation *terminator = group.getBody().front().getTerminator();
  rewriter.inlineBlockBefore(&group.getBody().front(), group,
                             group.getOperands());
  // Block arguments have become operands, the yielded ones too.
  SmallVector<Value> yielded(terminator->getOperands());
  rewriter.eraseOp(terminator);
  rewriter.replaceOp(group, yielded);
  return success();
}

namespace {

/// Lowers one attention.
class AttentionLowering {
public:
  AttentionLowering(RewriterBase &rewriter, AttentionOp op)
      : rewriter(rewriter), loc(op.getLoc()), op(op),
        accumulator(getElementTypeOrSelf(op.getQuery()).isF64()
                        ? rewriter.getF64Type()
                        : rewriter.getF32Type()) {}

  void lower();

private:
  using BodyFn = function_ref<Value(ValueRange arguments)>;

  void findExtents();
  Value constant(double value) {
    return arith::ConstantOp::create(rewriter, loc,
                                     rewriter.getFloatAttr(accumulator, value));
  }
  /// `map` as a map over the dimensions `dims` of the domain only, in their
  /// order.
  AffineMap restrict(AffineMap map, ArrayRef<unsigned> dims);
  /// The map that names all of `results`, over `dims`.
  AffineMap project(ArrayRef<unsigned> results, ArrayRef<unsigned> dims);
  /// A tensor of extent `dims`.
  Value empty(ArrayRef<unsigned> dims);
  /// The same, filled with `value`.
  Value fill(ArrayRef<unsigned> dims, double value);
  /// A generic over `dims`, of which the last `numReductions` are reduced.
  Value generic(ArrayRef<unsigned> dims, unsigned numReductions,
                ValueRange inputs, ArrayRef<AffineMap> inputMaps, Value init,
                AffineMap initMap, BodyFn body);
  Value convert(Value value, Type type);
  /// `factor` and `mask` may be null.
  Value emitScore(Value product, Value factor, Value mask);
  /// All scores: a tensor over the batch dimensions, query and key.
  Value computeScores();
  SmallVector<unsigned> getRowDims() {
    return llvm::to_vector(llvm::seq(0u, op.getQueryDim() + 1));
  }
  SmallVector<unsigned> getRowDimsWith(std::initializer_list<unsigned> more) {
    SmallVector<unsigned> dims = getRowDims();
    dims.append(more);
    return dims;
  }

  RewriterBase &rewriter;
  Location loc;
  AttentionOp op;
  Type accumulator;
  SmallVector<OpFoldResult> extents;
};

void AttentionLowering::findExtents() {
  unsigned numDims = op.getQueryMap().getNumDims();
  extents.resize(numDims);
  std::pair<Value, AffineMap> operands[] = {
      {op.getQuery(), op.getQueryMap()},
      {op.getKey(), op.getKeyMap()},
      {op.getValue(), op.getValueMap()},
      {op.getOutputs()[0], op.getOutputMap()}};
  for (auto [tensor, map] : operands) {
    for (auto [i, result] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(result))
        if (!extents[dim.getPosition()])
          extents[dim.getPosition()] =
              tensor::getMixedSize(rewriter, loc, tensor, i);
  }
}

AffineMap AttentionLowering::restrict(AffineMap map, ArrayRef<unsigned> dims) {
  SmallVector<AffineExpr> replacements(map.getNumDims(),
                                       rewriter.getAffineConstantExpr(0));
  for (auto [i, dim] : llvm::enumerate(dims))
    replacements[dim] = rewriter.getAffineDimExpr(i);
  return map.replaceDimsAndSymbols(replacements, {}, dims.size(), 0);
}

AffineMap AttentionLowering::project(ArrayRef<unsigned> results,
                                     ArrayRef<unsigned> dims) {
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : results)
    exprs.push_back(
        rewriter.getAffineDimExpr(llvm::find(dims, dim) - dims.begin()));
  return AffineMap::get(dims.size(), 0, exprs, rewriter.getContext());
}

Value AttentionLowering::empty(ArrayRef<unsigned> dims) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned dim : dims)
    sizes.push_back(extents[dim]);
  return tensor::EmptyOp::create(rewriter, loc, sizes, accumulator);
}

Value AttentionLowering::fill(ArrayRef<unsigned> dims, double value) {
  return linalg::FillOp::create(rewriter, loc, constant(value), empty(dims))
      .getResult(0);
}

Value AttentionLowering::generic(ArrayRef<unsigned> dims,
                                 unsigned numReductions, ValueRange inputs,
                                 ArrayRef<AffineMap> inputMaps, Value init,
                                 AffineMap initMap, BodyFn body) {
  SmallVector<AffineMap> maps(inputMaps);
  maps.push_back(initMap);
  SmallVector<utils::IteratorType> iterators(dims.size(),
                                             utils::IteratorType::parallel);
  for (unsigned i = 0; i < numReductions; ++i)
    iterators[dims.size() - 1 - i] = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             rewriter, loc, init.getType(), inputs, init, maps, iterators,
             [&](OpBuilder &, Location, ValueRange arguments) {
               linalg::YieldOp::create(rewriter, loc, body(arguments));
             })
      .getResult(0);
}

Value AttentionLowering::convert(Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth(),
           to = type.getIntOrFloatBitWidth();
  if (value.getType() == type)
    return value;
  if (from < to)
    return arith::ExtFOp::create(rewriter, loc, type, value);
  if (from > to)
    return arith::TruncFOp::create(rewriter, loc, type, value);
  // Between formats of one width: through the accumulator's type.
  Value wide = arith::ExtFOp::create(rewriter, loc, accumulator, value);
  return arith::TruncFOp::create(rewriter, loc, type, wide);
}

Value AttentionLowering::emitScore(Value product, Value factor, Value mask) {
  Value scale = constant(op.getScale().convertToDouble());
  Value score = arith::MulFOp::create(rewriter, loc, product, scale);
  if (factor)
    score = arith::MulFOp::create(rewriter, loc, score,
                                  convert(factor, accumulator));
  if (op.getSoftcap()) {
    Value cap = constant(op.getSoftcap()->convertToDouble());
    score = arith::DivFOp::create(rewriter, loc, score, cap);
    score = math::TanhOp::create(rewriter, loc, score);
    score = arith::MulFOp::create(rewriter, loc, score, cap);
  }
  auto maskWhere = [&](Value isMasked) {
    score = arith::SelectOp::create(rewriter, loc, isMasked,
                                    constant(-INFINITY), score);
  };
  if (mask && mask.getType().isInteger(1))
    score = arith::SelectOp::create(rewriter, loc, mask, score,
                                    constant(op.getMaskedScoreOrInfinity()));
  else if (mask) {
    mask = convert(mask, accumulator);
    score = arith::AddFOp::create(rewriter, loc, score, mask);
    if (op.getMaskedScore()) {
      Value isMasked = arith::CmpFOp::create(
          rewriter, loc, arith::CmpFPredicate::UNO, mask, mask);
      score = arith::SelectOp::create(rewriter, loc, isMasked,
                                      constant(op.getMaskedScoreOrInfinity()),
                                      score);
    }
  }
  if (op.getFloor())
    score = arith::MaxNumFOp::create(
        rewriter, loc, score, constant(op.getFloor()->convertToDouble()));
  if (Value offset = op.getCausalOffset()) {
    // The loops are the batch dimensions, the query and the key.
    unsigned query = op.getNumBatchDims();
    Value q = linalg::IndexOp::create(rewriter, loc, query);
    Value k = linalg::IndexOp::create(rewriter, loc, query + 1);
    Value last = arith::AddIOp::create(rewriter, loc, q, offset);
    maskWhere(arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sgt, k,
                                    last));
    if (op.getWindow()) {
      Value window =
          arith::ConstantIndexOp::create(rewriter, loc, *op.getWindow());
      Value first = arith::SubIOp::create(rewriter, loc, last, window);
      maskWhere(arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sle,
                                      k, first));
    }
  }
  return score;
}

Value AttentionLowering::computeScores() {
  unsigned d = op.getWidthDim(), k = op.getKeyDim();
  SmallVector<unsigned> scores = getRowDimsWith({k}),
                        products = getRowDimsWith({k, d});
  SmallVector<Value> factors{op.getQuery(), op.getKey()};
  SmallVector<AffineMap> factorMaps{restrict(op.getQueryMap(), products),
                                    restrict(op.getKeyMap(), products)};
  Value product =
      generic(products, 1, factors, factorMaps, fill(scores, 0),
              project(scores, products), [&](ValueRange arguments) -> Value {
                Value lhs = convert(arguments[0], accumulator),
                      rhs = convert(arguments[1], accumulator);
                Value mul = arith::MulFOp::create(rewriter, loc, lhs, rhs);
                return arith::AddFOp::create(rewriter, loc, arguments[2], mul);
              });
  SmallVector<Value> inputs{product};
  SmallVector<AffineMap> maps{project(scores, scores)};
  if (op.getFactor()) {
    inputs.push_back(op.getFactor());
    maps.push_back(restrict(op.getFactorMap(), scores));
  }
  if (op.getMask()) {
    inputs.push_back(op.getMask());
    maps.push_back(restrict(op.getMaskMap(), scores));
  }
  return generic(scores, 0, inputs, maps, empty(scores),
                 project(scores, scores), [&](ValueRange arguments) {
                   Value product = arguments[0];
                   arguments = arguments.drop_front();
                   Value factor, mask;
                   if (op.getFactor())
                     factor = arguments.front();
                   if (op.getMask())
                     mask = arguments.drop_back().back();
                   return emitScore(product, factor, mask);
                 });
}

void AttentionLowering::lower() {
  findExtents();
  unsigned k = op.getKeyDim(), v = op.getValueDim();
  SmallVector<unsigned> rows = getRowDims(), scores = getRowDimsWith({k}),
                        outputs = getRowDimsWith({v}),
                        sums = getRowDimsWith({v, k});
  Value score = computeScores();
  // A sink is where maximum and sum start from.
  Value start = fill(rows, -INFINITY);
  if (op.getSink())
    start = generic(rows, 0, op.getSink(), restrict(op.getSinkMap(), rows),
                    start, project(rows, rows), [&](ValueRange arguments) {
                      return convert(arguments[0], accumulator);
                    });
  Value maximum =
      generic(scores, 1, score, project(scores, scores), start,
              project(rows, scores), [&](ValueRange arguments) -> Value {
                return arith::MaximumFOp::create(rewriter, loc, arguments[1],
                                                 arguments[0]);
              });
  auto isMasked = [&](Value maximum) {
    return arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OEQ,
                                 maximum, constant(-INFINITY));
  };
  auto getShift = [&](Value maximum) -> Value {
    return arith::SelectOp::create(rewriter, loc, isMasked(maximum),
                                   constant(0), maximum);
  };
  Value exponential =
      generic(scores, 0, {score, maximum},
              {project(scores, scores), project(rows, scores)}, fill(scores, 0),
              project(scores, scores), [&](ValueRange arguments) -> Value {
                Value distance = arith::SubFOp::create(
                    rewriter, loc, arguments[0], getShift(arguments[1]));
                return math::ExpOp::create(rewriter, loc, distance);
              });
  Value none = fill(rows, 0);
  if (op.getSink())
    none = generic(rows, 0, {start, maximum},
                   {project(rows, rows), project(rows, rows)}, none,
                   project(rows, rows), [&](ValueRange arguments) -> Value {
                     return math::ExpOp::create(
                         rewriter, loc,
                         arith::SubFOp::create(rewriter, loc, arguments[0],
                                               getShift(arguments[1])));
                   });
  Value total = generic(
      scores, 1, exponential, project(scores, scores), none,
      project(rows, scores), [&](ValueRange arguments) -> Value {
        return arith::AddFOp::create(rewriter, loc, arguments[1], arguments[0]);
      });
  SmallVector<Value> factors{exponential, op.getValue()};
  SmallVector<AffineMap> factorMaps{project(scores, sums),
                                    restrict(op.getValueMap(), sums)};
  if (op.getDropout()) {
    factors.push_back(op.getDropout());
    factorMaps.push_back(restrict(op.getDropoutMap(), sums));
  }
  Value weighted = generic(
      sums, 1, factors, factorMaps, fill(outputs, 0), project(outputs, sums),
      [&](ValueRange arguments) -> Value {
        Value probability = arguments[0];
        if (op.getDropout())
          probability = arith::MulFOp::create(
              rewriter, loc, probability, convert(arguments[2], accumulator));
        Value mul = arith::MulFOp::create(rewriter, loc, probability,
                                          convert(arguments[1], accumulator));
        return arith::AddFOp::create(rewriter, loc, arguments.back(), mul);
      });
  // By the total, of a numerator, the total and the maximum.
  auto divide = [&](ValueRange arguments) -> Value {
    Value quotient =
        arith::DivFOp::create(rewriter, loc, arguments[0], arguments[1]);
    if (op.getMaskedRows() == MaskedRows::Zero)
      quotient = arith::SelectOp::create(rewriter, loc, isMasked(arguments[2]),
                                         constant(0), quotient);
    return quotient;
  };
  Value output = op.getOutputs()[0];
  Type outputElement = getElementTypeOrSelf(output);
  SmallVector<Value> results;
  results.push_back(generic(outputs, 0, {weighted, total, maximum},
                            {project(outputs, outputs), project(rows, outputs),
                             project(rows, outputs)},
                            output, restrict(op.getOutputMap(), outputs),
                            [&](ValueRange arguments) {
                              return convert(divide(arguments), outputElement);
                            }));
  if (op.hasRowResults()) {
    AffineMap written = restrict(op.getRowMap(), rows);
    results.push_back(generic(
        rows, 0, maximum, project(rows, rows), op.getOutputs()[1], written,
        [&](ValueRange arguments) { return getShift(arguments[0]); }));
    results.push_back(
        generic(rows, 0, total, project(rows, rows), op.getOutputs()[2],
                written, [&](ValueRange arguments) { return arguments[0]; }));
  }
  if (op.getProbabilities())
    results.push_back(generic(
        scores, 0, {exponential, total, maximum},
        {project(scores, scores), project(rows, scores), project(rows, scores)},
        op.getOutputs()[3], restrict(op.getProbabilityMap(), scores),
        [&](ValueRange arguments) { return divide(arguments); }));
  rewriter.replaceOp(op, results);
}

} // namespace

void fusion::lowerAttention(RewriterBase &rewriter, AttentionOp attention) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(attention);
  AttentionLowering(rewriter, attention).lower();
}

LogicalResult fusion::lowerToLinalg(Operation *root) {
  IRRewriter rewriter(root->getContext());
  SmallVector<GroupOp> groups;
  root->walk([&](GroupOp group) { groups.push_back(group); });
  for (GroupOp group : groups)
    if (failed(inlineGroup(rewriter, group)))
      return failure();
  SmallVector<AttentionOp> attentions;
  root->walk([&](AttentionOp attention) { attentions.push_back(attention); });
  for (AttentionOp attention : attentions)
    lowerAttention(rewriter, attention);
  return success();
}

namespace {
struct FusionToLinalg : fusion::impl::FusionToLinalgBase<FusionToLinalg> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(lowerToLinalg(getOperation())))
      signalPassFailure();
  }
};
} // namespace
