//===- ContractionEpilogue.cpp - From accumulators to results -------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionEmitter.h"
#include "MatrixUnits.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

/// Bytes of the widest access to shared memory.
static constexpr int64_t kMaxAccessBytes = 16;

//===----------------------------------------------------------------------===//
// SharedRows
//===----------------------------------------------------------------------===//

bool SharedRows::isSwizzled() const {
  int64_t bytes = getElementBytes(getElementType());
  return bytes == 4 && vector * bytes == 2 * kMaxAccessBytes;
}

bool SharedRows::isSplit(int64_t width) const {
  return isSwizzled() &&
         width * getElementBytes(getElementType()) > kMaxAccessBytes;
}

Value SharedRows::getOffset(OpBuilder &builder, Location loc, unsigned rhs,
                            Value row, Value column) const {
  KernelBuilder kb(builder, loc);
  Value offset = column;
  if (isSwizzled()) {
    // The first halves of groups of 8 are 32 bytes apart: eight threads that
    // access them together would meet only half of the banks. So half of the
    // groups swap their halves: those of every other 32 columns, or, where rows
    // are shorter than what eight threads read, of every other row or group.
    Value parity = kb.div(column, 32);
    if (columns == 32)
      parity = row;
    else if (columns == 16)
      parity = kb.div(column, 8);
    offset = kb.bitXor(column, kb.mul(kb.bitAnd(parity, 1), 4));
  }
  return kb.add(kb.add(kb.mul(row, stride), offset), rhs * rows * stride);
}

void SharedRows::write(OpBuilder &builder, Location loc, unsigned rhs,
                       Value row, Value column, Value elements) const {
  Value offset = getOffset(builder, loc, rhs, row, column);
  auto type = dyn_cast<VectorType>(elements.getType());
  if (!type) {
    memref::StoreOp::create(builder, loc, elements, memory, offset);
    return;
  }
  int64_t width = type.getNumElements();
  auto store = [&](Value part, Value at) {
    int64_t bytes = cast<VectorType>(part.getType()).getNumElements() *
                    getElementBytes(type.getElementType());
    vector::StoreOp::create(builder, loc, part, memory, at,
                            /*nontemporal=*/false,
                            llvm::MaybeAlign(std::min(bytes, kMaxAccessBytes)));
  };
  if (!isSplit(width))
    return store(elements, offset);
  int64_t half = width / 2;
  auto halfType = VectorType::get({half}, type.getElementType());
  for (int64_t i = 0; i < 2; ++i)
    store(vector::FromElementsOp::create(
              builder, loc, halfType,
              extractElements(builder, loc, elements, i * half, half)),
          KernelBuilder(builder, loc)
              .bitXor(offset, KernelBuilder(builder, loc).index(i * half)));
}

