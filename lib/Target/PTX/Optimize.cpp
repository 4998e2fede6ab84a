//===- Optimize.cpp - LLVM's optimiser for kernels ------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM moves whatever does not change out of a loop, however many registers
// that takes. In a loop that copies tiles of operands with dynamic sizes it is
// an address for each copy, up to two hundred registers beside the hundred or
// two of a tile's results, and ptxas spills. A kernel whose loops keep so many
// numbers that are computed easily is optimised without that; ptxas moves out
// what it has registers for. (In other kernels a loop of attention would be 3
// to 4 percent longer without it.)
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace mlir;

/// Registers that a loop may keep for numbers that could be computed in it.
static constexpr uint64_t kMaxKeptRegisters = 64;
/// Marks functions whose loops keep what they have.
static constexpr StringLiteral kKeepsLoops = "fusion-keeps-loops";

/// `value` without a constant distance, which accesses to memory have for free.
static llvm::Value *stripDistance(llvm::Value *value) {
  while (true) {
    auto *pointer = dyn_cast<llvm::GetElementPtrInst>(value);
    auto *sum = dyn_cast<llvm::BinaryOperator>(value);
    if (pointer && pointer->hasAllConstantIndices())
      value = pointer->getPointerOperand();
    else if (sum && sum->getOpcode() == llvm::Instruction::Add &&
             isa<llvm::Constant>(sum->getOperand(1)))
      value = sum->getOperand(0);
    else
      return value;
  }
}

/// Whether `value` takes a few instructions of integer arithmetic.
static bool isEasyToCompute(const llvm::Value *value) {
  return isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst,
             llvm::SelectInst>(value) &&
         value->getType()->isIntOrPtrTy();
}

/// The most registers of 32 bits that an outermost loop of `function` keeps for
/// numbers that could be computed in it.
static uint64_t countKeptRegisters(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  const llvm::DataLayout &layout = function.getDataLayout();
  uint64_t most = 0;
  for (llvm::Loop *loop : loops) {
    llvm::SmallPtrSet<llvm::Value *, 32> kept;
    for (llvm::BasicBlock *block : loop->blocks())
      for (llvm::Instruction &instruction : *block)
        // What a loop starts from is needed before it only.
        if (!isa<llvm::PHINode>(instruction) || block != loop->getHeader())
          for (llvm::Value *operand : instruction.operands())
            if (auto *def = dyn_cast<llvm::Instruction>(stripDistance(operand));
                def && !loop->contains(def) && isEasyToCompute(def))
              kept.insert(def);
    uint64_t registers = 0;
    for (llvm::Value *value : kept)
      if (!value->getType()->isIntegerTy(1))
        registers += llvm::divideCeil(
            layout.getTypeSizeInBits(value->getType()).getFixedValue(), 32);
    most = std::max(most, registers);
  }
  return most;
}

/// Runs LLVM's pipeline; functions that are marked keep in their loops what
/// stands there.
static void runPipeline(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions options;
  // Kernels are vectorised and unrolled where they are generated.
  options.LoopVectorization = false;
  options.SLPVectorization = false;
  options.LoopInterleaving = false;
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(
      [](StringRef pass, llvm::Any unit) {
        auto *const *loop = llvm::any_cast<const llvm::Loop *>(&unit);
        return pass != "LICMPass" || !loop ||
               !(*loop)->getHeader()->getParent()->hasFnAttribute(kKeepsLoops);
      });
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, options, /*PGOOpt=*/std::nullopt,
                            &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  // The optimizer turns vector loads whose elements are used one by one into
  // scalar loads; code generation joins them again. Joining them here keeps the
  // module, which the emulator counts accesses of, true to the machine code.
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &manager,
                                             llvm::OptimizationLevel,
                                             llvm::ThinOrFullLTOPhase) {
    manager.addPass(llvm::createModuleToFunctionPassAdaptor(
        llvm::LoadStoreVectorizerPass()));
  });
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

void fusion::optimizeKernels(std::unique_ptr<llvm::Module> &module,
                             llvm::TargetMachine &machine) {
  std::unique_ptr<llvm::Module> again = llvm::CloneModule(*module);
  runPipeline(*module, machine);
  bool isMarked = false;
  for (llvm::Function &function : *module) {
    if (function.isDeclaration() ||
        countKeptRegisters(function) <= kMaxKeptRegisters)
      continue;
    again->getFunction(function.getName())->addFnAttr(kKeepsLoops);
    isMarked = true;
  }
  if (!isMarked)
    return;
  runPipeline(*again, machine);
  module = std::move(again);
}
