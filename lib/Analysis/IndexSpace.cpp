//===- IndexSpace.cpp - Affine indices with ranges ------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/IndexSpace.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Order of expressions that does not depend on their addresses: by structure.
int compare(AffineExpr lhs, AffineExpr rhs) {
  if (lhs == rhs)
    return 0;
  if (!lhs || !rhs)
    return lhs ? 1 : -1;
  if (lhs.getKind() != rhs.getKind())
    return lhs.getKind() < rhs.getKind() ? -1 : 1;
  auto three = [](int64_t a, int64_t b) { return a < b ? -1 : a > b ? 1 : 0; };
  switch (lhs.getKind()) {
  case AffineExprKind::Constant:
    return three(cast<AffineConstantExpr>(lhs).getValue(),
                 cast<AffineConstantExpr>(rhs).getValue());
  case AffineExprKind::DimId:
    return three(cast<AffineDimExpr>(lhs).getPosition(),
                 cast<AffineDimExpr>(rhs).getPosition());
  case AffineExprKind::SymbolId:
    return three(cast<AffineSymbolExpr>(lhs).getPosition(),
                 cast<AffineSymbolExpr>(rhs).getPosition());
  default: {
    auto l = cast<AffineBinaryOpExpr>(lhs), r = cast<AffineBinaryOpExpr>(rhs);
    if (int c = compare(l.getLHS(), r.getLHS()))
      return c;
    return compare(l.getRHS(), r.getRHS());
  }
  }
}

/// A product of symbols and at most one atom (a dimension, a floordiv, a mod).
struct Monomial {
  SmallVector<unsigned, 2> symbols; // sorted
  AffineExpr atom;                  // null for none

  bool operator<(const Monomial &other) const {
    if (int c = compare(atom, other.atom))
      return c < 0;
    return symbols < other.symbols;
  }
  bool isConstant() const { return !atom && symbols.empty(); }
};

/// A sum of monomials with integer coefficients.
using Sum = std::map<Monomial, int64_t>;

void add(Sum &sum, const Monomial &monomial, int64_t coefficient) {
  auto [it, inserted] = sum.try_emplace(monomial, 0);
  it->second += coefficient;
  if (it->second == 0)
    sum.erase(it);
}

void addScaled(Sum &sum, const Sum &other, int64_t factor) {
  for (auto &[monomial, coefficient] : other)
    add(sum, monomial, coefficient * factor);
}

/// Removes `symbols` from `from`; false if it does not hold them all.
bool removeSymbols(SmallVector<unsigned, 2> &from, ArrayRef<unsigned> symbols) {
  for (unsigned symbol : symbols) {
    auto *it = llvm::find(from, symbol);
    if (it == from.end())
      return false;
    from.erase(it);
  }
  return true;
}

class Simplifier {
public:
  Simplifier(MLIRContext *context, ArrayRef<AffineExpr> bounds)
      : context(context), bounds(bounds) {}

  /// The canonical sum of `expr`; nullopt for a product of two atoms, which is
  /// left alone.
  Sum expand(AffineExpr expr);
  AffineExpr build(const Sum &sum);
  bool isNonNegative(const Sum &sum);
  bool isBelow(const Sum &sum, const Sum &bound);
  int64_t powerOfTwo(const Sum &sum, int64_t limit);

private:
  AffineExpr constant(int64_t value) {
    return getAffineConstantExpr(value, context);
  }
  Sum atom(AffineExpr expr) { return Sum{{Monomial{{}, expr}, 1}}; }
  /// numerator floordiv (or mod) divisor.
  Sum divide(const Sum &numerator, const Sum &divisor, bool wantMod);
  void recombine(Sum &sum);
  /// An upper bound (inclusive) of an atom as a polynomial of symbols.
  std::optional<Sum> upperBound(AffineExpr atom);
  std::optional<Sum> upperBound(const Sum &sum);
  bool atomIsNonNegative(AffineExpr atom);

