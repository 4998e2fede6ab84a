//===- Types.h - MSL's spelling of types and literals -----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TARGET_MSL_TYPES_H
#define FUSION_LIB_TARGET_MSL_TYPES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include <string>

namespace mlir::fusion::msl {

/// Spells types. `index` is `int` in kernels that carry `fusion.index32`, and
/// `long` elsewhere. Signless integers are signed: operations that read them as
/// unsigned convert.
class TypePrinter {
public:
  explicit TypePrinter(bool index32) : index32(index32) {}

  /// The name of a scalar or of a vector of 2, 3 or 4; empty where Metal has no
  /// such type.
  std::string name(Type type) const;
  /// The unsigned type of the same width as an integer type or vector of them.
  std::string unsignedName(Type type) const;
  /// Why name() is empty, and what to do about it.
  std::string whyUnsupported(Type type) const;
  /// Bits of a scalar; index has 32 or 64.
  unsigned bitWidth(Type type) const;
  /// Bytes of a scalar in memory.
  unsigned byteSize(Type type) const { return (bitWidth(type) + 7) / 8; }

  /// The literal of an integer of `type`.
  std::string literal(const llvm::APInt &value, Type type) const;
  /// The literal of a float of `type`.
  std::string literal(const llvm::APFloat &value, Type type) const;

private:
  bool index32;
};

} // namespace mlir::fusion::msl

#endif // FUSION_LIB_TARGET_MSL_TYPES_H
