//===- InitAll.h - Registers everything of this project ---------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of what this project adds to MLIR. Each tool, the plugin and
// each embedding compiler calls it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_INITALL_H
#define FUSION_INITALL_H

namespace mlir {
class DialectRegistry;

namespace fusion {

/// Adds the fusion dialect and the external models that upstream operations
/// need in it. Upstream's own dialects are the caller's to register.
void registerAllDialects(DialectRegistry &registry);

/// Registers this project's passes and pipelines under their command-line
/// names. Calls after the first have no effect.
void registerAllPasses();

} // namespace fusion
} // namespace mlir

#endif // FUSION_INITALL_H
