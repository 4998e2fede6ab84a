//===- BuildGroups.cpp - From a partition to fusion.group -----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Transforms/BuildGroups.h"
#include "fusion/Analysis/ShapeAnalysis.h"
#include "fusion/Interfaces/FusibleOpInterface.h"
#include "fusion/Kernels/HostIndex.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Builds the groups of one function.
class GroupBuilder {
public:
  GroupBuilder(func::FuncOp func, GroupGraph &graph)
      : func(func), graph(graph), shapes(func), builder(func.getContext()) {
    for (BlockArgument argument : func.getArguments())
      if (isa<RankedTensorType>(argument.getType()))
        for (auto [dim, size] : llvm::enumerate(shapes.getShape(argument)))
          if (!isa<AffineConstantExpr>(size))
            argumentSizes.try_emplace(size, argument, dim);
  }

  LogicalResult run(function_ref<GroupKind(GroupGraph::GroupId)> kindOf);

private:
  LogicalResult build(GroupGraph::GroupId group, GroupKind kind);
  /// The value inside the group that is being built; copies what is needed.
  Value inside(Value value);
  /// A size inside that group: one of an argument, or computed from its
  /// symbols; null if one of them has no value.
  Value insideSize(AffineExpr expr, Location loc);
  Value addInput(Value value);
  /// Sizes of `tensor` in terms of the function's arguments and host scalars.
  FailureOr<SmallVector<OpFoldResult>> hostShape(Value tensor, Location loc);
  /// The size of an argument that is `expr`; null if none is.
  Value hostArgumentSize(AffineExpr expr);
  /// The host's value of a symbol: the size of an argument, or a scalar.
  Value hostSymbol(unsigned symbol);
  Value hostIndex(AffineExpr expr, Location loc);
  /// The host's value of a scalar that is part of an argument's size, but no
  /// size itself; null for others.
  Value hostFactor(Value scalar);
  /// Whether the scalar can be computed without a device tensor's contents.
  bool isHostScalar(Value value);
  void moveHostChecks();

  func::FuncOp func;
  GroupGraph &graph;
  ShapeAnalysis shapes;
  OpBuilder builder;

  /// Arguments and their dimensions by their sizes, as far as these are
  /// dynamic.
  llvm::DenseMap<AffineExpr, std::pair<BlockArgument, int64_t>> argumentSizes;
  llvm::DenseMap<AffineExpr, Value> hostSizes;
  /// Results of nodes in the new program.
  IRMapping replaced;
  llvm::DenseMap<Value, bool> hostScalars;
  llvm::DenseMap<unsigned, Value> hostSymbols;

  // State of the group that is being built.
  Block *body = nullptr;
  IRMapping mapping;
  SmallVector<Value> inputs;
  llvm::DenseMap<Value, Value> inputArguments;
  bool insideFailed = false;
};

} // namespace

bool GroupBuilder::isHostScalar(Value value) {
  if (isa<RankedTensorType>(value.getType()))
    return false;
  Operation *def = value.getDefiningOp();
  if (!def)
    return true;
  if (isa<tensor::DimOp>(def))
    return true;
  auto [it, inserted] = hostScalars.try_emplace(value, false);
  if (!inserted)
    return it->second;
  bool host = def->getNumRegions() == 0 && isMemoryEffectFree(def) &&
              !isa<tensor::ExtractOp>(def) &&
              llvm::all_of(def->getOperands(), [&](Value operand) {
                return isHostScalar(operand);
              });
  return hostScalars[value] = host;
}

Value GroupBuilder::hostArgumentSize(AffineExpr expr) {
  auto found = argumentSizes.find(expr);
  if (found == argumentSizes.end())
    return nullptr;
  Value &size = hostSizes[expr];
  if (!size) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&func.getBody().front());
    auto [argument, dim] = found->second;
    size = tensor::DimOp::create(builder, func.getLoc(), argument, dim);
  }
  return size;
}

