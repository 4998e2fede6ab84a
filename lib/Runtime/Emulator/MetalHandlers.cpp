//===- MetalHandlers.cpp - What Metal's builtins call ---------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host shim of `metal_stdlib` expresses Metal's builtins by a few
// functions, whose last parameter the rewriter fills with the number of the
// calling instruction. Operation and type codes are those of the shim.
//
//===----------------------------------------------------------------------===//

#include "HalfFloat.h"
#include "Handlers.h"
#include "Machine.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir::fusion;
using namespace mlir::fusion::emulator;

std::optional<MetalBuiltin>
mlir::fusion::parseMetalBuiltin(llvm::StringRef name) {
  using B = MetalBuiltin;
  return llvm::StringSwitch<std::optional<B>>(name)
      .Case("thread_position_in_grid", B::ThreadPositionInGrid)
      .Case("thread_position_in_threadgroup", B::ThreadPositionInThreadgroup)
      .Case("thread_index_in_threadgroup", B::ThreadIndexInThreadgroup)
      .Case("threadgroup_position_in_grid", B::ThreadgroupPositionInGrid)
      .Case("threads_per_threadgroup", B::ThreadsPerThreadgroup)
      .Case("thread_index_in_simdgroup", B::ThreadIndexInSimdgroup)
      .Case("simdgroup_index_in_threadgroup", B::SimdgroupIndexInThreadgroup)
      .Case("simdgroups_per_threadgroup", B::SimdgroupsPerThreadgroup)
      .Case("threads_per_simdgroup", B::ThreadsPerSimdgroup)
      .Case("threadgroups_per_grid", B::ThreadgroupsPerGrid)
      .Case("threads_per_grid", B::ThreadsPerGrid)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Collective operations
//===----------------------------------------------------------------------===//

namespace {
/// `op` of __emu_msl_coll.
enum CollectiveOp : int {
  Sum = 0,
  Product = 1,
  Max = 2,
  Min = 3,
  ShuffleXor = 4,
  ShuffleDown = 5,
  ShuffleUp = 6,
  ShuffleIndex = 7,
  Broadcast = 8,
  BroadcastFirst = 9,
  InclusiveSum = 10,
  ExclusiveSum = 11,
  QuadSum = 12,
  QuadMax = 13,
  And = 14,
  Or = 15,
  Xor = 16,
};

/// `type` of __emu_msl_coll.
enum class ElementType : int {
  Float,
  Half,
  BFloat,
  Int,
  UInt,
  Short,
  UShort,
  Float2,
  Float4,
  UChar,
  Bool,
  Char,
  Long,
  ULong,
};

struct CollectiveOperands {
  int op;
  ElementType type;
  uint32_t argument;
  const void *value;
};

/// How a type is stored: bytes in all, and elements.
struct TypeShape {
  unsigned bytes, count;
};
} // namespace

static constexpr int kNumElementTypes = 14;

static TypeShape getShape(ElementType type) {
  switch (type) {
  case ElementType::Float:
  case ElementType::Int:
  case ElementType::UInt:
    return {4, 1};
  case ElementType::Half:
  case ElementType::BFloat:
  case ElementType::Short:
  case ElementType::UShort:
    return {2, 1};
  case ElementType::Float2:
    return {8, 2};
  case ElementType::Float4:
    return {16, 4};
  case ElementType::UChar:
  case ElementType::Bool:
  case ElementType::Char:
    return {1, 1};
  case ElementType::Long:
  case ElementType::ULong:
    return {8, 1};
  }
  llvm_unreachable("all types are handled");
}

template <typename T>
static T read(const void *data, unsigned index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + index * sizeof(T),
              sizeof(T));
  return value;
}

template <typename T>
static void write(void *data, unsigned index, T value) {
  std::memcpy(static_cast<char *>(data) + index * sizeof(T), &value, sizeof(T));
}

static bool isFloating(ElementType type) {
  return type <= ElementType::BFloat || type == ElementType::Float2 ||
         type == ElementType::Float4;
}

static float readFloat(ElementType type, const void *data, unsigned index) {
  if (type == ElementType::Half)
    return halfToFloat(read<uint16_t>(data, index));
  if (type == ElementType::BFloat)
    return bfloatToFloat(read<uint16_t>(data, index));
  return read<float>(data, index);
}

static void writeFloat(ElementType type, void *data, unsigned index,
                       float value) {
  if (type == ElementType::Half)
    return write<uint16_t>(data, index, floatToHalf(value));
  if (type == ElementType::BFloat)
    return write<uint16_t>(data, index, floatToBFloat(value));
  write<float>(data, index, value);
}

static bool isSigned(ElementType type) {
  return type == ElementType::Int || type == ElementType::Short ||
         type == ElementType::Char || type == ElementType::Long;
}

