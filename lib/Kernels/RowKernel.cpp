//===- RowKernel.cpp - Rows: softmax, norms, reductions -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Some threads of a block (a warp, or several) share a row. Where the row fits
// in their registers each element is loaded once and kept for every phase;
// longer rows, and rows of unknown length, are read again by each phase. A
// phase is one reduction: elements to a partial value per thread, then
// shuffles, then shared memory. The outputs are the last phase.
//
//===----------------------------------------------------------------------===//

#include "HeroOperands.h"
#include "fusion/Analysis/RowElements.h"
#include "fusion/Kernels/GroupKernel.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

/// The most elements of a row that a thread keeps in registers.
static constexpr int64_t kMaxElementsPerThread = 32;
static constexpr int64_t kMaxThreadsPerRow = 512;
static constexpr int64_t kWarp = 32;

/// The operation that combines partial values of result `index`; null if the
/// reduction is not of one such operation.
static Operation *getCombiner(linalg::LinalgOp op, unsigned index) {
  SmallVector<Operation *, 4> combiners;
  SmallVector<BlockArgument> accumulators(op.getRegionOutputArgs());
  if (!matchReduction(accumulators, index, combiners) || combiners.size() != 1)
    return nullptr;
  return combiners.front();
}

/// The neutral element of a combiner.
static TypedAttr getNeutral(Operation *combiner) {
  std::optional<TypedAttr> attr = arith::getNeutralElement(combiner);
  return attr.value_or(TypedAttr());
}

static SmallVector<Operation *> getOps(GroupOp group) {
  SmallVector<Operation *> ops;
  for (Operation &op : group.getBody().front().without_terminator())
    ops.push_back(&op);
  return ops;
}

/// Rows and columns of the first reduction of a group.
static std::optional<std::pair<AffineExpr, AffineExpr>>
getDomain(GroupOp group, IndexSpace &space, ShapeAnalysis &shapes) {
  for (auto op : group.getBody().front().getOps<linalg::LinalgOp>()) {
    if (!op.getNumReductionLoops())
      continue;
    SmallVector<AffineExpr> bounds = getLoopBounds(op, shapes);
    AffineExpr rows = space.constant(1), columns = space.constant(1);
    for (auto [bound, type] :
         llvm::zip_equal(bounds, op.getIteratorTypesArray())) {
      if (!bound)
        return std::nullopt;
      (type == utils::IteratorType::reduction ? columns : rows) =
          (type == utils::IteratorType::reduction ? columns : rows) * bound;
    }
    return std::make_pair(space.simplify(rows), space.simplify(columns));
  }
  return std::nullopt;
}

/// Whether the template computes the group.
static bool isRowGroup(GroupOp group) {
  IndexSpace space(group.getContext());
  ShapeAnalysis shapes(group);
  auto domain = getDomain(group, space, shapes);
  if (!domain)
    return false;
  AffineExpr row = space.addDim(domain->first);
  AffineExpr column = space.addDim(domain->second);
  for (auto op : group.getBody().front().getOps<FusibleOpInterface>()) {
    FusionRole role = op.getFusionRole();
    if (role == FusionRole::Contraction || role == FusionRole::Attention ||
        role == FusionRole::Update || role == FusionRole::Barrier)
      return false;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op.getOperation());
    if (!linalgOp || !linalgOp.getNumReductionLoops())
      continue;
    IndexSpace own(group.getContext());
    for (unsigned i = 0; i < op->getNumResults(); ++i) {
      Operation *combiner = getCombiner(linalgOp, i);
      if (!combiner || !getNeutral(combiner))
        return false;
      Type type = getElementTypeOrSelf(op->getResult(i).getType());
      if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() > 64)
        return false;
    }
    // Rows along the last dimension: neighbours of a row are neighbours in
    // memory. Otherwise a thread per row reads neighbours together.
    for (OpOperand *input : linalgOp.getDpsInputOperands()) {
      if (!isa<RankedTensorType>(input->get().getType()))
        continue;
      AffineMap map = linalgOp.getMatchingIndexingMap(input);
      if (map.getNumResults() == 0)
        continue;
      auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
      if (last && linalgOp.getIteratorTypesArray()[last.getPosition()] !=
                      utils::IteratorType::reduction)
        return false;
    }
  }
  RowElements elements(space, shapes, row, column);
  SmallVector<Value> outputs(group.getYielded());
  return succeeded(elements.assign(getOps(group), outputs));
}

