//===- MathTest.cpp - Scalar and warp-wide operations on the emulator -----===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatorHarness.h"
#include <cmath>
#include <limits>

using namespace mlir::fusion;
using namespace mlir::fusion::test;

namespace {

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

/// Runs a body that computes `i32 %r` from `%tid` in 32 threads.
std::vector<int32_t> runWarp(llvm::StringRef body) {
  Harness h((R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
declare i32 @llvm.nvvm.read.ptx.sreg.lanemask.ge()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.redux.sync.min(i32, i32)
declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
define ptx_kernel void @warp(ptr %x) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)" + body + R"(
  %to = getelementptr i32, ptr %x, i32 %tid
  store i32 %r, ptr %to, align 4
  ret void
})")
                .str());
  int32_t *x = h.allocate<int32_t>(32);
  EXPECT_EQ(h.run("warp", {1}, {32}, x), "");
  return h.download(x, 32);
}

template <typename Function>
void expectLanes(llvm::StringRef body, Function expected) {
  std::vector<int32_t> values = runWarp(body);
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(values[lane], expected(lane)) << "lane " << lane << body.str();
}

TEST(Warp, Shuffles) {
  expectLanes("%r = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %tid, "
              "i32 5, i32 31)",
              [](int lane) { return lane ^ 5; });
  expectLanes("%r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %tid, "
              "i32 3, i32 31)",
              [](int lane) { return lane + 3 < 32 ? lane + 3 : lane; });
  expectLanes("%r = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %tid, "
              "i32 3, i32 0)",
              [](int lane) { return lane >= 3 ? lane - 3 : lane; });
  expectLanes("%r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, "
              "i32 7, i32 31)",
              [](int) { return 7; });
  // Segments of 8 lanes: the segment mask is 0x18.
  expectLanes("%r = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %tid, "
              "i32 3, i32 6175)",
              [](int lane) { return lane % 8 + 3 < 8 ? lane + 3 : lane; });
  expectLanes("%s = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, "
              "i32 %tid, i32 3, i32 31)\n"
              "%p = extractvalue { i32, i1 } %s, 1\n"
              "%r = zext i1 %p to i32",
              [](int lane) { return lane + 3 < 32; });
}

TEST(Warp, Reductions) {
  expectLanes("%r = call i32 @llvm.nvvm.redux.sync.add(i32 %tid, i32 -1)",
              [](int) { return 31 * 32 / 2; });
  expectLanes("%v = sub i32 5, %tid\n"
              "%r = call i32 @llvm.nvvm.redux.sync.min(i32 %v, i32 -1)",
              [](int) { return 5 - 31; });
  expectLanes("%v = sub i32 5, %tid\n"
              "%r = call i32 @llvm.nvvm.redux.sync.umax(i32 %v, i32 -1)",
              [](int) { return -1; });
}

TEST(Warp, Votes) {
  expectLanes("%p = icmp ult i32 %tid, 5\n"
              "%r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %p)",
              [](int) { return 31; });
  expectLanes("%p = icmp eq i32 %tid, 5\n"
              "%v = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %p)\n"
              "%r = zext i1 %v to i32",
              [](int) { return 1; });
  expectLanes("%p = icmp eq i32 %tid, 5\n"
              "%v = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %p)\n"
              "%r = zext i1 %v to i32",
              [](int) { return 0; });
}

