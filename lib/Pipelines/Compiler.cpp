//===- Compiler.cpp - From a graph to kernels and a plan ------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Pipelines/Compiler.h"
#include "fusion/Analysis/VerifyGraph.h"
#include "fusion/Conversion/FusionGPUToNVVM.h"
#include "fusion/Conversion/FusionToGPU.h"
#include "fusion/Conversion/LegalizeForMSL.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Target/BuildLaunchPlan.h"
#include "fusion/Target/MSL.h"
#include "fusion/Target/PTX.h"
#include "fusion/Transforms/FormGroups.h"
#include "fusion/Transforms/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::fusion;

gpu::GPUModuleOp CompiledModel::getKernels() {
  return *module->getOps<gpu::GPUModuleOp>().begin();
}

/// The passes on the graph, before groups.
static void addGraphPasses(OpPassManager &manager,
                           const CompilePipelineOptions &options) {
  FusionNormalizeOptions normalizeOptions;
  normalizeOptions.keepF64 = options.keepF64;
  manager.addPass(createFusionNormalize(normalizeOptions));
  FusionRaiseAttentionOptions raiseOptions;
  raiseOptions.exactRounding = options.exactRounding;
  if (options.level == "attention")
    manager.addNestedPass<func::FuncOp>(
        createFusionRaiseAttention(raiseOptions));
}

void fusion::buildCompilePipeline(OpPassManager &manager,
                                  const CompilePipelineOptions &options) {
  addGraphPasses(manager, options);
  FusionFormGroupsOptions groupOptions;
  groupOptions.level = options.level;
  groupOptions.prefer = options.prefer;
  groupOptions.target = options.target;
  manager.addNestedPass<func::FuncOp>(createFusionFormGroups(groupOptions));
  if (!options.exactRounding)
    manager.addNestedPass<func::FuncOp>(createFusionWidenStatistics());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  FusionScheduleOptions scheduleOptions;
  scheduleOptions.target = options.target;
  manager.addNestedPass<func::FuncOp>(createFusionSchedule(scheduleOptions));
  manager.addPass(createFusionBufferize());
  manager.addNestedPass<func::FuncOp>(createCanonicalizerPass());
  manager.addNestedPass<func::FuncOp>(createCSEPass());
  FusionMergeCopiesOptions copyOptions;
  copyOptions.target = options.target;
  manager.addNestedPass<func::FuncOp>(createFusionMergeCopies(copyOptions));
  manager.addNestedPass<func::FuncOp>(createFusionPlanMemory());
  ConvertFusionToGPUOptions gpuOptions;
  gpuOptions.target = options.target;
  gpuOptions.exactRounding = options.exactRounding;
  manager.addPass(createConvertFusionToGPU(gpuOptions));
  // Sizes that a graph computes may be needed in kernels.
  manager.addNestedPass<gpu::GPUModuleOp>(createLowerAffinePass());
  manager.addNestedPass<gpu::GPUModuleOp>(createCanonicalizerPass());
  manager.addNestedPass<gpu::GPUModuleOp>(createCSEPass());
}

void fusion::registerCompilePipeline() {
  PassPipelineRegistration<CompilePipelineOptions>(
      "fusion-compile",
      "Compile a graph: group, bufferize, plan memory, make kernels",
      buildCompilePipeline);
}

llvm::Expected<std::vector<unsigned>>
fusion::parseArgumentRanges(StringRef text) {
  auto malformed = [](StringRef part) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "'" + part +
                                       "' is neither a number nor a range; "
                                       "write 3,295-358");
  };
  // More arguments than any function has; a range must not fill the memory.
  constexpr unsigned kMaxArgument = 1u << 20;
  std::vector<unsigned> numbers;
  SmallVector<StringRef> parts;
  text.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [low, high] = part.split('-');
    unsigned first, last;
    if (low.trim().getAsInteger(10, first))
      return malformed(part);
    last = first;
    if (part.contains('-') && high.trim().getAsInteger(10, last))
      return malformed(part);
    if (last < first || last > kMaxArgument)
      return malformed(part);
    for (unsigned i = first; i <= last; ++i)
      numbers.push_back(i);
  }
  return numbers;
}

/// A copy of `source` with its arguments marked as the options say; null after
/// an error.
static OwningOpRef<ModuleOp> prepare(ModuleOp source,
                                     const CompileOptions &options) {
  if (!lookupTarget(options.target)) {
    source.emitError("unknown target '")
        << options.target << "'; known are " << getTargetNames();
    return nullptr;
  }
  if (!parseFusionLevel(options.level)) {
    source.emitError("unknown level '")
        << options.level << "'; use none, elementwise, pattern or attention";
    return nullptr;
  }
  if (!parseFusionPreference(options.prefer)) {
    source.emitError("unknown preference '")
        << options.prefer << "'; use time or launches";
    return nullptr;
  }
  OwningOpRef<ModuleOp> module = source.clone();
  if (failed(verifyGraph(*module)))
    return nullptr;
  func::FuncOp entry = findEntryFunction(*module);
  if (!entry)
    return nullptr;
  // The source may hold nothing of the dialect yet.
  MLIRContext *context = source.getContext();
  context->getOrLoadDialect<FusionDialect>();
  for (auto function : module->getOps<func::FuncOp>())
    if (function != entry)
      function.setPrivate();
  if (options.weights > entry.getNumArguments()) {
    entry.emitError("cannot take the first ")
        << options.weights << " arguments as weights; there are "
        << entry.getNumArguments();
    return nullptr;
  }
  for (unsigned index = 0; index < options.weights; ++index)
    entry.setArgAttr(index, kConstantAttrName, UnitAttr::get(context));
  // JAX says in the graph what it donates.
  std::vector<unsigned> donatedArguments = options.donated;
  for (unsigned index = 0; index < entry.getNumArguments(); ++index)
    if (entry.getArgAttr(index, "tf.aliasing_output") ||
        entry.getArgAttr(index, "jax.buffer_donor"))
      donatedArguments.push_back(index);
  for (unsigned index : donatedArguments) {
    if (index >= entry.getNumArguments()) {
      entry.emitError("cannot donate argument ")
          << index << "; there are " << entry.getNumArguments();
      return nullptr;
    }
    entry.setArgAttr(index,
                     bufferization::BufferizationDialect::kWritableAttrName,
                     BoolAttr::get(context, true));
  }
  (*module)->setAttr(kTargetAttrName, TargetAttr::get(context, options.target));
  return module;
}

