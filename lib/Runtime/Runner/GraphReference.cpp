//===- GraphReference.cpp - One reference for many runs -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphData.h"
#include "KernelRun.h"
#include "fusion/Runtime/Runner.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::detail;
using llvm::Expected;

/// How many evaluations with other roundings a result is compared with.
static constexpr unsigned kRoundings = 32;

struct GraphReference::Impl {
  GraphData data;
  /// Evaluations with other roundings, as far as they were needed.
  std::vector<std::vector<Tensor>> roundings;

  Comparison compare(size_t i, const Tensor &found) const {
    return compareResults(found, data.expected[i], &*data.references[i]);
  }
  /// Compares with evaluation after evaluation until the result agrees.
  Expected<Comparison> compareWithRoundings(ModuleOp module, size_t i,
                                            const Tensor &found,
                                            Comparison strict);
};

GraphReference::GraphReference(std::unique_ptr<Impl> impl)
    : impl(std::move(impl)) {}
GraphReference::~GraphReference() = default;

Expected<std::unique_ptr<GraphReference>>
GraphReference::create(ModuleOp module, const RunOptions &options) {
  Expected<GraphTypes> types = getGraphTypes(module);
  if (!types)
    return types.takeError();
  auto arguments = makeRandomArguments(*types, options.dims, options.random);
  if (!arguments)
    return arguments.takeError();
  Expected<GraphData> data = evaluateReference(module, std::move(*arguments));
  if (!data)
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        llvm::toString(data.takeError()) +
            "; hint: --range and --dims say what random arguments are like");
  auto impl = std::make_unique<Impl>();
  impl->data = std::move(*data);
  return std::unique_ptr<GraphReference>(new GraphReference(std::move(impl)));
}

Expected<std::vector<Tensor>> GraphReference::run(ModuleOp module,
                                                  const RunOptions &options,
                                                  raw_ostream &os) {
  return runModule(module, options, impl->data.arguments, os);
}

Expected<std::vector<Tensor>> GraphReference::run(CompiledModel &model,
                                                  const RunOptions &options,
                                                  raw_ostream &os) {
  return runKernels(model, options, impl->data.arguments, os);
}

/// Whether a result that differs from the reference is what another evaluation
/// gives. An integer (the position of a maximum, say) may be that of any.
Expected<Comparison> GraphReference::Impl::compareWithRoundings(
    ModuleOp module, size_t i, const Tensor &found, Comparison strict) {
  const Tensor &expected = data.expected[i], &reference = *data.references[i];
  if (found.getType() != expected.getType() ||
      found.getShape() != expected.getShape())
    return strict;
  // Integers agree with any of the evaluations, each on its own.
  bool isInteger = found.getType().isInteger();
  Tensor nearest = expected;
  auto allow = [&](const Tensor &other) {
    for (int64_t n = 0, e = found.getNumElements(); n < e; ++n)
      if (found.getInteger(n) == other.getInteger(n))
        nearest.setInteger(n, found.getInteger(n));
  };
  if (isInteger)
    allow(reference);
  for (unsigned seed = 0; seed < kRoundings; ++seed) {
    if (seed == roundings.size()) {
      auto evaluation = evaluateRounding(module, data, seed);
      if (!evaluation)
        return evaluation.takeError();
      roundings.push_back(std::move(*evaluation));
    }
    if (roundings[seed].empty())
      return strict;
    const Tensor &rounded = roundings[seed][i];
    if (isInteger)
      allow(rounded);
    Comparison comparison = isInteger
                                ? compareResults(found, nearest, nullptr)
                                : compareResults(found, rounded, &reference);
    if (!comparison.agrees)
      continue;
    comparison.isByRoundings = true;
    comparison.summary += ", by the roundings of the graph";
    return comparison;
  }
  return strict;
}

Expected<std::vector<Comparison>>
GraphReference::compare(ModuleOp module, ArrayRef<Tensor> results) {
  std::vector<Comparison> comparisons;
  for (auto [i, found] : llvm::enumerate(results)) {
    Comparison comparison = impl->compare(i, found);
    if (!comparison.agrees) {
      Expected<Comparison> other =
          impl->compareWithRoundings(module, i, found, std::move(comparison));
      if (!other)
        return other.takeError();
      comparison = std::move(*other);
    }
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}