TEST(Warp, LaneMasks) {
  expectLanes("%r = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()",
              [](int lane) { return int32_t((1u << lane) - 1); });
  expectLanes("%r = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.ge()",
              [](int lane) { return int32_t(~0u << lane); });
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// Runs a body that computes `float %r` from `float %v`.
float runScalar(llvm::StringRef body, float value) {
  Harness h((R"(
declare float @llvm.nvvm.ex2.approx.ftz.f32(float)
declare float @llvm.nvvm.lg2.approx.ftz.f(float)
declare float @llvm.nvvm.rsqrt.approx.ftz.f(float)
declare float @llvm.nvvm.rcp.approx.ftz.f(float)
declare float @llvm.nvvm.sqrt.approx.ftz.f(float)
declare float @llvm.nvvm.fma.rn.f(float, float, float)
declare float @llvm.nvvm.fmax.nan.f(float, float)
declare float @llvm.nvvm.fmax.f(float, float)
declare <2 x half> @llvm.nvvm.ff2f16x2.rn(float, float)
declare <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn(float, float)
declare i32 @llvm.nvvm.f2tf32.rna(float)
declare float @llvm.exp2.f32(float)
declare float @llvm.sin.f32(float)
declare float @llvm.cos.f32(float)
declare float @llvm.log.f32(float)
declare float @llvm.tanh.f32(float)
declare float @llvm.pow.f32(float, float)
declare float @erff(float)
define ptx_kernel void @scalar(ptr %x) {
  %v = load float, ptr %x, align 4
)" + body + R"(
  store float %r, ptr %x, align 4
  ret void
})")
                .str());
  float *x = h.upload(std::vector<float>{value});
  EXPECT_EQ(h.run("scalar", {1}, {1}, x), "");
  return h.download(x, 1)[0];
}

TEST(Scalar, Approximations) {
  auto call = [](const char *name) {
    return std::string("%r = call float @llvm.nvvm.") + name + "(float %v)";
  };
  EXPECT_FLOAT_EQ(runScalar(call("ex2.approx.ftz.f32"), 3.5f), std::exp2(3.5f));
  EXPECT_FLOAT_EQ(runScalar(call("lg2.approx.ftz.f"), 3.5f), std::log2(3.5f));
  EXPECT_FLOAT_EQ(runScalar(call("rsqrt.approx.ftz.f"), 3.5f),
                  1 / std::sqrt(3.5f));
  EXPECT_FLOAT_EQ(runScalar(call("rcp.approx.ftz.f"), 3.5f), 1 / 3.5f);
  EXPECT_FLOAT_EQ(runScalar(call("sqrt.approx.ftz.f"), 3.5f), std::sqrt(3.5f));
  EXPECT_FLOAT_EQ(
      runScalar("%r = call float asm \"tanh.approx.f32 $0, $1;\", \"=f,f\""
                "(float %v)",
                0.5f),
      std::tanh(0.5f));
  EXPECT_FLOAT_EQ(
      runScalar("%r = call float @llvm.nvvm.fma.rn.f(float %v, float %v, "
                "float 1.0)",
                3),
      10);
}

TEST(Scalar, NaNs) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(
      runScalar("%r = call float @llvm.nvvm.fmax.f(float %v, float 1.0)", nan),
      1);
  EXPECT_TRUE(std::isnan(runScalar(
      "%r = call float @llvm.nvvm.fmax.nan.f(float %v, float 1.0)", nan)));
}

TEST(Scalar, HostMath) {
  auto call = [](const char *name) {
    return std::string("%r = call float @llvm.") + name + ".f32(float %v)";
  };
  EXPECT_FLOAT_EQ(runScalar(call("exp2"), 1.5f), std::exp2(1.5f));
  EXPECT_FLOAT_EQ(runScalar(call("sin"), 1.5f), std::sin(1.5f));
  EXPECT_FLOAT_EQ(runScalar(call("cos"), 1.5f), std::cos(1.5f));
  EXPECT_FLOAT_EQ(runScalar(call("log"), 1.5f), std::log(1.5f));
  EXPECT_FLOAT_EQ(runScalar(call("tanh"), 1.5f), std::tanh(1.5f));
  EXPECT_FLOAT_EQ(
      runScalar("%r = call float @llvm.pow.f32(float %v, float 2.5)", 1.5f),
      std::pow(1.5f, 2.5f));
}