static uint64_t readInteger(ElementType type, const void *data) {
  switch (getShape(type).bytes) {
  case 1:
    return isSigned(type) ? int64_t(read<int8_t>(data, 0))
                          : read<uint8_t>(data, 0);
  case 2:
    return isSigned(type) ? int64_t(read<int16_t>(data, 0))
                          : read<uint16_t>(data, 0);
  case 4:
    return isSigned(type) ? int64_t(read<int32_t>(data, 0))
                          : read<uint32_t>(data, 0);
  default:
    return read<uint64_t>(data, 0);
  }
}

static float combineFloats(int op, float a, float b) {
  switch (op) {
  case Product:
    return a * b;
  case Max:
  case QuadMax:
    return std::fmax(a, b);
  case Min:
    return std::fmin(a, b);
  default:
    return a + b;
  }
}

static uint64_t combineIntegers(int op, bool isSignedType, uint64_t a,
                                uint64_t b) {
  bool less = isSignedType ? int64_t(a) < int64_t(b) : a < b;
  switch (op) {
  case Product:
    return a * b;
  case Max:
  case QuadMax:
    return less ? b : a;
  case Min:
    return less ? a : b;
  case And:
    return a & b;
  case Or:
    return a | b;
  case Xor:
    return a ^ b;
  default:
    return a + b;
  }
}

/// The lane that `lane` reads in a shuffle; it may not exist.
static unsigned getSourceLane(const CollectiveOperands &operands, unsigned lane,
                              uint32_t mask) {
  switch (operands.op) {
  case ShuffleXor:
    return lane ^ operands.argument;
  case ShuffleDown:
    return lane + operands.argument;
  case ShuffleUp:
    return lane - operands.argument;
  case BroadcastFirst:
    return llvm::countr_zero(mask);
  default:
    return operands.argument;
  }
}

/// The lanes whose values `lane` combines.
static uint32_t getSourceLanes(int op, unsigned lane, uint32_t mask) {
  switch (op) {
  case InclusiveSum:
    return mask & ((2u << lane) - 1);
  case ExclusiveSum:
    return mask & ((1u << lane) - 1);
  case QuadSum:
  case QuadMax:
    return mask & (0xfu << (lane & ~3u));
  default:
    return mask;
  }
}

/// Combines the values of some lanes, in their order; those of none are zero.
static void combineLanes(const CollectiveOperands &first,
                         const void *const *operands, uint32_t sources,
                         void *result) {
  auto valueOf = [&](unsigned lane) {
    return static_cast<const CollectiveOperands *>(operands[lane])->value;
  };
  TypeShape shape = getShape(first.type);
  if (!sources) {
    std::memset(result, 0, shape.bytes);
    return;
  }
  unsigned begin = llvm::countr_zero(sources);
  if (isFloating(first.type)) {
    for (unsigned i = 0; i < shape.count; ++i) {
      float total = readFloat(first.type, valueOf(begin), i);
      for (uint32_t more = sources & (sources - 1); more; more &= more - 1)
        total = combineFloats(
            first.op, total,
            readFloat(first.type, valueOf(llvm::countr_zero(more)), i));
      writeFloat(first.type, result, i, total);
    }
    return;
  }
  uint64_t total = readInteger(first.type, valueOf(begin));
  for (uint32_t more = sources & (sources - 1); more; more &= more - 1)
    total = combineIntegers(
        first.op, isSigned(first.type), total,
        readInteger(first.type, valueOf(llvm::countr_zero(more))));
  std::memcpy(result, &total, shape.bytes);
}

static void collectiveLanes(const void *const *operands, void *const *results,
                            uint32_t mask, uint32_t site) {
  auto at = [&](unsigned lane) -> const CollectiveOperands & {
    return *static_cast<const CollectiveOperands *>(operands[lane]);
  };
  const CollectiveOperands &first = at(llvm::countr_zero(mask));
  TypeShape shape = getShape(first.type);
  char values[kLanes][16];
  uint32_t lastSources = 0;
  unsigned lastLane = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    if (first.op >= ShuffleXor && first.op <= BroadcastFirst) {
      unsigned source = getSourceLane(at(lane), lane, mask);
      // Undefined on the hardware: all ones, a NaN in the float types.
      if (source >= kLanes || !(mask >> source & 1))
        std::memset(values[lane], 0xff, sizeof(values[lane]));
      else
        std::memcpy(values[lane], at(source).value, shape.bytes);
      continue;
    }
    // Most lanes combine the same values as the one before.
    uint32_t sources = getSourceLanes(first.op, lane, mask);
    if (sources && sources == lastSources)
      std::memcpy(values[lane], values[lastLane], shape.bytes);
    else
      combineLanes(first, operands, sources, values[lane]);
    lastSources = sources;
    lastLane = lane;
  }
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    std::memcpy(results[lane], values[lane], shape.bytes);
  }
}

/// The lanes of a SIMD group that take part: those that have not exited.
static uint32_t getSimdMask() {
  return machine.warps[machine.current->warp].live;
}

