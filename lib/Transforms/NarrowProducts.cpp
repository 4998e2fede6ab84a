//===- NarrowProducts.cpp - Products of which a slice is used -------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's patterns move a slice above any structured operation. Only what
// ends at a product is moved here: elsewhere a slice costs nothing, and the
// forms in which softmax and rotations are written stay as they are.
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/NarrowProducts.h"
#include "fusion/Interfaces/FusibleOpInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::fusion;

/// Whether `value`, which nothing else reads, is computed from a product by
/// element-wise operations and reshapes.
static bool isMadeOfProduct(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse())
    return false;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return isMadeOfProduct(op->getOperand(0));
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || op->getNumResults() != 1)
    return false;
  if (cast<FusibleOpInterface>(op).getFusionRole() == FusionRole::Contraction)
    return true;
  return !linalgOp.getNumReductionLoops() &&
         llvm::any_of(linalgOp.getDpsInputs(), isMadeOfProduct);
}

/// Upstream's patterns want slices that keep their dimensions: drops them in a
/// reshape.
static tensor::ExtractSliceOp keepDimensions(tensor::ExtractSliceOp slice) {
  if (slice.getDroppedDims().none())
    return slice;
  RankedTensorType type = tensor::ExtractSliceOp::inferResultType(
      slice.getSourceType(), slice.getStaticSizes());
  std::optional<SmallVector<ReassociationIndices>> reassociation =
      getReassociationIndicesForCollapse(type.getShape(),
                                         slice.getType().getShape());
  if (!reassociation)
    return slice;
  OpBuilder builder(slice);
  auto whole = tensor::ExtractSliceOp::create(
      builder, slice.getLoc(), type, slice.getSource(), slice.getMixedOffsets(),
      slice.getMixedSizes(), slice.getMixedStrides());
  slice.replaceAllUsesWith(
      tensor::CollapseShapeOp::create(builder, slice.getLoc(), slice.getType(),
                                      whole, *reassociation)
          .getResult());
  slice.erase();
  return whole;
}

LogicalResult fusion::narrowProducts(ModuleOp module) {
  RewritePatternSet list(module.getContext());
  linalg::populateBubbleUpExtractSliceOpPatterns(list);
  tensor::populateBubbleUpExtractSliceOpPatterns(list);
  FrozenRewritePatternSet patterns(std::move(list));
  // No other slice moves.
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  // A slice passes one operation at a time: until that is erased, the next has
  // two readers.
  for (bool changed = true; changed;) {
    SmallVector<tensor::ExtractSliceOp> found;
    module.walk([&](tensor::ExtractSliceOp slice) {
      if (isMadeOfProduct(slice.getSource()))
        found.push_back(slice);
    });
    SmallVector<Operation *> slices(llvm::map_range(found, keepDimensions));
    if (slices.empty())
      break;
    if (failed(applyOpPatternsGreedily(slices, patterns, config, &changed)))
      return module.emitError("moving slices above products did not converge");
    module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isOpTriviallyDead(op))
        op->erase();
    });
  }
  return success();
}
