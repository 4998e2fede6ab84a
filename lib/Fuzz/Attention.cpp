//===- Attention.cpp - Productions with attention -------------------------===//
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

namespace {

/// One attention of [batch, heads, rows, columns], spelled in one of many ways.
class Attention {
public:
  Attention(GraphBuilder &graph, const Node &q, const Node &k, const Node &v)
      : graph(graph), random(graph.random), q(q), k(k), v(v),
        outer(q.getElement()) {}

  Node build();

private:
  void shareHeads();
  void scaleOperands();
  Node multiply();
  Node mask(Node scores);
  Node maskByTensor(const Node &scores);
  Node bound(const Node &scores);
  Node maskByPosition(Node scores);
  Node guard(const Node &scores, const Node &probabilities);
  Node sink(const Node &scores);
  Node weigh(const Node &probabilities);
  Node divideLate(const Node &scores);

  Node choose(const Node &condition, const Node &scores, bool isInfinite);
  /// A finite score that masks.
  double getLowest(Type type) {
    if (random.chance(25))
      return -3e4;
    return type.isF16() ? -65504.0 : -1e30;
  }

  GraphBuilder &graph;
  Random &random;
  Node q, k, v;
  Type outer;
  double remainingScale = 1;
};

} // namespace

/// Query heads that share keys: the keys are repeated.
void Attention::shareHeads() {
  if (q.sizes[1] == k.sizes[1])
    return;
  int64_t count = q.sizes[1] / k.sizes[1];
  for (Node *node : {&k, &v}) {
    Node repeated = graph.broadcast(*node, 2, count);
    *node = graph.merge(repeated, 1, 2);
  }
}

void Attention::scaleOperands() {
  double factor = 1 / std::sqrt(double(q.sizes.back()));
  if (random.chance(15))
    factor = random.pick({0.3, 1.0, -0.5});
  switch (random.below(4)) {
  case 0: {
    double root = std::sqrt(std::abs(factor));
    q = graph.scale(q, root);
    k = graph.scale(k, factor < 0 ? -root : root);
    return;
  }
  case 1:
    q = graph.scale(q, factor);
    return;
  case 2:
    k = graph.scale(k, factor);
    return;
  default:
    remainingScale = factor;
    return;
  }
}

Node Attention::multiply() {
  Type accumulator = random.chance(85) ? graph.f32 : outer;
  Node scores;
  switch (random.below(3)) {
  case 0:
    scores = graph.contract("bhqd,bhkd->bhqk", q, k, accumulator);
    break;
  case 1: {
    Node transposed = graph.transposeLast(k);
    scores = graph.contract("bhqd,bhdk->bhqk", q, transposed, accumulator);
    break;
  }
  default: {
    // As torch does: three-dimensional, one batch of both dimensions.
    Node transposed = graph.transposeLast(k);
    Node left = graph.merge(q, 0, 2);
    Node right = graph.merge(transposed, 0, 2);
    SmallVector<OpFoldResult> sizes = {graph.getSize(left, 0)};
    sizes.push_back(graph.getSize(left, 1));
    sizes.push_back(graph.getSize(right, 2));
    Value zero = graph.scalar(accumulator, 0);
    Value init = graph.fill(zero, graph.empty(sizes, accumulator));
    Value product =
        linalg::BatchMatmulOp::create(graph.builder, graph.loc,
                                      ValueRange{left.value, right.value}, init)
            .getResult(0);
    Node flat{product, {left.sizes[0], left.sizes[1], right.sizes[2]}, 1};
    scores = graph.splitBatch(flat, q);
    break;
  }
  }
  if (accumulator != outer && random.chance(40))
    scores = graph.cast(scores, outer);
  if (remainingScale != 1) {
    bool isDivided = random.chance(40);
    scores = graph.map(scores, [&](Scalars &s, ValueRange in) {
      Type type = in[0].getType();
      if (isDivided)
        return s.div(in[0], s.constant(type, 1 / remainingScale));
      return s.mulConstant(in[0], remainingScale);
    });
  }
  if (random.chance(8)) {
    // Learned, for each head, or of each query or key.
    int64_t heads = scores.sizes[1], rows = scores.sizes[2],
            columns = scores.sizes[3];
    Node factors =
        graph.argument(scores.getElement(),
                       random.pick({Sizes{heads, 1, 1}, Sizes{heads, rows, 1},
                                    Sizes{columns}, Sizes{rows, columns}}));
    scores = graph.map(
        {scores, factors}, scores.getElement(),
        [](Scalars &s, ValueRange in) { return s.mul(in[0], in[1]); });
  }
  if (random.chance(10)) {
    double cap = random.pick({5.0, 30.0});
    scores = graph.map(scores, [&](Scalars &s, ValueRange in) {
      Type type = in[0].getType();
      Value inner = s.div(in[0], s.constant(type, cap));
      Value tanh = s.make<math::TanhOp>(inner);
      return s.mulConstant(tanh, cap);
    });
  }
  scores.scale = 3;
  return scores;
}

