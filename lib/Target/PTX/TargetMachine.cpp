//===- TargetMachine.cpp - LLVM's NVPTX target ----------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetMachine.h"
#include "fusion/Target/PTX.h"
#include "fusion/Target/TargetTable.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::fusion;

unsigned mlir::fusion::getPTXVersion(StringRef chip) {
  // What each chip needs is older than these (sm_80: 7.0, sm_90a: 8.0), but
  // instructions that kernels use came later, with 8.0 at the latest.
  unsigned architecture = 0;
  StringRef digits = chip;
  if (digits.consume_front("sm_"))
    digits.consumeInteger(10, architecture);
  return architecture >= 100 ? 86 : 80;
}

/// Registers the NVPTX target, once in a process.
static void initializeTarget() {
  static const bool done = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)done;
}

std::unique_ptr<llvm::TargetMachine>
mlir::fusion::createTargetMachine(StringRef chip, Location loc) {
  const TargetInfo *info = lookupTarget(chip);
  if (!info || !info->isNVIDIA()) {
    // LLVM would abort on chips that it does not know.
    emitError(loc) << "no PTX for target '" << chip
                   << "'; known targets: " << getTargetNames();
    return nullptr;
  }
  initializeTarget();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target) {
    emitError(loc) << "LLVM was built without its NVPTX target: " << message;
    return nullptr;
  }
  // Without a version LLVM assumes PTX 6.0 and aborts for sm_80 and later.
  std::string features = "+ptx" + std::to_string(getPTXVersion(chip));
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, chip, features, llvm::TargetOptions(), std::nullopt, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}
