//===- PromoteWithRoundings.cpp - Graphs in f64 that round at random ------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How far two right evaluations of a graph may lie apart is a property of the
// graph. It is found by trying: each rounding of the graph goes by a random
// part of what it may go.
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/ElementFlow.h"
#include "fusion/Runtime/Reference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

/// Marks a product with one, whose result is to be changed by at most so much
/// of itself.
static constexpr StringLiteral kRoundingAttr = "fusion.rounding";

/// Units in the last place that a function may be wrong by (docs/Numerics.md).
static constexpr double kFunctionError = 4;

/// Half a unit in the last place of a number.
static double getUnitRoundoff(FloatType type) {
  return std::ldexp(1.0, -int(type.getFPMantissaWidth()));
}

/// The relative error that the result of `op` may have; 0 for an operation that
/// is exact.
static double getRounding(Operation *op) {
  if (op->getNumResults() != 1)
    return 0;
  auto type = dyn_cast<FloatType>(op->getResult(0).getType());
  if (!type)
    return 0;
  double roundoff = getUnitRoundoff(type);
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          arith::TruncFOp, math::FmaOp, math::SqrtOp>(op))
    return roundoff;
  if (isa<math::AbsFOp, math::CopySignOp, math::CeilOp, math::FloorOp,
          math::RoundOp, math::RoundEvenOp, math::TruncOp>(op))
    return 0;
  if (!isa<math::MathDialect>(op->getDialect()))
    return 0;
  // Narrow functions are those of f32, rounded once.
  return type.getWidth() < 32 ? roundoff : 2 * kFunctionError * roundoff;
}

/// Operations before a product that are looked at.
static constexpr size_t kMaxDistance = 32;

/// The tensor, or the value of another operation, that `value` of a structured
/// operation's body or graph is without views, copies and extensions.
static Value stripCopies(Value value) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto op = dyn_cast<linalg::GenericOp>(argument.getOwner()->getParentOp());
      if (!op)
        return value;
      value = op->getOperand(argument.getArgNumber());
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<arith::ExtFOp, tensor::ExpandShapeOp,
                        tensor::CollapseShapeOp, tensor::ExtractSliceOp,
                        tensor::CastOp>(op)) {
      value = op->getOperand(0);
      continue;
    }
    auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
    OpOperand *copied = linalgOp ? fusion::getCopiedOperand(linalgOp) : nullptr;
    if (!copied)
      return value;
    value = copied->get();
  }
}

/// Whether the graph computes `value` from an exponential.
static bool isOfExponential(Value value) {
  SmallVector<Value> worklist{stripCopies(value)};
  for (size_t i = 0; i < worklist.size() && i < kMaxDistance; ++i) {
    if (worklist[i].getDefiningOp<linalg::SoftmaxOp>())
      return true;
    auto op = worklist[i].getDefiningOp<linalg::GenericOp>();
    if (!op || op.getNumReductionLoops())
      continue;
    for (Operation &inner : *op.getBlock())
      if (isa<math::ExpOp, math::Exp2Op>(inner))
        return true;
    for (Value input : op.getInputs())
      worklist.push_back(stripCopies(input));
  }
  return false;
}

/// Operands of products that kernels of attention round to the type of the
/// values, where the graph multiplies wide probabilities with widened values
/// ([N17] in docs/Numerics.md); with the error of that.
static SmallVector<std::pair<OpOperand *, double>>
findProbabilities(ModuleOp module) {
  SmallVector<std::pair<OpOperand *, double>> found;
  module.walk([&](arith::MulFOp op) {
    auto product = dyn_cast<linalg::GenericOp>(op->getParentOp());
    if (!product || !product.getNumReductionLoops() || !op.getType().isF32())
      return;
    for (unsigned i : {0, 1}) {
      OpOperand &probability = op->getOpOperand(i);
      auto type = dyn_cast<FloatType>(
          getElementTypeOrSelf(stripCopies(op->getOperand(1 - i))));
      if (type && type.getWidth() < 32 &&
          getElementTypeOrSelf(stripCopies(probability.get())).isF32() &&
          isOfExponential(probability.get()))
        found.emplace_back(&probability, getUnitRoundoff(type));
    }
  });
  return found;
}

