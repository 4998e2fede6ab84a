//===- GroupKernel.h - The kernel of a group --------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A kernel template turns the outputs of a group into code. All templates get
// the same context and return how many blocks they need; the conversion to gpu
// makes the function around them and the launch.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_KERNELS_GROUPKERNEL_H
#define FUSION_KERNELS_GROUPKERNEL_H

#include "fusion/IR/Fusion.h"
#include "fusion/Kernels/ElementEmitter.h"
#include "fusion/Target/TargetTable.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <functional>

namespace mlir::fusion {

struct GroupKernel {
  GroupOp group;
  gpu::GPUFuncOp func;
  const TargetInfo &target;
  ElementEmitter &emitter;
  /// The memrefs that the outputs are stored to, one for each yielded value.
  SmallVector<Value> outputBuffers;
  /// The index of this block, an index below the number of blocks that the
  /// template returns.
  Value blockIndex;
  /// The schedule to follow.
  ScheduleAttr schedule;
  /// Set by templates: bytes that the kernel reads again because the device's
  /// cache does not hold them until then, of the symbols of the group's sizes;
  /// null for none.
  AffineExpr rereadBytes;

  OpBuilder &getBuilder() { return emitter.getBuilder(); }
  Location getLoc() { return group.getLoc(); }
  IndexSpace &getSpace() { return emitter.getSpace(); }
  ShapeAnalysis &getShapes() { return emitter.getShapes(); }

  /// The index of the thread in its block.
  Value threadIndex();
  /// The number of elements of `tensor`.
  AffineExpr countElements(Value tensor);
  /// Stores `values` at the index vectors `lanes` of output `output`: as
  /// vectors where the lanes are neighbours in memory and the address allows.
  LogicalResult store(unsigned output, ArrayRef<IndexVector> lanes,
                      ArrayRef<Value> values);
};

/// An output that is written only in part: the yielded value inserts `source`
/// into the output's old contents, which stay where they are.
struct InPlaceUpdate {
  Value source;
  SmallVector<OpFoldResult> offsets, strides;
  llvm::SmallBitVector droppedDims;

  /// Where the element of the source at `indices` goes in the output.
  IndexVector getPlace(IndexSpace &space, ShapeAnalysis &shapes,
                       ArrayRef<AffineExpr> indices) const;
};
/// The update that output `output` of `group` is, if it is one.
std::optional<InPlaceUpdate> matchInPlaceUpdate(GroupOp group, unsigned output);

/// Computes, on the host, the number of blocks of a kernel: `materialize` gives
/// the value of an expression of the symbols of the group's ShapeAnalysis.
using GridBuilder =
    std::function<Value(OpBuilder &builder, Location loc,
                        llvm::function_ref<Value(AffineExpr)> materialize)>;

/// One thread for each element (or few neighbours) of the outputs; reductions
/// are loops in the thread. Computes whatever the element emitter can.
FailureOr<GridBuilder> buildGenericKernel(GroupKernel &kernel);

/// The tiled kernel of one or several contractions with what stands before and
/// after them.
FailureOr<GridBuilder> buildContractionKernel(GroupKernel &kernel);
/// The schedule of a group of contractions; nullopt if the template cannot
/// compute the group.
std::optional<ScheduleAttr>
chooseContractionGroupSchedule(GroupOp group, const TargetInfo &target);

/// The FlashAttention kernel of a group that holds one attention.
FailureOr<GridBuilder> buildAttentionKernel(GroupKernel &kernel);
/// The schedule of an attention group; nullopt if there is no attention in it.
std::optional<ScheduleAttr>
chooseAttentionGroupSchedule(GroupOp group, const TargetInfo &target);

/// Rows: softmax, norms and reductions along the last dimension.
FailureOr<GridBuilder> buildRowKernel(GroupKernel &kernel);
/// The schedule of a group of row reductions; nullopt if the template cannot
/// compute the group.
std::optional<ScheduleAttr> chooseRowGroupSchedule(GroupOp group,
                                                   const TargetInfo &target);

/// The template that `kernel.schedule` names.
FailureOr<GridBuilder> buildGroupKernel(GroupKernel &kernel);

/// The schedule of a group for a target: the best template that can compute
/// it. `shapes` must belong to the group.
ScheduleAttr chooseSchedule(GroupOp group, const TargetInfo &target);

} // namespace mlir::fusion

#endif // FUSION_KERNELS_GROUPKERNEL_H
