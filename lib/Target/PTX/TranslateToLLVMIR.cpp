//===- TranslateToLLVMIR.cpp - Kernels as optimised LLVM IR ---------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CrashGuard.h"
#include "Optimize.h"
#include "TargetMachine.h"
#include "fusion/Target/PTX.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::fusion;

void mlir::fusion::registerPTXDialectTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerGPUDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

/// MLIR marks its inline assembly as having side effects but not as
/// convergent; without that LLVM may duplicate or sink barriers and matrix
/// products into divergent code.
static void markAssemblyConvergent(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = dyn_cast<llvm::CallBase>(&instruction))
        if (auto *assembly =
                dyn_cast<llvm::InlineAsm>(call->getCalledOperand()))
          if (assembly->hasSideEffects())
            call->setConvergent();
}

FailureOr<std::unique_ptr<llvm::Module>>
mlir::fusion::translateToLLVMIR(gpu::GPUModuleOp module,
                                llvm::LLVMContext &context, StringRef chip) {
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    return kernel.emitError("kernel is not converted to NVVM; run "
                            "convert-fusion-gpu-to-nvvm first");
  std::unique_ptr<llvm::TargetMachine> machine =
      createTargetMachine(chip, module.getLoc());
  if (!machine)
    return failure();
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(module, context, module.getName());
  if (!result)
    return module.emitError("translation to LLVM IR failed");
  result->setTargetTriple(machine->getTargetTriple());
  result->setDataLayout(machine->createDataLayout());
  markAssemblyConvergent(*result);
  std::string message;
  if (failed(runGuarded([&] { optimizeKernels(result, *machine); }, message)))
    return module.emitError("LLVM's optimiser failed: ") << message;
  return result;
}
