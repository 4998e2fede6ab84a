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
// where every row is proven to keep a key; else it is what the operation's mask
// puts in place of the score: a boolean one, or where something is added to
// scores that are kept, a float one that is NaN elsewhere.
//
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
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
// Building
//===----------------------------------------------------------------------===//

/// A tensor whose elements are `expr`, at indices that an indexing map can say;
/// null for none.
OperandElement findTensor(ElementEvaluator &evaluator, ExprRef expr,
                          const AttentionDims &dims,
                          ArrayRef<unsigned> allowed) {
  for (auto &[tensor, indices] : expr->origins) {
    OperandElement element{tensor, indices};
    if (succeeded(getMapResults(evaluator, element, dims, {}, allowed)))
      return element;
  }
  return {};
}

/// Whether `expr` depends on nothing but positions, sizes and constants, none
/// of which is -inf.
bool isMadeOfPositions(ExprRef expr) {
  static constexpr size_t maxOps = 64;
  llvm::SetVector<Operation *> made;
  bool holds = true;
  auto addDefinition = [&](Value value) {
    if (Operation *def = value.getDefiningOp())
      made.insert(def);
    else
      holds = false;
  };
  walkExpr(expr, [&](ExprRef part) {
    if (part->is(ExprKind::Float))
      holds &= part->number > -INFINITY;
    else if (part->is(ExprKind::Element) || part->is(ExprKind::Scalar))
      addDefinition(part->value);
    return holds;
  });
  for (size_t i = 0; i < made.size() && holds; ++i) {
    holds &= made.size() < maxOps;
    Attribute constant;
    if (matchPattern(made[i], m_Constant(&constant))) {
      if (auto value = dyn_cast<FloatAttr>(constant))
        holds &= !value.getValue().isInfinity();
      else if (auto values = dyn_cast<DenseFPElementsAttr>(constant))
        holds &= llvm::none_of(
            values, [](const APFloat &value) { return value.isInfinity(); });
      else
        holds &= isa<IntegerAttr, DenseIntElementsAttr>(constant);
      continue;
    }
    Operation *op = made[i];
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        Operation *owner = operand.getDefiningOp();
        if (!owner)
          owner = cast<BlockArgument>(operand).getOwner()->getParentOp();
        // What an operation's region holds is the operation's own.
        bool isInner = owner == op ? !operand.getDefiningOp()
                                   : op->isProperAncestor(owner);
        if (!isInner)
          addDefinition(operand);
      }
    });
  }
  return holds;
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
  /// The parts from the scores outwards, finite fills made -inf where no row
  /// loses all of its keys.
  SmallVector<MaskPart> getParts(const Score &score);
  /// Whether every row keeps a key under `terms`, all of which are bands.
  bool keepsAKey(ArrayRef<BandTerm> terms);
  bool isNonNegative(const LinearForm &form);
  /// Takes the terms that the causal offset and the window can say out of
  /// `terms`.
  void takeBand(SmallVectorImpl<ExprRef> &terms, Operation *op);
  FailureOr<Value> buildIndex(const LinearForm &form);
  ExprRef conjoin(ArrayRef<ExprRef> terms);
  /// `addend` with infinity for NaN: added to a score, either makes the row
  /// NaN.
  ExprRef withoutNaN(ExprRef addend);

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
  // Without a lower bound a row keeps key 0 if q + offset >= 0 for all q. With
  // one it keeps key q if the band holds distance 0 and there is such a key.
  bool hasLower = false;
  for (const BandTerm &term : terms) {
    LinearForm distance{space.constant(0), {}};
    distance.addScaled(term.bound, term.isLower ? -1 : 1);
    if (!isNonNegative(distance))
      return false;
    hasLower |= term.isLower;
  }
  return !hasLower || isNonNegative({space.simplify(space.getBound(dims.key) -
                                                    space.getBound(dims.query)),
                                     {}});
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

ExprRef MaskBuilder::withoutNaN(ExprRef addend) {
  ExprRef isNaN = evaluator.getBinary(
      ExprKind::CompareFloat, addend, addend, builder.getI1Type(),
      /*op=*/nullptr, static_cast<uint64_t>(arith::CmpFPredicate::UNO));
  return evaluator.getSelect(isNaN, evaluator.getFloat(INFINITY), addend,
                             builder.getF32Type());
}

SmallVector<MaskPart> MaskBuilder::getParts(const Score &score) {
  // From the scores outwards. A choice of 0 to which its own masking addend is
  // added is a choice of that.
  SmallVector<MaskPart> parts;
  for (const MaskPart &part : llvm::reverse(score.parts)) {
    bool completes = part.addend && part.keep && !parts.empty() &&
                     !parts.back().addend && parts.back().keep == part.keep;
    if (completes)
      parts.back().fill += part.fill;
    else
      parts.push_back(part);
  }
  // Finite scores that mask are -inf where no row can lose all of its keys.
  SmallVector<BandTerm> bands;
  for (const MaskPart &part : parts) {
    // What is made of positions alone takes no key away.
    if (!part.keep && part.addend && isMadeOfPositions(part.addend))
      continue;
    if (!part.keep || part.fill > maskingScore)
      return parts;
    SmallVector<ExprRef> terms;
    splitConjunction(part.keep, terms);
    for (ExprRef term : terms) {
      std::optional<BandTerm> band = getBandTerm(space, term, dims);
      if (!band)
        return parts;
      bands.push_back(*band);
    }
  }
  if (keepsAKey(bands))
    for (MaskPart &part : parts)
      if (part.keep)
        part.fill = -INFINITY;
  return parts;
}

