//===- FusionToGPU.cpp - Groups to kernels and launches -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Conversion/FusionToGPU.h"
#include "fusion/Conversion/ExcessPrecision.h"
#include "fusion/Conversion/Passes.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Kernels/GroupKernel.h"
#include "fusion/Kernels/HostIndex.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/Hashing.h"

namespace mlir::fusion {
#define GEN_PASS_DEF_CONVERTFUSIONTOGPU
#include "fusion/Conversion/Passes.h.inc"
} // namespace mlir::fusion

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// Where a kernel's parameter comes from: an operand of the group, or a
/// dimension of one.
struct Parameter {
  enum Kind { Buffer, Size, Scalar } kind;
  unsigned operand;
  unsigned dim = 0;
  /// For sizes and integer scalars: the symbol, if it is one.
  std::optional<unsigned> symbol;
};

struct Kernel {
  GroupOp group; // the first of its kind
  gpu::GPUFuncOp func;
  SmallVector<Parameter> parameters;
  GridBuilder grid;
  AffineMap cost;
};

class Converter {
public:
  Converter(ModuleOp module, const TargetInfo &target, bool exactRounding)
      : module(module), target(target), exactRounding(exactRounding),
        builder(module.getContext()) {}
  LogicalResult run();

private:
  FailureOr<Kernel *> getKernel(GroupOp group);
  LogicalResult buildKernel(GroupOp group, Kernel &kernel);
  LogicalResult launch(GroupOp group, Kernel &kernel);
  AffineMap estimateCost(GroupKernel &kernel, ArrayRef<Parameter> parameters);

  ModuleOp module;
  const TargetInfo &target;
  bool exactRounding;
  OpBuilder builder;
  gpu::GPUModuleOp kernels;
  llvm::DenseMap<llvm::hash_code, SmallVector<std::unique_ptr<Kernel>>> known;
  llvm::StringMap<unsigned> names;
};

} // namespace

