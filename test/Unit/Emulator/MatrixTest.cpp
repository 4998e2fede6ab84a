//===- MatrixTest.cpp - cp.async, ldmatrix and mma.sync on the emulator ---===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatorHarness.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace mlir::fusion;
using namespace mlir::fusion::test;

namespace {

/// What the generated product looks like; the defaults are right.
struct ProductOptions {
  unsigned stages = 4;
  /// Groups of copies left in flight before the first stage is read; one less
  /// each stage.
  unsigned inFlight = 3;
  bool barrierAfterWait = true;
  bool bf16 = false;
};

/// D[16][8] = A[16][k] B[k][8] by one warp: all copies first, then a stage of
/// 16 of k at a time.
std::string buildProduct(const ProductOptions &options) {
  unsigned k = 16 * options.stages;
  std::string text = R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
declare { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3))
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float)
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32, i32, i32, i32, i32, i32, float, float, float, float)
)";
  text += llvm::formatv(R"(
@a = internal addrspace(3) global [{0} x half] undef, align 16
@b = internal addrspace(3) global [{1} x half] undef, align 16
define ptx_kernel void @product(ptr addrspace(1) %ga, ptr addrspace(1) %gb, ptr %gd) {{
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %half = lshr i32 %lane, 1
  %odd = and i32 %lane, 1
  %chunk = mul i32 %odd, 8
  %low = icmp ult i32 %lane, 16
  %row16 = and i32 %lane, 15
  %column16 = lshr i32 %lane, 4
  %column8 = mul i32 %column16, 8
  br label %stage0
)",
                        16 * k, 8 * k);
  for (unsigned s = 0; s < options.stages; ++s)
    text += llvm::formatv(R"(
stage{0}:
  %fa.row{0} = mul i32 %half, {1}
  %fa.at{0} = add i32 %chunk, {2}
  %fa.index{0} = add i32 %fa.row{0}, %fa.at{0}
  %fa.from{0} = getelementptr half, ptr addrspace(1) %ga, i32 %fa.index{0}
  %fa.to{0} = getelementptr half, ptr addrspace(3) @a, i32 %fa.index{0}
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %fa.to{0}, ptr addrspace(1) %fa.from{0})
  br i1 %low, label %copyb{0}, label %join{0}
copyb{0}:
  %fb.row{0} = add i32 %lane, {2}
  %fb.index{0} = mul i32 %fb.row{0}, 8
  %fb.from{0} = getelementptr half, ptr addrspace(1) %gb, i32 %fb.index{0}
  %fb.to{0} = getelementptr half, ptr addrspace(3) @b, i32 %fb.index{0}
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %fb.to{0}, ptr addrspace(1) %fb.from{0})
  br label %join{0}
