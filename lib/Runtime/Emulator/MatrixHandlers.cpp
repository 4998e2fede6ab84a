//===- MatrixHandlers.cpp - ldmatrix and mma.sync -------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments are laid out as the PTX ISA says: with g = lane / 4 and t = lane %
// 4, accumulators hold rows g and g + 8, columns 2t and 2t + 1. Operands
// arrive as 32-bit registers: those of A, then B, then C.
//
//===----------------------------------------------------------------------===//

#include "HalfFloat.h"
#include "Handlers.h"
#include "Machine.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace mlir::fusion::emulator;

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

template <unsigned count, bool transposed>
static void loadMatrices(const void *const *operands, void *const *results,
                         uint32_t mask, uint32_t site) {
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    uint16_t rows[8][8];
    for (unsigned row = 0; row < 8; ++row)
      std::memcpy(rows[row],
                  *static_cast<void *const *>(operands[8 * matrix + row]), 16);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      unsigned g = lane / 4, t = 2 * (lane % 4);
      uint32_t low = transposed ? rows[t][g] : rows[g][t];
      uint32_t high = transposed ? rows[t + 1][g] : rows[g][t + 1];
      static_cast<uint32_t *>(results[lane])[matrix] = low | high << 16;
    }
  }
}

template <unsigned count, bool transposed>
static void ldmatrix(const void *operands, void *result, uint32_t site) {
  Machine &m = machine;
  Thread &self = *m.current;
  // The first 8 lanes of each matrix give the addresses of its rows.
  if (self.lane < 8 * count) {
    uint64_t address = *static_cast<const uint64_t *>(operands);
    if (m.checks)
      checkSharedLoad(address, 16, 16, site);
    if (LLVM_UNLIKELY(m.profiler != nullptr))
      m.profiler->access(RequestKind::Ldmatrix, site, self.warp, self.lane,
                         kAllLanes >> (kLanes - 8 * count), address, 16);
  }
  meetWarp(site, kAllLanes, Convergence::WholeWarp, operands, result,
           loadMatrices<count, transposed>);
}

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

namespace {
enum class Element { F16, BF16, TF32 };

/// The matrices of one operation; B and D have 8 columns.
struct Tiles {
  alignas(32) float a[16][16];
  alignas(32) float b[16][8];
  alignas(32) float d[16][8];
};
} // namespace

template <Element element>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void splitPair(uint32_t bits, float *pair) {
  if (element == Element::BF16) {
    pair[0] = bitsToFloat(bits << 16);
    pair[1] = bitsToFloat(bits & 0xffff0000);
  } else {
    pair[0] = halfToFloat(bits & 0xffff);
    pair[1] = halfToFloat(bits >> 16);
  }
}

/// Reads `count` registers with two elements each.
template <Element element, unsigned count>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void splitPairs(const uint32_t *registers,
                                                    float *values) {
  for (unsigned i = 0; i < count; ++i)
    splitPair<element>(registers[i], values + 2 * i);
}

template <unsigned depth>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void multiply(Tiles &tiles) {
  for (unsigned row = 0; row < 16; ++row) {
    float sum[8];
    std::memcpy(sum, tiles.d[row], sizeof(sum));
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned column = 0; column < 8; ++column)
        sum[column] += tiles.a[row][k] * tiles.b[k][column];
    std::memcpy(tiles.d[row], sum, sizeof(sum));
  }
}

/// Gathers the fragments of 16-bit operands.
template <Element element, unsigned depth, bool halfAccumulator>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void gather(const void *const *operands,
                                                Tiles &tiles) {
  constexpr unsigned numA = depth / 4, numB = depth / 8;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    auto *registers = static_cast<const uint32_t *>(operands[lane]);
    unsigned g = lane / 4, t = lane % 4;
    float pairs[2 * (numA + numB)];
    splitPairs<element, numA + numB>(registers, pairs);
    for (unsigned i = 0; i < numA; ++i)
      std::memcpy(&tiles.a[g + 8 * (i & 1)][2 * t + 8 * (i >> 1)],
                  &pairs[2 * i], 8);
    for (unsigned i = 0; i < numB; ++i) {
      tiles.b[2 * t + 8 * i][g] = pairs[2 * (numA + i)];
      tiles.b[2 * t + 8 * i + 1][g] = pairs[2 * (numA + i) + 1];
    }
    const uint32_t *c = registers + numA + numB;
    if (halfAccumulator) {
      splitPair<Element::F16>(c[0], &tiles.d[g][2 * t]);
      splitPair<Element::F16>(c[1], &tiles.d[g + 8][2 * t]);
    } else {
      std::memcpy(&tiles.d[g][2 * t], c, 8);
      std::memcpy(&tiles.d[g + 8][2 * t], c + 2, 8);
    }
  }
}

