//===- RowValues.cpp - What the rows of a tile share ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowValues.h"
#include "ContractionEmitter.h"
#include "HeroOperands.h"
#include "RowReducer.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

/// Bytes that a thread reads at a time.
static constexpr int64_t kLoadBytes = 16;

static Type getElementType(const RowPrologue::RowValue &rowValue) {
  return getElementTypeOrSelf(rowValue.value.getType());
}

RowValues::RowValues(GroupKernel &kernel, const RowPrologue &prologue,
                     const LeftRows &left, Value operand, int64_t tileRows)
    : kernel(kernel), prologue(prologue), left(left), operand(operand),
      tileRows(tileRows) {
  for (const RowPrologue::RowValue &rowValue : prologue.rowValues)
    memory.push_back(kernel.func.addWorkgroupAttribution(
        MemRefType::get(
            {tileRows}, getElementType(rowValue), MemRefLayoutAttrInterface{},
            gpu::AddressSpaceAttr::get(kernel.func.getContext(),
                                       gpu::AddressSpace::Workgroup)),
        kernel.getLoc()));
}

int64_t RowValues::getBytesPerRow(const RowPrologue &prologue) {
  int64_t bytes = 0;
  for (const RowPrologue::RowValue &rowValue : prologue.rowValues)
    bytes += getElementBytes(getElementType(rowValue));
  return bytes;
}

AffineExpr RowValues::at(AffineExpr expr, AffineExpr batch,
                         AffineExpr row) const {
  return kernel.getSpace().simplify(
      expr.replace({{left.dims[0], batch}, {left.dims[1], row}}));
}

LogicalResult RowValues::compute(Value thread, int64_t threads, Value batch,
                                 AffineExpr batches, Value firstRow,
                                 Value endRow, AffineExpr rows) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  ElementEmitter &emitter = kernel.emitter;
  IndexSpace &space = kernel.getSpace();
  KernelBuilder kb(builder, loc);

  // A warp takes a row, and another one after that; a single row is everyone's.
  RowTeam team;
  team.size = tileRows == 1 ? threads : kWarpThreads;
  team.numRows = threads / team.size;
  int64_t narrowest = kLoadBytes;
  for (Value input : kernel.group.getInputs())
    if (Type type = getElementTypeOrSelf(input.getType());
        isa<FloatType>(type) && isa<ShapedType>(input.getType()))
      narrowest = std::min(narrowest, getElementBytes(type));
  team.vector =
      space.getPowerOfTwoDivisor(left.rows.columns, kLoadBytes / narrowest);
  team.thread = kb.rem(thread, team.size);
  team.row = kb.div(thread, team.size);

  auto computeRow = [&](Value rowInTile) -> LogicalResult {
    ElementEmitter::Scope scope(emitter);
    // A row past the end repeats the first: everyone runs the same code.
    Value row = kb.add(firstRow, rowInTile);
    row = kb.select(kb.less(row, endRow), row, firstRow);
    AffineExpr batchExpr = bindIndex(emitter, batch, batches);
    AffineExpr rowExpr = bindIndex(emitter, row, rows);
    RowElements elements(space, kernel.getShapes(),
                         at(left.rows.row, batchExpr, rowExpr),
                         left.rows.column);
    if (failed(elements.assign(prologue.ops, operand)))
      return failure();
    RowReducer reducer(kernel, team, elements, left.rows.column,
                       left.rows.columns);
    for (linalg::LinalgOp reduction : elements.getReductions())
      if (failed(reducer.reduce(reduction)))
        return failure();
    SmallVector<Value> values;
    for (const RowPrologue::RowValue &rowValue : prologue.rowValues) {
      IndexVector indices;
      for (AffineExpr index : rowValue.indices)
        indices.push_back(at(index, batchExpr, rowExpr));
      values.push_back(emitter.element(rowValue.value, indices));
      if (!values.back())
        return failure();
    }
    Value writes = kb.equal(team.thread, kb.index(0));
    if (tileRows % team.numRows != 0)
      writes = kb.logicalAnd(writes, kb.less(rowInTile, kb.index(tileRows)));
    buildIf(builder, loc, writes, [&](OpBuilder &inside) {
      for (auto [value, place] : llvm::zip_equal(values, memory))
        memref::StoreOp::create(inside, loc, value, place, rowInTile);
    });
    return success();
  };
  int64_t rounds = llvm::divideCeil(tileRows, team.numRows);
  if (rounds == 1)
    return computeRow(team.row);
  auto loop = scf::ForOp::create(builder, loc, kb.index(0), kb.index(rounds),
                                 kb.index(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  return computeRow(
      kb.add(kb.mul(loop.getInductionVar(), team.numRows), team.row));
}

void RowValues::bind(AffineExpr batch, AffineExpr row, Value rowInTile) {
  OpBuilder &builder = kernel.getBuilder();
  for (auto [rowValue, place] : llvm::zip_equal(prologue.rowValues, memory)) {
    IndexVector indices;
    for (AffineExpr index : rowValue.indices)
      indices.push_back(at(index, batch, row));
    kernel.emitter.setElement(
        rowValue.value, indices,
        memref::LoadOp::create(builder, kernel.getLoc(), place, rowInTile));
  }
}
