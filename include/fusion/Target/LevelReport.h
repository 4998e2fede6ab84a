//===- LevelReport.h - What a compiled graph costs --------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of `fusion-compile --report`: one row for each level of fusion.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TARGET_LEVELREPORT_H
#define FUSION_TARGET_LEVELREPORT_H

#include "fusion/Target/LaunchPlan.h"
#include "fusion/Target/TargetTable.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::fusion {

/// The cost of one run of a plan. Steps that prepare weights are not part of
/// it; a copy counts as a launch of kind "copy".
struct LevelReport {
  std::string level;
  int64_t launches = 0;
  int64_t distinctKernels = 0;
  /// Bytes of operands that the launches touch, and those of reading every
  /// input and writing every output of a launch once.
  int64_t bytes = 0, minimumBytes = 0;
  /// Bytes that are read again because the device's cache does not hold them
  /// until then, as modelled (`TargetInfo::cacheBytes`).
  int64_t rereadBytes = 0;
  int64_t flops = 0;
  double modelledMicroseconds = 0;
  double compileSeconds = 0;
  /// Launches by kind of group.
  std::map<std::string, int64_t> kinds;
};

/// The rows of one model and target.
struct ModelReport {
  std::string model, target;
  std::vector<LevelReport> levels;
};

/// The model of one launch: the larger of its time at the matrix unit's peak,
/// scaled by how full the last wave of its `blocks` is, and its time at the
/// memory's bandwidth, and the gap between launches.
double modelLaunchMicroseconds(const TargetInfo &target, int64_t bytes,
                               int64_t flops, int64_t blocks);

/// Sums up a verified plan. `dims` are its dynamic sizes, as `resolveShapes`
/// takes them; arguments whose value the plan uses count as 0.
llvm::Expected<LevelReport> makeLevelReport(const LaunchPlan &plan,
                                            const TargetInfo &target,
                                            llvm::StringRef level,
                                            llvm::ArrayRef<int64_t> dims,
                                            double compileSeconds);

/// Returns the report as the object that `--report=json` prints.
llvm::json::Value toJSON(const ModelReport &report);

/// Prints the report as an aligned table.
void printReportText(const ModelReport &report, llvm::raw_ostream &os);

/// Prints reports as one self-contained page.
void printReportHTML(llvm::ArrayRef<ModelReport> reports,
                     llvm::raw_ostream &os);

} // namespace mlir::fusion

#endif // FUSION_TARGET_LEVELREPORT_H