Value GroupBuilder::hostSymbol(unsigned symbol) {
  if (Value size =
          hostArgumentSize(getAffineSymbolExpr(symbol, func.getContext())))
    return size;
  if (Value known = hostSymbols.lookup(symbol))
    return known;
  Block *entry = &func.getBody().front();
  OpBuilder::InsertionGuard guard(builder);
  for (const ShapeAnalysis::Size &size : shapes.getSizes(symbol)) {
    Value result = size.value;
    if (size.dim >= 0 || result.getParentBlock() != entry ||
        result.getDefiningOp<tensor::DimOp>() || !isHostScalar(result))
      continue;
    builder.setInsertionPointAfterValue(result);
    if (!result.getType().isIndex())
      result = arith::IndexCastOp::create(builder, func.getLoc(),
                                          builder.getIndexType(), result);
    return hostSymbols[symbol] = result;
  }
  return nullptr;
}

Value GroupBuilder::hostIndex(AffineExpr expr, Location loc) {
  if (Value size = hostArgumentSize(expr))
    return size;
  for (unsigned i = 0, e = shapes.getNumSymbols(); i < e; ++i)
    if (expr.isFunctionOfSymbol(i) && !hostSymbol(i))
      return nullptr;
  return buildHostIndex(builder, loc, expr,
                        [&](unsigned symbol) { return hostSymbol(symbol); });
}

FailureOr<SmallVector<OpFoldResult>> GroupBuilder::hostShape(Value tensor,
                                                             Location loc) {
  SmallVector<OpFoldResult> sizes;
  for (AffineExpr dim : shapes.getShape(tensor)) {
    if (auto constant = dyn_cast<AffineConstantExpr>(dim)) {
      sizes.push_back(builder.getIndexAttr(constant.getValue()));
      continue;
    }
    Value value = hostIndex(dim, loc);
    if (!value)
      return emitError(loc)
             << "a dynamic size of this result is not a function "
                "of the sizes of the arguments; make it one";
    sizes.push_back(value);
  }
  return sizes;
}

Value GroupBuilder::addInput(Value value) {
  if (Value known = inputArguments.lookup(value))
    return known;
  BlockArgument argument =
      body->insertArgument(inputs.size(), value.getType(), value.getLoc());
  inputs.push_back(value);
  return inputArguments[value] = argument;
}

Value GroupBuilder::hostFactor(Value scalar) {
  if (!scalar.getType().isIndex() || !isHostScalar(scalar))
    return nullptr;
  auto symbol = dyn_cast_or_null<AffineSymbolExpr>(shapes.getScalar(scalar));
  if (!symbol || argumentSizes.contains(symbol))
    return nullptr;
  bool isFactor = llvm::any_of(argumentSizes, [&](const auto &entry) {
    return entry.first.isFunctionOfSymbol(symbol.getPosition());
  });
  return isFactor ? hostSymbol(symbol.getPosition()) : nullptr;
}

Value GroupBuilder::insideSize(AffineExpr expr, Location loc) {
  if (!expr)
    return nullptr;
  if (auto found = argumentSizes.find(expr); found != argumentSizes.end()) {
    auto [argument, dim] = found->second;
    return tensor::DimOp::create(builder, loc, addInput(argument), dim);
  }
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    // The host computes a scalar.
    Value scalar = hostSymbol(symbol.getPosition());
    return scalar ? addInput(scalar) : nullptr;
  }
  SmallVector<Value> symbols(shapes.getNumSymbols());
  for (auto [i, symbol] : llvm::enumerate(symbols))
    if (expr.isFunctionOfSymbol(i) &&
        !(symbol = insideSize(getAffineSymbolExpr(i, expr.getContext()), loc)))
      return nullptr;
  return buildHostIndex(builder, loc, expr,
                        [&](unsigned symbol) { return symbols[symbol]; });
}

Value GroupBuilder::inside(Value value) {
  if (Value mapped = mapping.lookupOrNull(value))
    return mapped;
  Operation *def = value.getDefiningOp();
  // Arguments, and results of nodes that other groups hold.
  if (!def || def->getBlock() != &func.getBody().front())
    return addInput(value);
  if (graph.isNode(def)) {
    Value result = replaced.lookupOrNull(value);
    if (!result) {
      def->emitError("fusion: dependence on a group that comes later");
      insideFailed = true;
      return addInput(value);
    }
    return addInput(result);
  }
  // A constant table is memory.
  if (auto fusible = dyn_cast<FusibleOpInterface>(def);
      fusible && isa<RankedTensorType>(value.getType()) &&
      fusible.getFusionRole() == FusionRole::Barrier)
    return addInput(value);
  // A size: from those of the arguments where that is possible, so that the
  // group does not depend on a tensor for its shape alone.
  if (isa<tensor::DimOp>(def))
    if (Value size = insideSize(shapes.getScalar(value), def->getLoc())) {
      mapping.map(value, size);
      return size;
    }
  // A scalar that sizes of arguments are multiples of: inside the group it
  // could only be computed from those sizes, which depend on it.
  if (Value factor = hostFactor(value))
    return addInput(factor);
  SmallVector<Value> outer;
  def->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands())
      if (Operation *owner = operand.getDefiningOp();
          owner ? !def->isAncestor(owner)
                : !def->isAncestor(operand.getParentBlock()->getParentOp()))
        outer.push_back(operand);
  });
  for (Value operand : outer)
    mapping.map(operand, inside(operand));
  builder.clone(*def, mapping);
  return mapping.lookup(value);
}

