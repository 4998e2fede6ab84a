//===- Tensor.cpp - Arrays in host memory ---------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/Tensor.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>

using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// ElementType
//===----------------------------------------------------------------------===//

std::optional<ElementType> ElementType::parse(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ElementType>>(name)
      .Case("f8E4M3FN", F8E4M3FN)
      .Case("f8E5M2", F8E5M2)
      .Case("f16", F16)
      .Case("bf16", BF16)
      .Case("f32", F32)
      .Case("f64", F64)
      .Case("i1", I1)
      .Cases({"i8", "si8"}, I8)
      .Cases({"i16", "si16"}, I16)
      .Cases({"i32", "si32"}, I32)
      .Cases({"i64", "si64"}, I64)
      .Case("ui8", UI8)
      .Case("ui16", UI16)
      .Case("ui32", UI32)
      .Case("ui64", UI64)
      .Case("index", Index)
      .Case("complex<f32>", ComplexF32)
      .Case("complex<f64>", ComplexF64)
      .Default(std::nullopt);
}

llvm::StringRef ElementType::getName() const {
  static constexpr llvm::StringLiteral kNames[] = {
      "f8E4M3FN", "f8E5M2", "f16",  "bf16",  "f32",          "f64",
      "i1",       "i8",     "i16",  "i32",   "i64",          "ui8",
      "ui16",     "ui32",   "ui64", "index", "complex<f32>", "complex<f64>"};
  return kNames[kind];
}

size_t ElementType::getBytes() const {
  static constexpr uint8_t kBytes[] = {1, 1, 2, 2, 4, 8, 1, 1, 2,
                                       4, 8, 1, 2, 4, 8, 8, 8, 16};
  return kBytes[kind];
}

