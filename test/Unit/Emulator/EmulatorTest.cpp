//===- EmulatorTest.cpp - Kernels on the emulator, right and wrong --------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatorHarness.h"
#include <cmath>

using namespace mlir::fusion;
using namespace mlir::fusion::test;

namespace {

//===----------------------------------------------------------------------===//
// Element-wise kernels, bounds, initialisation
//===----------------------------------------------------------------------===//

/// y[i] = 2^x[i] for i < n; `last` says how the bound is compared.
std::string elementwise(llvm::StringRef compare) {
  return withHeader((R"(
define ptx_kernel void @exp2(ptr %x, ptr %y, i64 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %dim = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %bid, %dim
  %i32 = add i32 %base, %tid
  %i = zext i32 %i32 to i64
  %in = icmp )" + compare +
                     R"( i64 %i, %n
  br i1 %in, label %body, label %exit
body:
  %px = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %px, align 4
  %e = call float @llvm.nvvm.ex2.approx.ftz.f32(float %v)
  %py = getelementptr float, ptr %y, i64 %i
  store float %e, ptr %py, align 4
  br label %exit
exit:
  ret void
})")
                        .str());
}

TEST(Emulator, Elementwise) {
  Harness h(elementwise("ult"));
  std::vector<float> x(1000);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = 0.01f * i - 5;
  float *dx = h.upload(x), *dy = h.allocate<float>(x.size());
  EXPECT_EQ(h.run("exp2", {8}, {128}, dx, dy, int64_t(1000)), "");
  std::vector<float> y = h.download(dy, x.size());
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(y[i], std::exp2(x[i]), 1e-6 * std::exp2(x[i]));
  EXPECT_TRUE(h.emulator->isInitialized(dy, 4000));
}

TEST(Emulator, OffByOneBound) {
  for (bool optimized : {false, true}) {
    EmulatorOptions options;
    options.optimizeAtOnce = optimized;
    Harness h(elementwise("ule"), options);
    std::vector<float> x(1000, 1);
    float *dx = h.upload(x), *dy = h.allocate<float>(1000);
    expectParts(h.run("exp2", {8}, {128}, dx, dy, int64_t(1000)),
                {"kernel 'exp2'", "out-of-bounds load of 4 bytes",
                 "0 bytes behind the end of an allocation of 4000 bytes",
                 "thread (104,0,0) of block (7,0,0)",
                 "'%v = load float, ptr %px"});
  }
}

/// A launch that is long enough to switch to optimized code half-way.
TEST(Emulator, SwitchesCode) {
  Harness h(elementwise("ult"));
  std::vector<float> x(1 << 22, 1);
  float *dx = h.upload(x), *dy = h.allocate<float>(x.size());
  ASSERT_EQ(h.run("exp2", {1 << 14}, {256}, dx, dy, int64_t(x.size())), "");
  EXPECT_EQ(h.download(dy, x.size()), std::vector<float>(x.size(), 2));
}

TEST(Emulator, UninitializedGlobalRead) {
  Harness h(elementwise("ult"));
  float *dx = h.allocate<float>(1000), *dy = h.allocate<float>(1000);
  std::vector<float> x(300, 1);
  llvm::cantFail(h.emulator->copyToDevice(dx, x.data(), 1200));
  expectParts(h.run("exp2", {8}, {128}, dx, dy, int64_t(1000)),
              {"kernel 'exp2'", "load of uninitialized global memory",
               "byte 1200 of an allocation of 4000 bytes",
               "thread (44,0,0) of block (2,0,0)", "%v = load float"});
}

