//===- GenericKernel.cpp - One thread per element -------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeroOperands.h"
#include "fusion/Kernels/GroupKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

/// How many neighbours along the last dimension of `shape` a thread handles.
static int64_t getVectorWidth(IndexSpace &space, ArrayRef<AffineExpr> shape,
                              int64_t limit) {
  if (shape.empty())
    return 1;
  return space.getPowerOfTwoDivisor(shape.back(), std::max<int64_t>(1, limit));
}

FailureOr<GridBuilder> fusion::buildGenericKernel(GroupKernel &kernel) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  IndexSpace &space = kernel.getSpace();
  ShapeAnalysis &shapes = kernel.getShapes();
  GroupOp group = kernel.group;
  int64_t threads = kernel.schedule.getThreads();
  int64_t limit = kernel.schedule.getVector();

  // Outputs over the same index space are computed together.
  struct Pass {
    SmallVector<AffineExpr> shape;
    SmallVector<unsigned> outputs;
  };
  SmallVector<Pass> passes;
  for (unsigned i = 0; i < group.getOutputs().size(); ++i) {
    std::optional<InPlaceUpdate> update = matchInPlaceUpdate(group, i);
    SmallVector<AffineExpr> shape =
        shapes.getShape(update ? update->source : Value(group.getYielded()[i]));
    auto *same = llvm::find_if(
        passes, [&](const Pass &pass) { return pass.shape == shape; });
    if (same != passes.end())
      same->outputs.push_back(i);
    else
      passes.push_back({shape, {i}});
  }
  Value thread = kernel.threadIndex();
  AffineExpr numBlocks;
  for (Pass &pass : passes) {
    int64_t width = getVectorWidth(space, pass.shape, limit);
    AffineExpr count = space.constant(1);
    for (AffineExpr dim : pass.shape)
      count = count * dim;
    count = space.simplify(count);
    AffineExpr items = space.simplify(count.floorDiv(width));
    AffineExpr blocks = space.simplify(items.ceilDiv(threads));
    // Each pass has blocks of its own.
    Value block = kernel.blockIndex;
    if (numBlocks) {
      Value start = kernel.emitter.materialize(numBlocks);
      if (!start)
        return failure();
      block = arith::SubIOp::create(builder, loc, block, start);
    }
    Value perBlock = arith::ConstantIndexOp::create(builder, loc, threads);
    Value item = arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, block, perBlock),
        thread);
    Value end = kernel.emitter.materialize(items);
    if (!end)
      return failure();
    Value inside = arith::CmpIOp::create(builder, loc,
                                         arith::CmpIPredicate::slt, item, end);
    if (numBlocks) {
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      Value begun = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::sge, block, zero);
      inside = arith::AndIOp::create(builder, loc, inside, begun);
    }
    auto branch = scf::IfOp::create(builder, loc, inside);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      ElementEmitter::Scope scope(kernel.emitter);
      AffineExpr u = kernel.emitter.bindDim(item, items);
      SmallVector<IndexVector> lanes;
      for (int64_t lane = 0; lane < width; ++lane)
        lanes.push_back(IndexVector(
            space.delinearize(space.simplify(u * width + lane), pass.shape)));
      SmallVector<SmallVector<IndexVector>> outputLanes(
          group.getOutputs().size());
      for (unsigned output : pass.outputs)
        outputLanes[output] = lanes;
      if (failed(storeOutputs(kernel, outputLanes)))
        return failure();
    }
    numBlocks = numBlocks ? space.simplify(numBlocks + blocks) : blocks;
  }
  return GridBuilder([numBlocks](OpBuilder &, Location,
                                 function_ref<Value(AffineExpr)> materialize) {
    return materialize(numBlocks);
  });
}
