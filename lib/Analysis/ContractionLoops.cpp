//===- ContractionLoops.cpp - The loops of a contraction ------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/ContractionLoops.h"
#include "fusion/Analysis/ElementFlow.h"

using namespace mlir;
using namespace mlir::fusion;

std::optional<ContractionLoops> ContractionLoops::get(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return std::nullopt;
  AffineMap a = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  AffineMap b = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  AffineMap c = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto uses = [](AffineMap map, unsigned dim) {
    return llvm::is_contained(map.getResults(),
                              getAffineDimExpr(dim, map.getContext()));
  };
  for (AffineMap map : {a, b, c})
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return std::nullopt;
  ContractionLoops loops;
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
    bool inA = uses(a, dim), inB = uses(b, dim), inC = uses(c, dim);
    if (inA && inB && inC)
      loops.batch.push_back(dim);
    else if (inA && inC && !inB)
      loops.m.push_back(dim);
    else if (inB && inC && !inA)
      loops.n.push_back(dim);
    else if (inA && inB && !inC)
      loops.k.push_back(dim);
    else
      return std::nullopt;
  }
  return loops;
}

SmallVector<unsigned>
ContractionLoops::getColumnDims(linalg::LinalgOp op) const {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<unsigned> dims;
  for (unsigned loop : n)
    if (std::optional<unsigned> dim =
            map.getResultPosition(getAffineDimExpr(loop, map.getContext())))
      dims.push_back(*dim);
  return dims;
}

bool fusion::isNarrowFloat(Type type) {
  return isa<Float16Type, BFloat16Type>(type);
}

ContractionTypes fusion::getContractionTypes(linalg::LinalgOp op,
                                             IndexSpace &space,
                                             ShapeAnalysis &shapes) {
  ContractionTypes types;
  Type result = getElementTypeOrSelf(op->getResult(0).getType());
  types.sum =
      isNarrowFloat(result) ? Float32Type::get(op->getContext()) : result;
  types.operand = types.sum;
  SmallVector<Type, 2> stored;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    IndexVector any(cast<ShapedType>(operand->get().getType()).getRank(),
                    space.constant(0));
    ResolvedElement resolved =
        resolveElement(space, shapes, operand->get(), any);
    stored.push_back(getElementTypeOrSelf(resolved.value.getType()));
  }
  if (types.sum.isF32() && stored.size() == 2 && stored[0] == stored[1] &&
      isNarrowFloat(stored[0]))
    types.operand = stored[0];
  return types;
}

AffineExpr fusion::countIterations(IndexSpace &space, ArrayRef<unsigned> dims,
                                   ArrayRef<AffineExpr> bounds) {
  AffineExpr size = space.constant(1);
  for (unsigned dim : dims)
    size = size * bounds[dim];
  return space.simplify(size);
}

void fusion::setLoops(IndexSpace &space, ArrayRef<unsigned> dims,
                      ArrayRef<AffineExpr> bounds, AffineExpr linear,
                      IndexVector &loops) {
  SmallVector<AffineExpr> shape;
  for (unsigned dim : dims)
    shape.push_back(bounds[dim]);
  if (shape.empty())
    return;
  for (auto [dim, index] :
       llvm::zip_equal(dims, space.delinearize(linear, shape)))
    loops[dim] = index;
}
