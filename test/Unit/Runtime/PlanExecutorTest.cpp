//===- PlanExecutorTest.cpp -----------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/PlanExecutor.h"
#include "SamplePlan.h"

#include "gtest/gtest.h"
#include <cstdlib>
#include <cstring>
#include <set>

using namespace mlir::fusion;
using mlir::fusion::test::makeSamplePlan;

namespace {

/// Runs the sample plan's kernels in host memory.
class FakeDevice : public Device {
public:
  ~FakeDevice() override { EXPECT_TRUE(memory.empty()) << "memory leaks"; }

  llvm::Expected<void *> allocate(size_t bytes) override {
    return *memory.insert(std::calloc(bytes, 1)).first;
  }
  llvm::Error deallocate(void *pointer) override {
    EXPECT_EQ(memory.erase(pointer), 1u);
    std::free(pointer);
    return llvm::Error::success();
  }
  llvm::Error copyToDevice(void *to, const void *from, size_t n) override {
    std::memcpy(to, from, n);
    return llvm::Error::success();
  }
  llvm::Error copyFromDevice(void *to, const void *from, size_t n) override {
    std::memcpy(to, from, n);
    return llvm::Error::success();
  }
  llvm::Error copyOnDevice(void *to, const void *from, size_t n) override {
    log += "copy ";
    std::memcpy(to, from, n);
    return llvm::Error::success();
  }
  llvm::Error launch(llvm::StringRef kernel, Dim3 grid, Dim3 block,
                     llvm::ArrayRef<KernelArgument> arguments) override {
    log += kernel.str() + ":" + std::to_string(grid.x) + "x" +
           std::to_string(block.x) + " ";
    auto pointer = [&](int i) {
      EXPECT_EQ(arguments[i].size, 8u);
      return *static_cast<float *const *>(arguments[i].data);
    };
    auto integer = [&](int i) {
      int64_t value = 0;
      std::memcpy(&value, arguments[i].data, arguments[i].size);
      return value;
    };
    if (kernel == failing)
      return llvm::createStringError("%s", "the device is on fire");
    if (kernel == "twice") {
      for (int i = 0; i < 4; ++i)
        pointer(2)[i] = pointer(0)[i] * pointer(1)[0];
    } else if (kernel == "add") {
      for (int i = 0; i < integer(3); ++i)
        pointer(2)[i] = pointer(0)[i] + pointer(1)[i % 4];
    } else {
      for (int i = 0; i < integer(1); ++i)
        pointer(0)[i] += integer(2);
    }
    return llvm::Error::success();
  }

