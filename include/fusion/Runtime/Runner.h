//===- Runner.h - Compiles, runs and checks graphs --------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What fusion-run does.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_RUNTIME_RUNNER_H
#define FUSION_RUNTIME_RUNNER_H

#include "fusion/Pipelines/Compiler.h"
#include "fusion/Runtime/Compare.h"
#include "mlir/IR/BuiltinOps.h"
#include <memory>

namespace mlir::fusion {

/// Where a graph runs.
enum class RunDevice {
  Emulator,  ///< the kernels, on the CPU, with all checks
  Cuda,      ///< the kernels, on a GPU
  Reference, ///< no kernels: upstream's lowering, on the CPU
};

/// What is run and what for, beside how it is compiled.
struct RunOptions : CompileOptions {
  RunDevice device = RunDevice::Emulator;
  /// The folder with argI.npy and outI.npy; empty for random arguments, which
  /// are checked against the reference lowering.
  std::string dataFolder;
  /// Where to write the results; empty for nowhere.
  std::string outputFolder;
  /// For random arguments.
  RandomOptions random;
  std::vector<int64_t> dims;
  /// Print a table of the kernels.
  bool profile = false;
};

/// Runs `module`, which is left as it is, compares the results and prints the
/// comparison to `os`. Fails, with the reasons on `errors` or as diagnostics,
/// if anything goes wrong or disagrees.
LogicalResult runGraph(ModuleOp module, const RunOptions &options,
                       raw_ostream &os, raw_ostream &errors);

/// The same for what fusion-compile has left in `folder`, which shows that a
/// plan and the kernels' text are all that a host needs. The target and the
/// level are the folder's; random arguments need the graph.
LogicalResult runFolder(StringRef folder, const RunOptions &options,
                        raw_ostream &os, raw_ostream &errors);

/// A graph's random arguments and what the reference lowering makes of them:
/// computed once, to be compared with results for many targets and levels.
class GraphReference {
public:
  /// Draws arguments and evaluates the reference as `options` say.
  static llvm::Expected<std::unique_ptr<GraphReference>>
  create(ModuleOp module, const RunOptions &options);
  ~GraphReference();

  /// Compiles `module` and runs its kernels as `options` say.
  llvm::Expected<std::vector<Tensor>>
  run(ModuleOp module, const RunOptions &options, raw_ostream &os);

  /// Runs the kernels of a compiled graph.
  llvm::Expected<std::vector<Tensor>>
  run(CompiledModel &model, const RunOptions &options, raw_ostream &os);

  /// Compares each of `results`. Results that differ from the reference are
  /// compared with other evaluations of the graph, in which every operation is
  /// rounded in some direction: what lies as near to f64 as one of these agrees
  /// as well (docs/Numerics.md). Fails if those evaluations do.
  llvm::Expected<std::vector<Comparison>> compare(ModuleOp module,
                                                  ArrayRef<Tensor> results);

private:
  struct Impl;
  explicit GraphReference(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::fusion

#endif // FUSION_RUNTIME_RUNNER_H