  MLIRContext *context;
  ArrayRef<AffineExpr> bounds;
};

AffineExpr Simplifier::build(const Sum &sum) {
  AffineExpr result;
  for (auto &[monomial, coefficient] : sum) {
    AffineExpr term = monomial.atom;
    for (unsigned symbol : monomial.symbols) {
      AffineExpr s = getAffineSymbolExpr(symbol, context);
      term = term ? term * s : s;
    }
    term = term ? term * coefficient : constant(coefficient);
    result = result ? result + term : term;
  }
  return result ? result : constant(0);
}

bool Simplifier::atomIsNonNegative(AffineExpr atom) {
  if (auto dim = dyn_cast<AffineDimExpr>(atom))
    return static_cast<bool>(bounds[dim.getPosition()]);
  if (atom.getKind() == AffineExprKind::Mod)
    return true;
  if (atom.getKind() == AffineExprKind::FloorDiv)
    return isNonNegative(expand(cast<AffineBinaryOpExpr>(atom).getLHS()));
  return false;
}

bool Simplifier::isNonNegative(const Sum &sum) {
  return llvm::all_of(sum, [&](auto &term) {
    return term.second >= 0 &&
           (!term.first.atom || atomIsNonNegative(term.first.atom));
  });
}

std::optional<Sum> Simplifier::upperBound(AffineExpr atom) {
  auto minusOne = [&](AffineExpr bound) {
    Sum sum = expand(bound);
    add(sum, Monomial{}, -1);
    return sum;
  };
  if (auto dim = dyn_cast<AffineDimExpr>(atom)) {
    AffineExpr bound = bounds[dim.getPosition()];
    if (!bound)
      return std::nullopt;
    return minusOne(bound);
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(atom);
  if (!binary)
    return std::nullopt;
  if (atom.getKind() == AffineExprKind::Mod)
    return minusOne(binary.getRHS());
  if (atom.getKind() == AffineExprKind::FloorDiv) {
    std::optional<Sum> numerator = upperBound(expand(binary.getLHS()));
    if (!numerator)
      return std::nullopt;
    Sum divisor = expand(binary.getRHS());
    // (a * divisor - 1) floordiv divisor is at most a - 1; constants divide.
    if (divisor.size() == 1) {
      auto [monomial, value] = *divisor.begin();
      add(*numerator, Monomial{}, 1);
      Sum quotient;
      for (auto &[m, c] : *numerator) {
        Monomial q = m;
        if (!removeSymbols(q.symbols, monomial.symbols) || c % value != 0) {
          if (monomial.symbols.empty() && m.isConstant() &&
              numerator->size() == 1) {
            add(quotient, Monomial{}, llvm::divideCeilSigned(c, value));
            continue;
          }
          return std::nullopt;
        }
        add(quotient, q, c / value);
      }
      add(quotient, Monomial{}, -1);
      return quotient;
    }
  }
  return std::nullopt;
}

std::optional<Sum> Simplifier::upperBound(const Sum &sum) {
  Sum result;
  for (auto &[monomial, coefficient] : sum) {
    if (!monomial.atom) {
      add(result, monomial, coefficient);
      continue;
    }
    if (coefficient < 0) {
      if (!atomIsNonNegative(monomial.atom))
        return std::nullopt;
      continue; // at most zero
    }
    std::optional<Sum> bound = upperBound(monomial.atom);
    if (!bound)
      return std::nullopt;
    for (auto &[m, c] : *bound) {
      Monomial product = m;
      llvm::append_range(product.symbols, monomial.symbols);
      llvm::sort(product.symbols);
      add(result, product, c * coefficient);
    }
  }
  return result;
}

bool Simplifier::isBelow(const Sum &sum, const Sum &bound) {
  std::optional<Sum> upper = upperBound(sum);
  if (!upper)
    return false;
  // bound - upper must be a polynomial of sizes with a positive constant and no
  // negative term. (Where a size is zero no element exists.)
  Sum difference = bound;
  addScaled(difference, *upper, -1);
  bool positive = false;
  for (auto &[monomial, coefficient] : difference) {
    if (monomial.atom || coefficient < 0)
      return false;
    positive |= monomial.isConstant();
  }
  return positive;
}

int64_t Simplifier::powerOfTwo(const Sum &sum, int64_t limit) {
  int64_t result = limit;
  for (auto &[monomial, coefficient] : sum) {
    int64_t divisor = int64_t(1)
                      << llvm::countr_zero(static_cast<uint64_t>(coefficient));
    result = std::min(result, std::max<int64_t>(divisor, 1));
  }
  return result;
}

Sum Simplifier::divide(const Sum &numerator, const Sum &divisor, bool wantMod) {
  auto opaque = [&] {
    AffineExpr lhs = build(numerator), rhs = build(divisor);
    return atom(getAffineBinaryOpExpr(
        wantMod ? AffineExprKind::Mod : AffineExprKind::FloorDiv, lhs, rhs));
  };
  if (numerator.empty())
    return {};
  if (divisor.size() != 1 || divisor.begin()->first.atom ||
      divisor.begin()->second <= 0)
    return opaque();
  const auto &[divisorMonomial, divisorValue] = *divisor.begin();
  if (divisorMonomial.isConstant() && divisorValue == 1)
    return wantMod ? Sum{} : numerator;
  // Split into a multiple of the divisor and a rest.
  Sum quotient, rest;
  for (auto &[monomial, coefficient] : numerator) {
    Monomial q = monomial;
    bool divisible = removeSymbols(q.symbols, divisorMonomial.symbols);
    int64_t whole = divisible ? coefficient / divisorValue : 0;
    // Constants divide with a remainder that stays in the rest.
    if (divisible && coefficient % divisorValue != 0)
      whole = monomial.isConstant()
                  ? llvm::divideFloorSigned(coefficient, divisorValue)
                  : 0;
    if (whole)
      add(quotient, q, whole);
    int64_t left = coefficient - whole * divisorValue;
    if (left)
      add(rest, monomial, left);
  }
  if (isNonNegative(rest) && isBelow(rest, divisor))
    return wantMod ? rest : quotient;
  // x floordiv (g c) where x = g y + r with 0 <= r < g: y floordiv c.
  // x mod (g c) = g (y mod c) + r.
  if (divisorMonomial.isConstant()) {
    int64_t best = 0;
    for (auto &[monomial, coefficient] : rest) {
      int64_t g = std::gcd(std::abs(coefficient), divisorValue);
      if (g <= 1 || g <= best || g == divisorValue)
        continue;
      Sum high, low;
      for (auto &[m, c] : rest) {
        int64_t whole = llvm::divideFloorSigned(c, g);
        if (c % g == 0)
          add(high, m, whole);
        else if (m.isConstant()) {
          if (whole)
            add(high, m, whole);
          add(low, m, c - whole * g);
        } else
          add(low, m, c);
      }
      Sum gSum{{Monomial{}, g}};
      if (isNonNegative(low) && isBelow(low, gSum) && isNonNegative(high))
        best = g;
    }
    if (best > 1) {
      Sum high, low;
      for (auto &[m, c] : rest) {
        int64_t whole = llvm::divideFloorSigned(c, best);
        if (c % best == 0)
          add(high, m, whole);
        else if (m.isConstant()) {
          if (whole)
            add(high, m, whole);
          add(low, m, c - whole * best);
        } else
          add(low, m, c);
      }
      Sum smaller{{Monomial{}, divisorValue / best}};
      Sum inner = divide(high, smaller, wantMod);
      Sum result;
      if (wantMod) {
        addScaled(result, inner, best);
        addScaled(result, low, 1);
      } else {
        addScaled(result, quotient, 1);
        addScaled(result, inner, 1);
      }
      return result;
    }
    // (x floordiv a) floordiv b = x floordiv (a b).
    if (rest.size() == 1 && rest.begin()->second == 1 &&
        rest.begin()->first.symbols.empty() && rest.begin()->first.atom &&
        !wantMod) {
      auto inner = dyn_cast<AffineBinaryOpExpr>(rest.begin()->first.atom);
      if (inner && inner.getKind() == AffineExprKind::FloorDiv)
        if (auto value = dyn_cast<AffineConstantExpr>(inner.getRHS())) {
          Sum product{{Monomial{}, value.getValue() * divisorValue}};
          Sum result = divide(expand(inner.getLHS()), product, false);
          addScaled(result, quotient, 1);
          return result;
        }
    }
  }
  AffineExpr lhs = build(rest), rhs = build(divisor);
  if (wantMod)
    return atom(getAffineBinaryOpExpr(AffineExprKind::Mod, lhs, rhs));
  Sum result = atom(getAffineBinaryOpExpr(AffineExprKind::FloorDiv, lhs, rhs));
  addScaled(result, quotient, 1);
  return result;
}

void Simplifier::recombine(Sum &sum) {
  // k (y mod b) + k b (y floordiv b) = k y.
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto &[monomial, coefficient] : sum) {
      if (!monomial.atom || monomial.atom.getKind() != AffineExprKind::Mod)
        continue;
      auto mod = cast<AffineBinaryOpExpr>(monomial.atom);
      Sum y = expand(mod.getLHS()), b = expand(mod.getRHS());
      if (b.size() != 1)
        continue;
      Sum q = divide(y, b, /*wantMod=*/false);
      // The quotient, times k b, must be part of the sum, term by term.
      int64_t k = coefficient;
      Monomial kMonomial{monomial.symbols, nullptr};
      Sum needed;
      for (auto &[m, c] : q) {
        Monomial product = m;
        llvm::append_range(product.symbols, kMonomial.symbols);
        llvm::append_range(product.symbols, b.begin()->first.symbols);
        llvm::sort(product.symbols);
        add(needed, product, c * k * b.begin()->second);
      }
      if (needed.empty())
        continue;
      bool present = llvm::all_of(needed, [&](auto &term) {
        auto it = sum.find(term.first);
        return it != sum.end() && it->second == term.second;
      });
      if (!present)
        continue;
      Monomial self = monomial;
      Sum scaled;
      for (auto &[m, c] : y) {
        Monomial product = m;
        llvm::append_range(product.symbols, kMonomial.symbols);
        llvm::sort(product.symbols);
        add(scaled, product, c * k);
      }
      addScaled(sum, needed, -1);
      add(sum, self, -k);
      addScaled(sum, scaled, 1);
      changed = true;
      break;
    }
  }
}

