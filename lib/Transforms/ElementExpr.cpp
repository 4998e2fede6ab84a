//===- ElementExpr.cpp - Elements of tensors as expressions ---------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementExpr.h"
#include "fusion/Analysis/ElementFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

/// Operations deeper than this below the element that is asked for are not
/// looked through: no pattern is as deep, and a whole network is deeper.
static constexpr unsigned maxDepth = 96;

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

FailureOr<IndexVector>
ElementEvaluator::getLoops(linalg::LinalgOp op, unsigned result,
                           ArrayRef<AffineExpr> indices) {
  AffineMap map = op.getIndexingMapMatchingResult(op->getResult(result));
  IndexVector loops(map.getNumDims());
  for (auto [expr, index] : llvm::zip_equal(map.getResults(), indices)) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      if (loops[dim.getPosition()])
        return failure();
      loops[dim.getPosition()] = index;
    } else if (!isa<AffineConstantExpr>(expr)) {
      return failure();
    }
  }
  return loops;
}

SmallVector<AffineExpr> ElementEvaluator::getBounds(linalg::LinalgOp op) {
  SmallVector<AffineExpr> bounds = getLoopBounds(op, shapes);
  for (AffineExpr &bound : bounds)
    bound = bound ? space.simplify(bound) : space.constant(1);
  return bounds;
}

IndexVector ElementEvaluator::applyMap(AffineMap map,
                                       ArrayRef<AffineExpr> loops) {
  return fusion::applyMap(space, map, loops);
}

ExprRef ElementEvaluator::getElement(Value tensor,
                                     ArrayRef<AffineExpr> indices) {
  for (auto &[known, expr] : elements[tensor])
    if (ArrayRef<AffineExpr>(known) == indices)
      return expr;
  ExprRef expr = evaluateElement(tensor, indices);
  IndexVector copy(indices.begin(), indices.end());
  elements[tensor].push_back({copy, expr});
  expr->origins.push_back({tensor, copy});
  return expr;
}

ExprRef ElementEvaluator::getScalar(Value scalar) {
  return evaluateScalar(scalar, nullptr, {}, scalars);
}

ExprRef ElementEvaluator::evaluateConstant(Attribute attribute) {
  if (auto value = dyn_cast<FloatAttr>(attribute)) {
    APFloat wide = value.getValue();
    bool lossy;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
    return getFloat(wide.convertToDouble());
  }
  if (auto value = dyn_cast<IntegerAttr>(attribute)) {
    if (value.getType().isInteger(1))
      return getBool(value.getValue().getBoolValue());
    if (value.getValue().getSignificantBits() <= 64)
      return getInteger(space.constant(value.getValue().getSExtValue()));
  }
  return nullptr;
}

ExprRef ElementEvaluator::evaluateElement(Value tensor,
                                          ArrayRef<AffineExpr> indices) {
  Operation *op = tensor.getDefiningOp();
  if (!op || depth >= maxDepth)
    return getLeaf(tensor, indices);
  ++depth;
  llvm::scope_exit restore([&] { --depth; });
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
      if (dense.isSplat() && !isa<ComplexType>(dense.getElementType()))
        if (ExprRef expr = evaluateConstant(dense.getSplatValue<Attribute>()))
          return expr;
    if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue()))
      if (ExprRef expr = evaluateTable(dense, indices))
        return expr;
    return getLeaf(tensor, indices);
  }
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    visited.insert(op);
    return getScalar(fill.getInputs()[0]);
  }
  if (auto splat = dyn_cast<tensor::SplatOp>(op)) {
    visited.insert(op);
    return getScalar(splat.getInput());
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (ExprRef expr = evaluateLinalg(
            linalgOp, cast<OpResult>(tensor).getResultNumber(), indices))
      return expr;
    return getLeaf(tensor, indices);
  }
  if (ExprRef expr = evaluateJoined(op, indices)) {
    visited.insert(op);
    return expr;
  }
  // Views.
  auto fusible = dyn_cast<FusibleOpInterface>(op);
  if (!fusible || fusible.getFusionRole() != FusionRole::View)
    return getLeaf(tensor, indices);
  FailureOr<IndexVector> source = fusible.getOperandIndices(
      space, shapes, op->getOpOperand(0),
      cast<OpResult>(tensor).getResultNumber(), indices);
  if (failed(source))
    return getLeaf(tensor, indices);
  visited.insert(op);
  return getElement(op->getOperand(0), *source);
}

