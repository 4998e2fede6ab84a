//===- RaceTest.cpp - Races, divergence and deadlocks on the emulator -----===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatorHarness.h"

using namespace mlir::fusion;
using namespace mlir::fusion::test;

namespace {

/// A kernel whose body may use %tid, %bid and the shared array @s of 64 floats.
std::string kernel(llvm::StringRef body) {
  return withHeader((R"(
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare void @llvm.nvvm.membar.gl()
@s = internal addrspace(3) global [64 x float] undef, align 16
define ptx_kernel void @kernel(ptr %x) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %slot = getelementptr float, ptr addrspace(3) @s, i32 %tid
)" + body + R"(
  ret void
})")
                        .str());
}

/// Runs a kernel by quickly made code and by optimized code, which must report
/// the same.
std::string run(llvm::StringRef body, unsigned blocks = 1,
                unsigned threads = 64, EmulatorOptions options = {}) {
  std::string messages[2];
  for (bool optimized : {false, true}) {
    options.optimizeAtOnce = optimized;
    Harness h(kernel(body), options);
    if (!h.emulator)
      return "does not parse";
    float *x = h.upload(std::vector<float>(1024, 1));
    messages[optimized] = h.run("kernel", {blocks}, {threads}, x);
  }
  EXPECT_EQ(messages[0], messages[1]);
  return messages[0];
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Writes its slot, then reads its neighbour's, `mask` away.
std::string exchange(llvm::StringRef between, llvm::StringRef mask,
                     llvm::StringRef after = "") {
  return (R"(
  store float 1.0, ptr addrspace(3) %slot, align 4
)" + between +
          R"(
  %other = xor i32 %tid, )" +
          mask + R"(
  %from = getelementptr float, ptr addrspace(3) @s, i32 %other
  %v = load float, ptr addrspace(3) %from, align 4
)" + after)
      .str();
}

constexpr char barrier[] =
    "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
constexpr char warpBarrier[] = "  call void @llvm.nvvm.bar.warp.sync(i32 -1)\n";

TEST(Race, BarrierOrders) { EXPECT_EQ(run(exchange(barrier, "32")), ""); }

TEST(Race, WarpBarrierOrdersWithinWarp) {
  EXPECT_EQ(run(exchange(warpBarrier, "1")), "");
}

TEST(Race, WarpBarrierDoesNotOrderWarps) {
  // The second warp reads what the first one wrote.
  expectParts(run(exchange(warpBarrier, "32")),
              {"kernel 'kernel'", "%v = load"});
}

TEST(Race, WriteAfterRead) {
  std::string overwrite =
      "  store float 2.0, ptr addrspace(3) %slot, align 4\n";
  // Whichever comes first, the other one is reported.
  expectParts(run(exchange(barrier, "32", overwrite)),
              {"data race on shared memory", "since the last barrier"});
  std::string firstReads = R"(
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %read, label %write
read:
  %w = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @s, i32 16), align 4
  br label %write
write:
)";
  expectParts(run(exchange(barrier, "0", firstReads + overwrite)),
              {"data race on shared memory: store of 4 bytes",
               "which several threads read since the last barrier",
               "in thread (4,0,0)",
               "'store float 2.000000e+00, ptr addrspace(3) %slot"});
  EXPECT_EQ(run(exchange(barrier, "32", barrier + overwrite)), "");
}

TEST(Race, WriteAfterReadInWarp) {
  std::string overwrite =
      "  store float 2.0, ptr addrspace(3) %slot, align 4\n";
  expectParts(run(exchange(warpBarrier, "1", overwrite)),
              {"data race on shared memory"});
  EXPECT_EQ(run(exchange(warpBarrier, "1", warpBarrier + overwrite)), "");
}

TEST(Race, WriteWrite) {
  expectParts(run("  store float 1.0, ptr addrspace(3) @s, align 4\n"),
              {"data race on shared memory: store of 4 bytes",
               "which thread (0,0,0) wrote since the last barrier",
               "in thread (1,0,0)"});
}

