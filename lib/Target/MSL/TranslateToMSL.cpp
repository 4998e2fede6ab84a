//===- TranslateToMSL.cpp - Whole files of MSL, and the translation -------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "fusion/Target/MSL.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;
using namespace mlir::fusion;

/// Prints the kernels of `modules` as one file.
static LogicalResult printKernels(ArrayRef<gpu::GPUModuleOp> modules,
                                  raw_ostream &os) {
  // Which helpers are needed is known once the kernels are printed.
  msl::Prelude prelude;
  std::string kernels;
  llvm::raw_string_ostream kernelStream(kernels);
  llvm::StringSet<> printed;
  for (gpu::GPUModuleOp module : modules) {
    for (Operation &op : *module.getBody()) {
      auto kernel = dyn_cast<gpu::GPUFuncOp>(op);
      if (!kernel)
        return op.emitOpError("has no spelling in MSL outside a kernel");
      if (!printed.insert(kernel.getName()).second)
        return kernel.emitOpError("has the name of another kernel");
      if (failed(msl::KernelEmitter(kernel, prelude, kernelStream).emit()))
        return failure();
    }
  }
  prelude.print(os);
  os << kernels;
  return success();
}

LogicalResult fusion::translateToMSL(ModuleOp module, raw_ostream &os) {
  SmallVector<gpu::GPUModuleOp> modules;
  module.walk<WalkOrder::PreOrder>(
      [&](gpu::GPUModuleOp op) { modules.push_back(op); });
  if (modules.empty())
    return module.emitError("has no gpu.module; run the fusion-compile "
                            "pipeline first");
  return printKernels(modules, os);
}

LogicalResult fusion::translateToMSL(gpu::GPUModuleOp module, raw_ostream &os) {
  return printKernels(module, os);
}

void fusion::registerToMSLTranslation() {
  static TranslateFromMLIRRegistration registration(
      "fusion-to-msl", "print the kernels as Metal Shading Language",
      [](Operation *op, raw_ostream &os) -> LogicalResult {
        if (auto module = dyn_cast<ModuleOp>(op))
          return translateToMSL(module, os);
        if (auto module = dyn_cast<gpu::GPUModuleOp>(op))
          return translateToMSL(module, os);
        return op->emitError("is neither a builtin module nor a gpu.module");
      },
      [](DialectRegistry &registry) {
        registry
            .insert<FusionDialect, arith::ArithDialect, cf::ControlFlowDialect,
                    gpu::GPUDialect, math::MathDialect, memref::MemRefDialect,
                    scf::SCFDialect, ub::UBDialect, vector::VectorDialect,
                    func::FuncDialect, LLVM::LLVMDialect>();
      });
}
