//===- Compare.cpp - Whether a result is near enough ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/Compare.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace mlir::fusion;

namespace {

using Complex = std::complex<double>;

bool isNaN(Complex v) { return std::isnan(v.real()) || std::isnan(v.imag()); }
bool isFinite(Complex v) {
  return std::isfinite(v.real()) && std::isfinite(v.imag());
}
bool isInf(Complex v) { return !isNaN(v) && !isFinite(v); }

/// How many places a mismatch shows.
constexpr int kShown = 8;

/// Maximum and root of the mean square of what it is given.
struct Statistics {
  void add(double value) {
    max = std::max(max, value);
    squares += value * value;
    ++count;
  }
  double rms() const { return count ? std::sqrt(squares / count) : 0; }

  double max = 0, squares = 0;
  int64_t count = 0;
};

class Comparer {
public:
  Comparer(const Tensor &found, const Tensor &expected, const Tensor *reference)
      : found(found), expected(expected), reference(reference) {}

  Comparison run() {
    Comparison result;
    if (found.getType() != expected.getType() ||
        found.getShape() != expected.getShape())
      return fail("found " + found.describe() + ", expected " +
                  expected.describe());
    if (reference && reference->getShape() != expected.getShape())
      return fail("the reference is " + reference->describe() +
                  ", the expected result " + expected.describe());
    if (!reference || found.getType().isInteger())
      return compareExactly();
    return compareByBound();
  }

private:
  static Comparison fail(std::string summary) {
    Comparison result;
    result.agrees = false;
    result.summary = std::move(summary);
    return result;
  }

  /// Fails with `summary` and the first places where `differs`.
  Comparison fail(std::string summary,
                  llvm::function_ref<bool(int64_t)> differs) {
    Comparison result = fail(std::move(summary));
    llvm::raw_string_ostream os(result.details);
    int shown = 0;
    for (int64_t i = 0, e = found.getNumElements(); i < e; ++i) {
      if (!differs(i))
        continue;
      if (shown++ == kShown) {
        os << "  ...\n";
        break;
      }
      os << "  " << found.printPosition(i) << ": found "
         << found.printElement(i) << ", expected " << expected.printElement(i);
      if (reference)
        os << ", in f64 " << reference->printElement(i);
      os << '\n';
    }
    return result;
  }

  Comparison compareExactly() {
    auto differs = [&](int64_t i) {
      if (found.getType().isInteger())
        return found.getInteger(i) != expected.getInteger(i);
      Complex x = found.getComplex(i), o = expected.getComplex(i);
      return x != o && !(isNaN(x) && isNaN(o));
    };
    int64_t different = 0;
    for (int64_t i = 0, e = found.getNumElements(); i < e; ++i)
      different += differs(i);
    if (different)
      return fail(std::to_string(different) + " of " +
                      std::to_string(found.getNumElements()) +
                      " elements differ",
                  differs);
    Comparison result;
    result.summary = "equal";
    return result;
  }

  Comparison compareByBound() {
    auto isOutOfPlace = [&](int64_t i) {
      Complex x = found.getComplex(i), r = reference->getComplex(i);
      if (isFinite(r) && !isFinite(expected.getComplex(i)))
        return false;
      if (isNaN(x) != isNaN(r))
        return true;
      return !isNaN(x) && (isInf(x) || isInf(r)) && x != r;
    };
    int64_t outOfPlace = 0;
    Statistics error, reported, magnitude;
    for (int64_t i = 0, e = found.getNumElements(); i < e; ++i) {
      if (isOutOfPlace(i)) {
        ++outOfPlace;
        continue;
      }
      Complex x = found.getComplex(i), o = expected.getComplex(i),
              r = reference->getComplex(i);
      if (!isFinite(x) || !isFinite(o) || !isFinite(r))
        continue;
      error.add(std::abs(x - r));
      reported.add(std::abs(o - r));
      magnitude.add(std::abs(r));
    }
    if (outOfPlace)
      return fail(std::to_string(outOfPlace) +
                      " NaN or infinities out of place",
                  isOutOfPlace);

    Comparison result;
    double eps = found.getType().getEpsilon();
    if (eps < 1e-4) {
      result.maxBound = 3 * reported.max + 4 * eps * magnitude.max;
      result.rmsBound = 3 * reported.rms() + 2 * eps * magnitude.rms();
    } else {
      result.maxBound = 1.5 * reported.max + eps * magnitude.max;
      result.rmsBound = 1.25 * reported.rms() + eps / 4 * magnitude.rms();
    }
    result.maxError = error.max;
    result.rmsError = error.rms();
    llvm::raw_string_ostream os(result.summary);
    os << "max error " << llvm::format("%.3g", result.maxError) << " (bound "
       << llvm::format("%.3g", result.maxBound) << "), rms "
       << llvm::format("%.3g", result.rmsError) << " (bound "
       << llvm::format("%.3g", result.rmsBound) << ")";
    if (result.maxError <= result.maxBound &&
        result.rmsError <= result.rmsBound)
      return result;

    // A root mean square may be too large without any single place being so.
    bool isMax = result.maxError > result.maxBound;
    double limit = isMax ? result.maxBound : result.rmsBound;
    result.details =
        fail("", [&](int64_t i) {
          double e = std::abs(found.getComplex(i) - reference->getComplex(i));
          return e > limit;
        }).details;
    result.agrees = false;
    return result;
  }

  const Tensor &found, &expected;
  const Tensor *reference;
};

} // namespace

Comparison mlir::fusion::compareResults(const Tensor &found,
                                        const Tensor &expected,
                                        const Tensor *reference) {
  return Comparer(found, expected, reference).run();
}