std::optional<ScheduleAttr>
fusion::chooseRowGroupSchedule(GroupOp group, const TargetInfo &target) {
  if (!isRowGroup(group))
    return std::nullopt;
  IndexSpace space(group.getContext());
  ShapeAnalysis shapes(group);
  AffineExpr columns = getDomain(group, space, shapes)->second;
  // The vector fills 16 bytes of the narrowest tensor with more than a row.
  int64_t narrowest = 4;
  for (Value operand : group.getOperands())
    if (isa<ShapedType>(operand.getType())) {
      Type type = getElementTypeOrSelf(operand.getType());
      if (isa<FloatType>(type))
        narrowest =
            std::min<int64_t>(narrowest, type.getIntOrFloatBitWidth() / 8);
    }
  int64_t vector = space.getPowerOfTwoDivisor(columns, 16 / narrowest);
  int64_t slots = 0, threadsPerRow = 256;
  if (auto constant = dyn_cast<AffineConstantExpr>(columns)) {
    int64_t chunks = llvm::divideCeil(constant.getValue(), vector);
    threadsPerRow =
        std::clamp<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(chunks, 1)),
                            kWarp, kMaxThreadsPerRow);
    // Several elements a thread hide latency better than many threads.
    while (threadsPerRow > kWarp &&
           llvm::divideCeil(chunks, threadsPerRow / 2) * vector <= 16)
      threadsPerRow /= 2;
    slots = llvm::divideCeil(chunks, threadsPerRow);
    if (slots * vector > kMaxElementsPerThread)
      slots = 0;
  }
  int64_t threads = std::max<int64_t>(threadsPerRow, 128);
  Builder builder(group.getContext());
  return ScheduleAttr::get(
      group.getContext(), Strategy::Row, MatrixUnitKind::Scalar,
      builder.getDenseI64ArrayAttr({slots}),
      builder.getDenseI64ArrayAttr({threadsPerRow / kWarp}),
      /*stages=*/1, threads, vector);
}

namespace {

/// Builds one row kernel.
class RowBuilder {
public:
  explicit RowBuilder(GroupKernel &kernel)
      : kernel(kernel), builder(kernel.getBuilder()), loc(kernel.getLoc()),
        emitter(kernel.emitter), space(kernel.getSpace()) {}
  FailureOr<GridBuilder> build();

private:
  /// A step of the walk over a row: calls `body` with the column of the first
  /// of `vector` neighbours and whether it lies in the row (null: always).
  using StepFn = function_ref<LogicalResult(AffineExpr column, Value inside,
                                            SmallVectorImpl<Value> &carried)>;
  LogicalResult walkRow(StepFn body, SmallVectorImpl<Value> &carried);
  LogicalResult reduce(linalg::LinalgOp op);
  LogicalResult accumulate(linalg::LinalgOp op, AffineExpr column, Value inside,
                           SmallVectorImpl<Value> &partials);
  Value combine(Operation *combiner, Value lhs, Value rhs);
  Value shuffle(Value value, int64_t distance);
  FailureOr<Value> allReduce(Operation *combiner, Value value);
  LogicalResult storeOutputs();
  IndexVector at(Value value, AffineExpr column);

  GroupKernel &kernel;
  OpBuilder &builder;
  Location loc;
  ElementEmitter &emitter;
  IndexSpace &space;

  int64_t slots = 0, threadsPerRow = 0, rowsPerBlock = 0, vector = 1;
  AffineExpr rowSize, chunks;
  AffineExpr row, column; // column: the template dimension
  Value rowInside;        // null: every row exists
  Value lane, threadInRow, rowInBlock;
  std::unique_ptr<RowElements> elements;
  /// Chunks of this thread: expression and validity.
  SmallVector<std::pair<AffineExpr, Value>> slotChunks;
};

} // namespace

IndexVector RowBuilder::at(Value value, AffineExpr where) {
  IndexVector indices = elements->lookup(value);
  for (AffineExpr &index : indices)
    index = space.simplify(index.replace(column, where));
  return indices;
}

Value RowBuilder::combine(Operation *combiner, Value lhs, Value rhs) {
  Operation *op = builder.clone(*combiner);
  op->setOperands({lhs, rhs});
  return op->getResult(0);
}

