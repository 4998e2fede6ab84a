//===- HalfFloat.h - Conversions of 16-bit floating point -------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_EMULATOR_HALFFLOAT_H
#define FUSION_LIB_RUNTIME_EMULATOR_HALFFLOAT_H

#include <cstdint>
#include <cstring>

namespace mlir::fusion::emulator {

inline float bitsToFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

inline uint32_t floatToBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float bfloatToFloat(uint16_t bits) {
  return bitsToFloat(uint32_t(bits) << 16);
}

/// Rounds to nearest even.
inline uint16_t floatToBFloat(float value) {
  uint32_t bits = floatToBits(value);
  if (value != value)
    return (bits | 0x400000) >> 16;
  return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

inline float halfToFloat(uint16_t bits) {
  uint32_t sign = uint32_t(bits & 0x8000) << 16;
  uint32_t rest = bits & 0x7fff;
  if (rest >= 0x7c00) // Infinity, NaN (made quiet).
    return bitsToFloat(sign | 0x7f800000 | (rest & 0x3ff) << 13 |
                       (rest > 0x7c00 ? 0x400000 : 0));
  if (rest >= 0x0400)
    return bitsToFloat(sign | ((rest << 13) + (112u << 23)));
  // A multiple of 2^-24.
  float magnitude = float(rest) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

/// Rounds to nearest even.
inline uint16_t floatToHalf(float value) {
  uint32_t bits = floatToBits(value);
  uint16_t sign = (bits >> 16) & 0x8000;
  uint32_t rest = bits & 0x7fffffff;
  if (rest > 0x7f800000)
    return sign | 0x7e00 | ((rest >> 13) & 0x3ff);
  if (rest >= 0x477ff000) // Rounds to infinity.
    return sign | 0x7c00;
  if (rest < 0x38800000) {
    // Denormal or zero: adding 0.5 leaves the rounded multiple of 2^-24 in the
    // lowest bits.
    float shifted = bitsToFloat(rest) + 0.5f;
    return sign | uint16_t(floatToBits(shifted) - 0x3f000000);
  }
  uint32_t rounded = rest + 0xfff + ((rest >> 13) & 1);
  return sign | uint16_t((rounded - (112u << 23)) >> 13);
}

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_RUNTIME_EMULATOR_HALFFLOAT_H