join{0}:
  call void @llvm.nvvm.cp.async.commit.group()
  br label %{3}
)",
                          s, k, 16 * s,
                          s + 1 == options.stages
                              ? std::string("compute")
                              : llvm::formatv("stage{0}", s + 1).str());
  text += "compute:\n";
  for (unsigned s = 0; s < options.stages; ++s) {
    text +=
        llvm::formatv("  call void @llvm.nvvm.cp.async.wait.group(i32 {0})\n",
                      options.inFlight > s ? options.inFlight - s : 0);
    if (options.barrierAfterWait)
      text += "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
    text += llvm::formatv(R"(
  %a.row{0} = mul i32 %row16, {1}
  %a.at{0} = add i32 %column8, {2}
  %a.index{0} = add i32 %a.row{0}, %a.at{0}
  %a.from{0} = getelementptr half, ptr addrspace(3) @a, i32 %a.index{0}
  %fa{0} = call {{ i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %a.from{0})
  %b.row{0} = add i32 %row16, {2}
  %b.index{0} = mul i32 %b.row{0}, 8
  %b.from{0} = getelementptr half, ptr addrspace(3) @b, i32 %b.index{0}
  %fb{0} = call {{ i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3) %b.from{0})
)",
                          s, k, 16 * s);
    std::string operands;
    for (unsigned i = 0; i < 6; ++i) {
      text +=
          llvm::formatv("  %r{0}.{1} = extractvalue {2} %{3}{0}, {4}\n", s, i,
                        i < 4 ? "{ i32, i32, i32, i32 }" : "{ i32, i32 }",
                        i < 4 ? "fa" : "fb", i < 4 ? i : i - 4);
      if (!options.bf16)
        text += llvm::formatv(
            "  %h{0}.{1} = bitcast i32 %r{0}.{1} to <2 x half>\n", s, i);
      operands += llvm::formatv("{0} %{1}{2}.{3}, ",
                                options.bf16 ? "i32" : "<2 x half>",
                                options.bf16 ? "r" : "h", s, i);
    }
    for (unsigned i = 0; i < 4; ++i) {
      std::string c = "0.0";
      if (s > 0) {
        text += llvm::formatv("  %c{0}.{1} = extractvalue {{ float, float, "
                              "float, float } %d{2}, {1}\n",
                              s, i, s - 1);
        c = llvm::formatv("%c{0}.{1}", s, i);
      }
      operands += llvm::formatv("float {0}{1}", c, i < 3 ? ", " : "");
    }
    text += llvm::formatv("  %d{0} = call {{ float, float, float, float } "
                          "@llvm.nvvm.mma.m16n8k16.row.col.{1}({2})\n",
                          s, options.bf16 ? "bf16" : "f32.f32", operands);
  }
  text += R"(
  %g = lshr i32 %lane, 2
  %t = and i32 %lane, 3
  %g8 = mul i32 %g, 8
  %t2 = mul i32 %t, 2
  %d.low = add i32 %g8, %t2
  %d.high = add i32 %d.low, 64
)";
  for (unsigned i = 0; i < 4; ++i)
    text += llvm::formatv(R"(
  %value{0} = extractvalue {{ float, float, float, float } %d{1}, {0}
  %index{0} = add i32 %d.{2}, {3}
  %to{0} = getelementptr float, ptr %gd, i32 %index{0}
  store float %value{0}, ptr %to{0}, align 4
)",
                          i, options.stages - 1, i < 2 ? "low" : "high", i % 2);
  return text + "  ret void\n}\n";
}

uint16_t encode(float value, bool bf16) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  // Small integers: exact in both formats.
  if (bf16)
    return bits >> 16;
  if (value == 0)
    return 0;
  return ((bits >> 16) & 0x8000) | ((((bits >> 23) & 0xff) - 112) << 10) |
         ((bits >> 13) & 0x3ff);
}

struct Operands {
  std::vector<float> a, b;
  std::vector<uint16_t> a16, b16;

  Operands(unsigned k, bool bf16) : a(16 * k), b(8 * k) {
    for (size_t i = 0; i < a.size(); ++i)
      a[i] = float(int(i * 7 % 17) - 8);
    for (size_t i = 0; i < b.size(); ++i)
      b[i] = float(int(i * 5 % 13) - 6);
    for (float value : a)
      a16.push_back(encode(value, bf16));
    for (float value : b)
      b16.push_back(encode(value, bf16));
  }
};

/// Of operands' format bf16, and of optimized code.
class Product : public testing::TestWithParam<std::tuple<bool, bool>> {};

TEST_P(Product, AgreesWithScalars) {
  ProductOptions options;
  options.bf16 = std::get<0>(GetParam());
  unsigned k = 16 * options.stages;
  EmulatorOptions emulatorOptions;
  emulatorOptions.optimizeAtOnce = std::get<1>(GetParam());
  Harness h(buildProduct(options), emulatorOptions);
  Operands operands(k, options.bf16);
  auto *a = h.upload(operands.a16), *b = h.upload(operands.b16);
  float *d = h.allocate<float>(16 * 8);
  ASSERT_EQ(h.run("product", {1}, {32}, a, b, d), "");
  std::vector<float> result = h.download(d, 16 * 8);
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned j = 0; j < 8; ++j) {
      float sum = 0;
      for (unsigned l = 0; l < k; ++l)
        sum += operands.a[i * k + l] * operands.b[l * 8 + j];
      EXPECT_EQ(result[i * 8 + j], sum) << i << ", " << j;
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, Product,
                         testing::Combine(testing::Bool(), testing::Bool()));

