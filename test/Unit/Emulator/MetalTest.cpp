//===- MetalTest.cpp - Metal kernels on the emulator ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels are what clang makes of Metal Shading Language with the host
// shim of `metal_stdlib`.
//
//===----------------------------------------------------------------------===//

#include "EmulatorHarness.h"

using namespace mlir::fusion;
using namespace mlir::fusion::test;

namespace {

using Parameter = MetalKernelInfo::Parameter;

Parameter buffer(unsigned index) {
  Parameter parameter;
  parameter.index = index;
  return parameter;
}

Parameter builtin(llvm::StringRef name) {
  Parameter parameter;
  parameter.kind = Parameter::Kind::Builtin;
  parameter.builtin = *parseMetalBuiltin(name);
  return parameter;
}

Parameter threadgroup(size_t bytes) {
  Parameter parameter;
  parameter.kind = Parameter::Kind::Threadgroup;
  parameter.threadgroupBytes = bytes;
  return parameter;
}

EmulatorOptions describe(llvm::StringRef kernel,
                         std::vector<Parameter> parameters) {
  EmulatorOptions options;
  options.metalKernels[kernel].parameters = std::move(parameters);
  return options;
}

TEST(Metal, Builtins) {
  EXPECT_FALSE(parseMetalBuiltin("thread_position"));
  Harness h(R"(
target triple = "spir64"
define spir_kernel void @scale(ptr addrspace(1) %x, ptr addrspace(2) %p, i32 %i, <2 x i16> %group, i16 zeroext %lane) {
  %n = load i32, ptr addrspace(2) %p, align 4
  %in = icmp ult i32 %i, %n
  br i1 %in, label %body, label %exit
body:
  %pf = getelementptr i8, ptr addrspace(2) %p, i64 4
  %factor = load float, ptr addrspace(2) %pf, align 4
  %px = getelementptr float, ptr addrspace(1) %x, i32 %i
  %v = load float, ptr addrspace(1) %px, align 4
  %w = fmul float %v, %factor
  %gx = extractelement <2 x i16> %group, i32 0
  %gf = uitofp i16 %gx to float
  %s = fadd float %w, %gf
  %lf = uitofp i16 %lane to float
  %t = fadd float %s, %lf
  store float %t, ptr addrspace(1) %px, align 4
  br label %exit
exit:
  ret void
})",
            describe("scale",
                     {buffer(0), buffer(1), builtin("thread_position_in_grid"),
                      builtin("threadgroup_position_in_grid"),
                      builtin("thread_index_in_simdgroup")}));
  std::vector<float> x(200);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = i;
  float *dx = h.upload(x);
  struct {
    uint32_t n = 200;
    float factor = 2;
  } parameters;
  ASSERT_EQ(h.run("scale", {4}, {64}, dx, parameters), "");
  std::vector<float> y = h.download(dx, 200);
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(y[i], 2 * i + i / 64 + i % 32) << i;
  parameters.n = 201;
  expectParts(h.run("scale", {4}, {64}, dx, parameters),
              {"kernel 'scale'", "out-of-bounds load of 4 bytes"});
}

