//===- RowElementsTest.cpp - Elements of rows -----------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/RowElements.h"
#include "ParsedGraph.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::test;

namespace {

/// A graph of reductions over `rows` rows of `columns` elements.
struct Rows : ParsedGraph {
  Rows(int64_t rows, int64_t columns, llvm::StringRef body)
      : ParsedGraph(maps + body.str()), row(space.addDim(rows)),
        column(space.addDim(columns)) {}

  LogicalResult assign(ArrayRef<llvm::StringRef> outputs) {
    SmallVector<Value> values;
    for (llvm::StringRef output : outputs)
      values.push_back(value(output));
    return elements.assign(body(), values);
  }
  IndexVector at(llvm::StringRef tag) { return elements.lookup(value(tag)); }

  static constexpr char maps[] = R"(
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
)";

  IndexSpace space{&context};
  ShapeAnalysis shapes{func};
  AffineExpr row, column;
  RowElements elements{space, shapes, row, column};
};

/// A reduction of `x` along the rows that `map` reads.
std::string reduce(const char *tag, const char *op, const char *x,
                   const char *map) {
  return llvm::formatv(R"(
  %{0} = linalg.generic {{indexing_maps = [{3}, #i],
                         iterator_types = ["parallel", "reduction"]}
      ins(%{2} : tensor<4x4xf32>) outs(%r : tensor<4xf32>)
      attrs = {{tag = "{0}"} {{
  ^bb0(%a: f32, %b: f32):
    %s = {1} %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>)",
                       tag, op, x, map);
}

/// An operation on `x` and, read by `map`, a value for each row.
std::string combine(const char *tag, const char *op, const char *rowValue,
                    const char *map) {
  return llvm::formatv(R"(
  %{0} = linalg.generic {{indexing_maps = [#ij, {3}, #ij],
                         iterator_types = ["parallel", "parallel"]}
      ins(%x, %{2} : tensor<4x4xf32>, tensor<4xf32>)
      outs(%o : tensor<4x4xf32>) attrs = {{tag = "{0}"} {{
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = {1} %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>)",
                       tag, op, rowValue, map);
}

/// A function of these operations.
std::string function(const std::string &body) {
  return R"(
func.func @main(%x: tensor<4x4xf32>, %r: tensor<4xf32>, %o: tensor<4x4xf32>,
                %z: tensor<9xf32>) {)" +
         body + "\n  return\n}";
}

/// x - max(x), row by row; `map` finds the maximum.
std::string subtractMaximum(const char *map) {
  return function(reduce("max", "arith.maximumf", "x", "#ij") +
                  combine("difference", "arith.subf", "max", map));
}

TEST(RowElementsTest, NamesTheElementsOfARow) {
  Rows rows(4, 4, subtractMaximum("#i"));
  ASSERT_TRUE(succeeded(rows.assign({"max", "difference"})));
  EXPECT_EQ(rows.at("max"), IndexVector{rows.row});
  EXPECT_EQ(rows.at("difference"), (IndexVector{rows.row, rows.column}));
  EXPECT_EQ(rows.elements.lookup(rows.argument(0)),
            (IndexVector{rows.row, rows.column}));
  ASSERT_EQ(rows.elements.getReductions().size(), 1u);
  linalg::LinalgOp maximum = rows.elements.getReductions()[0];
  EXPECT_EQ(maximum.getOperation(), rows.op("max"));
  EXPECT_EQ(rows.elements.getLoops(maximum),
            (IndexVector{rows.row, rows.column}));
}

TEST(RowElementsTest, RefusesTheReductionOfAnotherRow) {
  // The sizes fit, the rows do not: column j needs the maximum of row j.
  Rows rows(4, 4, subtractMaximum("#j"));
  EXPECT_TRUE(failed(rows.assign({"difference"})));
}

TEST(RowElementsTest, KnowsNoElementOfWhatIsUnrelated) {
  Rows rows(4, 4, function(reduce("sum", "arith.addf", "x", "#ij") + R"(
  %e = linalg.exp {tag = "other"} ins(%z : tensor<9xf32>)
      outs(%z : tensor<9xf32>) -> tensor<9xf32>)"));
  EXPECT_TRUE(failed(rows.assign({"sum", "other"})));
  EXPECT_TRUE(rows.at("other").empty());
  EXPECT_EQ(rows.at("sum"), IndexVector{rows.row});
}

/// The sums of x / sum(x); `map` says along what.
std::string normalizeAndSum(const char *map) {
  return function(reduce("sum", "arith.addf", "x", "#ij") +
                  combine("quotient", "arith.divf", "sum", "#i") +
                  reduce("second", "arith.addf", "quotient", map));
}

TEST(RowElementsTest, ReductionsOfOneRowFollowEachOther) {
  Rows rows(4, 4, normalizeAndSum("#ij"));
  ASSERT_TRUE(succeeded(rows.assign({"second"})));
  EXPECT_EQ(rows.at("second"), IndexVector{rows.row});
  EXPECT_EQ(rows.at("quotient"), (IndexVector{rows.row, rows.column}));
  ASSERT_EQ(rows.elements.getReductions().size(), 2u);
  linalg::LinalgOp second = rows.elements.getReductions()[1];
  EXPECT_EQ(second.getOperation(), rows.op("second"));
}

TEST(RowElementsTest, RefusesAReductionAcrossTheRowsOfAnother) {
  // The second sum runs down a column: it needs the first sum of every row.
  Rows rows(4, 4, normalizeAndSum("#ji"));
  EXPECT_TRUE(failed(rows.assign({"second"})));
}

TEST(RowElementsTest, SplitsARowsNumberIntoSeveralDimensions) {
  Rows rows(6, 20, R"(
func.func @main(%x: tensor<2x4x3x5xf32>, %r: tensor<2x3xf32>)
    -> tensor<6xf32> {
  %m = linalg.reduce ins(%x : tensor<2x4x3x5xf32>) outs(%r : tensor<2x3xf32>)
      dimensions = [1, 3] {tag = "sum"}
      (%a: f32, %b: f32) {
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
      }
  %c = tensor.collapse_shape %m [[0, 1]] {tag = "flat"}
      : tensor<2x3xf32> into tensor<6xf32>
  return %c : tensor<6xf32>
})");
  ASSERT_TRUE(succeeded(rows.assign({"flat"})));
  AffineExpr outer = rows.space.simplify(rows.row.floorDiv(3)),
             inner = rows.space.simplify(rows.row % 3);
  EXPECT_EQ(rows.at("sum"), (IndexVector{outer, inner}));
  // Through the view, the number of the row again.
  EXPECT_EQ(rows.at("flat"), IndexVector{rows.row});
  EXPECT_EQ(rows.elements.lookup(rows.argument(0)),
            (IndexVector{outer, rows.space.simplify(rows.column.floorDiv(5)),
                         inner, rows.space.simplify(rows.column % 5)}));
}

} // namespace
