//===- FusibleOpInterface.h - How an operation fuses ------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_INTERFACES_FUSIBLEOPINTERFACE_H
#define FUSION_INTERFACES_FUSIBLEOPINTERFACE_H

#include "fusion/Analysis/IndexSpace.h"
#include "fusion/Analysis/ShapeAnalysis.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::fusion {

class ElementEmitter;

/// One affine expression per dimension of a tensor.
using IndexVector = SmallVector<AffineExpr, 4>;

/// The part that an operation plays in a group.
enum class FusionRole {
  /// Renames elements only (reshapes, slices, casts of type): costs nothing and
  /// is copied into every group that uses it.
  View,
  /// Makes elements from nothing or from scalars (fill, empty, constants):
  /// copied like a view.
  Source,
  /// Each element from a bounded number of elements of the operands.
  Elementwise,
  /// Each element from a whole row of elements.
  Reduction,
  /// A sum of products over matching dimensions of two operands.
  Contraction,
  Attention,
  /// Writes a part of a tensor that it otherwise passes on.
  Update,
  /// Anything else: starts a group of its own.
  Barrier,
};

/// Attaches the interface to the operations of the linalg and tensor dialects
/// and to fusion.attention.
void registerFusibleOpExternalModels(DialectRegistry &registry);

} // namespace mlir::fusion

#include "fusion/Interfaces/FusibleOpInterface.h.inc"

#endif // FUSION_INTERFACES_FUSIBLEOPINTERFACE_H