LogicalResult MaskBuilder::build(const Score &score) {
  SmallVector<MaskPart> parts = getParts(score);
  // What remains: a condition for -inf, one for a finite score, and a sum.
  ExprRef condition = evaluator.getBool(true);
  ExprRef kept = nullptr, sum = nullptr;
  double keptFill = 0;
  Type f32 = builder.getF32Type(), i1 = builder.getI1Type();
  auto orZero = [&](ExprRef expr) {
    return expr ? expr : evaluator.getFloat(0);
  };
  auto tooSmall = [&](Operation *op) {
    return fail(miss, op,
                "masked scores become a finite value that is not small enough "
                "to absorb what is added to them");
  };
  // A choice as an addend: exact where the finite score absorbs what it is
  // added to.
  auto addKept = [&](Operation *op) {
    if (kept && keptFill > absorbingScore)
      return tooSmall(op);
    if (kept)
      sum = evaluator.getSelect(kept, orZero(sum), evaluator.getFloat(keptFill),
                                f32, op);
    kept = nullptr;
    return success();
  };
  auto isFiniteChoice = [](const MaskPart &part) {
    return part.keep && !part.addend && part.fill != -INFINITY;
  };
  unsigned numInside = 0;
  for (auto [i, part] : llvm::enumerate(parts))
    if (isFiniteChoice(part))
      numInside = i;
  for (auto [i, part] : llvm::enumerate(parts)) {
    if (part.keep && part.fill == -INFINITY && i >= numInside) {
      SmallVector<ExprRef> terms;
      splitConjunction(part.keep, terms);
      size_t before = terms.size();
      takeBand(terms, part.op);
      // A float tensor that holds the choice already serves as well as one of
      // conditions that would have to be computed.
      ExprRef rest = conjoin(terms);
      if (!part.addend || terms.size() != before || !before ||
          findTensor(evaluator, rest, dims, {dims.query, dims.key}).tensor) {
        condition = evaluator.getBinary(ExprKind::And, condition, rest, i1);
        continue;
      }
    }
    if (part.addend) {
      if (failed(addKept(part.op)))
        return failure();
      sum = sum ? evaluator.getBinary(ExprKind::Add, sum, part.addend, f32)
                : part.addend;
      continue;
    }
    // A choice that another one covers, and finite ones.
    if (part.fill == -INFINITY) {
      if (failed(addKept(part.op)))
        return failure();
      sum = evaluator.getSelect(part.keep, orZero(sum),
                                evaluator.getFloat(part.fill), f32, part.op);
      continue;
    }
    if (kept && keptFill == part.fill) {
      kept = evaluator.getBinary(ExprKind::And, kept, part.keep, i1);
      continue;
    }
    if (failed(addKept(part.op)))
      return failure();
    kept = part.keep;
    keptFill = part.fill;
  }
  bool hasCondition =
      !(condition->is(ExprKind::Bool) && condition->number != 0);
  if (!hasCondition && !sum && !kept)
    return success();
  // A choice beside a sum or a condition: NaN says where, unless the finite
  // score absorbs all that it is added to.
  if (kept && (sum || hasCondition)) {
    if (keptFill > absorbingScore) {
      sum = evaluator.getSelect(kept, withoutNaN(orZero(sum)),
                                evaluator.getFloat(NAN), f32);
      mask.maskedScore = keptFill;
      kept = nullptr;
    } else if (failed(addKept(parts.back().op))) {
      return failure();
    }
  }
  ExprRef whole = condition;
  if (sum)
    whole = hasCondition
                ? evaluator.getSelect(condition, sum,
                                      evaluator.getFloat(-INFINITY), f32)
                : sum;
  if (kept) {
    whole = kept;
    mask.maskedScore = keptFill;
  }
  FailureOr<OperandElement> made = findOrBuildTensor(
      evaluator, builder, anchor, whole, dims, {dims.query, dims.key});
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

FailureOr<OperandElement> fusion::findOrBuildTensor(
    ElementEvaluator &evaluator, OpBuilder &builder, Operation *anchor,
    ExprRef expr, const AttentionDims &dims, ArrayRef<unsigned> allowed) {
  OperandElement found = findTensor(evaluator, expr, dims, allowed);
  if (found.tensor)
    return found;
  FailureOr<OperandElement> made =
      buildTensor(evaluator, builder, anchor, expr);
  // A tensor of the smallest shape may have sizes that are not known to be
  // those of the scores.
  if (failed(made) ||
      failed(getMapResults(evaluator, *made, dims, {}, allowed)))
    return failure();
  return made;
}
