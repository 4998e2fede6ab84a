//===- ShapeAnalysisTest.cpp - Symbolic sizes of tensors ------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/ShapeAnalysis.h"
#include "ParsedGraph.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::test;

namespace {

/// A graph and its sizes.
struct Shapes : ParsedGraph {
  explicit Shapes(llvm::StringRef text) : ParsedGraph(text), analysis(func) {}

  AffineExpr dim(llvm::StringRef tag, unsigned i) {
    return analysis.getDim(value(tag), i);
  }
  AffineExpr dim(unsigned argumentNumber, unsigned i) {
    return analysis.getDim(argument(argumentNumber), i);
  }
  AffineExpr constant(int64_t number) {
    return getAffineConstantExpr(number, &context);
  }
  static bool isSymbol(AffineExpr expr) { return isa<AffineSymbolExpr>(expr); }

  ShapeAnalysis analysis;
};

TEST(ShapeAnalysisTest, StaticSizesAreConstants) {
  Shapes shapes("func.func @main(%x: tensor<3x5xf32>) { return }");
  EXPECT_EQ(shapes.analysis.getShape(shapes.argument(0)),
            (SmallVector<AffineExpr>{shapes.constant(3), shapes.constant(5)}));
  EXPECT_EQ(shapes.analysis.getNumSymbols(), 0u);
}

TEST(ShapeAnalysisTest, UnrelatedSizesDiffer) {
  Shapes shapes("func.func @main(%x: tensor<?x?xf32>, %y: tensor<?xf32>) "
                "{ return }");
  EXPECT_TRUE(Shapes::isSymbol(shapes.dim(0, 0)));
  EXPECT_NE(shapes.dim(0, 0), shapes.dim(0, 1));
  EXPECT_NE(shapes.dim(0, 0), shapes.dim(1, 0));
  EXPECT_NE(shapes.dim(0, 1), shapes.dim(1, 0));
  EXPECT_EQ(shapes.analysis.getNumSymbols(), 3u);
}

TEST(ShapeAnalysisTest, LoopsUniteSizes) {
  Shapes shapes(R"(
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x16xf32>,
                %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.matmul {tag = "r"}
      ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>)
      outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %n = linalg.add {tag = "n"}
      ins(%r, %z : tensor<?x?xf32>, tensor<?x16xf32>)
      outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %n : tensor<?x?xf32>
})");
  EXPECT_EQ(shapes.dim("r", 0), shapes.dim(0, 0));
  EXPECT_EQ(shapes.dim(0, 1), shapes.dim(1, 0));
  EXPECT_NE(shapes.dim(0, 0), shapes.dim(0, 1));
  EXPECT_EQ(shapes.dim(2, 0), shapes.dim(0, 0));
  // One static size makes all equal ones constants, also those before it.
  EXPECT_EQ(shapes.dim(1, 1), shapes.constant(16));
  EXPECT_EQ(shapes.dim("r", 1), shapes.constant(16));
}

TEST(ShapeAnalysisTest, ProductsOfReshapes) {
  Shapes shapes(R"(
func.func @main(%x: tensor<?x8xf32>, %y: tensor<?xf32>, %z: tensor<1x?xf32>,
                %n: index)
    -> (tensor<?xf32>, tensor<?x4xf32>, tensor<?xf32>) {
  %c = tensor.collapse_shape %x [[0, 1]] {tag = "collapsed"}
      : tensor<?x8xf32> into tensor<?xf32>
  %e = tensor.expand_shape %y [[0, 1]] output_shape [%n, 4] {tag = "expanded"}
      : tensor<?xf32> into tensor<?x4xf32>
  %u = tensor.collapse_shape %z [[0, 1]] {tag = "unit"}
      : tensor<1x?xf32> into tensor<?xf32>
  return %c, %e, %u : tensor<?xf32>, tensor<?x4xf32>, tensor<?xf32>
})");
  EXPECT_EQ(shapes.dim("collapsed", 0), shapes.dim(0, 0) * 8);
  AffineExpr n = shapes.analysis.getScalar(shapes.argument(3));
  EXPECT_EQ(shapes.dim("expanded", 0), n);
  EXPECT_EQ(shapes.dim(1, 0), n * 4);
  EXPECT_EQ(shapes.dim("unit", 0), shapes.dim(2, 1));
}