Node Attention::choose(const Node &condition, const Node &scores,
                       bool isInfinite) {
  Type type = scores.getElement();
  double lowest = getLowest(type);
  if (random.chance(50)) {
    // A choice for each score.
    return graph.map({condition, scores}, type, [&](Scalars &s, ValueRange in) {
      Value low =
          isInfinite ? s.infinity(type, true) : s.constant(type, lowest);
      return s.select(in[0], in[1], low);
    });
  }
  // A mask of zeros and low numbers, added.
  Node added = graph.map(condition, type, [&](Scalars &s, ValueRange in) {
    Value zero = s.constant(type, 0);
    Value low = isInfinite ? s.infinity(type, true) : s.constant(type, lowest);
    return s.select(in[0], zero, low);
  });
  return graph.map({scores, added}, type, [](Scalars &s, ValueRange in) {
    return s.add(in[0], in[1]);
  });
}

/// Causal masks and windows, from positions.
Node Attention::maskByPosition(Node scores) {
  bool isInfinite = random.chance(60);
  bool isWindow = random.chance(20);
  int64_t window = random.range(1, 9);
  // With more queries than keys an offset of zero keeps a key for each row.
  int64_t offset =
      random.chance(50) ? std::max<int64_t>(0, k.sizes[2] - q.sizes[2]) : 0;
  bool isRunTime = random.chance(20);
  Node position;
  if (isRunTime)
    position = graph.argument(graph.i64, Integers{});
  auto keep = [&](Scalars &s, Value run) {
    Value row = s.position(0, graph.i64);
    row = run ? s.add(row, run) : s.addConstant(row, double(offset));
    Value column = s.position(1, graph.i64);
    Value result = s.compare(arith::CmpIPredicate::sle, column, row);
    if (!isWindow)
      return result;
    Value first = s.addConstant(row, double(-window));
    Value isNear = s.compare(arith::CmpIPredicate::sgt, column, first);
    return s.make<arith::AndIOp>(result, isNear);
  };
  // Of [queries, keys]; the sizes are those of the scores.
  SmallVector<OpFoldResult> sizes = {graph.getSize(scores, 2)};
  sizes.push_back(graph.getSize(scores, 3));
  Node shape{
      graph.empty(sizes, graph.i1), {scores.sizes[2], scores.sizes[3]}, 1};
  Node condition;
  if (isRunTime) {
    AffineMap map = AffineMap::get(2, 0, graph.builder.getContext());
    condition = graph.pointwise(
        shape, position, map, graph.i1,
        [&](Scalars &s, ValueRange in) { return keep(s, in[0]); });
  } else {
    condition =
        graph.pointwise(shape, {}, {}, graph.i1,
                        [&](Scalars &s, ValueRange) { return keep(s, {}); });
  }
  if (random.chance(40)) {
    condition = graph.unsqueeze(condition, 0);
    condition = graph.unsqueeze(condition, 0);
  }
  return choose(condition, scores, isInfinite);
}

Node Attention::mask(Node scores) {
  if (random.chance(40))
    scores = maskByPosition(scores);
  scores = maskByTensor(scores);
  if (random.chance(20))
    scores = maskByTensor(scores);
  return random.chance(6) ? bound(scores) : scores;
}

/// Scores that are no less than a finite one that masks, as exporters write it.
Node Attention::bound(const Node &scores) {
  Type type = scores.getElement();
  double lowest = getLowest(type);
  unsigned form = random.below(3);
  Node bounded = graph.map(scores, [&](Scalars &s, ValueRange in) {
    Value low = s.constant(type, lowest);
    if (form == 0)
      return s.make<arith::MaximumFOp>(in[0], low);
    if (form == 1)
      return s.select(s.compare(arith::CmpFPredicate::OGT, in[0], low), in[0],
                      low);
    return s.select(s.compare(arith::CmpFPredicate::ULT, in[0], low), low,
                    in[0]);
  });
  bounded.scale = scores.scale;
  return bounded;
}

