//===- ReferenceTest.cpp --------------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/Reference.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::fusion;

namespace {

class ReferenceTest : public testing::Test {
protected:
  ReferenceTest() {
    DialectRegistry registry;
    registerReferenceDialects(registry);
    context.appendDialectRegistry(registry);
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      messages += diagnostic.str() + "\n";
      return success();
    });
  }

  OwningOpRef<ModuleOp> parse(StringRef text) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(bool(module)) << messages;
    return module;
  }

  /// Runs `text` and returns the results; none, after noting why, on failure.
  std::vector<Tensor> run(ModuleOp module, std::vector<Tensor> arguments) {
    auto reference = Reference::create(module);
    if (!reference) {
      error = llvm::toString(reference.takeError());
      return {};
    }
    auto results = (*reference)->run(arguments);
    if (!results) {
      error = llvm::toString(results.takeError());
      return {};
    }
    return *results;
  }

  MLIRContext context;
  std::string messages, error;
};

Tensor make(ElementType type, ArrayRef<int64_t> shape,
            ArrayRef<double> values) {
  Tensor tensor(type, shape);
  for (auto [i, value] : llvm::enumerate(values))
    tensor.setDouble(i, value);
  return tensor;
}

constexpr StringLiteral kSoftplus = R"(
  func.func @main(%x: tensor<?xbf16>, %bias: bf16) -> (tensor<?xbf16>, i64) {
    %c0 = arith.constant 0 : index
    %one = arith.constant dense<1.0> : tensor<bf16>
    %n = tensor.dim %x, %c0 : tensor<?xbf16>
    %init = tensor.empty(%n) : tensor<?xbf16>
    %y = linalg.generic {
        indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>,
                         affine_map<(i) -> (i)>],
        iterator_types = ["parallel"]}
        ins(%x, %one : tensor<?xbf16>, tensor<bf16>)
        outs(%init : tensor<?xbf16>) {
    ^bb0(%a: bf16, %o: bf16, %out: bf16):
      %b = arith.addf %a, %bias : bf16
      %wide = arith.extf %b : bf16 to f32
      %e = math.exp %wide : f32
      %narrow = arith.truncf %e : f32 to bf16
      %s = arith.addf %narrow, %o : bf16
      %l = math.log %s : bf16
      linalg.yield %l : bf16
    } -> tensor<?xbf16>
    %count = arith.index_cast %n : index to i64
    return %y, %count : tensor<?xbf16>, i64
  })";

TEST_F(ReferenceTest, RunsInOwnTypesAndInF64) {
  auto module = parse(kSoftplus);
  double values[] = {-3, -0.5, 0, 1, 4.25};
  std::vector<Tensor> arguments = {make(ElementType::BF16, {5}, values),
                                   make(ElementType::BF16, {}, {0.25})};
  std::vector<Tensor> results = run(*module, arguments);
  ASSERT_EQ(results.size(), 2u) << error << messages;
  EXPECT_EQ(results[0].describe(), "5xbf16");
  EXPECT_EQ(results[1].describe(), "i64");
  EXPECT_EQ(results[1].getInteger(0), 5);

  auto promoted = promoteFloatsToF64(*module);
  ASSERT_TRUE(succeeded(promoted)) << messages;
  std::vector<Tensor> exact =
      run(**promoted, {make(ElementType::F64, {5}, values),
                       make(ElementType::F64, {}, {0.25})});
  ASSERT_EQ(exact.size(), 2u) << error << messages;
  EXPECT_EQ(exact[0].describe(), "5xf64");
  for (int i = 0; i < 5; ++i) {
    double softplus = std::log1p(std::exp(values[i] + 0.25));
    EXPECT_NEAR(exact[0].getDouble(i), softplus, 1e-14);
    EXPECT_NEAR(results[0].getDouble(i), softplus, 0.02);
  }
}

TEST_F(ReferenceTest, LeavesArgumentsAlone) {
  auto module = parse(R"(
    func.func @update(%cache: tensor<4xf32> {bufferization.writable = true},
                      %x: tensor<1xf32>, %at: index) -> tensor<4xf32> {
      %r = tensor.insert_slice %x into %cache[%at] [1] [1]
          : tensor<1xf32> into tensor<4xf32>
      return %r : tensor<4xf32>
    })");
  std::vector<Tensor> arguments = {make(ElementType::F32, {4}, {1, 2, 3, 4}),
                                   make(ElementType::F32, {1}, {9}),
                                   make(ElementType::Index, {}, {2})};
  std::vector<Tensor> results = run(*module, arguments);
  ASSERT_EQ(results.size(), 1u) << error << messages;
  EXPECT_EQ(results[0].getDouble(2), 9);
  EXPECT_EQ(results[0].getDouble(3), 4);
  EXPECT_EQ(arguments[0].getDouble(2), 3);
}

