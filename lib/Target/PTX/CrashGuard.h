//===- CrashGuard.h - Survives fatal errors of LLVM -------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TARGET_PTX_CRASHGUARD_H
#define FUSION_LIB_TARGET_PTX_CRASHGUARD_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace mlir::fusion {

/// Runs `work`, which may enter LLVM's code generator: that has no error
/// results and ends the process on input that it can not compile ("Cannot
/// select"). Returns success if `work` came to its end. Otherwise what it
/// allocated is leaked, and `message` is LLVM's last word.
LogicalResult runGuarded(llvm::function_ref<void()> work, std::string &message);

} // namespace mlir::fusion

#endif // FUSION_LIB_TARGET_PTX_CRASHGUARD_H