Sum Simplifier::expand(AffineExpr expr) {
  switch (expr.getKind()) {
  case AffineExprKind::Constant: {
    int64_t value = cast<AffineConstantExpr>(expr).getValue();
    return value ? Sum{{Monomial{}, value}} : Sum{};
  }
  case AffineExprKind::DimId: {
    unsigned position = cast<AffineDimExpr>(expr).getPosition();
    // A dimension of one value is zero.
    if (position < bounds.size() && bounds[position])
      if (auto bound = dyn_cast<AffineConstantExpr>(bounds[position]))
        if (bound.getValue() == 1)
          return {};
    return atom(expr);
  }
  case AffineExprKind::SymbolId:
    return Sum{
        {Monomial{{cast<AffineSymbolExpr>(expr).getPosition()}, nullptr}, 1}};
  default:
    break;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Sum lhs = expand(binary.getLHS()), rhs = expand(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add: {
    Sum result = lhs;
    addScaled(result, rhs, 1);
    recombine(result);
    return result;
  }
  case AffineExprKind::Mul: {
    Sum result;
    for (auto &[lm, lc] : lhs)
      for (auto &[rm, rc] : rhs) {
        if (lm.atom && rm.atom)
          return atom(build(lhs) * build(rhs));
        Monomial product{lm.symbols, lm.atom ? lm.atom : rm.atom};
        llvm::append_range(product.symbols, rm.symbols);
        llvm::sort(product.symbols);
        add(result, product, lc * rc);
      }
    recombine(result);
    return result;
  }
  case AffineExprKind::FloorDiv:
    return divide(lhs, rhs, /*wantMod=*/false);
  case AffineExprKind::Mod:
    return divide(lhs, rhs, /*wantMod=*/true);
  case AffineExprKind::CeilDiv: {
    Sum numerator = lhs;
    addScaled(numerator, rhs, 1);
    add(numerator, Monomial{}, -1);
    return divide(numerator, rhs, /*wantMod=*/false);
  }
  default:
    return atom(expr);
  }
}

} // namespace

