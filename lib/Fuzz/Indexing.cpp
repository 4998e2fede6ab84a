//===- Indexing.cpp - Productions with computed positions -----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every computed position is clamped to what there is, or known to be smaller:
// integer arguments are 0 to 7.
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

/// The largest integer in an argument.
static constexpr int64_t kMaxInteger = 7;

/// `value` (an i64 or i32), between 0 and `last`, as an index.
static Value clamp(Scalars &s, Value value, Value last) {
  Value position = s.cast(value, s.builder.getIndexType());
  Value low = s.max(position, s.constant(s.builder.getIndexType(), 0));
  return s.min(low, last);
}

/// Rows of a table.
static bool addEmbedding(GraphBuilder &graph) {
  Sizes tableSizes = graph.sizes(2, 2048);
  bool isAsserted = graph.random.chance(40);
  if (isAsserted)
    tableSizes[0] = std::max<int64_t>(tableSizes[0], kMaxInteger + 1);
  Node table = graph.argument(graph.floatType(), tableSizes);
  Type integer = graph.random.pick({graph.i64, graph.i64, graph.i32});
  int64_t rank = graph.random.range(1, 2);
  Node ids = graph.argument(integer, graph.sizes(rank, 64));
  Value last = graph.getIndex(graph.getSize(table, 0));
  Value extent = last;
  Value one = graph.indexConstant(1);
  last = arith::SubIOp::create(graph.builder, graph.loc, last, one);
  Node shape = ids;
  shape.sizes.push_back(tableSizes[1]);
  // The result's type, for its sizes.
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> exprs;
  for (int64_t d = 0; d < rank; ++d) {
    sizes.push_back(graph.getSize(ids, d));
    exprs.push_back(graph.builder.getAffineDimExpr(d));
  }
  sizes.push_back(graph.getSize(table, 1));
  shape.value = graph.empty(sizes, table.getElement());
  AffineMap map =
      AffineMap::get(rank + 1, 0, exprs, graph.builder.getContext());
  Node result = graph.pointwise(
      shape, ids, map, table.getElement(), [&](Scalars &s, ValueRange in) {
        Value row;
        if (isAsserted) {
          row = s.cast(in[0], graph.index);
          Value isBelow = s.compare(arith::CmpIPredicate::slt, row, extent);
          cf::AssertOp::create(s.builder, s.loc, isBelow,
                               "index must be smaller than dim size");
          Value zero = s.constant(in[0].getType(), 0);
          Value isAbove = s.compare(arith::CmpIPredicate::sge, in[0], zero);
          cf::AssertOp::create(s.builder, s.loc, isAbove,
                               "index must be larger or equal to 0");
        } else {
          row = clamp(s, in[0], last);
        }
        Value column = s.position(rank, graph.index);
        return s.make<tensor::ExtractOp>(table.value, ValueRange{row, column});
      });
  graph.add(result);
  return true;
}

/// Elements of a tensor that is there, at positions along one dimension.
static bool addGather(GraphBuilder &graph) {
  Node x = graph.pickFloat(1, 3);
  int64_t d = graph.random.below(x.getRank());
  Node ids = graph.argument(graph.i64, {x.sizes[d]});
  Value extent = graph.getIndex(graph.getSize(x, d));
  Value one = graph.indexConstant(1);
  Value last = arith::SubIOp::create(graph.builder, graph.loc, extent, one);
  AffineMap map =
      AffineMap::get(x.getRank(), 0, graph.builder.getAffineDimExpr(d));
  bool isReversed = graph.random.chance(30);
  Node result = graph.pointwise(
      x, ids, map, x.getElement(), [&](Scalars &s, ValueRange in) {
        SmallVector<Value> positions;
        for (int64_t i = 0; i < x.getRank(); ++i) {
          if (i != d)
            positions.push_back(s.position(i, graph.index));
          else if (isReversed)
            positions.push_back(s.sub(last, s.position(i, graph.index)));
          else
            positions.push_back(clamp(s, in[0], last));
        }
        return s.make<tensor::ExtractOp>(x.value, positions);
      });
  result.scale = x.scale;
  graph.add(result);
  return true;
}

/// Positions, compared: one-hot, triangles.
static bool addPositions(GraphBuilder &graph) {
  Node x = graph.pickFloat(2, 3);
  int64_t rank = x.getRank();
  if (graph.random.chance(50)) {
    // A triangle of x.
    int64_t offset = graph.random.range(-2, 2);
    bool isLower = graph.random.chance(50);
    Node result = graph.map(x, [&](Scalars &s, ValueRange in) {
      Value row = s.position(rank - 2, graph.i64);
      Value shifted = s.addConstant(row, double(offset));
      Value column = s.position(rank - 1, graph.i64);
      Value keep = s.compare(isLower ? arith::CmpIPredicate::sge
                                     : arith::CmpIPredicate::sle,
                             shifted, column);
      return s.select(keep, in[0], s.constant(in[0].getType(), 0));
    });
    graph.add(result);
    return true;
  }
  // Rows of zeros with a one, times x.
  Node ids = graph.argument(graph.i64, {x.sizes[rank - 2]});
  AffineMap map =
      AffineMap::get(rank, 0, graph.builder.getAffineDimExpr(rank - 2));
  Node hot = graph.pointwise(
      x, ids, map, x.getElement(), [&](Scalars &s, ValueRange in) {
        Value column = s.position(rank - 1, graph.i64);
        Value isHot = s.compare(arith::CmpIPredicate::eq, column, in[0]);
        return s.cast(isHot, x.getElement());
      });
  Node result =
      graph.map({x, hot}, x.getElement(),
                [](Scalars &s, ValueRange in) { return s.mul(in[0], in[1]); });
  graph.add(result);
  return true;
}