LogicalResult RowBuilder::walkRow(StepFn body,
                                  SmallVectorImpl<Value> &carried) {
  if (slots > 0) {
    for (auto &[chunk, inside] : slotChunks)
      if (failed(body(space.simplify(chunk * vector), inside, carried)))
        return failure();
    return success();
  }
  Value end = emitter.materialize(chunks);
  if (!end)
    return failure();
  Value step = arith::ConstantIndexOp::create(builder, loc, threadsPerRow);
  auto loop = scf::ForOp::create(builder, loc, threadInRow, end, step, carried);
  OpBuilder::InsertionGuard guard(builder);
  if (!carried.empty() || loop.getBody()->empty())
    builder.setInsertionPointToStart(loop.getBody());
  else
    builder.setInsertionPoint(loop.getBody()->getTerminator());
  ElementEmitter::Scope scope(emitter);
  AffineExpr chunk = emitter.bindDim(loop.getInductionVar(), chunks);
  SmallVector<Value> inner(loop.getRegionIterArgs());
  if (failed(body(space.simplify(chunk * vector), Value(), inner)))
    return failure();
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, inner);
  carried.assign(loop.getResults().begin(), loop.getResults().end());
  return success();
}

LogicalResult RowBuilder::accumulate(linalg::LinalgOp op, AffineExpr first,
                                     Value inside,
                                     SmallVectorImpl<Value> &partials) {
  IndexVector loops = elements->getLoops(op);
  SmallVector<IndexVector> lanes;
  for (int64_t i = 0; i < vector; ++i) {
    IndexVector lane;
    for (AffineExpr loop : loops)
      lane.push_back(space.simplify(loop.replace(column, first + i)));
    lanes.push_back(lane);
  }
  SmallVector<IRMapping> mappings(vector);
  for (OpOperand *operand : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(operand);
    if (argument.use_empty())
      continue;
    if (!isa<RankedTensorType>(operand->get().getType())) {
      Value value = emitter.scalar(operand->get());
      if (!value)
        return failure();
      for (IRMapping &mapping : mappings)
        mapping.map(argument, value);
      continue;
    }
    AffineMap map = op.getMatchingIndexingMap(operand);
    SmallVector<IndexVector> indices;
    for (const IndexVector &lane : lanes) {
      IndexVector &at = indices.emplace_back();
      for (AffineExpr expr : map.getResults())
        at.push_back(space.simplify(expr.replaceDims(lane)));
    }
    SmallVector<Value> values = emitter.elements(operand->get(), indices);
    if (values.empty())
      return failure();
    for (auto [mapping, value] : llvm::zip_equal(mappings, values))
      mapping.map(argument, value);
  }
  SmallVector<Value> updated(partials.begin(), partials.end());
  for (int64_t i = 0; i < vector; ++i) {
    for (auto [argument, partial] :
         llvm::zip_equal(op.getRegionOutputArgs(), updated))
      mappings[i].map(argument, partial);
    SmallVector<Value> results;
    if (failed(
            emitter.inlineBody(*op.getBlock(), mappings[i], lanes[i], results)))
      return failure();
    updated.assign(results.begin(), results.end());
  }
  for (auto [partial, value] : llvm::zip_equal(partials, updated))
    partial =
        inside ? arith::SelectOp::create(builder, loc, inside, value, partial)
                     .getResult()
               : value;
  return success();
}

Value RowBuilder::shuffle(Value value, int64_t distance) {
  Type type = value.getType();
  auto exchange = [&](Value word) -> Value {
    Value offset = arith::ConstantIntOp::create(builder, loc, distance, 32);
    Value width = arith::ConstantIntOp::create(builder, loc, kWarp, 32);
    return gpu::ShuffleOp::create(builder, loc, word, offset, width,
                                  gpu::ShuffleMode::XOR)
        .getShuffleResult();
  };
  if (type.isF32() || type.isInteger(32))
    return exchange(value);
  unsigned bits = type.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(bits), i32 = builder.getI32Type();
  Value raw =
      isa<FloatType>(type)
          ? arith::BitcastOp::create(builder, loc, integer, value).getResult()
          : value;
  Value result;
  if (bits < 32) {
    Value word = arith::ExtUIOp::create(builder, loc, i32, raw);
    result = arith::TruncIOp::create(builder, loc, integer, exchange(word));
  } else {
    Value half = arith::ConstantIntOp::create(builder, loc, 32, 64);
    Value low = exchange(arith::TruncIOp::create(builder, loc, i32, raw));
    Value high = exchange(arith::TruncIOp::create(
        builder, loc, i32, arith::ShRUIOp::create(builder, loc, raw, half)));
    Value wideLow = arith::ExtUIOp::create(builder, loc, integer, low);
    Value wideHigh = arith::ExtUIOp::create(builder, loc, integer, high);
    result = arith::OrIOp::create(
        builder, loc, wideLow,
        arith::ShLIOp::create(builder, loc, wideHigh, half));
  }
  return isa<FloatType>(type)
             ? arith::BitcastOp::create(builder, loc, type, result).getResult()
             : result;
}