TEST(ShapeAnalysisTest, ShapesOfReshapes) {
  Shapes shapes(R"(
func.func @main(%x: tensor<?x5x?xf32>, %n: index)
    -> (tensor<1x?x?xf32>, tensor<?x?xf32>) {
  %one = arith.constant 1 : index
  %m = arith.constant 5 : index
  %elements = tensor.from_elements %one, %n, %m : tensor<3xindex>
  %r = tensor.reshape %x(%elements) {tag = "computed"}
      : (tensor<?x5x?xf32>, tensor<3xindex>) -> tensor<1x?x?xf32>
  %constant = arith.constant dense<[10, 7]> : tensor<2xi64>
  %s = tensor.reshape %x(%constant) {tag = "constant"}
      : (tensor<?x5x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %r, %s : tensor<1x?x?xf32>, tensor<?x?xf32>
})");
  EXPECT_EQ(shapes.dim("computed", 1),
            shapes.analysis.getScalar(shapes.argument(1)));
  EXPECT_EQ(shapes.dim("computed", 2), shapes.constant(5));
  EXPECT_EQ(shapes.dim("constant", 0), shapes.constant(10));
  EXPECT_EQ(shapes.dim("constant", 1), shapes.constant(7));
}

TEST(ShapeAnalysisTest, SumsOfConcatenations) {
  Shapes shapes(R"(
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x3xf32>)
    -> tensor<?x?xf32> {
  %c = tensor.concat dim(1) %x, %y, %z {tag = "c"}
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
})");
  EXPECT_EQ(shapes.dim("c", 1), shapes.dim(0, 1) + shapes.dim(1, 1) + 3);
  EXPECT_EQ(shapes.dim("c", 0), shapes.dim(2, 0));
  EXPECT_NE(shapes.dim(0, 1), shapes.dim(1, 1));
}

TEST(ShapeAnalysisTest, FollowsScalars) {
  Shapes shapes(R"(
func.func @main(%x: tensor<?x7xf32>, %i: i32)
    -> (tensor<?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant {tag = "one"} 1 : index
  %d = tensor.dim {tag = "dim"} %x, %c0 : tensor<?x7xf32>
  %s = tensor.dim {tag = "static"} %x, %c1 : tensor<?x7xf32>
  %j = arith.index_cast %i {tag = "cast"} : i32 to index
  %p = arith.muli %d, %j {tag = "product"} : index
  %q = arith.addi %p, %c1 {tag = "sum"} : index
  %h = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 2 + s0)>(%d)[%j]
      {tag = "apply"}
  %u = arith.divsi %d, %j {tag = "quotient"} : index
  %e = tensor.empty(%q) {tag = "e"} : tensor<?xf32>
  %f = tensor.empty(%u, %h) {tag = "f"} : tensor<?x?xf32>
  return %e, %f : tensor<?xf32>, tensor<?x?xf32>
})");
  auto scalar = [&](llvm::StringRef tag) {
    return shapes.analysis.getScalar(shapes.value(tag));
  };
  AffineExpr d = shapes.dim(0, 0),
             i = shapes.analysis.getScalar(shapes.argument(1));
  EXPECT_EQ(scalar("one"), shapes.constant(1));
  EXPECT_EQ(scalar("dim"), d);
  EXPECT_EQ(scalar("static"), shapes.constant(7));
  EXPECT_EQ(scalar("cast"), i);
  EXPECT_EQ(scalar("product"), d * i);
  EXPECT_EQ(shapes.dim("e", 0), d * i + 1);
  EXPECT_EQ(shapes.dim("f", 1), d.floorDiv(2) + i);
  // What is not understood is a symbol of its own.
  AffineExpr quotient = scalar("quotient");
  EXPECT_TRUE(Shapes::isSymbol(quotient));
  EXPECT_NE(quotient, d);
  EXPECT_NE(quotient, i);
  EXPECT_EQ(shapes.dim("f", 0), quotient);
}

TEST(ShapeAnalysisTest, SlicesHaveTheirOwnSizes) {
  Shapes shapes(R"(
func.func @main(%x: tensor<?x?xf32>, %n: index) -> tensor<?xf32> {
  %s = tensor.extract_slice %x[0, 0] [1, %n] [1, 1] {tag = "s"}
      : tensor<?x?xf32> to tensor<?xf32>
  %r = tensor.insert_slice %s into %x[1, 0] [1, %n] [1, 1] {tag = "r"}
      : tensor<?xf32> into tensor<?x?xf32>
  return %s : tensor<?xf32>
})");
  // The first dimension of the source has no place in the result.
  EXPECT_EQ(shapes.dim("s", 0), shapes.analysis.getScalar(shapes.argument(1)));
  EXPECT_NE(shapes.dim("s", 0), shapes.dim(0, 1));
  EXPECT_EQ(shapes.dim("r", 0), shapes.dim(0, 0));
  EXPECT_EQ(shapes.dim("r", 1), shapes.dim(0, 1));
}

