//===- GraphData.h - Arguments and expected results -------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_RUNNER_GRAPHDATA_H
#define FUSION_LIB_RUNTIME_RUNNER_GRAPHDATA_H

#include "fusion/Runtime/Reference.h"
#include "fusion/Target/LaunchPlan.h"

namespace mlir::fusion::detail {

/// What a graph is run on, and what should come out.
struct GraphData {
  std::vector<Tensor> arguments;
  /// By another implementation in the graph's own types; empty where nothing is
  /// known.
  std::vector<Tensor> expected;
  /// The same in f64, where known: one per result.
  std::vector<std::optional<Tensor>> references;
};

/// The types of a graph's arguments and results.
struct GraphTypes {
  std::vector<HostType> arguments, results;
};

/// Returns the types of the entry function. Fails if the module has none.
llvm::Expected<GraphTypes> getGraphTypes(ModuleOp module);

/// Returns the types of a launch plan.
llvm::Expected<GraphTypes> getGraphTypes(const LaunchPlan &plan);

/// Reads argI, outI and outI_f64 from `folder`.
llvm::Expected<GraphData> readGraphData(const GraphTypes &types,
                                        llvm::StringRef folder);

/// Draws arguments at random; `dims` are the dynamic sizes, in order, of which
/// a shorter list repeats its last.
llvm::Expected<std::vector<Tensor>>
makeRandomArguments(const GraphTypes &types, llvm::ArrayRef<int64_t> dims,
                    const RandomOptions &options);

/// Evaluates the graph by the reference lowering, in its own types and in f64.
/// Where f64 is impossible, the own types stand for it.
llvm::Expected<GraphData> evaluateReference(ModuleOp module,
                                            std::vector<Tensor> arguments);

/// Evaluates the graph in f64, with its operations rounded as `seed` says, and
/// rounds the results to their own types. Empty where f64 is impossible.
llvm::Expected<std::vector<Tensor>>
evaluateRounding(ModuleOp module, const GraphData &data, uint64_t seed);

} // namespace mlir::fusion::detail

#endif // FUSION_LIB_RUNTIME_RUNNER_GRAPHDATA_H