FailureOr<Value> RowBuilder::allReduce(Operation *combiner, Value value) {
  for (int64_t distance = 1; distance < std::min(threadsPerRow, kWarp);
       distance *= 2)
    value = combine(combiner, value, shuffle(value, distance));
  int64_t warps = threadsPerRow / kWarp;
  if (warps == 1)
    return value;
  // One slot per warp of the block; every thread combines its row's.
  Type type = value.getType();
  Value shared = kernel.func.addWorkgroupAttribution(
      MemRefType::get({rowsPerBlock * warps}, type, MemRefLayoutAttrInterface{},
                      gpu::AddressSpaceAttr::get(builder.getContext(),
                                                 gpu::AddressSpace::Workgroup)),
      loc);
  KernelBuilder k(builder, loc);
  Value base = k.mul(rowInBlock, warps);
  Value warp = k.div(threadInRow, kWarp);
  buildIf(builder, loc, k.equal(lane, k.index(0)), [&](OpBuilder &inner) {
    Value slot = KernelBuilder(inner, loc).add(base, warp);
    memref::StoreOp::create(inner, loc, value, shared, slot);
  });
  gpu::BarrierOp::create(builder, loc);
  Value total;
  for (int64_t i = 0; i < warps; ++i) {
    Value part = memref::LoadOp::create(builder, loc, shared, k.add(base, i));
    total = total ? combine(combiner, total, part) : part;
  }
  return total;
}

LogicalResult RowBuilder::reduce(linalg::LinalgOp op) {
  SmallVector<Value> partials;
  SmallVector<Operation *> combiners;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    combiners.push_back(getCombiner(op, i));
    partials.push_back(
        arith::ConstantOp::create(builder, loc, getNeutral(combiners.back())));
  }
  if (failed(walkRow(
          [&](AffineExpr first, Value inside, SmallVectorImpl<Value> &carried) {
            return accumulate(op, first, inside, carried);
          },
          partials)))
    return failure();
  for (auto [i, partial] : llvm::enumerate(partials)) {
    FailureOr<Value> total = allReduce(combiners[i], partial);
    if (failed(total))
      return failure();
    OpResult result = op->getResult(i);
    IndexVector indices = at(result, space.constant(0));
    Value init = emitter.element(op.getDpsInitOperand(i)->get(), indices);
    if (!init)
      return failure();
    emitter.setElement(result, indices, combine(combiners[i], init, *total));
  }
  return success();
}

LogicalResult RowBuilder::storeOutputs() {
  GroupOp group = kernel.group;
  // One element per row: the row's first thread.
  SmallVector<unsigned> perRow, perElement;
  for (unsigned i = 0; i < group.getOutputs().size(); ++i) {
    bool usesColumn = llvm::any_of(
        elements->lookup(group.getYielded()[i]), [&](AffineExpr expr) {
          return expr.isFunctionOfDim(
              cast<AffineDimExpr>(column).getPosition());
        });
    (usesColumn ? perElement : perRow).push_back(i);
  }
  KernelBuilder k(builder, loc);
  for (unsigned i : perRow) {
    IndexVector indices = at(group.getYielded()[i], space.constant(0));
    Value value = emitter.element(group.getYielded()[i], indices);
    if (!value)
      return failure();
    Value writes = k.equal(threadInRow, k.index(0));
    if (rowInside)
      writes = k.logicalAnd(writes, rowInside);
    auto branch = scf::IfOp::create(builder, loc, writes);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    ElementEmitter::Scope scope(emitter);
    if (failed(kernel.store(i, {indices}, value)))
      return failure();
  }
  if (perElement.empty())
    return success();
  SmallVector<Value> nothing;
  return walkRow(
      [&](AffineExpr first, Value inside,
          SmallVectorImpl<Value> &) -> LogicalResult {
        for (unsigned i : perElement) {
          Value yielded = group.getYielded()[i];
          SmallVector<IndexVector> lanes;
          for (int64_t lane = 0; lane < vector; ++lane)
            lanes.push_back(at(yielded, first + lane));
          SmallVector<Value> values = emitter.elements(yielded, lanes);
          if (values.empty())
            return failure();
          Value writes = inside;
          if (rowInside)
            writes = writes ? k.logicalAnd(writes, rowInside) : rowInside;
          OpBuilder::InsertionGuard guard(builder);
          std::optional<ElementEmitter::Scope> scope;
          if (writes) {
            auto branch = scf::IfOp::create(builder, loc, writes);
            builder.setInsertionPointToStart(branch.thenBlock());
            scope.emplace(emitter);
          }
          if (failed(kernel.store(i, lanes, values)))
            return failure();
        }
        return success();
      },
      nothing);
}