TEST(ShapeAnalysisTest, ArgumentsOfGroupsHaveTheSizesOfOperands) {
  Shapes shapes(R"(
func.func @main(%x: tensor<?xf32>, %o: tensor<?xf32>, %n: index)
    -> tensor<?xf32> {
  %r = fusion.group elementwise ins(%a = %x : tensor<?xf32>, %m = %n : index)
      outs(%b = %o : tensor<?xf32>) attributes {tag = "group"} {
    %y = linalg.exp {tag = "y"} ins(%a : tensor<?xf32>)
        outs(%b : tensor<?xf32>) -> tensor<?xf32>
    fusion.yield %y : tensor<?xf32>
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
})");
  EXPECT_EQ(shapes.dim("y", 0), shapes.dim(0, 0));
  EXPECT_EQ(shapes.dim("group", 0), shapes.dim(0, 0));
  Value inner = shapes.op("group")->getRegion(0).getArgument(1);
  EXPECT_EQ(shapes.analysis.getScalar(inner),
            shapes.analysis.getScalar(shapes.argument(2)));
}

TEST(ShapeAnalysisTest, SizesDefinedThroughThemselvesStaySymbols) {
  // Each size is defined by the other: a product, and back.
  Shapes shapes(R"(
func.func @main(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %c = tensor.collapse_shape %x [[0, 1]] {tag = "c"}
      : tensor<?x?xf32> into tensor<?xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [%n, %m] {tag = "e"}
      : tensor<?xf32> into tensor<?x?xf32>
  %s = tensor.extract_slice %e[0, 0] [%n, %n] [1, 1]
      : tensor<?x?xf32> to tensor<?x?xf32>
  %t = tensor.collapse_shape %s [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %u = linalg.exp {tag = "u"} ins(%t : tensor<?xf32>) outs(%t : tensor<?xf32>)
      -> tensor<?xf32>
  %v = linalg.vecmat ins(%t, %e : tensor<?xf32>, tensor<?x?xf32>)
      outs(%u : tensor<?xf32>) -> tensor<?xf32>
  return %e : tensor<?x?xf32>
})");
  // The loops of vecmat say n = n * n.
  AffineExpr n = shapes.analysis.getScalar(shapes.argument(1));
  EXPECT_TRUE(Shapes::isSymbol(n));
  EXPECT_EQ(shapes.dim("u", 0), n);
}

TEST(ShapeAnalysisTest, ListsTheSizesOfASymbol) {
  Shapes shapes(R"(
func.func @main(%x: tensor<4x?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %c1 = arith.constant 1 : index
  %d = tensor.dim {tag = "d"} %x, %c1 : tensor<4x?xf32>
  %e = tensor.empty(%d) {tag = "e"} : tensor<?xf32>
  return %e : tensor<?xf32>
})");
  auto symbol = cast<AffineSymbolExpr>(shapes.dim("e", 0));
  auto holds = [&](Value value, int64_t dim) {
    return llvm::any_of(shapes.analysis.getSizes(symbol.getPosition()),
                        [&](const ShapeAnalysis::Size &size) {
                          return size.value == value && size.dim == dim;
                        });
  };
  EXPECT_TRUE(holds(shapes.argument(0), 1));
  EXPECT_TRUE(holds(shapes.value("d"), -1));
  EXPECT_TRUE(holds(shapes.value("e"), 0));
  EXPECT_FALSE(holds(shapes.argument(0), 0));
  EXPECT_FALSE(holds(shapes.argument(1), 0));
}

TEST(ShapeAnalysisTest, QuotientsOfMultiplesAreExact) {
  Shapes shapes(R"(
func.func @main(%x: tensor<2x?xf32>, %n: index) -> tensor<?x?x?xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = tensor.dim %x, %c1 : tensor<2x?xf32>
  %twice = arith.muli %d, %c2 : index
  %half = arith.divsi %twice, %c2 : index
  %rounded = arith.divsi %n, %c2 : index
  %again = arith.muli %rounded, %c2 : index
  %e = tensor.empty(%half, %rounded, %again) {tag = "e"} : tensor<?x?x?xf32>
  return %e : tensor<?x?x?xf32>
})");
  EXPECT_EQ(shapes.dim("e", 0), shapes.analysis.getDim(shapes.argument(0), 1));
  EXPECT_TRUE(Shapes::isSymbol(shapes.dim("e", 1)));
  EXPECT_NE(shapes.dim("e", 2), shapes.analysis.getScalar(shapes.argument(1)));
}

TEST(ShapeAnalysisTest, ListsSizesThatAreASymbolTimesOne) {
  Shapes shapes(R"(
func.func @main(%x: tensor<?x3xf32>, %n: index) -> tensor<?x?x3xf32> {
  %c1 = arith.constant 1 : index
  %e = tensor.expand_shape %x [[0, 1], [2]] output_shape [%n, %c1, 3]
      {tag = "e"} : tensor<?x3xf32> into tensor<?x?x3xf32>
  return %e : tensor<?x?x3xf32>
})");
  auto symbol =
      cast<AffineSymbolExpr>(shapes.analysis.getScalar(shapes.argument(1)));
  EXPECT_EQ(shapes.analysis.getDim(shapes.argument(0), 0), symbol);
  EXPECT_TRUE(llvm::any_of(shapes.analysis.getSizes(symbol.getPosition()),
                           [&](const ShapeAnalysis::Size &size) {
                             return size.value == shapes.argument(0) &&
                                    size.dim == 0;
                           }));
}

} // namespace
