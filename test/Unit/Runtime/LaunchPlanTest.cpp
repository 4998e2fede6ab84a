//===- LaunchPlanTest.cpp -------------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SamplePlan.h"
#include "fusion/Target/PlanEvaluation.h"
#include "fusion/Target/PlanJSON.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir::fusion;
using mlir::fusion::test::makeSamplePlan;
using mlir::fusion::test::PlanBuilder;
using Kind = PlanScalar::Kind;

namespace {

std::string print(const LaunchPlan &plan) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printPlanJSON(plan, os);
  return text;
}

std::string getError(const std::string &text) {
  llvm::Expected<LaunchPlan> plan = parsePlanJSON(text);
  return plan ? "" : llvm::toString(plan.takeError());
}

/// The sample's text with the first `from` replaced by `to`.
std::string edit(const std::string &from, const std::string &to) {
  std::string text = print(makeSamplePlan());
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string verify(void (*change)(LaunchPlan &)) {
  LaunchPlan plan = makeSamplePlan();
  change(plan);
  return llvm::toString(verifyPlan(plan));
}

TEST(PlanEvaluationTest, ComputesEveryKind) {
  PlanBuilder b;
  ScalarId n = b.constant(-7), p = b.constant(2), z = b.constant(0);
  auto expect = [&](Kind kind, std::vector<ScalarId> operands,
                    std::optional<int64_t> expected) {
    ScalarId id = b.get(kind, std::move(operands));
    EXPECT_EQ(evaluateScalars(b.plan, {})[id], expected) << int(kind);
  };
  expect(Kind::Add, {n, p}, -5);
  expect(Kind::Sub, {n, p}, -9);
  expect(Kind::Mul, {n, p}, -14);
  expect(Kind::DivS, {n, p}, -3);
  expect(Kind::RemS, {n, p}, -1);
  expect(Kind::FloorDiv, {n, p}, -4);
  expect(Kind::CeilDiv, {n, p}, -3);
  expect(Kind::Mod, {n, p}, 1);
  expect(Kind::Min, {n, p}, -7);
  expect(Kind::Max, {n, p}, 2);
  expect(Kind::And, {n, p}, -7 & 2);
  expect(Kind::Or, {n, p}, -7 | 2);
  expect(Kind::Xor, {n, p}, -7 ^ 2);
  expect(Kind::Eq, {n, p}, 0);
  expect(Kind::Ne, {n, p}, 1);
  expect(Kind::Lt, {n, p}, 1);
  expect(Kind::Le, {n, n}, 1);
  expect(Kind::Gt, {n, p}, 0);
  expect(Kind::Ge, {n, n}, 1);
  expect(Kind::DivS, {n, z}, std::nullopt);
  expect(Kind::DivS, {b.constant(INT64_MIN), b.constant(-1)}, std::nullopt);
  expect(Kind::Add, {b.constant(INT64_MAX), b.constant(1)}, INT64_MIN);
  // Only the chosen operand of a select needs a value.
  ScalarId undefined = b.get(Kind::FloorDiv, {n, z});
  expect(Kind::Select, {z, undefined, p}, 2);
  expect(Kind::Select, {p, undefined, p}, std::nullopt);
  expect(Kind::Select, {undefined, p, p}, std::nullopt);
}

TEST(PlanEvaluationTest, ReadsArguments) {
  LaunchPlan plan = makeSamplePlan();
  PlanInputs inputs{{{100}, {4}, {}}, {{}, {}, 5}};
  auto values = evaluateScalars(plan, inputs);
  EXPECT_EQ(values[plan.arenaBytes], 416);
  EXPECT_EQ(values[plan.steps[2].grid[0]], 2);
  EXPECT_EQ(values[plan.steps[4].operands[2].id], 5);
  EXPECT_EQ(evaluateScalars(plan, {})[plan.arenaBytes], std::nullopt);
}

TEST(PlanEvaluationTest, ResolvesShapes) {
  LaunchPlan plan = makeSamplePlan();
  auto shapes = resolveShapes(plan, {17, 30});
  ASSERT_TRUE(bool(shapes));
  EXPECT_EQ((*shapes)[0], std::vector<int64_t>{17});
  EXPECT_EQ((*shapes)[1], std::vector<int64_t>{4});
  EXPECT_EQ(llvm::toString(resolveShapes(plan, {}).takeError()),
            "size 0 of argument 0 is dynamic; hint: give the dynamic sizes "
            "with --dims");
}

TEST(PlanVerifierTest, FindsFaults) {
  EXPECT_EQ(verify([](LaunchPlan &) {}), "");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.arenaBytes = 999; }),
            "launch plan: arenaBytes names a scalar that does not exist");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.scalars[7].operands = {7, 7}; }),
            "launch plan: scalars[7] uses a scalar that does not precede it");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.scalars[7].operands = {0}; }),
            "launch plan: scalars[7] has a wrong number of operands");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.scalars[5].dim = 1; }),
            "launch plan: scalars[5] names a dimension that does not exist");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.scalars[6].argument = 1; }),
            "launch plan: scalars[6] reads the value of an argument with "
            "dimensions");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.arguments[1].element = "f99"; }),
            "launch plan: arguments[1] has the unknown element type 'f99'");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.buffers[0].index = 3; }),
            "launch plan: buffers[0] names an argument that does not exist");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.buffers[5].data.pop_back(); }),
            "launch plan: buffers[5] does not have as many bytes as its data");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.kernels[1].name = "twice"; }),
            "launch plan: kernels[1] has no name of its own");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.kernels[1].block[2] = 0; }),
            "launch plan: kernels[1] has an empty block");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.steps[2].dependencies = {2}; }),
            "launch plan: steps[2] depends on a step that does not precede it");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.steps[2].operands[1].id = 50; }),
            "launch plan: steps[2].operands[1] names a buffer that does not "
            "exist");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.steps[2].operands[3].bytes = 3; }),
            "launch plan: steps[2].operands[3] is not of 1, 2, 4 or 8 bytes");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.steps[3].destination = 50; }),
            "launch plan: steps[3].destination names a buffer that does not "
            "exist");
  EXPECT_EQ(verify([](LaunchPlan &p) { p.results[1].buffer = 50; }),
            "launch plan: results[1] names a buffer that does not exist");
}

