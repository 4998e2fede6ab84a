//===- Reductions.cpp - Productions that reduce ---------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

/// Some dimensions, at least one; most often the last.
static SmallVector<int64_t> pickDims(GraphBuilder &graph, const Node &x) {
  SmallVector<int64_t> dims;
  if (graph.random.chance(50))
    return {x.getRank() - 1};
  for (int64_t d = 0; d < x.getRank(); ++d)
    if (graph.random.chance(50))
      dims.push_back(d);
  if (dims.empty())
    dims.push_back(graph.random.below(x.getRank()));
  return dims;
}

static bool addSum(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(1, 4));
  SmallVector<int64_t> dims = pickDims(graph, x);
  bool keep = graph.random.chance(50);
  // Narrow types are mostly summed in f32.
  Node wide = graph.random.chance(70) ? graph.cast(x, graph.f32) : x;
  Node result = graph.sum(wide, dims, keep);
  if (graph.random.chance(40)) {
    double count = double(x.getVolume()) / result.getVolume();
    result = graph.map(result, [&](Scalars &s, ValueRange in) {
      return s.div(in[0], s.constant(in[0].getType(), count));
    });
    result.scale = x.scale;
  }
  graph.add(graph.tame(graph.cast(result, x.getElement())));
  return true;
}

/// Sums of computed elements, from starts that are not neutral.
static bool addFoldedSum(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(1, 4));
  SmallVector<int64_t> dims = pickDims(graph, x);
  bool keep = graph.random.chance(40);
  Type type = graph.random.chance(70) ? graph.f32 : x.getElement();
  Value start = graph.scalar(type, graph.random.pick({0.0, 0.0, 1.5, -3.0}));
  bool isSquare = graph.random.chance(50);
  Node result =
      graph.reduce(x, dims, keep, start, type, [&](Scalars &s, ValueRange in) {
        Value wide = s.cast(in[0], type);
        Value element = isSquare ? s.mul(wide, wide) : s.abs(wide);
        return s.add(element, in[1]);
      });
  result.scale = double(x.getVolume()) / result.getVolume();
  graph.add(graph.tame(result));
  return true;
}

static bool addExtremum(GraphBuilder &graph) {
  Node x = graph.pickFloat(1, 4);
  SmallVector<int64_t> dims = pickDims(graph, x);
  bool keep = graph.random.chance(50);
  bool isMax = graph.random.chance(60);
  bool isNum = graph.random.chance(30);
  Scalars scalars = graph.scalars();
  Value start = graph.random.chance(60)
                    ? scalars.infinity(x.getElement(), isMax)
                    : graph.scalar(x.getElement(), isMax ? -1.0 : 0.5);
  Node result =
      graph.reduce(x, dims, keep, start, x.getElement(),
                   [&](Scalars &s, ValueRange in) -> Value {
                     if (isNum)
                       return isMax ? s.make<arith::MaxNumFOp>(in[0], in[1])
                                    : s.make<arith::MinNumFOp>(in[0], in[1]);
                     return isMax ? s.max(in[1], in[0]) : s.min(in[0], in[1]);
                   });
  result.scale = x.scale * 3;
  if (keep && graph.random.chance(60)) {
    result =
        graph.map({x, result}, x.getElement(), [](Scalars &s, ValueRange in) {
          return s.sub(in[0], in[1]);
        });
  }
  graph.add(graph.tame(result));
  return true;
}

/// A reduction onto a tensor.
static bool addAccumulation(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(2, 4));
  SmallVector<int64_t> dims = pickDims(graph, x);
  if (int64_t(dims.size()) == x.getRank())
    return false;
  Sizes sizes;
  for (int64_t d = 0; d < x.getRank(); ++d)
    if (!llvm::is_contained(dims, d))
      sizes.push_back(x.sizes[d]);
  Node starts = graph.argument(x.getElement(), sizes);
  bool isSum = graph.random.chance(60);
  Node result =
      graph.reduceOnto(x, starts, dims, [&](Scalars &s, ValueRange in) {
        return isSum ? s.add(in[0], in[1]) : s.max(in[0], in[1]);
      });
  result.scale =
      x.scale * std::sqrt(double(x.getVolume()) / result.getVolume());
  graph.add(graph.tame(result));
  return true;
}

