//===- HostCompiler.h - Compiles rewritten kernels for the host -*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_EMULATOR_HOSTCOMPILER_H
#define FUSION_LIB_RUNTIME_EMULATOR_HOSTCOMPILER_H

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::fusion::emulator {

/// How much time to spend on machine code: a kernel that runs for a short time
/// only is done sooner with code that was made quickly.
enum class CodeQuality { Quick, Optimized };

/// Compiles modules to machine code in this process.
class HostCompiler {
public:
  static llvm::Expected<std::unique_ptr<HostCompiler>> create();

  const llvm::DataLayout &getDataLayout() const { return layout; }
  llvm::Triple getTriple() const { return machine->getTargetTriple(); }

  /// Compiles a module and returns the address of its function `symbol`. Each
  /// module has a name space of its own.
  llvm::Expected<void *> compile(llvm::Module &module, llvm::StringRef symbol,
                                 CodeQuality quality);

private:
  HostCompiler(std::unique_ptr<llvm::TargetMachine> machine,
               std::unique_ptr<llvm::orc::LLJIT> jit)
      : machine(std::move(machine)), jit(std::move(jit)),
        layout(this->machine->createDataLayout()) {}

  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  llvm::DataLayout layout;
  unsigned numModules = 0;
};

} // namespace mlir::fusion::emulator

#endif // FUSION_LIB_RUNTIME_EMULATOR_HOSTCOMPILER_H