ExprRef ElementEvaluator::evaluateJoined(Operation *op,
                                         ArrayRef<AffineExpr> indices) {
  auto isInside = [&](AffineExpr index, AffineExpr size) {
    return space.isWithin(space.simplify(index), space.simplify(size));
  };
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    int64_t dim = concat.getDim();
    IndexVector at(indices);
    for (Value input : concat.getInputs()) {
      AffineExpr size = shapes.getDim(input, dim);
      if (isInside(at[dim], size))
        return getElement(input, at);
      at[dim] = space.simplify(at[dim] - size);
    }
    return nullptr;
  }
  // Where the element lies in the one of two that starts at `first` in the
  // other and has `size` elements there, and what is known of whether it does.
  IndexVector at;
  bool within = true, outside = false;
  auto place = [&](AffineExpr index, int64_t first, AffineExpr size) {
    AffineExpr inner = space.simplify(index - first);
    at.push_back(inner);
    within &= isInside(inner, size);
    outside |= isInside(index, space.constant(first)) ||
               isInside(inner - size, space.constant(int64_t(1) << 62));
  };
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value value = pad.getConstantPaddingValue();
    for (auto [i, index, low] :
         llvm::enumerate(indices, pad.getMixedLowPad())) {
      std::optional<int64_t> offset = getConstantIntValue(low);
      if (!offset || *offset < 0)
        return nullptr;
      place(index, *offset, shapes.getDim(pad.getSource(), i));
    }
    if (within)
      return getElement(pad.getSource(), at);
    return outside && value ? getScalar(value) : nullptr;
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    // Of the destination where one index is known to lie outside.
    if (!insert.hasUnitStride() ||
        insert.getSourceType().getRank() != insert.getType().getRank())
      return nullptr;
    for (auto [i, index, offset, size] : llvm::enumerate(
             indices, insert.getMixedOffsets(), insert.getMixedSizes())) {
      std::optional<int64_t> first = getConstantIntValue(offset);
      if (!first)
        return nullptr;
      place(index, *first, shapes.getDim(insert.getSource(), i));
    }
    if (within)
      return getElement(insert.getSource(), at);
    return outside ? getElement(insert.getDest(), indices) : nullptr;
  }
  return nullptr;
}

ExprRef ElementEvaluator::evaluateLinalg(linalg::LinalgOp op, unsigned result,
                                         ArrayRef<AffineExpr> indices) {
  if (op.getNumReductionLoops() || !op.hasPureTensorSemantics())
    return nullptr;
  FailureOr<IndexVector> loops = getLoops(op, result, indices);
  if (failed(loops))
    return nullptr;
  for (AffineExpr &loop : *loops)
    if (!loop)
      loop = space.constant(0); // a parallel dimension of size 1
  // A body with effects (an assertion) must stay.
  Block &body = *op.getBlock();
  if (llvm::any_of(body, [](Operation &inner) {
        return !inner.hasTrait<OpTrait::IsTerminator>() &&
               !isMemoryEffectFree(&inner);
      }))
    return nullptr;
  visited.insert(op);
  Bindings bindings;
  return evaluateScalar(body.getTerminator()->getOperand(result), op, *loops,
                        bindings);
}

