//===- BuildLaunchPlan.cpp - From host IR to the launch plan --------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Target/BuildLaunchPlan.h"
#include "fusion/Conversion/FusionToGPU.h"
#include "fusion/IR/Fusion.h"
#include "fusion/Target/PlanJSON.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

/// The bytes of a constant as they lie in memory, or nothing if it has none.
static std::optional<std::vector<char>> getConstantData(Attribute value) {
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return std::nullopt;
    ArrayRef<char> bytes = blob->getData();
    return std::vector<char>(bytes.begin(), bytes.end());
  }
  auto dense = dyn_cast_or_null<DenseElementsAttr>(value);
  if (!dense)
    return std::nullopt;
  std::vector<char> data;
  if (dense.getElementType().isInteger(1)) {
    for (bool bit : dense.getValues<bool>())
      data.push_back(bit);
    return data;
  }
  ArrayRef<char> raw = dense.getRawData();
  for (int64_t i = 0, e = dense.isSplat() ? dense.getNumElements() : 1; i < e;
       ++i)
    data.insert(data.end(), raw.begin(), raw.end());
  return data;
}

namespace {

std::string spell(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

class PlanBuilder {
public:
  explicit PlanBuilder(ModuleOp module) : module(module), symbols(module) {}
  FailureOr<LaunchPlan> run();

private:
  ScalarId add(PlanScalar scalar);
  ScalarId constant(int64_t value);
  ScalarId binary(PlanScalar::Kind kind, ScalarId lhs, ScalarId rhs);
  ScalarId product(ArrayRef<ScalarId> factors, int64_t scale);
  FailureOr<ScalarId> scalarOf(Value value);
  FailureOr<SmallVector<ScalarId>> scalarsOf(ValueRange values);
  FailureOr<ScalarId> evaluate(AffineExpr expr, ArrayRef<ScalarId> operands);
  LogicalResult visit(Operation *op);
  LogicalResult visitLaunch(gpu::LaunchFuncOp launch);
  FailureOr<BufferId> bufferOf(Value value);
  void addDependencies(PlanStep &step, ArrayRef<BufferId> reads,
                       ArrayRef<BufferId> writes);

  /// A memref of the host program: its buffer, and the sizes of its dimensions.
  struct Memory {
    BufferId buffer;
    SmallVector<ScalarId> shape;
  };
  Memory makeBuffer(PlanBuffer buffer, MemRefType type,
                    ArrayRef<ScalarId> shape);

  ModuleOp module;
  SymbolTable symbols;
  LaunchPlan plan;
  func::FuncOp entry;
  llvm::DenseMap<Value, Memory> memories;
  llvm::DenseMap<Value, ScalarId> scalars;
  llvm::DenseMap<int64_t, ScalarId> constants;
  llvm::StringMap<uint32_t> kernelIds;
  llvm::DenseMap<Value, unsigned> results; // returned allocations
  struct Access {
    std::optional<uint32_t> writer;
    SmallVector<uint32_t> readers;
    bool born = false;
  };
  std::vector<Access> accesses; // per buffer
};

ScalarId PlanBuilder::add(PlanScalar scalar) {
  plan.scalars.push_back(std::move(scalar));
  return plan.scalars.size() - 1;
}

ScalarId PlanBuilder::constant(int64_t value) {
  auto [it, inserted] = constants.try_emplace(value, 0);
  if (inserted) {
    PlanScalar scalar;
    scalar.value = value;
    it->second = add(scalar);
  }
  return it->second;
}

ScalarId PlanBuilder::binary(PlanScalar::Kind kind, ScalarId lhs,
                             ScalarId rhs) {
  const PlanScalar &l = plan.scalars[lhs], &r = plan.scalars[rhs];
  bool known = l.kind == PlanScalar::Kind::Constant &&
               r.kind == PlanScalar::Kind::Constant;
  if (known && kind == PlanScalar::Kind::Mul)
    return constant(l.value * r.value);
  if (known && kind == PlanScalar::Kind::Add)
    return constant(l.value + r.value);
  PlanScalar scalar;
  scalar.kind = kind;
  scalar.operands = {lhs, rhs};
  return add(scalar);
}

ScalarId PlanBuilder::product(ArrayRef<ScalarId> factors, int64_t scale) {
  ScalarId result = constant(scale);
  for (ScalarId factor : factors)
    result = binary(PlanScalar::Kind::Mul, result, factor);
  return result;
}

PlanBuilder::Memory PlanBuilder::makeBuffer(PlanBuffer buffer, MemRefType type,
                                            ArrayRef<ScalarId> shape) {
  buffer.element = spell(type.getElementType());
  buffer.bytes = product(shape, getMemoryBytes(type.getElementType()));
  plan.buffers.push_back(std::move(buffer));
  accesses.emplace_back();
  return {static_cast<BufferId>(plan.buffers.size() - 1),
          SmallVector<ScalarId>(shape)};
}

FailureOr<SmallVector<ScalarId>> PlanBuilder::scalarsOf(ValueRange values) {
  SmallVector<ScalarId> ids;
  for (Value value : values) {
    FailureOr<ScalarId> id = scalarOf(value);
    if (failed(id))
      return failure();
    ids.push_back(*id);
  }
  return ids;
}

FailureOr<ScalarId> PlanBuilder::scalarOf(Value value) {
  if (auto it = scalars.find(value); it != scalars.end())
    return it->second;
  return emitError(value.getLoc(), "the host cannot compute this value");
}

FailureOr<BufferId> PlanBuilder::bufferOf(Value value) {
  auto it = memories.find(value);
  if (it == memories.end())
    return emitError(value.getLoc(), "the host does not know this buffer");
  return it->second.buffer;
}

FailureOr<ScalarId> PlanBuilder::evaluate(AffineExpr expr,
                                          ArrayRef<ScalarId> operands) {
  if (auto value = dyn_cast<AffineConstantExpr>(expr))
    return constant(value.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[symbol.getPosition()];
  auto operation = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!operation)
    return failure();
  FailureOr<ScalarId> lhs = evaluate(operation.getLHS(), operands),
                      rhs = evaluate(operation.getRHS(), operands);
  if (failed(lhs) || failed(rhs))
    return failure();
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return binary(PlanScalar::Kind::Add, *lhs, *rhs);
  case AffineExprKind::Mul:
    return binary(PlanScalar::Kind::Mul, *lhs, *rhs);
  case AffineExprKind::FloorDiv:
    return binary(PlanScalar::Kind::FloorDiv, *lhs, *rhs);
  case AffineExprKind::CeilDiv:
    return binary(PlanScalar::Kind::CeilDiv, *lhs, *rhs);
  default:
    return binary(PlanScalar::Kind::Mod, *lhs, *rhs);
  }
}

/// Records which earlier steps a step must follow: the writer of what it reads,
/// and the users of what it overwrites, also through memory that the arena
/// gave to another buffer before.
void PlanBuilder::addDependencies(PlanStep &step, ArrayRef<BufferId> reads,
                                  ArrayRef<BufferId> writes) {
  uint32_t self = plan.steps.size();
  llvm::SmallSetVector<uint32_t, 8> before;
  for (BufferId buffer : reads) {
    if (accesses[buffer].writer)
      before.insert(*accesses[buffer].writer);
    accesses[buffer].readers.push_back(self);
  }
  auto follow = [&](BufferId buffer) {
    Access &access = accesses[buffer];
    if (access.writer && *access.writer != self)
      before.insert(*access.writer);
    for (uint32_t reader : access.readers)
      if (reader != self)
        before.insert(reader);
  };
  auto range =
      [&](BufferId buffer) -> std::optional<std::pair<int64_t, int64_t>> {
    const PlanScalar &offset = plan.scalars[plan.buffers[buffer].offset];
    const PlanScalar &bytes = plan.scalars[plan.buffers[buffer].bytes];
    if (offset.kind != PlanScalar::Kind::Constant ||
        bytes.kind != PlanScalar::Kind::Constant)
      return std::nullopt;
    return std::make_pair(offset.value, offset.value + bytes.value);
  };
  for (BufferId buffer : writes) {
    follow(buffer);
    if (!accesses[buffer].born &&
        plan.buffers[buffer].place == PlanBuffer::Place::Arena) {
      auto mine = range(buffer);
      for (BufferId other = 0; other < accesses.size(); ++other) {
        if (other == buffer || !accesses[other].born ||
            plan.buffers[other].place != PlanBuffer::Place::Arena)
          continue;
        auto theirs = range(other);
        bool apart =
            mine && theirs &&
            (mine->second <= theirs->first || theirs->second <= mine->first);
        if (!apart)
          follow(other);
      }
    }
    accesses[buffer].born = true;
    accesses[buffer].writer = self;
    accesses[buffer].readers.clear();
  }
  step.dependencies.assign(before.begin(), before.end());
  llvm::sort(step.dependencies);
}

LogicalResult PlanBuilder::visitLaunch(gpu::LaunchFuncOp launch) {
  PlanStep step;
  auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(
      SymbolTable::lookupNearestSymbolFrom(module, launch.getKernelAttr()));
  if (!kernel)
    return launch.emitError("launches an unknown kernel");
  bool index32 = kernel->hasAttr(kIndex32AttrName);
  StringAttr kind = launch->getAttrOfType<StringAttr>(kKindAttrName);
  auto [it, inserted] =
      kernelIds.try_emplace(kernel.getName(), plan.kernels.size());
  if (inserted) {
    PlanKernel info;
    info.name = kernel.getName().str();
    if (auto block = kernel.getKnownBlockSize())
      for (unsigned i = 0; i < 3; ++i)
        info.block[i] = (*block)[i];
    for (BlockArgument shared : kernel.getWorkgroupAttributions()) {
      auto type = cast<MemRefType>(shared.getType());
      info.sharedBytes +=
          type.getNumElements() * getMemoryBytes(type.getElementType());
    }
    info.index32 = index32;
    info.kind = kind ? kind.str() : "";
    plan.kernels.push_back(info);
  }
  step.kernel = it->second;
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  const Value gridSizes[] = {grid.x, grid.y, grid.z};
  for (auto [i, size] : llvm::enumerate(gridSizes)) {
    FailureOr<ScalarId> scalar = scalarOf(size);
    if (failed(scalar))
      return failure();
    step.grid[i] = *scalar;
  }
  SmallVector<ScalarId> sizes;
  SmallVector<BufferId> reads, writes;
  for (auto [i, operand] : llvm::enumerate(launch.getKernelOperands())) {
    PlanOperand planned;
    if (isa<MemRefType>(operand.getType())) {
      FailureOr<BufferId> buffer = bufferOf(operand);
      if (failed(buffer))
        return failure();
      planned.kind = PlanOperand::Kind::Buffer;
      planned.id = *buffer;
      bool readOnly = static_cast<bool>(kernel.getArgAttr(i, "llvm.readonly"));
      planned.writes = !readOnly;
      planned.reads = readOnly;
      if (!readOnly)
        planned.reads =
            llvm::any_of(kernel.getArgument(i).getUsers(), [](Operation *user) {
              return !isa<memref::StoreOp>(user) &&
                     user->getName().getStringRef() != "vector.store";
            });
      if (planned.reads)
        reads.push_back(*buffer);
      if (planned.writes)
        writes.push_back(*buffer);
    } else {
      FailureOr<ScalarId> scalar = scalarOf(operand);
      if (failed(scalar))
        return failure();
      planned.kind = PlanOperand::Kind::Scalar;
      planned.id = *scalar;
      Type type = operand.getType();
      planned.bytes = type.isIndex() ? (index32 ? 4 : 8) : getMemoryBytes(type);
      sizes.push_back(*scalar);
    }
    step.operands.push_back(planned);
  }
  if (auto cost = launch->getAttrOfType<AffineMapAttr>(kCostAttrName)) {
    ScalarId *targets[] = {&step.minimumBytes, &step.bytes, &step.rereadBytes,
                           &step.flops};
    for (auto [expr, target] :
         llvm::zip(cost.getValue().getResults(), targets)) {
      FailureOr<ScalarId> scalar = evaluate(expr, sizes);
      if (failed(scalar))
        return launch.emitError("malformed fusion.cost");
      *target = *scalar;
    }
  }
  step.prepare = launch->hasAttr(kPrepareAttrName);
  addDependencies(step, reads, writes);
  plan.steps.push_back(std::move(step));
  return success();
}

LogicalResult PlanBuilder::visit(Operation *op) {
  using Kind = PlanScalar::Kind;
  auto arithmetic = [&](Kind kind) -> LogicalResult {
    FailureOr<SmallVector<ScalarId>> operands = scalarsOf(op->getOperands());
    if (failed(operands))
      return failure();
    PlanScalar scalar;
    scalar.kind = kind;
    llvm::append_range(scalar.operands, *operands);
    scalars[op->getResult(0)] = add(scalar);
    return success();
  };
  auto alias = [&](Value source) -> LogicalResult {
    auto it = memories.find(source);
    if (it == memories.end())
      return op->emitError("the host does not know this buffer");
    Memory memory = it->second;
    memories[op->getResult(0)] = memory;
    return success();
  };
  auto dynamicShape =
      [&](MemRefType type,
          ValueRange sizes) -> FailureOr<SmallVector<ScalarId>> {
    SmallVector<ScalarId> shape;
    size_t next = 0;
    for (int64_t dim : type.getShape()) {
      if (!ShapedType::isDynamic(dim)) {
        shape.push_back(constant(dim));
        continue;
      }
      FailureOr<ScalarId> size = scalarOf(sizes[next++]);
      if (failed(size))
        return failure();
      shape.push_back(*size);
    }
    return shape;
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](arith::ConstantOp constantOp) -> LogicalResult {
        if (auto value = dyn_cast<IntegerAttr>(constantOp.getValue()))
          scalars[constantOp] = constant(value.getType().isInteger(1)
                                             ? value.getValue().getZExtValue()
                                             : value.getInt());
        return success();
      })
      .Case<arith::AddIOp>([&](auto) { return arithmetic(Kind::Add); })
      .Case<arith::SubIOp>([&](auto) { return arithmetic(Kind::Sub); })
      .Case<arith::MulIOp>([&](auto) { return arithmetic(Kind::Mul); })
      .Case<arith::DivSIOp, arith::DivUIOp>(
          [&](auto) { return arithmetic(Kind::DivS); })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [&](auto) { return arithmetic(Kind::RemS); })
      .Case<arith::FloorDivSIOp>(
          [&](auto) { return arithmetic(Kind::FloorDiv); })
      .Case<arith::CeilDivSIOp>([&](auto) { return arithmetic(Kind::CeilDiv); })
      .Case<arith::MinSIOp>([&](auto) { return arithmetic(Kind::Min); })
      .Case<arith::MaxSIOp>([&](auto) { return arithmetic(Kind::Max); })
      .Case<arith::AndIOp>([&](auto) { return arithmetic(Kind::And); })
      .Case<arith::OrIOp>([&](auto) { return arithmetic(Kind::Or); })
      .Case<arith::XOrIOp>([&](auto) { return arithmetic(Kind::Xor); })
      .Case<arith::SelectOp>([&](auto) { return arithmetic(Kind::Select); })
      .Case([&](arith::CmpIOp compare) -> LogicalResult {
        switch (compare.getPredicate()) {
        case arith::CmpIPredicate::eq:
          return arithmetic(Kind::Eq);
        case arith::CmpIPredicate::ne:
          return arithmetic(Kind::Ne);
        case arith::CmpIPredicate::slt:
        case arith::CmpIPredicate::ult:
          return arithmetic(Kind::Lt);
        case arith::CmpIPredicate::sle:
        case arith::CmpIPredicate::ule:
          return arithmetic(Kind::Le);
        case arith::CmpIPredicate::sgt:
        case arith::CmpIPredicate::ugt:
          return arithmetic(Kind::Gt);
        default:
          return arithmetic(Kind::Ge);
        }
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
            arith::ExtUIOp, arith::TruncIOp>([&](auto cast) -> LogicalResult {
        FailureOr<ScalarId> id = scalarOf(cast->getOperand(0));
        if (failed(id))
          return failure();
        scalars[cast->getResult(0)] = *id;
        return success();
      })
      .Case([&](affine::AffineApplyOp apply) -> LogicalResult {
        FailureOr<SmallVector<ScalarId>> operands =
            scalarsOf(apply.getMapOperands());
        if (failed(operands))
          return failure();
        AffineMap map = apply.getAffineMap();
        SmallVector<AffineExpr> dims, symbols;
        for (unsigned i = 0; i < map.getNumInputs(); ++i)
          (i < map.getNumDims() ? dims : symbols)
              .push_back(getAffineSymbolExpr(i, op->getContext()));
        FailureOr<ScalarId> id = evaluate(
            map.getResult(0).replaceDimsAndSymbols(dims, symbols), *operands);
        if (failed(id))
          return failure();
        scalars[apply] = *id;
        return success();
      })
      .Case([&](memref::DimOp dim) -> LogicalResult {
        auto it = memories.find(dim.getSource());
        std::optional<int64_t> index = dim.getConstantIndex();
        if (it == memories.end() || !index)
          return dim.emitError("the host cannot compute this size");
        scalars[dim] = it->second.shape[*index];
        return success();
      })
      .Case([&](memref::AllocOp alloc) -> LogicalResult {
        auto shape = dynamicShape(alloc.getType(), alloc.getDynamicSizes());
        if (failed(shape))
          return failure();
        PlanBuffer buffer;
        if (auto it = results.find(alloc.getResult()); it != results.end()) {
          buffer.place = PlanBuffer::Place::Result;
          buffer.index = it->second;
          memories[alloc] = makeBuffer(buffer, alloc.getType(), *shape);
          return success();
        }
        // The arena.
        memories[alloc] = {0, *shape};
        plan.arenaBytes =
            product(*shape, getMemoryBytes(alloc.getType().getElementType()));
        return success();
      })
      .Case([&](memref::ViewOp view) -> LogicalResult {
        auto shape = dynamicShape(view.getType(), view.getSizes());
        FailureOr<ScalarId> offset = scalarOf(view.getByteShift());
        if (failed(shape) || failed(offset))
          return failure();
        PlanBuffer buffer;
        buffer.place = PlanBuffer::Place::Arena;
        buffer.offset = *offset;
        memories[view] = makeBuffer(buffer, view.getType(), *shape);
        return success();
      })
      .Case([&](memref::GetGlobalOp get) -> LogicalResult {
        auto global = symbols.lookup<memref::GlobalOp>(get.getName());
        std::optional<std::vector<char>> data =
            global ? getConstantData(global.getInitialValueAttr())
                   : std::nullopt;
        if (!data)
          return get.emitError("a constant without a value");
        auto type = get.getType();
        SmallVector<ScalarId> shape;
        for (int64_t dim : type.getShape())
          shape.push_back(constant(dim));
        PlanBuffer buffer;
        buffer.place = PlanBuffer::Place::Constant;
        buffer.data = std::move(*data);
        memories[get] = makeBuffer(std::move(buffer), type, shape);
        return success();
      })
      .Case<memref::ReinterpretCastOp, memref::CastOp>(
          [&](auto cast) { return alias(cast.getSource()); })
      .Case([&](memref::CopyOp copy) -> LogicalResult {
        FailureOr<BufferId> source = bufferOf(copy.getSource()),
                            target = bufferOf(copy.getTarget());
        if (failed(source) || failed(target))
          return failure();
        PlanStep step;
        step.kind = PlanStep::Kind::Copy;
        step.source = *source;
        step.destination = *target;
        step.bytes = step.minimumBytes =
            binary(Kind::Mul, constant(2), plan.buffers[*source].bytes);
        step.rereadBytes = step.flops = constant(0);
        step.prepare = copy->hasAttr(kPrepareAttrName);
        addDependencies(step, {*source}, {*target});
        plan.steps.push_back(std::move(step));
        return success();
      })
      .Case([&](cf::AssertOp check) -> LogicalResult {
        FailureOr<ScalarId> condition = scalarOf(check.getArg());
        if (failed(condition))
          return failure();
        PlanStep step;
        step.kind = PlanStep::Kind::Check;
        step.condition = *condition;
        step.message = check.getMsg().str();
        step.bytes = step.minimumBytes = step.rereadBytes = step.flops =
            constant(0);
        plan.steps.push_back(std::move(step));
        return success();
      })
      .Case([&](gpu::LaunchFuncOp launch) { return visitLaunch(launch); })
      .Case([&](func::ReturnOp ret) -> LogicalResult {
        for (Value value : ret.getOperands()) {
          auto it = memories.find(value);
          auto type = dyn_cast<MemRefType>(value.getType());
          if (it == memories.end() || !type)
            return ret.emitError("a result must be a tensor");
          PlanResult result;
          result.buffer = it->second.buffer;
          result.type.element = spell(type.getElementType());
          result.type.shape.assign(it->second.shape.begin(),
                                   it->second.shape.end());
          plan.results.push_back(result);
        }
        return success();
      })
      .Case<memref::DeallocOp>([&](auto) { return success(); })
      .Default([&](Operation *other) {
        return other->emitError("has no place in a launch plan");
      });
}

FailureOr<LaunchPlan> PlanBuilder::run() {
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal() || func.isPrivate())
      continue;
    if (entry)
      return func.emitError("a second entry function; a launch plan has one: "
                            "make the others private");
    entry = func;
  }
  if (!entry)
    return module.emitError("no entry function: give the module a public "
                            "func.func with a body");
  if (!entry.getBody().hasOneBlock())
    return entry.emitError("a launch plan needs one block");
  plan.model = entry.getName().str();
  if (auto target = module->getAttrOfType<TargetAttr>(kTargetAttrName))
    plan.target = target.getDevice().str();
  constant(0);
  for (BlockArgument argument : entry.getArguments()) {
    PlanType planned;
    uint32_t index = argument.getArgNumber();
    auto type = dyn_cast<MemRefType>(argument.getType());
    Type element = type ? type.getElementType() : argument.getType();
    planned.element = spell(element);
    if (type) {
      for (auto [dim, size] : llvm::enumerate(type.getShape())) {
        if (!ShapedType::isDynamic(size)) {
          planned.shape.push_back(constant(size));
          continue;
        }
        PlanScalar scalar;
        scalar.kind = PlanScalar::Kind::ArgumentDim;
        scalar.argument = index;
        scalar.dim = dim;
        planned.shape.push_back(add(scalar));
      }
      PlanBuffer buffer;
      buffer.place = PlanBuffer::Place::Argument;
      buffer.index = index;
      memories[argument] = makeBuffer(
          buffer, type,
          SmallVector<ScalarId>(planned.shape.begin(), planned.shape.end()));
      accesses.back().born = true;
    } else if (element.isIntOrIndex()) {
      PlanScalar scalar;
      scalar.kind = PlanScalar::Kind::ArgumentValue;
      scalar.argument = index;
      scalars[argument] = add(scalar);
    }
    plan.arguments.push_back(planned);
    auto writable = entry.getArgAttrOfType<BoolAttr>(
        index, bufferization::BufferizationDialect::kWritableAttrName);
    plan.donated.push_back(writable && writable.getValue());
  }
  // Allocations that are returned.
  Operation *terminator = entry.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    Value root = value;
    while (auto cast = root.getDefiningOp<memref::CastOp>())
      root = cast.getSource();
    if (root.getDefiningOp<memref::AllocOp>())
      results.try_emplace(root, i);
  }
  for (Operation &op : entry.getBody().front())
    if (failed(visit(&op)))
      return failure();
  return std::move(plan);
}

} // namespace

FailureOr<LaunchPlan> fusion::buildLaunchPlan(ModuleOp module) {
  return PlanBuilder(module).run();
}

void fusion::registerToPlanTranslation() {
  static TranslateFromMLIRRegistration registration(
      "fusion-to-plan", "print the launch plan of a compiled module as JSON",
      [](ModuleOp module, raw_ostream &os) -> LogicalResult {
        FailureOr<LaunchPlan> plan = buildLaunchPlan(module);
        if (failed(plan))
          return failure();
        printPlanJSON(*plan, os);
        return success();
      },
      [](DialectRegistry &registry) {
        registry
            .insert<arith::ArithDialect, cf::ControlFlowDialect,
                    func::FuncDialect, gpu::GPUDialect, memref::MemRefDialect,
                    bufferization::BufferizationDialect, FusionDialect>();
      });
}