Node Attention::maskByTensor(const Node &scores) {
  Type type = scores.getElement();
  int64_t batch = scores.sizes[0], heads = scores.sizes[1],
          rows = scores.sizes[2], columns = scores.sizes[3];
  switch (random.below(8)) {
  case 0: {
    // Any numbers, added.
    Sizes sizes = random.pick({Sizes{rows, columns}, Sizes{1, 1, rows, columns},
                               Sizes{batch, 1, 1, columns},
                               Sizes{batch, heads, rows, columns}});
    Node added = graph.argument(type, sizes);
    return graph.map({scores, added}, type, [](Scalars &s, ValueRange in) {
      return s.add(in[0], in[1]);
    });
  }
  case 1: {
    // True or false for each score or each key.
    Sizes sizes =
        random.pick({Sizes{rows, columns}, Sizes{batch, 1, 1, columns},
                     Sizes{batch, 1, rows, columns}});
    Node condition = graph.argument(graph.i1, sizes);
    return choose(condition, scores, random.chance(30));
  }
  case 2: {
    // The lengths of the batch.
    Node lengths = graph.argument(graph.i64, {batch, 1, 1, 1});
    double lowest = getLowest(type);
    Node masked =
        graph.map({scores, lengths}, type, [&](Scalars &s, ValueRange in) {
          Value column = s.position(3, graph.i64);
          Value keep = s.compare(arith::CmpIPredicate::sle, column, in[1]);
          return s.select(keep, in[0], s.constant(type, lowest));
        });
    masked.scale = scores.scale;
    return masked;
  }
  case 3: {
    // Slopes by distance.
    Node slopes = graph.argument(type, {heads, 1, 1});
    return graph.map({scores, slopes}, type, [&](Scalars &s, ValueRange in) {
      Value column = s.position(3, graph.i64);
      Value row = s.position(2, graph.i64);
      Value distance = s.cast(s.sub(column, row), type);
      Value bias = s.mul(s.mulConstant(distance, 0.0625), in[1]);
      return s.add(in[0], bias);
    });
  }
  default:
    return scores;
  }
}

/// Rows with every score at minus infinity give zeros.
Node Attention::guard(const Node &scores, const Node &probabilities) {
  Node isMasked = graph.map(scores, graph.i1, [&](Scalars &s, ValueRange in) {
    Value wide = s.cast(in[0], graph.f64);
    Value low = s.infinity(graph.f64, true);
    return s.compare(arith::CmpFPredicate::OEQ, wide, low);
  });
  Value start = graph.scalar(graph.i1, 1);
  Node isDead = graph.reduce(isMasked, {3}, true, start, graph.i1,
                             [](Scalars &s, ValueRange in) {
                               return s.make<arith::AndIOp>(in[0], in[1]);
                             });
  Type type = probabilities.getElement();
  return graph.map({isDead, probabilities}, type,
                   [&](Scalars &s, ValueRange in) {
                     return s.select(in[0], s.constant(type, 0), in[1]);
                   });
}

/// One more column, which takes a share and has no value.
Node Attention::sink(const Node &scores) {
  Sizes sizes = scores.sizes;
  sizes[3] = 1;
  Node column = graph.argument(scores.getElement(), sizes);
  Node joined = graph.concat({scores, column}, 3);
  joined.scale = scores.scale;
  Node probabilities = softmax(graph, joined, 3);
  return graph.slice(probabilities, 3, 0, scores.sizes[3]);
}

Node Attention::weigh(const Node &probabilities) {
  Node narrow =
      random.chance(70) ? graph.cast(probabilities, outer) : probabilities;
  Type accumulator = random.chance(85) ? graph.f32 : outer;
  Node result;
  if (random.chance(40)) {
    result = graph.contract("bhqk,bhkd->bqhd", narrow, v, accumulator);
    result = graph.cast(result, outer);
    return random.chance(50) ? graph.merge(result, 2, 2)
                             : graph.transpose(result, {0, 2, 1, 3});
  }
  result = graph.contract("bhqk,bhkd->bhqd", narrow, v, accumulator);
  result = graph.cast(result, outer);
  if (random.chance(50))
    return result;
  Node swapped = graph.transpose(result, {0, 2, 1, 3});
  return graph.merge(swapped, 2, 2);
}