/// The pipeline's options that follow from those of a compilation.
static void setOptions(CompilePipelineOptions &pipeline,
                       const CompileOptions &options) {
  pipeline.target = options.target;
  pipeline.level = options.level;
  pipeline.prefer = options.prefer;
  pipeline.keepF64 = options.keepF64;
  pipeline.exactRounding = options.exactRounding;
}

FailureOr<std::vector<ExplainedGroup>>
fusion::explain(ModuleOp source, const CompileOptions &options) {
  OwningOpRef<ModuleOp> module = prepare(source, options);
  if (!module)
    return failure();
  PassManager manager(source.getContext());
  CompilePipelineOptions pipeline;
  setOptions(pipeline, options);
  addGraphPasses(manager, pipeline);
  if (failed(manager.run(*module)))
    return failure();
  FormGroupsOptions groupOptions;
  groupOptions.level = *parseFusionLevel(options.level);
  groupOptions.prefer = *parseFusionPreference(options.prefer);
  groupOptions.target = lookupTarget(options.target);
  func::FuncOp entry = findEntryFunction(*module);
  if (!entry)
    return failure();
  return explainGroups(entry, groupOptions);
}

void fusion::addKernels(MutableArrayRef<ExplainedGroup> groups,
                        const LaunchPlan &plan) {
  // Copies may have been merged, or be no launches: of element-wise groups it
  // is known which is which only where no launch is missing.
  auto isCounted = [&](StringRef kind, bool all) {
    return all || kind != stringifyGroupKind(GroupKind::Elementwise);
  };
  for (bool all : {true, false}) {
    SmallVector<const PlanKernel *> kernels;
    for (const PlanStep &step : plan.steps)
      if (step.kind == PlanStep::Kind::Launch &&
          isCounted(plan.kernels[step.kernel].kind, all))
        kernels.push_back(&plan.kernels[step.kernel]);
    SmallVector<ExplainedGroup *> counted;
    for (ExplainedGroup &group : groups)
      if (isCounted(stringifyGroupKind(group.kind), all))
        counted.push_back(&group);
    if (kernels.size() != counted.size() ||
        !llvm::all_of(llvm::zip(kernels, counted), [&](const auto &pair) {
          return std::get<0>(pair)->kind ==
                 stringifyGroupKind(std::get<1>(pair)->kind);
        }))
      continue;
    for (auto [kernel, group] : llvm::zip(kernels, counted))
      group->kernel = ExplainedKernel{kernel->name,
                                      int64_t(kernel->block[0]) *
                                          kernel->block[1] * kernel->block[2],
                                      kernel->sharedBytes,
                                      {}};
    return;
  }
}

FailureOr<CompiledModel> fusion::compile(ModuleOp source,
                                         const CompileOptions &options) {
  CompiledModel model;
  model.target = lookupTarget(options.target);
  model.module = prepare(source, options);
  if (!model.module)
    return failure();
  PassManager manager(source.getContext());
  CompilePipelineOptions pipeline;
  setOptions(pipeline, options);
  buildCompilePipeline(manager, pipeline);
  if (failed(manager.run(*model.module)))
    return failure();
  FailureOr<LaunchPlan> plan = buildLaunchPlan(*model.module);
  if (failed(plan))
    return failure();
  model.plan = std::move(*plan);
  return std::move(model);
}

FailureOr<std::string> fusion::emitMSL(CompiledModel &model) {
  OwningOpRef<ModuleOp> copy = model.module->clone();
  gpu::GPUModuleOp kernels = *copy->getOps<gpu::GPUModuleOp>().begin();
  if (failed(legalizeForMSL(kernels)))
    return failure();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(translateToMSL(kernels, os)))
    return failure();
  return text;
}

FailureOr<std::string> fusion::emitPTX(CompiledModel &model) {
  OwningOpRef<ModuleOp> copy = model.module->clone();
  gpu::GPUModuleOp kernels = *copy->getOps<gpu::GPUModuleOp>().begin();
  if (failed(convertFusionGPUToNVVM(kernels)))
    return failure();
  return compileToPTX(kernels, model.target->name);
}

FailureOr<std::unique_ptr<llvm::Module>>
fusion::emitLLVM(CompiledModel &model, llvm::LLVMContext &context) {
  OwningOpRef<ModuleOp> copy = model.module->clone();
  gpu::GPUModuleOp kernels = *copy->getOps<gpu::GPUModuleOp>().begin();
  if (failed(convertFusionGPUToNVVM(kernels)))
    return failure();
  return translateToLLVMIR(kernels, context, model.target->name);
}
