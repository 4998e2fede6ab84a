//===- FusionGPUToNVVM.cpp - Kernel IR to the NVVM dialect ----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One kernel at a time, in four steps: expand what has no instruction (math,
// vectors of several dimensions), flatten control flow, turn assertions into
// traps, convert the rest to the LLVM and NVVM dialects.
//
// Upstream's convert-gpu-to-nvvm is not used: it brings libdevice calls (for
// fma and max, too) that dissolve into unresolved symbols where no CUDA toolkit
// is installed.
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/FusionGPUToNVVM.h"
#include "Patterns.h"
#include "fusion/Conversion/ExpandMath.h"
#include "fusion/Conversion/NarrowFloats.h"
#include "fusion/Conversion/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/BasicPtxBuilderInterface.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_CONVERTFUSIONGPUTONVVM
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

/// Promises that no index value of the kernel leaves the i32 range.
static constexpr StringLiteral index32AttrName = "fusion.index32";

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

/// Marks index arithmetic as free of signed overflow, so that constant offsets
/// can move into addresses through the extension to 64 bits.
static void promiseNoOverflow(gpu::GPUFuncOp kernel) {
  auto mark = [](auto op) {
    if (getElementTypeOrSelf(op.getType()).isIndex())
      op.setOverflowFlags(op.getOverflowFlags() |
                          arith::IntegerOverflowFlags::nsw);
  };
  kernel.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp>(mark);
  });
}

/// Expresses complex arithmetic by arithmetic on the parts. What takes complex
/// numbers apart and puts them together stays.
static LogicalResult expandComplex(gpu::GPUFuncOp kernel) {
  bool found = kernel
                   .walk([](Operation *op) {
                     return isa<complex::ComplexDialect>(op->getDialect())
                                ? WalkResult::interrupt()
                                : WalkResult::advance();
                   })
                   .wasInterrupted();
  if (!found)
    return success();
  RewritePatternSet patterns(kernel.getContext());
  populateComplexToStandardConversionPatterns(patterns);
  ConversionTarget target(*kernel.getContext());
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  target.addIllegalDialect<complex::ComplexDialect>();
  target.addLegalOp<complex::CreateOp, complex::ReOp, complex::ImOp,
                    complex::ConstantOp>();
  return applyPartialConversion(kernel, target, std::move(patterns));
}

/// Rewrites what has no counterpart in LLVM to what has.
static LogicalResult expandOps(gpu::GPUFuncOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  ExpandMathOptions options;
  options.nativeExp2 = true;
  options.nativeRsqrt = true;
  populateExpandMathPatterns(patterns, options);
  populateNarrowFloatPatterns(patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorTransposeLoweringPatterns(
      patterns, vector::VectorTransposeLowering::EltWise);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorToElementsUnrollPatterns(patterns);
  vector::populateVectorFromElementsUnrollPatterns(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return applyPatternsGreedily(kernel, std::move(patterns), config);
}

static LogicalResult flattenControlFlow(gpu::GPUFuncOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*kernel.getContext());
  target.addIllegalDialect<scf::SCFDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(kernel, target, std::move(patterns));
}

/// Turns `cf.assert` into a branch to a trap: the launch fails, and its message
/// is lost, since a kernel has nowhere to print to.
static void lowerAssertions(gpu::GPUFuncOp kernel) {
  SmallVector<cf::AssertOp> assertions;
  kernel.walk([&](cf::AssertOp op) { assertions.push_back(op); });
  for (cf::AssertOp assertion : assertions) {
    Location loc = assertion.getLoc();
    Block *block = assertion->getBlock();
    Block *rest = block->splitBlock(assertion->getNextNode());
    OpBuilder builder(kernel.getContext());
    Block *trap = builder.createBlock(rest);
    LLVM::Trap::create(builder, loc);
    LLVM::UnreachableOp::create(builder, loc);
    builder.setInsertionPointToEnd(block);
    cf::CondBranchOp::create(builder, loc, assertion.getArg(), rest, trap);
    assertion.erase();
  }
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

static LogicalResult convertToNVVM(gpu::GPUFuncOp kernel,
                                   const LLVMTypeConverter &converter) {
  MLIRContext *context = kernel.getContext();
  RewritePatternSet patterns(context);
  populateKernelOpPatterns(converter, patterns);
  populateMemRefToPointerPatterns(converter, patterns);
  populateNVGPUPatterns(converter, patterns);
  populateNativeMathPatterns(converter, patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateComplexToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateNVGPUToNVVMConversionPatterns(converter, patterns);
  populateNVVMToLLVMConversionPatterns(patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);

  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect>();
  // Some NVVM operations have no intrinsic and become inline assembly.
  target.addDynamicallyLegalDialect<NVVM::NVVMDialect>([](Operation *op) {
    auto ptx = dyn_cast<NVVM::BasicPtxBuilderInterface>(op);
    return !ptx || ptx.hasIntrinsic();
  });
  // Casts of memrefs to pointers cancel out below.
  target.addLegalOp<UnrealizedConversionCastOp>();
  return applyFullConversion(kernel, target, std::move(patterns));
}

/// Converts one kernel.
static LogicalResult convertKernel(gpu::GPUFuncOp kernel) {
  bool index32 = kernel->hasAttr(index32AttrName);
  LowerToLLVMOptions options(kernel.getContext());
  options.overrideIndexBitwidth(index32 ? 32 : 64);
  KernelTypeConverter converter(kernel.getContext(), options);
  if (failed(checkKernel(kernel, converter)) || failed(expandComplex(kernel)) ||
      failed(widenNarrowFloats(kernel)) || failed(expandOps(kernel)))
    return failure();
  if (index32)
    promiseNoOverflow(kernel);
  if (failed(flattenControlFlow(kernel)))
    return failure();
  lowerAssertions(kernel);
  return convertToNVVM(kernel, converter);
}

LogicalResult mlir::fusion::convertFusionGPUToNVVM(gpu::GPUModuleOp module) {
  // A pass has loaded them as its dependent dialects; other callers may not.
  module.getContext()
      ->loadDialect<LLVM::LLVMDialect, NVVM::NVVMDialect, arith::ArithDialect,
                    cf::ControlFlowDialect, math::MathDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  for (gpu::GPUFuncOp kernel :
       llvm::make_early_inc_range(module.getOps<gpu::GPUFuncOp>()))
    if (failed(convertKernel(kernel)))
      return failure();

  SmallVector<UnrealizedConversionCastOp> casts, remaining;
  module.walk([&](UnrealizedConversionCastOp op) { casts.push_back(op); });
  reconcileUnrealizedCasts(casts, &remaining);
  for (UnrealizedConversionCastOp cast : remaining)
    if (!cast->use_empty())
      return cast.emitError("cast from ")
             << cast.getOperandTypes() << " to " << cast.getResultTypes()
             << " is not a conversion of this pass";
  return success();
}

namespace {
struct ConvertFusionGPUToNVVMPass
    : fusion::impl::ConvertFusionGPUToNVVMBase<ConvertFusionGPUToNVVMPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(convertFusionGPUToNVVM(getOperation())))
      signalPassFailure();
  }
};
} // namespace
