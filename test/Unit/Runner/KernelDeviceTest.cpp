//===- KernelDeviceTest.cpp -----------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/KernelDevice.h"
#include "../Runtime/SamplePlan.h"
#include "fusion/InitAll.h"
#include "fusion/Runtime/PlanExecutor.h"
#include "fusion/Runtime/ProfileTable.h"
#include "fusion/Target/PTX.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// The kernels of the sample plan, which needs no i64 on its scalars' way.
constexpr StringLiteral kKernels = R"(
module attributes {gpu.container_module} {
gpu.module @kernels {
  gpu.func @twice(%w: memref<?xf32>, %two: memref<?xf32>, %out: memref<?xf32>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %in = arith.cmpi ult, %t, %c4 : index
    scf.if %in {
      %a = memref.load %w[%t] : memref<?xf32>
      %b = memref.load %two[%c0] : memref<?xf32>
      %c = arith.mulf %a, %b : f32
      memref.store %c, %out[%t] : memref<?xf32>
    }
    gpu.return
  }
  gpu.func @add(%x: memref<?xf32>, %w: memref<?xf32>, %out: memref<?xf32>,
                %n: index)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %base = arith.muli %b, %c64 : index
    %i = arith.addi %base, %t : index
    %in = arith.cmpi slt, %i, %n : index
    scf.if %in {
      %j = arith.remui %i, %c4 : index
      %a = memref.load %x[%i] : memref<?xf32>
      %c = memref.load %w[%j] : memref<?xf32>
      %d = arith.addf %a, %c : f32
      memref.store %d, %out[%i] : memref<?xf32>
    }
    gpu.return
  }
  gpu.func @shift(%x: memref<?xf32>, %n: index, %by: i64)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %base = arith.muli %b, %c64 : index
    %i = arith.addi %base, %t : index
    %in = arith.cmpi slt, %i, %n : index
    scf.if %in {
      %a = memref.load %x[%i] : memref<?xf32>
      %f = arith.sitofp %by : i64 to f32
      %c = arith.addf %a, %f : f32
      memref.store %c, %x[%i] : memref<?xf32>
    }
    gpu.return
  }
}
})";

class KernelDeviceTest : public testing::TestWithParam<const char *> {
protected:
  KernelDeviceTest() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    fusion::registerAllDialects(registry);
    registerPTXDialectTranslations(registry);
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(kKernels, &context);
    for (int i = 0; i < 70; ++i)
      arguments[0].setDouble(i, i);
    for (int i = 0; i < 4; ++i)
      arguments[1].setDouble(i, 10 * i);
    arguments[2].setInteger(0, 5);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::vector<Tensor> arguments = {Tensor(ElementType::F32, {70}),
                                   Tensor(ElementType::F32, {4}),
                                   Tensor(ElementType::I64, {})};
};

TEST_P(KernelDeviceTest, RunsTheSamplePlan) {
  ASSERT_TRUE(bool(module));
  const TargetInfo &target = *lookupTarget(GetParam());
  LaunchPlan plan = test::makeSamplePlan();
  EmulatorOptions options;
  options.profile = true;
  auto device = createEmulator(*module, target, options);
  ASSERT_TRUE(bool(device)) << llvm::toString(device.takeError());
  PlanExecutor executor(plan, **device);
  ASSERT_EQ(llvm::toString(executor.bind(arguments)), "");
  ASSERT_EQ(llvm::toString(executor.run()), "");
  auto results = executor.getResults();
  ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
  for (int i = 0; i < 70; ++i) {
    EXPECT_EQ((*results)[0].getDouble(i), i + 20 * (i % 4));
    EXPECT_EQ((*results)[1].getDouble(i), i + 5);
  }

  std::vector<KernelRow> rows =
      makeKernelRows(plan, executor, target, (*device)->getProfiles(), {});
  ASSERT_EQ(rows.size(), 3u);
  ASSERT_TRUE(rows[1].profile);
  EXPECT_EQ(rows[1].profile->launches, 1u);
  EXPECT_EQ(rows[1].profile->globalStoreBytes, 280u);
  std::string text;
  llvm::raw_string_ostream os(text);
  printKernelRows(rows, os);
  EXPECT_NE(text.find("\ntotal: 3 launches of 3 kernels, modelled "),
            std::string::npos)
      << text;
}

TEST_P(KernelDeviceTest, FindsOutOfBoundsAccesses) {
  LaunchPlan plan = test::makeSamplePlan();
  // The kernel gets four elements more than there are.
  PlanScalar sum;
  sum.kind = PlanScalar::Kind::Add;
  sum.operands = {plan.steps[2].operands[3].id, plan.arguments[1].shape[0]};
  plan.scalars.push_back(sum);
  plan.steps[2].operands[3].id = plan.scalars.size() - 1;
  auto device = createEmulator(*module, *lookupTarget(GetParam()));
  ASSERT_TRUE(bool(device)) << llvm::toString(device.takeError());
  PlanExecutor executor(plan, **device);
  ASSERT_EQ(llvm::toString(executor.bind(arguments)), "");
  std::string message = llvm::toString(executor.run());
  EXPECT_TRUE(StringRef(message).starts_with("steps[2]: ")) << message;
}

TEST_P(KernelDeviceTest, PrintsKernels) {
  const TargetInfo &target = *lookupTarget(GetParam());
  auto text = printKernels(*module, target);
  ASSERT_TRUE(bool(text)) << llvm::toString(text.takeError());
  EXPECT_NE(text->find(target.isApple() ? "kernel void" : ".visible .entry"),
            std::string::npos)
      << *text;
  if (!target.isNVIDIA())
    return;
  llvm::StringMap<KernelCode> code = inspectKernels(*text, target.name);
  ASSERT_EQ(code.size(), 3u);
  EXPECT_GT(code["add"].instructions, 8);
  EXPECT_LT(code["add"].instructions, 100);
  if (!code["add"].registers)
    GTEST_SKIP() << "no ptxas";
  EXPECT_GT(*code["add"].registers, 0);
  EXPECT_EQ(code["add"].spillBytes, 0);
}

TEST_F(KernelDeviceTest, ReportsModulesWithoutKernels) {
  auto empty = parseSourceString<ModuleOp>("module {}", &context);
  EXPECT_EQ(llvm::toString(
                createEmulator(*empty, *lookupTarget("sm_80")).takeError()),
            "the module has no kernels");
}

INSTANTIATE_TEST_SUITE_P(Targets, KernelDeviceTest,
                         testing::Values("sm_80", "sm_90a", "apple9"),
                         [](const auto &info) { return info.param; });

} // namespace
