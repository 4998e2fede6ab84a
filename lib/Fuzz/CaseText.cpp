//===- CaseText.cpp - Graphs with their options as text -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Fuzz/Generator.h"
#include "fusion/Pipelines/Compiler.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

static constexpr StringLiteral kComment = "// fusion-run FILE --check";

void fuzz::printCase(const FuzzCase &fuzzCase, raw_ostream &os) {
  const RunOptions &options = fuzzCase.options;
  os << kComment << " --seed=" << options.random.seed;
  if (!options.dims.empty())
    os << " --dims="
       << llvm::join(
              llvm::map_range(options.dims,
                              [](int64_t n) { return std::to_string(n); }),
              ",");
  if (options.weights)
    os << " --weights=" << options.weights;
  if (!options.donated.empty())
    os << " --donate="
       << llvm::join(
              llvm::map_range(options.donated,
                              [](unsigned n) { return std::to_string(n); }),
              ",");
  if (options.exactRounding)
    os << " --exact-rounding";
  os << "\n";
  ModuleOp(*fuzzCase.module).print(os);
}

/// Reads one option; false if it is none.
static bool parseOption(StringRef text, RunOptions &options) {
  auto [name, value] = text.split('=');
  if (name == "--exact-rounding") {
    options.exactRounding = true;
    return true;
  }
  if (name == "--seed")
    return !value.getAsInteger(10, options.random.seed);
  if (name == "--weights")
    return !value.getAsInteger(10, options.weights);
  if (name == "--donate") {
    auto numbers = parseArgumentRanges(value);
    if (!numbers) {
      llvm::consumeError(numbers.takeError());
      return false;
    }
    options.donated = std::move(*numbers);
    return true;
  }
  if (name != "--dims")
    return false;
  SmallVector<StringRef> parts;
  value.split(parts, ',');
  for (StringRef part : parts)
    if (part.getAsInteger(10, options.dims.emplace_back()))
      return false;
  return true;
}

FailureOr<FuzzCase> fuzz::parseCase(MLIRContext &context, StringRef file,
                                    raw_ostream &errors) {
  loadDialects(context);
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer) {
    errors << "error: " << file << ": " << buffer.getError().message() << "\n";
    return failure();
  }
  FuzzCase result;
  StringRef text = (*buffer)->getBuffer();
  if (StringRef line = text.split('\n').first; line.consume_front(kComment)) {
    SmallVector<StringRef> parts;
    line.split(parts, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef part : parts) {
      if (parseOption(part, result.options))
        continue;
      errors << "error: " << file << ": '" << part
             << "' is no option of fusion-run that a graph can have\n";
      return failure();
    }
  }
  result.module = parseSourceString<ModuleOp>(text, &context, file);
  if (!result.module)
    return failure();
  return std::move(result);
}
