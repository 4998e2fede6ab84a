//===- LevelReportTest.cpp ------------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Target/LevelReport.h"
#include "SamplePlan.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir::fusion;
using mlir::fusion::test::makeSamplePlan;

namespace {

LevelReport makeSampleReport(llvm::ArrayRef<int64_t> dims) {
  auto report = makeLevelReport(makeSamplePlan(), *lookupTarget("sm_80"),
                                "pattern", dims, 0.25);
  EXPECT_TRUE(bool(report));
  return report ? *report : LevelReport();
}

TEST(TargetTableTest, LooksUp) {
  ASSERT_NE(lookupTarget("sm_90a"), nullptr);
  EXPECT_TRUE(lookupTarget("sm_90a")->hasWarpgroupMma());
  EXPECT_FALSE(lookupTarget("sm_90")->hasWarpgroupMma());
  EXPECT_TRUE(lookupTarget("apple9")->isApple());
  EXPECT_FALSE(lookupTarget("apple9")->hasF64);
  EXPECT_EQ(lookupTarget("sm_70"), nullptr);
  EXPECT_EQ(lookupTarget(""), nullptr);
  EXPECT_EQ(getTargetNames(), "sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100a, "
                              "apple7, apple8, apple9");
}

TEST(LevelReportTest, SumsUp) {
  LevelReport report = makeSampleReport({100});
  // Two launches of 816 bytes and a copy of 400; preparing does not count.
  EXPECT_EQ(report.launches, 3);
  EXPECT_EQ(report.distinctKernels, 2);
  EXPECT_EQ(report.bytes, 2 * 816 + 800);
  EXPECT_EQ(report.minimumBytes, 2 * 816 + 800);
  EXPECT_EQ(report.flops, 0);
  EXPECT_EQ(report.kinds,
            (std::map<std::string, int64_t>{{"copy", 1}, {"elementwise", 2}}));
  EXPECT_EQ(report.rereadBytes, 0);
  EXPECT_NEAR(report.modelledMicroseconds, 3 * 1.3 + 2432 / 2.0e12 * 1e6, 1e-9);
}

TEST(LevelReportTest, CountsWhatIsReadAgain) {
  LaunchPlan plan = makeSamplePlan();
  for (PlanStep &step : plan.steps)
    if (step.kind == PlanStep::Kind::Launch && !step.prepare)
      step.rereadBytes = step.bytes;
  auto report =
      makeLevelReport(plan, *lookupTarget("sm_80"), "pattern", {100}, 0);
  ASSERT_TRUE(static_cast<bool>(report));
  EXPECT_EQ(report->rereadBytes, 2 * 816);
  EXPECT_EQ(report->bytes, 2 * 816 + 800);
  EXPECT_NEAR(report->modelledMicroseconds,
              3 * 1.3 + (2432 + 2 * 816) / 2.0e12 * 1e6, 1e-9);
}

TEST(LevelReportTest, NeedsDims) {
  auto report = makeLevelReport(makeSamplePlan(), *lookupTarget("sm_80"),
                                "pattern", {}, 0);
  EXPECT_EQ(llvm::toString(report.takeError()),
            "size 0 of argument 0 is dynamic; hint: give the dynamic sizes "
            "with --dims");
}

TEST(LevelReportTest, ModelsWaves) {
  const TargetInfo &target = *lookupTarget("sm_90a");
  double full = modelLaunchMicroseconds(target, 0, 790'000'000'000, 132);
  EXPECT_NEAR(full, 1000 + 1.3, 1e-6);
  // One block more needs a second wave.
  double more = modelLaunchMicroseconds(target, 0, 790'000'000'000, 133);
  EXPECT_NEAR(more, 1000 * 264.0 / 133 + 1.3, 1e-6);
  EXPECT_NEAR(modelLaunchMicroseconds(target, 4'300'000, 1000, 1), 1 + 1.3,
              1e-6);
}

TEST(LevelReportTest, Prints) {
  ModelReport report{"a<b", "sm_80", {makeSampleReport({1 << 20})}};
  std::string text;
  llvm::raw_string_ostream os(text);
  printReportText(report, os);
  EXPECT_EQ(
      text,
      "a<b, sm_80\n"
      "level    launches  kernels  MB moved  MB min  MB again  GFLOP  "
      "model us  compile s\n"
      "pattern         3        2     25.17   25.17      0.00   0.00      "
      "16.5       0.25\n"
      "pattern: 1 copy, 2 elementwise\n");
  text.clear();
  os << toJSON(report);
  EXPECT_EQ(text.substr(0, text.rfind(".")),
            "{\"levels\":[{\"bytes\":25165856,\"compileSeconds\":0.25,"
            "\"distinctKernels\":2,\"flops\":0,\"kinds\":{\"copy\":1,"
            "\"elementwise\":2},\"launches\":3,\"level\":\"pattern\","
            "\"minimumBytes\":25165856,\"modelledMicroseconds\":16");
  EXPECT_NE(text.find("\"model\":\"a<b\",\"target\":\"sm_80\"}"),
            std::string::npos);
  text.clear();
  printReportHTML(report, os);
  EXPECT_NE(text.find("<h2>a&lt;b, sm_80</h2>"), std::string::npos);
  EXPECT_NE(text.find("<td>pattern</td><td>3</td>"), std::string::npos);
}

} // namespace