TEST(PlanJSONTest, PrintsExpressions) {
  std::string text = print(makeSamplePlan());
  EXPECT_NE(text.find("\"arenaBytes\": \"16 + ceildiv(arg0.dim0 * 4, 16) * "
                      "16\""),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"grid\":[\"ceildiv(arg0.dim0, 64)\",1,1]"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"condition\":\"gt(arg0.dim0, 0)\""), std::string::npos);
  EXPECT_NE(text.find("\"data\":\"AAAAQA==\""), std::string::npos);
  EXPECT_NE(text.find("{\"bytes\":8,\"scalar\":\"arg2.value\"}"),
            std::string::npos);
}

TEST(PlanJSONTest, RoundTrips) {
  std::string text = print(makeSamplePlan());
  llvm::Expected<LaunchPlan> plan = parsePlanJSON(text);
  ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
  EXPECT_EQ(print(*plan), text);
  EXPECT_EQ(plan->donated, (std::vector<bool>{true, false, false}));
  EXPECT_EQ(plan->steps[0].prepare, true);
  EXPECT_EQ(plan->buffers[5].data, (std::vector<char>{0, 0, 0, 0x40}));
}

/// The file that test/Target/LaunchPlan/schema.test validates is what we print.
TEST(PlanJSONTest, PrintsTheSample) {
  auto buffer = llvm::MemoryBuffer::getFile(
      FUSION_TEST_SOURCE "/Target/LaunchPlan/Inputs/sample.json");
  ASSERT_TRUE(bool(buffer));
  EXPECT_EQ(print(makeSamplePlan()), (*buffer)->getBuffer().str());
}

TEST(PlanJSONTest, KeepsPrecedence) {
  PlanBuilder b;
  b.plan.arguments = {{"f32", {}}};
  ScalarId zero = b.constant(0);
  b.plan.arguments[0].shape = {zero, zero, zero};
  ScalarId x = b.dim(0, 0), y = b.dim(0, 1), z = b.dim(0, 2);
  b.plan.arguments[0].shape = {x, y, z};
  ScalarId difference = b.get(Kind::Sub, {x, b.get(Kind::Sub, {y, z})});
  ScalarId product = b.get(Kind::Mul, {x, b.get(Kind::Mul, {y, difference})});
  ScalarId negative = b.get(Kind::Sub, {product, b.constant(-3)});
  b.plan.arenaBytes = negative;
  std::string text = print(b.plan);
  EXPECT_NE(text.find("arg0.dim0 * (arg0.dim1 * (arg0.dim0 - (arg0.dim1 - "
                      "arg0.dim2))) - -3"),
            std::string::npos)
      << text;
  llvm::Expected<LaunchPlan> plan = parsePlanJSON(text);
  ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
  PlanInputs inputs{{{5, 7, 11}}, {}};
  EXPECT_EQ(evaluateScalars(*plan, inputs)[plan->arenaBytes],
            5 * (7 * (5 - (7 - 11))) + 3);
}

