//===- AttentionTest.cpp - Attention kernels ------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"
#include "llvm/ADT/StringSwitch.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::test;

using Order = AttentionCase::Order;
using Mask = AttentionCase::Mask;

/// The error of a result in [-1, 1]: of the arithmetic, and of probabilities
/// that are rounded to 11 or 8 bits.
static double getTolerance(const AttentionCase &test) {
  return llvm::StringSwitch<double>(test.type)
      .Case("f64", 1e-13)
      .Case("f32", 2e-6)
      .Case("f16", 1e-3)
      .Default(8e-3);
}

/// Runs `test` as it is, and once more with probabilities.
static void check(AttentionCase test) {
  for (bool probabilities : {false, true}) {
    test.probabilities = probabilities;
    SCOPED_TRACE(test.getName());
    AttentionResult result = run(test);
    ASSERT_EQ(result.error, "");
    EXPECT_LE(result.maxError, getTolerance(test));
    EXPECT_LE(result.maxLseError, test.type == "f64" ? 1e-12 : 2e-5);
    // These are rounded to no narrower type than the accumulator's.
    EXPECT_LE(result.maxProbabilityError, test.type == "f64" ? 1e-13 : 2e-6);
  }
}

/// What the tests of semantics go through: every matrix unit.
static constexpr struct {
  const char *target, *type;
} kUnits[] = {{"sm_80", "f32"}, {"sm_80", "f16"}, {"apple9", "f16"}};

static AttentionCase makeCase(StringRef target, StringRef type, int64_t queries,
                              int64_t keys, int64_t width = 16) {
  AttentionCase test;
  test.target = target;
  test.type = type;
  test.queries = queries;
  test.keys = keys;
  test.widthQK = test.widthV = width;
  return test;
}

TEST(Attention, Sizes) {
  for (auto [target, type] : kUnits) {
    for (int64_t size : {1, 2, 16, 33, 64, 130}) {
      AttentionCase test = makeCase(target, type, size, 131 - size);
      test.heads = 2;
      check(test);
    }
  }
}

TEST(Attention, Types) {
  std::pair<const char *, const char *> cases[] = {
      {"sm_80", "f64"},  {"sm_80", "bf16"},  {"sm_90a", "f16"},
      {"apple7", "f32"}, {"apple9", "bf16"},
  };
  for (auto [target, type] : cases) {
    AttentionCase test = makeCase(target, type, 37, 70, 40);
    test.batches = 2;
    test.lse = true;
    check(test);
  }
}

TEST(Attention, Widths) {
  int64_t widths[][2] = {{1, 1},   {13, 13}, {80, 80},   {96, 96},
                         {64, 24}, {8, 100}, {192, 128}, {256, 256}};
  for (auto [target, type] : kUnits) {
    for (auto [qk, v] : widths) {
      AttentionCase test = makeCase(target, type, 20, 40, qk);
      test.widthV = v;
      test.scale = 1.0 / std::sqrt(qk);
      check(test);
    }
  }
}

TEST(Attention, WideWidths) {
  for (auto [target, type] : kUnits) {
    AttentionCase test = makeCase(target, type, 18, 35, 300);
    test.widthV = 290;
    test.scale = 0.1;
    test.lse = true;
    check(test);
  }
}

TEST(Attention, NoWidth) {
  // The mean of the values.
  for (auto [target, type] : kUnits) {
    AttentionCase test = makeCase(target, type, 5, 40, 0);
    test.widthV = 16;
    check(test);
  }
}

TEST(Attention, NoTiles) {
  // No row sees a key: what the kernel has begun to copy is complete before the
  // memory is used for something else.
  for (auto [target, type] : kUnits) {
    for (Order order : {Order::HeadsOutside, Order::WidthOutside}) {
      AttentionCase test = makeCase(target, type, 20, 40);
      test.order = order;
      test.causalOffset = -100;
      test.lse = true;
      check(test);
    }
  }
}