TEST(Race, Atomics) {
  EXPECT_EQ(run((R"(
  %lane = and i32 %tid, 63
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %init, label %join
init:
  store float 0.0, ptr addrspace(3) @s, align 4
  br label %join
join:
)" + std::string(barrier) +
                 R"(
  %old = atomicrmw fadd ptr addrspace(3) @s, float 1.0 monotonic
)" + barrier + R"(
  %v = load float, ptr addrspace(3) @s, align 4
  store float %v, ptr %x, align 4
)"),
                1, 1),
            "");
}

TEST(Race, SharedBounds) {
  expectParts(
      run("  store float 1.0, ptr addrspace(3) %slot, align 4\n", 1, 65),
      {"out-of-bounds store of 4 bytes of shared memory", "in thread (64,0,0)",
       "store float"});
}

TEST(Race, NarrowAccesses) {
  // Neighbouring bytes belong to different threads.
  EXPECT_EQ(run(R"(
  %byte = getelementptr i8, ptr addrspace(3) @s, i32 %tid
  store i8 1, ptr addrspace(3) %byte, align 1
  %v = load i8, ptr addrspace(3) %byte, align 1
)"),
            "");
}

/// Times run out after about a million barriers.
TEST(Race, ManyBarriers) {
  EXPECT_EQ(run(R"(
  %other = xor i32 %tid, 1
  %from = getelementptr float, ptr addrspace(3) @s, i32 %other
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store float 1.0, ptr addrspace(3) %slot, align 4
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %v = load float, ptr addrspace(3) %from, align 4
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 600000
  br i1 %more, label %loop, label %exit
exit:
)",
                1, 2),
            "");
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

TEST(Race, BlocksWriteTheSame) {
  expectParts(run("  store float 2.0, ptr %x, align 4\n", 2, 1),
              {"data race on global memory: store of 4 bytes",
               "which block (0,0,0) wrote in the same launch",
               "block (1,0,0)"});
  EmulatorOptions options;
  options.globalRaceChecks = false;
  EXPECT_EQ(run("  store float 2.0, ptr %x, align 4\n", 2, 1, options), "");
}

/// Reads the value of the next block or of the previous one, writes its own.
std::string shift(llvm::StringRef distance) {
  return (R"(
  %n = add i32 %bid, )" +
          distance + R"(
  %from = getelementptr float, ptr %x, i32 %n
  %v = load float, ptr %from, align 4
  %own = add i32 %bid, 8
  %to = getelementptr float, ptr %x, i32 %own
  store float %v, ptr %to, align 4
)")
      .str();
}

TEST(Race, BlocksReadAndWrite) {
  expectParts(run(shift("7"), 4, 1),
              {"data race on global memory: load of 4 bytes",
               "which block (0,0,0) wrote", "block (1,0,0)", "%v = load"});
  // In order, no block reads what an earlier one wrote; in reverse they do.
  EXPECT_EQ(run(shift("9"), 4, 1), "");
  EmulatorOptions options;
  options.reverseBlockOrder = true;
  expectParts(run(shift("9"), 4, 1, options),
              {"data race on global memory", "which block (3,0,0) wrote",
               "block (2,0,0)"});
}

TEST(Race, BlocksShareWords) {
  // Bytes and halves of one word belong to different blocks.
  EXPECT_EQ(run(R"(
  %byte = getelementptr i8, ptr %x, i32 %bid
  %v = load i8, ptr %byte, align 1
  store i8 %v, ptr %byte, align 1
  %w = load i8, ptr %byte, align 1
)",
                64, 1),
            "");
}

