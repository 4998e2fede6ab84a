//===- Views.cpp - Productions that move elements -------------------------===//
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

/// A float or an integer tensor.
static Node pickAny(GraphBuilder &graph, int64_t minRank, int64_t maxRank) {
  if (graph.random.chance(85))
    return graph.pickFloat(minRank, maxRank);
  return graph.pickInteger(minRank, maxRank);
}

static bool addTranspose(GraphBuilder &graph) {
  Node x = pickAny(graph, 2, 4);
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(x.getRank()));
  graph.random.shuffle(permutation);
  graph.add(graph.transpose(x, permutation));
  return true;
}

static bool addCollapse(GraphBuilder &graph) {
  Node x = pickAny(graph, 2, 5);
  int64_t count = graph.random.range(2, x.getRank());
  int64_t first = graph.random.range(0, x.getRank() - count);
  graph.add(graph.merge(x, first, count));
  return true;
}

static bool addExpand(GraphBuilder &graph) {
  Node x = pickAny(graph, 1, 3);
  int64_t d = graph.random.below(x.getRank());
  SmallVector<int64_t> divisors;
  for (int64_t i : {2, 3, 4, 8, 13, 16})
    if (x.sizes[d] % i == 0 && x.sizes[d])
      divisors.push_back(i);
  if (divisors.empty())
    return false;
  int64_t inner = graph.random.pick(ArrayRef<int64_t>(divisors));
  graph.add(graph.expand(x, d, {x.sizes[d] / inner, inner}));
  return true;
}

static bool addUnitDimension(GraphBuilder &graph) {
  Node x = pickAny(graph, 0, 3);
  int64_t d = graph.random.range(0, x.getRank());
  graph.add(graph.unsqueeze(x, d));
  return true;
}

static bool addSlice(GraphBuilder &graph) {
  Node x = pickAny(graph, 1, 4);
  int64_t d = graph.random.below(x.getRank());
  int64_t size = graph.random.range(1, x.sizes[d]);
  int64_t stride = graph.random.chance(25) ? graph.random.range(1, 3) : 1;
  if ((size - 1) * stride >= x.sizes[d])
    stride = 1;
  int64_t offset = graph.random.range(0, x.sizes[d] - (size - 1) * stride - 1);
  graph.add(graph.slice(x, d, offset, size, stride));
  return true;
}

/// A slice that loses a dimension of size 1.
static bool addElementSlice(GraphBuilder &graph) {
  Node x = pickAny(graph, 2, 4);
  int64_t d = graph.random.below(x.getRank());
  int64_t at = graph.random.below(x.sizes[d]);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<int64_t> shape;
  Node result{{}, {}, x.scale};
  for (int64_t i = 0; i < x.getRank(); ++i) {
    offsets.push_back(graph.builder.getIndexAttr(i == d ? at : 0));
    sizes.push_back(i == d ? OpFoldResult(graph.builder.getIndexAttr(1))
                           : graph.getSize(x, i));
    strides.push_back(graph.builder.getIndexAttr(1));
    if (i == d)
      continue;
    shape.push_back(x.getType().getDimSize(i));
    result.sizes.push_back(x.sizes[i]);
  }
  auto type = RankedTensorType::get(shape, x.getElement());
  result.value = tensor::ExtractSliceOp::create(
      graph.builder, graph.loc, type, x.value, offsets, sizes, strides);
  graph.add(result);
  return true;
}

/// Both halves, as gates and rotary embeddings take them.
static bool addSplit(GraphBuilder &graph) {
  Node x = graph.pickFloat(1, 4);
  int64_t d = graph.random.chance(60) ? x.getRank() - 1
                                      : graph.random.below(x.getRank());
  if (x.sizes[d] < 2)
    return false;
  int64_t first = graph.random.chance(60)
                      ? x.sizes[d] / 2
                      : graph.random.range(1, x.sizes[d] - 1);
  graph.add(graph.slice(x, d, 0, first));
  graph.add(graph.slice(x, d, first, x.sizes[d] - first));
  return true;
}

static bool addConcat(GraphBuilder &graph) {
  Node x = graph.pickFloat(1, 4, kMaxVolume / 2);
  int64_t d = graph.random.below(x.getRank());
  SmallVector<Node> parts = {x};
  unsigned more = graph.random.range(1, 2);
  for (unsigned i = 0; i < more; ++i) {
    Sizes sizes = x.sizes;
    if (graph.random.chance(50))
      sizes[d] = graph.size(8);
    Node part = sizes == x.sizes ? graph.pickLike(x)
                                 : graph.argument(x.getElement(), sizes);
    parts.push_back(part);
  }
  graph.random.shuffle(parts);
  graph.add(graph.concat(parts, d));
  return true;
}

