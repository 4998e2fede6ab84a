//===- ElementExprEmission.cpp - Tensors of expressions -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Makes a tensor of an expression: a linalg.generic over the dimensions that
/// the expression uses. Floats are computed in f32, in f64 where the expression
/// holds such.
class ExprEmitter {
public:
  ExprEmitter(ElementEvaluator &evaluator, OpBuilder &builder,
              Operation *anchor)
      : evaluator(evaluator), builder(builder), anchor(anchor) {}

  FailureOr<OperandElement> emit(ExprRef expr);

private:
  /// An expression that is read from a tensor.
  struct Leaf {
    ExprRef expr;
    OperandElement element;
  };

  /// Where an expression is read from: elements, and what an operation's body
  /// reads at a place that depends on data, from the operation's result.
  static std::optional<OperandElement> getLeaf(ExprRef expr);
  Value emitScalar(ExprRef expr);
  /// Widens a loaded or function-level scalar to the type that is computed in.
  Value widen(Value value);
  /// The opposite: makes of an emitted value one of type `type`.
  Value narrow(Value value, Type type);
  Value emitOther(ExprRef expr, ValueRange operands);

  ElementEvaluator &evaluator;
  OpBuilder &builder;
  Operation *anchor;
  SmallVector<Leaf> leaves;
  SmallVector<AffineExpr> loopOfDim;
  Block *body = nullptr;
  FloatType floatType;
  llvm::DenseMap<ExprRef, Value> emitted;
};

bool isConditionKind(ExprRef expr) {
  switch (expr->kind) {
  case ExprKind::Bool:
  case ExprKind::CompareFloat:
  case ExprKind::CompareInt:
  case ExprKind::And:
  case ExprKind::Or:
  case ExprKind::Not:
    return true;
  default:
    return expr->type && expr->type.isInteger(1);
  }
}

Value ExprEmitter::widen(Value value) {
  Location loc = anchor->getLoc();
  Type type = value.getType();
  if (auto floating = dyn_cast<FloatType>(type)) {
    if (floating.getWidth() < floatType.getWidth())
      return arith::ExtFOp::create(builder, loc, floatType, value);
    return floating == floatType ? value : Value();
  }
  if (type.isInteger(1) || type.isInteger(64))
    return value;
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                      value);
  if (type.isInteger() && type.getIntOrFloatBitWidth() < 64)
    return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), value);
  return nullptr;
}

Value ExprEmitter::narrow(Value value, Type type) {
  Location loc = anchor->getLoc();
  if (value.getType() == type)
    return value;
  if (auto floating = dyn_cast<FloatType>(type)) {
    if (value.getType() != floatType ||
        floating.getWidth() >= floatType.getWidth())
      return nullptr;
    return arith::TruncFOp::create(builder, loc, type, value);
  }
  if (!value.getType().isInteger(64))
    return nullptr;
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  if (type.isInteger() && type.getIntOrFloatBitWidth() < 64)
    return arith::TruncIOp::create(builder, loc, type, value);
  return nullptr;
}

Value ExprEmitter::emitOther(ExprRef expr, ValueRange operands) {
  IRMapping mapping;
  for (auto [operand, original] :
       llvm::zip_equal(operands, expr->op->getOperands())) {
    Value value = narrow(operand, original.getType());
    if (!value)
      return nullptr;
    mapping.map(original, value);
  }
  return widen(builder.clone(*expr->op, mapping)->getResult(0));
}

