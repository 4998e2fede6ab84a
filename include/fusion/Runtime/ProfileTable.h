//===- ProfileTable.h - What each kernel did --------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of `fusion-run --profile`.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_RUNTIME_PROFILETABLE_H
#define FUSION_RUNTIME_PROFILETABLE_H

#include "fusion/Runtime/Device.h"
#include "fusion/Target/LaunchPlan.h"
#include "fusion/Target/TargetTable.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::fusion {

class PlanExecutor;

/// What can be read off the code of one NVIDIA kernel.
struct KernelCode {
  /// PTX instructions, each counted once.
  int64_t instructions = 0;
  /// What ptxas says.
  std::optional<int> registers, spillBytes;
};

/// Reads PTX text, by kernel. Registers and spills are known where there is a
/// `ptxas` on the PATH that assembles the text for `target`.
llvm::StringMap<KernelCode> inspectKernels(llvm::StringRef ptx,
                                           llvm::StringRef target);

/// One kernel of a table.
struct KernelRow {
  std::string name, kind;
  int64_t launches = 0;
  /// Shared memory of a block.
  int64_t sharedBytes = 0;
  /// All launches together.
  double modelledMicroseconds = 0;
  /// What the device counted, where it counts.
  std::optional<KernelProfile> profile;
  std::optional<KernelCode> code;
};

/// Returns a row for each kernel that the executor's bound run launches, in the
/// order of the plan.
std::vector<KernelRow>
makeKernelRows(const LaunchPlan &plan, const PlanExecutor &executor,
               const TargetInfo &target,
               llvm::ArrayRef<NamedKernelProfile> profiles,
               const llvm::StringMap<KernelCode> &code);

/// Prints the rows as an aligned table, with a line of totals.
void printKernelRows(llvm::ArrayRef<KernelRow> rows, llvm::raw_ostream &os);

} // namespace mlir::fusion

#endif // FUSION_RUNTIME_PROFILETABLE_H
