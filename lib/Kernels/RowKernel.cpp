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
#include "RowReducer.h"
#include "fusion/Kernels/GroupKernel.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

/// The most elements of a row that a thread keeps in registers.
static constexpr int64_t kMaxElementsPerThread = 32;
static constexpr int64_t kMaxThreadsPerRow = 512;

static SmallVector<Operation *> getOps(GroupOp group) {
  SmallVector<Operation *> ops;
  for (Operation &op : group.getBody().front().without_terminator())
    ops.push_back(&op);
  return ops;
}

/// Rows and columns of the first reduction of a group.
static std::optional<RowDomain> getDomain(GroupOp group, IndexSpace &space,
                                          ShapeAnalysis &shapes) {
  for (auto op : group.getBody().front().getOps<linalg::LinalgOp>())
    if (op.getNumReductionLoops())
      return getRowDomain(op, space, shapes);
  return std::nullopt;
}

/// Whether the template computes the group.
static bool isRowGroup(GroupOp group) {
  IndexSpace space(group.getContext());
  ShapeAnalysis shapes(group);
  auto domain = getDomain(group, space, shapes);
  if (!domain)
    return false;
  AffineExpr row = space.addDim(domain->rows);
  AffineExpr column = space.addDim(domain->columns);
  for (auto op : group.getBody().front().getOps<FusibleOpInterface>()) {
    FusionRole role = op.getFusionRole();
    if (role == FusionRole::Contraction || role == FusionRole::Attention ||
        role == FusionRole::Update || role == FusionRole::Barrier)
      return false;
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op.getOperation());
    if (!linalgOp || !linalgOp.getNumReductionLoops())
      continue;
    if (!canReduceRows(linalgOp))
      return false;
    // Rows along the last dimension: neighbours of a row are neighbours in
    // memory. Otherwise a thread per row reads neighbours together.
    for (OpOperand *input : linalgOp.getDpsInputOperands()) {
      if (!isa<RankedTensorType>(input->get().getType()))
        continue;
      AffineMap map = linalgOp.getMatchingIndexingMap(input);
      // What a row has one of (its mean) has no neighbours in it.
      bool isAlongRow = false;
      for (auto [dim, type] : llvm::enumerate(linalgOp.getIteratorTypesArray()))
        isAlongRow |=
            type == utils::IteratorType::reduction && map.isFunctionOfDim(dim);
      if (!isAlongRow)
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
  AffineExpr columns = getDomain(group, space, shapes)->columns;
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
                            kWarpThreads, kMaxThreadsPerRow);
    // Several elements a thread hide latency better than many threads.
    while (threadsPerRow > kWarpThreads &&
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
      builder.getDenseI64ArrayAttr({threadsPerRow / kWarpThreads}),
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
  LogicalResult storeOutputs();

  GroupKernel &kernel;
  OpBuilder &builder;
  Location loc;
  ElementEmitter &emitter;
  IndexSpace &space;

  AffineExpr column; // the template dimension
  Value rowInside;   // null: every row exists
  RowTeam team;
  std::unique_ptr<RowElements> elements;
  std::unique_ptr<RowReducer> reducer;
};

} // namespace

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
    IndexVector indices = reducer->at(group.getYielded()[i], space.constant(0));
    Value value = emitter.element(group.getYielded()[i], indices);
    if (!value)
      return failure();
    Value writes = k.equal(team.thread, k.index(0));
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
  return reducer->walkRow(
      [&](AffineExpr first, Value inside,
          SmallVectorImpl<Value> &) -> LogicalResult {
        for (unsigned i : perElement) {
          Value yielded = group.getYielded()[i];
          SmallVector<IndexVector> lanes;
          for (int64_t lane = 0; lane < team.vector; ++lane)
            lanes.push_back(reducer->at(yielded, first + lane));
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
      schedule.getThreads() % (schedule.getWarps()[0] * kWarpThreads) != 0)
    return group.emitError(
        "a row schedule needs tile = [slots], warps = [warps "
        "of a row] and threads that are a multiple of them");
  int64_t slots = schedule.getTile()[0];
  team.size = schedule.getWarps()[0] * kWarpThreads;
  team.numRows = schedule.getThreads() / team.size;
  team.vector = schedule.getVector();
  AffineExpr rows = domain->rows, columns = domain->columns;
  AffineExpr chunks = space.simplify(columns.floorDiv(team.vector));

  KernelBuilder k(builder, loc);
  Value thread = kernel.threadIndex();
  bool isSingle = team.numRows == 1;
  team.thread = isSingle ? thread : k.rem(thread, team.size);
  team.row = isSingle ? k.index(0) : k.div(thread, team.size);
  Value rowIndex =
      isSingle ? kernel.blockIndex
               : k.add(k.mul(kernel.blockIndex, team.numRows), team.row);
  // Rows past the end repeat the last one and store nothing: every thread
  // reaches every barrier.
  auto rowsConstant = dyn_cast<AffineConstantExpr>(rows);
  if (!(isSingle ||
        (rowsConstant && rowsConstant.getValue() % team.numRows == 0))) {
    Value end = emitter.materialize(rows);
    if (!end)
      return failure();
    rowInside = k.less(rowIndex, end);
    rowIndex = k.select(rowInside, rowIndex, k.index(0));
  }
  AffineExpr row = emitter.bindDim(rowIndex, rows);
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
        slot == 0 ? team.thread : k.add(team.thread, slot * team.size);
    Value inside;
    if (!count || (slot + 1) * team.size > count.getValue()) {
      Value end = emitter.materialize(chunks);
      if (!end)
        return failure();
      inside = k.less(chunk, end);
      chunk = k.select(inside, chunk, k.index(0));
    }
    team.slots.push_back({emitter.bindDim(chunk, chunks), inside});
  }
  reducer =
      std::make_unique<RowReducer>(kernel, team, *elements, column, columns);
  for (linalg::LinalgOp op : elements->getReductions())
    if (failed(reducer->reduce(op)))
      return failure();
  if (failed(storeOutputs()))
    return failure();
  int64_t perBlock = team.numRows;
  return GridBuilder(
      [rows, perBlock](OpBuilder &, Location,
                       function_ref<Value(AffineExpr)> materialize) {
        return materialize(rows.ceilDiv(perBlock));
      });
}

FailureOr<GridBuilder> fusion::buildRowKernel(GroupKernel &kernel) {
  return RowBuilder(kernel).build();
}
