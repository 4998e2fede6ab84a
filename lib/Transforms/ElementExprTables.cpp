//===- ElementExprTables.cpp - Constants and conditions by rule -----------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters that fold constants leave tables where the model has a rule: the
// positions 0, 1, 2 ..., or a causal mask. The rule is found again.
//
//===----------------------------------------------------------------------===//

#include "ElementExpr.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;
using namespace mlir::fusion;

/// The element at the origin and the steps along the dimensions, if the table
/// is linear.
static std::optional<std::pair<int64_t, SmallVector<int64_t>>>
findLinearRule(DenseIntElementsAttr table) {
  ArrayRef<int64_t> shape = table.getType().getShape();
  SmallVector<int64_t> distance(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    distance[i - 1] = distance[i] * shape[i];
  auto values = table.getValues<APInt>();
  if (values.begin() == values.end() || (*values.begin()).getBitWidth() > 64)
    return std::nullopt;
  int64_t origin = (*values.begin()).getSExtValue();
  SmallVector<int64_t> steps;
  for (auto [size, stride] : llvm::zip_equal(shape, distance))
    steps.push_back(
        size > 1 ? values[static_cast<uint64_t>(stride)].getSExtValue() - origin
                 : 0);
  SmallVector<int64_t> at(shape.size(), 0);
  for (const APInt &value : values) {
    int64_t expected = origin;
    for (auto [index, step] : llvm::zip_equal(at, steps))
      expected += index * step;
    if (value.getSExtValue() != expected)
      return std::nullopt;
    for (size_t i = shape.size(); i-- > 0;) {
      if (++at[i] < shape[i])
        break;
      at[i] = 0;
    }
  }
  return std::make_pair(origin, steps);
}

ExprRef ElementEvaluator::evaluateIntegers(DenseIntElementsAttr table,
                                           ArrayRef<AffineExpr> indices) {
  auto rule = findLinearRule(table);
  if (!rule)
    return nullptr;
  AffineExpr sum = space.constant(rule->first);
  for (auto [index, step] : llvm::zip_equal(indices, rule->second))
    sum = sum + index * step;
  return getInteger(sum);
}

namespace {
/// Where a table of two values, seen as rows and columns, holds the second:
/// `low <= column - row <= high`.
struct Band {
  int64_t low, high;
};
} // namespace

/// The band in which `isSecond`, by rows, is true; nullopt if there is none.
static std::optional<Band> findBand(ArrayRef<bool> isSecond, int64_t rows,
                                    int64_t columns) {
  Band band{std::numeric_limits<int64_t>::max(),
            std::numeric_limits<int64_t>::min()};
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      if (isSecond[row * columns + column]) {
        band.low = std::min(band.low, column - row);
        band.high = std::max(band.high, column - row);
      }
  if (band.low > band.high)
    return std::nullopt;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      int64_t distance = column - row;
      if (isSecond[row * columns + column] !=
          (distance >= band.low && distance <= band.high))
        return std::nullopt;
    }
  return band;
}