/// A hash of what makes kernels differ.
static llvm::hash_code hashGroup(GroupOp group) {
  llvm::hash_code hash = llvm::hash_value(group.getOperands().size());
  group->walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

static bool areEqual(GroupOp a, GroupOp b) {
  if (a.getOperandTypes() != b.getOperandTypes() ||
      a->getAttrDictionary() != b->getAttrDictionary() ||
      a.getKind() != b.getKind() ||
      a.getScheduleAttr() != b.getScheduleAttr() ||
      a.getInputs().size() != b.getInputs().size())
    return false;
  return OperationEquivalence::isRegionEquivalentTo(
      &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

FailureOr<Kernel *> Converter::getKernel(GroupOp group) {
  auto &candidates = known[hashGroup(group)];
  for (auto &candidate : candidates)
    if (areEqual(candidate->group, group))
      return candidate.get();
  auto kernel = std::make_unique<Kernel>();
  if (failed(buildKernel(group, *kernel)))
    return failure();
  candidates.push_back(std::move(kernel));
  return candidates.back().get();
}

/// Whether the group reads elements of the argument, not just sizes.
static bool readsElements(BlockArgument argument) {
  return llvm::any_of(argument.getUsers(), [](Operation *user) {
    return !isa<tensor::DimOp>(user);
  });
}

AffineMap Converter::estimateCost(GroupKernel &kernel,
                                  ArrayRef<Parameter> parameters) {
  IndexSpace &space = kernel.getSpace();
  ShapeAnalysis &shapes = kernel.getShapes();
  GroupOp group = kernel.group;
  auto bytesOf = [](Type type) {
    return getMemoryBytes(getElementTypeOrSelf(type));
  };
  AffineExpr bytes = space.constant(0), flops = space.constant(0);
  for (auto [i, input] : llvm::enumerate(group.getInputs())) {
    BlockArgument argument = group.getInputArgument(i);
    if (!isa<RankedTensorType>(argument.getType()) || !readsElements(argument))
      continue;
    // What a gather or a slice does not touch is not moved.
    AffineExpr count = space.constant(0);
    for (Operation *user : argument.getUsers()) {
      if (isa<tensor::DimOp>(user))
        continue;
      AffineExpr touched = kernel.countElements(argument);
      if (isa<tensor::ExtractSliceOp>(user)) {
        touched = kernel.countElements(user->getResult(0));
      } else if (isa<tensor::ExtractOp>(user)) {
        if (auto op = user->getParentOfType<linalg::LinalgOp>())
          touched = op.getNumReductionLoops()
                        ? touched
                        : kernel.countElements(op->getResult(0));
        else
          touched = space.constant(1);
      }
      // Several users read the same elements, as far as anyone can tell.
      if (count == space.constant(0))
        count = touched;
      else if (count != touched)
        count = kernel.countElements(argument);
    }
    bytes = bytes + count * bytesOf(input.getType());
  }
  for (auto [i, output] : llvm::enumerate(group.getOutputs())) {
    std::optional<InPlaceUpdate> update = matchInPlaceUpdate(group, i);
    AffineExpr count = kernel.countElements(
        update ? update->source : Value(group.getOutputArgument(i)));
    bytes = bytes + count * bytesOf(output.getType());
  }
  group.walk([&](Operation *op) {
    auto fusible = dyn_cast<FusibleOpInterface>(op);
    if (!fusible)
      return;
    if (fusible.getFusionRole() == FusionRole::Contraction) {
      auto linalgOp = cast<linalg::LinalgOp>(op);
      AffineExpr count = kernel.countElements(op->getResult(0)) * 2;
      llvm::SmallBitVector counted(linalgOp.getNumLoops());
      for (OpOperand *operand : linalgOp.getDpsInputOperands())
        for (auto [dim, expr] : llvm::enumerate(
                 linalgOp.getMatchingIndexingMap(operand).getResults()))
          if (auto loop = dyn_cast<AffineDimExpr>(expr);
              loop && !counted.test(loop.getPosition()) &&
              linalgOp.getIteratorTypesArray()[loop.getPosition()] ==
                  utils::IteratorType::reduction) {
            counted.set(loop.getPosition());
            count = count * shapes.getDim(operand->get(), dim);
          }
      flops = flops + count;
    } else if (auto attention = dyn_cast<AttentionOp>(op)) {
      // Two products over queries, keys and widths.
      AffineExpr scores = space.constant(1), out = space.constant(1);
      SmallVector<AffineExpr> q = shapes.getShape(attention.getQuery()),
                              k = shapes.getShape(attention.getKey()),
                              o = shapes.getShape(attention.getOutputs()[0]);
      AffineExpr keys = space.constant(1);
      for (auto [size, expr] :
           llvm::zip_equal(k, attention.getKeyMap().getResults()))
        if (expr == getAffineDimExpr(attention.getKeyDim(), space.getContext()))
          keys = size;
      for (AffineExpr size : q)
        scores = scores * size;
      for (AffineExpr size : o)
        out = out * size;
      flops = flops + (scores + out) * keys * 2;
    }
  });
  bytes = space.simplify(bytes);
  flops = space.simplify(flops);
  // From the group's symbols to the launch's index operands.
  SmallVector<AffineExpr> replacements;
  for (unsigned symbol = 0; symbol < shapes.getNumSymbols(); ++symbol)
    replacements.push_back(space.constant(1));
  unsigned position = 0;
  for (const Parameter &parameter : parameters) {
    if (parameter.kind == Parameter::Buffer)
      continue;
    if (parameter.symbol && *parameter.symbol < replacements.size())
      replacements[*parameter.symbol] =
          getAffineSymbolExpr(position, space.getContext());
    ++position;
  }
  AffineExpr again = kernel.rereadBytes ? space.simplify(kernel.rereadBytes)
                                        : space.constant(0);
  SmallVector<AffineExpr> results{bytes, bytes, again, flops};
  for (AffineExpr &result : results)
    result = result.replaceSymbols(replacements);
  return AffineMap::get(0, position, results, space.getContext());
}

LogicalResult Converter::buildKernel(GroupOp group, Kernel &kernel) {
  MLIRContext *context = builder.getContext();
  Location loc = group.getLoc();
  kernel.group = group;
  ShapeAnalysis shapes(group);
  IndexSpace space(context);
  size_t numInputs = group.getInputs().size();
  Block &body = group.getBody().front();

  // The signature.
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> argumentAttrs;
  bool index32 = true;
  int64_t largest = 0;
  llvm::SmallDenseSet<unsigned> passed;
  auto add = [&](Parameter parameter, Type type) {
    kernel.parameters.push_back(parameter);
    types.push_back(type);
  };
  for (auto [i, argument] : llvm::enumerate(body.getArguments())) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    bool isOutput = i >= numInputs;
    if (isOutput || readsElements(argument)) {
      NamedAttrList attrs;
      attrs.set("llvm.noalias", builder.getUnitAttr());
      if (!isOutput)
        attrs.set("llvm.readonly", builder.getUnitAttr());
      argumentAttrs.push_back(attrs.getDictionary(context));
      add({Parameter::Buffer, static_cast<unsigned>(i), 0, std::nullopt},
          MemRefType::get({ShapedType::kDynamic}, type.getElementType()));
      if (type.hasStaticShape())
        largest = std::max(largest, type.getNumElements());
      else
        index32 = false;
    }
  }
  for (auto [i, argument] : llvm::enumerate(body.getArguments())) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      continue;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      auto symbol = dyn_cast<AffineSymbolExpr>(shapes.getDim(argument, dim));
      if (!symbol || !passed.insert(symbol.getPosition()).second)
        continue;
      add({Parameter::Size, static_cast<unsigned>(i),
           static_cast<unsigned>(dim), symbol.getPosition()},
          builder.getIndexType());
    }
  }
  for (auto [i, argument] : llvm::enumerate(body.getArguments())) {
    if (isa<RankedTensorType>(argument.getType()))
      continue;
    std::optional<unsigned> position;
    if (argument.getType().isIntOrIndex())
      if (auto symbol = dyn_cast<AffineSymbolExpr>(shapes.getScalar(argument)))
        position = symbol.getPosition();
    add({Parameter::Scalar, static_cast<unsigned>(i), 0, position},
        argument.getType());
  }
  index32 &= largest < (int64_t(1) << 31);

  // The function.
  std::string name = stringifyGroupKind(group.getKind()).str();
  name += "_" + std::to_string(names[name]++);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(kernels.getBody());
  ScheduleAttr schedule = group.getScheduleAttr();
  if (!schedule)
    schedule = chooseSchedule(group, target);
  auto func = gpu::GPUFuncOp::create(builder, loc, name,
                                     builder.getFunctionType(types, {}));
  func->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                builder.getUnitAttr());
  // Left alone, ptxas may spill a few registers to fit another block on a
  // multiprocessor; tiles and rows in registers only lose by that.
  if (target.isNVIDIA() && schedule.getStrategy() != Strategy::Generic)
    func->setAttr("nvvm.minctasm", builder.getI32IntegerAttr(1));
  if (index32)
    func->setAttr(kIndex32AttrName, builder.getUnitAttr());
  func.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(
      {static_cast<int32_t>(schedule.getThreads()), 1, 1}));
  for (auto [i, attrs] : llvm::enumerate(argumentAttrs))
    for (NamedAttribute attr : attrs)
      func.setArgAttr(i, attr.getName(), attr.getValue());
  for (auto [i, parameter] : llvm::enumerate(kernel.parameters)) {
    bool isOutput = parameter.operand >= numInputs;
    std::string argName =
        parameter.kind == Parameter::Buffer
            ? (isOutput ? "out" + std::to_string(parameter.operand - numInputs)
                        : "in" + std::to_string(parameter.operand))
            : (parameter.kind == Parameter::Size ? "size" : "scalar") +
                  std::to_string(i);
    func.setArgAttr(i, "fusion.name", builder.getStringAttr(argName));
  }
  kernel.func = func;
  builder.setInsertionPointToStart(&func.getBody().front());

  // The body.
  ElementEmitter emitter(builder, loc, space, shapes);
  GroupKernel building{group, func, target, emitter, {}, Value(), schedule, {}};
  for (auto [i, parameter] : llvm::enumerate(kernel.parameters)) {
    Value value = func.getBody().front().getArgument(i);
    BlockArgument argument = body.getArgument(parameter.operand);
    switch (parameter.kind) {
    case Parameter::Buffer:
      if (parameter.operand < numInputs)
        emitter.bindBuffer(argument, value);
      else {
        building.outputBuffers.push_back(value);
        // The old contents of an update in place.
        if (readsElements(argument))
          emitter.bindBuffer(argument, value);
      }
      break;
    case Parameter::Size:
      emitter.bindSize(argument, parameter.dim, value);
      break;
    case Parameter::Scalar:
      emitter.bindScalar(argument, value);
      break;
    }
  }
  building.blockIndex = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  for (auto check : body.getOps<cf::AssertOp>()) {
    Value condition = emitter.scalar(check.getArg());
    if (!condition)
      return failure();
    cf::AssertOp::create(builder, check.getLoc(), condition, check.getMsg());
  }
  FailureOr<GridBuilder> grid = buildGroupKernel(building);
  if (failed(grid))
    return failure();
  kernel.grid = *grid;
  builder.setInsertionPointToEnd(&func.getBody().front());
  gpu::ReturnOp::create(builder, loc);
  if (!exactRounding)
    dropIntermediateRoundings(func);
  kernel.cost = estimateCost(building, kernel.parameters);
  return success();
}