TEST(Race, EveryLaunchIsNew) {
  Harness h(kernel(R"(
  %to = getelementptr float, ptr %x, i32 %bid
  %v = load float, ptr %to, align 4
  %w = fadd float %v, 1.0
  store float %w, ptr %to, align 4
)"));
  float *x = h.upload(std::vector<float>(64, 1));
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(h.run("kernel", {64}, {1}, x), "");
  EXPECT_EQ(h.download(x, 64), std::vector<float>(64, 4));
}

TEST(Race, FencesAndAtomicsOrderBlocks) {
  // The last block to arrive adds what all of them wrote.
  EXPECT_EQ(run(R"(
  %own = getelementptr float, ptr %x, i32 %bid
  store float 2.0, ptr %own, align 4
  call void @llvm.nvvm.membar.gl()
  %counter = getelementptr float, ptr %x, i32 100
  %old = atomicrmw fadd ptr %counter, float 1.0 monotonic
  %isLast = fcmp oeq float %old, 4.0
  br i1 %isLast, label %sum, label %exit
sum:
  %v = load float, ptr %x, align 4
  br label %exit
exit:
)",
                4, 1),
            "");
}

//===----------------------------------------------------------------------===//
// Divergence, deadlocks
//===----------------------------------------------------------------------===//

TEST(Divergence, ExitBeforeBarrier) {
  expectParts(run((R"(
  %some = icmp ult i32 %tid, 40
  br i1 %some, label %wait, label %exit
wait:
)" + std::string(barrier) +
                   R"(
  br label %exit
exit:
)")),
              {"deadlock: no thread of the block can go on",
               "40 threads wait at 'call void "
               "@llvm.nvvm.barrier.cta.sync.aligned.all",
               "24 threads have exited"});
}

TEST(Divergence, DifferentBarriers) {
  expectParts(run((R"(
  %some = icmp ult i32 %tid, 40
  br i1 %some, label %a, label %b
a:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %exit
b:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %exit
exit:
)")),
              {"divergent barrier: other threads of the block wait at"});
}

TEST(Divergence, Shuffle) {
  expectParts(run(R"(
  %some = icmp ult i32 %tid, 7
  br i1 %some, label %a, label %exit
a:
  %v = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float 0.0, i32 1, i32 31)
  br label %exit
exit:
)",
                  1, 32),
              {"deadlock", "7 threads wait at '%v = call float "
                           "@llvm.nvvm.shfl.sync.bfly.f32"});
  expectParts(run(R"(
  %some = icmp ugt i32 %tid, 7
  br i1 %some, label %a, label %exit
a:
  %v = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float 0.0, i32 1, i32 31)
  br label %exit
exit:
)",
                  1, 32),
              {"waits for lanes that have exited", "live: "});
  expectParts(run(R"(
  %v = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 1, float 0.0, i32 1, i32 31)
)",
                  1, 32),
              {"whose mask 0x1 does not name it", "thread (1,0,0)"});
}

TEST(Divergence, OverlappingShuffles) {
  expectParts(run(R"(
  %some = icmp ult i32 %tid, 7
  br i1 %some, label %a, label %b
a:
  %v = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float 0.0, i32 1, i32 31)
  br label %exit
b:
  %w = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float 0.0, i32 2, i32 31)
  br label %exit
exit:
)",
                  1, 32),
              {"divergent warp-wide operation: other lanes of the warp wait at "
               "'%v = call float"});
}

TEST(Divergence, NamedBarriers) {
  // The first warp arrives and goes on, the second one waits.
  EXPECT_EQ(run(R"(
  %first = icmp ult i32 %tid, 32
  br i1 %first, label %produce, label %consume
produce:
  store float 1.0, ptr addrspace(3) %slot, align 4
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)
  br label %exit
consume:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  %other = xor i32 %tid, 32
  %from = getelementptr float, ptr addrspace(3) @s, i32 %other
  %v = load float, ptr addrspace(3) %from, align 4
  br label %exit
exit:
)"),
            "");
}

TEST(Divergence, PartialWarp) {
  EXPECT_EQ(run(R"(
  %v = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float 1.0, i32 1, i32 31)
  %to = getelementptr float, ptr %x, i32 %tid
  store float %v, ptr %to, align 4
)",
                1, 40),
            "");
}

} // namespace
