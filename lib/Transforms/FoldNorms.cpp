//===- FoldNorms.cpp - Norms that become part of a product ----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grouping.h"
#include "fusion/Analysis/ContractionLoops.h"
#include "fusion/Analysis/ElementFlow.h"
#include "fusion/Analysis/RowPrologue.h"
#include "fusion/Target/TargetTable.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fusion;

std::optional<Grouping::GroupId> Grouping::getOnlyReader(GroupId group) {
  std::optional<GroupId> reader;
  for (Operation *member : graph.getMembers(group)) {
    if (leavesFunction(member))
      return std::nullopt;
    for (Operation *consumer : graph.getConsumers(member)) {
      GroupId other = graph.getGroup(consumer);
      if (other == group)
        continue;
      if (reader && *reader != other)
        return std::nullopt;
      reader = other;
    }
  }
  return reader;
}

bool Grouping::canFoldNorm(GroupId norm, GroupId product, StringRef &why) {
  SmallVector<Operation *> members = getUnion(norm, product);
  if (!graph.canMerge(norm, product)) {
    why = "a third group lies between them";
    return false;
  }
  if (countBuffers(members) > kMaxBuffers) {
    why = "too many buffers for one kernel";
    return false;
  }
  llvm::SmallPtrSet<Operation *, 16> normOps;
  for (Operation *member : graph.getMembers(norm))
    normOps.insert(member);
  // Only left operands may need it.
  SmallVector<Operation *> ops = withViews(members);
  for (Operation *member : graph.getMembers(product)) {
    auto contraction = dyn_cast<linalg::LinalgOp>(member);
    bool isHero = getRole(member) == FusionRole::Contraction;
    member->walk([&](Operation *nested) {
      for (OpOperand &operand : nested->getOpOperands()) {
        if (isHero && nested == member &&
            &operand == contraction.getDpsInputOperand(0))
          continue;
        llvm::SetVector<Value> behind;
        if (isa<RankedTensorType>(operand.get().getType()))
          collectNodeOperands(operand.get(), graph, behind);
        if (llvm::any_of(behind, [&](Value value) {
              return normOps.contains(value.getDefiningOp());
            }))
          why = "more than the left operand of a product needs it";
      }
    });
    if (!why.empty())
      return false;
    if (!isHero)
      continue;
    std::optional<ContractionLoops> loops = ContractionLoops::get(contraction);
    SmallVector<AffineExpr> bounds = getLoopBounds(contraction, shapes);
    if (!loops || llvm::is_contained(bounds, AffineExpr())) {
      why = "its reader is no product of matrices";
      return false;
    }
    IndexSpace rowSpace(func.getContext());
    MatrixRows rows = getLeftRows(rowSpace, contraction, *loops, bounds).rows;
    FailureOr<RowPrologue> prologue = findRowPrologue(
        rowSpace, shapes, ops, contraction.getDpsInputOperand(0)->get(), rows);
    if (failed(prologue) ||
        !llvm::all_of(prologue->reductions, canReduceRows)) {
      why = "its reductions do not run over the product's rows";
      return false;
    }
  }
  return true;
}

/// What a dynamic size is taken to be, and how much faster than memory a cache
/// serves blocks that read the same rows.
static constexpr int64_t kAssumedSize = 2048;
static constexpr double kCacheFactor = 4.0;
/// Columns that a block of a product computes: of many rows, and of few.
static constexpr int64_t kTileColumns = 128, kSkinnyColumns = 8;
static constexpr int64_t kSkinnyRows = 4;
/// Instructions that normalise an element on its way to the matrix unit, in
/// place of an asynchronous copy.
static constexpr double kElementCost = 5.0;

bool Grouping::paysToFoldNorm(GroupId norm, GroupId product,
                              std::string &cost) {
  if (options.prefer == FusionPreference::Launches)
    return true;
  if (!options.target) {
    cost = "without a target nothing says that it pays";
    return false;
  }
  // Apart, the normalised rows are written and read, and a launch is waited
  // for. Together, every block reads its rows once more.
  double rows = 1, columns = 0, elements = 0, bytes = 0;
  for (Operation *member : graph.getMembers(product)) {
    if (getRole(member) != FusionRole::Contraction)
      continue;
    auto contraction = cast<linalg::LinalgOp>(member);
    std::optional<ContractionLoops> loops = ContractionLoops::get(contraction);
    SmallVector<AffineExpr> bounds = getLoopBounds(contraction, shapes);
    auto count = [&](ArrayRef<unsigned> dims) {
      auto size =
          dyn_cast<AffineConstantExpr>(countIterations(space, dims, bounds));
      return static_cast<double>(size ? size.getValue() : kAssumedSize);
    };
    rows = count(loops->batch) * count(loops->m);
    columns += count(loops->n);
    Type type = getElementTypeOrSelf(
        contraction.getDpsInputOperand(0)->get().getType());
    elements = rows * count(loops->k);
    bytes = elements * type.getIntOrFloatBitWidth() / 8;
  }
  double blocks =
      columns / (rows <= kSkinnyRows ? kSkinnyColumns : kTileColumns);
  double bandwidth = options.target->bandwidth;
  double saved =
      options.target->launchMicroseconds * 1e-6 + 2 * bytes / bandwidth;
  double spent = blocks * bytes / (kCacheFactor * bandwidth);
  if (rows > kSkinnyRows)
    spent += blocks * elements * kElementCost / options.target->scalarFlops;
  cost = llvm::formatv("it saves {0:f1} us and costs {1:f1} us", saved * 1e6,
                       spent * 1e6)
             .str();
  return spent < saved;
}

bool Grouping::isNorm(GroupId group) {
  return hasRole(group, FusionRole::Reduction) &&
         hasOnly(group, {FusionRole::Reduction, FusionRole::Elementwise});
}

/// A norm that only products read: its reductions are done by each block for
/// its rows, before the products.
void Grouping::foldNorms() {
  for (GroupId group : graph.getGroups()) {
    if (!isNorm(group))
      continue;
    std::optional<GroupId> product = getOnlyReader(group);
    if (!product || !hasRole(*product, FusionRole::Contraction))
      continue;
    Operation *norm = graph.getMembers(group).front();
    StringRef why;
    if (!canFoldNorm(group, *product, why)) {
      norm->emitRemark("fusion: not folded into its product: ") << why;
      continue;
    }
    std::string cost;
    if (!paysToFoldNorm(group, *product, cost)) {
      norm->emitRemark("fusion: not folded into its product: ") << cost;
      continue;
    }
    graph.merge(*product, group);
    norm->emitRemark("fusion: folded into its product")
        << (cost.empty() ? "" : ": ") << cost;
  }
}
