//===- Contractions.cpp - Productions that multiply matrices --------------===//
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

/// The most columns that a weight for x may have.
static int64_t getMaxColumns(const Node &x) {
  return std::min<int64_t>(129,
                           kMaxProduct / std::max<int64_t>(1, x.getVolume()));
}

static Node addBias(GraphBuilder &graph, const Node &x) {
  Node bias = graph.argument(x.getElement(), Integers(x.sizes).take_back(1));
  return graph.map({x, bias}, x.getElement(), [](Scalars &s, ValueRange in) {
    return s.add(in[0], in[1]);
  });
}

static Node project(GraphBuilder &graph, const Node &x, int64_t columns) {
  bool isTransposed = graph.random.chance(60);
  int64_t depth = x.sizes.back();
  Node weight =
      graph.argument(x.getElement(), isTransposed ? Sizes{columns, depth}
                                                  : Sizes{depth, columns});
  return graph.linear(x, weight, isTransposed);
}

/// x times a weight, with what follows in a model.
static bool addLinear(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(1, 4));
  int64_t columns = graph.size(getMaxColumns(x));
  Node result = project(graph, x, columns);
  if (graph.random.chance(40))
    result = addBias(graph, result);
  if (graph.random.chance(40))
    result = activate(graph, graph.tame(result));
  if (graph.random.chance(40)) {
    Node residual = graph.pickLike(result);
    result = graph.map(
        {residual, result}, result.getElement(),
        [](Scalars &s, ValueRange in) { return s.add(in[0], in[1]); });
  }
  graph.add(graph.tame(result));
  return true;
}

/// Several products of one tensor, of unequal widths.
static bool addProjections(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(2, 3));
  if (graph.random.chance(40) && x.sizes.back() > 1)
    x = normalizeRows(graph, x);
  unsigned count = graph.random.range(2, 4);
  bool hasBias = graph.random.chance(40);
  int64_t most = std::max<int64_t>(1, getMaxColumns(x) / count);
  int64_t columns = graph.size(most);
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0 && graph.random.chance(60))
      columns = graph.size(most);
    Node result = project(graph, x, columns);
    if (hasBias)
      result = addBias(graph, result);
    if (graph.random.chance(20))
      result = activate(graph, graph.tame(result));
    if (graph.random.chance(20) && i > 0)
      result = graph.transposeLast(result);
    graph.add(graph.tame(result));
  }
  return true;
}

Node fuzz::feedForward(GraphBuilder &graph, const Node &x, int64_t inner) {
  Node hidden;
  if (graph.random.chance(60)) {
    Node gate = graph.tame(project(graph, x, inner));
    Node up = graph.tame(project(graph, x, inner));
    Node active = activate(graph, gate);
    hidden =
        graph.map({active, up}, x.getElement(), [](Scalars &s, ValueRange in) {
          return s.mul(in[0], in[1]);
        });
  } else {
    Node up = project(graph, x, inner);
    if (graph.random.chance(60))
      up = addBias(graph, up);
    hidden = activate(graph, graph.tame(up));
  }
  Node result = project(graph, hidden, x.sizes.back());
  if (graph.random.chance(30))
    result = addBias(graph, result);
  return graph.tame(result);
}

static bool addFeedForward(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(2, 3));
  int64_t inner = graph.size(std::max<int64_t>(1, getMaxColumns(x) / 3));
  graph.add(feedForward(graph, x, inner));
  return true;
}

