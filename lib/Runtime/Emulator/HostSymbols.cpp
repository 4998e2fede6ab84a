//===- HostSymbols.cpp - Functions that host code calls by name -----------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host's code generator turns mathematical intrinsics and conversions of
// 16-bit floating point that the host lacks into calls.
//
//===----------------------------------------------------------------------===//

#include "HalfFloat.h"
#include "Handlers.h"
#include <cmath>
#include <cstring>

using namespace mlir::fusion::emulator;

// On x86-64 and AArch64 a 16-bit value travels in the low bits of the register
// that a float travels in. The compiler's own types for them would make it call
// conversions that the libraries of old compilers lack.
using NarrowABI = float;

static NarrowABI toRegister(uint16_t bits) { return bitsToFloat(bits); }

static uint16_t fromRegister(NarrowABI value) {
  return static_cast<uint16_t>(floatToBits(value));
}

static NarrowABI truncateToHalf(float value) {
  return toRegister(floatToHalf(value));
}

/// Rounds f64 to f32 such that a second rounding, to 16 bits, gives what one
/// rounding would: to odd.
static float roundToOdd(double value) {
  float nearest = static_cast<float>(value);
  if (std::isnan(value) || std::isinf(nearest) || nearest == value)
    return nearest;
  uint32_t bits = floatToBits(nearest);
  if (bits & 1)
    return nearest;
  bool away = std::fabs(double(nearest)) > std::fabs(value);
  return bitsToFloat(away ? bits - 1 : bits + 1);
}

static NarrowABI truncateDoubleToHalf(double value) {
  return toRegister(floatToHalf(roundToOdd(value)));
}

static float extendHalf(NarrowABI value) {
  return halfToFloat(fromRegister(value));
}

static double extendHalfToDouble(NarrowABI value) { return extendHalf(value); }

static NarrowABI truncateToBFloat(float value) {
  return toRegister(floatToBFloat(value));
}

static NarrowABI truncateDoubleToBFloat(double value) {
  return toRegister(floatToBFloat(roundToOdd(value)));
}

static float extendBFloat(NarrowABI value) {
  return bfloatToFloat(fromRegister(value));
}

template <typename Function>
static void *asAddress(Function *function) {
  return reinterpret_cast<void *>(function);
}

#define FUSION_MATH1(NAME)                                                     \
  {#NAME, asAddress<double(double)>(NAME)}, {                                  \
    #NAME "f", asAddress<float(float)>(NAME##f)                                \
  }
#define FUSION_MATH2(NAME)                                                     \
  {#NAME, asAddress<double(double, double)>(NAME)}, {                          \
    #NAME "f", asAddress<float(float, float)>(NAME##f)                         \
  }

static const RuntimeSymbol hostSymbols[] = {
    {"__truncsfhf2", asAddress(truncateToHalf)},
    {"__gnu_f2h_ieee", asAddress(truncateToHalf)},
    {"__truncdfhf2", asAddress(truncateDoubleToHalf)},
    {"__extendhfsf2", asAddress(extendHalf)},
    {"__gnu_h2f_ieee", asAddress(extendHalf)},
    {"__extendhfdf2", asAddress(extendHalfToDouble)},
    {"__truncsfbf2", asAddress(truncateToBFloat)},
    {"__truncdfbf2", asAddress(truncateDoubleToBFloat)},
    {"__extendbfsf2", asAddress(extendBFloat)},
    {"memcpy", asAddress<void *(void *, const void *, size_t)>(memcpy)},
    {"memmove", asAddress<void *(void *, const void *, size_t)>(memmove)},
    {"memset", asAddress<void *(void *, int, size_t)>(memset)},
    FUSION_MATH1(exp),
    FUSION_MATH1(exp2),
    FUSION_MATH1(expm1),
    FUSION_MATH1(log),
    FUSION_MATH1(log2),
    FUSION_MATH1(log10),
    FUSION_MATH1(log1p),
    FUSION_MATH1(sqrt),
    FUSION_MATH1(cbrt),
    FUSION_MATH1(sin),
    FUSION_MATH1(cos),
    FUSION_MATH1(tan),
    FUSION_MATH1(asin),
    FUSION_MATH1(acos),
    FUSION_MATH1(atan),
    FUSION_MATH1(sinh),
    FUSION_MATH1(cosh),
    FUSION_MATH1(tanh),
    FUSION_MATH1(asinh),
    FUSION_MATH1(acosh),
    FUSION_MATH1(atanh),
    FUSION_MATH1(erf),
    FUSION_MATH1(erfc),
    FUSION_MATH1(floor),
    FUSION_MATH1(ceil),
    FUSION_MATH1(trunc),
    FUSION_MATH1(rint),
    FUSION_MATH1(nearbyint),
    FUSION_MATH1(round),
    FUSION_MATH2(pow),
    FUSION_MATH2(fmod),
    FUSION_MATH2(atan2),
    FUSION_MATH2(fmin),
    FUSION_MATH2(fmax),
    FUSION_MATH2(copysign),
    {"ldexp", asAddress<double(double, int)>(ldexp)},
    {"ldexpf", asAddress<float(float, int)>(ldexpf)},
    {"fma", asAddress<double(double, double, double)>(fma)},
    {"fmaf", asAddress<float(float, float, float)>(fmaf)},
};

llvm::ArrayRef<RuntimeSymbol> mlir::fusion::emulator::getHostSymbols() {
  return hostSymbols;
}
