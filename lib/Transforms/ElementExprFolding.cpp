//===- ElementExprFolding.cpp - Making expressions, with folding ----------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementExpr.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

void ElementExpr::Profile(llvm::FoldingSetNodeID &id) const {
  id.AddInteger(static_cast<unsigned>(kind));
  id.AddInteger(predicate);
  id.AddInteger(llvm::bit_cast<uint64_t>(number));
  id.AddPointer(affine.getAsOpaquePointer());
  id.AddPointer(value.getAsOpaquePointer());
  for (AffineExpr index : indices)
    id.AddPointer(index.getAsOpaquePointer());
  for (Ref operand : operands)
    id.AddPointer(operand);
  if (kind == ExprKind::Round)
    id.AddPointer(type.getAsOpaquePointer());
  if (kind == ExprKind::Other) {
    id.AddPointer(type.getAsOpaquePointer());
    id.AddPointer(op->getName().getAsOpaquePointer());
    id.AddPointer(op->getAttrDictionary().getAsOpaquePointer());
  }
}

ExprRef fusion::stripRounding(ExprRef expr) {
  while (expr->is(ExprKind::Round))
    expr = expr->operands[0];
  return expr;
}

void fusion::walkExpr(ExprRef expr,
                      llvm::function_ref<bool(ExprRef)> callback) {
  llvm::DenseSet<ExprRef> seen;
  SmallVector<ExprRef> worklist{expr};
  while (!worklist.empty()) {
    ExprRef next = worklist.pop_back_val();
    if (seen.insert(next).second && callback(next))
      llvm::append_range(worklist, next->operands);
  }
}

ExprRef ElementEvaluator::unique(ElementExpr &&expr) {
  llvm::FoldingSetNodeID id;
  expr.Profile(id);
  void *position;
  if (ElementExpr *known = set.FindNodeOrInsertPos(id, position))
    return known;
  auto *made = new (allocator.Allocate()) ElementExpr(std::move(expr));
  set.InsertNode(made, position);
  return made;
}

ExprRef ElementEvaluator::getFloat(double value) {
  ElementExpr expr;
  expr.kind = ExprKind::Float;
  expr.number = value;
  return unique(std::move(expr));
}

ExprRef ElementEvaluator::getBool(bool value) {
  ElementExpr expr;
  expr.kind = ExprKind::Bool;
  expr.number = value;
  return unique(std::move(expr));
}

ExprRef ElementEvaluator::getInteger(AffineExpr value) {
  ElementExpr expr;
  expr.kind = ExprKind::Integer;
  expr.affine = space.simplify(value);
  return unique(std::move(expr));
}

ExprRef ElementEvaluator::getLeaf(Value tensor, ArrayRef<AffineExpr> indices) {
  ElementExpr expr;
  expr.kind = ExprKind::Element;
  expr.value = tensor;
  expr.indices.assign(indices.begin(), indices.end());
  expr.type = getElementTypeOrSelf(tensor);
  expr.op = tensor.getDefiningOp();
  return unique(std::move(expr));
}

static bool isConstant(ExprRef expr) {
  return expr->is(ExprKind::Float) || expr->is(ExprKind::Bool);
}

static bool isChoiceOfConstants(ExprRef expr) {
  return expr->is(ExprKind::Select) && isConstant(expr->operands[1]) &&
         isConstant(expr->operands[2]);
}

ExprRef ElementEvaluator::getNot(ExprRef condition, Operation *op) {
  switch (condition->kind) {
  case ExprKind::Bool:
    return getBool(condition->number == 0);
  case ExprKind::Not:
    return condition->operands[0];
  case ExprKind::CompareInt:
    return getBinary(
        ExprKind::CompareInt, condition->operands[0], condition->operands[1],
        condition->type, condition->op,
        static_cast<uint64_t>(arith::invertPredicate(
            static_cast<arith::CmpIPredicate>(condition->predicate))));
  case ExprKind::And:
  case ExprKind::Or:
    return getBinary(
        condition->is(ExprKind::And) ? ExprKind::Or : ExprKind::And,
        getNot(condition->operands[0], op), getNot(condition->operands[1], op),
        condition->type, condition->op);
  default: {
    ElementExpr expr;
    expr.kind = ExprKind::Not;
    expr.operands = {condition};
    expr.type = condition->type;
    expr.op = op ? op : condition->op;
    return unique(std::move(expr));
  }
  }
}

