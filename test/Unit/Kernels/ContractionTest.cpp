//===- ContractionTest.cpp - Contraction kernels -----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionKernel.h"
#include "gtest/gtest.h"

using namespace mlir::fusion;
using namespace mlir::fusion::test;

namespace mlir::fusion::test {
/// How a failing case is shown.
static void PrintTo(const ContractionCase &test, std::ostream *os) {
  *os << test.getName();
}
} // namespace mlir::fusion::test

namespace {

class ContractionTest : public testing::TestWithParam<ContractionCase> {};

ContractionCase sized(int64_t m, int64_t n, int64_t k,
                      const std::string &type = "f32") {
  ContractionCase test;
  test.m = m;
  test.n = n;
  test.k = k;
  test.operandType = type;
  return test;
}

/// Sizes below, at and above those of tiles, in every storage order.
std::vector<ContractionCase> getCases() {
  std::vector<ContractionCase> cases;
  for (const char *type : {"f16", "bf16", "f32"}) {
    for (bool transposeA : {false, true})
      for (bool transposeB : {false, true})
        for (auto [m, n, k] : {std::array<int64_t, 3>{130, 72, 40},
                               {33, 77, 7},
                               {1, 33, 130},
                               {3, 64, 96},
                               {64, 64, 64},
                               {16, 1, 64}}) {
          ContractionCase test = sized(m, n, k, type);
          test.transposeA = transposeA;
          test.transposeB = transposeB;
          cases.push_back(test);
        }
    ContractionCase test = sized(70, 130, 50, type);
    test.dynamic = true;
    cases.push_back(test);
    test.dynamic = false;
    ContractionCase dynamicRows = sized(70, 128, 96, type);
    dynamicRows.dynamicM = true;
    cases.push_back(dynamicRows);
    dynamicRows.transposeB = true;
    cases.push_back(dynamicRows);
    test.batch = 3;
    cases.push_back(test);
    test.batch = 1;
    test.numRhs = 2;
    cases.push_back(test);
    test.numRhs = 1;
    test.loadA = true;
    cases.push_back(test);
    test = sized(96, 128, 64, type);
    test.loadA = test.loadVectorsA = true;
    cases.push_back(test);
    test.transposeA = true;
    cases.push_back(test);
    test = sized(128, 128, 128, type);
    test.resultType = type;
    test.readPartner = true;
    cases.push_back(test);
    // Few rows and a deep k: the skinny template.
    test = sized(2, 64, 300, type);
    test.numRhs = 2;
    test.batch = 2;
    cases.push_back(test);
    test = sized(3, 20, 1100, type);
    test.loadA = true;
    test.transposeB = true;
    cases.push_back(test);
    test.numRhs = 2;
    test.loadA = false;
    cases.push_back(test);
    test.loadA = test.loadVectorsA = true;
    cases.push_back(test);
    test = sized(1, 72, 2048, type);
    test.transposeB = true;
    test.resultType = type;
    cases.push_back(test);
    test = sized(4, 33, 515, type);
    cases.push_back(test);
  }
  // Metal compiles slowly here: fewer sizes.
  for (const char *type : {"f16", "bf16", "f32"}) {
    ContractionCase test = sized(70, 130, 50, type);
    test.target = "apple9";
    cases.push_back(test);
    test.transposeA = true;
    test.dynamic = true;
    test.numRhs = 2;
    cases.push_back(test);
    test = sized(96, 128, 64, type);
    test.target = "apple7";
    test.transposeB = true;
    test.resultType = type;
    test.readPartner = true;
    cases.push_back(test);
    test = sized(2, 64, 1100, type);
    test.target = "apple8";
    cases.push_back(test);
    test.transposeB = true;
    cases.push_back(test);
  }
  for (auto [operand, accumulator] :
       {std::pair<const char *, const char *>{"i32", "i32"},
        {"i8", "i32"},
        {"f64", "f64"},
        {"i64", "i64"}})
    for (int64_t m : {1, 50}) {
      ContractionCase test = sized(m, 70, 33, operand);
      test.accumulatorType = test.resultType = accumulator;
      cases.push_back(test);
    }
  return cases;
}

} // namespace

TEST_P(ContractionTest, MatchesDoublePrecision) {
  ContractionResult result = run(GetParam());
  EXPECT_EQ(result.error, "");
  EXPECT_LE(result.maxError, 1);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, ContractionTest, testing::ValuesIn(getCases()),
    [](const testing::TestParamInfo<ContractionCase> &info) {
      return info.param.getName();
    });

/// Runs `test` and checks that no access to memory is wasted.
static KernelProfile checkAccesses(const ContractionCase &test) {
  ContractionResult result = run(test, /*profile=*/true);
  EXPECT_EQ(result.error, "") << test.getName();
  EXPECT_LE(result.maxError, 1) << test.getName();
  const KernelProfile &profile = result.profile;
  EXPECT_EQ(profile.ldmatrixConflicts, 0u) << test.getName();
  EXPECT_EQ(profile.sharedLoadConflicts, 0u) << test.getName();
  EXPECT_EQ(profile.sharedStoreConflicts, 0u) << test.getName();
  // Every sector that is touched is used.
  EXPECT_EQ(profile.globalLoadSectors * 32, profile.globalLoadBytes)
      << test.getName();
  EXPECT_EQ(profile.globalStoreSectors * 32, profile.globalStoreBytes)
      << test.getName();
  return profile;
}

TEST(ContractionCounters, MatrixUnit) {
  for (bool transposeB : {false, true}) {
    ContractionCase test = sized(512, 512, 512, "f16");
    test.resultType = "f16";
    test.transposeB = transposeB;
    EXPECT_EQ(checkAccesses(test).mmaFlops, 2u * 512 * 512 * 512);
  }
}

TEST(ContractionCounters, Scalar) {
  for (bool transposeB : {false, true}) {
    ContractionCase test = sized(128, 128, 128, "f32");
    test.transposeB = transposeB;
    checkAccesses(test);
  }
}

TEST(ContractionCounters, Skinny) {
  for (bool transposeB : {false, true}) {
    ContractionCase test = sized(1, 128, 2048, "bf16");
    test.transposeB = transposeB;
    checkAccesses(test);
  }
}
