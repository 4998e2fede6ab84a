//===- Compiler.h - From a graph to kernels and a plan ----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_PIPELINES_COMPILER_H
#define FUSION_PIPELINES_COMPILER_H

#include "fusion/Target/LaunchPlan.h"
#include "fusion/Target/TargetTable.h"
#include "fusion/Transforms/ExplainGroups.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir::fusion {

/// What to compile for, and how.
struct CompileOptions {
  /// A name of the device table: sm_80, apple9, ...
  std::string target;
  /// none, elementwise, pattern or attention.
  std::string level = "attention";
  /// What decides where a fusion saves a launch and costs time: time or
  /// launches.
  std::string prefer = "time";
  /// The first so many arguments are weights: what depends on them alone runs
  /// once.
  unsigned weights = 0;
  /// Arguments that may be overwritten, beside those of which the graph says so
  /// (JAX's `tf.aliasing_output` and `jax.buffer_donor`).
  std::vector<unsigned> donated;
  /// Keep f64 between narrower types.
  bool keepF64 = false;
  /// Round between the operations of a group as the graph does.
  bool exactRounding = false;
};

/// Parses numbers of arguments and ranges of them, as in "3,295-358".
llvm::Expected<std::vector<unsigned>> parseArgumentRanges(StringRef text);

/// A compiled graph: the module holds the host function with its launches and
/// the kernels in kernel IR.
struct CompiledModel {
  OwningOpRef<ModuleOp> module;
  LaunchPlan plan;
  const TargetInfo *target = nullptr;

  gpu::GPUModuleOp getKernels();
};

/// Options of the pipeline `fusion-compile`.
struct CompilePipelineOptions : PassPipelineOptions<CompilePipelineOptions> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("Device: sm_80, apple9, ...")};
  Option<std::string> level{
      *this, "level", llvm::cl::desc("none, elementwise, pattern or attention"),
      llvm::cl::init("attention")};
  Option<std::string> prefer{*this, "prefer",
                             llvm::cl::desc("What to save: time or launches"),
                             llvm::cl::init("time")};
  Option<bool> keepF64{*this, "keep-f64",
                       llvm::cl::desc("Keep f64 between narrower types"),
                       llvm::cl::init(false)};
  Option<bool> exactRounding{
      *this, "exact-rounding",
      llvm::cl::desc("Round between the operations of a group"),
      llvm::cl::init(false)};
};

/// Adds the passes from a graph to host IR with launches and kernel IR.
void buildCompilePipeline(OpPassManager &manager,
                          const CompilePipelineOptions &options);
/// Registers the pipeline under `fusion-compile`.
void registerCompilePipeline();

/// Says which group holds each operation of `source`, and why groups are apart
/// (see `explainGroups`). Errors are diagnostics on the graph.
FailureOr<std::vector<ExplainedGroup>> explain(ModuleOp source,
                                               const CompileOptions &options);

/// Adds their kernels to groups that `explain` returned, from the plan of a
/// compilation with the same options. Groups are told by their kinds and order;
/// where launches are missing, element-wise ones get none.
void addKernels(MutableArrayRef<ExplainedGroup> groups, const LaunchPlan &plan);

/// Compiles a copy of `source`. Errors are diagnostics on the graph.
FailureOr<CompiledModel> compile(ModuleOp source,
                                 const CompileOptions &options);

/// The kernels as Metal Shading Language.
FailureOr<std::string> emitMSL(CompiledModel &model);
/// The kernels as PTX.
FailureOr<std::string> emitPTX(CompiledModel &model);
/// The kernels as the optimised LLVM module that PTX is printed from.
FailureOr<std::unique_ptr<llvm::Module>> emitLLVM(CompiledModel &model,
                                                  llvm::LLVMContext &context);

} // namespace mlir::fusion

#endif // FUSION_PIPELINES_COMPILER_H