Value ExprEmitter::emitScalar(ExprRef expr) {
  if (Value known = emitted.lookup(expr))
    return known;
  Location loc = anchor->getLoc();
  auto finish = [&](Value value) { return emitted[expr] = value; };
  auto *leaf = llvm::find_if(
      leaves, [&](const Leaf &entry) { return entry.expr == expr; });
  if (leaf != leaves.end()) {
    Value value = widen(body->getArgument(leaf - leaves.begin()));
    return value ? finish(value) : nullptr;
  }
  switch (expr->kind) {
  case ExprKind::Float:
    return finish(arith::ConstantOp::create(
        builder, loc, builder.getFloatAttr(floatType, expr->number)));
  case ExprKind::Bool:
    return finish(arith::ConstantOp::create(
        builder, loc, builder.getBoolAttr(expr->number != 0)));
  case ExprKind::Integer: {
    AffineExpr affine = expr->affine.replaceDims(loopOfDim);
    if (affine.isSymbolicOrConstant() && !isa<AffineConstantExpr>(affine))
      return nullptr; // a size: not worth an operand
    SmallVector<Value> loops;
    unsigned numLoops = 0;
    for (AffineExpr loop : loopOfDim)
      numLoops += isa_and_nonnull<AffineDimExpr>(loop);
    for (unsigned i = 0; i < numLoops; ++i)
      loops.push_back(linalg::IndexOp::create(builder, loc, i));
    bool hasSymbol = false;
    affine.walk(
        [&](AffineExpr part) { hasSymbol |= isa<AffineSymbolExpr>(part); });
    if (hasSymbol)
      return nullptr;
    Value index =
        affine::expandAffineExpr(builder, loc, affine, loops, ValueRange());
    if (!index)
      return nullptr;
    return finish(
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index));
  }
  case ExprKind::Scalar: {
    if (!expr->indices.empty())
      return nullptr;
    Value value = widen(expr->value);
    return value ? finish(value) : nullptr;
  }
  default:
    break;
  }
  SmallVector<Value> operands;
  for (ExprRef operand : expr->operands) {
    operands.push_back(emitScalar(operand));
    if (!operands.back())
      return nullptr;
  }
  switch (expr->kind) {
  case ExprKind::Add:
    return finish(
        arith::AddFOp::create(builder, loc, operands[0], operands[1]));
  case ExprKind::Sub:
    return finish(
        arith::SubFOp::create(builder, loc, operands[0], operands[1]));
  case ExprKind::Mul:
    return finish(
        arith::MulFOp::create(builder, loc, operands[0], operands[1]));
  case ExprKind::Div:
    return finish(
        arith::DivFOp::create(builder, loc, operands[0], operands[1]));
  case ExprKind::Neg:
    return finish(arith::NegFOp::create(builder, loc, operands[0]));
  case ExprKind::Exp:
    return finish(math::ExpOp::create(builder, loc, operands[0]));
  case ExprKind::Exp2:
    return finish(math::Exp2Op::create(builder, loc, operands[0]));
  case ExprKind::Tanh:
    return finish(math::TanhOp::create(builder, loc, operands[0]));
  case ExprKind::Max:
    if (expr->predicate)
      return finish(
          arith::MaxNumFOp::create(builder, loc, operands[0], operands[1]));
    return finish(
        arith::MaximumFOp::create(builder, loc, operands[0], operands[1]));
  case ExprKind::Min:
    if (expr->predicate)
      return finish(
          arith::MinNumFOp::create(builder, loc, operands[0], operands[1]));
    return finish(
        arith::MinimumFOp::create(builder, loc, operands[0], operands[1]));
  case ExprKind::Round: {
    Value narrow = operands[0];
    if (cast<FloatType>(expr->type).getWidth() < floatType.getWidth()) {
      narrow = arith::TruncFOp::create(builder, loc, expr->type, narrow);
      narrow = arith::ExtFOp::create(builder, loc, floatType, narrow);
    }
    return finish(narrow);
  }
  case ExprKind::Select:
    return finish(arith::SelectOp::create(builder, loc, operands[0],
                                          operands[1], operands[2]));
  case ExprKind::CompareFloat:
    return finish(arith::CmpFOp::create(
        builder, loc, static_cast<arith::CmpFPredicate>(expr->predicate),
        operands[0], operands[1]));
  case ExprKind::CompareInt:
    return finish(arith::CmpIOp::create(
        builder, loc, static_cast<arith::CmpIPredicate>(expr->predicate),
        operands[0], operands[1]));
  case ExprKind::And:
    return finish(
        arith::AndIOp::create(builder, loc, operands[0], operands[1]));
  case ExprKind::Or:
    return finish(arith::OrIOp::create(builder, loc, operands[0], operands[1]));
  case ExprKind::Not: {
    Value yes =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    return finish(arith::XOrIOp::create(builder, loc, operands[0], yes));
  }
  case ExprKind::IntAdd:
    return finish(
        arith::AddIOp::create(builder, loc, operands[0], operands[1]));
  case ExprKind::IntSub:
    return finish(
        arith::SubIOp::create(builder, loc, operands[0], operands[1]));
  case ExprKind::IntMul:
    return finish(
        arith::MulIOp::create(builder, loc, operands[0], operands[1]));
  case ExprKind::ToFloat:
    if (expr->predicate)
      return nullptr; // the width of an unsigned integer matters
    return finish(
        arith::SIToFPOp::create(builder, loc, floatType, operands[0]));
  case ExprKind::Other: {
    Value value = emitOther(expr, operands);
    return value ? finish(value) : nullptr;
  }
  default:
    return nullptr;
  }
}

std::optional<OperandElement> ExprEmitter::getLeaf(ExprRef expr) {
  if (expr->is(ExprKind::Element))
    return OperandElement{expr->value, expr->indices};
  if (!expr->is(ExprKind::Scalar) || expr->indices.empty() ||
      expr->origins.empty())
    return std::nullopt;
  auto &[tensor, indices] = expr->origins.front();
  return OperandElement{tensor, indices};
}

