//===- CompileToPTX.cpp - Kernels to one PTX text, in parallel ------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/FusionGPUToNVVM.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Target/PTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Threading.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Splitting and joining
//===----------------------------------------------------------------------===//

/// Collects the symbols of `table` that `op` uses, directly or not, itself
/// included, callees and globals before their users.
static void collectUsed(Operation *op, SymbolTable &table,
                        llvm::SetVector<Operation *> &used) {
  if (used.contains(op))
    return;
  op->walk([&](Operation *nested) {
    nested->getAttrDictionary().walk([&](SymbolRefAttr symbol) {
      Operation *target = table.lookup(symbol.getRootReference());
      if (target && target != op)
        collectUsed(target, table, used);
    });
  });
  used.insert(op);
}

/// Splits `module` into one module for each kernel, with what it uses.
static SmallVector<OwningOpRef<gpu::GPUModuleOp>>
splitByKernel(gpu::GPUModuleOp module) {
  SymbolTable table(module);
  SmallVector<OwningOpRef<gpu::GPUModuleOp>> parts;
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!kernel->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      continue;
    llvm::SetVector<Operation *> used;
    collectUsed(kernel, table, used);
    OpBuilder builder(module.getContext());
    auto part =
        gpu::GPUModuleOp::create(builder, kernel.getLoc(), kernel.getName());
    builder.setInsertionPointToEnd(part.getBody());
    for (Operation *op : used)
      builder.clone(*op);
    parts.push_back(part);
  }
  return parts;
}

/// Gives everything but kernels names that start with `prefix`, so that the
/// texts of several modules can be joined.
static void makeNamesUnique(llvm::Module &module, StringRef prefix) {
  for (llvm::GlobalVariable &global : module.globals())
    if (global.hasLocalLinkage() && !global.getName().starts_with(prefix))
      global.setName(prefix + "_" + global.getName());
  for (llvm::Function &function : module)
    if (function.hasLocalLinkage() && !function.getName().starts_with(prefix))
      function.setName(prefix + "_" + function.getName());
}

/// Splits PTX into its header, which ends with the address size, and the rest.
static std::pair<StringRef, StringRef> splitHeader(StringRef text) {
  size_t position = text.find(".address_size");
  if (position == StringRef::npos)
    return {StringRef(), text};
  size_t end = text.find('\n', position);
  return {text.take_front(end + 1), text.drop_front(end + 1)};
}

/// Compiles one part.
static FailureOr<std::string> compilePart(gpu::GPUModuleOp part,
                                          StringRef chip) {
  llvm::LLVMContext context;
  FailureOr<std::unique_ptr<llvm::Module>> module =
      translateToLLVMIR(part, context, chip);
  if (failed(module))
    return failure();
  makeNamesUnique(**module, part.getName());
  return emitPTX(**module, chip, part.getLoc());
}

FailureOr<std::string> mlir::fusion::compileToPTX(gpu::GPUModuleOp module,
                                                  StringRef chip) {
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    return kernel.emitError("kernel is not converted to NVVM; run "
                            "convert-fusion-gpu-to-nvvm first");
  SmallVector<OwningOpRef<gpu::GPUModuleOp>> parts = splitByKernel(module);
  std::vector<std::string> texts(parts.size());
  LogicalResult result = failableParallelForEachN(
      module.getContext(), 0, parts.size(), [&](size_t i) -> LogicalResult {
        FailureOr<std::string> text = compilePart(*parts[i], chip);
        if (failed(text))
          return failure();
        texts[i] = std::move(*text);
        return success();
      });
  if (failed(result))
    return failure();
  std::string joined;
  for (const std::string &text : texts) {
    auto [header, body] = splitHeader(text);
    if (joined.empty())
      joined += header;
    joined += body;
  }
  return joined;
}

//===----------------------------------------------------------------------===//
// Translation
//===----------------------------------------------------------------------===//

/// Prints the PTX of every gpu.module in `module`.
static LogicalResult translateModule(ModuleOp module, raw_ostream &os) {
  auto target = module->getAttrOfType<TargetAttr>("fusion.target");
  if (!target)
    return module.emitError("has no target; add 'fusion.target = "
                            "#fusion.target<\"sm_80\">' to its attributes");
  bool first = true;
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    OwningOpRef<gpu::GPUModuleOp> clone = gpuModule.clone();
    if (failed(convertFusionGPUToNVVM(*clone)))
      return failure();
    FailureOr<std::string> text = compileToPTX(*clone, target.getDevice());
    if (failed(text))
      return failure();
    os << (first ? StringRef(*text) : splitHeader(*text).second);
    first = false;
  }
  if (first)
    return module.emitError(
        "has no gpu.module; run the fusion-compile pipeline first");
  return success();
}

void mlir::fusion::registerToPTXTranslation() {
  static TranslateFromMLIRRegistration registration(
      "fusion-to-ptx", "print the kernels as PTX",
      [](Operation *op, raw_ostream &os) -> LogicalResult {
        if (auto module = dyn_cast<ModuleOp>(op))
          return translateModule(module, os);
        return op->emitError("is not a builtin module");
      },
      [](DialectRegistry &registry) {
        registerPTXDialectTranslations(registry);
        registry
            .insert<FusionDialect, arith::ArithDialect, cf::ControlFlowDialect,
                    complex::ComplexDialect, func::FuncDialect, gpu::GPUDialect,
                    LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                    NVVM::NVVMDialect, nvgpu::NVGPUDialect, scf::SCFDialect,
                    ub::UBDialect, vector::VectorDialect>();
      });
}
