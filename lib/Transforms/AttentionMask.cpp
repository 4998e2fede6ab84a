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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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
      buildTensor(evaluator, builder, anchor, whole);
  // A tensor of the smallest shape may have sizes that are not known to be
  // those of the scores.
  if (failed(made) ||
      failed(getMapResults(evaluator, *made, dims, {}, {dims.query, dims.key})))
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
