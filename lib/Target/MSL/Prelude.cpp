//===- Prelude.cpp - Helper functions that MSL lacks ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prelude.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::fusion::msl;

static constexpr llvm::StringLiteral assertText = R"(
// The bounds check of a gather. Metal has no trap, so this does nothing there;
// the kernel clamps the index where it must not read out of bounds.
#ifdef __FUSION_HOST__
#define fusion_assert(condition) \
  do { \
    if (!(condition)) \
      __builtin_trap(); \
  } while (false)
#else
inline void fusion_assert(bool) {}
#endif
)";

static constexpr llvm::StringLiteral maximumText = R"(
// IEEE 754 maximum: NaN if either is, and -0 is less than +0.
inline float fusion_maximum(float a, float b) {
  return a == b ? as_type<float>(as_type<int>(a) & as_type<int>(b))
                : (a > b || a != a ? a : b);
}
)";

static constexpr llvm::StringLiteral minimumText = R"(
// IEEE 754 minimum: NaN if either is, and -0 is less than +0.
inline float fusion_minimum(float a, float b) {
  return a == b ? as_type<float>(as_type<int>(a) | as_type<int>(b))
                : (a < b || a != a ? a : b);
}
)";

static constexpr llvm::StringLiteral simdgroupMmaText = R"(
// a * b + c on 8x8 matrices, of which each lane holds two elements.
template <typename T>
inline float2 fusion_simdgroup_mma(vec<T, 2> a, vec<T, 2> b, float2 c) {
  simdgroup_matrix<T, 8, 8> ma, mb;
  simdgroup_matrix<float, 8, 8> mc;
  reinterpret_cast<thread vec<T, 2> &>(ma.thread_elements()) = a;
  reinterpret_cast<thread vec<T, 2> &>(mb.thread_elements()) = b;
  reinterpret_cast<thread float2 &>(mc.thread_elements()) = c;
  simdgroup_multiply_accumulate(mc, ma, mb, mc);
  return reinterpret_cast<thread float2 &>(mc.thread_elements());
}
)";

llvm::StringRef Prelude::name(Helper helper) {
  switch (helper) {
  case Helper::Assert:
    return "fusion_assert";
  case Helper::Maximum:
    return "fusion_maximum";
  case Helper::Minimum:
    return "fusion_minimum";
  case Helper::SimdgroupMma:
    return "fusion_simdgroup_mma";
  }
  llvm_unreachable("unknown helper");
}

std::string Prelude::uniqueStruct(llvm::StringRef kernel) {
  std::string name = (kernel + "Args").str();
  name[0] = llvm::toUpper(name[0]);
  std::string candidate = name;
  for (unsigned i = 1; !structs.insert(candidate).second; ++i)
    candidate = name + std::to_string(i);
  return candidate;
}

void Prelude::print(llvm::raw_ostream &os) const {
  os << "#include <metal_stdlib>\n";
  if (needs(Helper::SimdgroupMma))
    os << "#include <metal_simdgroup_matrix>\n";
  os << "\n// NaN and infinities matter: compile with MTLMathModeSafe where "
        "the\n"
        "// pragma is not known.\n"
        "#pragma METAL fp math_mode(safe)\n"
        "// Products and sums are rounded each; fma says where they are not.\n"
        "#pragma METAL fp contract(off)\n\n"
        "using namespace metal;\n";
  if (needs(Helper::Assert))
    os << assertText;
  if (needs(Helper::Maximum))
    os << maximumText;
  if (needs(Helper::Minimum))
    os << minimumText;
  if (needs(Helper::SimdgroupMma))
    os << simdgroupMmaText;
}
