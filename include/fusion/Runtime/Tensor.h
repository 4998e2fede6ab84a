//===- Tensor.h - Arrays in host memory -------------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contiguous row-major array of any element type that a graph's arguments and
// results can have, with conversions to and from double.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_RUNTIME_TENSOR_H
#define FUSION_RUNTIME_TENSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::fusion {

/// The type of a tensor's elements. An i1 takes one byte, an index eight.
class ElementType {
public:
  enum Kind : uint8_t {
    F8E4M3FN,
    F8E5M2,
    F16,
    BF16,
    F32,
    F64,
    I1,
    I8,
    I16,
    I32,
    I64,
    UI8,
    UI16,
    UI32,
    UI64,
    Index,
    ComplexF32,
    ComplexF64,
  };

  ElementType(Kind kind) : kind(kind) {}

  /// Returns the type that MLIR spells `name` ("bf16", "i1", "complex<f32>"),
  /// or nothing if it is none of the above. si32 and its like are i32.
  static std::optional<ElementType> parse(llvm::StringRef name);

  Kind getKind() const { return kind; }
  /// Returns MLIR's spelling.
  llvm::StringRef getName() const;
  /// Returns the size of an element in memory.
  size_t getBytes() const;
  bool isFloat() const { return kind <= F64; }
  bool isComplex() const { return kind >= ComplexF32; }
  bool isInteger() const { return !isFloat() && !isComplex(); }
  /// Returns the distance from 1 to the next number, for floats (of a complex
  /// type: of its parts). bfloat16 counts eight bits, as the comparison bound
  /// does.
  double getEpsilon() const;

  bool operator==(ElementType other) const { return kind == other.kind; }
  bool operator!=(ElementType other) const { return kind != other.kind; }

private:
  Kind kind;
};

/// Returns the number of elements of `shape`, or nothing if a size is negative
/// or `elementBytes` times the number does not fit in 63 bits.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape,
                                     size_t elementBytes = 1);

/// Returns `shape` and `type` as in MLIR: "3x4xf32", "f32" for rank 0.
std::string printShape(llvm::ArrayRef<int64_t> shape, ElementType type);

/// An array.
class Tensor {
public:
  /// Makes an array of zeros. `shape` must be countable.
  Tensor(ElementType type, llvm::ArrayRef<int64_t> shape);

  ElementType getType() const { return type; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getNumElements() const { return bytes.size() / type.getBytes(); }

  char *data() { return bytes.data(); }
  const char *data() const { return bytes.data(); }
  size_t getNumBytes() const { return bytes.size(); }

  /// Reinterprets the elements as `other`, a type of the same size.
  void setType(ElementType other);

  /// Returns element `i` (in row-major order) as a number; an integer is
  /// converted, of a complex number only the real part is returned.
  double getDouble(int64_t i) const;
  /// Returns element `i` of a float or complex tensor.
  std::complex<double> getComplex(int64_t i) const;
  /// Returns element `i` of an integer tensor, extended by its sign unless it
  /// is unsigned or an i1.
  int64_t getInteger(int64_t i) const;

  /// Stores `value` rounded to nearest even (or to the integer towards zero).
  void setDouble(int64_t i, double value);
  void setComplex(int64_t i, std::complex<double> value);
  /// Stores the low bits of `value`, of a float tensor its rounded value.
  void setInteger(int64_t i, int64_t value);

  /// Returns "3x4xf32".
  std::string describe() const { return printShape(shape, type); }

  /// Returns element `i` as text, with as many digits as its type has.
  std::string printElement(int64_t i) const;

  /// Returns the position of element `i` as "[1, 0, 3]".
  std::string printPosition(int64_t i) const;

private:
  ElementType type;
  llvm::SmallVector<int64_t, 4> shape;
  std::vector<char> bytes;
};

/// How random arguments are drawn.
struct RandomOptions {
  uint64_t seed = 0;
  /// Inclusive range of integers of 16 bits or more: they are usually
  /// positions in something, so a small range is safe.
  int64_t low = 0, high = 7;
};

/// Fills `tensor` with values that do not forgive: floats are normal numbers
/// with some eight times as large, some tiny, and some zeros of both signs;
/// integers of eight bits take all their values, others those in the range.
/// `stream` makes tensors of one seed differ.
void fillRandom(Tensor &tensor, const RandomOptions &options, uint64_t stream);

} // namespace mlir::fusion

#endif // FUSION_RUNTIME_TENSOR_H