ExprRef ElementEvaluator::evaluateScalar(Value scalar,
                                         linalg::LinalgOp linalgOp,
                                         ArrayRef<AffineExpr> loops,
                                         Bindings &bindings) {
  if (ExprRef known = bindings.lookup(scalar))
    return known;
  bool isInside = linalgOp && scalar.getParentBlock() == linalgOp.getBlock();
  // Values from outside of a body are the function's.
  if (linalgOp && !isInside)
    return getScalar(scalar);
  auto leaf = [&] {
    ElementExpr expr;
    expr.kind = ExprKind::Scalar;
    expr.value = scalar;
    expr.indices.assign(loops.begin(), loops.end());
    expr.type = scalar.getType();
    expr.op = scalar.getDefiningOp();
    return unique(std::move(expr));
  };
  auto remember = [&](ExprRef expr) { return bindings[scalar] = expr; };
  Operation *op = scalar.getDefiningOp();
  if (!op) {
    if (!isInside)
      return remember(leaf());
    OpOperand *operand =
        linalgOp.getMatchingOpOperand(cast<BlockArgument>(scalar));
    if (!isa<RankedTensorType>(operand->get().getType()))
      return remember(getScalar(operand->get()));
    return remember(
        getElement(operand->get(),
                   applyMap(linalgOp.getMatchingIndexingMap(operand), loops)));
  }
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    if (!isInside)
      return remember(leaf());
    return remember(getInteger(loops[index.getDim()]));
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    ExprRef expr = evaluateConstant(constant.getValue());
    return remember(expr ? expr : leaf());
  }
  if (isa<tensor::DimOp>(op))
    return remember(getInteger(shapes.getScalar(scalar)));
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    IndexVector indices;
    for (Value index : extract.getIndices()) {
      ExprRef expr = evaluateScalar(index, linalgOp, loops, bindings);
      if (!expr->is(ExprKind::Integer))
        return remember(leaf());
      indices.push_back(expr->affine);
    }
    return remember(getElement(extract.getTensor(), indices));
  }
  if (op->getNumRegions() || op->getNumResults() != 1 ||
      !isMemoryEffectFree(op) || scalar.getType().isInteger(0) ||
      !scalar.getType().isIntOrIndexOrFloat() ||
      !llvm::all_of(op->getOperandTypes(),
                    [](Type type) { return type.isIntOrIndexOrFloat(); }))
    return remember(leaf());
  SmallVector<ExprRef> operands;
  for (Value operand : op->getOperands())
    operands.push_back(evaluateScalar(operand, linalgOp, loops, bindings));
  ExprRef expr = evaluateOp(op, operands);
  // Sizes are computed with integers; the shape analysis knows more of them.
  if (!isInside && !expr->is(ExprKind::Integer) &&
      scalar.getType().isIntOrIndex() && !scalar.getType().isInteger(1)) {
    AffineExpr size = shapes.getScalar(scalar);
    if (isa<AffineConstantExpr>(size))
      expr = getInteger(size);
  }
  return remember(expr);
}