/// A one-dimensional view of a whole buffer.
static Value flatten(OpBuilder &builder, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  auto flat = MemRefType::get({ShapedType::kDynamic}, type.getElementType());
  Value count = arith::ConstantIndexOp::create(builder, loc, 1);
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value size = memref::DimOp::create(builder, loc, buffer, dim);
    count = builder.createOrFold<arith::MulIOp>(loc, count, size);
  }
  return memref::ReinterpretCastOp::create(
      builder, loc, flat, buffer, OpFoldResult(builder.getIndexAttr(0)),
      ArrayRef<OpFoldResult>{count},
      ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
}

LogicalResult Converter::launch(GroupOp group, Kernel &kernel) {
  Location loc = group.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(group);
  SmallVector<Value> operands;
  llvm::DenseMap<unsigned, Value> symbols;
  for (const Parameter &parameter : kernel.parameters) {
    Value operand = group->getOperand(parameter.operand);
    switch (parameter.kind) {
    case Parameter::Buffer:
      operands.push_back(flatten(builder, loc, operand));
      continue;
    case Parameter::Size:
      operand =
          builder.createOrFold<memref::DimOp>(loc, operand, parameter.dim);
      break;
    case Parameter::Scalar:
      break;
    }
    operands.push_back(operand);
    if (parameter.symbol) {
      if (!operand.getType().isIndex())
        operand = arith::IndexCastOp::create(builder, loc,
                                             builder.getIndexType(), operand);
      symbols.try_emplace(*parameter.symbol, operand);
    }
  }
  bool missing = false;
  auto getSymbol = [&](unsigned symbol) -> Value {
    if (Value value = symbols.lookup(symbol))
      return value;
    missing = true;
    return arith::ConstantIndexOp::create(builder, loc, 0);
  };
  auto materialize = [&](AffineExpr expr) {
    return buildHostIndex(builder, loc, expr, getSymbol);
  };
  Value blocks = kernel.grid(builder, loc, materialize);
  if (missing || !blocks)
    return group.emitError("the size of the grid depends on a size that the "
                           "host does not know");
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  ArrayRef<int32_t> block = *kernel.func.getKnownBlockSize();
  Value threads = arith::ConstantIndexOp::create(builder, loc, block[0]);
  auto launch = gpu::LaunchFuncOp::create(
      builder, loc, kernel.func, gpu::KernelDim3{blocks, one, one},
      gpu::KernelDim3{threads, one, one}, /*dynamicSharedMemorySize=*/Value(),
      operands);
  launch->setAttr(kKindAttrName,
                  builder.getStringAttr(stringifyGroupKind(group.getKind())));
  launch->setAttr(kCostAttrName, AffineMapAttr::get(kernel.cost));
  for (NamedAttribute attr : group->getDiscardableAttrs())
    launch->setAttr(attr.getName(), attr.getValue());
  return success();
}

