//===- BufferizeGroups.cpp - Groups on memrefs ----------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/BufferizeGroups.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Transforms/Passes.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_FUSIONBUFFERIZE
#include "fusion/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::bufferization;

namespace {
struct GroupModel
    : DstBufferizableOpInterfaceExternalModel<GroupModel, GroupOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    auto group = cast<GroupOp>(op);
    return !group.getBody().getArgument(operand.getOperandNumber()).use_empty();
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto group = cast<GroupOp>(op);
    auto convert = [&](OperandRange operands,
                       SmallVectorImpl<Value> &converted) {
      for (Value operand : operands) {
        if (!isa<TensorType>(operand.getType())) {
          converted.push_back(operand);
          continue;
        }
        FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
        if (failed(buffer))
          return failure();
        converted.push_back(*buffer);
      }
      return success();
    };
    SmallVector<Value> inputs, outputs;
    if (failed(convert(group.getInputs(), inputs)) ||
        failed(convert(group.getOutputs(), outputs)))
      return failure();
    auto buffered = GroupOp::create(rewriter, group.getLoc(), inputs, outputs,
                                    group.getKind());
    buffered->setDiscardableAttrs(group->getDiscardableAttrDictionary());
    if (ScheduleAttr schedule = group.getScheduleAttr())
      buffered.setScheduleAttr(schedule);
    rewriter.eraseBlock(&buffered.getBody().front());
    rewriter.inlineRegionBefore(group.getBody(), buffered.getBody(),
                                buffered.getBody().begin());
    replaceOpWithBufferizedValues(rewriter, group, outputs);
    return success();
  }
};

struct Bufferize : fusion::impl::FusionBufferizeBase<Bufferize> {
  using Base::Base;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<BufferizationDialect, memref::MemRefDialect>();
    arith::registerBufferizableOpInterfaceExternalModels(registry);
    tensor::registerBufferizableOpInterfaceExternalModels(registry);
    bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
        registry);
  }
  void runOnOperation() override {
    if (failed(bufferizeGroups(getOperation())))
      signalPassFailure();
  }
};
} // namespace

void fusion::registerBufferizableOpExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FusionDialect *) {
    GroupOp::attachInterface<GroupModel>(*context);
  });
}

/// Gives every output of a group that starts empty a tensor of its own. Groups
/// that share one would share its memory: what runs once would be overwritten,
/// and lifetimes would be longer than they are.
static void separateOutputs(ModuleOp module) {
  module.walk([](GroupOp group) {
    OpBuilder builder(group);
    for (OpOperand &output : group.getOutputsMutable()) {
      auto cast = output.get().getDefiningOp<tensor::CastOp>();
      Value source = cast ? cast.getSource() : output.get();
      auto empty = source.getDefiningOp<tensor::EmptyOp>();
      if (!empty)
        continue;
      IRMapping mapping;
      output.set(builder.clone(*empty, mapping)->getResult(0));
      if (cast)
        output.set(builder.clone(*cast, mapping)->getResult(0));
    }
  });
}

LogicalResult fusion::bufferizeGroups(ModuleOp module) {
  separateOutputs(module);
  OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.setFunctionBoundaryTypeConversion(LayoutMapOption::IdentityLayoutMap);
  // Kernels address whole buffers: every memref has the identity layout.
  options.unknownTypeConverterFn = [](TensorType type, Attribute memorySpace,
                                      const BufferizationOptions &) {
    return bufferization::getMemRefTypeWithStaticIdentityLayout(type,
                                                                memorySpace);
  };
  // Group bodies stay on tensors. Their tensor arguments would make upstream
  // take a bufferized group for one that is still to do.
  options.opFilter.denyOperation([](Operation *op) {
    if (isa<GroupOp>(op))
      return !llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>);
    return op->getParentOfType<GroupOp>() != nullptr;
  });
  // Arguments belong to the caller unless it gives them away.
  for (auto func : module.getOps<func::FuncOp>())
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (!func.getArgAttr(i, BufferizationDialect::kWritableAttrName))
        func.setArgAttr(i, BufferizationDialect::kWritableAttrName,
                        BoolAttr::get(module.getContext(), false));
  BufferizationState state;
  return runOneShotModuleBufferize(module, options, state);
}