/// Any layout of a contraction, as einsum writes it.
static bool addEinsum(GraphBuilder &graph) {
  static constexpr StringLiteral kSpecs[] = {
      "mk,kn->mn",     "mk,nk->mn",       "km,kn->mn",       "mk,nk->nm",
      "bmk,bkn->bmn",  "bmk,bnk->bmn",    "bmk,bnk->mbn",    "mbk,nbk->bmn",
      "bmk,kn->bmn",   "mk,bkn->bmn",     "k,kn->n",         "mk,k->m",
      "k,k->",         "m,n->mn",         "bk,bk->b",        "mkl,kln->mn",
      "abk,khd->abhd", "bqhd,bkhd->bhqk", "bhqk,bkhd->bqhd", "ahqd,ahkd->ahqk"};
  StringRef spec = graph.random.pick(ArrayRef<StringLiteral>(kSpecs));
  auto [inputs, output] = spec.split("->");
  auto [first, second] = inputs.split(',');
  // Few letters are large, lest the product is.
  std::string letters;
  Sizes sizes;
  int64_t work = 1;
  for (char letter : (first + second).str()) {
    if (letters.find(letter) != std::string::npos)
      continue;
    letters += letter;
    int64_t room = std::max<int64_t>(1, kMaxProduct / work);
    int64_t most = std::min<int64_t>(room, letters.size() > 3 ? 8 : 65);
    sizes.push_back(graph.size(most));
    work *= sizes.back();
  }
  auto getSizes = [&](StringRef indices) {
    Sizes result;
    for (char letter : indices)
      result.push_back(sizes[letters.find(letter)]);
    return result;
  };
  Type element = graph.floatType();
  Node x = graph.argument(element, getSizes(first));
  Type other = graph.random.chance(90) ? element : graph.floatType();
  Node y = graph.argument(other, getSizes(second));
  if (graph.random.chance(30))
    x = graph.map(x, [&](Scalars &s, ValueRange in) {
      return randomUnary(graph, s, in[0]);
    });
  Type accumulator = graph.random.chance(80) ? graph.f32 : element;
  Node start;
  if (graph.random.chance(20))
    start = graph.argument(accumulator, getSizes(output));
  Node result = graph.contract(spec, x, y, accumulator, start);
  result = graph.tame(graph.cast(result, element));
  if (graph.random.chance(30)) {
    result = graph.map(result, [&](Scalars &s, ValueRange in) {
      return randomUnary(graph, s, in[0]);
    });
    result.scale = 2;
  }
  graph.add(result);
  return true;
}

/// A product of two tensors of the graph, the second one transposed.
static bool addScores(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(2, 3, 1024));
  Node y = graph.pickLike(x);
  bool isBatched = x.getRank() == 3;
  Node right = graph.transposeLast(y);
  Node result;
  if (graph.random.chance(50)) {
    result = graph.contract(isBatched ? "bmk,bkn->bmn" : "mk,kn->mn", x, right,
                            graph.f32);
  } else {
    result = graph.contract(isBatched ? "bmk,bnk->bmn" : "mk,nk->mn", x, y,
                            graph.f32);
  }
  graph.add(graph.tame(graph.cast(result, x.getElement())));
  return true;
}

/// A -> B -> C beside A -> C.
static bool addDiamond(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(2, 2, 1024));
  int64_t columns = x.sizes.back();
  Node first = graph.tame(project(graph, x, columns));
  Node second = graph.tame(project(graph, first, columns));
  Node result =
      graph.map({first, second}, x.getElement(),
                [](Scalars &s, ValueRange in) { return s.add(in[0], in[1]); });
  if (graph.random.chance(50))
    result = graph.tame(project(graph, result, columns));
  if (graph.random.chance(30))
    graph.add(first);
  graph.add(result);
  return true;
}

/// A weight of eight bits, with a scale per row.
static bool addQuantized(GraphBuilder &graph) {
  Node x = graph.tame(graph.pickFloat(2, 3));
  int64_t depth = x.sizes.back(), columns = graph.size(getMaxColumns(x));
  Node weight = graph.argument(graph.i8, {columns, depth});
  Node scales = graph.argument(x.getElement(), {columns, 1});
  Node wide = graph.map({weight, scales}, x.getElement(),
                        [](Scalars &s, ValueRange in) {
                          Value number = s.cast(in[0], in[1].getType());
                          Value scaled = s.mulConstant(number, 1.0 / 64);
                          return s.mul(scaled, in[1]);
                        });
  graph.add(graph.tame(graph.linear(x, wide, /*isTransposed=*/true)));
  return true;
}

/// Products of integers.
static bool addIntegerProduct(GraphBuilder &graph) {
  Type element = graph.random.pick({graph.i8, graph.i32, graph.i64});
  int64_t m = graph.size(33), k = graph.size(33), n = graph.size(33);
  Node x = graph.argument(element, {m, k});
  Node y = graph.argument(element, {k, n});
  Type accumulator = element == graph.i8 ? graph.i32 : element;
  graph.add(graph.contract("mk,kn->mn", x, y, accumulator));
  return true;
}

void fuzz::addContractionProductions(SmallVectorImpl<Production> &list) {
  list.append({{"linear", 8, addLinear},
               {"projections", 5, addProjections},
               {"feed forward", 4, addFeedForward},
               {"einsum", 6, addEinsum},
               {"scores", 3, addScores},
               {"diamond", 2, addDiamond},
               {"quantized", 1, addQuantized},
               {"integer product", 1, addIntegerProduct}});
}
