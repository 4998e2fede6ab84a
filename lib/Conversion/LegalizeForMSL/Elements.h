//===- Elements.h - A vector as a list of scalars, lazily -------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to FusionConversionLegalizeForMSL. A vector that is split is a list
// of pieces; operations that move elements around see it as a list of elements,
// each a position in some value, and pack such a list into pieces again. A
// piece that is made of a whole value in order is that value.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CONVERSION_LEGALIZEFORMSL_ELEMENTS_H
#define FUSION_LIB_CONVERSION_LEGALIZEFORMSL_ELEMENTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::fusion {

/// An element of a vector, or a scalar.
struct VectorElement {
  Value source;
  /// The position in `source`; -1 where `source` is a scalar.
  int64_t position = -1;
};

/// The types that `type` is split into, row-major: vectors of 4, then what is
/// left; scalars for i1.
SmallVector<Type> getVectorPieces(VectorType type);

/// The elements of `pieces`, in order.
SmallVector<VectorElement> getElements(ValueRange pieces);

/// The scalar that `element` stands for.
Value materialize(OpBuilder &builder, Location loc, VectorElement element);

/// The pieces of a value of `type` that holds `elements`.
SmallVector<Value> packElements(OpBuilder &builder, Location loc,
                                ArrayRef<VectorElement> elements,
                                VectorType type);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_LEGALIZEFORMSL_ELEMENTS_H
