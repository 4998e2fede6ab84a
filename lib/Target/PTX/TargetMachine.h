//===- TargetMachine.h - LLVM's NVPTX target --------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TARGET_PTX_TARGETMACHINE_H
#define FUSION_LIB_TARGET_PTX_TARGETMACHINE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlir::fusion {

/// Returns a machine that compiles for `chip`, or null after an error at
/// `loc`.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(llvm::StringRef chip,
                                                         Location loc);

} // namespace mlir::fusion

#endif // FUSION_LIB_TARGET_PTX_TARGETMACHINE_H
