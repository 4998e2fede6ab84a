//===- CompareTest.cpp ----------------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/Compare.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace mlir::fusion;

namespace {

Tensor make(ElementType type, llvm::ArrayRef<double> values) {
  Tensor tensor(type, {int64_t(values.size())});
  for (size_t i = 0; i < values.size(); ++i)
    tensor.setDouble(i, values[i]);
  return tensor;
}

bool agree(ElementType type, llvm::ArrayRef<double> found,
           llvm::ArrayRef<double> expected, llvm::ArrayRef<double> reference) {
  Tensor exact = make(ElementType::F64, reference);
  return compareResults(make(type, found), make(type, expected), &exact).agrees;
}

TEST(CompareTest, BoundsF32) {
  // The expected result is exact: only the epsilon terms remain.
  double eps = 0x1p-23;
  EXPECT_TRUE(agree(ElementType::F32, {1, 1 + 2 * eps}, {1, 1}, {1, 1}));
  // Within the maximum, beyond the root mean square.
  EXPECT_FALSE(agree(ElementType::F32, {1, 1 + 4 * eps}, {1, 1}, {1, 1}));
  EXPECT_FALSE(agree(ElementType::F32, {1, 1 + 5 * eps}, {1, 1}, {1, 1}));
  // The expected result's own error allows three times as much.
  EXPECT_TRUE(
      agree(ElementType::F32, {1, 1 + 12 * eps}, {1, 1 + 4 * eps}, {1, 1}));
}

TEST(CompareTest, BoundsF16) {
  double eps = 0x1p-10;
  EXPECT_TRUE(agree(ElementType::F16, {1, 1}, {1, 1}, {1, 1}));
  EXPECT_FALSE(agree(ElementType::F16, {1, 1 + eps}, {1, 1}, {1, 1}));
  EXPECT_TRUE(agree(ElementType::F16, {1, 1 + eps}, {1, 1 - eps}, {1, 1}));
  EXPECT_FALSE(agree(ElementType::F16, {1, 1 + 3 * eps}, {1, 1 - eps}, {1, 1}));
}

TEST(CompareTest, PutsNaNAndInfinitiesInPlace) {
  EXPECT_TRUE(agree(ElementType::F32, {NAN, INFINITY, -INFINITY, 1},
                    {NAN, INFINITY, -INFINITY, 1},
                    {NAN, INFINITY, -INFINITY, 1}));
  EXPECT_FALSE(agree(ElementType::F32, {1, 1}, {NAN, 1}, {NAN, 1}));
  EXPECT_FALSE(agree(ElementType::F32, {NAN, 1}, {1, 1}, {1, 1}));
  EXPECT_FALSE(
      agree(ElementType::F32, {-INFINITY, 1}, {INFINITY, 1}, {INFINITY, 1}));
  EXPECT_FALSE(agree(ElementType::F32, {INFINITY, 1}, {1, 1}, {1, 1}));
  EXPECT_FALSE(agree(ElementType::F32, {NAN, 1}, {INFINITY, 1}, {INFINITY, 1}));
  // Where the expected result overflows its type, anything goes.
  EXPECT_TRUE(agree(ElementType::F16, {65504, 1}, {INFINITY, 1}, {70000, 1}));
  EXPECT_TRUE(
      agree(ElementType::F16, {INFINITY, 1}, {INFINITY, 1}, {70000, 1}));
}

TEST(CompareTest, ComparesIntegersExactly) {
  Tensor a = make(ElementType::I64, {1, 2, 3});
  Tensor b = make(ElementType::I64, {1, 2, 4});
  EXPECT_TRUE(compareResults(a, a, nullptr).agrees);
  Comparison comparison = compareResults(a, b, nullptr);
  EXPECT_FALSE(comparison.agrees);
  EXPECT_EQ(comparison.summary, "1 of 3 elements differ");
  EXPECT_EQ(comparison.details, "  [2]: found 3, expected 4\n");
  // f64 can not tell these two apart.
  Tensor c(ElementType::I64, {1}), d(ElementType::I64, {1});
  c.setInteger(0, (int64_t(1) << 60) + 1);
  d.setInteger(0, int64_t(1) << 60);
  EXPECT_FALSE(compareResults(c, d, nullptr).agrees);
}

TEST(CompareTest, ComparesExactlyWithoutReference) {
  Tensor a = make(ElementType::F32, {1, NAN}),
         b = make(ElementType::F32, {1.0000001, NAN});
  EXPECT_TRUE(compareResults(a, a, nullptr).agrees);
  EXPECT_FALSE(compareResults(a, b, nullptr).agrees);
}

TEST(CompareTest, ComparesShapesAndTypes) {
  Tensor a(ElementType::F32, {2, 3}), b(ElementType::F32, {3, 2}),
      c(ElementType::F16, {2, 3});
  EXPECT_EQ(compareResults(a, b, nullptr).summary,
            "found 2x3xf32, expected 3x2xf32");
  EXPECT_EQ(compareResults(a, c, nullptr).summary,
            "found 2x3xf32, expected 2x3xf16");
}

TEST(CompareTest, ShowsBothSides) {
  Tensor found(ElementType::F32, {4, 5}), expected(ElementType::F32, {4, 5}),
      exact(ElementType::F64, {4, 5});
  for (int i = 0; i < 20; ++i) {
    found.setDouble(i, 2);
    expected.setDouble(i, 1);
    exact.setDouble(i, 1);
  }
  Comparison comparison = compareResults(found, expected, &exact);
  EXPECT_FALSE(comparison.agrees);
  EXPECT_NE(comparison.details.find(
                "  [1, 2]: found 2, expected 1, in f64 1\n  ...\n"),
            std::string::npos);
  EXPECT_NE(comparison.summary.find("max error 1 (bound"), std::string::npos);
}

TEST(CompareTest, ComparesEmptyAndComplexResults) {
  Tensor empty(ElementType::F32, {0}), exact(ElementType::F64, {0});
  EXPECT_TRUE(compareResults(empty, empty, &exact).agrees);
  Tensor a(ElementType::ComplexF32, {1}), b(ElementType::ComplexF32, {1}),
      r(ElementType::ComplexF64, {1});
  a.setComplex(0, {1, 2});
  b.setComplex(0, {1, 2});
  r.setComplex(0, {1, 2});
  EXPECT_TRUE(compareResults(a, b, &r).agrees);
  a.setComplex(0, {1, 2.001});
  EXPECT_FALSE(compareResults(a, b, &r).agrees);
}

} // namespace
