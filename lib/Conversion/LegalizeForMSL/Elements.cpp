//===- Elements.cpp - A vector as a list of scalars, lazily ---------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

/// The most elements that a vector has in MSL.
static constexpr int64_t maxVectorSize = 4;

SmallVector<Type> fusion::getVectorPieces(VectorType type) {
  Type element = type.getElementType();
  int64_t left = type.getNumElements();
  if (element.isInteger(1))
    return SmallVector<Type>(left, element);
  SmallVector<Type> pieces;
  for (; left > 0; left -= maxVectorSize) {
    int64_t size = std::min(left, maxVectorSize);
    pieces.push_back(size == 1 ? element : VectorType::get(size, element));
  }
  return pieces;
}

SmallVector<VectorElement> fusion::getElements(ValueRange pieces) {
  SmallVector<VectorElement> elements;
  for (Value piece : pieces) {
    auto type = dyn_cast<VectorType>(piece.getType());
    if (!type) {
      elements.push_back({piece});
      continue;
    }
    for (int64_t i = 0, e = type.getNumElements(); i < e; ++i)
      elements.push_back({piece, i});
  }
  return elements;
}

Value fusion::materialize(OpBuilder &builder, Location loc,
                          VectorElement element) {
  if (element.position < 0)
    return element.source;
  return vector::ExtractOp::create(builder, loc, element.source,
                                   element.position);
}

SmallVector<Value> fusion::packElements(OpBuilder &builder, Location loc,
                                        ArrayRef<VectorElement> elements,
                                        VectorType type) {
  SmallVector<Value> pieces;
  for (Type pieceType : getVectorPieces(type)) {
    auto vectorType = dyn_cast<VectorType>(pieceType);
    int64_t size = vectorType ? vectorType.getNumElements() : 1;
    ArrayRef<VectorElement> part = elements.take_front(size);
    elements = elements.drop_front(size);
    if (!vectorType) {
      pieces.push_back(materialize(builder, loc, part.front()));
      continue;
    }
    Value whole = part.front().source;
    bool inOrder = whole.getType() == vectorType;
    for (auto [i, element] : llvm::enumerate(part))
      inOrder &= element.source == whole && element.position == int64_t(i);
    if (inOrder) {
      pieces.push_back(whole);
      continue;
    }
    SmallVector<Value> scalars;
    for (VectorElement element : part)
      scalars.push_back(materialize(builder, loc, element));
    bool isSplat = llvm::all_equal(scalars);
    pieces.push_back(isSplat ? vector::BroadcastOp::create(
                                   builder, loc, vectorType, scalars.front())
                                   .getResult()
                             : vector::FromElementsOp::create(
                                   builder, loc, vectorType, scalars)
                                   .getResult());
  }
  return pieces;
}
