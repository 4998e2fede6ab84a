//===- CudaDeviceTest.cpp -------------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/CudaDevice.h"
#include "SamplePlan.h"
#include "fusion/Runtime/PlanExecutor.h"

#include "gtest/gtest.h"

using namespace mlir::fusion;
using mlir::fusion::test::PlanBuilder;

namespace {

/// out[i] += shared memory's last element, which the first thread sets to `by`.
constexpr const char *kPTX = R"(
.version 7.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.visible .entry bump(.param .u64 out, .param .f32 by)
{
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>;
  ld.param.u64 %rd1, [out];
  ld.param.f32 %f1, [by];
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra wait;
  st.shared.f32 [dynamic + 65532], %f1;
wait:
  bar.sync 0;
  ld.shared.f32 %f2, [dynamic + 65532];
  cvta.to.global.u64 %rd1, %rd1;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  ld.global.f32 %f3, [%rd1];
  add.f32 %f3, %f3, %f2;
  st.global.f32 [%rd1], %f3;
  ret;
}
)";

/// A device, or null (and the test is skipped) where there is none.
std::unique_ptr<CudaDevice> makeDevice(const char *ptx) {
  llvm::StringMap<uint32_t> shared;
  shared["bump"] = 65536;
  auto device = CudaDevice::create(ptx, shared);
  if (device)
    return std::move(*device);
  std::string message = llvm::toString(device.takeError());
  EXPECT_TRUE(llvm::StringRef(message).contains("no CUDA d")) << message;
  return nullptr;
}

TEST(CudaDeviceTest, RunsAPlanAsAGraph) {
  std::unique_ptr<CudaDevice> device = makeDevice(kPTX);
  if (!device)
    GTEST_SKIP() << "no CUDA device";
  EXPECT_FALSE(device->getName().empty());
  EXPECT_GE(device->getArchitecture(), 80);

  PlanBuilder b;
  ScalarId one = b.constant(1), size = b.constant(256), count = b.constant(64);
  b.plan.arenaBytes = b.constant(0);
  b.plan.arguments = {{"f32", {count}}, {"f32", {}}};
  BufferId x = b.buffer(PlanBuffer::Place::Argument, 0, size);
  BufferId copy = b.buffer(PlanBuffer::Place::Result, 0, size);
  b.plan.results = {{copy, {"f32", {count}}}};
  b.plan.kernels.resize(1);
  b.plan.kernels[0].name = "bump";
  b.plan.kernels[0].block[0] = 64;
  PlanStep launch;
  launch.grid[0] = launch.grid[1] = launch.grid[2] = one;
  launch.operands = {{PlanOperand::Kind::Buffer, x, 8, true, true},
                     {PlanOperand::Kind::Scalar, b.value(1), 4, true, false}};
  PlanStep copying;
  copying.kind = PlanStep::Kind::Copy;
  copying.source = x;
  copying.destination = copy;
  b.plan.steps = {launch, copying};

  Tensor values(ElementType::F32, {64}), by(ElementType::F32, {});
  for (int i = 0; i < 64; ++i)
    values.setDouble(i, i);
  by.setDouble(0, 0.5);
  PlanExecutor executor(b.plan, *device);
  ASSERT_EQ(llvm::toString(executor.bind({values, by})), "");
  auto check = [&](double expected) {
    auto results = executor.getResults();
    ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
    for (int i = 0; i < 64; ++i)
      ASSERT_EQ((*results)[0].getDouble(i), i + expected);
  };
  ASSERT_EQ(llvm::toString(executor.run()), "");
  check(0.5);
  auto graph = device->record([&] { return executor.run(); });
  ASSERT_TRUE(bool(graph)) << llvm::toString(graph.takeError());
  auto time = device->measure([&]() -> llvm::Error {
    for (int i = 0; i < 10; ++i)
      if (llvm::Error error = (*graph)->launch())
        return error;
    return llvm::Error::success();
  });
  ASSERT_TRUE(bool(time)) << llvm::toString(time.takeError());
  EXPECT_GT(*time, 0);
  check(5.5);
  auto registers = device->getRegisters("bump");
  ASSERT_TRUE(bool(registers)) << llvm::toString(registers.takeError());
  EXPECT_GT(*registers, 0);
}

TEST(CudaDeviceTest, ReportsErrors) {
  std::unique_ptr<CudaDevice> device = makeDevice(kPTX);
  if (!device)
    GTEST_SKIP() << "no CUDA device";
  std::string message = llvm::toString(device->launch("missing", {}, {}, {}));
  EXPECT_TRUE(llvm::StringRef(message).starts_with("kernel missing: "))
      << message;
  auto broken = CudaDevice::create(".version 7.0\n.target sm_80\nnonsense\n");
  ASSERT_FALSE(bool(broken));
  message = llvm::toString(broken.takeError());
  EXPECT_TRUE(llvm::StringRef(message).contains("refuses the kernels"))
      << message;
  EXPECT_TRUE(llvm::StringRef(message).contains("line 3")) << message;
}

} // namespace