/// Gives named structured operations bodies that may be changed.
static LogicalResult generalize(ModuleOp module) {
  SmallVector<linalg::LinalgOp> named;
  module.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp>(op))
      named.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, op)))
      return failure();
  }
  return success();
}

/// `value` times one, marked.
static arith::MulFOp markRounding(OpBuilder builder, Value value,
                                  double rounding) {
  Location loc = value.getLoc();
  Value one = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(value.getType(), 1));
  auto marked = arith::MulFOp::create(builder, loc, value, one);
  marked->setAttr(kRoundingAttr, builder.getF64FloatAttr(rounding));
  return marked;
}

/// Marks what rounds: results of operations, and probabilities.
static void markRoundings(ModuleOp module) {
  SmallVector<std::pair<Operation *, double>> operations;
  module.walk([&](Operation *op) {
    if (double rounding = getRounding(op))
      operations.emplace_back(op, rounding);
  });
  for (auto [probability, rounding] : findProbabilities(module))
    probability->set(markRounding(OpBuilder(probability->getOwner()),
                                  probability->get(), rounding));
  for (auto [op, rounding] : operations) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value result = op->getResult(0);
    arith::MulFOp marked = markRounding(builder, result, rounding);
    result.replaceAllUsesExcept(marked, marked);
  }
}

/// Replaces a marked product: its operand times 1 + rounding * r, with r in
/// [-1, 1) a hash of the operand's bits.
static void changeResult(arith::MulFOp op, uint64_t seed) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value value = op.getLhs();
  double rounding =
      cast<FloatAttr>(op->getAttr(kRoundingAttr)).getValueAsDouble();
  Type i64 = b.getI64Type(), f64 = b.getF64Type();
  auto integer = [&](uint64_t number) -> Value {
    return arith::ConstantOp::create(b, loc,
                                     b.getI64IntegerAttr(int64_t(number)));
  };
  auto real = [&](double number) -> Value {
    return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(number));
  };
  Value hash = arith::BitcastOp::create(b, loc, i64, value);
  Value stream = integer((seed + 1) * 0x9E3779B97F4A7C15u);
  hash = arith::XOrIOp::create(b, loc, hash, stream);
  for (uint64_t factor : {0xBF58476D1CE4E5B9u, 0x94D049BB133111EBu}) {
    Value distance = integer(30);
    Value shifted = arith::ShRUIOp::create(b, loc, hash, distance);
    hash = arith::XOrIOp::create(b, loc, hash, shifted);
    Value constant = integer(factor);
    hash = arith::MulIOp::create(b, loc, hash, constant);
  }
  Value number = arith::SIToFPOp::create(b, loc, f64, hash);
  Value unit = real(rounding * 0x1p-63);
  Value change = arith::MulFOp::create(b, loc, number, unit);
  Value one = real(1);
  Value factor = arith::AddFOp::create(b, loc, change, one);
  Value changed = arith::MulFOp::create(b, loc, value, factor);
  op.replaceAllUsesWith(changed);
  op.erase();
}

FailureOr<OwningOpRef<ModuleOp>> fusion::promoteWithRoundings(ModuleOp module,
                                                              uint64_t seed) {
  OwningOpRef<ModuleOp> marked(module.clone());
  if (failed(generalize(*marked)))
    return failure();
  markRoundings(*marked);
  FailureOr<OwningOpRef<ModuleOp>> promoted = promoteFloatsToF64(*marked);
  if (failed(promoted))
    return failure();
  SmallVector<arith::MulFOp> products;
  (*promoted)->walk([&](arith::MulFOp op) {
    if (op->hasAttr(kRoundingAttr))
      products.push_back(op);
  });
  for (arith::MulFOp op : products)
    changeResult(op, seed);
  return promoted;
}