TEST(Attention, NoValues) {
  // Rows have no results, but a sum and probabilities.
  for (auto [target, type] : kUnits) {
    for (bool dynamic : {false, true}) {
      AttentionCase test = makeCase(target, type, 20, 40);
      test.widthV = 0;
      test.dynamicWidths = dynamic;
      test.lse = true;
      check(test);
    }
  }
}

TEST(Attention, NoKeys) {
  for (auto [target, type] : kUnits) {
    for (MaskedRows policy : {MaskedRows::Zero, MaskedRows::NaN}) {
      for (bool dynamic : {false, true}) {
        AttentionCase test = makeCase(target, type, 5, 0);
        test.dynamicSizes = dynamic;
        test.maskedRows = policy;
        test.lse = true;
        check(test);
      }
    }
  }
}

TEST(Attention, DynamicSizes) {
  for (auto [target, type] : kUnits) {
    for (bool widths : {false, true}) {
      AttentionCase test = makeCase(target, type, 67, 90, 24);
      test.widthV = 72;
      test.dynamicSizes = true;
      test.dynamicWidths = widths;
      check(test);
      test.causalOffset = 23;
      check(test);
    }
  }
}

TEST(Attention, WideIndices) {
  for (auto [target, type] : kUnits) {
    AttentionCase test = makeCase(target, type, 33, 90, 24);
    test.wideIndices = true;
    test.dynamicSizes = true;
    test.causalOffset = -7;
    test.window = 20;
    test.mask = Mask::Boolean;
    check(test);
  }
}

TEST(Attention, Orders) {
  for (auto [target, type] : kUnits) {
    for (Order order : {Order::HeadsInside, Order::WidthOutside}) {
      for (int64_t keys : {64, 75}) {
        AttentionCase test = makeCase(target, type, 72, keys, 32);
        test.heads = 3;
        test.order = order;
        check(test);
      }
    }
    AttentionCase test = makeCase(target, type, 30, 80, 32);
    test.load = true;
    check(test);
  }
}

TEST(Attention, SharedHeads) {
  for (auto [target, type] : kUnits) {
    for (int64_t queries : {1, 3, 70}) {
      AttentionCase test = makeCase(target, type, queries, 100, 32);
      test.batches = 2;
      test.heads = 9;
      test.groupSize = 3;
      test.lse = true;
      check(test);
      test.causalOffset = 100 - queries;
      test.order = Order::HeadsInside;
      check(test);
    }
  }
}

TEST(Attention, Causal) {
  for (auto [target, type] : kUnits) {
    // Top left, bottom right, and rows that see nothing.
    int64_t cases[][3] = {{64, 64, 0},   {65, 65, 0},   {4, 16, 0},
                          {4, 16, 12},   {130, 70, 0},  {130, 70, -60},
                          {70, 130, 60}, {70, 130, -5}, {33, 200, 500}};
    for (auto [queries, keys, offset] : cases) {
      AttentionCase test = makeCase(target, type, queries, keys);
      test.causalOffset = offset;
      test.lse = true;
      check(test);
      if (queries % 10 != 0)
        continue;
      test.dynamicSizes = true;
      test.maskedRows = MaskedRows::NaN;
      check(test);
    }
  }
}

TEST(Attention, CausalReadsNothingBeyond) {
  for (auto [target, type] : kUnits) {
    for (int64_t queries : {1, 5}) {
      AttentionCase test = makeCase(target, type, queries, 200, 32);
      test.causalOffset = 70;
      test.unwrittenKeys = 70 + queries;
      test.heads = 2;
      check(test);
    }
  }
}

TEST(Attention, Window) {
  for (auto [target, type] : kUnits) {
    for (int64_t window : {1, 33, 300}) {
      for (int64_t offset : {60, -20}) {
        AttentionCase test = makeCase(target, type, 100, 150);
        test.causalOffset = offset;
        test.window = window;
        test.lse = true;
        check(test);
      }
    }
  }
}

