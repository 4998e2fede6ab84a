//===- AttentionTiling.cpp - Tiling of attention --------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The parallel dimensions of attention are its batch dimensions, the query
// position and the value's width. The width of queries and keys and the key
// position are summed over by a softmax, which is no plain reduction: tiles
// take them whole.
//
//===----------------------------------------------------------------------===//

#include "fusion/IR/Fusion.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::fusion;

SmallVector<utils::IteratorType> AttentionOp::getLoopIteratorTypes() {
  SmallVector<utils::IteratorType> types(getQueryMap().getNumDims(),
                                         utils::IteratorType::parallel);
  types[getWidthDim()] = types[getKeyDim()] = utils::IteratorType::reduction;
  return types;
}

SmallVector<Range> AttentionOp::getIterationDomain(OpBuilder &builder) {
  unsigned numDims = getQueryMap().getNumDims();
  SmallVector<Range> domain(numDims,
                            {builder.getIndexAttr(0), builder.getIndexAttr(1),
                             builder.getIndexAttr(1)});
  auto tensors = getTensorOperands();
  for (auto [tensor, map] : llvm::reverse(tensors))
    for (auto [i, expr] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        domain[dim.getPosition()].size =
            tensor::getMixedSize(builder, getLoc(), tensor, i);
  return domain;
}

/// The part of a dimension with index `expr` that a tile touches. A quotient
/// needs tiles that do not cut what shares a quotient. Failure for other
/// expressions.
static FailureOr<std::pair<OpFoldResult, OpFoldResult>>
getSlice(OpBuilder &builder, Location loc, AffineExpr expr,
         ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return std::make_pair(
        OpFoldResult(builder.getIndexAttr(constant.getValue())),
        OpFoldResult(builder.getIndexAttr(1)));
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return std::make_pair(offsets[dim.getPosition()], sizes[dim.getPosition()]);
  auto quotient = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!quotient || quotient.getKind() != AffineExprKind::FloorDiv)
    return failure();
  auto dim = dyn_cast<AffineDimExpr>(quotient.getLHS());
  auto divisor = dyn_cast<AffineConstantExpr>(quotient.getRHS());
  if (!dim || !divisor)
    return failure();
  std::optional<int64_t> size = getConstantIntValue(sizes[dim.getPosition()]);
  if (!size || *size % divisor.getValue() != 0)
    return failure();
  AffineExpr d0 = builder.getAffineDimExpr(0);
  OpFoldResult offset = affine::makeComposedFoldedAffineApply(
      builder, loc, d0.floorDiv(divisor.getValue()),
      {offsets[dim.getPosition()]});
  return std::make_pair(
      offset, OpFoldResult(builder.getIndexAttr(*size / divisor.getValue())));
}

static FailureOr<Value> extractTile(OpBuilder &builder, Location loc,
                                    Value tensor, AffineMap map,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> tileOffsets, tileSizes;
  for (AffineExpr expr : map.getResults()) {
    auto slice = getSlice(builder, loc, expr, offsets, sizes);
    if (failed(slice))
      return failure();
    // Inside a tile, a constant index is the only one.
    tileOffsets.push_back(slice->first);
    tileSizes.push_back(slice->second);
  }
  SmallVector<OpFoldResult> strides(tileOffsets.size(),
                                    builder.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder, loc, tensor, tileOffsets,
                                        tileSizes, strides)
      .getResult();
}

FailureOr<TilingResult>
AttentionOp::getTiledImplementation(OpBuilder &builder,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) {
  Location loc = getLoc();
  SmallVector<Range> domain = getIterationDomain(builder);
  for (unsigned dim : {getWidthDim(), getKeyDim()})
    if (!isZeroInteger(offsets[dim]) ||
        !isEqualConstantIntOrValue(sizes[dim], domain[dim].size))
      return emitOpError("a tile must take the keys and their width whole");
  auto tensors = getTensorOperands();
  SmallVector<Value> tiles;
  SmallVector<Operation *> slices;
  SmallVector<Attribute> maps;
  for (auto [i, operand] : llvm::enumerate(tensors)) {
    auto [tensor, map] = operand;
    FailureOr<Value> tile =
        extractTile(builder, loc, tensor, map, offsets, sizes);
    if (failed(tile))
      return emitOpError("a tile cuts heads that share keys; use multiples of "
                         "their number");
    tiles.push_back(*tile);
    slices.push_back(tile->getDefiningOp());
    // Reference and total have one map in common.
    if (i == getNumTensorInputs() + 2)
      continue;
    // Indices are relative to the tile: constants become the tile's only index.
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : map.getResults())
      results.push_back(isa<AffineConstantExpr>(expr)
                            ? builder.getAffineConstantExpr(0)
                            : expr);
    maps.push_back(AffineMapAttr::get(
        AffineMap::get(map.getNumDims(), 0, results, builder.getContext())));
  }
  auto *next = tiles.begin() + 3;
  Value factor = getFactor() ? *next++ : Value();
  Value mask = getMask() ? *next++ : Value();
  Value sink = getSink() ? *next++ : Value();
  Value dropout = getDropout() ? *next++ : Value();
  SmallVector<Value> outputs(
      ArrayRef<Value>(tiles).take_back(getOutputs().size()));
  // Query positions count from the tile's first.
  Value causalOffset = getCausalOffset();
  if (causalOffset) {
    AffineExpr d0, d1;
    bindDims(builder.getContext(), d0, d1);
    causalOffset = getValueOrCreateConstantIndexOp(
        builder, loc,
        affine::makeComposedFoldedAffineApply(
            builder, loc, d0 + d1, {causalOffset, offsets[getQueryDim()]}));
  }
  SmallVector<Type> types;
  for (Value output : outputs)
    types.push_back(output.getType());
  auto tiled = AttentionOp::create(
      builder, loc, types, tiles[0], tiles[1], tiles[2], factor, mask, sink,
      dropout, causalOffset, outputs, builder.getArrayAttr(maps),
      getScaleAttr(), getWindowAttr(), getSoftcapAttr(), getMaskedScoreAttr(),
      getFloorAttr(), getMaskedRowsAttr());
  return TilingResult{{tiled}, SmallVector<Value>(tiled.getResults()), slices};
}

LogicalResult AttentionOp::getResultTilePosition(
    OpBuilder &builder, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  AffineMap map = getResultMap(resultNumber);
  for (AffineExpr expr : map.getResults()) {
    auto slice = getSlice(builder, getLoc(), expr, offsets, sizes);
    if (failed(slice))
      return failure();
    resultOffsets.push_back(slice->first);
    resultSizes.push_back(slice->second);
  }
  return success();
}

FailureOr<TilingResult>
AttentionOp::generateResultTileValue(OpBuilder &builder, unsigned resultNumber,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult> sizes) {
  AffineMap map = getResultMap(resultNumber);
  SmallVector<OpFoldResult> tileOffsets, tileSizes;
  for (Range range : getIterationDomain(builder)) {
    tileOffsets.push_back(range.offset);
    tileSizes.push_back(range.size);
  }
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return failure();
    tileOffsets[dim.getPosition()] = offsets[i];
    tileSizes[dim.getPosition()] = sizes[i];
  }
  FailureOr<TilingResult> tiled =
      getTiledImplementation(builder, tileOffsets, tileSizes);
  if (failed(tiled))
    return failure();
  return TilingResult{tiled->tiledOps,
                      {tiled->tiledValues[resultNumber]},
                      tiled->generatedSlices};
}