LogicalResult Converter::run() {
  SmallVector<GroupOp> groups;
  module.walk([&](GroupOp group) { groups.push_back(group); });
  for (GroupOp group : groups)
    if (group.getNumResults())
      return group.emitError(
          "groups must be bufferized before they become kernels; run "
          "fusion-bufferize first");
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  builder.getUnitAttr());
  builder.setInsertionPointToEnd(module.getBody());
  kernels =
      gpu::GPUModuleOp::create(builder, module.getLoc(), kKernelModuleName);
  for (GroupOp group : groups) {
    FailureOr<Kernel *> kernel = getKernel(group);
    if (failed(kernel) || failed(launch(group, **kernel)))
      return failure();
  }
  for (GroupOp group : groups)
    group.erase();
  return success();
}

LogicalResult fusion::convertFusionToGPU(ModuleOp module,
                                         const TargetInfo &target,
                                         bool exactRounding) {
  return Converter(module, target, exactRounding).run();
}

namespace {
struct ConvertFusionToGPU
    : fusion::impl::ConvertFusionToGPUBase<ConvertFusionToGPU> {
  using Base::Base;
  void runOnOperation() override {
    auto attr = getOperation()->getAttrOfType<TargetAttr>(kTargetAttrName);
    StringRef name = target.empty() && attr ? attr.getDevice() : target;
    const TargetInfo *info = lookupTarget(name);
    if (!info) {
      getOperation().emitError("unknown target '")
          << name << "'; known are " << getTargetNames();
      return signalPassFailure();
    }
    getOperation()->setAttr(kTargetAttrName,
                            TargetAttr::get(&getContext(), name));
    if (failed(convertFusionToGPU(getOperation(), *info, exactRounding)))
      signalPassFailure();
  }
};
} // namespace