TEST(PlanJSONTest, NamesSharedScalars) {
  PlanBuilder b;
  ScalarId zero = b.constant(0);
  b.plan.arguments = {{"f32", {zero}}};
  ScalarId n = b.dim(0, 0);
  b.plan.arguments[0].shape = {n};
  // Written out, this has 2^200 leaves.
  for (int i = 0; i < 200; ++i)
    n = b.get(Kind::Add, {n, n});
  b.plan.arenaBytes = n;
  std::string text = print(b.plan);
  EXPECT_LT(text.size(), 10000u);
  EXPECT_NE(text.find("\"name\":\"s1\",\"value\":\"s0 + s0"), std::string::npos)
      << text;
  llvm::Expected<LaunchPlan> plan = parsePlanJSON(text);
  ASSERT_TRUE(bool(plan)) << llvm::toString(plan.takeError());
  EXPECT_EQ(print(*plan), text);
}

TEST(PlanJSONTest, FoldsStaticScalars) {
  PlanBuilder b;
  b.plan.arenaBytes =
      b.get(Kind::Mul,
            {b.constant(6), b.get(Kind::Max, {b.constant(3), b.constant(7)})});
  EXPECT_NE(print(b.plan).find("\"arenaBytes\": 42"), std::string::npos);
}

TEST(PlanJSONTest, RejectsBadPlans) {
  EXPECT_NE(getError("{"), "");
  EXPECT_EQ(getError("[]"), "expected an object when parsing plan");
  EXPECT_EQ(getError(edit("\"version\": 1", "\"version\": 2")),
            "expected version 1 at plan.version");
  EXPECT_EQ(getError(edit("\"version\": 1,", "")), "missing at plan.version");
  EXPECT_EQ(getError(edit("\"version\"", "\"verse\": 0, \"version\"")),
            "unknown key at plan.verse");
  EXPECT_EQ(getError(edit("gt(arg0.dim0, 0)", "gt(arg0.dim0)")),
            "malformed expression at plan.steps[1].condition: expected ',' at "
            "position 12 of 'gt(arg0.dim0)'");
  EXPECT_EQ(getError(edit("gt(arg0.dim0, 0)", "arg0.dim0 +")),
            "malformed expression at plan.steps[1].condition: expected an "
            "operand at position 11 of 'arg0.dim0 +'");
  EXPECT_EQ(getError(edit("gt(arg0.dim0, 0)", "s9")),
            "malformed expression at plan.steps[1].condition: expected a "
            "function or an earlier name at position 0 of 's9'");
  EXPECT_EQ(getError(edit("gt(arg0.dim0, 0)", "arg7.dim0")),
            "launch plan: scalars[13] names an argument that does not "
            "exist");
  EXPECT_EQ(
      getError(edit("gt(arg0.dim0, 0)", std::string(5000, '(')))
          .find("malformed expression at plan.steps[1].condition: expected "
                "less nesting"),
      0u);
  EXPECT_EQ(getError(edit("AAAAQA==", "AAA"))
                .find("malformed base64 at plan.buffers[5].data: "),
            0u);
  EXPECT_EQ(getError(edit("\"kernel\":\"add\"", "\"kernel\":\"sub\"")),
            "expected the name of a kernel at plan.steps[2].kernel");
  EXPECT_EQ(getError(edit("\"block\":[64,1,1]", "\"block\":[64,1]")),
            "expected three sizes at plan.kernels[0].block");
  EXPECT_EQ(getError(edit("\"access\":\"r\"", "\"access\":\"x\"")),
            "expected r, w, rw or nothing at plan.steps[0].operands[0].access");
  EXPECT_EQ(getError(edit("\"kind\":\"check\"", "\"kind\":\"czech\"")),
            "expected launch, copy or check at plan.steps[1].kind");
  EXPECT_EQ(getError(edit("\"place\":\"arena\"", "\"place\":\"arenas\"")),
            "expected argument, result, arena or constant at "
            "plan.buffers[2].place");
  EXPECT_EQ(getError(edit("\"index\":1", "\"index\":-1")),
            "expected a number of 32 bits at plan.buffers[1].index");
}

} // namespace