ExprRef ElementEvaluator::evaluateTable(DenseElementsAttr table,
                                        ArrayRef<AffineExpr> indices) {
  Type element = table.getElementType();
  if (table.getNumElements() == 0)
    return nullptr;
  if (element.isIntOrIndex() && !element.isInteger(1))
    return evaluateIntegers(cast<DenseIntElementsAttr>(table), indices);
  if (!element.isInteger(1) && !isa<FloatType>(element))
    return nullptr;
  // Rows and columns: the two dimensions of more than one element.
  SmallVector<unsigned> wide;
  for (auto [i, size] : llvm::enumerate(table.getType().getShape()))
    if (size > 1)
      wide.push_back(i);
  if (wide.size() != 2)
    return nullptr;
  // Two values, compared by their attributes' bits.
  SmallVector<bool> isSecond;
  Attribute first, second;
  isSecond.reserve(table.getNumElements());
  auto take = [&](auto value, auto &one, auto &other) {
    if (!one)
      one = value;
    bool differs = !(*one == value);
    if (differs && !other)
      other = value;
    if (differs && !(*other == value))
      return false;
    isSecond.push_back(differs);
    return true;
  };
  if (element.isInteger(1)) {
    std::optional<bool> one, other;
    for (bool value : table.getValues<bool>())
      if (!take(value, one, other))
        return nullptr;
    first = BoolAttr::get(space.getContext(), *one);
    if (other)
      second = BoolAttr::get(space.getContext(), *other);
  } else {
    // By their bytes: such tables are large.
    std::optional<StringRef> one, other;
    size_t bytes = element.getIntOrFloatBitWidth() / 8;
    StringRef data(table.getRawData().data(), table.getRawData().size());
    if (bytes == 0 || data.size() != bytes * table.getNumElements())
      return nullptr;
    for (; !data.empty(); data = data.drop_front(bytes))
      if (!take(data.take_front(bytes), one, other))
        return nullptr;
    auto values = table.getValues<Attribute>();
    first = *values.begin();
    const bool *differs = llvm::find(isSecond, true);
    if (differs != isSecond.end())
      second = values[static_cast<uint64_t>(differs - isSecond.begin())];
  }
  if (!second)
    return nullptr;
  int64_t rows = table.getType().getDimSize(wide[0]),
          columns = table.getType().getDimSize(wide[1]);
  std::optional<Band> band = findBand(isSecond, rows, columns);
  if (!band) {
    for (bool &which : isSecond)
      which = !which;
    std::swap(first, second);
    band = findBand(isSecond, rows, columns);
  }
  ExprRef one = evaluateConstant(first), other = evaluateConstant(second);
  if (!band || !one || !other)
    return nullptr;
  Type i1 = IntegerType::get(space.getContext(), 1);
  ExprRef distance = getInteger(indices[wide[1]] - indices[wide[0]]);
  ExprRef inside = getBool(true);
  auto bound = [&](arith::CmpIPredicate predicate, int64_t value) {
    ExprRef term = getCompareInt(
        predicate, distance, getInteger(space.constant(value)), i1, nullptr);
    inside = getBinary(ExprKind::And, inside, term, i1);
  };
  if (band->high < columns - 1)
    bound(arith::CmpIPredicate::sle, band->high);
  if (band->low > 1 - rows)
    bound(arith::CmpIPredicate::sge, band->low);
  return getSelect(inside, other, one, element);
}

ExprRef ElementEvaluator::getCompareInt(arith::CmpIPredicate predicate,
                                        ExprRef lhs, ExprRef rhs, Type type,
                                        Operation *op) {
  using arith::CmpIPredicate;
  auto compare = [&](CmpIPredicate how, ExprRef l, ExprRef r) {
    return getBinary(ExprKind::CompareInt, l, r, type, op,
                     static_cast<uint64_t>(how));
  };
  // Unsigned comparisons of positions are signed ones.
  auto isPosition = [&](ExprRef expr) {
    return expr->is(ExprKind::Integer) &&
           space.isWithin(expr->affine, space.constant(int64_t(1) << 62));
  };
  if (isPosition(lhs) && isPosition(rhs)) {
    switch (predicate) {
    case CmpIPredicate::ult:
      predicate = CmpIPredicate::slt;
      break;
    case CmpIPredicate::ule:
      predicate = CmpIPredicate::sle;
      break;
    case CmpIPredicate::ugt:
      predicate = CmpIPredicate::sgt;
      break;
    case CmpIPredicate::uge:
      predicate = CmpIPredicate::sge;
      break;
    default:
      break;
    }
  }
  // |x| <= c is x <= c and -x <= c.
  auto isDistance = [](ExprRef expr) {
    return expr->is(ExprKind::Other) && isa<math::AbsIOp>(expr->op) &&
           expr->operands[0]->is(ExprKind::Integer);
  };
  if (isDistance(rhs)) {
    std::swap(lhs, rhs);
    switch (predicate) {
    case CmpIPredicate::slt:
      predicate = CmpIPredicate::sgt;
      break;
    case CmpIPredicate::sle:
      predicate = CmpIPredicate::sge;
      break;
    case CmpIPredicate::sgt:
      predicate = CmpIPredicate::slt;
      break;
    case CmpIPredicate::sge:
      predicate = CmpIPredicate::sle;
      break;
    default:
      break;
    }
  }
  bool isUpper =
      predicate == CmpIPredicate::slt || predicate == CmpIPredicate::sle;
  bool isLower =
      predicate == CmpIPredicate::sgt || predicate == CmpIPredicate::sge;
  if (isDistance(lhs) && (isUpper || isLower)) {
    ExprRef x = lhs->operands[0];
    ExprRef negated = getInteger(space.constant(0) - x->affine);
    return getBinary(isUpper ? ExprKind::And : ExprKind::Or,
                     compare(predicate, x, rhs),
                     compare(predicate, negated, rhs), type, op);
  }
  return compare(predicate, lhs, rhs);
}
