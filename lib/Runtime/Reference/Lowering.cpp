//===- Lowering.cpp - From a graph to the LLVM dialect --------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "fusion/Runtime/Reference.h"
#include "fusion/Transforms/FusionToLinalg.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/RuntimeOpVerification.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void fusion::registerReferenceDialects(DialectRegistry &registry) {
  registry
      .insert<affine::AffineDialect, arith::ArithDialect,
              bufferization::BufferizationDialect, cf::ControlFlowDialect,
              complex::ComplexDialect, func::FuncDialect, linalg::LinalgDialect,
              LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, tensor::TensorDialect>();
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  cf::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerRuntimeVerifiableOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

namespace {
/// Takes linalg.softmax and the like apart, which have no loops of their own.
struct DecomposeAggregates
    : PassWrapper<DecomposeAggregates, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DecomposeAggregates)
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::AggregatedOpInterface> ops;
    getOperation()->walk(
        [&](linalg::AggregatedOpInterface op) { ops.push_back(op); });
    for (linalg::AggregatedOpInterface op : ops) {
      rewriter.setInsertionPoint(op);
      FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
      if (failed(values))
        return signalPassFailure();
      rewriter.replaceOp(op, *values);
    }
  }
};

/// Calls libm for every function that it has. Upstream's pass does so after
/// those of LLVM; expm1 and log1p in terms of LLVM's exp and log would lose
/// what they are for, down to the sign of a zero.
struct CallLibm : PassWrapper<CallLibm, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CallLibm)
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

static void addPasses(PassManager &pm) {
  pm.addNestedPass<func::FuncOp>(std::make_unique<DecomposeAggregates>());
  pm.addNestedPass<func::FuncOp>(createLinalgGeneralizeNamedOpsPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(memref::createExpandStridedMetadataPass());

  math::MathExpandOpsPassOptions expandMath;
  expandMath.opMnemonics = {"fpowi", "powf", "rsqrt", "roundeven"};
  pm.addNestedPass<func::FuncOp>(math::createMathExpandOpsPass(expandMath));
  arith::ArithExpandOpsPassOptions expandArith;
  expandArith.includeBf16 = true;
  pm.addNestedPass<func::FuncOp>(arith::createArithExpandOpsPass(expandArith));
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertComplexToStandardPass());
  pm.addPass(std::make_unique<CallLibm>());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertComplexToLLVMPass());
  // The conversion to libm extends bf16 operands and truncates results.
  pm.addNestedPass<func::FuncOp>(arith::createArithExpandOpsPass(expandArith));
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

/// Turns expansions of one dimension into several dynamic ones to reshapes:
/// upstream's expansion of strided metadata computes the strides of the first
/// such dimension only, and ends the process at the second.
static void reshapeDynamicExpansions(ModuleOp module) {
  SmallVector<tensor::ExpandShapeOp> expansions;
  module.walk([&](tensor::ExpandShapeOp op) {
    auto countDynamic = [&](const ReassociationIndices &group) {
      return llvm::count_if(
          group, [&](int64_t d) { return op.getResultType().isDynamicDim(d); });
    };
    if (llvm::any_of(op.getReassociationIndices(), [&](const auto &group) {
          return countDynamic(group) > 1;
        }))
      expansions.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (tensor::ExpandShapeOp op : expansions) {
    rewriter.setInsertionPoint(op);
    SmallVector<Value> sizes;
    for (OpFoldResult size : op.getMixedOutputShape())
      sizes.push_back(
          getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), size));
    Value shape = tensor::FromElementsOp::create(rewriter, op.getLoc(), sizes);
    rewriter.replaceOpWithNewOp<tensor::ReshapeOp>(op, op.getResultType(),
                                                   op.getSrc(), shape);
  }
}

static std::string describeContradiction(Operation *op, StringRef what) {
  std::string message;
  llvm::raw_string_ostream os(message);
  os << "sizes contradict each other: '" << op->getName() << "' at "
     << op->getLoc() << ": " << what;
  return message;
}

/// Asserts that a reshape has as many elements as its source.
static void checkReshape(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  auto count = [&](ArrayRef<OpFoldResult> sizes) {
    Value product = arith::ConstantIndexOp::create(builder, loc, 1);
    for (OpFoldResult size : sizes)
      product = arith::MulIOp::create(
          builder, loc, product,
          getValueOrCreateConstantIndexOp(builder, loc, size));
    return product;
  };
  auto expansion = dyn_cast<tensor::ExpandShapeOp>(op);
  Value source = count(tensor::getMixedSizes(builder, loc, op->getOperand(0)));
  Value result =
      count(expansion ? expansion.getMixedOutputShape()
                      : tensor::getMixedSizes(builder, loc, op->getResult(0)));
  Value isEqual = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        source, result);
  cf::AssertOp::create(
      builder, loc, isEqual,
      describeContradiction(op, "it changes the number of elements"));
}

/// Asserts that dynamic sizes fit: loops would run past the end of operands.
static void checkDynamicSizes(ModuleOp module) {
  SmallVector<Operation *> operations;
  module.walk([&](Operation *op) {
    auto isDynamic = [](Type type) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      return tensor && !tensor.hasStaticShape();
    };
    if ((isa<linalg::LinalgOp>(op) && !isa<linalg::FillOp>(op)) ||
        isa<tensor::ReshapeOp, tensor::ExpandShapeOp>(op))
      if (llvm::any_of(op->getOperandTypes(), isDynamic) ||
          llvm::any_of(op->getResultTypes(), isDynamic))
        operations.push_back(op);
  });
  for (Operation *op : operations) {
    OpBuilder builder(op);
    if (!isa<linalg::LinalgOp>(op)) {
      builder.setInsertionPointAfter(op);
      checkReshape(builder, op);
    } else if (auto verifiable = dyn_cast<RuntimeVerifiableOpInterface>(op)) {
      verifiable.generateRuntimeVerification(builder, op->getLoc(),
                                             describeContradiction);
    }
  }
}

LogicalResult fusion::detail::lowerToLLVM(ModuleOp module) {
  // Groups and attention stand for what they are defined as.
  if (failed(lowerToLinalg(module)))
    return failure();
  reshapeDynamicExpansions(module);
  // What checks are made of.
  module.getContext()
      ->loadDialect<affine::AffineDialect, arith::ArithDialect,
                    cf::ControlFlowDialect, scf::SCFDialect,
                    tensor::TensorDialect>();
  checkDynamicSizes(module);
  PassManager pm(module.getContext());
  addPasses(pm);
  return pm.run(module);
}