/// The division by the sum of the exponentials comes last.
Node Attention::divideLate(const Node &scores) {
  Exponentials parts = exponentiate(graph, scores, 3);
  Node powers = graph.cast(parts.powers, outer);
  Node result = graph.contract("bhqk,bhkd->bhqd", powers, v, graph.f32);
  Node total = graph.cast(parts.total, graph.f32);
  result = graph.map({result, total}, graph.f32, [](Scalars &s, ValueRange in) {
    return s.div(in[0], in[1]);
  });
  result = graph.cast(result, outer);
  if (random.chance(50))
    return result;
  return graph.merge(graph.transpose(result, {0, 2, 1, 3}), 2, 2);
}

Node Attention::build() {
  bool isWidened = outer != graph.f32 && random.chance(30);
  shareHeads();
  if (isWidened) {
    q = graph.cast(q, graph.f32);
    k = graph.cast(k, graph.f32);
    v = graph.cast(v, graph.f32);
    outer = graph.f32;
  }
  scaleOperands();
  Node product = multiply();
  if (random.chance(5))
    graph.add(product);
  Node scores = mask(product);
  if (random.chance(6)) {
    Node result = divideLate(scores);
    result.scale = v.scale;
    return result;
  }
  Node probabilities;
  if (random.chance(8)) {
    probabilities = sink(scores);
  } else {
    probabilities = softmax(graph, scores, 3);
    if (random.chance(30))
      probabilities = guard(scores, probabilities);
  }
  probabilities.scale = 1;
  if (random.chance(15))
    graph.add(probabilities);
  Node result = weigh(probabilities);
  result.scale = v.scale;
  return result;
}

Node fuzz::attend(GraphBuilder &graph, const Node &q, const Node &k,
                  const Node &v) {
  Type outer = q.getElement();
  Node result = Attention(graph, q, k, v).build();
  return graph.cast(result, outer);
}

/// Attention of arguments.
static bool addAttention(GraphBuilder &graph) {
  Random &random = graph.random;
  int64_t batch = random.pick({int64_t(1), int64_t(1), int64_t(2)});
  int64_t shared =
      random.pick({int64_t(1), int64_t(1), int64_t(2), int64_t(3)});
  int64_t groups = random.pick({int64_t(1), int64_t(2), int64_t(3)});
  int64_t rows = graph.size(33);
  int64_t columns = random.chance(40) ? rows : graph.size(65);
  if (random.chance(20))
    rows = 1;
  int64_t depth =
      random.pick({int64_t(1), int64_t(2), int64_t(7), int64_t(8), int64_t(16),
                   int64_t(16), int64_t(17), int64_t(32), int64_t(64)});
  int64_t width = random.chance(75) ? depth : graph.size(33);
  while (batch * shared * groups * rows * columns * depth > kMaxProduct) {
    int64_t &larger = rows > columns ? rows : columns;
    larger /= 2;
  }
  Type element = graph.floatType();
  Node q = graph.argument(element, {batch, shared * groups, rows, depth});
  Node k = graph.argument(element, {batch, groups, columns, depth});
  Node v = graph.argument(element, {batch, groups, columns, width});
  if (depth % 2 == 0 && random.chance(30)) {
    q = rotate(graph, q, 2);
    k = rotate(graph, k, 2);
  }
  if (depth > 1 && random.chance(10)) {
    q = normalizeRows(graph, q);
    k = normalizeRows(graph, k);
  }
  if (random.chance(20)) {
    // Keys and values that were there before.
    Sizes sizes = k.sizes;
    sizes[2] += random.range(0, 7);
    Node keys = graph.argument(element, sizes);
    sizes[3] = width;
    Node values = graph.argument(element, sizes);
    k = updateCache(graph, keys, k, 2);
    v = updateCache(graph, values, v, 2);
    graph.add(k);
    graph.add(v);
  }
  graph.add(attend(graph, q, k, v));
  return true;
}

void fuzz::addAttentionProductions(SmallVectorImpl<Production> &list) {
  list.push_back({"attention", 9, addAttention});
}
