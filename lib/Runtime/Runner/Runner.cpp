//===- Runner.cpp - Compiles, runs and checks graphs ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/Runner.h"

#include "GraphData.h"
#include "KernelRun.h"
#include "fusion/Runtime/Compare.h"
#include "fusion/Runtime/Npy.h"
#include "fusion/Runtime/Reference.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::detail;
using llvm::Error;
using llvm::Expected;

namespace {

class Runner {
public:
  Runner(const RunOptions &options, raw_ostream &os, raw_ostream &errors)
      : options(options), os(os), errors(errors) {}

  Error run(ModuleOp module) {
    Expected<GraphTypes> types = getGraphTypes(module);
    if (!types)
      return types.takeError();
    if (options.dataFolder.empty())
      return check(module);
    Expected<GraphData> data = readGraphData(*types, options.dataFolder);
    if (!data)
      return data.takeError();
    auto results = runModule(module, options, data->arguments, os);
    if (!results)
      return results.takeError();
    if (Error error = writeResults(*results))
      return error;
    return print(*results, compare(*data, *results));
  }

  Error run(StringRef folder) {
    Expected<CompiledFolder> compiled = readCompiledFolder(folder);
    if (!compiled)
      return compiled.takeError();
    Expected<GraphTypes> types = getGraphTypes(compiled->plan);
    if (!types)
      return types.takeError();
    Expected<GraphData> data = readGraphData(*types, options.dataFolder);
    if (!data)
      return data.takeError();
    auto results = runCompiledFolder(*compiled, options, data->arguments, os);
    if (!results)
      return results.takeError();
    if (Error error = writeResults(*results))
      return error;
    return print(*results, compare(*data, *results));
  }

private:
  /// Runs on random arguments.
  Error check(ModuleOp module) {
    auto reference = GraphReference::create(module, options);
    if (!reference)
      return reference.takeError();
    auto results = (*reference)->run(module, options, os);
    if (!results)
      return results.takeError();
    if (Error error = writeResults(*results))
      return error;
    auto comparisons = (*reference)->compare(module, *results);
    if (!comparisons)
      return comparisons.takeError();
    return print(*results, *comparisons);
  }

  /// Writes the results where that is asked for.
  Error writeResults(ArrayRef<Tensor> results) {
    if (options.outputFolder.empty())
      return Error::success();
    if (std::error_code code =
            llvm::sys::fs::create_directories(options.outputFolder))
      return llvm::createStringError(code, options.outputFolder + ": " +
                                               code.message());
    for (auto [i, result] : llvm::enumerate(results))
      if (Error error = writeArray(options.outputFolder,
                                   llvm::formatv("out{0}", i).str(), result))
        return error;
    return Error::success();
  }

  static std::vector<Comparison> compare(const GraphData &data,
                                         ArrayRef<Tensor> results) {
    std::vector<Comparison> comparisons;
    for (auto [result, expected, reference] :
         llvm::zip(results, data.expected, data.references))
      comparisons.push_back(
          compareResults(result, expected, reference ? &*reference : nullptr));
    return comparisons;
  }

  Error print(ArrayRef<Tensor> results, ArrayRef<Comparison> comparisons) {
    size_t disagreements = 0;
    for (auto [i, result, comparison] : llvm::enumerate(results, comparisons)) {
      disagreements += !comparison.agrees;
      raw_ostream &where = comparison.agrees ? os : errors;
      where << "out" << i << ": "
            << (comparison.agrees ? "agrees: " : "mismatch: ")
            << result.describe() << ", " << comparison.summary << "\n"
            << comparison.details;
    }
    if (disagreements == 0)
      return Error::success();
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   llvm::formatv("{0} of {1} results disagree",
                                                 disagreements, results.size())
                                       .str());
  }

  const RunOptions &options;
  raw_ostream &os, &errors;
};

LogicalResult report(Error error, raw_ostream &errors) {
  if (!error)
    return success();
  errors << "error: " << llvm::toString(std::move(error)) << "\n";
  return failure();
}

} // namespace

LogicalResult fusion::runGraph(ModuleOp module, const RunOptions &options,
                               raw_ostream &os, raw_ostream &errors) {
  return report(Runner(options, os, errors).run(module), errors);
}

LogicalResult fusion::runFolder(StringRef folder, const RunOptions &options,
                                raw_ostream &os, raw_ostream &errors) {
  return report(Runner(options, os, errors).run(folder), errors);
}