  std::set<void *> memory;
  std::string log;
  llvm::StringRef failing;
};

std::vector<Tensor> makeArguments(int64_t n, int64_t shift) {
  Tensor x(ElementType::F32, {n}), w(ElementType::F32, {4}),
      s(ElementType::I64, {});
  for (int i = 0; i < n; ++i)
    x.setDouble(i, i);
  for (int i = 0; i < 4; ++i)
    w.setDouble(i, 10 * i);
  s.setInteger(0, shift);
  return {x, w, s};
}

std::string bindError(const LaunchPlan &plan, std::vector<Tensor> arguments) {
  FakeDevice device;
  PlanExecutor executor(plan, device);
  return llvm::toString(executor.bind(arguments));
}

TEST(PlanExecutorTest, Runs) {
  LaunchPlan plan = makeSamplePlan();
  FakeDevice device;
  PlanExecutor executor(plan, device);
  std::vector<Tensor> arguments = makeArguments(70, 5);
  ASSERT_EQ(llvm::toString(executor.bind(arguments)), "");
  EXPECT_EQ(device.log, "twice:1x64 ");
  ASSERT_EQ(llvm::toString(executor.run()), "");
  EXPECT_EQ(device.log, "twice:1x64 add:2x64 copy shift:2x64 ");
  auto results = executor.getResults();
  ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
  ASSERT_EQ(results->size(), 2u);
  for (int i = 0; i < 70; ++i) {
    EXPECT_EQ((*results)[0].getDouble(i), i + 20 * (i % 4));
    EXPECT_EQ((*results)[1].getDouble(i), i + 5);
  }
  EXPECT_EQ(arguments[0].getDouble(3), 3) << "an argument was overwritten";

  // A second run does not prepare again, and sees the donated argument's state.
  ASSERT_EQ(llvm::toString(executor.run()), "");
  results = executor.getResults();
  ASSERT_TRUE(bool(results));
  EXPECT_EQ((*results)[1].getDouble(1), 11);

  // Other sizes can be bound.
  ASSERT_EQ(llvm::toString(executor.bind(makeArguments(3, -1))), "");
  ASSERT_EQ(llvm::toString(executor.run()), "");
  results = executor.getResults();
  ASSERT_TRUE(bool(results));
  EXPECT_EQ((*results)[1].describe(), "3xf32");
  EXPECT_EQ((*results)[1].getDouble(0), -1);
}

TEST(PlanExecutorTest, ChecksArguments) {
  LaunchPlan plan = makeSamplePlan();
  std::vector<Tensor> arguments = makeArguments(7, 5);
  EXPECT_EQ(bindError(plan, {arguments[0]}), "expected 3 arguments, found 1");
  EXPECT_EQ(bindError(plan, {arguments[0], arguments[0], arguments[2]}),
            "argument 1: expected 4xf32, found 7xf32");
  EXPECT_EQ(bindError(plan, {arguments[0], arguments[1], arguments[1]}),
            "argument 2: expected i64, found 4xf32");
  EXPECT_EQ(bindError(plan, {Tensor(ElementType::BF16, {7}), arguments[1],
                             arguments[2]}),
            "argument 0: expected 7xf32, found 7xbf16");
  EXPECT_EQ(bindError(plan, makeArguments(0, 5)),
            "check failed: x must not be empty");
  // An argument whose size is that of another.
  plan.arguments[1].shape = plan.arguments[0].shape;
  EXPECT_EQ(bindError(plan, arguments),
            "argument 1: expected 7xf32, found 4xf32");
}

TEST(PlanExecutorTest, ChecksMemory) {
  LaunchPlan plan = makeSamplePlan();
  plan.arenaBytes = plan.buffers[3].bytes;
  EXPECT_EQ(bindError(plan, makeArguments(8, 5)),
            "buffers[3]: 32 bytes at 16 are not in the arena of 32");
  plan = makeSamplePlan();
  plan.buffers[1].bytes = plan.buffers[0].bytes;
  EXPECT_EQ(bindError(plan, makeArguments(8, 5)),
            "buffers[1]: expected at most 16 bytes, found 32");
}

TEST(PlanExecutorTest, ReportsFailingLaunches) {
  LaunchPlan plan = makeSamplePlan();
  FakeDevice device;
  device.failing = "add";
  PlanExecutor executor(plan, device);
  EXPECT_EQ(llvm::toString(executor.run()),
            "the plan's arguments are not bound");
  EXPECT_EQ(llvm::toString(executor.getResults().takeError()),
            "the plan's arguments are not bound");
  ASSERT_EQ(llvm::toString(executor.bind(makeArguments(8, 5))), "");
  EXPECT_EQ(llvm::toString(executor.run()), "steps[2]: the device is on fire");
}

TEST(PlanExecutorTest, ChecksScalarOperands) {
  LaunchPlan plan = makeSamplePlan();
  plan.steps[4].operands[2].bytes = 4;
  FakeDevice device;
  PlanExecutor executor(plan, device);
  ASSERT_EQ(llvm::toString(executor.bind(makeArguments(8, 1ll << 32))), "");
  EXPECT_EQ(llvm::toString(executor.run()),
            "steps[4]: 4294967296 does not fit in 32 bits, as kernel shift "
            "wants it");
}

} // namespace
