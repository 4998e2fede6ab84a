//===- HostCompiler.cpp - Compiles rewritten kernels for the host ---------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCompiler.h"
#include "Handlers.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::fusion::emulator;

llvm::Expected<std::unique_ptr<HostCompiler>> HostCompiler::create() {
  static const bool initialized = !llvm::InitializeNativeTarget() &&
                                  !llvm::InitializeNativeTargetAsmPrinter();
  if (!initialized)
    return llvm::createStringError(
        "emulator: this LLVM has no code generator for the host");
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  // Its conversion to bf16 flushes denormals.
  builder->getFeatures().AddFeature("avx512bf16", false);
  builder->getFeatures().AddFeature("avxneconvert", false);
  builder->setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
  builder->setCodeModel(llvm::CodeModel::Small);
  builder->setRelocationModel(llvm::Reloc::PIC_);
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto jit =
      llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(*builder).create();
  if (!jit)
    return jit.takeError();
  llvm::orc::JITDylib &main = (*jit)->getMainJITDylib();
  llvm::orc::SymbolMap symbols;
  for (const RuntimeSymbol &symbol : getHostSymbols())
    symbols[(*jit)->mangleAndIntern(symbol.name)] = {
        llvm::orc::ExecutorAddr::fromPtr(symbol.address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (llvm::Error error =
          main.define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return std::move(error);
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*machine)->createDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  main.addGenerator(std::move(*process));
  return std::unique_ptr<HostCompiler>(
      new HostCompiler(std::move(*machine), std::move(*jit)));
}

llvm::Expected<void *> HostCompiler::compile(llvm::Module &module,
                                             llvm::StringRef symbol,
                                             CodeQuality quality) {
  machine->setOptLevel(quality == CodeQuality::Quick
                           ? llvm::CodeGenOptLevel::None
                           : llvm::CodeGenOptLevel::Less);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream os(object);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError(
        "emulator: the host's code generator cannot write object files");
  passes.run(module);

  auto library =
      jit->createJITDylib(llvm::formatv("kernel.{0}", numModules++).str());
  if (!library)
    return library.takeError();
  library->addToLinkOrder(jit->getMainJITDylib());
  if (llvm::Error error = jit->addObjectFile(
          *library, std::make_unique<llvm::SmallVectorMemoryBuffer>(
                        std::move(object), module.getName(),
                        /*RequiresNullTerminator=*/false)))
    return std::move(error);
  auto address = jit->lookup(*library, symbol);
  if (!address)
    return address.takeError();
  return address->toPtr<void *>();
}
