//===- Profiler.cpp - Counts what a kernel does ---------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profiler.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace mlir::fusion;
using namespace mlir::fusion::emulator;

/// Size of a sector of global memory; banks of shared memory, of 4 bytes each.
static constexpr uint64_t kSectorBytes = 32, kBankBytes = 4, kNumBanks = 32;

void Profiler::access(RequestKind kind, uint32_t site, unsigned warp,
                      unsigned lane, uint32_t lanes, uint64_t address,
                      uint32_t bytes) {
  Stream &stream = streams[uint64_t(warp) << 32 | site];
  stream.kind = kind;
  stream.bytes = bytes;
  uint32_t index = stream.visits[lane]++ - stream.first;
  while (stream.open.size() <= index)
    stream.open.emplace_back();
  Request &request = stream.open[index];
  request.lanes |= 1u << lane;
  request.addresses[lane] = address;
  while (!stream.open.empty() && stream.open.front().lanes == lanes) {
    count(stream, stream.open.front());
    stream.open.pop_front();
    ++stream.first;
  }
}

void Profiler::endBlock() {
  for (auto &[key, stream] : streams)
    for (const Request &request : stream.open)
      if (request.lanes)
        count(stream, request);
  streams.clear();
}

/// The number of aligned chunks of `granule` bytes that a request touches.
static uint64_t countChunks(const uint64_t (&addresses)[32], uint32_t lanes,
                            uint32_t bytes, uint64_t granule) {
  llvm::SmallVector<uint64_t, 64> chunks;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    uint64_t address = addresses[llvm::countr_zero(rest)];
    for (uint64_t chunk = address / granule,
                  last = (address + bytes - 1) / granule;
         chunk <= last; ++chunk)
      chunks.push_back(chunk);
  }
  llvm::sort(chunks);
  return llvm::unique(chunks) - chunks.begin();
}

/// Passes through the banks beyond one per phase. A phase serves as many lanes
/// as 32 banks can at best: 32 of 4 bytes, 16 of 8, 8 of 16.
static uint64_t countConflicts(const uint64_t (&addresses)[32], uint32_t lanes,
                               uint32_t bytes) {
  unsigned lanesPerPhase =
      std::clamp<unsigned>(kNumBanks * kBankBytes / bytes, 1, 32);
  uint64_t extra = 0;
  for (unsigned begin = 0; begin < 32; begin += lanesPerPhase) {
    llvm::SmallVector<uint64_t, 64> words;
    for (unsigned lane = begin; lane < begin + lanesPerPhase; ++lane) {
      if (!(lanes >> lane & 1))
        continue;
      for (uint64_t word = addresses[lane] / kBankBytes,
                    last = (addresses[lane] + bytes - 1) / kBankBytes;
           word <= last; ++word)
        words.push_back(word);
    }
    llvm::sort(words);
    words.erase(llvm::unique(words), words.end());
    unsigned perBank[kNumBanks] = {}, most = 0;
    for (uint64_t word : words)
      most = std::max(most, ++perBank[word % kNumBanks]);
    extra += most ? most - 1 : 0;
  }
  return extra;
}

void Profiler::count(const Stream &stream, const Request &request) {
  uint64_t bytes = uint64_t(stream.bytes) * llvm::popcount(request.lanes);
  auto sectors = [&] {
    return countChunks(request.addresses, request.lanes, stream.bytes,
                       kSectorBytes);
  };
  auto conflicts = [&] {
    return countConflicts(request.addresses, request.lanes, stream.bytes);
  };
  switch (stream.kind) {
  case RequestKind::GlobalLoad:
    profile.globalLoadBytes += bytes;
    ++profile.globalLoadRequests;
    profile.globalLoadSectors += sectors();
    return;
  case RequestKind::GlobalStore:
    profile.globalStoreBytes += bytes;
    ++profile.globalStoreRequests;
    profile.globalStoreSectors += sectors();
    return;
  case RequestKind::SharedLoad:
    ++profile.sharedLoadRequests;
    profile.sharedLoadConflicts += conflicts();
    return;
  case RequestKind::SharedStore:
    ++profile.sharedStoreRequests;
    profile.sharedStoreConflicts += conflicts();
    return;
  case RequestKind::Ldmatrix:
    ++profile.ldmatrixRequests;
    profile.ldmatrixConflicts += conflicts();
    return;
  }
}
