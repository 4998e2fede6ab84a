//===- ContractionTest.cpp - Contraction kernels -----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionKernel.h"
#include "gtest/gtest.h"

using namespace mlir::fusion;
using namespace mlir::fusion::test;

TEST(Contraction, Builds) {
  ContractionCase test;
  test.m = test.n = test.k = 512;
  test.operandType = "f16";
  test.resultType = "f16";
  ContractionKernel kernel = buildKernel(test);
  EXPECT_EQ(kernel.error, "");
  ASSERT_TRUE(kernel.module);
  if (getenv("DUMP"))
    kernel.module->print(llvm::outs());
}