/// `x > c ? x : c` as a maximum, `x < c ? x : c` as a minimum, c finite and not
/// 0 (whose sign the comparison does not see); null for anything else.
ExprRef ElementEvaluator::foldBound(ExprRef condition, ExprRef yes, ExprRef no,
                                    Type type, Operation *op) {
  if (!condition->is(ExprKind::CompareFloat))
    return nullptr;
  ExprRef lhs = condition->operands[0], rhs = condition->operands[1];
  ExprRef bound = rhs->is(ExprKind::Float) ? rhs : lhs;
  bool isSwapped = lhs == no && rhs == yes;
  if ((!isSwapped && (lhs != yes || rhs != no)) ||
      !bound->is(ExprKind::Float) || bound->number == 0 ||
      !std::isfinite(bound->number))
    return nullptr;
  bool isGreater = false, isOrdered = false;
  switch (static_cast<arith::CmpFPredicate>(condition->predicate)) {
  case arith::CmpFPredicate::OGT:
  case arith::CmpFPredicate::OGE:
    isGreater = isOrdered = true;
    break;
  case arith::CmpFPredicate::UGT:
  case arith::CmpFPredicate::UGE:
    isGreater = true;
    break;
  case arith::CmpFPredicate::OLT:
  case arith::CmpFPredicate::OLE:
    isOrdered = true;
    break;
  case arith::CmpFPredicate::ULT:
  case arith::CmpFPredicate::ULE:
    break;
  default:
    return nullptr;
  }
  // An ordered comparison with NaN is false, an unordered one true.
  bool losesNaN = (isOrdered ? no : yes) == bound;
  return getBinary(isGreater != isSwapped ? ExprKind::Max : ExprKind::Min,
                   bound == lhs ? rhs : lhs, bound, type, op, losesNaN);
}

ExprRef ElementEvaluator::getSelect(ExprRef condition, ExprRef yes, ExprRef no,
                                    Type type, Operation *op) {
  if (yes == no)
    return yes;
  if (condition->is(ExprKind::Bool))
    return condition->number ? yes : no;
  if (condition->is(ExprKind::Not))
    return getSelect(condition->operands[0], no, yes, type, op);
  if (yes->is(ExprKind::Bool) && no->is(ExprKind::Bool))
    return yes->number ? condition : getNot(condition, op);
  // A dimension of size 1 is indexed with 0, any other with the index:
  // `size == 1 ? 0 : i` is i wherever i is below the size.
  if (condition->is(ExprKind::CompareInt) && no->is(ExprKind::Integer) &&
      yes->is(ExprKind::Integer) && yes->affine == space.constant(0) &&
      condition->predicate == static_cast<uint64_t>(arith::CmpIPredicate::eq) &&
      condition->operands[0]->is(ExprKind::Integer) &&
      condition->operands[1]->is(ExprKind::Integer) &&
      condition->operands[1]->affine == space.constant(1) &&
      space.isWithin(no->affine, condition->operands[0]->affine))
    return no;
  if (ExprRef bounded = foldBound(condition, yes, no, type, op))
    return bounded;
  ElementExpr expr;
  expr.kind = ExprKind::Select;
  expr.operands = {condition, yes, no};
  expr.type = type;
  expr.op = op;
  return unique(std::move(expr));
}

ExprRef ElementEvaluator::getScaled(ExprRef expr, double factor) {
  if (factor == 1)
    return expr;
  Type type = expr->type ? expr->type : Float32Type::get(space.getContext());
  return getBinary(ExprKind::Mul, expr, getFloat(factor), type, expr->op);
}

