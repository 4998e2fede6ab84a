//===- ParsedGraph.h - Functions for tests of analyses ----------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_UNIT_ANALYSIS_PARSEDGRAPH_H
#define FUSION_TEST_UNIT_ANALYSIS_PARSEDGRAPH_H

#include "fusion/InitAll.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mlir::fusion::test {

/// A function in textual MLIR. Its operations go by their attribute `tag`.
class ParsedGraph {
public:
  explicit ParsedGraph(llvm::StringRef text) {
    DialectRegistry registry;
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect, ub::UBDialect>();
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      llvm::report_fatal_error("the test's graph does not parse");
    func = *module->getOps<func::FuncOp>().begin();
  }

  Operation *op(llvm::StringRef tag) {
    Operation *found = nullptr;
    func.walk([&](Operation *op) {
      if (auto name = op->getAttrOfType<StringAttr>("tag"))
        if (name.getValue() == tag)
          found = op;
    });
    if (!found)
      llvm::report_fatal_error("no operation has the tag " + tag);
    return found;
  }
  Value value(llvm::StringRef tag) { return op(tag)->getResult(0); }
  Value argument(unsigned i) { return func.getArgument(i); }
  /// All operations but the last, which returns.
  SmallVector<Operation *> body() {
    SmallVector<Operation *> ops;
    for (Operation &op : func.getBody().front().without_terminator())
      ops.push_back(&op);
    return ops;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp func;
};

} // namespace mlir::fusion::test

#endif // FUSION_TEST_UNIT_ANALYSIS_PARSEDGRAPH_H