/// The largest or smallest along dimension `d`, from `start` on, and the first
/// position where it is, of type `integer`.
static std::pair<Node, Node> reduceWithPosition(GraphBuilder &graph,
                                                const Node &x, int64_t d,
                                                Value start, bool isMax,
                                                Type integer) {
  Type type = x.getElement();
  SmallVector<OpFoldResult> sizes;
  SmallVector<AffineExpr> exprs;
  SmallVector<utils::IteratorType> iterators;
  Node value{{}, {}, x.scale};
  for (int64_t i = 0; i < x.getRank(); ++i) {
    iterators.push_back(i == d ? utils::IteratorType::reduction
                               : utils::IteratorType::parallel);
    if (i == d)
      continue;
    sizes.push_back(graph.getSize(x, i));
    exprs.push_back(graph.builder.getAffineDimExpr(i));
    value.sizes.push_back(x.sizes[i]);
  }
  Value zero = graph.scalar(integer, 0);
  SmallVector<Value> inits = {graph.fill(start, graph.empty(sizes, type))};
  inits.push_back(graph.fill(zero, graph.empty(sizes, integer)));
  AffineMap reduced =
      AffineMap::get(x.getRank(), 0, exprs, graph.builder.getContext());
  SmallVector<AffineMap> maps = {
      graph.builder.getMultiDimIdentityMap(x.getRank()), reduced, reduced};
  SmallVector<Type> types = {inits[0].getType(), inits[1].getType()};
  auto predicate =
      isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
  auto op = linalg::GenericOp::create(
      graph.builder, graph.loc, types, x.value, inits, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange in) {
        Scalars s(b, loc);
        Value position = s.position(d, integer);
        Value extreme = isMax ? s.max(in[0], in[1]) : s.min(in[0], in[1]);
        Value isNew = s.compare(predicate, in[0], in[1]);
        Value chosen = s.select(isNew, position, in[2]);
        linalg::YieldOp::create(b, loc, ValueRange{extreme, chosen});
      });
  value.value = op.getResult(0);
  Node position = value;
  position.value = op.getResult(1);
  position.scale = 1;
  return {value, position};
}

Node fuzz::maximum(GraphBuilder &graph, const Node &x, int64_t d, bool keep) {
  Type type = x.getElement();
  Scalars scalars = graph.scalars();
  Value start = graph.random.chance(70)
                    ? scalars.infinity(type, true)
                    : graph.scalar(type, type.isF16() ? -65504.0 : -1e30);
  bool accumulatorFirst = graph.random.chance(50);
  if (graph.random.chance(60))
    return graph.reduce(
        x, {d}, keep, start, type, [&](Scalars &s, ValueRange in) {
          return accumulatorFirst ? s.max(in[1], in[0]) : s.max(in[0], in[1]);
        });
  // The value and its position, of which the position is dead.
  Node result =
      reduceWithPosition(graph, x, d, start, /*isMax=*/true, graph.i64).first;
  return keep ? graph.unsqueeze(result, d) : result;
}

/// The largest or smallest and where it is.
static bool addPosition(GraphBuilder &graph) {
  Node x = graph.pickFloat(1, 3);
  int64_t d = graph.random.below(x.getRank());
  bool isMax = graph.random.chance(70);
  Type type = x.getElement();
  Type integer = graph.random.pick({graph.i64, graph.i64, graph.i32});
  Value start = graph.scalars().infinity(type, isMax);
  auto [value, position] =
      reduceWithPosition(graph, x, d, start, isMax, integer);
  if (graph.random.chance(60))
    graph.add(value);
  graph.add(position);
  return true;
}