/// Rounds to a narrower type, the way that the graph would.
static double roundTo(double value, Type type) {
  APFloat narrow(value);
  bool lossy;
  narrow.convert(cast<FloatType>(type).getFloatSemantics(),
                 APFloat::rmNearestTiesToEven, &lossy);
  narrow.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  return narrow.convertToDouble();
}

ExprRef ElementEvaluator::getUnary(ExprKind kind, ExprRef operand, Type type,
                                   Operation *op, uint64_t predicate) {
  if (kind == ExprKind::Not)
    return getNot(operand, op);
  if (operand->is(ExprKind::Float)) {
    if (kind == ExprKind::Neg)
      return getFloat(-operand->number);
    if (kind == ExprKind::Round)
      return getFloat(roundTo(operand->number, type));
  }
  bool folds = kind == ExprKind::Neg || kind == ExprKind::Round;
  if (folds && isChoiceOfConstants(operand))
    return getSelect(operand->operands[0],
                     getUnary(kind, operand->operands[1], type, op),
                     getUnary(kind, operand->operands[2], type, op), type, op);
  ElementExpr expr;
  expr.kind = kind;
  expr.operands = {operand};
  expr.predicate = predicate;
  expr.type = type;
  expr.op = op;
  return unique(std::move(expr));
}

/// The constant that `kind` makes of two constants.
static std::optional<double> foldFloats(ExprKind kind, double lhs, double rhs) {
  switch (kind) {
  case ExprKind::Add:
    return lhs + rhs;
  case ExprKind::Sub:
    return lhs - rhs;
  case ExprKind::Mul:
    return lhs * rhs;
  case ExprKind::Div:
    return lhs / rhs;
  case ExprKind::Max:
    return std::isnan(lhs) || std::isnan(rhs) ? std::optional<double>()
                                              : std::max(lhs, rhs);
  case ExprKind::Min:
    return std::isnan(lhs) || std::isnan(rhs) ? std::optional<double>()
                                              : std::min(lhs, rhs);
  default:
    return std::nullopt;
  }
}

