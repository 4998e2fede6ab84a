//===- MetalKernel.cpp - Runs kernels through MSL -------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MetalKernel.h"
#include "fusion/Conversion/LegalizeForMSL.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Target/MSL.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::test;

std::string test::printMSL(llvm::StringRef mlir) {
  MLIRContext context;
  context
      .loadDialect<FusionDialect, arith::ArithDialect, cf::ControlFlowDialect,
                   gpu::GPUDialect, LLVM::LLVMDialect, math::MathDialect,
                   memref::MemRefDialect, scf::SCFDialect, ub::UBDialect,
                   vector::VectorDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(mlir, &context);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!module || failed(legalizeForMSL(*module)) ||
      failed(translateToMSL(*module, os))) {
    ADD_FAILURE() << "no MSL for\n" << mlir.str();
    return "";
  }
  return text;
}

MetalKernel::MetalKernel(llvm::StringRef mlir) : text(printMSL(mlir)) {
  if (text.empty())
    return;
  auto made = createMetalEmulator(text);
  if (made)
    emulator = std::move(*made);
  else
    ADD_FAILURE() << llvm::toString(made.takeError()) << "\n" << text;
}