TEST_F(ReferenceTest, ReportsAssertions) {
  auto module = parse(R"(
    func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %x, %c0 : tensor<?xf32>
      %ok = arith.cmpi ugt, %n, %c0 : index
      cf.assert %ok, "x must not be empty"
      return %x : tensor<?xf32>
    })");
  EXPECT_EQ(run(*module, {make(ElementType::F32, {2}, {1, 2})}).size(), 1u);
  EXPECT_TRUE(run(*module, {Tensor(ElementType::F32, {0})}).empty());
  EXPECT_EQ(error, "an assertion of the graph fails: x must not be empty");
  run(*module, {Tensor(ElementType::F32, {})});
  EXPECT_EQ(error, "argument 0 of the graph can not be f32");
  run(*module, {});
  EXPECT_EQ(error, "expected 1 arguments, found 0");
}

TEST_F(ReferenceTest, RefusesToPromoteBits) {
  auto module = parse(R"(
    func.func @main(%x: f32) -> i32 {
      %b = arith.bitcast %x : f32 to i32
      return %b : i32
    })");
  EXPECT_TRUE(failed(promoteFloatsToF64(*module)));
  EXPECT_NE(messages.find("looks at the bits of a float"), std::string::npos);
  std::vector<Tensor> results = run(*module, {make(ElementType::F32, {}, {1})});
  ASSERT_EQ(results.size(), 1u) << error;
  EXPECT_EQ(results[0].getInteger(0), 0x3f800000);
}

TEST_F(ReferenceTest, PromotesConstants) {
  auto module = parse(R"(
    func.func @main() -> (tensor<2xf16>, tensor<3xf32>, tensor<i32>) {
      %a = arith.constant dense<[1.0, 0xFC00]> : tensor<2xf16>
      %b = arith.constant dense<0.5> : tensor<3xf32>
      %c = arith.constant dense<7> : tensor<i32>
      return %a, %b, %c : tensor<2xf16>, tensor<3xf32>, tensor<i32>
    })");
  auto promoted = promoteFloatsToF64(*module);
  ASSERT_TRUE(succeeded(promoted)) << messages;
  std::vector<Tensor> results = run(**promoted, {});
  ASSERT_EQ(results.size(), 3u) << error << messages;
  EXPECT_EQ(results[0].describe(), "2xf64");
  EXPECT_EQ(results[0].getDouble(1), -INFINITY);
  EXPECT_EQ(results[1].getDouble(2), 0.5);
  EXPECT_EQ(results[2].getInteger(0), 7);
}

TEST_F(ReferenceTest, KeepsWhatExpM1AndLog1PAreFor) {
  auto module = parse(R"(
    func.func @main(%x: f32, %z: f32) -> (f32, f32, f32, f32) {
      %a = math.expm1 %x : f32
      %b = math.log1p %x : f32
      %c = math.expm1 %z : f32
      %d = math.log1p %z : f32
      return %a, %b, %c, %d : f32, f32, f32, f32
    })");
  std::vector<Tensor> results =
      run(*module, {make(ElementType::F32, {}, {0x1p-30}),
                    make(ElementType::F32, {}, {-0.0})});
  ASSERT_EQ(results.size(), 4u) << error << messages;
  EXPECT_EQ(results[0].getDouble(0), 0x1p-30);
  EXPECT_EQ(results[1].getDouble(0), 0x1p-30);
  EXPECT_TRUE(std::signbit(results[2].getDouble(0)));
  EXPECT_TRUE(std::signbit(results[3].getDouble(0)));
}