ExprRef ElementEvaluator::getBinary(ExprKind kind, ExprRef lhs, ExprRef rhs,
                                    Type type, Operation *op,
                                    uint64_t predicate) {
  // Constants.
  if (lhs->is(ExprKind::Float) && rhs->is(ExprKind::Float)) {
    if (std::optional<double> value =
            foldFloats(kind, lhs->number, rhs->number))
      return getFloat(*value);
    if (kind == ExprKind::CompareFloat)
      return getBool(
          arith::applyCmpPredicate(static_cast<arith::CmpFPredicate>(predicate),
                                   APFloat(lhs->number), APFloat(rhs->number)));
  }
  // One of two constants, combined with a third.
  bool onFloats = kind <= ExprKind::Tanh || kind == ExprKind::CompareFloat;
  if (onFloats && isChoiceOfConstants(lhs) && rhs->is(ExprKind::Float)) {
    ExprRef yes = getBinary(kind, lhs->operands[1], rhs, type, op, predicate),
            no = getBinary(kind, lhs->operands[2], rhs, type, op, predicate);
    return getSelect(lhs->operands[0], yes, no, type, op);
  }
  if (onFloats && isChoiceOfConstants(rhs) && lhs->is(ExprKind::Float)) {
    ExprRef yes = getBinary(kind, lhs, rhs->operands[1], type, op, predicate),
            no = getBinary(kind, lhs, rhs->operands[2], type, op, predicate);
    return getSelect(rhs->operands[0], yes, no, type, op);
  }
  switch (kind) {
  case ExprKind::Add:
    if (lhs->isFloat(0))
      return rhs;
    if (rhs->isFloat(0))
      return lhs;
    break;
  case ExprKind::Sub:
    if (rhs->isFloat(0))
      return lhs;
    break;
  case ExprKind::Mul:
    if (lhs->isFloat(1))
      return rhs;
    if (rhs->isFloat(1))
      return lhs;
    break;
  case ExprKind::Div:
    if (rhs->isFloat(1))
      return lhs;
    break;
  case ExprKind::Max:
    if (lhs->isFloat(-INFINITY) || lhs == rhs)
      return rhs;
    if (rhs->isFloat(-INFINITY))
      return lhs;
    break;
  case ExprKind::And:
  case ExprKind::Or: {
    bool neutral = kind == ExprKind::And;
    if (lhs == rhs)
      return lhs;
    if (lhs->is(ExprKind::Bool))
      return (lhs->number != 0) == neutral ? rhs : lhs;
    if (rhs->is(ExprKind::Bool))
      return (rhs->number != 0) == neutral ? lhs : rhs;
    break;
  }
  case ExprKind::IntAdd:
    if (lhs->is(ExprKind::Integer) && rhs->is(ExprKind::Integer))
      return getInteger(lhs->affine + rhs->affine);
    if (lhs->is(ExprKind::Integer) && lhs->affine == space.constant(0))
      return rhs;
    if (rhs->is(ExprKind::Integer) && rhs->affine == space.constant(0))
      return lhs;
    break;
  case ExprKind::IntSub:
    if (lhs->is(ExprKind::Integer) && rhs->is(ExprKind::Integer))
      return getInteger(lhs->affine - rhs->affine);
    if (rhs->is(ExprKind::Integer) && rhs->affine == space.constant(0))
      return lhs;
    break;
  case ExprKind::IntMul:
    if (lhs->is(ExprKind::Integer) && rhs->is(ExprKind::Integer) &&
        (isa<AffineConstantExpr>(lhs->affine) ||
         isa<AffineConstantExpr>(rhs->affine)))
      return getInteger(lhs->affine * rhs->affine);
    break;
  case ExprKind::CompareInt: {
    if (!lhs->is(ExprKind::Integer) || !rhs->is(ExprKind::Integer))
      break;
    auto never = [&](AffineExpr positive) {
      return space.isWithin(space.simplify(positive),
                            space.constant(int64_t(1) << 62));
    };
    AffineExpr l = lhs->affine, r = rhs->affine;
    switch (static_cast<arith::CmpIPredicate>(predicate)) {
    case arith::CmpIPredicate::eq:
    case arith::CmpIPredicate::ne: {
      bool isEqual = static_cast<arith::CmpIPredicate>(predicate) ==
                     arith::CmpIPredicate::eq;
      if (space.simplify(l - r) == space.constant(0))
        return getBool(isEqual);
      if (never(l - r - 1) || never(r - l - 1))
        return getBool(!isEqual);
      break;
    }
    case arith::CmpIPredicate::slt:
    case arith::CmpIPredicate::sge: {
      bool isLess = static_cast<arith::CmpIPredicate>(predicate) ==
                    arith::CmpIPredicate::slt;
      if (never(l - r))
        return getBool(!isLess);
      if (never(r - l - 1))
        return getBool(isLess);
      break;
    }
    case arith::CmpIPredicate::sgt:
    case arith::CmpIPredicate::sle: {
      bool isGreater = static_cast<arith::CmpIPredicate>(predicate) ==
                       arith::CmpIPredicate::sgt;
      if (never(r - l))
        return getBool(!isGreater);
      if (never(l - r - 1))
        return getBool(isGreater);
      break;
    }
    default:
      break;
    }
    break;
  }
  default:
    break;
  }
  ElementExpr expr;
  expr.kind = kind;
  expr.operands = {lhs, rhs};
  // The order of the operands does not matter to these.
  bool commutes = kind == ExprKind::Add || kind == ExprKind::Mul ||
                  kind == ExprKind::Max || kind == ExprKind::And ||
                  kind == ExprKind::Or || kind == ExprKind::IntAdd ||
                  kind == ExprKind::IntMul;
  expr.predicate = predicate;
  if (commutes) {
    ElementExpr swapped;
    swapped.kind = kind;
    swapped.operands = {rhs, lhs};
    swapped.predicate = predicate;
    llvm::FoldingSetNodeID id;
    swapped.Profile(id);
    void *position;
    if (ElementExpr *known = set.FindNodeOrInsertPos(id, position))
      return known;
  }
  expr.type = type;
  expr.op = op;
  return unique(std::move(expr));
}