/// The operand of an update that it writes into.
static OpOperand &getDestination(OpResult update) {
  Operation *op = update.getOwner();
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    return *dps.getTiedOpOperand(update);
  return cast<tensor::InsertSliceOp>(op).getDestMutable();
}

LogicalResult GroupBuilder::build(GroupGraph::GroupId group, GroupKind kind) {
  ArrayRef<Operation *> members = graph.getMembers(group);
  llvm::SmallPtrSet<Operation *, 8> memberSet(members.begin(), members.end());
  // A view may stand between two members: values that leave the group are those
  // that a non-member needs, through views or not.
  std::function<bool(Value, unsigned)> escapes = [&](Value value,
                                                     unsigned depth) -> bool {
    for (Operation *user : value.getUsers()) {
      while (user->getBlock() != &func.getBody().front())
        user = user->getParentOp();
      if (memberSet.contains(user))
        continue;
      if (isa<tensor::DimOp>(user))
        continue;
      if (graph.isNode(user) || user->hasTrait<OpTrait::IsTerminator>() ||
          depth > 64)
        return true;
      for (Value result : user->getResults())
        if (escapes(result, depth + 1))
          return true;
    }
    return false;
  };
  SmallVector<Value> results;
  for (Operation *member : members)
    for (Value result : member->getResults())
      if (isa<RankedTensorType>(result.getType()) && escapes(result, 0))
        results.push_back(result);
  if (results.empty())
    return success(); // Dead.

  Location loc = members.back()->getLoc();
  auto staging = std::make_unique<Block>();
  body = staging.get();
  mapping = IRMapping();
  inputs.clear();
  inputArguments.clear();
  SmallVector<Value> outputs;
  // Results that are updates in place, with the outputs that they write into.
  SmallVector<std::pair<OpResult, BlockArgument>> updates;
  OpBuilder::InsertionGuard guard(builder);
  for (Value result : results) {
    Value destination;
    if (auto fusible = dyn_cast<FusibleOpInterface>(result.getDefiningOp());
        fusible && fusible.getFusionRole() == FusionRole::Update) {
      Value target = getDestination(cast<OpResult>(result)).get();
      destination =
          target.getDefiningOp() ? replaced.lookupOrNull(target) : target;
    }
    bool isUpdate = static_cast<bool>(destination);
    if (!destination) {
      FailureOr<SmallVector<OpFoldResult>> sizes = hostShape(result, loc);
      if (failed(sizes))
        return failure();
      destination = tensor::EmptyOp::create(
          builder, loc, *sizes,
          cast<RankedTensorType>(result.getType()).getElementType());
      // The static type must match the node's.
      if (destination.getType() != result.getType())
        destination =
            tensor::CastOp::create(builder, loc, result.getType(), destination);
    }
    outputs.push_back(destination);
    BlockArgument argument =
        body->addArgument(result.getType(), result.getLoc());
    if (isUpdate)
      updates.emplace_back(cast<OpResult>(result), argument);
  }
  builder.setInsertionPointToEnd(body);
  for (Operation *member : members) {
    SmallVector<Value> outer;
    member->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands()) {
        Operation *owner = operand.getDefiningOp();
        bool isInner =
            owner ? member->isProperAncestor(owner)
                  : member->isAncestor(operand.getParentBlock()->getParentOp());
        if (!isInner)
          outer.push_back(operand);
      }
    });
    for (Value operand : outer)
      mapping.map(operand, inside(operand));
    builder.clone(*member, mapping);
  }
  // An update writes into its own output. Whatever else reads the destination
  // sees it as it was, through an input, which bufferization will keep apart.
  for (auto [update, argument] : updates)
    getDestination(cast<OpResult>(mapping.lookup<Value>(update))).set(argument);
  SmallVector<Value> yielded;
  for (Value result : results)
    yielded.push_back(mapping.lookup(result));
  YieldOp::create(builder, loc, yielded);
  if (insideFailed)
    return failure();

  builder.setInsertionPoint(func.getBody().front().getTerminator());
  auto op = GroupOp::create(builder, loc, inputs, outputs, kind);
  op.getBody().getBlocks().clear();
  op.getBody().push_back(staging.release());
  for (auto [result, replacement] : llvm::zip_equal(results, op.getResults()))
    replaced.map(result, replacement);
  return success();
}