/// Gathers the fragments of tf32 operands, of which the low 13 bits count not.
template <unsigned depth>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void gatherTF32(const void *const *operands,
                                                    Tiles &tiles) {
  constexpr unsigned numA = depth / 2, numB = depth / 4;
  auto read = [](uint32_t bits) { return bitsToFloat(bits & 0xffffe000); };
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    auto *registers = static_cast<const uint32_t *>(operands[lane]);
    unsigned g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < numA; ++i)
      tiles.a[g + 8 * (i & 1)][t + 4 * (i >> 1)] = read(registers[i]);
    for (unsigned i = 0; i < numB; ++i)
      tiles.b[t + 4 * i][g] = read(registers[numA + i]);
    const uint32_t *c = registers + numA + numB;
    std::memcpy(&tiles.d[g][2 * t], c, 8);
    std::memcpy(&tiles.d[g + 8][2 * t], c + 2, 8);
  }
}

template <bool halfAccumulator>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void scatter(const Tiles &tiles,
                                                 void *const *results) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    unsigned g = lane / 4, t = lane % 4;
    auto *out = static_cast<uint32_t *>(results[lane]);
    for (unsigned half = 0; half < 2; ++half) {
      const float *pair = &tiles.d[g + 8 * half][2 * t];
      if (halfAccumulator)
        out[half] = floatToHalf(pair[0]) | uint32_t(floatToHalf(pair[1])) << 16;
      else
        std::memcpy(out + 2 * half, pair, 8);
    }
  }
}

template <Element element, unsigned depth, bool halfAccumulator>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void
multiplyFragments(const void *const *operands, void *const *results) {
  Tiles tiles;
  if constexpr (element == Element::TF32)
    gatherTF32<depth>(operands, tiles);
  else
    gather<element, depth, halfAccumulator>(operands, tiles);
  multiply<depth>(tiles);
  scatter<halfAccumulator>(tiles, results);
}

#if defined(__x86_64__)
// The same with the vector instructions that nearly every host has.
#define FUSION_AVX2 __attribute__((target("avx2,fma,f16c")))

template <unsigned depth>
FUSION_AVX2 static void multiplyAVX2(Tiles &tiles) {
  for (unsigned row = 0; row < 16; row += 4) {
    __m256 sum[4];
    for (unsigned i = 0; i < 4; ++i)
      sum[i] = _mm256_load_ps(tiles.d[row + i]);
    for (unsigned k = 0; k < depth; ++k) {
      __m256 b = _mm256_load_ps(tiles.b[k]);
      for (unsigned i = 0; i < 4; ++i)
        sum[i] = _mm256_fmadd_ps(_mm256_broadcast_ss(&tiles.a[row + i][k]), b,
                                 sum[i]);
    }
    for (unsigned i = 0; i < 4; ++i)
      _mm256_store_ps(tiles.d[row + i], sum[i]);
  }
}

