//===- RowReducer.cpp - Reductions of a row by a team of threads ----------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowReducer.h"
#include "RunningSums.h"
#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fusion;

/// The neutral element of a combiner.
static TypedAttr getNeutral(Operation *combiner) {
  std::optional<TypedAttr> attr = arith::getNeutralElement(combiner);
  return attr.value_or(TypedAttr());
}

IndexVector RowReducer::at(Value value, AffineExpr where) {
  IndexVector indices = elements.lookup(value);
  for (AffineExpr &index : indices)
    index = space.simplify(index.replace(column, where));
  return indices;
}

Value RowReducer::combine(Operation *combiner, Value lhs, Value rhs) {
  Type type = combiner->getResult(0).getType();
  Value left = fromRunning(builder, loc, lhs, type);
  Value right = fromRunning(builder, loc, rhs, type);
  Operation *op = builder.clone(*combiner);
  op->setOperands({left, right});
  return toRunning(builder, loc, op->getResult(0));
}

LogicalResult RowReducer::walkRow(StepFn body,
                                  SmallVectorImpl<Value> &carried) {
  if (!team.slots.empty()) {
    for (auto &[chunk, inside] : team.slots)
      if (failed(body(space.simplify(chunk * team.vector), inside, carried)))
        return failure();
    return success();
  }
  Value end = emitter.materialize(chunks);
  if (!end)
    return failure();
  Value step = arith::ConstantIndexOp::create(builder, loc, team.size);
  auto loop = scf::ForOp::create(builder, loc, team.thread, end, step, carried);
  OpBuilder::InsertionGuard guard(builder);
  if (!carried.empty() || loop.getBody()->empty())
    builder.setInsertionPointToStart(loop.getBody());
  else
    builder.setInsertionPoint(loop.getBody()->getTerminator());
  ElementEmitter::Scope scope(emitter);
  AffineExpr chunk = emitter.bindDim(loop.getInductionVar(), chunks);
  SmallVector<Value> inner(loop.getRegionIterArgs());
  if (failed(body(space.simplify(chunk * team.vector), Value(), inner)))
    return failure();
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, inner);
  carried.assign(loop.getResults().begin(), loop.getResults().end());
  return success();
}

LogicalResult RowReducer::accumulate(linalg::LinalgOp op, AffineExpr first,
                                     Value inside,
                                     SmallVectorImpl<Value> &partials) {
  IndexVector loops = elements.getLoops(op);
  SmallVector<IndexVector> lanes;
  for (int64_t i = 0; i < team.vector; ++i) {
    IndexVector lane;
    for (AffineExpr loop : loops)
      lane.push_back(space.simplify(loop.replace(column, first + i)));
    lanes.push_back(lane);
  }
  SmallVector<IRMapping> mappings(team.vector);
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
  SmallVector<Value> updated;
  for (auto [partial, argument] :
       llvm::zip_equal(partials, op.getRegionOutputArgs()))
    updated.push_back(fromRunning(builder, loc, partial, argument.getType()));
  for (int64_t i = 0; i < team.vector; ++i) {
    for (auto [argument, partial] :
         llvm::zip_equal(op.getRegionOutputArgs(), updated))
      mappings[i].map(argument, partial);
    SmallVector<Value> results;
    if (failed(
            emitter.inlineBody(*op.getBlock(), mappings[i], lanes[i], results)))
      return failure();
    updated.assign(results.begin(), results.end());
  }
  for (auto [partial, value] : llvm::zip_equal(partials, updated)) {
    value = toRunning(builder, loc, value);
    partial =
        inside ? arith::SelectOp::create(builder, loc, inside, value, partial)
                     .getResult()
               : value;
  }
  return success();
}

Value RowReducer::shuffle(Value value, int64_t distance) {
  Type type = value.getType();
  auto exchange = [&](Value word) -> Value {
    Value offset = arith::ConstantIntOp::create(builder, loc, distance, 32);
    Value width = arith::ConstantIntOp::create(builder, loc, kWarpThreads, 32);
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

Value RowReducer::allReduce(Operation *combiner, Value value) {
  for (int64_t distance = 1; distance < std::min(team.size, kWarpThreads);
       distance *= 2)
    value = combine(combiner, value, shuffle(value, distance));
  int64_t warps = team.size / kWarpThreads;
  if (warps == 1)
    return value;
  // One slot per warp of the block; every thread combines its row's.
  Type type = value.getType();
  Value shared = kernel.func.addWorkgroupAttribution(
      MemRefType::get({team.numRows * warps}, type, MemRefLayoutAttrInterface{},
                      gpu::AddressSpaceAttr::get(builder.getContext(),
                                                 gpu::AddressSpace::Workgroup)),
      loc);
  KernelBuilder k(builder, loc);
  Value base = k.mul(team.row, warps);
  Value warp = k.div(team.thread, kWarpThreads);
  buildIf(builder, loc, k.equal(k.rem(team.thread, kWarpThreads), k.index(0)),
          [&](OpBuilder &inner) {
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

LogicalResult RowReducer::reduce(linalg::LinalgOp op) {
  SmallVector<Value> partials;
  SmallVector<Operation *> combiners;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    combiners.push_back(getCombiner(op, i));
    Value neutral =
        arith::ConstantOp::create(builder, loc, getNeutral(combiners.back()));
    partials.push_back(toRunning(builder, loc, neutral));
  }
  if (failed(walkRow(
          [&](AffineExpr first, Value inside, SmallVectorImpl<Value> &carried) {
            return accumulate(op, first, inside, carried);
          },
          partials)))
    return failure();
  for (auto [i, partial] : llvm::enumerate(partials)) {
    Value total = allReduce(combiners[i], partial);
    OpResult result = op->getResult(i);
    IndexVector indices = at(result, space.constant(0));
    Value init = emitter.element(op.getDpsInitOperand(i)->get(), indices);
    if (!init)
      return failure();
    Value value = combine(combiners[i], toRunning(builder, loc, init), total);
    emitter.setElement(result, indices,
                       fromRunning(builder, loc, value, init.getType()));
  }
  return success();
}