/// Runs a wrong product; returns the error.
std::string runWrong(const ProductOptions &options) {
  Harness h(buildProduct(options));
  Operands operands(16 * options.stages, options.bf16);
  auto *a = h.upload(operands.a16), *b = h.upload(operands.b16);
  float *d = h.allocate<float>(16 * 8);
  return h.run("product", {1}, {32}, a, b, d);
}

TEST(Matrix, TooFewCopiesAwaited) {
  ProductOptions options;
  options.inFlight = 4;
  expectParts(runWrong(options),
              {"kernel 'product'",
               "load of shared memory that an asynchronous copy in flight is "
               "writing",
               "ldmatrix", "cp.async.wait_group"});
}

TEST(Matrix, NoBarrierAfterWait) {
  ProductOptions options;
  options.barrierAfterWait = false;
  std::string message = runWrong(options);
  // Another lane's copy has not been issued, not arrived, or arrived unordered.
  expectParts(message, {"kernel 'product'", "ldmatrix"});
  EXPECT_TRUE(message.find("data race on shared memory") != message.npos ||
              message.find("in flight") != message.npos ||
              message.find("uninitialized shared memory") != message.npos)
      << message;
}

TEST(Matrix, ZeroFill) {
  Harness h(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.wait.all()
@s = internal addrspace(3) global [8 x i8] undef, align 8
define ptx_kernel void @fill(ptr addrspace(1) %x, ptr %y, i32 %bytes) {
  call void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3) @s, ptr addrspace(1) %x, i32 %bytes)
  call void @llvm.nvvm.cp.async.wait.all()
  %v = load i64, ptr addrspace(3) @s, align 8
  store i64 %v, ptr %y, align 8
  ret void
})");
  std::vector<uint64_t> x = {0x1122334455667788};
  auto *dx = h.upload(x), *dy = h.allocate<uint64_t>(1);
  for (int bytes = 0; bytes <= 8; ++bytes) {
    ASSERT_EQ(h.run("fill", {1}, {1}, dx, dy, bytes), "");
    uint64_t mask = bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1;
    EXPECT_EQ(h.download(dy, 1)[0], x[0] & mask);
  }
}

TEST(Matrix, Profile) {
  EmulatorOptions options;
  options.profile = true;
  Harness h(buildProduct({}), options);
  Operands operands(64, false);
  auto *a = h.upload(operands.a16), *b = h.upload(operands.b16);
  float *d = h.allocate<float>(16 * 8);
  ASSERT_EQ(h.run("product", {1}, {32}, a, b, d), "");
  auto profiles = h.emulator->getProfiles();
  ASSERT_EQ(profiles.size(), 1u);
  EXPECT_EQ(profiles[0].first, "product");
  const KernelProfile &p = profiles[0].second;
  EXPECT_EQ(p.launches, 1u);
  EXPECT_EQ(p.mmaFlops, 2u * 16 * 8 * 64);
  EXPECT_EQ(p.barriers, 4u);
  EXPECT_EQ(p.collectives, 12u);
  // A row of A's tile is 32 bytes; B's tile is contiguous.
  EXPECT_EQ(p.globalLoadBytes, (16u + 8) * 64 * 2);
  EXPECT_EQ(p.globalLoadRequests, 8u);
  EXPECT_EQ(p.globalLoadSectors, 4u * 16 + 4u * 8);
  EXPECT_EQ(p.globalStoreBytes, 16u * 8 * 4);
  EXPECT_EQ(p.globalStoreRequests, 4u);
  EXPECT_EQ(p.globalStoreSectors, 4u * 8);
  EXPECT_EQ(p.ldmatrixRequests, 8u);
  // Rows of A are 128 bytes apart: all 8 of a matrix in the same banks.
  EXPECT_EQ(p.ldmatrixConflicts, 4u * 4 * 7);
}

} // namespace
