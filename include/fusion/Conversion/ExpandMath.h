//===- ExpandMath.h - Math functions as plain arithmetic --------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands the functions of the math dialect, and arith.remf, into arithmetic
// that every target has: `arith` operations, `math.fma`, `absf`, `copysign`,
// `sqrt`, `floor`, `ceil`, `trunc`, `round` and `roundeven`. Results are within
// a few units in the last place of the exact value (docs/Numerics.md has the
// table, the unit test measures it), special values are those of C's math
// library, and f16 and bf16 functions are computed in f32 and rounded once.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_EXPANDMATH_H
#define FUSION_CONVERSION_EXPANDMATH_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::fusion {

/// What the target can do without help.
struct ExpandMathOptions {
  /// The target computes `math.exp2` of f32, denormal results included, within
  /// about two units in the last place: keep it, and build other functions on
  /// it.
  bool nativeExp2 = false;
  /// The target computes `math.rsqrt` of f32 within about two units in the last
  /// place: keep it.
  bool nativeRsqrt = false;
  /// The target computes the functions of C89's library, inverse hyperbolic
  /// ones and `atan2` of f32 well: keep all but cbrt, erf, erfc, expm1 and
  /// log1p, and build those on exp, exp2 and log.
  bool nativeFunctions = false;
};

/// Adds patterns that expand math operations on f32 and f64, scalars or
/// vectors, and that compute those on f16 and bf16 in f32.
void populateExpandMathPatterns(RewritePatternSet &patterns,
                                const ExpandMathOptions &options);

/// Expands the math operations nested in `root`. Operations that it does not
/// know are left alone.
LogicalResult expandMath(Operation *root, const ExpandMathOptions &options);

} // namespace mlir::fusion

#endif // FUSION_CONVERSION_EXPANDMATH_H