FailureOr<OperandElement> ExprEmitter::emit(ExprRef expr) {
  IndexSpace &space = evaluator.getSpace();
  // The leaves, and the dimensions that they and conditions use. Expressions
  // that are elements of a tensor of their own are read from it.
  llvm::SmallBitVector used(space.getNumDims());
  auto use = [&](AffineExpr affine) {
    for (unsigned dim = 0; dim < space.getNumDims(); ++dim)
      if (affine.isFunctionOfDim(dim))
        used.set(dim);
  };
  floatType = builder.getF32Type();
  walkExpr(expr, [&](ExprRef part) {
    if (part->is(ExprKind::Integer))
      use(part->affine);
    bool isWide = part->type && part->type.isF64();
    isWide |= part->is(ExprKind::Float) && std::isfinite(part->number) &&
              std::abs(part->number) > std::numeric_limits<float>::max();
    if (isWide)
      floatType = builder.getF64Type();
    std::optional<OperandElement> element = getLeaf(part);
    if (!element)
      return true;
    for (AffineExpr index : element->indices)
      use(index);
    leaves.push_back({part, std::move(*element)});
    return false;
  });
  MLIRContext *context = builder.getContext();
  Location loc = anchor->getLoc();
  loopOfDim.assign(space.getNumDims(), space.constant(0));
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> shape;
  OperandElement element;
  for (unsigned dim : used.set_bits()) {
    loopOfDim[dim] = getAffineDimExpr(sizes.size(), context);
    AffineExpr bound = space.getBound(dim);
    shape.push_back(bound);
    if (auto constant = dyn_cast<AffineConstantExpr>(bound)) {
      sizes.push_back(builder.getIndexAttr(constant.getValue()));
    } else {
      FailureOr<Value> size =
          buildSize(builder, loc, evaluator.getShapes(), anchor, bound);
      if (failed(size))
        return failure();
      sizes.push_back(*size);
    }
    element.indices.push_back(getAffineDimExpr(dim, context));
  }
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Leaf &leaf : leaves) {
    SmallVector<AffineExpr> results;
    for (AffineExpr index : leaf.element.indices) {
      bool hasSymbol = false;
      index.walk(
          [&](AffineExpr part) { hasSymbol |= isa<AffineSymbolExpr>(part); });
      if (hasSymbol)
        return failure();
      results.push_back(index.replaceDims(loopOfDim));
    }
    FailureOr<Value> input =
        clipTensor(evaluator, builder, anchor, leaf.element);
    if (failed(input))
      return failure();
    inputs.push_back(*input);
    maps.push_back(AffineMap::get(sizes.size(), 0, results, context));
  }
  maps.push_back(builder.getMultiDimIdentityMap(sizes.size()));
  bool isCondition = isConditionKind(expr);
  Type type = isCondition ? Type(builder.getI1Type()) : floatType;
  Value init = tensor::EmptyOp::create(builder, loc, sizes, type);
  SmallVector<utils::IteratorType> iterators(sizes.size(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(builder, loc, init.getType(), inputs,
                                           init, maps, iterators);
  SmallVector<Type> types;
  for (Value input : inputs)
    types.push_back(getElementTypeOrSelf(input));
  types.push_back(type);
  SmallVector<Location> locations(types.size(), loc);
  OpBuilder::InsertionGuard guard(builder);
  body = builder.createBlock(&generic.getRegion(), {}, types, locations);
  Value result = emitScalar(expr);
  if (!result || result.getType() != type) {
    generic.erase();
    return failure();
  }
  linalg::YieldOp::create(builder, loc, result);
  element.tensor = generic.getResult(0);
  evaluator.getShapes().setShape(element.tensor, shape);
  return element;
}

} // namespace

FailureOr<Value> fusion::clipTensor(ElementEvaluator &evaluator,
                                    OpBuilder &builder, Operation *anchor,
                                    const OperandElement &element) {
  IndexSpace &space = evaluator.getSpace();
  Location loc = anchor->getLoc();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, element.tensor);
  bool isLonger = false;
  for (auto [i, index] : llvm::enumerate(element.indices)) {
    auto dim = dyn_cast<AffineDimExpr>(index);
    if (!dim)
      continue;
    AffineExpr bound = space.getBound(dim.getPosition());
    if (space.simplify(evaluator.getShapes().getDim(element.tensor, i)) ==
        bound)
      continue;
    FailureOr<Value> size =
        buildSize(builder, loc, evaluator.getShapes(), anchor, bound);
    if (failed(size))
      return failure();
    sizes[i] = getAsOpFoldResult(*size);
    isLonger = true;
  }
  if (!isLonger)
    return element.tensor;
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0)),
      strides(sizes.size(), builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, element.tensor, offsets,
                                        sizes, strides)
      .getResult();
}

FailureOr<OperandElement> fusion::buildTensor(ElementEvaluator &evaluator,
                                              OpBuilder &builder,
                                              Operation *anchor, ExprRef expr) {
  return ExprEmitter(evaluator, builder, anchor).emit(expr);
}
