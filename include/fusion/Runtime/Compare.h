//===- Compare.h - Whether a result is near enough --------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The comparison bound: our error against an evaluation in f64 may be a small
// multiple of the error that another implementation in the graph's own types
// has, plus a little for results where that one happens to be exact.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_RUNTIME_COMPARE_H
#define FUSION_RUNTIME_COMPARE_H

#include "fusion/Runtime/Tensor.h"

namespace mlir::fusion {

/// What a comparison found.
struct Comparison {
  bool agrees = true;
  /// Why not, or how near: one line.
  std::string summary;
  /// The first few places that differ, one a line, both sides.
  std::string details;
  /// Over all finite elements: the largest error and its bound, and the same
  /// for the root of the mean square. All zero without a reference.
  double maxError = 0, maxBound = 0, rmsError = 0, rmsBound = 0;
  /// Agrees only because the graph's roundings may go either way.
  bool isByRoundings = false;
};

/// Compares `found` with `expected`.
///
/// With e = |found - reference| and t = |expected - reference|, where
/// `reference` is the same result evaluated in f64: for types with an epsilon
/// of 1e-4 or more, max e <= 1.5 max t + eps max|reference| and rms e <= 1.25
/// rms t + eps/4 rms|reference|; for others, max e <= 3 max t + 4 eps
/// max|reference| and rms e <= 3 rms t + 2 eps rms|reference|. NaN and
/// infinities must be where the reference has them, except where `expected`
/// overflows and the reference does not. Integers, and results without a
/// reference, must be equal.
Comparison compareResults(const Tensor &found, const Tensor &expected,
                          const Tensor *reference);

} // namespace mlir::fusion

#endif // FUSION_RUNTIME_COMPARE_H
