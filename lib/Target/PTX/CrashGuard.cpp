//===- CrashGuard.cpp - Survives fatal errors of LLVM ---------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CrashGuard.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstdlib>
#include <mutex>

using namespace mlir;
using namespace mlir::fusion;

/// The message of the fatal error of this thread's guarded work.
static thread_local std::string *fatalMessage = nullptr;

/// Turns a fatal error, for which LLVM would call exit() or abort(), into a
/// signal that the recovery context catches.
static void handleFatalError(void *, const char *reason, bool) {
  if (!fatalMessage)
    return; // Not ours: LLVM goes on to end the process.
  *fatalMessage = reason;
  std::abort();
}

namespace {
/// Holds LLVM's one fatal error handler while any thread does guarded work.
class HandlerScope {
public:
  HandlerScope() {
    std::lock_guard<std::mutex> lock(mutex());
    if (users()++ == 0) {
      llvm::CrashRecoveryContext::Enable();
      llvm::install_fatal_error_handler(handleFatalError);
    }
  }
  ~HandlerScope() {
    std::lock_guard<std::mutex> lock(mutex());
    // Recovery stays enabled: it hands signals outside of guarded work on to
    // the handlers before it, and others may have enabled it, too.
    if (--users() == 0)
      llvm::remove_fatal_error_handler();
  }

private:
  static std::mutex &mutex() {
    static std::mutex instance;
    return instance;
  }
  static unsigned &users() {
    static unsigned count = 0;
    return count;
  }
};
} // namespace

LogicalResult mlir::fusion::runGuarded(llvm::function_ref<void()> work,
                                       std::string &message) {
  HandlerScope scope;
  std::string *outer = fatalMessage;
  fatalMessage = &message;
  llvm::CrashRecoveryContext context;
  bool completed = context.RunSafely(work);
  fatalMessage = outer;
  if (!completed && message.empty())
    message = "LLVM crashed";
  return success(completed);
}
