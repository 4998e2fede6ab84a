//===- Random.h - The same choices everywhere -------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUZZ_RANDOM_H
#define FUSION_LIB_FUZZ_RANDOM_H

#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cstdint>

namespace mlir::fusion::fuzz {

/// SplitMix64. The standard's distributions differ between libraries, and the
/// order in which the arguments of a call are evaluated between compilers: draw
/// into variables, one statement each.
class Random {
public:
  /// The seed is mixed first: a multiple of the increment would make each seed
  /// draw what its neighbour draws, one step later.
  explicit Random(uint64_t seed) : state(seed) { state = next(); }

  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  /// A number in [0, count).
  uint64_t below(uint64_t count) { return next() % count; }

  /// A number in [low, high].
  int64_t range(int64_t low, int64_t high) {
    return low + int64_t(below(uint64_t(high - low) + 1));
  }

  /// True so many times in a hundred.
  bool chance(unsigned percent) { return below(100) < percent; }

  template <typename T>
  T pick(llvm::ArrayRef<T> list) {
    return list[below(list.size())];
  }
  template <typename T>
  T pick(std::initializer_list<T> list) {
    return list.begin()[below(list.size())];
  }

  template <typename List>
  void shuffle(List &list) {
    for (size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[below(i)]);
  }

private:
  uint64_t state;
};

} // namespace mlir::fusion::fuzz

#endif // FUSION_LIB_FUZZ_RANDOM_H
