//===- HeroOperands.h - Operands and results of heroes ----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What the kernels of contractions and attention share: finding the memory
// behind an operand, and the outputs behind a result.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_KERNELS_HEROOPERANDS_H
#define FUSION_KERNELS_HEROOPERANDS_H

#include "fusion/Analysis/ElementFlow.h"
#include "fusion/Kernels/GroupKernel.h"
#include "fusion/Kernels/OperandAccess.h"

namespace mlir::fusion {

/// pushToOutputs for the region and the outputs of `group`. Of an output that
/// is updated in place it is the element of what is inserted.
FailureOr<OutputFlow> pushToOutputs(IndexSpace &space, ShapeAnalysis &shapes,
                                    GroupOp group, ArrayRef<Value> heroResults,
                                    ArrayRef<AffineExpr> indices,
                                    ArrayRef<unsigned> columnDims = {});

/// Computes and stores elements of the group's outputs: for each output the
/// elements at the given lanes, of which there may be none. The lanes of an
/// update in place are those of what is inserted.
LogicalResult storeOutputs(GroupKernel &kernel,
                           ArrayRef<SmallVector<IndexVector>> outputLanes);

/// Makes the builder of the emitter stand where `builder` stands, for the time
/// of a callback.
class EmitterCallback {
public:
  EmitterCallback(ElementEmitter &emitter, OpBuilder &builder)
      : guard(emitter.getBuilder()), scope(emitter) {
    emitter.getBuilder().restoreInsertionPoint(builder.saveInsertionPoint());
  }

private:
  OpBuilder::InsertionGuard guard;
  ElementEmitter::Scope scope;
};

/// The value of a constant expression; nullopt for others.
std::optional<int64_t> toConstant(AffineExpr expr);

/// A dimension for `value` below `bound`, or a constant where it is one.
AffineExpr bindIndex(ElementEmitter &emitter, Value value, AffineExpr bound);

/// Expressions below `bound` for `first`, `first + 1`, ... (`width` of them).
/// Where `width` divides `bound`, `first` must be a multiple of it, and the
/// expressions show that they are neighbours of an aligned position.
SmallVector<AffineExpr> bindNeighbours(ElementEmitter &emitter, Value first,
                                       int64_t width, AffineExpr bound);

/// Whether the next index along `dim` is the next element, of elements that lie
/// at `offset`.
bool isContiguousAlong(IndexSpace &space, AffineExpr offset, AffineExpr dim);

/// To how many bytes, 16 at most, elements of `bytes` bytes are aligned whose
/// index along `dim` is that of a multiple of 16 bytes.
int64_t getAlignmentAlong(IndexSpace &space, AffineExpr offset, AffineExpr dim,
                          int64_t bytes);

} // namespace mlir::fusion

#endif // FUSION_KERNELS_HEROOPERANDS_H
