//===- EmitPTX.cpp - LLVM IR to PTX ---------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CrashGuard.h"
#include "TargetMachine.h"
#include "fusion/Target/PTX.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::fusion;

/// Whether the NVPTX backend has no instructions for a call of `intrinsic` and
/// aborts on it.
static bool isUnselectable(const llvm::IntrinsicInst &intrinsic) {
  switch (intrinsic.getIntrinsicID()) {
  case llvm::Intrinsic::acos:
  case llvm::Intrinsic::asin:
  case llvm::Intrinsic::atan:
  case llvm::Intrinsic::atan2:
  case llvm::Intrinsic::cosh:
  case llvm::Intrinsic::exp:
  case llvm::Intrinsic::exp10:
  case llvm::Intrinsic::frexp:
  case llvm::Intrinsic::ldexp:
  case llvm::Intrinsic::log:
  case llvm::Intrinsic::log10:
  case llvm::Intrinsic::log2:
  case llvm::Intrinsic::modf:
  case llvm::Intrinsic::pow:
  case llvm::Intrinsic::powi:
  case llvm::Intrinsic::sincos:
  case llvm::Intrinsic::sinh:
  case llvm::Intrinsic::tan:
    return true;
  case llvm::Intrinsic::cos:
  case llvm::Intrinsic::exp2:
  case llvm::Intrinsic::sin:
  case llvm::Intrinsic::tanh:
    // Instructions of f32 that approximate, which has to be allowed.
    return !intrinsic.getType()->isFloatTy() || !intrinsic.hasApproxFunc();
  default:
    return false;
  }
}

/// Reports calls that PTX would leave unresolved or that LLVM can not compile.
static LogicalResult checkCalls(llvm::Module &module, Location loc) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = dyn_cast<llvm::CallBase>(&instruction);
      llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !callee->isDeclaration())
        continue;
      if (!callee->isIntrinsic())
        return emitError(loc)
               << "kernel '" << function.getName() << "' calls '"
               << callee->getName()
               << "', which would be an unresolved '.extern .func' of its PTX";
      if (auto *intrinsic = dyn_cast<llvm::IntrinsicInst>(call))
        if (isUnselectable(*intrinsic))
          return emitError(loc)
                 << "kernel '" << function.getName() << "' uses '"
                 << callee->getName()
                 << "', for which there is no instruction; use the math "
                    "dialect, which convert-fusion-gpu-to-nvvm expands";
    }
  }
  return success();
}

FailureOr<std::string> mlir::fusion::emitPTX(llvm::Module &module,
                                             StringRef chip, Location loc) {
  if (failed(checkCalls(module, loc)))
    return failure();
  llvm::SmallString<0> text;
  bool printed = false;
  std::string message;
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(chip, loc);
  if (!machine)
    return failure();
  auto generate = [&] {
    llvm::raw_svector_ostream stream(text);
    llvm::legacy::PassManager passes;
    printed = !machine->addPassesToEmitFile(
        passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile);
    if (printed)
      passes.run(module);
  };
  if (failed(runGuarded(generate, message)))
    return emitError(loc) << "LLVM can not compile the kernels of '"
                          << module.getName() << "' for " << chip << ": "
                          << message;
  if (!printed)
    return emitError(loc) << "LLVM can not print PTX";
  // Calls that only code generation makes (soft-float helpers, memcpy).
  size_t position = text.find(".extern .func");
  if (position != StringRef::npos)
    return emitError(loc) << "the kernels of '" << module.getName()
                          << "' need a function that PTX lacks: "
                          << text.str().substr(position).split(';').first;
  return text.str().str();
}