static void metalCollective(int op, int type, const void *value, void *result,
                            uint32_t argument, uint32_t site) {
  if (op < 0 || op > Xor || type < 0 || type >= kNumElementTypes)
    fail(site, "unknown SIMD-group operation");
  CollectiveOperands operands{op, ElementType(type), argument, value};
  meetWarp(site, getSimdMask(), Convergence::WholeWarp, &operands, result,
           collectiveLanes);
}

//===----------------------------------------------------------------------===//
// Matrices, barriers
//===----------------------------------------------------------------------===//

namespace {
/// The two elements of each 8x8 matrix that a lane holds.
struct MatrixOperands {
  const float *a, *b, *c;
};
} // namespace

static void matrixLanes(const void *const *operands, void *const *results,
                        uint32_t mask, uint32_t site) {
  if (mask != kAllLanes)
    fail(site, "simdgroup matrix operation by fewer than 32 threads");
  if (LLVM_UNLIKELY(machine.profiler != nullptr))
    machine.profiler->countMmaFlops(2 * 8 * 8 * 8);
  float a[8][8], b[8][8], d[8][8];
  auto row = [](unsigned lane) { return ((lane / 4) & 4) + (lane / 2) % 4; };
  auto column = [](unsigned lane) {
    return ((lane / 4) & 2) * 2 + (lane % 2) * 2;
  };
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    auto *in = static_cast<const MatrixOperands *>(operands[lane]);
    std::memcpy(&a[row(lane)][column(lane)], in->a, 8);
    std::memcpy(&b[row(lane)][column(lane)], in->b, 8);
    std::memcpy(&d[row(lane)][column(lane)], in->c, 8);
  }
  for (unsigned i = 0; i < 8; ++i)
    for (unsigned k = 0; k < 8; ++k)
      for (unsigned j = 0; j < 8; ++j)
        d[i][j] += a[i][k] * b[k][j];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    std::memcpy(results[lane], &d[row(lane)][column(lane)], 8);
}

static void metalMatrix(float *d, const float *a, const float *b,
                        const float *c, uint32_t site) {
  MatrixOperands operands{a, b, c};
  meetWarp(site, getSimdMask(), Convergence::WholeWarp, &operands, d,
           matrixLanes);
}

static void metalBarrier(int flags, uint32_t site) { meetBlock(0, 0, site); }

static void metalSimdBarrier(int flags, uint32_t site) {
  meetWarp(site, getSimdMask(), Convergence::WholeWarp, nullptr, nullptr,
           [](const void *const *, void *const *, uint32_t, uint32_t) {
             passWarpBarrier(machine.current->warp);
           });
}

static uint32_t metalLane() { return machine.current->lane; }

//===----------------------------------------------------------------------===//
// Mathematical functions
//===----------------------------------------------------------------------===//

static float metalUnary(int function, float x) {
  using Function = float (*)(float);
  static const Function functions[] = {
      expf,
      exp2f,
      [](float v) { return powf(10, v); },
      logf,
      log2f,
      log10f,
      sqrtf,
      [](float v) { return 1 / sqrtf(v); },
      sinf,
      cosf,
      tanf,
      tanhf,
      floorf,
      ceilf,
      truncf,
      rintf,
      roundf,
      fabsf,
      sinhf,
      coshf,
      asinf,
      acosf,
      atanf,
      asinhf,
      acoshf,
      atanhf,
  };
  if (function < 0 || size_t(function) >= std::size(functions))
    return NAN;
  return functions[function](x);
}

static float metalBinary(int function, float x, float y) {
  using Function = float (*)(float, float);
  static const Function functions[] = {
      powf, fminf, fmaxf, fmodf, atan2f, copysignf, powf,
  };
  if (function < 0 || size_t(function) >= std::size(functions))
    return NAN;
  return functions[function](x, y);
}

static const RuntimeSymbol metalSymbols[] = {
    {"__emu_msl_barrier", reinterpret_cast<void *>(metalBarrier), true, true},
    {"__emu_msl_simdbar", reinterpret_cast<void *>(metalSimdBarrier), true,
     true},
    {"__emu_msl_coll", reinterpret_cast<void *>(metalCollective), true, true},
    {"__emu_msl_mma", reinterpret_cast<void *>(metalMatrix), true, true},
    {"__emu_msl_lane", reinterpret_cast<void *>(metalLane)},
    {"__emu_m1", reinterpret_cast<void *>(metalUnary)},
    {"__emu_m2", reinterpret_cast<void *>(metalBinary)},
};

llvm::ArrayRef<RuntimeSymbol> mlir::fusion::emulator::getMetalSymbols() {
  return metalSymbols;
}

const RuntimeSymbol *
mlir::fusion::emulator::findMetalSymbol(llvm::StringRef name) {
  for (const RuntimeSymbol &symbol : metalSymbols)
    if (symbol.name == name)
      return &symbol;
  return nullptr;
}
