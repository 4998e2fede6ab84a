//===- LegalizeForMSL.cpp - Kernels as MSL can say them -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/LegalizeForMSL.h"
#include "fusion/Conversion/ExpandMath.h"
#include "fusion/Conversion/NarrowFloats.h"
#include "fusion/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::fusion;

namespace mlir::fusion {
#define GEN_PASS_DEF_LEGALIZEFORMSL
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

/// Refuses what no rewriting helps with.
static LogicalResult refuseF64(Operation *root) {
  auto isF64 = [](Type type) {
    if (auto shaped = dyn_cast<ShapedType>(type))
      type = shaped.getElementType();
    return type.isF64();
  };
  WalkResult result = root->walk([&](Operation *op) {
    auto kernel = dyn_cast<gpu::GPUFuncOp>(op);
    if (llvm::any_of(op->getOperandTypes(), isF64) ||
        llvm::any_of(op->getResultTypes(), isF64) ||
        (kernel && llvm::any_of(kernel.getArgumentTypes(), isF64))) {
      op->emitOpError("uses f64, which Metal does not have; compute in f32, or "
                      "compile for another target");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult fusion::legalizeForMSL(Operation *root) {
  // A pass has loaded them as its dependent dialects; other callers may not.
  root->getContext()
      ->loadDialect<arith::ArithDialect, complex::ComplexDialect,
                    math::MathDialect, memref::MemRefDialect, ub::UBDialect,
                    vector::VectorDialect>();
  if (failed(refuseF64(root)))
    return failure();
  WalkResult expanded =
      root->walk<WalkOrder::PreOrder>([](gpu::GPUModuleOp module) {
        return WalkResult(expandComplexForMSL(module));
      });
  if (expanded.wasInterrupted())
    return failure();
  RewritePatternSet patterns(root->getContext());
  populateLegalizeArithForMSLPatterns(patterns);
  ExpandMathOptions math;
  math.nativeFunctions = true;
  populateExpandMathPatterns(patterns, math);
  populateNarrowFloatPatterns(patterns);
  if (failed(applyPatternsGreedily(root, std::move(patterns))))
    return failure();
  if (failed(splitVectorsForMSL(root)))
    return failure();
  // Parts of vectors compute the same indices.
  IRRewriter rewriter(root->getContext());
  DominanceInfo dominance(root);
  eliminateCommonSubExpressions(rewriter, dominance, root);
  return success();
}

namespace {

struct LegalizeForMSLPass
    : fusion::impl::LegalizeForMSLBase<LegalizeForMSLPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(legalizeForMSL(getOperation())))
      signalPassFailure();
  }
};

} // namespace