double ElementType::getEpsilon() const {
  switch (kind) {
  case F8E4M3FN:
    return 0x1p-3;
  case F8E5M2:
    return 0x1p-2;
  case F16:
    return 0x1p-10;
  case BF16:
    return 0x1p-8;
  case F32:
  case ComplexF32:
    return 0x1p-23;
  case F64:
  case ComplexF64:
    return 0x1p-52;
  default:
    return 0;
  }
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

std::optional<int64_t>
mlir::fusion::countElements(llvm::ArrayRef<int64_t> shape,
                            size_t elementBytes) {
  // An empty array may have other sizes of any value.
  int64_t count = 1;
  bool isEmpty = llvm::is_contained(shape, 0);
  for (int64_t size : shape) {
    if (size < 0)
      return std::nullopt;
    if (!isEmpty && llvm::MulOverflow(count, size, count))
      return std::nullopt;
  }
  int64_t bytes;
  if (llvm::MulOverflow(count, int64_t(elementBytes), bytes))
    return std::nullopt;
  return isEmpty ? 0 : count;
}

std::string mlir::fusion::printShape(llvm::ArrayRef<int64_t> shape,
                                     ElementType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t size : shape)
    os << size << 'x';
  os << type.getName();
  return text;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

namespace {

template <typename T>
T load(const char *at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

template <typename T>
void store(char *at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

double halfToDouble(uint16_t bits) {
  int exponent = (bits >> 10) & 31, fraction = bits & 1023;
  double magnitude;
  if (exponent == 31)
    magnitude = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    magnitude = std::ldexp(double(fraction), -24);
  else
    magnitude = std::ldexp(double(fraction + 1024), exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

double brainToDouble(uint16_t bits) {
  return llvm::bit_cast<float>(uint32_t(bits) << 16);
}

const llvm::fltSemantics &getNarrowSemantics(ElementType type) {
  switch (type.getKind()) {
  case ElementType::F8E4M3FN:
    return llvm::APFloat::Float8E4M3FN();
  case ElementType::F8E5M2:
    return llvm::APFloat::Float8E5M2();
  case ElementType::BF16:
    return llvm::APFloat::BFloat();
  default:
    return llvm::APFloat::IEEEhalf();
  }
}

double byteToDouble(ElementType type, uint8_t bits) {
  llvm::APFloat value(getNarrowSemantics(type), llvm::APInt(8, bits));
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

/// Returns the bits of `value` rounded once to a type of eight or 16 bits.
uint16_t doubleToNarrow(ElementType type, double value) {
  llvm::APFloat narrow(value);
  bool losesInfo;
  narrow.convert(getNarrowSemantics(type), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return narrow.bitcastToAPInt().getZExtValue();
}

/// Converts towards zero, with values out of range at the end of the range.
int64_t doubleToInteger(double value) {
  if (std::isnan(value))
    return 0;
  if (value >= 0x1p63)
    return INT64_MAX;
  if (value < -0x1p63)
    return INT64_MIN;
  return int64_t(value);
}

} // namespace

Tensor::Tensor(ElementType type, llvm::ArrayRef<int64_t> shape)
    : type(type), shape(shape) {
  bytes.resize(countElements(shape, type.getBytes()).value_or(0) *
               type.getBytes());
}

void Tensor::setType(ElementType other) {
  if (other.getBytes() == type.getBytes())
    type = other;
}

double Tensor::getDouble(int64_t i) const {
  const char *at = bytes.data() + i * type.getBytes();
  switch (type.getKind()) {
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return byteToDouble(type, load<uint8_t>(at));
  case ElementType::F16:
    return halfToDouble(load<uint16_t>(at));
  case ElementType::BF16:
    return brainToDouble(load<uint16_t>(at));
  case ElementType::F32:
  case ElementType::ComplexF32:
    return load<float>(at);
  case ElementType::F64:
  case ElementType::ComplexF64:
    return load<double>(at);
  case ElementType::UI64:
    return double(load<uint64_t>(at));
  default:
    return double(getInteger(i));
  }
}

std::complex<double> Tensor::getComplex(int64_t i) const {
  const char *at = bytes.data() + i * type.getBytes();
  if (type == ElementType::ComplexF32)
    return {load<float>(at), load<float>(at + 4)};
  if (type == ElementType::ComplexF64)
    return {load<double>(at), load<double>(at + 8)};
  return getDouble(i);
}

int64_t Tensor::getInteger(int64_t i) const {
  const char *at = bytes.data() + i * type.getBytes();
  switch (type.getKind()) {
  case ElementType::I1:
    return load<uint8_t>(at) != 0;
  case ElementType::I8:
    return load<int8_t>(at);
  case ElementType::I16:
    return load<int16_t>(at);
  case ElementType::I32:
    return load<int32_t>(at);
  case ElementType::UI8:
    return load<uint8_t>(at);
  case ElementType::UI16:
    return load<uint16_t>(at);
  case ElementType::UI32:
    return load<uint32_t>(at);
  case ElementType::I64:
  case ElementType::UI64:
  case ElementType::Index:
    return load<int64_t>(at);
  default:
    return doubleToInteger(getDouble(i));
  }
}

void Tensor::setDouble(int64_t i, double value) {
  char *at = bytes.data() + i * type.getBytes();
  switch (type.getKind()) {
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return store<uint8_t>(at, doubleToNarrow(type, value));
  case ElementType::F16:
  case ElementType::BF16:
    return store<uint16_t>(at, doubleToNarrow(type, value));
  case ElementType::F32:
    return store<float>(at, value);
  case ElementType::F64:
    return store<double>(at, value);
  case ElementType::ComplexF32:
  case ElementType::ComplexF64:
    return setComplex(i, value);
  default:
    return setInteger(i, doubleToInteger(value));
  }
}

void Tensor::setComplex(int64_t i, std::complex<double> value) {
  char *at = bytes.data() + i * type.getBytes();
  if (type == ElementType::ComplexF32) {
    store<float>(at, value.real());
    store<float>(at + 4, value.imag());
  } else if (type == ElementType::ComplexF64) {
    store<double>(at, value.real());
    store<double>(at + 8, value.imag());
  } else {
    setDouble(i, value.real());
  }
}

void Tensor::setInteger(int64_t i, int64_t value) {
  char *at = bytes.data() + i * type.getBytes();
  if (!type.isInteger())
    return setDouble(i, double(value));
  if (type == ElementType::I1)
    return store<uint8_t>(at, value & 1);
  switch (type.getBytes()) {
  case 1:
    return store<uint8_t>(at, value);
  case 2:
    return store<uint16_t>(at, value);
  case 4:
    return store<uint32_t>(at, value);
  default:
    return store<uint64_t>(at, value);
  }
}

std::string Tensor::printElement(int64_t i) const {
  if (type == ElementType::UI64)
    return std::to_string(uint64_t(getInteger(i)));
  if (type.isInteger())
    return std::to_string(getInteger(i));
  std::complex<double> value = getComplex(i);
  // 9 and 17 digits tell any two floats and doubles apart.
  bool isDouble = type == ElementType::F64 || type == ElementType::ComplexF64;
  auto print = [&](double part) {
    char text[40];
    std::snprintf(text, sizeof(text), "%.*g", isDouble ? 17 : 9, part);
    return std::string(text);
  };
  if (!type.isComplex())
    return print(value.real());
  return print(value.real()) + (std::signbit(value.imag()) ? "" : "+") +
         print(value.imag()) + "i";
}

std::string Tensor::printPosition(int64_t i) const {
  llvm::SmallVector<int64_t, 4> position(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    position[d] = i % shape[d];
    i /= shape[d];
  }
  return llvm::formatv("[{0:$[, ]}]",
                       llvm::make_range(position.begin(), position.end()));
}

//===----------------------------------------------------------------------===//
// Random values
//===----------------------------------------------------------------------===//

namespace {

/// SplitMix64: the same numbers everywhere, unlike the standard distributions.
class Generator {
public:
  Generator(uint64_t seed, uint64_t stream)
      : state(seed * 0x9E3779B97F4A7C15u ^ (stream + 1) * 0xD1B54A32D192ED03u) {
  }

  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  /// A number in (0, 1].
  double uniform() { return double((next() >> 11) + 1) * 0x1p-53; }

  double normal() {
    double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * 3.14159265358979323846 * uniform());
  }

  /// A number in [low, high].
  int64_t range(int64_t low, int64_t high) {
    uint64_t count = uint64_t(high) - uint64_t(low) + 1;
    return int64_t(uint64_t(low) + (count ? next() % count : next()));
  }

  double unfriendly() {
    uint64_t choice = next() % 64;
    double value = normal();
    if (choice == 0)
      return value * 8;
    if (choice == 1)
      return value * 0x1p-20;
    if (choice == 2)
      return 0.0;
    if (choice == 3)
      return -0.0;
    return value;
  }

private:
  uint64_t state;
};

} // namespace

void mlir::fusion::fillRandom(Tensor &tensor, const RandomOptions &options,
                              uint64_t stream) {
  Generator generator(options.seed, stream);
  ElementType type = tensor.getType();
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i) {
    if (type.isComplex()) {
      double real = generator.unfriendly();
      tensor.setComplex(i, {real, generator.unfriendly()});
    } else if (type.isFloat()) {
      tensor.setDouble(i, generator.unfriendly());
    } else if (type.getBytes() == 1) {
      tensor.setInteger(i, int64_t(generator.next()));
    } else {
      tensor.setInteger(i, generator.range(options.low, options.high));
    }
  }
}
