//===- AttentionKernel.h - Attention kernels for tests ----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds kernels around `buildAttention` from a short description, and runs
// them in the emulator against attention computed in double precision.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_UNIT_KERNELS_ATTENTIONKERNEL_H
#define FUSION_TEST_UNIT_KERNELS_ATTENTIONKERNEL_H

#include "fusion/IR/Fusion.h"
#include "fusion/Kernels/Attention.h"
#include "fusion/Runtime/Device.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace mlir::fusion::test {

/// An attention to test. Operands have the dimensions batch, head, position,
/// width.
struct AttentionCase {
  int64_t batches = 1, heads = 1;
  /// Heads that share keys and values.
  int64_t groupSize = 1;
  int64_t queries = 1, keys = 1, widthQK = 16, widthV = 16;
  /// "f16", "bf16", "f32" or "f64".
  std::string type = "f32";
  std::string target = "sm_80";

  /// How operands lie in memory: as above, with heads inside of positions, or
  /// with positions inside of the width.
  enum class Order { HeadsOutside, HeadsInside, WidthOutside };
  Order order = Order::HeadsOutside;
  /// Keys and values are read through a callback, not as plain memory.
  bool load = false;
  /// Sizes of the sequences, and of the widths, are arguments of the kernel.
  bool dynamicSizes = false, dynamicWidths = false;

  /// Indices have 64 bits.
  bool wideIndices = false;

  double scale = 0.25;
  /// Scores are multiplied with a number that depends on query and key.
  bool factor = false;
  std::optional<double> softcap;
  std::optional<int64_t> causalOffset, window;
  enum class Mask { None, Boolean, Float };
  Mask mask = Mask::None;
  /// The value of a float mask where it masks, and a query whose keys are all
  /// masked.
  double masked = -std::numeric_limits<double>::infinity();
  int64_t maskedQuery = -1;
  /// What a boolean mask, or a float mask where `masked` is NaN, puts in place
  /// of a score.
  std::optional<double> maskedScore;
  std::optional<double> floor;
  MaskedRows maskedRows = MaskedRows::Zero;
  /// Store each row's log-sum-exp, from its reference and total.
  bool lse = false;
  /// Store probabilities.
  bool probabilities = false;
  /// Keys and values from here on are never written.
  std::optional<int64_t> unwrittenKeys;
  /// A factor of the random queries.
  double magnitude = 1.0;
  /// One query and one key are NaN at this position.
  std::optional<int64_t> nanQuery;

  /// The schedule; chosen for the target if there is none.
  ScheduleAttr schedule;

  std::string getName() const;
  AttentionShape getShape() const;
};

/// A kernel called `attention` in a module of its own.
struct AttentionKernel {
  OwningOpRef<ModuleOp> module;
  ScheduleAttr schedule;
  int64_t blocks = 0;
  /// What was reported.
  std::string error;
};

/// The factor of a score: 0.5 + (3 q + k) mod 5 / 4, exact in every type.
double getFactor(int64_t query, int64_t key);

/// A schedule for tests.
ScheduleAttr makeSchedule(MatrixUnitKind unit, ArrayRef<int64_t> tile,
                          ArrayRef<int64_t> warps, int64_t stages,
                          int64_t vector = 1);

/// Builds and verifies the kernel; `module` is null on failure.
AttentionKernel buildKernel(const AttentionCase &test);

/// What a run yields.
struct AttentionResult {
  /// Empty if all went well.
  std::string error;
  /// The largest error of the result, of the log-sum-exp and of probabilities;
  /// infinite if there is a NaN on one side only.
  double maxError = 0, maxLseError = 0, maxProbabilityError = 0;
  KernelProfile profile;
};

/// Builds, lowers, runs and compares. `profile` turns counters on.
AttentionResult run(const AttentionCase &test, bool profile = false);

/// The kernel's PTX or MSL, or what was reported.
std::string compile(const AttentionCase &test);

} // namespace mlir::fusion::test

#endif // FUSION_TEST_UNIT_KERNELS_ATTENTIONKERNEL_H
