//===- Rope.cpp - Productions with rotary embeddings ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

namespace {
struct Angles {
  Node cosine, sine;
};
} // namespace

/// Cosine and sine of [rows, columns]: arguments, or computed from positions.
static Angles makeAngles(GraphBuilder &graph, int64_t rows, int64_t columns,
                         bool isDoubled, Type type) {
  if (graph.random.chance(50)) {
    Node cosine = graph.argument(type, {rows, columns});
    Node sine = graph.argument(type, {rows, columns});
    return {cosine, sine};
  }
  int64_t half = isDoubled ? columns / 2 : columns;
  Node frequencies = graph.argument(graph.f32, {half});
  Node positions = graph.random.chance(50) ? graph.argument(graph.i64, {rows})
                                           : graph.table(graph.i64, {rows});
  Node numbers = graph.cast(positions, graph.f32);
  Node column = graph.unsqueeze(numbers, 1);
  Node angles =
      graph.map({column, frequencies}, graph.f32,
                [](Scalars &s, ValueRange in) { return s.mul(in[0], in[1]); });
  if (isDoubled)
    angles = graph.concat({angles, angles}, 1);
  Node cosine = graph.map(angles, [](Scalars &s, ValueRange in) {
    return s.make<math::CosOp>(in[0]);
  });
  Node sine = graph.map(angles, [](Scalars &s, ValueRange in) {
    return s.make<math::SinOp>(in[0]);
  });
  return {graph.cast(cosine, type), graph.cast(sine, type)};
}

/// Gives [rows, columns] the rank of x, rows at `position`.
static Node align(GraphBuilder &graph, const Node &angles, int64_t rank,
                  int64_t position) {
  Node result = angles;
  for (int64_t d = position + 1; d < rank - 1; ++d)
    result = graph.unsqueeze(result, 1);
  for (int64_t d = 0; d < position; ++d)
    result = graph.unsqueeze(result, 0);
  return result;
}

static Node multiply(GraphBuilder &graph, const Node &x, const Node &y) {
  return graph.map({x, y}, x.getElement(), [](Scalars &s, ValueRange in) {
    return s.mul(in[0], in[1]);
  });
}

static Node combine(GraphBuilder &graph, const Node &x, const Node &y,
                    bool isSum) {
  return graph.map({x, y}, x.getElement(), [&](Scalars &s, ValueRange in) {
    return isSum ? s.add(in[0], in[1]) : s.sub(in[0], in[1]);
  });
}

/// x cos + (-second half, first half) sin.
static Node rotateHalves(GraphBuilder &graph, const Node &x, int64_t position) {
  int64_t rank = x.getRank(), last = rank - 1, columns = x.sizes.back();
  Angles angles = makeAngles(graph, x.sizes[position], columns,
                             /*isDoubled=*/true, x.getElement());
  Node cosine = align(graph, angles.cosine, rank, position);
  Node sine = align(graph, angles.sine, rank, position);
  Node kept = multiply(graph, x, cosine);
  Node first = graph.slice(x, last, 0, columns / 2);
  Node second = graph.slice(x, last, columns / 2, columns / 2);
  Node negated =
      graph.map(second, [](Scalars &s, ValueRange in) { return s.neg(in[0]); });
  Node rotated = graph.concat({negated, first}, last);
  return combine(graph, kept, multiply(graph, rotated, sine), true);
}

/// The two parts of a pair, of halves or of neighbours, rotated and joined.
static Node rotateParts(GraphBuilder &graph, const Node &x, int64_t position) {
  int64_t rank = x.getRank(), last = rank - 1, half = x.sizes.back() / 2;
  bool isInterleaved = graph.random.chance(60);
  Angles angles = makeAngles(graph, x.sizes[position], half,
                             /*isDoubled=*/false, x.getElement());
  Node cosine = align(graph, angles.cosine, rank, position);
  Node sine = align(graph, angles.sine, rank, position);
  int64_t stride = isInterleaved ? 2 : 1;
  Node first = graph.slice(x, last, 0, half, stride);
  Node second = graph.slice(x, last, isInterleaved ? 1 : half, half, stride);
  Node a = multiply(graph, first, cosine);
  Node b = multiply(graph, second, sine);
  Node c = multiply(graph, first, sine);
  Node d = multiply(graph, second, cosine);
  Node real = combine(graph, a, b, false);
  Node imaginary = combine(graph, c, d, true);
  if (!isInterleaved)
    return graph.concat({real, imaginary}, last);
  Node left = graph.unsqueeze(real, rank);
  Node right = graph.unsqueeze(imaginary, rank);
  return graph.merge(graph.concat({left, right}, rank), last, 2);
}

Node fuzz::rotate(GraphBuilder &graph, const Node &x, int64_t position) {
  Node result;
  int64_t columns = x.sizes.back(), last = x.getRank() - 1;
  // A part of the columns, at times.
  if (columns >= 4 && columns % 4 == 0 && graph.random.chance(15)) {
    Node part = graph.slice(x, last, 0, columns / 2);
    Node rest = graph.slice(x, last, columns / 2, columns / 2);
    Node rotated = rotateHalves(graph, part, position);
    result = graph.concat({rotated, rest}, last);
  } else {
    result = graph.random.chance(60) ? rotateHalves(graph, x, position)
                                     : rotateParts(graph, x, position);
  }
  result.scale = x.scale * 1.5;
  return result;
}

static bool addRope(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(2, 4));
  if (x.sizes.back() % 2 != 0 || x.sizes.back() == 0)
    return false;
  int64_t position = graph.random.range(0, x.getRank() - 2);
  graph.add(rotate(graph, x, position));
  return true;
}

void fuzz::addRopeProductions(SmallVectorImpl<Production> &list) {
  list.push_back({"rope", 4, addRope});
}