TEST(Emulator, CopiesKeepMarks) {
  Harness h(elementwise("ult"));
  std::vector<float> x(10, 1);
  float *a = h.allocate<float>(20), *b = h.allocate<float>(20);
  llvm::cantFail(h.emulator->copyToDevice(a, x.data(), 37));
  llvm::cantFail(h.emulator->copyOnDevice(b + 1, a, 40));
  EXPECT_TRUE(h.emulator->isInitialized(b + 1, 37));
  EXPECT_FALSE(h.emulator->isInitialized(b + 1, 38));
  EXPECT_FALSE(h.emulator->isInitialized(b, 4));
  EXPECT_NE(llvm::toString(h.emulator->copyToDevice(a, x.data(), 84)), "");
  EXPECT_EQ(llvm::toString(h.emulator->deallocate(a)), "");
  EXPECT_NE(llvm::toString(h.emulator->deallocate(a)), "");
}

TEST(Emulator, WrongLaunches) {
  Harness h(elementwise("ult"));
  float *dx = h.allocate<float>(1);
  expectParts(h.run("exp3", {1}, {1}, dx), {"no kernel 'exp3'"});
  expectParts(h.run("exp2", {1}, {1}, dx, dx, int32_t(1)),
              {"argument 2 has 4 bytes, the parameter 8"});
  expectParts(h.run("exp2", {1}, {1}, dx, dx), {"2 arguments, 3 expected"});
  expectParts(h.run("exp2", {1}, {1025}, dx, dx, int64_t(1)),
              {"cannot be launched"});
}

TEST(Emulator, MisalignedVector) {
  Harness h(withHeader(R"(
define ptx_kernel void @vector(ptr %x, ptr %y, i64 %offset) {
  %px = getelementptr i8, ptr %x, i64 %offset
  %v = load <4 x float>, ptr %px, align 16
  store <4 x float> %v, ptr %y, align 16
  ret void
})"));
  std::vector<float> x(16, 1);
  float *dx = h.upload(x), *dy = h.allocate<float>(4);
  EXPECT_EQ(h.run("vector", {1}, {1}, dx, dy, int64_t(16)), "");
  expectParts(h.run("vector", {1}, {1}, dx, dy, int64_t(8)),
              {"kernel 'vector'", "misaligned load of 16 bytes",
               "%v = load <4 x float>"});
}

TEST(Emulator, SourceLocations) {
  Harness h(withHeader(R"(
define ptx_kernel void @located(ptr %x) !dbg !4 {
  %v = load float, ptr %x, align 4, !dbg !7
  store float %v, ptr %x, align 4, !dbg !7
  ret void, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
!1 = !DIFile(filename: "model.mlir", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "located", file: !1, line: 1, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocation(line: 42, column: 3, scope: !4)
)"));
  float *dx = h.allocate<float>(1);
  expectParts(h.run("located", {1}, {1}, dx), {"model.mlir:42:3"});
}

TEST(Emulator, Trap) {
  Harness h(R"(
declare void @llvm.trap()
define ptx_kernel void @check(i1 %ok) {
  br i1 %ok, label %exit, label %bad
bad:
  call void @llvm.trap()
  unreachable
exit:
  ret void
})");
  EXPECT_EQ(h.run("check", {1}, {32}, uint8_t(1)), "");
  expectParts(h.run("check", {1}, {32}, uint8_t(0)),
              {"kernel 'check'", "trap (failed assertion)"});
}

TEST(Emulator, UnknownIntrinsics) {
  Harness h(R"(
declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)
declare float @__nv_expf(float)
define ptx_kernel void @intrinsic() {
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 240)
  ret void
}
define ptx_kernel void @assembly() {
  call void asm sideeffect "wgmma.fence.sync.aligned;", ""()
  ret void
}
define ptx_kernel void @function(ptr %x) {
  %v = call float @__nv_expf(float 1.0)
  store float %v, ptr %x, align 4
  ret void
})");
  expectParts(llvm::toString(h.emulator->compile("intrinsic")),
              {"'llvm.nvvm.setmaxnreg.inc.sync.aligned.u32'"});
  expectParts(llvm::toString(h.emulator->compile("assembly")),
              {"wgmma.fence.sync.aligned"});
  expectParts(llvm::toString(h.emulator->compile("function")), {"__nv_expf"});
}

//===----------------------------------------------------------------------===//
// Blocks: shared memory, barriers, shuffles
//===----------------------------------------------------------------------===//

/// Row sums of 256 columns by 64 threads, two warps, through shuffles and
/// shared memory; `barrier` stands between the write and the read.
std::string rowSum(llvm::StringRef barrier) {
  return withHeader((R"(
@partial = internal addrspace(3) global [2 x float] undef, align 4
define ptx_kernel void @rowsum(ptr noalias readonly align 16 %x, ptr %y) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %row, 256
  br label %loop
loop:
  %j = phi i32 [ %tid, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %index = add i32 %base, %j
  %px = getelementptr float, ptr %x, i32 %index
  %v = load float, ptr %px, align 4, !invariant.load !0
  %sum = fadd float %s, %v
  %next = add i32 %j, 64
  %more = icmp ult i32 %next, 256
  br i1 %more, label %loop, label %reduce
reduce:
  %o16 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %sum, i32 16, i32 31)
  %s16 = fadd float %sum, %o16
  %o8 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s16, i32 8, i32 31)
  %s8 = fadd float %s16, %o8
  %o4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s8, i32 4, i32 31)
  %s4 = fadd float %s8, %o4
  %o2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s4, i32 2, i32 31)
  %s2 = fadd float %s4, %o2
  %o1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s2, i32 1, i32 31)
  %s1 = fadd float %s2, %o1
  %lane = and i32 %tid, 31
  %warp = lshr i32 %tid, 5
  %leader = icmp eq i32 %lane, 0
  br i1 %leader, label %write, label %join
write:
  %slot = getelementptr [2 x float], ptr addrspace(3) @partial, i32 0, i32 %warp
  store float %s1, ptr addrspace(3) %slot, align 4
  br label %join
join:
)" + barrier + R"(
  br label %after
after:
  %a = load float, ptr addrspace(3) @partial, align 4
  %b = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @partial, i32 4), align 4
  %total = fadd float %a, %b
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %last, label %exit
last:
  %py = getelementptr float, ptr %y, i32 %row
  store float %total, ptr %py, align 4
  br label %exit
