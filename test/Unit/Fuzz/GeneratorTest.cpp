//===- GeneratorTest.cpp --------------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Fuzz/Generator.h"

#include "fusion/InitAll.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::fuzz;

TEST(GeneratorTest, GraphsAreValidAndDiffer) {
  DialectRegistry registry;
  mlir::fusion::registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string last;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    FailureOr<FuzzCase> fuzzCase = generateCase(context, seed);
    ASSERT_TRUE(succeeded(fuzzCase)) << seed;
    std::string text;
    llvm::raw_string_ostream os(text);
    printCase(*fuzzCase, os);
    EXPECT_FALSE(text == last) << seed;
    last = text;
    // One size for each that the types leave open.
    auto main = fuzzCase->module->lookupSymbol<func::FuncOp>("main");
    size_t open = 0;
    for (Type type : main.getArgumentTypes())
      open += cast<RankedTensorType>(type).getNumDynamicDims();
    EXPECT_EQ(fuzzCase->options.dims.size(), open) << seed;
    EXPECT_GT(main.getNumResults(), 0u) << seed;
  }
}