FailureOr<GridBuilder> RowBuilder::build() {
  GroupOp group = kernel.group;
  ScheduleAttr schedule = kernel.schedule;
  auto domain = getDomain(group, space, kernel.getShapes());
  if (!domain || !schedule.getTile() || schedule.getTile().size() != 1 ||
      !schedule.getWarps() || schedule.getWarps().size() != 1 ||
      schedule.getWarps()[0] < 1 || schedule.getVector() < 1 ||
      schedule.getThreads() % (schedule.getWarps()[0] * kWarp) != 0)
    return group.emitError(
        "a row schedule needs tile = [slots], warps = [warps "
        "of a row] and threads that are a multiple of them");
  slots = schedule.getTile()[0];
  threadsPerRow = schedule.getWarps()[0] * kWarp;
  rowsPerBlock = schedule.getThreads() / threadsPerRow;
  vector = schedule.getVector();
  AffineExpr rows = domain->first, columns = domain->second;
  chunks = space.simplify(columns.floorDiv(vector));

  KernelBuilder k(builder, loc);
  Value thread = kernel.threadIndex();
  lane = k.rem(thread, kWarp);
  threadInRow = rowsPerBlock == 1 ? thread : k.rem(thread, threadsPerRow);
  rowInBlock = rowsPerBlock == 1 ? k.index(0) : k.div(thread, threadsPerRow);
  Value rowIndex =
      rowsPerBlock == 1
          ? kernel.blockIndex
          : k.add(k.mul(kernel.blockIndex, rowsPerBlock), rowInBlock);
  // Rows past the end repeat the last one and store nothing: every thread
  // reaches every barrier.
  auto rowsConstant = dyn_cast<AffineConstantExpr>(rows);
  if (!(rowsPerBlock == 1 ||
        (rowsConstant && rowsConstant.getValue() % rowsPerBlock == 0))) {
    Value end = emitter.materialize(rows);
    if (!end)
      return failure();
    rowInside = k.less(rowIndex, end);
    rowIndex = k.select(rowInside, rowIndex, k.index(0));
  }
  row = emitter.bindDim(rowIndex, rows);
  column = space.addDim(columns);
  elements =
      std::make_unique<RowElements>(space, kernel.getShapes(), row, column);
  SmallVector<Value> outputs(group.getYielded());
  if (failed(elements->assign(getOps(group), outputs)))
    return group.emitError(
        "the row template cannot compute this group; give it "
        "the generic strategy");
  for (int64_t slot = 0; slot < slots; ++slot) {
    auto count = dyn_cast<AffineConstantExpr>(chunks);
    Value chunk =
        slot == 0 ? threadInRow : k.add(threadInRow, slot * threadsPerRow);
    Value inside;
    if (!count || (slot + 1) * threadsPerRow > count.getValue()) {
      Value end = emitter.materialize(chunks);
      if (!end)
        return failure();
      inside = k.less(chunk, end);
      chunk = k.select(inside, chunk, k.index(0));
    }
    slotChunks.push_back({emitter.bindDim(chunk, chunks), inside});
  }
  for (linalg::LinalgOp op : elements->getReductions())
    if (failed(reduce(op)))
      return failure();
  if (failed(storeOutputs()))
    return failure();
  int64_t perBlock = rowsPerBlock;
  return GridBuilder(
      [rows, perBlock](OpBuilder &, Location,
                       function_ref<Value(AffineExpr)> materialize) {
        return materialize(rows.ceilDiv(perBlock));
      });
}

FailureOr<GridBuilder> fusion::buildRowKernel(GroupKernel &kernel) {
  return RowBuilder(kernel).build();
}