static bool addPad(GraphBuilder &graph) {
  Node x = pickAny(graph, 1, 3);
  SmallVector<OpFoldResult> low, high;
  Node result{{}, x.sizes, x.scale};
  for (int64_t d = 0; d < x.getRank(); ++d) {
    int64_t before = graph.random.chance(50) ? graph.random.below(3) : 0;
    int64_t after = graph.random.chance(50) ? graph.random.below(4) : 0;
    low.push_back(graph.builder.getIndexAttr(before));
    high.push_back(graph.builder.getIndexAttr(after));
    result.sizes[d] += before + after;
  }
  Value value = graph.scalar(x.getElement(), graph.random.pick({0.0, 1.0}));
  SmallVector<int64_t> shape;
  for (int64_t d = 0; d < x.getRank(); ++d)
    shape.push_back(x.isDynamic(d) ? ShapedType::kDynamic : result.sizes[d]);
  auto type = RankedTensorType::get(shape, x.getElement());
  result.value = tensor::PadOp::create(graph.builder, graph.loc, type, x.value,
                                       low, high, value);
  graph.add(result);
  return true;
}

static bool addBroadcast(GraphBuilder &graph) {
  Node x = pickAny(graph, 0, 3);
  int64_t room = kMaxVolume / std::max<int64_t>(1, x.getVolume());
  int64_t count = graph.size(std::max<int64_t>(1, std::min<int64_t>(room, 16)));
  int64_t d = graph.random.range(0, x.getRank());
  Node result = graph.broadcast(x, d, count);
  // Repeated heads.
  if (d > 0 && graph.random.chance(40))
    result = graph.merge(result, d - 1, 2);
  graph.add(result);
  return true;
}

/// Forgets or states sizes.
static bool addTensorCast(GraphBuilder &graph) {
  Node x = pickAny(graph, 1, 3);
  SmallVector<int64_t> shape;
  for (int64_t d = 0; d < x.getRank(); ++d)
    shape.push_back(x.isDynamic(d) || graph.random.chance(60)
                        ? ShapedType::kDynamic
                        : x.sizes[d]);
  auto type = RankedTensorType::get(shape, x.getElement());
  Node result = x;
  result.value =
      tensor::CastOp::create(graph.builder, graph.loc, type, x.value);
  if (graph.random.chance(40)) {
    auto known = RankedTensorType::get(x.sizes, x.getElement());
    result.value =
        tensor::CastOp::create(graph.builder, graph.loc, known, result.value);
  }
  graph.add(result);
  return true;
}

/// A part of one tensor in place of a part of another.
static bool addInsert(GraphBuilder &graph) {
  Node x = graph.pickFloat(1, 4);
  int64_t d = graph.random.below(x.getRank());
  Sizes sizes = x.sizes;
  sizes[d] = graph.random.range(1, x.sizes[d]);
  int64_t offset = graph.random.range(0, x.sizes[d] - sizes[d]);
  Node part = sizes == x.sizes ? graph.pickLike(x)
                               : graph.argument(x.getElement(), sizes);
  SmallVector<OpFoldResult> offsets, extents, strides;
  for (int64_t i = 0; i < x.getRank(); ++i) {
    offsets.push_back(graph.builder.getIndexAttr(i == d ? offset : 0));
    extents.push_back(graph.getSize(part, i));
    strides.push_back(graph.builder.getIndexAttr(1));
  }
  Node result = x;
  result.value = tensor::InsertSliceOp::create(
      graph.builder, graph.loc, part.value, x.value, offsets, extents, strides);
  graph.add(result);
  return true;
}

void fuzz::addViewProductions(SmallVectorImpl<Production> &list) {
  list.append({{"transpose", 5, addTranspose},
               {"collapse", 4, addCollapse},
               {"expand", 4, addExpand},
               {"unit dimension", 2, addUnitDimension},
               {"slice", 4, addSlice},
               {"element slice", 2, addElementSlice},
               {"split", 3, addSplit},
               {"concat", 4, addConcat},
               {"pad", 2, addPad},
               {"broadcast", 4, addBroadcast},
               {"tensor cast", 1, addTensorCast},
               {"insert", 2, addInsert}});
}