TEST(Metal, CollectivesAndThreadgroupMemory) {
  Harness h(R"(
target triple = "spir64"
declare spir_func void @__emu_msl_barrier(i32, i32)
declare spir_func void @__emu_msl_coll(i32, i32, ptr, ptr, i32, i32)
define spir_kernel void @sum(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(3) %red, i32 %tid, i32 %sg) {
  %in = alloca float, align 4
  %out = alloca float, align 4
  %px = getelementptr float, ptr addrspace(1) %x, i32 %tid
  %v = load float, ptr addrspace(1) %px, align 4
  store float %v, ptr %in, align 4
  call spir_func void @__emu_msl_coll(i32 0, i32 0, ptr %in, ptr %out, i32 0, i32 0)
  %s = load float, ptr %out, align 4
  %lane = and i32 %tid, 31
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %write, label %join
write:
  %slot = getelementptr float, ptr addrspace(3) %red, i32 %sg
  store float %s, ptr addrspace(3) %slot, align 4
  br label %join
join:
  call spir_func void @__emu_msl_barrier(i32 2, i32 0)
  %second = getelementptr float, ptr addrspace(3) %red, i32 1
  %a = load float, ptr addrspace(3) %red, align 4
  %b = load float, ptr addrspace(3) %second, align 4
  %t = fadd float %a, %b
  %py = getelementptr float, ptr addrspace(1) %y, i32 %tid
  store float %t, ptr addrspace(1) %py, align 4
  ret void
})",
            describe("sum", {buffer(0), buffer(1), threadgroup(8),
                             builtin("thread_index_in_threadgroup"),
                             builtin("simdgroup_index_in_threadgroup")}));
  std::vector<float> x(64);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = i;
  float *dx = h.upload(x), *dy = h.allocate<float>(64);
  ASSERT_EQ(h.run("sum", {1}, {64}, dx, dy), "");
  EXPECT_EQ(h.download(dy, 64), std::vector<float>(64, 63.0f * 64 / 2));
  // A third SIMD group has no slot.
  float *larger = h.upload(std::vector<float>(96, 1));
  float *result = h.allocate<float>(96);
  expectParts(
      h.run("sum", {1}, {96}, larger, result),
      {"out-of-bounds store of 4 bytes of shared memory", "thread (64,0,0)"});
}

TEST(Metal, SimdgroupMatrix) {
  Harness h(R"(
target triple = "spir64"
declare spir_func void @__emu_msl_mma(ptr, ptr, ptr, ptr, i32)
define spir_kernel void @mma(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %d, i32 %lane) {
  %pa = alloca <2 x float>, align 8
  %pb = alloca <2 x float>, align 8
  %pc = alloca <2 x float>, align 8
  %q = lshr i32 %lane, 2
  %r0 = and i32 %q, 4
  %h = lshr i32 %lane, 1
  %r1 = and i32 %h, 3
  %row = add i32 %r0, %r1
  %c0 = and i32 %q, 2
  %c1 = shl i32 %c0, 1
  %odd = and i32 %lane, 1
  %c2 = shl i32 %odd, 1
  %column = add i32 %c1, %c2
  %base = shl i32 %row, 3
  %i = add i32 %base, %column
  %ga = getelementptr float, ptr addrspace(1) %a, i32 %i
  %va = load <2 x float>, ptr addrspace(1) %ga, align 8
  store <2 x float> %va, ptr %pa, align 8
  %gb = getelementptr float, ptr addrspace(1) %b, i32 %i
  %vb = load <2 x float>, ptr addrspace(1) %gb, align 8
  store <2 x float> %vb, ptr %pb, align 8
  store <2 x float> zeroinitializer, ptr %pc, align 8
  call spir_func void @__emu_msl_mma(ptr %pc, ptr %pa, ptr %pb, ptr %pc, i32 0)
  %vd = load <2 x float>, ptr %pc, align 8
  %gd = getelementptr float, ptr addrspace(1) %d, i32 %i
  store <2 x float> %vd, ptr addrspace(1) %gd, align 8
  ret void
})",
            describe("mma", {buffer(0), buffer(1), buffer(2),
                             builtin("thread_index_in_simdgroup")}));
  std::vector<float> a(64), b(64);
  for (int i = 0; i < 64; ++i) {
    a[i] = i * 7 % 11;
    b[i] = i * 5 % 13;
  }
  float *da = h.upload(a), *db = h.upload(b), *dd = h.allocate<float>(64);
  ASSERT_EQ(h.run("mma", {1}, {32}, da, db, dd), "");
  std::vector<float> d = h.download(dd, 64);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      float sum = 0;
      for (int k = 0; k < 8; ++k)
        sum += a[8 * i + k] * b[8 * k + j];
      EXPECT_EQ(d[8 * i + j], sum);
    }
  expectParts(h.run("mma", {1}, {16}, da, db, dd),
              {"simdgroup matrix operation by fewer than 32 threads"});
}

TEST(Metal, TooMuchThreadgroupMemory) {
  Harness h(R"(
define spir_kernel void @big(ptr addrspace(3) %s) {
  ret void
})",
            describe("big", {threadgroup(32772)}));
  expectParts(llvm::toString(h.emulator->compile("big")),
              {"needs 32772 bytes of shared memory; a block has 32768"});
}

} // namespace
