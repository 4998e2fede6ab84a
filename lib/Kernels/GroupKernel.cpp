//===- GroupKernel.cpp - The kernel of a group ----------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Kernels/GroupKernel.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

Value GroupKernel::threadIndex() {
  return gpu::ThreadIdOp::create(getBuilder(), getLoc(), gpu::Dimension::x);
}

AffineExpr GroupKernel::countElements(Value tensor) {
  AffineExpr count = getSpace().constant(1);
  for (AffineExpr dim : getShapes().getShape(tensor))
    count = count * dim;
  return getSpace().simplify(count);
}

LogicalResult GroupKernel::store(unsigned output, ArrayRef<IndexVector> lanes,
                                 ArrayRef<Value> values) {
  Value buffer = outputBuffers[output];
  Value tensor = group.getOutputArgument(output);
  IndexSpace &space = getSpace();
  SmallVector<AffineExpr> shape = getShapes().getShape(tensor);
  SmallVector<AffineExpr> offsets;
  for (const IndexVector &lane : lanes)
    offsets.push_back(space.linearize(lane, shape));
  AffineExpr offset = offsets.front();
  bool neighbours = true;
  for (auto [lane, at] : llvm::enumerate(offsets))
    neighbours &= space.simplify(at - offset) == space.constant(lane);
  OpBuilder &builder = getBuilder();
  Location loc = getLoc();
  Type element = getElementTypeOrSelf(buffer.getType());
  int64_t width = values.size();
  int64_t bytes = element.isIntOrFloat() && !element.isInteger(1)
                      ? element.getIntOrFloatBitWidth() / 8
                      : 0;
  int64_t limit = bytes ? std::max<int64_t>(1, 16 / bytes) : 1;
  AffineExpr size = countElements(tensor);
  int64_t w =
      std::min<int64_t>(llvm::bit_floor(static_cast<uint64_t>(width)), limit);
  w = std::min(w, space.getPowerOfTwoDivisor(offset, w));
  w = std::min(w, space.getPowerOfTwoDivisor(size, w));
  if (!neighbours)
    w = 1;
  for (int64_t i = 0; i < width;) {
    Value index = emitter.materialize(offsets[i]);
    if (!index)
      return failure();
    int64_t step = i + w <= width ? w : 1;
    if (step == 1) {
      memref::StoreOp::create(builder, loc, values[i], buffer, index);
    } else {
      Value vector = vector::FromElementsOp::create(
          builder, loc, VectorType::get({step}, element),
          values.slice(i, step));
      vector::StoreOp::create(
          builder, loc, vector, buffer, ValueRange{index},
          /*nontemporal=*/false,
          llvm::MaybeAlign(static_cast<uint64_t>(step * bytes)));
    }
    i += step;
  }
  return success();
}

IndexVector InPlaceUpdate::getPlace(IndexSpace &space, ShapeAnalysis &shapes,
                                    ArrayRef<AffineExpr> indices) const {
  auto toExpr = [&](OpFoldResult fold) {
    if (std::optional<int64_t> constant = getConstantIntValue(fold))
      return space.constant(*constant);
    return shapes.getScalar(cast<Value>(fold));
  };
  IndexVector place;
  unsigned next = 0;
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    AffineExpr index = toExpr(offset);
    if (!droppedDims.test(dim))
      index = index + indices[next++] * toExpr(strides[dim]);
    place.push_back(space.simplify(index));
  }
  return place;
}

std::optional<InPlaceUpdate> fusion::matchInPlaceUpdate(GroupOp group,
                                                        unsigned output) {
  auto insert =
      group.getYielded()[output].getDefiningOp<tensor::InsertSliceOp>();
  if (!insert || insert.getDest() != group.getOutputArgument(output))
    return std::nullopt;
  return InPlaceUpdate{insert.getSource(), insert.getMixedOffsets(),
                       insert.getMixedStrides(), insert.getDroppedDims()};
}
