//===- ContractionKernel.h - Contraction kernels for tests ------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds kernels around `buildContraction` from a short description, and runs
// them in the emulator against products computed in double precision.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_UNIT_KERNELS_CONTRACTIONKERNEL_H
#define FUSION_TEST_UNIT_KERNELS_CONTRACTIONKERNEL_H

#include "fusion/Kernels/Contraction.h"
#include "fusion/Runtime/Device.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace mlir::fusion::test {

/// A contraction to test.
struct ContractionCase {
  int64_t m = 1, n = 1, k = 1;
  int64_t batch = 1;
  int64_t numRhs = 1;
  /// "f16", "bf16", "f32", "f64", "i8" or "i32".
  std::string operandType = "f32";
  std::string accumulatorType = "f32";
  std::string resultType = "f32";
  std::string target = "sm_80";
  /// A is stored [k][m]; B is stored [n][k].
  bool transposeA = false, transposeB = false;
  /// All sizes are arguments of the kernel, or just m.
  bool dynamic = false, dynamicM = false;
  /// A is read through a callback, not as plain memory; one for vectors too.
  bool loadA = false, loadVectorsA = false;
  /// Subtracts from each element its neighbour in the other half of each pair
  /// of columns, read back in the epilogue.
  bool readPartner = false;
  /// The schedule; chosen for the target if there is none.
  std::optional<ContractionSchedule> schedule;

  std::string getName() const;
};

/// A kernel called `contraction` in a module of its own.
struct ContractionKernel {
  OwningOpRef<ModuleOp> module;
  ContractionSchedule schedule;
  int64_t blocks = 0;
  /// For the caller's diagnostics: what was reported.
  std::string error;
};

/// Builds and verifies the kernel; `module` is null on failure.
ContractionKernel buildKernel(const ContractionCase &test);

/// What a run yields.
struct ContractionResult {
  /// Empty if all went well.
  std::string error;
  /// The largest error, in units of the product of the sums' magnitude.
  double maxError = 0;
  KernelProfile profile;
};

/// Builds, lowers, runs and compares. `profile` turns counters on.
ContractionResult run(const ContractionCase &test, bool profile = false);

} // namespace mlir::fusion::test

#endif // FUSION_TEST_UNIT_KERNELS_CONTRACTIONKERNEL_H