ExprRef ElementEvaluator::evaluateOp(Operation *op,
                                     ArrayRef<ExprRef> operands) {
  Type type = op->getResult(0).getType();
  auto unary = [&](ExprKind kind, uint64_t predicate = 0) {
    return getUnary(kind, operands[0], type, op, predicate);
  };
  auto binary = [&](ExprKind kind, uint64_t predicate = 0) {
    return getBinary(kind, operands[0], operands[1], type, op, predicate);
  };
  bool isBool = type.isInteger(1);
  ExprRef expr =
      llvm::TypeSwitch<Operation *, ExprRef>(op)
          .Case([&](arith::AddFOp) { return binary(ExprKind::Add); })
          .Case([&](arith::SubFOp) { return binary(ExprKind::Sub); })
          .Case([&](arith::MulFOp) { return binary(ExprKind::Mul); })
          .Case([&](arith::DivFOp) { return binary(ExprKind::Div); })
          .Case([&](arith::NegFOp) { return unary(ExprKind::Neg); })
          .Case([&](arith::MaximumFOp) { return binary(ExprKind::Max, 0); })
          .Case([&](arith::MaxNumFOp) { return binary(ExprKind::Max, 1); })
          .Case([&](arith::MinimumFOp) { return binary(ExprKind::Min, 0); })
          .Case([&](arith::MinNumFOp) { return binary(ExprKind::Min, 1); })
          .Case([&](math::ExpOp) { return unary(ExprKind::Exp); })
          .Case([&](math::Exp2Op) { return unary(ExprKind::Exp2); })
          .Case([&](math::TanhOp) { return unary(ExprKind::Tanh); })
          .Case<math::SqrtOp, math::RsqrtOp>([&](auto) -> ExprRef {
            if (!operands[0]->is(ExprKind::Float))
              return nullptr;
            double root = std::sqrt(operands[0]->number);
            return getFloat(isa<math::SqrtOp>(op) ? root : 1 / root);
          })
          .Case<math::PowFOp, math::FPowIOp>([&](auto) -> ExprRef {
            double exponent = 0;
            if (operands[1]->is(ExprKind::Float)) {
              exponent = operands[1]->number;
            } else if (operands[1]->is(ExprKind::Integer)) {
              auto c = dyn_cast<AffineConstantExpr>(operands[1]->affine);
              if (!c)
                return nullptr;
              exponent = static_cast<double>(c.getValue());
            } else {
              return nullptr;
            }
            if (!operands[0]->is(ExprKind::Float))
              return nullptr;
            return getFloat(std::pow(operands[0]->number, exponent));
          })
          .Case([&](arith::ExtFOp) { return operands[0]; })
          .Case([&](arith::TruncFOp) -> ExprRef {
            if (exactRounding && !operands[0]->is(ExprKind::Float))
              return nullptr;
            return unary(ExprKind::Round);
          })
          .Case<arith::SIToFPOp, arith::UIToFPOp>([&](auto) -> ExprRef {
            bool isUnsigned = isa<arith::UIToFPOp>(op);
            if (op->getOperand(0).getType().isInteger(1))
              return getSelect(operands[0], getFloat(isUnsigned ? 1 : -1),
                               getFloat(0), type, op);
            if (operands[0]->is(ExprKind::Integer))
              if (auto c = dyn_cast<AffineConstantExpr>(operands[0]->affine))
                return getFloat(static_cast<double>(c.getValue()));
            return unary(ExprKind::ToFloat, isUnsigned);
          })
          .Case([&](arith::SelectOp) {
            return getSelect(operands[0], operands[1], operands[2], type, op);
          })
          .Case([&](arith::CmpFOp compare) {
            return binary(ExprKind::CompareFloat,
                          static_cast<uint64_t>(compare.getPredicate()));
          })
          .Case([&](arith::CmpIOp compare) -> ExprRef {
            if (compare.getLhs().getType().isInteger(1))
              return nullptr;
            return getCompareInt(compare.getPredicate(), operands[0],
                                 operands[1], type, op);
          })
          .Case([&](arith::AndIOp) -> ExprRef {
            return isBool ? binary(ExprKind::And) : nullptr;
          })
          .Case([&](arith::OrIOp) -> ExprRef {
            return isBool ? binary(ExprKind::Or) : nullptr;
          })
          .Case([&](arith::XOrIOp) -> ExprRef {
            if (!isBool)
              return nullptr;
            for (unsigned i : {0, 1})
              if (operands[i]->is(ExprKind::Bool))
                return operands[i]->number ? getNot(operands[1 - i], op)
                                           : operands[1 - i];
            return nullptr;
          })
          // The indices of a tensor fit in the integers that hold them, so
          // sums of them are taken not to wrap.
          .Case([&](arith::AddIOp) -> ExprRef {
            return isBool ? nullptr : binary(ExprKind::IntAdd);
          })
          .Case([&](arith::SubIOp) -> ExprRef {
            return isBool ? nullptr : binary(ExprKind::IntSub);
          })
          .Case([&](arith::MulIOp) -> ExprRef {
            return isBool ? nullptr : binary(ExprKind::IntMul);
          })
          .Case<arith::IndexCastOp, arith::ExtSIOp>([&](auto) -> ExprRef {
            return op->getOperand(0).getType().isInteger(1) || isBool
                       ? nullptr
                       : operands[0];
          })
          .Case<arith::TruncIOp, arith::ExtUIOp, arith::IndexCastUIOp>(
              [&](auto) -> ExprRef {
                return operands[0]->is(ExprKind::Integer) && !isBool
                           ? operands[0]
                           : nullptr;
              })
          .Default([](Operation *) { return nullptr; });
  if (expr)
    return expr;
  ElementExpr other;
  other.kind = ExprKind::Other;
  other.operands.assign(operands.begin(), operands.end());
  other.type = type;
  other.op = op;
  return unique(std::move(other));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

FailureOr<ReductionStep> ElementEvaluator::expandReduction(ExprRef leaf,
                                                           AffineExpr position,
                                                           AffineExpr bound) {
  if (!leaf->is(ExprKind::Element))
    return failure();
  auto op = leaf->value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.getNumReductionLoops() || !op.hasPureTensorSemantics())
    return failure();
  unsigned result = cast<OpResult>(leaf->value).getResultNumber();
  FailureOr<IndexVector> loops = getLoops(op, result, leaf->indices);
  if (failed(loops))
    return failure();
  SmallVector<AffineExpr> bounds = getBounds(op);
  auto iterators = op.getIteratorTypesArray();
  bool found = false;
  for (auto [loop, size, iterator] :
       llvm::zip_equal(*loops, bounds, iterators)) {
    if (loop)
      continue;
    bool isUnit = size == space.constant(1);
    if (iterator == utils::IteratorType::reduction && !found &&
        (size == bound || (isUnit && bound == space.constant(1)))) {
      loop = position;
      found = true;
    } else if (isUnit) {
      loop = space.constant(0);
    } else {
      return failure();
    }
  }
  // A softmax over one key may have lost its loop.
  if (!found && bound != space.constant(1))
    return failure();
  Block &body = *op.getBlock();
  if (llvm::any_of(body, [](Operation &inner) {
        return !inner.hasTrait<OpTrait::IsTerminator>() &&
               !isMemoryEffectFree(&inner);
      }))
    return failure();
  // The accumulator is a leaf.
  OpOperand *init = op.getDpsInitOperand(result);
  BlockArgument argument = op.getMatchingBlockArgument(init);
  ElementExpr accumulator;
  accumulator.kind = ExprKind::Scalar;
  accumulator.value = argument;
  accumulator.type = argument.getType();
  accumulator.op = op;
  Bindings bindings;
  ExprRef self = bindings[argument] = unique(std::move(accumulator));
  ReductionStep step;
  step.op = op;
  step.init = getElement(init->get(),
                         applyMap(op.getMatchingIndexingMap(init), *loops));
  ExprRef yielded = evaluateScalar(body.getTerminator()->getOperand(result), op,
                                   *loops, bindings);
  if (yielded->operands.size() == 2 &&
      (yielded->is(ExprKind::Max) || yielded->is(ExprKind::Add) ||
       yielded->is(ExprKind::And))) {
    step.combiner = yielded->kind;
    step.ignoresNaN = yielded->predicate;
    if (yielded->operands[0] == self)
      step.body = yielded->operands[1];
    else if (yielded->operands[1] == self)
      step.body = yielded->operands[0];
    else
      return failure();
  } else if (yielded->is(ExprKind::Select) &&
             yielded->operands[0]->is(ExprKind::CompareFloat)) {
    // x > m ? x : m, and the like.
    ExprRef compare = yielded->operands[0], yes = yielded->operands[1],
            no = yielded->operands[2];
    auto predicate = static_cast<arith::CmpFPredicate>(compare->predicate);
    bool isGreater = predicate == arith::CmpFPredicate::OGT ||
                     predicate == arith::CmpFPredicate::OGE ||
                     predicate == arith::CmpFPredicate::UGT ||
                     predicate == arith::CmpFPredicate::UGE;
    if (!isGreater || compare->operands[0] != yes ||
        compare->operands[1] != no || (yes != self && no != self))
      return failure();
    step.combiner = ExprKind::Max;
    step.body = yes == self ? no : yes;
  } else {
    return failure();
  }
  bool usesSelf = false;
  walkExpr(step.body, [&](ExprRef part) {
    usesSelf |= part == self;
    return true;
  });
  if (usesSelf)
    return failure();
  visited.insert(op);
  return step;
}

bool fusion::isSumOfProducts(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !op.getNumReductionLoops() || !op.hasPureTensorSemantics())
    return false;
  for (OpOperand &operand : op->getOpOperands())
    if (!isa<RankedTensorType>(operand.get().getType()))
      return false;
  Block &body = *op.getBlock();
  auto skipExtension = [](Value value) {
    while (auto extension = value.getDefiningOp<arith::ExtFOp>())
      value = extension.getIn();
    return value;
  };
  auto add = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add)
    return false;
  Value accumulator = body.getArgument(2);
  Value product = add.getLhs() == accumulator   ? add.getRhs()
                  : add.getRhs() == accumulator ? add.getLhs()
                                                : Value();
  if (!product)
    return false;
  auto mul = skipExtension(product).getDefiningOp<arith::MulFOp>();
  if (!mul)
    return false;
  Value lhs = skipExtension(mul.getLhs()), rhs = skipExtension(mul.getRhs());
  return (lhs == body.getArgument(0) && rhs == body.getArgument(1)) ||
         (lhs == body.getArgument(1) && rhs == body.getArgument(0));
}