TEST(Attention, SoftCap) {
  for (auto [target, type] : kUnits) {
    AttentionCase test = makeCase(target, type, 40, 70, 32);
    test.softcap = 1.5;
    test.scale = 2.0;
    check(test);
    test.mask = Mask::Float;
    check(test);
  }
}

TEST(Attention, Scales) {
  for (auto [target, type] : kUnits) {
    for (double scale : {1.0, -0.7, 0.0, 1e-3}) {
      AttentionCase test = makeCase(target, type, 20, 50, 32);
      test.scale = scale;
      test.lse = true;
      check(test);
    }
  }
}

TEST(Attention, Masks) {
  for (auto [target, type] : kUnits) {
    for (Mask mask : {Mask::Boolean, Mask::Float}) {
      for (MaskedRows policy : {MaskedRows::Zero, MaskedRows::NaN}) {
        AttentionCase test = makeCase(target, type, 70, 90);
        test.batches = 2;
        test.heads = 2;
        test.mask = mask;
        test.maskedQuery = 3;
        test.maskedRows = policy;
        test.lse = true;
        check(test);
        test.causalOffset = 5;
        test.dynamicSizes = true;
        check(test);
      }
    }
  }
}

TEST(Attention, MaskedRowWithFiniteMinimum) {
  for (auto [target, type] : kUnits) {
    for (double masked : {-3.402823466e+38, -65504.0, -1e9}) {
      AttentionCase test = makeCase(target, type, 20, 70);
      test.mask = Mask::Float;
      test.masked = masked;
      test.maskedQuery = 7;
      check(test);
    }
  }
}

TEST(Attention, Factors) {
  for (auto [target, type] : kUnits) {
    AttentionCase test = makeCase(target, type, 40, 70, 32);
    test.heads = 2;
    test.factor = true;
    check(test);
    test.lse = true;
    test.causalOffset = 3;
    test.scale = -0.5;
    check(test);
    test.softcap = 1.5;
    test.mask = Mask::Float;
    test.dynamicSizes = true;
    check(test);
  }
}

TEST(Attention, MaskedScores) {
  // -65504 takes scores of f16 out of every sum but that of a masked row.
  for (auto [target, type] : kUnits) {
    for (double score : {-65504.0, -5.0, 3.0}) {
      AttentionCase test = makeCase(target, type, 20, 70);
      test.maskedQuery = 7;
      test.maskedScore = score;
      // The logarithm of a masked row has the digits of its score.
      test.lse = std::abs(score) < 10;
      test.mask = Mask::Boolean;
      check(test);
      test.mask = Mask::Float;
      test.masked = std::numeric_limits<double>::quiet_NaN();
      check(test);
      test.causalOffset = 4;
      test.dynamicSizes = true;
      check(test);
    }
  }
}

TEST(Attention, Floors) {
  for (auto [target, type] : kUnits) {
    for (double floor : {-65504.0, -0.5}) {
      AttentionCase test = makeCase(target, type, 20, 70);
      test.floor = floor;
      test.lse = std::abs(floor) < 10;
      check(test);
      // A row that is masked by -inf, and scores that are NaN.
      test.mask = Mask::Float;
      test.maskedQuery = 7;
      check(test);
      test.mask = Mask::None;
      test.nanQuery = 4;
      check(test);
    }
  }
}

TEST(Attention, LargeScores) {
  // Products beyond the range of f16, and exponents whose rounding matters.
  for (auto [target, type] : kUnits) {
    for (double magnitude : {1e3, 3e4}) {
      AttentionCase test = makeCase(target, type, 30, 70, 64);
      test.magnitude = magnitude;
      test.scale = 0.3;
      SCOPED_TRACE(test.getName());
      AttentionResult result = run(test);
      ASSERT_EQ(result.error, "");
      // Scores are known to 2^-24 of their size only.
      EXPECT_LE(result.maxError, 0.1);
    }
  }
}