AffineExpr IndexSpace::addDim(AffineExpr bound) {
  bounds.push_back(bound);
  return getAffineDimExpr(bounds.size() - 1, context);
}

AffineExpr IndexSpace::addOpaqueDim() {
  bounds.push_back(nullptr);
  return getAffineDimExpr(bounds.size() - 1, context);
}

AffineExpr IndexSpace::narrow(AffineExpr expr, AffineExpr bound) {
  AffineExpr dim = addDim(bound);
  if (auto added = dyn_cast<AffineDimExpr>(dim))
    narrowed[added.getPosition()] = expr;
  return dim;
}

AffineExpr IndexSpace::widen(AffineExpr expr) {
  if (narrowed.empty())
    return expr;
  // A narrowed dimension may stand for others: the latest first.
  SmallVector<AffineExpr> dims;
  for (unsigned dim = 0; dim < bounds.size(); ++dim)
    dims.push_back(getAffineDimExpr(dim, context));
  for (unsigned dim = bounds.size(); dim-- > 0;)
    if (AffineExpr original = narrowed.lookup(dim)) {
      AffineExpr replaced = expr.replace(dims[dim], original);
      expr = replaced;
    }
  return simplify(expr);
}

AffineExpr IndexSpace::simplify(AffineExpr expr) {
  if (isa<AffineConstantExpr, AffineSymbolExpr>(expr))
    return expr;
  if (AffineExpr known = cache.lookup(expr))
    return known;
  Simplifier simplifier(context, bounds);
  AffineExpr result = simplifier.build(simplifier.expand(expr));
  cache[expr] = result;
  return result;
}

bool IndexSpace::isWithin(AffineExpr expr, AffineExpr bound) {
  Simplifier simplifier(context, bounds);
  Sum sum = simplifier.expand(expr);
  return simplifier.isNonNegative(sum) &&
         simplifier.isBelow(sum, simplifier.expand(bound));
}

int64_t IndexSpace::getPowerOfTwoDivisor(AffineExpr expr, int64_t limit) {
  Simplifier simplifier(context, bounds);
  return simplifier.powerOfTwo(simplifier.expand(expr), limit);
}

SmallVector<AffineExpr> IndexSpace::delinearize(AffineExpr linear,
                                                ArrayRef<AffineExpr> shape) {
  SmallVector<AffineExpr> indices(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    if (i == 0) {
      indices[0] = simplify(linear);
      break;
    }
    indices[i] = simplify(linear % shape[i]);
    linear = simplify(linear.floorDiv(shape[i]));
  }
  return indices;
}

AffineExpr IndexSpace::linearize(ArrayRef<AffineExpr> indices,
                                 ArrayRef<AffineExpr> shape) {
  AffineExpr linear = constant(0);
  for (auto [index, size] : llvm::zip_equal(indices, shape))
    linear = linear * size + index;
  return simplify(linear);
}