TEST(Scalar, Conversions) {
  std::string half = "%h = fptrunc float %v to half\n"
                     "%r = fpext half %h to float";
  std::string bfloat = "%h = fptrunc float %v to bfloat\n"
                       "%r = fpext bfloat %h to float";
  EXPECT_EQ(runScalar(half, 2049), 2048); // A tie.
  EXPECT_EQ(runScalar(half, 2051), 2052);
  EXPECT_EQ(runScalar(half, 70000), std::numeric_limits<float>::infinity());
  EXPECT_EQ(runScalar(half, 0x1p-24f), 0x1p-24f);
  EXPECT_EQ(runScalar(bfloat, 257), 256);
  EXPECT_EQ(runScalar(bfloat, 259), 260);
  EXPECT_EQ(runScalar(bfloat, 0x1p-130f), 0x1p-130f); // A denormal.
  EXPECT_TRUE(
      std::isnan(runScalar(bfloat, std::numeric_limits<float>::quiet_NaN())));
  std::string arithmetic = "%h = fptrunc float %v to bfloat\n"
                           "%s = fadd bfloat %h, 1.0\n"
                           "%m = fmul bfloat %s, %s\n"
                           "%r = fpext bfloat %m to float";
  EXPECT_EQ(runScalar(arithmetic, 2), 9);
  EXPECT_EQ(runScalar("%p = call <2 x half> @llvm.nvvm.ff2f16x2.rn(float 1.0, "
                      "float %v)\n"
                      "%h = extractelement <2 x half> %p, i32 0\n"
                      "%r = fpext half %h to float",
                      2049),
            2048);
  EXPECT_EQ(runScalar("%p = call <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn(float "
                      "%v, float 1.0)\n"
                      "%h = extractelement <2 x bfloat> %p, i32 1\n"
                      "%r = fpext bfloat %h to float",
                      259),
            260);
  EXPECT_EQ(runScalar("%b = call i32 @llvm.nvvm.f2tf32.rna(float %v)\n"
                      "%r = bitcast i32 %b to float",
                      2049),
            2050);
}

TEST(Scalar, DivisionsThatTrapOnTheHost) {
  for (const char *op : {"sdiv", "udiv", "srem", "urem"})
    runScalar("%i = fptosi float %v to i32\n"
              "%q = " +
                  std::string(op) +
                  " i32 -2147483648, %i\n"
                  "%r = sitofp i32 %q to float",
              0);
  EXPECT_EQ(runScalar("%i = fptosi float %v to i32\n"
                      "%q = sdiv i32 -2147483648, %i\n"
                      "%r = sitofp i32 %q to float",
                      -1),
            -0x1p31f);
  EXPECT_EQ(runScalar("%i = fptosi float %v to i32\n"
                      "%q = sdiv i32 7, %i\n"
                      "%r = sitofp i32 %q to float",
                      -2),
            -3);
}

TEST(Scalar, PrivateArrays) {
  EXPECT_EQ(runScalar("%a = alloca [4 x float], align 16\n"
                      "%p = getelementptr [4 x float], ptr %a, i32 0, i32 2\n"
                      "store float %v, ptr %p, align 4\n"
                      "%r = load float, ptr %p, align 4",
                      5),
            5);
}

TEST(Scalar, ConstantTables) {
  Harness h(R"(
@table = internal addrspace(4) constant [3 x float] [float 1.0, float 2.0, float 4.0]
define ptx_kernel void @lookup(ptr %x, i64 %i) {
  %p = getelementptr [3 x float], ptr addrspace(4) @table, i64 0, i64 %i
  %v = load float, ptr addrspace(4) %p, align 4
  store float %v, ptr %x, align 4
  ret void
})");
  float *x = h.allocate<float>(1);
  EXPECT_EQ(h.run("lookup", {1}, {1}, x, int64_t(2)), "");
  EXPECT_EQ(h.download(x, 1)[0], 4);
  expectParts(h.run("lookup", {1}, {1}, x, int64_t(3)),
              {"out-of-bounds access of a constant table"});
}

} // namespace