/// Checks of contents (a position within a cache) move into the first group
/// that reads them: the host does not see them.
void GroupBuilder::moveHostChecks() {
  SmallVector<cf::AssertOp> checks;
  for (auto check : func.getBody().front().getOps<cf::AssertOp>())
    if (!isHostScalar(check.getArg()))
      checks.push_back(check);
  for (cf::AssertOp check : checks) {
    llvm::SetVector<Value> tensors;
    std::function<void(Value)> collect = [&](Value value) {
      if (isa<RankedTensorType>(value.getType())) {
        tensors.insert(value);
        return;
      }
      if (Operation *def = value.getDefiningOp())
        for (Value operand : def->getOperands())
          collect(operand);
    };
    collect(check.getArg());
    for (auto group : func.getBody().front().getOps<GroupOp>()) {
      bool holdsAll = llvm::all_of(tensors, [&](Value tensor) {
        return llvm::is_contained(group.getInputs(), tensor);
      });
      if (!holdsAll || tensors.empty())
        continue;
      // Copy the scalar computation to the start of the group.
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&group.getBody().front());
      IRMapping local;
      for (auto [i, input] : llvm::enumerate(group.getInputs()))
        local.map(input, group.getInputArgument(i));
      std::function<void(Value)> copy = [&](Value value) {
        if (local.contains(value))
          return;
        Operation *def = value.getDefiningOp();
        for (Value operand : def->getOperands())
          copy(operand);
        builder.clone(*def, local);
      };
      copy(check.getArg());
      builder.clone(*check, local);
      break;
    }
    check.erase();
  }
}

LogicalResult
GroupBuilder::run(function_ref<GroupKind(GroupGraph::GroupId)> kindOf) {
  if (!func.getBody().hasOneBlock())
    return func.emitError("a graph must have one block; unstructured control "
                          "flow has no kernel");
  Operation *terminator = func.getBody().front().getTerminator();
  builder.setInsertionPoint(terminator);
  for (GroupGraph::GroupId group : graph.getTopologicalOrder())
    if (failed(build(group, kindOf(group))))
      return failure();
  for (OpOperand &operand : terminator->getOpOperands())
    if (Value result = replaced.lookupOrNull(operand.get()))
      operand.set(result);
  moveHostChecks();
  // Host checks and shapes may still name nodes for their sizes.
  SmallVector<tensor::DimOp> dims(
      func.getBody().front().getOps<tensor::DimOp>());
  for (tensor::DimOp dim : dims) {
    if (isa<BlockArgument>(dim.getSource()))
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(dim);
    Value size = hostIndex(shapes.getScalar(dim.getResult()), dim.getLoc());
    if (!size || size == dim.getResult())
      continue;
    dim.replaceAllUsesWith(size);
    dim.erase();
  }
  // The old nodes and the views between them are dead; erase from the back.
  SmallVector<Operation *> ops;
  for (Operation &op : func.getBody().front())
    ops.push_back(&op);
  for (Operation *op : llvm::reverse(ops)) {
    if (isa<GroupOp>(op) || op->hasTrait<OpTrait::IsTerminator>() ||
        !op->use_empty())
      continue;
    if (graph.isNode(op) || isMemoryEffectFree(op))
      op->erase();
  }
  return success();
}

LogicalResult
fusion::buildGroups(func::FuncOp func, GroupGraph &graph,
                    function_ref<GroupKind(GroupGraph::GroupId)> kindOf) {
  return GroupBuilder(func, graph).run(kindOf);
}
