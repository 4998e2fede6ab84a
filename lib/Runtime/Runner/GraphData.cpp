//===- GraphData.cpp - Arguments and expected results ---------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphData.h"

#include "fusion/Analysis/VerifyGraph.h"
#include "fusion/Runtime/Npy.h"
#include "fusion/Target/PlanEvaluation.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::detail;
using llvm::createStringError;
using llvm::Expected;

/// Returns the types of the arguments (or results) of a graph.
static Expected<std::vector<HostType>> getTypes(TypeRange types,
                                                StringRef what) {
  std::vector<HostType> result;
  for (auto [i, type] : llvm::enumerate(types)) {
    std::optional<HostType> hostType = getHostType(type);
    if (!hostType)
      return createStringError(
          llvm::formatv("{0} {1} of the graph is neither a tensor "
                        "nor a number of a known type",
                        what, i));
    result.push_back(*hostType);
  }
  return result;
}

Expected<GraphTypes> fusion::detail::getGraphTypes(ModuleOp module) {
  func::FuncOp entry = findEntryFunction(module);
  if (!entry)
    return createStringError("there is nothing to run");
  auto arguments = getTypes(entry.getArgumentTypes(), "argument");
  if (!arguments)
    return arguments.takeError();
  auto results = getTypes(entry.getResultTypes(), "result");
  if (!results)
    return results.takeError();
  return GraphTypes{std::move(*arguments), std::move(*results)};
}

Expected<GraphTypes> fusion::detail::getGraphTypes(const LaunchPlan &plan) {
  std::vector<std::optional<int64_t>> statics = evaluateScalars(plan, {});
  auto getType = [&](const PlanType &type) -> Expected<HostType> {
    std::optional<ElementType> element = ElementType::parse(type.element);
    if (!element)
      return createStringError("the plan has the unknown type " + type.element);
    HostType result{*element, {}, /*isTensor=*/true};
    for (ScalarId size : type.shape)
      result.shape.push_back(statics[size].value_or(-1));
    return result;
  };
  GraphTypes types;
  for (const PlanType &argument : plan.arguments) {
    Expected<HostType> type = getType(argument);
    if (!type)
      return type.takeError();
    types.arguments.push_back(std::move(*type));
  }
  for (const PlanResult &result : plan.results) {
    Expected<HostType> type = getType(result.type);
    if (!type)
      return type.takeError();
    types.results.push_back(std::move(*type));
  }
  return types;
}

Expected<GraphData> fusion::detail::readGraphData(const GraphTypes &types,
                                                  StringRef folder) {
  GraphData data;
  for (auto [i, type] : llvm::enumerate(types.arguments)) {
    Expected<Tensor> tensor = readArray(
        folder, llvm::formatv("arg{0}", i).str(), type.element, type.shape);
    if (!tensor)
      return tensor.takeError();
    data.arguments.push_back(std::move(*tensor));
  }
  for (auto [i, type] : llvm::enumerate(types.results)) {
    std::string name = llvm::formatv("out{0}", i);
    Expected<Tensor> tensor = readArray(folder, name, type.element, type.shape);
    if (!tensor)
      return tensor.takeError();
    data.expected.push_back(std::move(*tensor));
    data.references.emplace_back();
    if (!findNpy(folder, name + "_f64"))
      continue;
    Expected<Tensor> reference = readArray(folder, name + "_f64");
    if (!reference)
      return reference.takeError();
    data.references.back() = std::move(*reference);
  }
  return data;
}

Expected<std::vector<Tensor>>
fusion::detail::makeRandomArguments(const GraphTypes &types,
                                    ArrayRef<int64_t> dims,
                                    const RandomOptions &options) {
  std::vector<Tensor> arguments;
  size_t next = 0;
  for (auto [i, declared] : llvm::enumerate(types.arguments)) {
    HostType type = declared;
    for (int64_t &size : type.shape) {
      if (size >= 0)
        continue;
      if (dims.empty())
        return createStringError(
            llvm::formatv("argument {0} has a dynamic size; hint: "
                          "give the dynamic sizes with --dims",
                          i));
      size = dims[std::min(next++, dims.size() - 1)];
    }
    if (!countElements(type.shape, type.element.getBytes()))
      return createStringError(
          llvm::formatv("argument {0} can not be {1}", i,
                        printShape(type.shape, type.element)));
    fillRandom(arguments.emplace_back(type.element, type.shape), options, i);
  }
  return arguments;
}

/// Returns `tensor` with its floats as f64.
static Tensor promote(const Tensor &tensor) {
  ElementType type = tensor.getType();
  if (type.isInteger())
    return tensor;
  Tensor promoted(type.isComplex() ? ElementType::ComplexF64 : ElementType::F64,
                  tensor.getShape());
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    promoted.setComplex(i, tensor.getComplex(i));
  return promoted;
}

static std::vector<Tensor> promote(ArrayRef<Tensor> tensors) {
  std::vector<Tensor> promoted;
  promoted.reserve(tensors.size());
  for (const Tensor &tensor : tensors)
    promoted.push_back(promote(tensor));
  return promoted;
}

/// A graph of few numbers takes longer to optimize than to run.
static ReferenceCode chooseCode(ArrayRef<Tensor> arguments) {
  constexpr int64_t kFewNumbers = 1 << 16;
  int64_t numbers = 0;
  for (const Tensor &argument : arguments)
    numbers += argument.getNumElements();
  return numbers <= kFewNumbers ? ReferenceCode::Quick
                                : ReferenceCode::Optimized;
}

Expected<GraphData>
fusion::detail::evaluateReference(ModuleOp module,
                                  std::vector<Tensor> arguments) {
  GraphData data;
  data.arguments = std::move(arguments);
  ReferenceCode code = chooseCode(data.arguments);
  auto reference = Reference::create(module, code);
  if (!reference)
    return reference.takeError();
  auto expected = (*reference)->run(data.arguments);
  if (!expected)
    return expected.takeError();
  data.expected = std::move(*expected);

  FailureOr<OwningOpRef<ModuleOp>> promoted = promoteFloatsToF64(module);
  if (failed(promoted)) {
    for (const Tensor &tensor : data.expected)
      data.references.push_back(promote(tensor));
    return data;
  }
  auto exact = Reference::create(**promoted, code);
  if (!exact)
    return exact.takeError();
  auto references = (*exact)->run(promote(data.arguments));
  if (!references)
    return references.takeError();
  for (Tensor &tensor : *references)
    data.references.push_back(std::move(tensor));
  return data;
}

/// Returns `tensor`, an f64 one where `type` is a float, in `type`.
static Tensor demote(Tensor tensor, ElementType type) {
  if (type.isInteger())
    return tensor;
  Tensor demoted(type, tensor.getShape());
  for (int64_t i = 0, e = tensor.getNumElements(); i < e; ++i)
    demoted.setComplex(i, tensor.getComplex(i));
  return demoted;
}

Expected<std::vector<Tensor>>
fusion::detail::evaluateRounding(ModuleOp module, const GraphData &data,
                                 uint64_t seed) {
  FailureOr<OwningOpRef<ModuleOp>> rounded = promoteWithRoundings(module, seed);
  if (failed(rounded))
    return std::vector<Tensor>();
  auto reference = Reference::create(**rounded, chooseCode(data.arguments));
  if (!reference)
    return reference.takeError();
  auto results = (*reference)->run(promote(data.arguments));
  if (!results)
    return results.takeError();
  std::vector<Tensor> evaluation;
  for (auto [result, expected] : llvm::zip(*results, data.expected))
    evaluation.push_back(demote(std::move(result), expected.getType()));
  return evaluation;
}