Value SharedRows::read(OpBuilder &builder, Location loc, unsigned rhs,
                       Value row, Value column, int64_t width) const {
  Value offset = getOffset(builder, loc, rhs, row, column);
  if (width == 1)
    return memref::LoadOp::create(builder, loc, memory, offset);
  Type type = getElementType();
  auto load = [&](Value at, int64_t count) -> Value {
    return vector::LoadOp::create(
        builder, loc, VectorType::get({count}, type), memory, at,
        /*nontemporal=*/false,
        llvm::MaybeAlign(
            std::min(count * getElementBytes(type), kMaxAccessBytes)));
  };
  if (!isSplit(width))
    return load(offset, width);
  KernelBuilder kb(builder, loc);
  int64_t half = width / 2;
  SmallVector<Value> elements;
  for (int64_t i = 0; i < 2; ++i) {
    Value part = load(kb.bitXor(offset, kb.index(i * half)), half);
    llvm::append_range(elements, extractElements(builder, loc, part, 0, half));
  }
  return vector::FromElementsOp::create(
      builder, loc, VectorType::get({width}, type), elements);
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

/// Whether `size` is known to be a multiple of `divisor`.
static bool isMultiple(Value size, int64_t divisor) {
  std::optional<int64_t> constant = KernelBuilder::getConstant(size);
  return constant && *constant % divisor == 0;
}

void mlir::fusion::buildGuardedEpilogue(
    OpBuilder &builder, Location loc, const ContractionProblem &problem,
    const ContractionPosition &position, Value m, Value n, int64_t width,
    llvm::function_ref<SmallVector<Value>(OpBuilder &, Value, int64_t)>
        getElements,
    llvm::function_ref<Value(OpBuilder &, Location, unsigned, Value, int64_t)>
        read) {
  KernelBuilder kb(builder, loc);
  auto call = [&](OpBuilder &nested, Value first, int64_t count) {
    KernelBuilder nestedKb(nested, loc);
    SmallVector<Value> accumulators = getElements(nested, first, count);
    ContractionElements elements;
    elements.batch = position.batch;
    elements.m = m;
    elements.n = nestedKb.add(n, first);
    elements.width = count;
    elements.accumulators = accumulators;
    if (read)
      elements.read = read;
    problem.epilogue(nested, loc, elements);
  };

  Value isTrue = arith::ConstantIntOp::create(builder, loc, 1, 1);
  Value isRow = position.hasAllRows ? isTrue : kb.less(m, problem.m);
  buildIf(builder, loc, isRow, [&](OpBuilder &inRows) {
    KernelBuilder rowKb(inRows, loc);
    if (position.hasAllColumns || isMultiple(problem.n, width)) {
      Value isColumn =
          position.hasAllColumns ? isTrue : rowKb.less(n, problem.n);
      buildIf(inRows, loc, isColumn, [&](OpBuilder &inside) {
        call(inside, KernelBuilder(inside, loc).index(0), width);
      });
      return;
    }
    // The last columns may be fewer than a group: one by one then.
    Value isWhole = rowKb.less(rowKb.add(n, width - 1), problem.n);
    auto ifOp = scf::IfOp::create(inRows, loc, isWhole, /*withElse=*/true);
    OpBuilder whole = ifOp.getThenBodyBuilder(inRows.getListener());
    call(whole, KernelBuilder(whole, loc).index(0), width);
    OpBuilder partial = ifOp.getElseBodyBuilder(inRows.getListener());
    KernelBuilder partialKb(partial, loc);
    Value isAny = partialKb.less(n, problem.n);
    Value count = partialKb.select(isAny, partialKb.sub(problem.n, n),
                                   partialKb.index(0));
    if (read) {
      // Elements can be read at any position: a loop.
      scf::ForOp::create(
          partial, loc, partialKb.index(0), count, partialKb.index(1),
          ValueRange{},
          [&](OpBuilder &body, Location, Value first, ValueRange) {
            call(body, first, 1);
            scf::YieldOp::create(body, loc);
          });
      return;
    }
    for (int64_t i = 0; i < width - 1; ++i)
      buildIf(partial, loc, partialKb.less(partialKb.index(i), count),
              [&](OpBuilder &inside) {
                call(inside, KernelBuilder(inside, loc).index(i), 1);
              });
  });
}

void mlir::fusion::buildStagedEpilogue(
    OpBuilder &builder, Location loc, const ContractionProblem &problem,
    const ContractionPosition &position, const SharedRows &results,
    Value thread, int64_t threads, llvm::function_ref<Value(Value)> getRow) {
  KernelBuilder kb(builder, loc);
  int64_t vector = results.getVector();
  int64_t groups = results.getColumns() / vector;
  int64_t total = results.getRows() * groups;

  auto emitGroup = [&](OpBuilder &body, Value index) {
    KernelBuilder bodyKb(body, loc);
    Value row = bodyKb.div(index, groups);
    Value column = bodyKb.mul(bodyKb.rem(index, groups), vector);
    Value m = bodyKb.add(position.m, getRow(row));
    Value n = bodyKb.add(position.n, column);
    auto getElements = [&](OpBuilder &b, Value first, int64_t width) {
      SmallVector<Value> elements;
      for (unsigned rhs = 0; rhs < results.getNumRhs(); ++rhs)
        elements.push_back(results.read(
            b, loc, rhs, row, KernelBuilder(b, loc).add(column, first), width));
      return elements;
    };
    auto read = [&](OpBuilder &b, Location l, unsigned rhs, Value at,
                    int64_t width) {
      Value inTile = KernelBuilder(b, l).sub(at, position.n);
      return results.read(b, l, rhs, row, inTile, width);
    };
    buildGuardedEpilogue(body, loc, problem, position, m, n, vector,
                         getElements, read);
  };

  // Whole rounds of all threads, then what is left.
  int64_t rounds = total / threads;
  if (rounds > 0)
    scf::ForOp::create(
        builder, loc, kb.index(0), kb.index(rounds), kb.index(1), ValueRange{},
        [&](OpBuilder &body, Location, Value round, ValueRange) {
          KernelBuilder bodyKb(body, loc);
          emitGroup(body, bodyKb.add(thread, bodyKb.mul(round, threads)));
          scf::YieldOp::create(body, loc);
        });
  if (total % threads != 0) {
    Value index = kb.add(thread, rounds * threads);
    buildIf(builder, loc, kb.less(index, kb.index(total)),
            [&](OpBuilder &body) { emitGroup(body, index); });
  }
}
