//===- ContractionOperands.cpp - Operands of products ---------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionOperands.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <array>

using namespace mlir;
using namespace mlir::fusion;

OperandAccess fusion::makeContractionAccess(
    GroupKernel &kernel, const ContractionComponent &component,
    linalg::LinalgOp hero, unsigned operandIndex,
    const TileColumns &tileColumns, RowValues *rowValues, int64_t tileM) {
  IndexSpace &space = kernel.getSpace();
  ShapeAnalysis &shapes = kernel.getShapes();
  ElementEmitter &emitter = kernel.emitter;
  OpOperand *operand = hero.getDpsInputOperand(operandIndex);
  Value value = operand->get();
  AffineMap map = hero.getMatchingIndexingMap(operand);
  Operation *bodyCast = *getBodyCast(hero, operandIndex);
  ContractionLoops loops = component.loops;
  SmallVector<AffineExpr> bounds = component.bounds;
  bool isA = operandIndex == 0;
  SmallVector<unsigned> outer = isA ? loops.m : loops.n;
  AffineExpr batchSize = countIterations(space, loops.batch, bounds),
             outerSize = countIterations(space, outer, bounds),
             kSize = countIterations(space, loops.k, bounds);
  IndexSpace *spacePtr = &space;
  auto indicesAt = [=](AffineExpr batch, AffineExpr o, AffineExpr k) {
    IndexVector at(bounds.size(), spacePtr->constant(0));
    setLoops(*spacePtr, loops.batch, bounds, batch, at);
    setLoops(*spacePtr, outer, bounds, o, at);
    setLoops(*spacePtr, loops.k, bounds, k, at);
    return applyMap(*spacePtr, map, at);
  };
  OperandAccess access;
  access.elementType = component.operandType;
  bool narrow = isNarrowFloat(component.operandType);
  // The place in memory for template dimensions.
  AffineExpr b = space.addDim(batchSize), o = space.addDim(outerSize),
             k = space.addDim(kSize);
  ResolvedElement resolved =
      resolveElement(space, shapes, value, indicesAt(b, o, k));
  Value buffer = emitter.getBuffer(resolved.value);
  Type stored = getElementTypeOrSelf(resolved.value.getType());
  bool plain = buffer && stored == component.operandType &&
               (narrow ||
                (getElementTypeOrSelf(value.getType()) == stored && !bodyCast));
  // Contiguous along a dimension: the next index is the next element, in memory
  // or, of a computed operand, in the row-major order of its elements.
  {
    SmallVector<AffineExpr> shape = shapes.getShape(resolved.value);
    AffineExpr offset = space.linearize(resolved.indices, shape);
    int64_t bytes = std::max<int64_t>(
        1, (plain ? stored : access.elementType).getIntOrFloatBitWidth() / 8);
    // A dimension that was split or joined on the way (the heads of attention's
    // result) may have neighbours only in aligned groups: enough for vectors.
    auto groupAlong = [&](AffineExpr dim, AffineExpr size) {
      for (int64_t width = 16 / bytes; width > 1; width /= 2) {
        AffineExpr group =
            space.addDim(space.simplify(size.ceilDiv(width))) * width;
        AffineExpr first = space.simplify(offset.replace(dim, group));
        bool isVector = space.getPowerOfTwoDivisor(first, width) == width;
        for (int64_t lane = 1; lane < width && isVector; ++lane)
          isVector = space.simplify(offset.replace(dim, group + lane) -
                                    first) == space.constant(lane);
        if (isVector)
          return width;
      }
      return int64_t(1);
    };
    using Contiguous = OperandAccess::Contiguous;
    Contiguous alongK = isA ? Contiguous::Column : Contiguous::Row;
    Contiguous alongOuter = isA ? Contiguous::Row : Contiguous::Column;
    if (isContiguousAlong(space, offset, k)) {
      access.contiguous = alongK;
      access.alignment = getAlignmentAlong(space, offset, k, bytes);
    } else if (isContiguousAlong(space, offset, o)) {
      access.contiguous = alongOuter;
      access.alignment = getAlignmentAlong(space, offset, o, bytes);
    } else if (int64_t width = groupAlong(k, kSize); width > 1) {
      access.contiguous = alongK;
      access.alignment = width * bytes;
    } else if (int64_t width = groupAlong(o, outerSize); width > 1) {
      access.contiguous = alongOuter;
      access.alignment = width * bytes;
    }
    if (!isA && access.contiguous == alongOuter)
      access.alignment =
          std::min(access.alignment, tileColumns.getNeighbours(16) * bytes);
  }
  // What is known of a row serves neighbours in it.
  if (rowValues && access.contiguous == OperandAccess::Contiguous::Row)
    access.contiguous = OperandAccess::Contiguous::None;
  // The index along n or m of an operand's column or row.
  auto getOuter = [=](OpBuilder &builder, Location loc, Value row,
                      Value column) {
    return isA ? row : tileColumns.getColumn(builder, loc, column);
  };
  // The batch, the outer index and k of an element, where the emitter stands.
  auto bindPosition = [=, &emitter](Location loc, ValueRange batch, Value row,
                                    Value column) {
    OpBuilder &builder = emitter.getBuilder();
    return std::array<AffineExpr, 3>{
        bindIndex(emitter, batch[0], batchSize),
        bindIndex(emitter, getOuter(builder, loc, row, column), outerSize),
        bindIndex(emitter, isA ? column : row, kSize)};
  };
  if (plain) {
    access.buffer = buffer;
    access.offset = [=, &emitter](OpBuilder &builder, Location loc,
                                  ValueRange batch, Value row,
                                  Value column) -> Value {
      EmitterCallback callback(emitter, builder);
      auto [bi, oi, ki] = bindPosition(loc, batch, row, column);
      ResolvedElement at =
          resolveElement(emitter.getSpace(), emitter.getShapes(), value,
                         indicesAt(bi, oi, ki));
      return emitter.materialize(emitter.getSpace().linearize(
          at.indices, emitter.getShapes().getShape(at.value)));
    };
  }
  // Makes what a row has computed before known to its elements.
  auto bindRow = [=](AffineExpr batch, AffineExpr outer, OpBuilder &builder,
                     Location loc, Value row) {
    if (rowValues)
      rowValues->bind(batch, outer,
                      KernelBuilder(builder, loc).rem(row, tileM));
  };
  // The elements at some lanes' indices, in the type that is multiplied.
  auto getElements = [=, &emitter](Location loc, ArrayRef<IndexVector> lanes) {
    OpBuilder &builder = emitter.getBuilder();
    Value source = value;
    SmallVector<IndexVector> sourceLanes(lanes);
    if (narrow)
      for (IndexVector &lane : sourceLanes) {
        ResolvedElement at = resolveElement(emitter.getSpace(),
                                            emitter.getShapes(), value, lane);
        source = at.value;
        lane = at.indices;
      }
    SmallVector<Value> elements = emitter.elements(source, sourceLanes);
    if (narrow)
      return elements;
    for (Value &element : elements) {
      if (bodyCast) {
        IRMapping mapping;
        mapping.map(bodyCast->getOperand(0), element);
        element = builder.clone(*bodyCast, mapping)->getResult(0);
      }
      // A narrow factor, or one that the body narrows.
      if (isNarrowFloat(element.getType()) &&
          element.getType() != access.elementType)
        element =
            arith::ExtFOp::create(builder, loc, access.elementType, element);
    }
    return elements;
  };
  access.load = [=, &emitter](OpBuilder &builder, Location loc,
                              ValueRange batch, Value row,
                              Value column) -> Value {
    EmitterCallback callback(emitter, builder);
    auto [bi, oi, ki] = bindPosition(loc, batch, row, column);
    bindRow(bi, oi, emitter.getBuilder(), loc, row);
    SmallVector<Value> elements = getElements(loc, indicesAt(bi, oi, ki));
    return elements.empty() ? Value() : elements.front();
  };
  if (plain || access.contiguous == OperandAccess::Contiguous::None)
    return access;
  bool isAlongK =
      (access.contiguous == OperandAccess::Contiguous::Column) == isA;
  access.loadVector = [=, &emitter](OpBuilder &builder, Location loc,
                                    ValueRange batch, Value row, Value column,
                                    int64_t width) -> Value {
    EmitterCallback callback(emitter, builder);
    OpBuilder &b = emitter.getBuilder();
    // The first position is a multiple of the width; loads of vectors follow.
    auto bindFirst = [&](Value position, AffineExpr size) {
      Value blocks = KernelBuilder(b, loc).div(position, width);
      return bindIndex(emitter, blocks,
                       emitter.getSpace().simplify(size.ceilDiv(width))) *
             width;
    };
    Value outerValue = getOuter(b, loc, row, column);
    Value kValue = isA ? column : row;
    AffineExpr bi = bindIndex(emitter, batch[0], batchSize);
    AffineExpr oi = isAlongK ? bindIndex(emitter, outerValue, outerSize)
                             : bindFirst(outerValue, outerSize);
    AffineExpr ki =
        isAlongK ? bindFirst(kValue, kSize) : bindIndex(emitter, kValue, kSize);
    bindRow(bi, oi, b, loc, row);
    SmallVector<IndexVector> lanes;
    for (int64_t lane = 0; lane < width; ++lane)
      lanes.push_back(isAlongK ? indicesAt(bi, oi, ki + lane)
                               : indicesAt(bi, oi + lane, ki));
    SmallVector<Value> elements = getElements(loc, lanes);
    if (elements.empty())
      return Value();
    return vector::FromElementsOp::create(
        b, loc, VectorType::get({width}, access.elementType), elements);
  };
  return access;
}
