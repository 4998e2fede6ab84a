//===- TargetTable.cpp - The devices that kernels are made for ------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Target/TargetTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace mlir::fusion;

namespace {

constexpr uint32_t kKiB = 1024;

/// What the NVIDIA targets have in common; the arguments are where they differ.
constexpr TargetInfo nvidia(llvm::StringLiteral name, TargetMatrixUnit unit,
                            unsigned version, uint32_t sharedPerBlock,
                            uint32_t sharedPerMultiprocessor, uint32_t warps,
                            uint32_t blocks, uint32_t multiprocessors,
                            uint32_t cache, double matrixFlops,
                            double scalarFlops, double bandwidth) {
  return {name,
          TargetVendor::NVIDIA,
          unit,
          version,
          /*staticSharedBytes=*/48 * kKiB,
          sharedPerBlock * kKiB,
          sharedPerMultiprocessor * kKiB,
          /*maxThreadsPerBlock=*/1024,
          /*warpSize=*/32,
          warps,
          blocks,
          /*registersPerMultiprocessor=*/65536,
          /*maxRegistersPerThread=*/255,
          multiprocessors,
          cache * kKiB * kKiB,
          /*maxBufferArguments=*/0,
          /*hasF64=*/true,
          matrixFlops,
          scalarFlops,
          bandwidth,
          /*launchMicroseconds=*/1.3};
}

/// What the Apple families have in common.
constexpr TargetInfo apple(llvm::StringLiteral name, unsigned version,
                           uint32_t cores, double flops, double bandwidth) {
  return {name,
          TargetVendor::Apple,
          TargetMatrixUnit::Simdgroup,
          version,
          /*staticSharedBytes=*/32 * kKiB,
          /*sharedBytesPerBlock=*/32 * kKiB,
          /*sharedBytesPerMultiprocessor=*/60 * kKiB,
          /*maxThreadsPerBlock=*/1024,
          /*warpSize=*/32,
          /*maxWarpsPerMultiprocessor=*/96,
          /*maxBlocksPerMultiprocessor=*/96,
          /*registersPerMultiprocessor=*/53248,
          /*maxRegistersPerThread=*/128,
          cores,
          /*cacheBytes=*/48 * kKiB * kKiB,
          /*maxBufferArguments=*/31,
          /*hasF64=*/false,
          /*matrixFlops=*/flops,
          /*scalarFlops=*/flops,
          bandwidth,
          /*launchMicroseconds=*/2.0};
}

/// Representative devices: A100 SXM 80 GB, RTX 3090, RTX 4090, H200 (rates
/// measured: a large matmul and a copy), B200 (nine tenths of the data sheet),
/// and the Max chips of the M1, M2 and M3.
constexpr TargetInfo kTargets[] = {
    nvidia("sm_80", TargetMatrixUnit::MmaSync, 80, 163, 164, 64, 32, 108, 40,
           312e12, 19.5e12, 2.0e12),
    nvidia("sm_86", TargetMatrixUnit::MmaSync, 86, 99, 100, 48, 16, 82, 6,
           71e12, 35.6e12, 0.936e12),
    nvidia("sm_89", TargetMatrixUnit::MmaSync, 89, 99, 100, 48, 24, 128, 72,
           165e12, 82.6e12, 1.008e12),
    nvidia("sm_90", TargetMatrixUnit::MmaSync, 90, 227, 228, 64, 32, 132, 50,
           790e12, 67e12, 4.3e12),
    nvidia("sm_90a", TargetMatrixUnit::WarpgroupMma, 90, 227, 228, 64, 32, 132,
           50, 790e12, 67e12, 4.3e12),
    nvidia("sm_100a", TargetMatrixUnit::TensorMemoryMma, 100, 227, 228, 64, 32,
           148, 126, 2000e12, 72e12, 7.2e12),
    apple("apple7", 7, 32, 10.4e12, 0.4e12),
    apple("apple8", 8, 38, 13.6e12, 0.4e12),
    apple("apple9", 9, 40, 14.2e12, 0.4e12),
};

} // namespace

int64_t TargetInfo::getResidentBlocks(int64_t threads, int64_t sharedBytes,
                                      int64_t registers) const {
  int64_t occupancy = int64_t(maxWarpsPerMultiprocessor) * warpSize / threads;
  if (sharedBytes > 0)
    occupancy = std::min(occupancy, sharedBytesPerMultiprocessor / sharedBytes);
  if (registers > 0)
    occupancy =
        std::min(occupancy, registersPerMultiprocessor / (registers * threads));
  return multiprocessors * std::max<int64_t>(occupancy, 1);
}

const TargetInfo *mlir::fusion::lookupTarget(llvm::StringRef name) {
  const auto *it = llvm::find_if(
      kTargets, [&](const TargetInfo &info) { return info.name == name; });
  return it == std::end(kTargets) ? nullptr : it;
}

llvm::ArrayRef<TargetInfo> mlir::fusion::getTargets() { return kTargets; }

std::string mlir::fusion::getTargetNames() {
  return llvm::join(
      llvm::map_range(kTargets,
                      [](const TargetInfo &info) { return info.name.str(); }),
      ", ");
}

double mlir::fusion::modelMicroseconds(const TargetInfo &target, double bytes,
                                       double flops, bool usesMatrixUnit) {
  double rate = usesMatrixUnit ? target.matrixFlops : target.scalarFlops;
  double seconds = std::max(flops / rate, bytes / target.bandwidth);
  return seconds * 1e6 + target.launchMicroseconds;
}