/// Whether all or any, how many, and sums of integers.
static bool addIntegerReduction(GraphBuilder &graph) {
  Node x = graph.pickInteger(1, 3);
  SmallVector<int64_t> dims = pickDims(graph, x);
  bool keep = graph.random.chance(40);
  if (x.getElement().isInteger(1)) {
    unsigned which = graph.random.below(3);
    if (which == 2) {
      Value zero = graph.scalar(graph.i64, 0);
      graph.add(graph.reduce(x, dims, keep, zero, graph.i64,
                             [&](Scalars &s, ValueRange in) {
                               Value one = s.cast(in[0], graph.i64);
                               return s.add(in[1], one);
                             }));
      return true;
    }
    Value start = graph.scalar(graph.i1, which == 0);
    graph.add(graph.reduce(
        x, dims, keep, start, graph.i1, [&](Scalars &s, ValueRange in) {
          return which == 0 ? s.make<arith::AndIOp>(in[0], in[1])
                            : s.make<arith::OrIOp>(in[0], in[1]);
        }));
    return true;
  }
  unsigned which = graph.random.below(3);
  Value start = graph.scalar(x.getElement(), which == 0 ? 0 : 3);
  graph.add(graph.reduce(
      x, dims, keep, start, x.getElement(), [&](Scalars &s, ValueRange in) {
        if (which == 0)
          return s.add(in[0], in[1]);
        return which == 1 ? s.max(in[0], in[1]) : s.min(in[0], in[1]);
      }));
  return true;
}

/// The variance and the deviation, with a mean that is used twice.
static bool addVariance(GraphBuilder &graph) {
  Node x = graph.cast(graph.tame(graph.pickFloat(1, 3)), graph.f32);
  SmallVector<int64_t> dims = pickDims(graph, x);
  Node total = graph.sum(x, dims, true);
  double count = double(x.getVolume()) / total.getVolume();
  Node mean = graph.map(total, [&](Scalars &s, ValueRange in) {
    return s.div(in[0], s.constant(graph.f32, count));
  });
  mean.scale = x.scale;
  Node centred = graph.map({x, mean}, graph.f32, [](Scalars &s, ValueRange in) {
    return s.sub(in[0], in[1]);
  });
  Node squares = graph.map(
      centred, [](Scalars &s, ValueRange in) { return s.mul(in[0], in[0]); });
  Node variance = graph.sum(squares, dims, graph.random.chance(50));
  variance = graph.map(variance, [&](Scalars &s, ValueRange in) {
    Value mean = s.div(in[0], s.constant(graph.f32, std::max(1.0, count - 1)));
    return s.make<math::SqrtOp>(mean);
  });
  variance.scale = x.scale;
  if (graph.random.chance(50))
    graph.add(centred);
  graph.add(variance);
  return true;
}

static bool addNamedReduction(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(1, 4));
  SmallVector<int64_t> dims = pickDims(graph, x);
  SmallVector<OpFoldResult> sizes;
  Node result{{}, {}, x.scale};
  for (int64_t d = 0; d < x.getRank(); ++d) {
    if (llvm::is_contained(dims, d))
      continue;
    sizes.push_back(graph.getSize(x, d));
    result.sizes.push_back(x.sizes[d]);
  }
  Value start = graph.scalar(x.getElement(), 0);
  Value init = graph.fill(start, graph.empty(sizes, x.getElement()));
  result.value =
      linalg::ReduceOp::create(graph.builder, graph.loc, x.value, init, dims,
                               [](OpBuilder &b, Location loc, ValueRange in) {
                                 Scalars s(b, loc);
                                 Value value = s.add(in[0], in[1]);
                                 linalg::YieldOp::create(b, loc, value);
                               })
          ->getResult(0);
  result.scale =
      x.scale * std::sqrt(double(x.getVolume()) / result.getVolume());
  graph.add(graph.tame(result));
  return true;
}

void fuzz::addReductionProductions(SmallVectorImpl<Production> &list) {
  list.append({{"sum", 5, addSum},
               {"folded sum", 3, addFoldedSum},
               {"extremum", 3, addExtremum},
               {"accumulation", 2, addAccumulation},
               {"position", 2, addPosition},
               {"integer reduction", 2, addIntegerReduction},
               {"variance", 2, addVariance},
               {"named reduction", 1, addNamedReduction}});
}
