//===- Calls.cpp - Productions with private functions ---------------------===//
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

/// Puts a part of the graph into a function of its own.
static bool addCall(GraphBuilder &graph) {
  if (graph.isCallee)
    return false;
  Node x = graph.tame(graph.pickFloat(1, 4));
  Node y = graph.pickLike(x);
  OpBuilder &b = graph.builder;
  std::string name = "part" + std::to_string(graph.numCallees++);
  OpBuilder::InsertPoint point = b.saveInsertionPoint();
  SmallVector<Node> pool = std::move(graph.pool);
  graph.pool.clear();

  b.setInsertionPoint(graph.main);
  SmallVector<Type> inputs = {x.value.getType(), y.value.getType()};
  auto callee =
      func::FuncOp::create(b, graph.loc, name, b.getFunctionType(inputs, {}));
  callee.setPrivate();
  Block *body = callee.addEntryBlock();
  b.setInsertionPointToEnd(body);
  graph.isCallee = true;
  Node first = x, second = y;
  first.value = body->getArgument(0);
  second.value = body->getArgument(1);
  graph.add(second);
  graph.add(first);
  SmallVector<Production> productions;
  addElementwiseProductions(productions);
  addNormProductions(productions);
  addReductionProductions(productions);
  unsigned count = graph.random.range(1, 2);
  for (unsigned i = 0; i < count; ++i)
    graph.random.pick(ArrayRef<Production>(productions)).apply(graph);
  SmallVector<Node> results = {graph.pool.back()};
  if (graph.random.chance(30))
    results.push_back(graph.pool[graph.pool.size() / 2]);
  SmallVector<Value> values;
  SmallVector<Type> types;
  for (const Node &result : results) {
    values.push_back(result.value);
    types.push_back(result.value.getType());
  }
  func::ReturnOp::create(b, graph.loc, values);
  callee.setFunctionType(b.getFunctionType(inputs, types));

  graph.isCallee = false;
  graph.pool = std::move(pool);
  b.restoreInsertionPoint(point);
  // Called once or twice.
  unsigned calls = graph.random.range(1, 2);
  for (unsigned i = 0; i < calls; ++i) {
    auto call = func::CallOp::create(b, graph.loc, callee,
                                     ValueRange{x.value, y.value});
    for (auto [value, result] : llvm::zip(call.getResults(), results))
      graph.add({value, result.sizes, result.scale});
    std::swap(x, y);
    if (x.value.getType() != y.value.getType())
      break;
  }
  return true;
}

void fuzz::addCallProductions(SmallVectorImpl<Production> &list) {
  list.push_back({"call", 2, addCall});
}
