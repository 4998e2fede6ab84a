//===- FormGroups.cpp - Greedy grouping -----------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/FormGroups.h"
#include "fusion/Analysis/ContractionLoops.h"
#include "fusion/Analysis/ElementFlow.h"
#include "fusion/Analysis/GroupGraph.h"
#include "fusion/Analysis/RowElements.h"
#include "fusion/Analysis/RowPrologue.h"
#include "fusion/Analysis/ShapeAnalysis.h"
#include "fusion/Interfaces/FusibleOpInterface.h"
#include "fusion/Kernels/Contraction.h"
#include "fusion/Target/TargetTable.h"
#include "fusion/Transforms/BuildGroups.h"
#include "fusion/Transforms/DuplicateGathers.h"
#include "fusion/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_FUSIONFORMGROUPS
#include "fusion/Transforms/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {
struct FormGroups : fusion::impl::FusionFormGroupsBase<FormGroups> {
  using Base::Base;
  void runOnOperation() override {
    std::optional<FusionLevel> parsed = parseFusionLevel(level);
    if (!parsed) {
      getOperation().emitError("unknown level '")
          << level << "'; use none, elementwise, pattern or attention";
      return signalPassFailure();
    }
    FormGroupsOptions options;
    options.level = *parsed;
    std::optional<FusionPreference> preference = parseFusionPreference(prefer);
    if (!preference) {
      getOperation().emitError("unknown preference '")
          << prefer << "'; use time or launches";
      return signalPassFailure();
    }
    options.prefer = *preference;
    if (!target.empty() && !(options.target = lookupTarget(target))) {
      getOperation().emitError("unknown target '")
          << target << "'; known are " << getTargetNames();
      return signalPassFailure();
    }
    if (failed(formGroups(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace

std::optional<FusionLevel> fusion::parseFusionLevel(StringRef name) {
  return llvm::StringSwitch<std::optional<FusionLevel>>(name)
      .Case("none", FusionLevel::None)
      .Case("elementwise", FusionLevel::Elementwise)
      .Case("pattern", FusionLevel::Pattern)
      .Case("attention", FusionLevel::Attention)
      .Default(std::nullopt);
}

std::optional<FusionPreference> fusion::parseFusionPreference(StringRef name) {
  return llvm::StringSwitch<std::optional<FusionPreference>>(name)
      .Case("time", FusionPreference::Time)
      .Case("launches", FusionPreference::Launches)
      .Default(std::nullopt);
}

namespace {

/// What the grouping knows of an operation.
FusionRole getRole(Operation *op) {
  if (auto fusible = dyn_cast<FusibleOpInterface>(op))
    return fusible.getFusionRole();
  return FusionRole::Barrier;
}

/// Loops that a reduction runs, by the sizes of its parallel and reduction
/// dimensions.
struct RowDomain {
  AffineExpr rows, columns;
  bool operator==(const RowDomain &other) const {
    return rows == other.rows && columns == other.columns;
  }
};

/// The greedy algorithm on one function.
class Grouping {
public:
  Grouping(func::FuncOp func, const FormGroupsOptions &options)
      : func(func), options(options), level(options.level),
        graph(func, /*copiesAreViews=*/level >= FusionLevel::Pattern),
        shapes(func), space(func.getContext()) {}

  LogicalResult run();

private:
  using GroupId = GroupGraph::GroupId;

  void joinProducers(Operation *node);
  bool tryJoin(Operation *node, GroupId producer);
  /// Whether one kernel computes the members of both well; `why` says if not.
  bool fits(ArrayRef<Operation *> members, Operation *joining, StringRef &why);
  bool fitsElementwise(ArrayRef<Operation *> members, Operation *joining,
                       StringRef &why);
  bool fitsRows(ArrayRef<Operation *> members, StringRef &why);
  bool fitsHero(ArrayRef<Operation *> members, StringRef &why);
  void mergeSiblings();
  void ejectFromEpilogues();
  void mergeEpilogues();
  void mergeFeeders();
  void foldNorms();
  bool canFoldNorm(GroupId norm, GroupId product, StringRef &why);
  bool paysToFoldNorm(GroupId norm, GroupId product);
  std::optional<GroupId> getOnlyReader(GroupId group);
  bool leavesFunction(Operation *node);
  GroupKind classify(ArrayRef<Operation *> members);

  AffineExpr countElements(Value tensor);
  std::optional<RowDomain> getRowDomain(Operation *op);
  /// The values that members read from outside, and those that others read.
  unsigned countBuffers(ArrayRef<Operation *> members);
  bool isUsedOutside(Value value, ArrayRef<Operation *> members);
  /// The operations between (and including) the members: them and the views.
  SmallVector<Operation *> withViews(ArrayRef<Operation *> members);
  Value getLeftOperand(Operation *contraction);
  /// Whether a value is memory before `members` run: an argument, or what a
  /// node beside them has computed.
  bool isMemory(Value value, ArrayRef<Operation *> members);

  func::FuncOp func;
  const FormGroupsOptions &options;
  FusionLevel level;
  GroupGraph graph;
  ShapeAnalysis shapes;
  IndexSpace space;
};

} // namespace

/// Metal binds 31 buffers, one of which holds the scalars.
static constexpr unsigned kMaxBuffers = 29;

AffineExpr Grouping::countElements(Value tensor) {
  AffineExpr count = space.constant(1);
  for (AffineExpr dim : shapes.getShape(tensor))
    count = count * dim;
  return space.simplify(count);
}

std::optional<RowDomain> Grouping::getRowDomain(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.getNumReductionLoops())
    return std::nullopt;
  SmallVector<AffineExpr> bounds = getLoopBounds(linalgOp, shapes);
  RowDomain domain{space.constant(1), space.constant(1)};
  for (auto [bound, type] :
       llvm::zip_equal(bounds, linalgOp.getIteratorTypesArray())) {
    if (!bound)
      return std::nullopt;
    AffineExpr &target =
        type == utils::IteratorType::reduction ? domain.columns : domain.rows;
    target = target * bound;
  }
  domain.rows = space.simplify(domain.rows);
  domain.columns = space.simplify(domain.columns);
  return domain;
}

bool Grouping::isUsedOutside(Value value, ArrayRef<Operation *> members) {
  for (Operation *user : value.getUsers()) {
    while (user->getBlock() != &func.getBody().front())
      user = user->getParentOp();
    if (llvm::is_contained(members, user) || isa<tensor::DimOp>(user))
      continue;
    if (graph.isNode(user) || user->hasTrait<OpTrait::IsTerminator>())
      return true;
    for (Value result : user->getResults())
      if (isUsedOutside(result, members))
        return true;
  }
  return false;
}

unsigned Grouping::countBuffers(ArrayRef<Operation *> members) {
  llvm::SetVector<Value> inputs;
  unsigned outputs = 0;
  for (Operation *member : members) {
    llvm::SetVector<Value> reads;
    member->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (operand.getParentBlock() == &func.getBody().front())
          collectNodeOperands(operand, graph, reads);
    });
    for (Value read : reads)
      if (!read.getDefiningOp() ||
          !llvm::is_contained(members, read.getDefiningOp()))
        inputs.insert(read);
    for (Value result : member->getResults())
      outputs += isUsedOutside(result, members);
  }
  return inputs.size() + outputs;
}

SmallVector<Operation *> Grouping::withViews(ArrayRef<Operation *> members) {
  // Views between members lie behind the first of them.
  SmallVector<Operation *> ops;
  llvm::SmallPtrSet<Operation *, 16> inside(members.begin(), members.end());
  for (Operation *op = members.front(); op; op = op->getNextNode()) {
    bool isView = !graph.isNode(op) && isa<FusibleOpInterface>(op) &&
                  llvm::any_of(op->getOperands(), [&](Value operand) {
                    return operand.getDefiningOp() &&
                           inside.contains(operand.getDefiningOp());
                  });
    if (isView)
      inside.insert(op);
    if (inside.contains(op))
      ops.push_back(op);
    if (op == members.back())
      break;
  }
  return ops;
}

Value Grouping::getLeftOperand(Operation *contraction) {
  return cast<linalg::LinalgOp>(contraction).getDpsInputOperand(0)->get();
}

bool Grouping::isMemory(Value value, ArrayRef<Operation *> members) {
  Operation *op = value.getDefiningOp();
  return !op || (graph.isNode(op) && !llvm::is_contained(members, op));
}

bool Grouping::fitsElementwise(ArrayRef<Operation *> members,
                               Operation *joining, StringRef &why) {
  // Every element of a producer is computed where it is used: not more often
  // than it was, unless it is an output anyway.
  AffineExpr count = countElements(joining->getResult(0));
  bool picks =
      isa<tensor::ConcatOp, tensor::PadOp, tensor::InsertSliceOp>(joining);
  for (Operation *producer : graph.getProducers(joining)) {
    if (!llvm::is_contained(members, producer))
      continue;
    AffineExpr produced = countElements(producer->getResult(0));
    AffineExpr difference = space.simplify(produced - count);
    auto constant = dyn_cast<AffineConstantExpr>(difference);
    bool fewer = difference == space.constant(0) ||
                 (constant && constant.getValue() >= 0) ||
                 produced == space.constant(1);
    if (!fewer && !picks) {
      why = "the consumer would compute elements of the producer again";
      return false;
    }
  }
  return true;
}

bool Grouping::fitsRows(ArrayRef<Operation *> members, StringRef &why) {
  // One space of rows and columns for all reductions; everything else is made
  // per row or per element.
  std::optional<RowDomain> domain;
  for (Operation *member : members) {
    if (getRole(member) != FusionRole::Reduction)
      continue;
    std::optional<RowDomain> other = getRowDomain(member);
    if (!other || (domain && !(*domain == *other))) {
      why = "reductions over different rows";
      return false;
    }
    domain = other;
  }
  AffineExpr all = space.simplify(domain->rows * domain->columns);
  for (Operation *member : members) {
    if (getRole(member) == FusionRole::Reduction)
      continue;
    AffineExpr count = countElements(member->getResult(0));
    if (count != all && count != domain->rows) {
      why = "its elements are neither those of the rows nor one per row";
      return false;
    }
  }
  // A value of the whole domain must meet the reductions at its own row: follow
  // an element of the first reduction's operand through the members.
  SmallVector<Operation *> ops = withViews(members);
  IndexSpace rowSpace(func.getContext());
  AffineExpr row = rowSpace.addDim(domain->rows);
  AffineExpr column = rowSpace.addDim(domain->columns);
  RowElements elements(rowSpace, shapes, row, column);
  SmallVector<Value> outputs;
  for (Operation *member : members)
    for (Value result : member->getResults())
      if (isUsedOutside(result, members))
        outputs.push_back(result);
  if (failed(elements.assign(ops, outputs))) {
    why = "an element needs the reductions of other rows";
    return false;
  }
  return true;
}

bool Grouping::fitsHero(ArrayRef<Operation *> members, StringRef &why) {
  SmallVector<Operation *> heroes;
  for (Operation *member : members) {
    FusionRole role = getRole(member);
    if (role == FusionRole::Contraction || role == FusionRole::Attention)
      heroes.push_back(member);
    else if (role != FusionRole::Elementwise && role != FusionRole::View &&
             role != FusionRole::Update) {
      why = "no epilogue can hold it";
      return false;
    }
  }
  // Work before the product would be done again for every tile; beside it,
  // where it meets the product element by element, it is done once.
  AffineExpr count = countElements(heroes.front()->getResult(0));
  llvm::SmallPtrSet<Operation *, 16> before;
  SmallVector<Operation *> worklist(heroes);
  while (!worklist.empty())
    for (Operation *producer : graph.getProducers(worklist.pop_back_val()))
      if (llvm::is_contained(members, producer) &&
          before.insert(producer).second)
        worklist.push_back(producer);
  llvm::SmallPtrSet<Operation *, 16> after(heroes.begin(), heroes.end());
  for (Operation *member : members) {
    for (Operation *producer : graph.getProducers(member))
      if (after.contains(producer) && llvm::is_contained(members, producer))
        after.insert(member);
    if (before.contains(member) && !after.contains(member)) {
      why = "it would be computed again for every tile of the product";
      return false;
    }
    if (!after.contains(member) &&
        (getRole(member) != FusionRole::Elementwise ||
         countElements(member->getResult(0)) != count)) {
      why = "its elements are not those of the product";
      return false;
    }
  }
  SmallVector<Value> results;
  for (Operation *hero : heroes) {
    if (hero->getNumResults() != 1) {
      why = "the hero has several results";
      return false;
    }
    results.push_back(hero->getResult(0));
  }
  if (heroes.size() > 1) {
    for (Operation *hero : heroes)
      if (getRole(hero) != FusionRole::Contraction) {
        why = "two heroes";
        return false;
      }
    auto first = cast<linalg::LinalgOp>(heroes.front());
    for (Operation *hero : heroes) {
      auto other = cast<linalg::LinalgOp>(hero);
      if (getLeftOperand(hero) != getLeftOperand(first) ||
          other.getIndexingMapsArray() != first.getIndexingMapsArray() ||
          hero->getResult(0).getType() != first->getResult(0).getType() ||
          other.getDpsInputOperand(1)->get().getType() !=
              first.getDpsInputOperand(1)->get().getType()) {
        why = "products of different shapes or left operands";
        return false;
      }
    }
  }
  // The epilogue must see each element of the product once, where it is.
  IndexSpace heroSpace(func.getContext());
  IndexVector indices;
  for (AffineExpr dim : shapes.getShape(results.front()))
    indices.push_back(heroSpace.simplify(heroSpace.addDim(dim)));
  SmallVector<Value> outputs;
  for (Operation *member : members)
    for (Value result : member->getResults()) {
      if (!isUsedOutside(result, members))
        continue;
      if (getRole(member) == FusionRole::Update) {
        // In place: what is inserted is all that the kernel writes.
        auto insert = dyn_cast<tensor::InsertSliceOp>(member);
        if (!insert || !isMemory(insert.getDest(), members)) {
          why = "it can not update its destination in place";
          return false;
        }
        result = insert.getSource();
      }
      outputs.push_back(result);
    }
  SmallVector<unsigned> columnDims;
  if (auto contraction = dyn_cast<linalg::LinalgOp>(heroes.front()))
    if (std::optional<ContractionLoops> loops =
            ContractionLoops::get(contraction))
      columnDims = loops->getColumnDims(contraction);
  FailureOr<OutputFlow> flow =
      pushToOutputs(heroSpace, shapes, withViews(members), outputs, results,
                    indices, columnDims);
  if (failed(flow)) {
    why = "it needs other elements of the product";
    return false;
  }
  if (!canTileColumns(flow->columns)) {
    why = "no tile of the product holds all the columns that it needs";
    return false;
  }
  for (const IndexVector &output : flow->outputs)
    if (output.empty() && !indices.empty()) {
      why = "an output does not depend on the product";
      return false;
    }
  return true;
}

bool Grouping::fits(ArrayRef<Operation *> members, Operation *joining,
                    StringRef &why) {
  bool hasReduction = false, hasHero = false;
  for (Operation *member : members) {
    FusionRole role = getRole(member);
    if (role == FusionRole::Barrier) {
      why = "a barrier";
      return false;
    }
    hasReduction |= role == FusionRole::Reduction;
    hasHero |= role == FusionRole::Contraction || role == FusionRole::Attention;
  }
  if (countBuffers(members) > kMaxBuffers) {
    why = "too many buffers for one kernel";
    return false;
  }
  if (hasHero) {
    // What a reduction reads stays with the reduction: the epilogue would write
    // it out in full.
    bool feedsReduction =
        getRole(joining) == FusionRole::Elementwise &&
        llvm::any_of(graph.getConsumers(joining), [](Operation *consumer) {
          return getRole(consumer) == FusionRole::Reduction;
        });
    if (feedsReduction && graph.getConsumers(joining).size() == 1) {
      why = "it belongs to the reduction that follows";
      return false;
    }
    if (level < FusionLevel::Pattern || hasReduction) {
      why = "a product takes no more at this level";
      return false;
    }
    return fitsHero(members, why);
  }
  if (!hasReduction)
    return fitsElementwise(members, joining, why);
  for (Operation *member : members)
    if (getRole(member) == FusionRole::Update ||
        isa<tensor::ConcatOp, tensor::PadOp>(member)) {
      why = "rows take no piecewise operations";
      return false;
    }
  if (level < FusionLevel::Pattern) {
    // One reduction, with what leads to it and what follows per row.
    unsigned reductions = 0;
    for (Operation *member : members)
      reductions += getRole(member) == FusionRole::Reduction;
    if (reductions > 1) {
      why = "several reductions make a pattern";
      return false;
    }
    Operation *reduction = *llvm::find_if(members, [](Operation *member) {
      return getRole(member) == FusionRole::Reduction;
    });
    std::optional<RowDomain> domain = getRowDomain(reduction);
    for (Operation *member : members) {
      if (member == reduction || !domain)
        continue;
      bool before = member->isBeforeInBlock(reduction);
      AffineExpr count = countElements(member->getResult(0));
      if (!before && count != domain->rows) {
        why = "what follows a reduction has more elements than it has rows";
        return false;
      }
      if (before && llvm::any_of(member->getResults(), [&](Value result) {
            return isUsedOutside(result, members);
          })) {
        why = "the reduction's operand is needed elsewhere";
        return false;
      }
    }
  }
  return fitsRows(members, why);
}

bool Grouping::tryJoin(Operation *node, GroupId producer) {
  GroupId own = graph.getGroup(node);
  if (own == producer)
    return false;
  if (!graph.canMerge(producer, own)) {
    node->emitRemark("fusion: not merged with a producer: a third group lies "
                     "between them");
    return false;
  }
  SmallVector<Operation *> members(graph.getMembers(producer));
  llvm::append_range(members, graph.getMembers(own));
  llvm::sort(members,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  StringRef why;
  if (!fits(members, node, why)) {
    node->emitRemark("fusion: not merged with a producer: ") << why;
    return false;
  }
  graph.merge(producer, own);
  node->emitRemark("fusion: merged with its producer");
  return true;
}

void Grouping::joinProducers(Operation *node) {
  switch (getRole(node)) {
  case FusionRole::Elementwise:
  case FusionRole::Reduction:
  case FusionRole::View:
  case FusionRole::Update:
    break;
  default:
    return;
  }
  // The last producer first: it is the one that the others feed.
  for (Operation *producer : llvm::reverse(graph.getProducers(node)))
    tryJoin(node, graph.getGroup(producer));
}

/// Products of one left operand whose results go separate ways: one launch.
void Grouping::mergeSiblings() {
  llvm::MapVector<Value, SmallVector<GroupId>> byLeft;
  for (GroupId group : graph.getGroups()) {
    Value left;
    bool single = true;
    for (Operation *member : graph.getMembers(group))
      if (getRole(member) == FusionRole::Contraction) {
        Value own = getLeftOperand(member);
        // What the left operand is a view of.
        llvm::SetVector<Value> behind;
        collectNodeOperands(own, graph, behind);
        Value root = behind.size() == 1 ? behind.front() : own;
        single &= !left || left == root;
        left = root;
      }
    if (left && single)
      byLeft[left].push_back(group);
  }
  auto signature = [&](GroupId group) {
    for (Operation *member : graph.getMembers(group))
      if (getRole(member) == FusionRole::Contraction) {
        auto op = cast<linalg::LinalgOp>(member);
        unsigned heroes =
            llvm::count_if(graph.getMembers(group), [](Operation *other) {
              return getRole(other) == FusionRole::Contraction;
            });
        return std::make_tuple(
            heroes, op.getNumLoops(), getLeftOperand(member).getType(),
            getElementTypeOrSelf(op.getDpsInputOperand(1)->get()),
            getElementTypeOrSelf(member->getResult(0)));
      }
    return std::make_tuple(0u, 0u, Type(), Type(), Type());
  };
  for (auto &[left, groups] : byLeft) {
    SmallVector<GroupId> single;
    for (GroupId group : groups)
      if (std::get<0>(signature(group)) == 1)
        single.push_back(group);
    if (single.size() < 2)
      continue;
    GroupId first = single.front();
    auto wanted = signature(first);
    for (GroupId other : ArrayRef<GroupId>(single).drop_front()) {
      Operation *hero = graph.getMembers(other).front();
      if (signature(other) != wanted) {
        hero->emitRemark("fusion: not merged with products of the same "
                         "operand: types or shapes differ");
        continue;
      }
      SmallVector<Operation *> members(graph.getMembers(first));
      llvm::append_range(members, graph.getMembers(other));
      llvm::sort(members, [](Operation *a, Operation *b) {
        return a->isBeforeInBlock(b);
      });
      if (!graph.canMerge(first, other) || graph.reaches(first, other) ||
          graph.reaches(other, first) || countBuffers(members) > kMaxBuffers) {
        hero->emitRemark("fusion: not merged with products of the same "
                         "operand: one depends on the other");
        continue;
      }
      graph.merge(first, other);
      hero->emitRemark("fusion: products of one operand share a launch");
    }
  }
}

/// An epilogue that writes both a value and something computed from it for one
/// and the same reader makes that reader read twice: the reader can compute it.
void Grouping::ejectFromEpilogues() {
  for (Operation *node : llvm::reverse(graph.getNodes())) {
    if (getRole(node) != FusionRole::Elementwise)
      continue;
    GroupId group = graph.getGroup(node);
    ArrayRef<Operation *> members = graph.getMembers(group);
    bool hasHero = llvm::any_of(members, [](Operation *member) {
      return getRole(member) == FusionRole::Contraction ||
             getRole(member) == FusionRole::Attention;
    });
    if (!hasHero)
      continue;
    // All readers are in one other group, which reads the producer, too.
    std::optional<GroupId> reader;
    bool single = true;
    for (Operation *consumer : graph.getConsumers(node)) {
      GroupId other = graph.getGroup(consumer);
      single &= other != group && (!reader || *reader == other);
      reader = other;
    }
    if (!single || !reader || leavesFunction(node))
      continue;
    bool readsProducer = false;
    for (Operation *producer : graph.getProducers(node))
      if (graph.getGroup(producer) == group)
        for (Operation *consumer : graph.getConsumers(producer))
          readsProducer |= graph.getGroup(consumer) == *reader;
    if (!readsProducer)
      continue;
    SmallVector<Operation *> joined(graph.getMembers(*reader));
    joined.push_back(node);
    llvm::sort(joined, [](Operation *x, Operation *y) {
      return x->isBeforeInBlock(y);
    });
    StringRef why;
    if (!fits(joined, node, why))
      continue;
    graph.move(node, *reader);
    node->emitRemark("fusion: moved from the epilogue to its reader");
  }
}

/// What mixes columns of one product's rows (the rotation of queries), or
/// updates a cache with them, becomes its epilogue.
void Grouping::mergeEpilogues() {
  for (GroupId group : graph.getGroups()) {
    bool isElementwise =
        llvm::all_of(graph.getMembers(group), [](Operation *member) {
          FusionRole role = getRole(member);
          return role == FusionRole::Elementwise || role == FusionRole::Update;
        });
    if (!isElementwise)
      continue;
    llvm::SmallSetVector<GroupId, 2> products;
    for (Operation *member : graph.getMembers(group))
      for (Operation *producer : graph.getProducers(member)) {
        GroupId other = graph.getGroup(producer);
        if (other != group &&
            llvm::any_of(graph.getMembers(other), [](Operation *operation) {
              return getRole(operation) == FusionRole::Contraction;
            }))
          products.insert(other);
      }
    for (GroupId product : products)
      if (tryJoin(graph.getMembers(group).front(), product))
        break;
  }
}

/// Element-wise groups that feed one product or attention, such as the
/// rotations of queries and keys and the updates of caches: one launch.
void Grouping::mergeFeeders() {
  auto isElementwise = [&](GroupId group) {
    return llvm::all_of(graph.getMembers(group), [](Operation *member) {
      FusionRole role = getRole(member);
      return role == FusionRole::Elementwise || role == FusionRole::Update;
    });
  };
  for (GroupId consumer : graph.getGroups()) {
    ArrayRef<Operation *> members = graph.getMembers(consumer);
    bool hasHero = llvm::any_of(members, [](Operation *member) {
      return getRole(member) == FusionRole::Contraction ||
             getRole(member) == FusionRole::Attention;
    });
    if (!hasHero)
      continue;
    llvm::SmallSetVector<GroupId, 4> feeders;
    for (Operation *member : members)
      for (Operation *producer : graph.getProducers(member)) {
        GroupId group = graph.getGroup(producer);
        // What feeds many is made early and once.
        llvm::SmallSetVector<GroupId, 4> readers;
        for (Operation *feeding : graph.getMembers(group))
          for (Operation *reader : graph.getConsumers(feeding))
            if (graph.getGroup(reader) != group)
              readers.insert(graph.getGroup(reader));
        if (group != consumer && isElementwise(group) && readers.size() == 1)
          feeders.insert(group);
      }
    if (feeders.size() < 2)
      continue;
    GroupId first = feeders.front();
    for (GroupId other : llvm::drop_begin(feeders)) {
      SmallVector<Operation *> joined(graph.getMembers(first));
      llvm::append_range(joined, graph.getMembers(other));
      if (graph.reaches(first, other) || graph.reaches(other, first) ||
          !graph.canMerge(first, other) || countBuffers(joined) > kMaxBuffers)
        continue;
      graph.merge(first, other);
      graph.getMembers(first).front()->emitRemark(
          "fusion: shares a launch with what feeds the same consumer");
    }
  }
}

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
  SmallVector<Operation *> members(graph.getMembers(norm));
  llvm::append_range(members, graph.getMembers(product));
  llvm::sort(members,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
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

bool Grouping::paysToFoldNorm(GroupId norm, GroupId product) {
  if (options.prefer == FusionPreference::Launches)
    return true;
  if (!options.target)
    return false;
  // Apart, the normalised rows are written and read, and a launch is waited
  // for. Together, every block reads its rows once more.
  double rows = 1, columns = 0, bytes = 0;
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
    bytes = rows * count(loops->k) * type.getIntOrFloatBitWidth() / 8;
  }
  double blocks =
      columns / (rows <= kSkinnyRows ? kSkinnyColumns : kTileColumns);
  double bandwidth = options.target->bandwidth;
  double saved =
      options.target->launchMicroseconds * 1e-6 + 2 * bytes / bandwidth;
  double spent = blocks * bytes / (kCacheFactor * bandwidth);
  graph.getMembers(norm).front()->emitRemark("fusion: folding the norm into "
                                             "its product saves ")
      << llvm::formatv("{0:f1}", saved * 1e6).str() << " us and costs "
      << llvm::formatv("{0:f1}", spent * 1e6).str() << " us";
  return spent < saved;
}

/// A norm that only products read: its reductions are done by each block for
/// its rows, before the products.
void Grouping::foldNorms() {
  for (GroupId group : graph.getGroups()) {
    ArrayRef<Operation *> members = graph.getMembers(group);
    bool hasReduction = false, isNorm = true;
    for (Operation *member : members) {
      FusionRole role = getRole(member);
      hasReduction |= role == FusionRole::Reduction;
      isNorm &=
          role == FusionRole::Reduction || role == FusionRole::Elementwise;
    }
    if (!hasReduction || !isNorm)
      continue;
    std::optional<GroupId> product = getOnlyReader(group);
    if (!product ||
        llvm::none_of(graph.getMembers(*product), [](Operation *member) {
          return getRole(member) == FusionRole::Contraction;
        }))
      continue;
    Operation *norm = members.front();
    StringRef why;
    if (!canFoldNorm(group, *product, why)) {
      norm->emitRemark("fusion: not folded into its product: ") << why;
      continue;
    }
    if (!paysToFoldNorm(group, *product))
      continue;
    graph.merge(*product, group);
    norm->emitRemark("fusion: folded into its product");
  }
}

bool Grouping::leavesFunction(Operation *node) {
  SmallVector<Operation *> worklist{node};
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val()->getUsers()) {
      if (user->hasTrait<OpTrait::IsTerminator>() &&
          user->getBlock() == &func.getBody().front())
        return true;
      if (user->getBlock() == &func.getBody().front() && !graph.isNode(user))
        worklist.push_back(user);
    }
  return false;
}

GroupKind Grouping::classify(ArrayRef<Operation *> members) {
  unsigned contractions = 0, reductions = 0;
  bool update = false, concat = false, exp = false, rsqrt = false;
  for (Operation *member : members) {
    switch (getRole(member)) {
    case FusionRole::Attention:
      return GroupKind::Attention;
    case FusionRole::Contraction:
      ++contractions;
      break;
    case FusionRole::Reduction:
      ++reductions;
      break;
    case FusionRole::Update:
      update = true;
      break;
    case FusionRole::Barrier:
      return GroupKind::Barrier;
    default:
      break;
    }
    concat |= isa<tensor::ConcatOp>(member);
    member->walk([&](Operation *op) {
      exp |= isa<math::ExpOp, math::Exp2Op>(op);
      rsqrt |= isa<math::RsqrtOp, math::SqrtOp>(op);
    });
  }
  if (contractions > 1) {
    // Meeting in one epilogue is an FFN's gate; going separate ways is QKV.
    llvm::DenseMap<Operation *, llvm::SmallPtrSet<Operation *, 2>> heroes;
    for (Operation *member : members) {
      if (getRole(member) == FusionRole::Contraction)
        heroes[member].insert(member);
      else
        for (Operation *producer : graph.getProducers(member))
          heroes[member].insert_range(
              llvm::SmallPtrSet<Operation *, 2>(heroes[producer]));
      if (heroes[member].size() > 1)
        return GroupKind::Ffn;
    }
    return GroupKind::Qkv;
  }
  if (contractions)
    return GroupKind::Contraction;
  if (reductions && exp)
    return GroupKind::Softmax;
  if (reductions && rsqrt)
    return GroupKind::Norm;
  if (reductions)
    return GroupKind::Reduction;
  if (update)
    return GroupKind::Update;
  if (concat && members.size() > 2)
    return GroupKind::Rope;
  return GroupKind::Elementwise;
}

/// Groups that depend on weights alone run once.
static void markPreparation(func::FuncOp func) {
  bool hasWeights = false;
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    hasWeights |= static_cast<bool>(func.getArgAttr(i, kConstantAttrName));
  if (!hasWeights)
    return;
  for (auto group : func.getBody().front().getOps<GroupOp>()) {
    bool constant = llvm::all_of(group.getInputs(), [&](Value input) {
      if (auto argument = dyn_cast<BlockArgument>(input))
        return static_cast<bool>(
            func.getArgAttr(argument.getArgNumber(), kConstantAttrName));
      auto producer = input.getDefiningOp<GroupOp>();
      return producer ? producer->hasAttr(kPrepareAttrName)
                      : matchPattern(input, m_Constant());
    });
    // An update in place would have to be done again.
    constant &= llvm::all_of(group.getOutputs(), [](Value output) {
      return output.getDefiningOp<tensor::EmptyOp>() ||
             output.getDefiningOp<tensor::CastOp>();
    });
    constant &= llvm::none_of(group->getUsers(), [](Operation *user) {
      return user->hasTrait<OpTrait::IsTerminator>();
    });
    if (!constant)
      continue;
    group->setAttr(kPrepareAttrName, UnitAttr::get(func.getContext()));
    group.emitRemark("fusion: depends on weights alone: runs once");
  }
}

LogicalResult Grouping::run() {
  if (level != FusionLevel::None) {
    for (Operation *node : graph.getNodes())
      joinProducers(node);
    if (level >= FusionLevel::Pattern) {
      ejectFromEpilogues();
      mergeEpilogues();
      mergeSiblings();
      mergeFeeders();
      foldNorms();
    }
  }
  if (failed(buildGroups(func, graph, [&](GroupId group) {
        return classify(graph.getMembers(group));
      })))
    return failure();
  markPreparation(func);
  return success();
}

LogicalResult fusion::formGroups(func::FuncOp func,
                                 const FormGroupsOptions &options) {
  if (func.isExternal())
    return success();
  if (!func.getBody().hasOneBlock())
    return func.emitError("a graph must have one block; unstructured control "
                          "flow has no kernel");
  if (options.level >= FusionLevel::Pattern)
    duplicateGathers(func);
  return Grouping(func, options).run();
}