/// m16n8k16 with f16 operands, the case that has to be fast: gathers with the
/// host's conversions.
FUSION_AVX2 static void gatherHalfAVX2(const void *const *operands,
                                       Tiles &tiles) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    auto *registers = static_cast<const uint32_t *>(operands[lane]);
    unsigned g = lane / 4, t = lane % 4;
    alignas(32) float a[8];
    alignas(16) float b[4];
    _mm256_store_ps(a, _mm256_cvtph_ps(_mm_loadu_si128(
                           reinterpret_cast<const __m128i *>(registers))));
    _mm_store_ps(b, _mm_cvtph_ps(_mm_loadl_epi64(
                        reinterpret_cast<const __m128i *>(registers + 4))));
    std::memcpy(&tiles.a[g][2 * t], a, 8);
    std::memcpy(&tiles.a[g + 8][2 * t], a + 2, 8);
    std::memcpy(&tiles.a[g][2 * t + 8], a + 4, 8);
    std::memcpy(&tiles.a[g + 8][2 * t + 8], a + 6, 8);
    tiles.b[2 * t][g] = b[0];
    tiles.b[2 * t + 1][g] = b[1];
    tiles.b[2 * t + 8][g] = b[2];
    tiles.b[2 * t + 9][g] = b[3];
    std::memcpy(&tiles.d[g][2 * t], registers + 6, 8);
    std::memcpy(&tiles.d[g + 8][2 * t], registers + 8, 8);
  }
}

template <Element element, unsigned depth, bool halfAccumulator>
FUSION_AVX2 static void multiplyFragmentsAVX2(const void *const *operands,
                                              void *const *results) {
  Tiles tiles;
  if constexpr (element == Element::TF32)
    gatherTF32<depth>(operands, tiles);
  else if constexpr (element == Element::F16 && depth == 16 && !halfAccumulator)
    gatherHalfAVX2(operands, tiles);
  else
    gather<element, depth, halfAccumulator>(operands, tiles);
  multiplyAVX2<depth>(tiles);
  scatter<halfAccumulator>(tiles, results);
}

static bool hostHasAVX2() {
  static const bool has = __builtin_cpu_supports("avx2") &&
                          __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("f16c");
  return has;
}
#endif

template <Element element, unsigned depth, bool halfAccumulator>
static void mmaLanes(const void *const *operands, void *const *results,
                     uint32_t mask, uint32_t site) {
  if (mask != kAllLanes)
    fail(site, "matrix operation by a warp of fewer than 32 lanes");
  if (LLVM_UNLIKELY(machine.profiler != nullptr))
    machine.profiler->countMmaFlops(2 * 16 * 8 * depth);
#if defined(__x86_64__)
  if (hostHasAVX2())
    return multiplyFragmentsAVX2<element, depth, halfAccumulator>(operands,
                                                                  results);
#endif
  multiplyFragments<element, depth, halfAccumulator>(operands, results);
}

template <Element element, unsigned depth, bool halfAccumulator>
static void mma(const void *operands, void *result, uint32_t site) {
  meetWarp(site, kAllLanes, Convergence::WholeWarp, operands, result,
           mmaLanes<element, depth, halfAccumulator>);
}

static const Handler matrixHandlers[] = {
    {"ldmatrix.sync.aligned.m8n8.x1.b16.p3", ldmatrix<1, false>, true, 16},
    {"ldmatrix.sync.aligned.m8n8.x2.b16.p3", ldmatrix<2, false>, true, 16},
    {"ldmatrix.sync.aligned.m8n8.x4.b16.p3", ldmatrix<4, false>, true, 16},
    {"ldmatrix.sync.aligned.m8n8.x1.trans.b16.p3", ldmatrix<1, true>, true, 16},
    {"ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3", ldmatrix<2, true>, true, 16},
    {"ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3", ldmatrix<4, true>, true, 16},
    {"mma.m16n8k16.row.col.f32.f32", mma<Element::F16, 16, false>, true},
    {"mma.m16n8k16.row.col.f16.f16", mma<Element::F16, 16, true>, true},
    {"mma.m16n8k16.row.col.bf16", mma<Element::BF16, 16, false>, true},
    {"mma.m16n8k8.row.col.f32.f32", mma<Element::F16, 8, false>, true},
    {"mma.m16n8k8.row.col.f16.f16", mma<Element::F16, 8, true>, true},
    {"mma.m16n8k8.row.col.bf16", mma<Element::BF16, 8, false>, true},
    {"mma.m16n8k8.row.col.tf32", mma<Element::TF32, 8, false>, true},
    {"mma.m16n8k4.row.col.tf32", mma<Element::TF32, 4, false>, true},
};

llvm::ArrayRef<Handler> mlir::fusion::emulator::getMatrixHandlers() {
  return matrixHandlers;
}
