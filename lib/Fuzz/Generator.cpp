//===- Generator.cpp - Graphs from seeds ----------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Fuzz/Generator.h"

#include "GraphBuilder.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

/// At most so many results.
static constexpr size_t kMaxResults = 6;
/// At most so many forms in a graph.
static constexpr unsigned kMaxProductions = 6;

static void grow(GraphBuilder &graph) {
  SmallVector<Production> productions;
  addElementwiseProductions(productions);
  addViewProductions(productions);
  addIndexingProductions(productions);
  addReductionProductions(productions);
  addNormProductions(productions);
  addContractionProductions(productions);
  addRopeProductions(productions);
  addAttentionProductions(productions);
  addCallProductions(productions);
  addBlockProductions(productions);
  unsigned total = 0;
  for (const Production &production : productions)
    total += production.weight;
  // Many small graphs find more than few large ones in the same time.
  unsigned count = 1;
  while (count < kMaxProductions && graph.random.chance(45))
    ++count;
  while (count > 0) {
    unsigned at = graph.random.below(total);
    const Production *chosen = productions.begin();
    while (at >= chosen->weight)
      at -= chosen++->weight;
    count -= chosen->apply(graph);
  }
}

/// Returns what nothing uses, and at times what something does.
static void addResults(GraphBuilder &graph) {
  SmallVector<Value> results;
  for (const Node &node : llvm::reverse(graph.pool))
    if (results.size() < kMaxResults &&
        !llvm::is_contained(results, node.value))
      if (node.value.use_empty() || graph.random.chance(15))
        results.push_back(node.value);
  if (results.empty())
    results.push_back(graph.pool.back().value);
  SmallVector<Type> types;
  for (Value result : results)
    types.push_back(result.getType());
  func::ReturnOp::create(graph.builder, graph.loc, results);
  graph.main.setFunctionType(
      graph.builder.getFunctionType(graph.main.getArgumentTypes(), types));
}

/// How the graph is compiled and run.
static void chooseOptions(GraphBuilder &graph, RunOptions &options) {
  unsigned arguments = graph.main.getNumArguments();
  options.random.seed = graph.random.below(1000);
  if (graph.random.chance(25) && arguments)
    for (unsigned i = 0; i < arguments; ++i)
      if (graph.random.chance(50))
        options.donated.push_back(i);
  if (graph.random.chance(20))
    options.weights = graph.random.below(arguments + 1);
  options.exactRounding = graph.random.chance(10);
}

void fuzz::loadDialects(MLIRContext &context) {
  context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                      cf::ControlFlowDialect, func::FuncDialect,
                      linalg::LinalgDialect, math::MathDialect,
                      tensor::TensorDialect>();
}

FailureOr<FuzzCase> fuzz::generateCase(MLIRContext &context, uint64_t seed) {
  loadDialects(context);
  Location loc = UnknownLoc::get(&context);
  FuzzCase result;
  result.module = ModuleOp::create(loc);
  OpBuilder builder(result.module->getBodyRegion());
  auto main = func::FuncOp::create(builder, loc, "main",
                                   builder.getFunctionType({}, {}));
  main.addEntryBlock();
  GraphBuilder graph(main, seed);
  grow(graph);
  addResults(graph);
  chooseOptions(graph, result.options);
  result.options.dims.assign(graph.dynamicSizes.begin(),
                             graph.dynamicSizes.end());
  if (failed(verify(*result.module)))
    return failure();
  return std::move(result);
}
