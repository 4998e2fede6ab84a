//===- HeroOperands.cpp - Operands and results of heroes ------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeroOperands.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::fusion;

FailureOr<OutputFlow>
fusion::pushToOutputs(IndexSpace &space, ShapeAnalysis &shapes, GroupOp group,
                      ArrayRef<Value> heroResults, ArrayRef<AffineExpr> indices,
                      ArrayRef<unsigned> columnDims) {
  SmallVector<Operation *> ops;
  for (Operation &op : group.getBody().front())
    ops.push_back(&op);
  SmallVector<Value> outputs;
  for (auto [i, yielded] : llvm::enumerate(group.getYielded())) {
    std::optional<InPlaceUpdate> update = matchInPlaceUpdate(group, i);
    outputs.push_back(update ? update->source : yielded);
  }
  return pushToOutputs(space, shapes, ops, outputs, heroResults, indices,
                       columnDims);
}

LogicalResult
fusion::storeOutputs(GroupKernel &kernel,
                     ArrayRef<SmallVector<IndexVector>> outputLanes) {
  for (auto [i, lanes] : llvm::enumerate(outputLanes)) {
    if (lanes.empty())
      continue;
    std::optional<InPlaceUpdate> update = matchInPlaceUpdate(kernel.group, i);
    SmallVector<Value> values = kernel.emitter.elements(
        update ? update->source : kernel.group.getYielded()[i], lanes);
    if (values.empty())
      return failure();
    SmallVector<IndexVector> places(lanes);
    if (update)
      for (IndexVector &place : places)
        place = update->getPlace(kernel.getSpace(), kernel.getShapes(), place);
    if (failed(kernel.store(i, places, values)))
      return failure();
  }
  return success();
}

std::optional<int64_t> fusion::toConstant(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  return std::nullopt;
}

AffineExpr fusion::bindIndex(ElementEmitter &emitter, Value value,
                             AffineExpr bound) {
  if (std::optional<int64_t> constant = KernelBuilder::getConstant(value))
    return emitter.getSpace().constant(*constant);
  return emitter.bindDim(value, bound);
}

SmallVector<AffineExpr> fusion::bindNeighbours(ElementEmitter &emitter,
                                               Value first, int64_t width,
                                               AffineExpr bound) {
  IndexSpace &space = emitter.getSpace();
  OpBuilder &builder = emitter.getBuilder();
  Location loc = emitter.getLoc();
  if (width == 1)
    return {bindIndex(emitter, first, bound)};
  SmallVector<AffineExpr> lanes;
  if (space.getPowerOfTwoDivisor(bound, width) == width) {
    Value divisor = arith::ConstantIndexOp::create(builder, loc, width);
    Value quotient = arith::DivUIOp::create(builder, loc, first, divisor);
    AffineExpr unit =
        bindIndex(emitter, quotient, space.simplify(bound.floorDiv(width)));
    for (int64_t lane = 0; lane < width; ++lane)
      lanes.push_back(space.simplify(unit * width + lane));
    return lanes;
  }
  // The last of `width` aligned positions may lie past the bound, so that the
  // form above would lose the bound that reshapes need.
  for (int64_t lane = 0; lane < width; ++lane) {
    Value offset = arith::ConstantIndexOp::create(builder, loc, lane);
    Value index = arith::AddIOp::create(builder, loc, first, offset);
    lanes.push_back(bindIndex(emitter, index, bound));
  }
  return lanes;
}

bool fusion::isContiguousAlong(IndexSpace &space, AffineExpr offset,
                               AffineExpr dim) {
  return space.simplify(offset.replace(dim, dim + 1) - offset) ==
         space.constant(1);
}

int64_t fusion::getAlignmentAlong(IndexSpace &space, AffineExpr offset,
                                  AffineExpr dim, int64_t bytes) {
  int64_t width = std::max<int64_t>(1, 16 / bytes);
  AffineExpr blocks = space.addOpaqueDim();
  AffineExpr at = space.simplify(offset.replace(dim, blocks * width));
  return space.getPowerOfTwoDivisor(at, width) * bytes;
}
