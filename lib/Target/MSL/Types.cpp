//===- Types.cpp - MSL's spelling of types and literals -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <charconv>

using namespace mlir;
using namespace mlir::fusion::msl;

/// The name of a scalar type other than index and i1; empty where there is
/// none.
static StringRef scalarName(Type type, bool isUnsigned) {
  if (type.isF32())
    return "float";
  if (type.isF16())
    return "half";
  if (type.isBF16())
    return "bfloat";
  // Floats of eight bits are bytes that are only moved.
  if (isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return "char";
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return "";
  isUnsigned |= integer.isUnsigned();
  switch (integer.getWidth()) {
  case 8:
    return isUnsigned ? "uchar" : "char";
  case 16:
    return isUnsigned ? "ushort" : "short";
  case 32:
    return isUnsigned ? "uint" : "int";
  case 64:
    return isUnsigned ? "ulong" : "long";
  default:
    return "";
  }
}

std::string TypePrinter::name(Type type) const {
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.getRank() != 1 || vector.isScalable() ||
        vector.getDimSize(0) < 2 || vector.getDimSize(0) > 4 ||
        vector.getElementType().isInteger(1))
      return "";
    std::string scalar = name(vector.getElementType());
    return scalar.empty() ? "" : scalar + std::to_string(vector.getDimSize(0));
  }
  if (type.isIndex())
    return index32 ? "int" : "long";
  if (type.isInteger(1))
    return "bool";
  return scalarName(type, /*isUnsigned=*/false).str();
}

std::string TypePrinter::unsignedName(Type type) const {
  if (auto vector = dyn_cast<VectorType>(type))
    return unsignedName(vector.getElementType()) +
           std::to_string(vector.getDimSize(0));
  if (type.isIndex())
    return index32 ? "uint" : "ulong";
  if (type.isInteger(1))
    return "bool";
  return scalarName(type, /*isUnsigned=*/true).str();
}

std::string TypePrinter::whyUnsupported(Type type) const {
  Type scalar = getElementTypeOrSelf(type);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (scalar.isF64()) {
    os << "Metal has no 64-bit floats; compute in f32, or compile for another "
          "target";
  } else if (isa<VectorType>(type) && !name(scalar).empty()) {
    os << "Metal has no type for " << type
       << "; run fusion-legalize-for-msl first, which splits it";
  } else {
    os << "Metal has no type for " << type;
  }
  return text;
}

unsigned TypePrinter::bitWidth(Type type) const {
  if (type.isIndex())
    return index32 ? 32 : 64;
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
}

std::string TypePrinter::literal(const llvm::APInt &value, Type type) const {
  if (type.isInteger(1))
    return value.isZero() ? "false" : "true";
  unsigned width = bitWidth(type);
  int64_t number = value.getSExtValue();
  StringRef suffix = width == 64 ? "L" : "";
  std::string text;
  // The literal of the least integer would be the negation of one too large.
  if (width >= 32 && number == llvm::minIntN(width))
    text = llvm::formatv("({0}{1} - 1)", number + 1, suffix).str();
  else
    text = std::to_string(number) + suffix.str();
  return width < 32 ? name(type) + "(" + text + ")" : text;
}

/// The shortest decimal text that reads back as `value`.
static std::string shortestDecimal(float value) {
  char buffer[64];
  auto end = std::to_chars(std::begin(buffer), std::end(buffer), value);
  std::string text(buffer, end.ptr);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text + "f";
}

std::string TypePrinter::literal(const llvm::APFloat &value, Type type) const {
  std::string typeName = name(type);
  if (type.getIntOrFloatBitWidth() == 8)
    return typeName + "(" +
           std::to_string(value.bitcastToAPInt().getSExtValue()) + ")";
  if (value.isNaN()) {
    llvm::APInt bits = value.bitcastToAPInt();
    std::string digits = "0x" + llvm::utohexstr(bits.getZExtValue(), true);
    return "as_type<" + typeName + ">(" +
           (bits.getBitWidth() == 32 ? digits + "u"
                                     : "ushort(" + digits + ")") +
           ")";
  }
  std::string text;
  if (value.isInfinity()) {
    text = value.isNegative() ? "-INFINITY" : "INFINITY";
  } else {
    llvm::APFloat single = value;
    bool losesInfo = false;
    single.convert(llvm::APFloat::IEEEsingle(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    text = shortestDecimal(single.convertToFloat());
  }
  return type.isF32() ? text : typeName + "(" + text + ")";
}
