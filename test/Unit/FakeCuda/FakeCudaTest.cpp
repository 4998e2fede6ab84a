//===- FakeCudaTest.cpp - The CUDA device without a GPU -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/CudaDevice.h"

#include "gtest/gtest.h"

using namespace mlir::fusion;

/// Defined by the driver that this test is linked to.
extern "C" bool fakeCudaIsClean();

namespace {

/// A device whose kernel adds `value` to 64 floats.
struct FillDevice {
  FillDevice() {
    llvm::StringMap<uint32_t> shared;
    shared["fill"] = 64 * 1024;
    auto created = CudaDevice::create("kernels", shared);
    if (created)
      device = std::move(*created);
    else
      error = llvm::toString(created.takeError());
  }

  llvm::Error launch(float *out, float value) {
    KernelArgument arguments[] = {{&out, 8}, {&value, 4}};
    return device->launch("fill", {2, 1, 1}, {32, 1, 1}, arguments);
  }

  std::unique_ptr<CudaDevice> device;
  std::string error;
};

TEST(FakeCudaTest, LaunchesAndCopies) {
  {
    FillDevice fill;
    ASSERT_TRUE(fill.device) << fill.error;
    EXPECT_EQ(fill.device->getName(), "Fake GPU");
    EXPECT_EQ(fill.device->getArchitecture(), 86);
    float values[64] = {}, found[64];
    void *a = llvm::cantFail(fill.device->allocate(sizeof(values)));
    void *b = llvm::cantFail(fill.device->allocate(sizeof(values)));
    EXPECT_FALSE(fill.device->copyToDevice(a, values, sizeof(values)));
    EXPECT_FALSE(fill.launch(static_cast<float *>(a), 2.5));
    EXPECT_FALSE(fill.device->copyOnDevice(b, a, sizeof(values)));
    EXPECT_FALSE(fill.device->copyFromDevice(found, b, sizeof(values)));
    EXPECT_EQ(found[63], 2.5f);

    // A recorded sequence runs when it is launched, as often as that.
    auto graph =
        fill.device->record([&] { return fill.launch((float *)a, 1); });
    ASSERT_TRUE(bool(graph)) << llvm::toString(graph.takeError());
    auto time = fill.device->measure([&] { return (*graph)->launch(); });
    ASSERT_TRUE(bool(time)) << llvm::toString(time.takeError());
    EXPECT_EQ(*time, 1500);
    EXPECT_FALSE((*graph)->launch());
    EXPECT_FALSE(fill.device->synchronize());
    EXPECT_FALSE(fill.device->copyFromDevice(found, a, sizeof(values)));
    EXPECT_EQ(found[0], 4.5f);
    EXPECT_EQ(llvm::cantFail(fill.device->getRegisters("fill")), 42);
    EXPECT_FALSE(fill.device->deallocate(a));
    EXPECT_FALSE(fill.device->deallocate(b));
    EXPECT_FALSE(fill.device->deallocate(nullptr));
  }
  EXPECT_TRUE(fakeCudaIsClean());
}

TEST(FakeCudaTest, ReportsErrors) {
  {
    FillDevice fill;
    ASSERT_TRUE(fill.device) << fill.error;
    EXPECT_EQ(llvm::toString(fill.device->launch("other", {}, {}, {})),
              "kernel other: named symbol not found");
    EXPECT_EQ(
        llvm::toString(fill.device->allocate(size_t(1) << 50).takeError()),
        "allocating 1125899906842624 bytes: out of memory");
    // Waiting can not be recorded; what is recorded so far goes away.
    auto graph =
        fill.device->record([&] { return fill.device->synchronize(); });
    EXPECT_EQ(llvm::toString(graph.takeError()),
              "waiting for the GPU: invalid argument");
    EXPECT_FALSE(fill.device->synchronize());
  }
  EXPECT_EQ(llvm::toString(CudaDevice::create("nonsense").takeError()),
            "the driver refuses the kernels for Fake GPU (sm_86): invalid "
            "argument\nptxas: line 3: nonsense");
  EXPECT_EQ(llvm::toString(CudaDevice::create("", {}, 1).takeError()),
            "there is no CUDA device 1; 1 found");
  EXPECT_TRUE(fakeCudaIsClean());
}

TEST(FakeCudaTest, RefusesTooMuchSharedMemory) {
  llvm::StringMap<uint32_t> shared;
  shared["fill"] = 200 * 1024;
  auto device = CudaDevice::create("kernels", shared);
  ASSERT_TRUE(bool(device));
  EXPECT_EQ(llvm::toString((*device)->launch("fill", {}, {}, {})),
            "kernel fill asks for 203776 bytes of shared memory: invalid "
            "argument");
}

} // namespace
