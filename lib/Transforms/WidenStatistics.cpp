//===- WidenStatistics.cpp - Row statistics in f32 ------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An exporter writes out a norm of bf16 as sum, quotient, sum and root of bf16,
// each of which it would round if each were a kernel. The framework that it
// came from computes them in one kernel, in f32. A statistic is one number
// where a row has many: two bytes more of each cost nothing beside the row, and
// the error of a row's every element is gone.
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/WidenStatistics.h"
#include "fusion/Analysis/ShapeAnalysis.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_FUSIONWIDENSTATISTICS
#include "fusion/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {
struct WidenStatistics
    : fusion::impl::FusionWidenStatisticsBase<WidenStatistics> {
  void runOnOperation() override { widenStatistics(getOperation()); }
};

/// Finds the statistics of a function.
class Statistics {
public:
  explicit Statistics(func::FuncOp func) : shapes(func) {}

  /// Whether `result` is a statistic that can be stored in another type than
  /// the graph's. Asked for producers before their readers.
  bool check(OpResult result);

private:
  AffineExpr countElements(Value tensor);
  bool isPerRow(OpResult result);

  ShapeAnalysis shapes;
  llvm::DenseSet<Value> found;
};
} // namespace

/// Rows shorter than this are too short for what is computed of one to cost
/// nothing beside it.
static constexpr int64_t kMinRow = 16;

static bool isNarrow(Type type) {
  return isa<Float16Type, BFloat16Type>(getElementTypeOrSelf(type));
}

AffineExpr Statistics::countElements(Value tensor) {
  AffineExpr count = getAffineConstantExpr(1, tensor.getContext());
  for (AffineExpr size : shapes.getShape(tensor))
    count = count * size;
  return count;
}

/// Whether a group that computes a reduction yields one element for each row,
/// or an element-wise group one for each statistic that it reads.
bool Statistics::isPerRow(OpResult result) {
  auto group = cast<GroupOp>(result.getOwner());
  AffineExpr count = countElements(result);
  for (Value input : group.getInputs())
    if (group.getKind() == GroupKind::Elementwise && found.contains(input) &&
        countElements(input) == count)
      return true;
  for (auto op : group.getBody().getOps<linalg::LinalgOp>()) {
    int64_t row = 1;
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    for (auto [range, type] : llvm::zip(ranges, op.getIteratorTypesArray()))
      if (type == utils::IteratorType::reduction)
        row *= ShapedType::isDynamic(range) ? kMinRow : range;
    if (row >= kMinRow && countElements(op->getResult(0)) == count)
      return true;
  }
  return false;
}

/// Whether the group multiplies matrices, by templates that copy narrow
/// operands as they are.
static bool isProduct(GroupOp group) {
  switch (group.getKind()) {
  case GroupKind::Contraction:
  case GroupKind::Qkv:
  case GroupKind::Ffn:
  case GroupKind::Attention:
    return true;
  default:
    return false;
  }
}

bool Statistics::check(OpResult result) {
  auto group = cast<GroupOp>(result.getOwner());
  // The contents of an update have the graph's type, and so has a result.
  if (!isNarrow(result.getType()) || isProduct(group) ||
      !group.getOutputArgument(result.getResultNumber()).use_empty())
    return false;
  bool onlyRead = llvm::all_of(result.getUses(), [](OpOperand &use) {
    if (auto reader = dyn_cast<GroupOp>(use.getOwner()))
      return !isProduct(reader) &&
             use.getOperandNumber() < reader.getInputs().size();
    return isa<tensor::DimOp>(use.getOwner());
  });
  return onlyRead && isPerRow(result) && found.insert(result).second;
}

/// A tensor with the elements of `tensor`, of another float type.
static Value convert(OpBuilder &builder, Location loc, Value tensor,
                     Type element) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value init = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, tensor), element);
  AffineMap map = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  bool wider = element.getIntOrFloatBitWidth() >
               type.getElementType().getIntOrFloatBitWidth();
  auto generic = linalg::GenericOp::create(
      builder, loc, init.getType(), tensor, init, ArrayRef{map, map}, iterators,
      [&](OpBuilder &body, Location, ValueRange arguments) {
        Value in = arguments.front();
        Value out = wider ? Value(arith::ExtFOp::create(body, loc, element, in))
                          : arith::TruncFOp::create(body, loc, element, in);
        linalg::YieldOp::create(body, loc, out);
      });
  return generic.getResult(0);
}

/// Stores the result as f32: its group extends it, its readers round it where
/// the graph has rounded it, which excess precision drops again.
static void widen(OpResult result) {
  auto group = cast<GroupOp>(result.getOwner());
  Location loc = group.getLoc();
  Type narrow = cast<RankedTensorType>(result.getType()).getElementType();
  OpBuilder builder(group);
  Type f32 = builder.getF32Type();
  RankedTensorType wide = cast<RankedTensorType>(result.getType()).clone(f32);
  unsigned index = result.getResultNumber();
  Value init = group.getOutputs()[index];
  Value start = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, init), f32);
  if (start.getType() != wide)
    start = tensor::CastOp::create(builder, loc, wide, start);
  group.getOutputsMutable()[index].set(start);
  group.getOutputArgument(index).setType(wide);
  Operation *yield = group.getBody().front().getTerminator();
  builder.setInsertionPoint(yield);
  yield->setOperand(index,
                    convert(builder, loc, yield->getOperand(index), f32));
  result.setType(wide);
  for (OpOperand &use : result.getUses()) {
    auto reader = dyn_cast<GroupOp>(use.getOwner());
    if (!reader)
      continue;
    BlockArgument argument = reader.getInputArgument(use.getOperandNumber());
    argument.setType(result.getType());
    builder.setInsertionPointToStart(&reader.getBody().front());
    SmallVector<OpOperand *> readers;
    for (OpOperand &inner : argument.getUses())
      if (!isa<tensor::DimOp>(inner.getOwner()))
        readers.push_back(&inner);
    if (readers.empty())
      continue;
    Value rounded = convert(builder, loc, argument, narrow);
    for (OpOperand *inner : readers)
      inner->set(rounded);
  }
}

void fusion::widenStatistics(func::FuncOp func) {
  if (func.isExternal() || !func.getBody().hasOneBlock())
    return;
  SmallVector<OpResult> results;
  Statistics statistics(func);
  for (auto group : func.getBody().front().getOps<GroupOp>())
    for (OpResult result : group->getResults())
      if (statistics.check(result))
        results.push_back(result);
  for (OpResult result : results)
    widen(result);
}
