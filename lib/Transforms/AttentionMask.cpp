//===- AttentionMask.cpp - What masks the scores --------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conditions that compare key and query positions become the causal offset and
// the window, which let a kernel skip tiles; what is left becomes one operand.
//
// A finite score that masks is not -inf: a row in which every score is masked
// is then uniform, where -inf gives zero or NaN. It is replaced by -inf only
// where every row is proven to keep a key.
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

namespace {

//===----------------------------------------------------------------------===//
// Linear forms
//===----------------------------------------------------------------------===//

/// An integer as a sum: an affine expression plus multiples of scalars that are
/// only known at run time.
struct LinearForm {
  AffineExpr affine;
  llvm::MapVector<ExprRef, int64_t> scalars;

  void addScaled(const LinearForm &other, int64_t factor) {
    affine = affine + other.affine * factor;
    for (auto [scalar, coefficient] : other.scalars)
      scalars[scalar] += coefficient * factor;
  }
};

std::optional<LinearForm> getLinearForm(IndexSpace &space, ExprRef expr) {
  LinearForm form{space.constant(0), {}};
  switch (expr->kind) {
  case ExprKind::Integer:
    form.affine = expr->affine;
    return form;
  case ExprKind::IntAdd:
  case ExprKind::IntSub: {
    std::optional<LinearForm> lhs = getLinearForm(space, expr->operands[0]),
                              rhs = getLinearForm(space, expr->operands[1]);
    if (!lhs || !rhs)
      return std::nullopt;
    lhs->addScaled(*rhs, expr->is(ExprKind::IntAdd) ? 1 : -1);
    return lhs;
  }
  case ExprKind::Element:
  case ExprKind::Scalar: {
    bool isFixed = llvm::all_of(expr->indices, [](AffineExpr index) {
      return isa<AffineConstantExpr>(index);
    });
    if (!isFixed || !expr->type.isIntOrIndex())
      return std::nullopt;
    form.scalars[expr] = 1;
    return form;
  }
  default:
    return std::nullopt;
  }
}

/// The factor of dimension `dim` in `expr`, which is removed from it; nullopt
/// where `expr` is not linear in it.
std::optional<int64_t> takeDim(IndexSpace &space, AffineExpr &expr,
                               unsigned dim) {
  if (!expr.isFunctionOfDim(dim))
    return 0;
  AffineExpr d = getAffineDimExpr(dim, space.getContext());
  auto at = [&](int64_t value) {
    return expr.replace(d, space.constant(value));
  };
  auto factor = dyn_cast<AffineConstantExpr>(space.simplify(at(1) - at(0)));
  if (!factor)
    return std::nullopt;
  AffineExpr rest = space.simplify(expr - d * factor.getValue());
  if (rest.isFunctionOfDim(dim))
    return std::nullopt;
  expr = rest;
  return factor.getValue();
}

/// A constraint on the distance of key and query: `k <= q + bound`, or
/// `k >= q + bound` where `isLower`.
struct BandTerm {
  bool isLower;
  LinearForm bound;
};

std::optional<BandTerm> getBandTerm(IndexSpace &space, ExprRef term,
                                    const AttentionDims &dims) {
  if (!term->is(ExprKind::CompareInt))
    return std::nullopt;
  std::optional<LinearForm> lhs = getLinearForm(space, term->operands[0]),
                            rhs = getLinearForm(space, term->operands[1]);
  if (!lhs || !rhs)
    return std::nullopt;
  // As `form <= 0`.
  LinearForm form{space.constant(0), {}};
  auto predicate = static_cast<arith::CmpIPredicate>(term->predicate);
  int64_t sign = 1;
  switch (predicate) {
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::sle:
    break;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::sge:
    sign = -1;
    break;
  default:
    return std::nullopt;
  }
  form.addScaled(*lhs, sign);
  form.addScaled(*rhs, -sign);
  if (predicate == arith::CmpIPredicate::slt ||
      predicate == arith::CmpIPredicate::sgt)
    form.affine = form.affine + 1;
  form.affine = space.simplify(form.affine);
  std::optional<int64_t> key = takeDim(space, form.affine, dims.key),
                         query = takeDim(space, form.affine, dims.query);
  if (!key || !query || std::abs(*key) != 1)
    return std::nullopt;
  // The only query position is 0.
  bool isSingleQuery = space.getBound(dims.query) == space.constant(1);
  if (*query != -*key && !(isSingleQuery && *query == 0))
    return std::nullopt;
  for (unsigned dim = 0; dim < space.getNumDims(); ++dim)
    if (form.affine.isFunctionOfDim(dim))
      return std::nullopt;
  // k - q + rest <= 0, or q - k + rest <= 0.
  BandTerm band{*key < 0, {space.constant(0), {}}};
  band.bound.addScaled(form, band.isLower ? 1 : -1);
  band.bound.affine = space.simplify(band.bound.affine);
  return band;
}

void splitConjunction(ExprRef expr, SmallVectorImpl<ExprRef> &terms) {
  if (expr->is(ExprKind::And)) {
    splitConjunction(expr->operands[0], terms);
    splitConjunction(expr->operands[1], terms);
    return;
  }
  if (!(expr->is(ExprKind::Bool) && expr->number != 0) &&
      !llvm::is_contained(terms, expr))
    terms.push_back(expr);
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

/// Makes a tensor of an expression: a linalg.generic over the dimensions that
/// the expression uses. Floats are computed in f32.
class MaskEmitter {
public:
  MaskEmitter(ElementEvaluator &evaluator, OpBuilder &builder,
              Operation *anchor)
      : evaluator(evaluator), builder(builder), anchor(anchor) {}

  FailureOr<OperandElement> emit(ExprRef expr, const AttentionDims &dims);

private:
  Value emitScalar(ExprRef expr);
  /// Widens a loaded or function-level scalar to the type that is computed in.
  Value widen(Value value);
  /// The opposite: makes of an emitted value one of type `type`.
  Value narrow(Value value, Type type);
  Value emitOther(ExprRef expr, ValueRange operands);

  ElementEvaluator &evaluator;
  OpBuilder &builder;
  Operation *anchor;
  SmallVector<ExprRef> leaves;
  SmallVector<AffineExpr> loopOfDim;
  Block *body = nullptr;
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

Value MaskEmitter::widen(Value value) {
  Location loc = anchor->getLoc();
  Type type = value.getType();
  if (auto floating = dyn_cast<FloatType>(type)) {
    if (floating.getWidth() < 32)
      return arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
    if (floating.getWidth() > 32)
      return arith::TruncFOp::create(builder, loc, builder.getF32Type(), value);
    return value;
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

Value MaskEmitter::narrow(Value value, Type type) {
  Location loc = anchor->getLoc();
  if (value.getType() == type)
    return value;
  if (auto floating = dyn_cast<FloatType>(type)) {
    if (!value.getType().isF32())
      return nullptr;
    if (floating.getWidth() < 32)
      return arith::TruncFOp::create(builder, loc, type, value);
    return arith::ExtFOp::create(builder, loc, type, value);
  }
  if (!value.getType().isInteger(64))
    return nullptr;
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  if (type.isInteger() && type.getIntOrFloatBitWidth() < 64)
    return arith::TruncIOp::create(builder, loc, type, value);
  return nullptr;
}

Value MaskEmitter::emitOther(ExprRef expr, ValueRange operands) {
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

Value MaskEmitter::emitScalar(ExprRef expr) {
  if (Value known = emitted.lookup(expr))
    return known;
  Location loc = anchor->getLoc();
  Type f32 = builder.getF32Type();
  auto finish = [&](Value value) { return emitted[expr] = value; };
  switch (expr->kind) {
  case ExprKind::Float:
    return finish(arith::ConstantOp::create(
        builder, loc,
        builder.getF32FloatAttr(static_cast<float>(expr->number))));
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
      numLoops += static_cast<bool>(loop && isa<AffineDimExpr>(loop));
    for (unsigned i = 0; i < numLoops; ++i)
      loops.push_back(linalg::IndexOp::create(builder, loc, i));
    bool hasSymbol = false;
    affine.walk(
        [&](AffineExpr part) { hasSymbol |= isa<AffineSymbolExpr>(part); });
    if (hasSymbol)
      return nullptr;
    Value index = affine::AffineApplyOp::create(
        builder, loc, AffineMap::get(numLoops, 0, affine), loops);
    return finish(
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index));
  }
  case ExprKind::Element: {
    auto *it = llvm::find(leaves, expr);
    if (it == leaves.end())
      return nullptr;
    Value value = widen(body->getArgument(it - leaves.begin()));
    return value ? finish(value) : nullptr;
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
    if (cast<FloatType>(expr->type).getWidth() < 32) {
      narrow = arith::TruncFOp::create(builder, loc, expr->type, narrow);
      narrow = arith::ExtFOp::create(builder, loc, f32, narrow);
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
    return finish(arith::SIToFPOp::create(builder, loc, f32, operands[0]));
  case ExprKind::Other: {
    Value value = emitOther(expr, operands);
    return value ? finish(value) : nullptr;
  }
  default:
    return nullptr;
  }
}

FailureOr<OperandElement> MaskEmitter::emit(ExprRef expr,
                                            const AttentionDims &dims) {
  IndexSpace &space = evaluator.getSpace();
  // The leaves, and the dimensions that they and conditions use. Expressions
  // that are elements of a tensor of their own are read from it.
  llvm::SmallBitVector used(space.getNumDims());
  auto use = [&](AffineExpr affine) {
    for (unsigned dim = 0; dim < space.getNumDims(); ++dim)
      if (affine.isFunctionOfDim(dim))
        used.set(dim);
  };
  walkExpr(expr, [&](ExprRef part) {
    if (part->is(ExprKind::Integer))
      use(part->affine);
    if (!part->is(ExprKind::Element))
      return true;
    leaves.push_back(part);
    for (AffineExpr index : part->indices)
      use(index);
    return true;
  });
  MLIRContext *context = builder.getContext();
  Location loc = anchor->getLoc();
  loopOfDim.assign(space.getNumDims(), space.constant(0));
  SmallVector<OpFoldResult> sizes;
  OperandElement element;
  for (unsigned dim : used.set_bits()) {
    loopOfDim[dim] = getAffineDimExpr(sizes.size(), context);
    AffineExpr bound = space.getBound(dim);
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
  for (ExprRef leaf : leaves) {
    SmallVector<AffineExpr> results;
    for (AffineExpr index : leaf->indices) {
      bool hasSymbol = false;
      index.walk(
          [&](AffineExpr part) { hasSymbol |= isa<AffineSymbolExpr>(part); });
      if (hasSymbol)
        return failure();
      results.push_back(index.replaceDims(loopOfDim));
    }
    inputs.push_back(leaf->value);
    maps.push_back(AffineMap::get(sizes.size(), 0, results, context));
  }
  maps.push_back(builder.getMultiDimIdentityMap(sizes.size()));
  bool isCondition = isConditionKind(expr);
  Type type = isCondition ? Type(builder.getI1Type()) : builder.getF32Type();
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
  return element;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// A tensor of floats (or of i1) whose elements are `expr`, at indices that an
/// indexing map can say; null for none.
OperandElement findTensor(ElementEvaluator &evaluator, ExprRef expr,
                          const AttentionDims &dims) {
  for (auto &[tensor, indices] : expr->origins) {
    OperandElement element{tensor, indices};
    if (succeeded(getMapResults(evaluator, element, dims, {},
                                {dims.query, dims.key})))
      return element;
  }
  return {};
}

class MaskBuilder {
public:
  MaskBuilder(ElementEvaluator &evaluator, OpBuilder &builder,
              Operation *anchor, const AttentionDims &dims, Mask &mask,
              NearMiss &miss)
      : evaluator(evaluator), space(evaluator.getSpace()), builder(builder),
        anchor(anchor), dims(dims), mask(mask), miss(miss) {}

  LogicalResult build(const Score &score);

private:
  /// Whether every row keeps a key under `terms`, all of which are bands.
  bool keepsAKey(ArrayRef<BandTerm> terms);
  bool isNonNegative(const LinearForm &form);
  /// Takes the terms that the causal offset and the window can say out of
  /// `terms`.
  void takeBand(SmallVectorImpl<ExprRef> &terms, Operation *op);
  FailureOr<Value> buildIndex(const LinearForm &form);
  ExprRef conjoin(ArrayRef<ExprRef> terms);

  ElementEvaluator &evaluator;
  IndexSpace &space;
  OpBuilder &builder;
  Operation *anchor;
  const AttentionDims &dims;
  Mask &mask;
  NearMiss &miss;
};

bool MaskBuilder::isNonNegative(const LinearForm &form) {
  for (auto [scalar, coefficient] : form.scalars)
    if (coefficient != 0)
      return false;
  return space.isWithin(form.affine, space.constant(int64_t(1) << 62));
}

bool MaskBuilder::keepsAKey(ArrayRef<BandTerm> terms) {
  // Without a lower bound a row keeps key 0 if q + offset >= 0 for all q.
  return llvm::all_of(terms, [&](const BandTerm &term) {
    return !term.isLower && isNonNegative(term.bound);
  });
}

FailureOr<Value> MaskBuilder::buildIndex(const LinearForm &form) {
  Location loc = anchor->getLoc();
  FailureOr<Value> sum =
      buildSize(builder, loc, evaluator.getShapes(), anchor, form.affine);
  if (failed(sum))
    return failure();
  for (auto [scalar, coefficient] : form.scalars) {
    if (coefficient == 0)
      continue;
    Value value = scalar->value;
    if (scalar->is(ExprKind::Element)) {
      SmallVector<Value> indices;
      for (AffineExpr index : scalar->indices)
        indices.push_back(arith::ConstantIndexOp::create(
            builder, loc, cast<AffineConstantExpr>(index).getValue()));
      value = tensor::ExtractOp::create(builder, loc, value, indices);
    }
    if (!value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                         value);
    if (coefficient != 1) {
      Value factor = arith::ConstantIndexOp::create(builder, loc, coefficient);
      value = arith::MulIOp::create(builder, loc, value, factor);
    }
    bool isZero = matchPattern(*sum, m_Zero());
    sum = isZero ? value
                 : arith::AddIOp::create(builder, loc, *sum, value).getResult();
  }
  return sum;
}

void MaskBuilder::takeBand(SmallVectorImpl<ExprRef> &terms, Operation *op) {
  // The upper bound.
  std::optional<LinearForm> offset;
  for (auto *it = terms.begin(); it != terms.end() && !mask.causalOffset;
       ++it) {
    std::optional<BandTerm> band = getBandTerm(space, *it, dims);
    if (!band || band->isLower)
      continue;
    FailureOr<Value> value = buildIndex(band->bound);
    if (failed(value))
      continue;
    mask.causalOffset = *value;
    offset = band->bound;
    terms.erase(it);
    break;
  }
  if (!offset || mask.window)
    return;
  // k >= q + low is k > q + offset - window with window = offset + 1 - low.
  for (auto *it = terms.begin(); it != terms.end(); ++it) {
    std::optional<BandTerm> band = getBandTerm(space, *it, dims);
    if (!band || !band->isLower)
      continue;
    LinearForm window = *offset;
    window.addScaled(band->bound, -1);
    bool isFixed = llvm::all_of(
        window.scalars, [](auto &scalar) { return scalar.second == 0; });
    auto constant =
        dyn_cast<AffineConstantExpr>(space.simplify(window.affine + 1));
    if (!isFixed || !constant || constant.getValue() <= 0)
      continue;
    mask.window = constant.getValue();
    terms.erase(it);
    return;
  }
}

ExprRef MaskBuilder::conjoin(ArrayRef<ExprRef> terms) {
  ExprRef all = evaluator.getBool(true);
  for (ExprRef term : terms)
    all = evaluator.getBinary(ExprKind::And, all, term, builder.getI1Type());
  return all;
}

LogicalResult MaskBuilder::build(const Score &score) {
  // Addends that are 0 or -inf are choices. With a finite value they are only
  // where no row can lose all of its keys.
  SmallVector<MaskPart> parts;
  for (MaskPart part : score.parts) {
    if (part.addend && part.addend->is(ExprKind::Select) &&
        part.addend->operands[1]->is(ExprKind::Float) &&
        part.addend->operands[2]->is(ExprKind::Float)) {
      double yes = part.addend->operands[1]->number,
             no = part.addend->operands[2]->number;
      if ((yes == 0 && no <= maskingScore) ||
          (no == 0 && yes <= maskingScore)) {
        part.keep = yes == 0 ? part.addend->operands[0]
                             : evaluator.getNot(part.addend->operands[0]);
        part.fill = yes == 0 ? no : yes;
      }
    }
    parts.push_back(part);
  }

  if (parts.size() == 1 && parts[0].keep && std::isfinite(parts[0].fill)) {
    SmallVector<ExprRef> terms;
    splitConjunction(parts[0].keep, terms);
    SmallVector<BandTerm> bands;
    for (ExprRef term : terms)
      if (std::optional<BandTerm> band = getBandTerm(space, term, dims))
        bands.push_back(*band);
    if (bands.size() == terms.size() && keepsAKey(bands))
      parts[0].fill = -INFINITY;
  }

  // What remains, from the scores outwards: a condition for -inf, or a sum.
  ExprRef condition = evaluator.getBool(true), sum = nullptr;
  Type f32 = builder.getF32Type(), i1 = builder.getI1Type();
  ExprRef zero = evaluator.getFloat(0);
  SmallVector<ExprRef> addends;
  for (MaskPart &part : llvm::reverse(parts)) {
    if (part.keep && part.fill == -INFINITY) {
      SmallVector<ExprRef> terms;
      splitConjunction(part.keep, terms);
      size_t before = terms.size();
      takeBand(terms, part.op);
      // A float tensor that holds the choice already serves as well as one of
      // conditions that would have to be computed.
      ExprRef rest = conjoin(terms);
      if (part.addend && terms.size() == before && before &&
          !findTensor(evaluator, rest, dims).tensor) {
        sum = sum ? evaluator.getBinary(ExprKind::Add, sum, part.addend, f32)
                  : part.addend;
        continue;
      }
      condition = evaluator.getBinary(ExprKind::And, condition, rest, i1);
      continue;
    }
    if (part.addend) {
      sum = sum ? evaluator.getBinary(ExprKind::Add, sum, part.addend, f32)
                : part.addend;
      continue;
    }
    if (part.fill > absorbingScore)
      return fail(miss, part.op,
                  "masked scores become a finite value that is "
                  "not small enough to absorb the scores, and a "
                  "row may have all of them masked");
    sum = evaluator.getSelect(part.keep, sum ? sum : zero,
                              evaluator.getFloat(part.fill), f32, part.op);
  }
  bool hasCondition =
      !(condition->is(ExprKind::Bool) && condition->number != 0);
  if (!hasCondition && !sum)
    return success();
  ExprRef whole = condition;
  if (sum)
    whole = hasCondition
                ? evaluator.getSelect(condition, sum,
                                      evaluator.getFloat(-INFINITY), f32)
                : sum;
  mask.operand = findTensor(evaluator, whole, dims);
  if (mask.operand.tensor)
    return success();
  FailureOr<OperandElement> made =
      MaskEmitter(evaluator, builder, anchor).emit(whole, dims);
  if (failed(made))
    return fail(miss, score.parts.front().op,
                "the mask is not an element of a tensor at indices that an "
                "indexing map can say");
  mask.operand = *made;
  return success();
}

} // namespace

LogicalResult fusion::buildMask(ElementEvaluator &evaluator, OpBuilder &builder,
                                Operation *anchor, const AttentionDims &dims,
                                const Score &score, Mask &mask,
                                NearMiss &miss) {
  return MaskBuilder(evaluator, builder, anchor, dims, mask, miss).build(score);
}