TEST(Attention, NaN) {
  for (auto [target, type] : kUnits) {
    AttentionCase test = makeCase(target, type, 20, 70);
    test.nanQuery = 4;
    AttentionResult result = run(test);
    ASSERT_EQ(result.error, "");
    EXPECT_LE(result.maxError, getTolerance(test));
  }
}

TEST(Attention, Schedules) {
  using Unit = MatrixUnitKind;
  ScheduleAttr schedules[] = {
      makeSchedule(Unit::MmaSync, {64, 64}, {4, 1}, 1),
      makeSchedule(Unit::MmaSync, {64, 64}, {4, 1}, 2, 4),
      makeSchedule(Unit::MmaSync, {128, 32}, {4, 1}, 4, 8),
      makeSchedule(Unit::MmaSync, {128, 64}, {8, 1}, 3),
      makeSchedule(Unit::MmaSync, {16, 64}, {1, 4}, 2, 4),
      makeSchedule(Unit::MmaSync, {32, 64}, {2, 2}, 3, 1),
      makeSchedule(Unit::MmaSync, {16, 16}, {1, 1}, 5),
      makeSchedule(Unit::Scalar, {32, 32}, {1, 2}, 1, 4),
      makeSchedule(Unit::Scalar, {64, 16}, {1, 1}, 1),
  };
  for (ScheduleAttr schedule : schedules) {
    AttentionCase test = makeCase("sm_80", "f16", 77, 190, 64);
    test.schedule = schedule;
    test.lse = true;
    check(test);
    test.causalOffset = 100;
    test.widthV = 72;
    check(test);
  }
}

TEST(Attention, InvalidSchedules) {
  using Unit = MatrixUnitKind;
  std::pair<ScheduleAttr, const char *> cases[] = {
      {makeSchedule(Unit::MmaSync, {60, 64}, {4, 1}, 1), "not a multiple"},
      {makeSchedule(Unit::MmaSync, {64}, {4, 1}, 1), "two positive sizes"},
      {makeSchedule(Unit::Simdgroup, {64, 64}, {4, 1}, 1), "does not exist"},
      {makeSchedule(Unit::MmaSync, {64, 64}, {4, 1}, 0), "stage"},
      {makeSchedule(Unit::MmaSync, {64, 64}, {4, 1}, 9), "shared memory"},
      {makeSchedule(Unit::MmaSync, {64, 64}, {4, 1}, 1, 3), "power of two"},
      {makeSchedule(Unit::MmaSync, {1024, 64}, {64, 1}, 1), "threads"},
  };
  for (auto [schedule, message] : cases) {
    AttentionCase test = makeCase("sm_80", "f16", 64, 64, 64);
    test.schedule = schedule;
    AttentionKernel kernel = buildKernel(test);
    EXPECT_FALSE(kernel.module);
    EXPECT_NE(kernel.error.find(message), std::string::npos) << kernel.error;
  }
}

TEST(Attention, Profile) {
  AttentionCase test = makeCase("sm_80", "f16", 512, 512, 64);
  test.heads = 4;
  test.scale = 0.125;
  AttentionResult result = run(test, /*profile=*/true);
  ASSERT_EQ(result.error, "");
  EXPECT_LE(result.maxError, 1e-3);
  const KernelProfile &profile = result.profile;
  EXPECT_EQ(profile.ldmatrixConflicts, 0u);
  EXPECT_EQ(profile.sharedStoreConflicts, 0u);
  EXPECT_EQ(profile.sharedLoadConflicts, 0u);
  // Every byte of every sector is used.
  EXPECT_EQ(profile.globalLoadBytes, 32 * profile.globalLoadSectors);
  EXPECT_EQ(profile.globalStoreBytes, 32 * profile.globalStoreSectors);
  double ideal = 4.0 * 4 * 512 * 512 * 64;
  EXPECT_LE(profile.mmaFlops, 1.02 * ideal);
}