exit:
  ret void
}
!0 = !{}
)")
                        .str());
}

constexpr char allBarrier[] =
    "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";

class RowSum : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(Code, RowSum, testing::Bool());

TEST_P(RowSum, AgreesWithScalars) {
  EmulatorOptions options;
  options.optimizeAtOnce = GetParam();
  Harness h(rowSum(allBarrier), options);
  std::vector<float> x(8 * 256);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(i % 97);
  float *dx = h.upload(x), *dy = h.allocate<float>(8);
  EXPECT_EQ(h.run("rowsum", {8}, {64}, dx, dy), "");
  std::vector<float> y = h.download(dy, 8);
  for (int row = 0; row < 8; ++row) {
    float sum = 0;
    for (int j = 0; j < 256; ++j)
      sum += x[row * 256 + j];
    EXPECT_EQ(y[row], sum);
  }
}

TEST(Emulator, MissingBarrier) {
  Harness h(rowSum(""));
  std::vector<float> x(256, 1);
  float *dx = h.upload(x), *dy = h.allocate<float>(1);
  // The first warp goes on while the second one has not written.
  expectParts(h.run("rowsum", {1}, {64}, dx, dy),
              {"kernel 'rowsum'", "of uninitialized shared memory",
               "load float, ptr addrspace(3) @partial"});
}

TEST(Emulator, SkippedBarrier) {
  Harness h(rowSum(R"(
  %odd = icmp eq i32 %lane, 5
  br i1 %odd, label %after, label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
)"));
  std::vector<float> x(256, 1);
  float *dx = h.upload(x), *dy = h.allocate<float>(1);
  std::string message = h.run("rowsum", {1}, {64}, dx, dy);
  expectParts(message, {"kernel 'rowsum'"});
  // Both lanes 5 read what thread 32 has written without a barrier, or leave.
  EXPECT_TRUE(message.find("data race") != std::string::npos ||
              message.find("uninitialized") != std::string::npos ||
              message.find("divergent barrier") != std::string::npos)
      << message;
}

} // namespace
