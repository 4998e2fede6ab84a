//===- Blocks.cpp - Productions of whole parts of models ------------------===//
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

static Node addTo(GraphBuilder &graph, const Node &x, const Node &y) {
  Node result =
      graph.map({x, y}, x.getElement(),
                [](Scalars &s, ValueRange in) { return s.add(in[0], in[1]); });
  result.scale = x.scale + y.scale;
  return result;
}

static Node project(GraphBuilder &graph, const Node &x, int64_t columns) {
  bool isTransposed = graph.random.chance(70);
  int64_t depth = x.sizes.back();
  Node weight =
      graph.argument(x.getElement(), isTransposed ? Sizes{columns, depth}
                                                  : Sizes{depth, columns});
  return graph.tame(graph.linear(x, weight, isTransposed));
}

/// [batch, rows, heads * columns] as [batch, heads, rows, columns].
static Node splitHeads(GraphBuilder &graph, const Node &x, int64_t heads) {
  Node split = graph.expand(x, 2, {heads, x.sizes[2] / heads});
  return graph.transpose(split, {0, 2, 1, 3});
}

/// Attention between projections, of one packed product or of three.
static Node attendSelf(GraphBuilder &graph, const Node &x) {
  Random &random = graph.random;
  int64_t depth = random.pick({int64_t(4), int64_t(8), int64_t(16)});
  int64_t shared = random.pick({int64_t(1), int64_t(2)});
  int64_t groups = random.pick({int64_t(1), int64_t(2)});
  int64_t width = groups * depth;
  Node q, k, v;
  if (random.chance(25)) {
    Node packed = project(graph, x, shared * width + 2 * width);
    q = graph.slice(packed, 2, 0, shared * width);
    k = graph.slice(packed, 2, shared * width, width);
    v = graph.slice(packed, 2, shared * width + width, width);
  } else {
    q = project(graph, x, shared * width);
    k = project(graph, x, width);
    v = project(graph, x, width);
  }
  q = splitHeads(graph, q, shared * groups);
  k = splitHeads(graph, k, groups);
  v = splitHeads(graph, v, groups);
  if (random.chance(15)) {
    q = normalizeRows(graph, q);
    k = normalizeRows(graph, k);
  }
  if (random.chance(60)) {
    q = rotate(graph, q, 2);
    k = rotate(graph, k, 2);
  }
  if (random.chance(25)) {
    Sizes sizes = k.sizes;
    sizes[2] += random.range(1, 9);
    Node keys = graph.argument(k.getElement(), sizes);
    Node values = graph.argument(v.getElement(), sizes);
    k = updateCache(graph, keys, k, 2);
    v = updateCache(graph, values, v, 2);
    graph.add(k);
    graph.add(v);
  }
  Node result = attend(graph, q, k, v);
  if (result.getRank() == 4)
    result = graph.merge(graph.transpose(result, {0, 2, 1, 3}), 2, 2);
  return project(graph, result, x.sizes.back());
}

/// A layer of a transformer, normed before or after.
static bool addLayer(GraphBuilder &graph) {
  Random &random = graph.random;
  int64_t batch = random.pick({int64_t(1), int64_t(1), int64_t(2)});
  int64_t rows = random.chance(25) ? 1 : graph.size(17);
  int64_t columns =
      random.pick({int64_t(8), int64_t(16), int64_t(24), int64_t(33)});
  Type element = graph.floatType();
  Node x = graph.argument(element, {batch, rows, columns});
  bool isFirst = random.chance(70);
  Node input = isFirst ? normalizeRows(graph, x) : x;
  Node middle = addTo(graph, x, attendSelf(graph, input));
  if (!isFirst)
    middle = normalizeRows(graph, middle);
  if (random.chance(60)) {
    Node next = isFirst ? normalizeRows(graph, graph.tame(middle)) : middle;
    int64_t inner = random.pick({int64_t(16), int64_t(31), int64_t(40)});
    middle = addTo(graph, middle, feedForward(graph, next, inner));
  }
  graph.add(graph.tame(middle));
  return true;
}

void fuzz::addBlockProductions(SmallVectorImpl<Production> &list) {
  list.push_back({"layer", 1, addLayer});
}