Node fuzz::updateCache(GraphBuilder &graph, const Node &cache, const Node &part,
                       int64_t d) {
  OpBuilder &b = graph.builder;
  Location loc = graph.loc;
  Node position = graph.argument(graph.i64, Integers{});
  Value number =
      tensor::ExtractOp::create(b, loc, position.value, ValueRange{});
  Scalars s = graph.scalars();
  if (graph.random.chance(30)) {
    Value isValid =
        s.compare(arith::CmpIPredicate::sge, number, s.constant(graph.i64, 0));
    cf::AssertOp::create(b, loc, isValid, "the position is not negative");
  }
  Value extent = graph.getIndex(graph.getSize(cache, d));
  Value count = graph.getIndex(graph.getSize(part, d));
  Value last = arith::SubIOp::create(b, loc, extent, count);
  Value offset = clamp(s, number, last);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (int64_t i = 0; i < cache.getRank(); ++i) {
    offsets.push_back(i == d ? OpFoldResult(offset)
                             : OpFoldResult(b.getIndexAttr(0)));
    sizes.push_back(graph.getSize(part, i));
    strides.push_back(b.getIndexAttr(1));
  }
  Node result = cache;
  result.value = tensor::InsertSliceOp::create(b, loc, part.value, cache.value,
                                               offsets, sizes, strides);
  return result;
}

/// A cache that is written, read and returned.
static bool addCache(GraphBuilder &graph) {
  Node part = graph.pickFloat(2, 4, 512);
  int64_t d = graph.random.range(0, part.getRank() - 1);
  Sizes sizes = part.sizes;
  sizes[d] += graph.random.range(0, 9);
  Node cache = graph.argument(part.getElement(), sizes);
  Node written = updateCache(graph, cache, part, d);
  graph.add(written);
  if (graph.random.chance(50)) {
    Node read = graph.map(written, [&](Scalars &s, ValueRange in) {
      return randomUnary(graph, s, in[0]);
    });
    read.scale = 2;
    graph.add(read);
  }
  return true;
}

/// The same by a choice for every element.
static bool addChosenCache(GraphBuilder &graph) {
  Node cache = graph.pickFloat(2, 3);
  int64_t d = graph.random.below(cache.getRank());
  Sizes sizes = cache.sizes;
  sizes[d] = 1;
  Node part = graph.argument(cache.getElement(), sizes);
  Node position = graph.argument(graph.i64, Integers{});
  Node result = graph.map({cache, part, position}, cache.getElement(),
                          [&](Scalars &s, ValueRange in) {
                            Value at = s.position(d, graph.i64);
                            Value isHere =
                                s.compare(arith::CmpIPredicate::eq, at, in[2]);
                            return s.select(isHere, in[1], in[0]);
                          });
  graph.add(result);
  return true;
}

/// A slice from a position known when run.
static bool addDynamicSlice(GraphBuilder &graph) {
  Node x = graph.pickFloat(1, 4);
  int64_t d = graph.random.below(x.getRank());
  int64_t size = graph.random.range(1, x.sizes[d]);
  OpBuilder &b = graph.builder;
  Node position = graph.argument(graph.i64, Integers{});
  Value number =
      tensor::ExtractOp::create(b, graph.loc, position.value, ValueRange{});
  Value extent = graph.getIndex(graph.getSize(x, d));
  Value count = graph.indexConstant(size);
  Value last = arith::SubIOp::create(b, graph.loc, extent, count);
  Scalars s = graph.scalars();
  Value offset = clamp(s, number, last);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (int64_t i = 0; i < x.getRank(); ++i) {
    offsets.push_back(i == d ? OpFoldResult(offset)
                             : OpFoldResult(b.getIndexAttr(0)));
    sizes.push_back(i == d ? OpFoldResult(b.getIndexAttr(size))
                           : graph.getSize(x, i));
    strides.push_back(b.getIndexAttr(1));
  }
  Node result = x;
  result.sizes[d] = size;
  result.value = tensor::ExtractSliceOp::create(b, graph.loc, x.value, offsets,
                                                sizes, strides);
  graph.add(result);
  return true;
}

void fuzz::addIndexingProductions(SmallVectorImpl<Production> &list) {
  list.append({{"embedding", 2, addEmbedding},
               {"gather", 2, addGather},
               {"positions", 2, addPositions},
               {"cache", 3, addCache},
               {"chosen cache", 1, addChosenCache},
               {"dynamic slice", 2, addDynamicSlice}});
}