TEST_F(ReferenceTest, RoundsAtRandomWithinTheTypes) {
  auto module = parse(R"(
    func.func @main(%x: bf16, %y: f32, %z: f32) -> (bf16, f32, f32, f32) {
      %a = arith.mulf %x, %x : bf16
      %b = arith.addf %y, %z : f32
      %c = arith.maximumf %y, %z : f32
      %d = math.exp %y : f32
      return %a, %b, %c, %d : bf16, f32, f32, f32
    })");
  double exact[] = {2.25, 4.0, 3.0, std::exp(1.0)};
  // Half a unit in the last place of each type; four units for functions.
  double bounds[] = {0x1p-8, 0x1p-24, 0, 0x1p-21};
  double largest[4] = {};
  for (uint64_t seed = 0; seed < 16; ++seed) {
    auto rounded = promoteWithRoundings(*module, seed);
    ASSERT_TRUE(succeeded(rounded)) << messages;
    std::vector<Tensor> results =
        run(**rounded,
            {make(ElementType::F64, {}, {1.5}), make(ElementType::F64, {}, {1}),
             make(ElementType::F64, {}, {3})});
    ASSERT_EQ(results.size(), 4u) << error << messages;
    for (int i = 0; i < 4; ++i) {
      double change = std::abs(results[i].getDouble(0) / exact[i] - 1);
      EXPECT_LE(change, bounds[i] + 0x1p-50) << i;
      largest[i] = std::max(largest[i], change);
    }
  }
  // Some seed comes near the bound.
  for (int i : {0, 1, 3})
    EXPECT_GE(largest[i], bounds[i] / 2) << i;
}

// The body of a named operation is fixed: it is made a generic one.
TEST_F(ReferenceTest, RoundsNamedOperations) {
  auto module = parse(R"(
    func.func @main(%x: tensor<1x3xbf16>, %y: tensor<3x1xbf16>,
                    %z: tensor<1x1xbf16>) -> tensor<1x1xbf16> {
      %p = linalg.matmul ins(%x, %y : tensor<1x3xbf16>, tensor<3x1xbf16>)
          outs(%z : tensor<1x1xbf16>) -> tensor<1x1xbf16>
      return %p : tensor<1x1xbf16>
    })");
  double largest = 0;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    auto rounded = promoteWithRoundings(*module, seed);
    ASSERT_TRUE(succeeded(rounded)) << messages;
    std::vector<Tensor> results =
        run(**rounded, {make(ElementType::F64, {1, 3}, {1, 1, 1}),
                        make(ElementType::F64, {3, 1}, {1, 1, 1}),
                        make(ElementType::F64, {1, 1}, {0})});
    ASSERT_EQ(results.size(), 1u) << error << messages;
    largest = std::max(largest, std::abs(results[0].getDouble(0) - 3));
  }
  // Each product and each sum goes by at most half a unit: of 1, of 1, 2, 3.
  EXPECT_LE(largest, 0x1p-8 * (3 + 1 + 2 + 3) * 1.01);
  EXPECT_GE(largest, 0x1p-8);
}

// Attention rounds probabilities to the type of the values; other operands of
// products with widened ones are what they are.
TEST_F(ReferenceTest, RoundsProbabilitiesToTheTypeOfTheValues) {
  for (StringRef function : {"math.exp", "math.absf"}) {
    auto module = parse((R"(
      func.func @main(%x: tensor<1x1xf32>, %y: tensor<1x1xbf16>,
                      %z: tensor<1x1xf32>) -> tensor<1x1xf32> {
        %e = linalg.map { )" +
                         function + R"( } ins(%x : tensor<1x1xf32>)
            outs(%z : tensor<1x1xf32>)
        %p = linalg.matmul ins(%e, %y : tensor<1x1xf32>, tensor<1x1xbf16>)
            outs(%z : tensor<1x1xf32>) -> tensor<1x1xf32>
        return %p : tensor<1x1xf32>
      })")
                            .str());
    double largest = 0;
    for (uint64_t seed = 0; seed < 8; ++seed) {
      auto rounded = promoteWithRoundings(*module, seed);
      ASSERT_TRUE(succeeded(rounded)) << messages;
      std::vector<Tensor> results =
          run(**rounded, {make(ElementType::F64, {1, 1}, {0}),
                          make(ElementType::F64, {1, 1}, {1}),
                          make(ElementType::F64, {1, 1}, {0})});
      ASSERT_EQ(results.size(), 1u) << error << messages;
      double exact = function == "math.exp" ? 1 : 0;
      largest = std::max(largest, std::abs(results[0].getDouble(0) - exact));
    }
    if (function == "math.exp") {
      EXPECT_LE(largest, 0x1p-8 * 1.01);
      EXPECT_GE(largest, 0x1p-9);
    } else {
      EXPECT_LE(largest, 0x1p-20);
    }
  }
}

} // namespace
