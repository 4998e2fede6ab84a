//===- IndexSpaceTest.cpp - Affine indices with ranges --------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/IndexSpace.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::fusion;

namespace {

class IndexSpaceTest : public testing::Test {
protected:
  MLIRContext context;
  IndexSpace space{&context};
  AffineExpr size(unsigned i) { return getAffineSymbolExpr(i, &context); }
};

TEST_F(IndexSpaceTest, UndoesStaticReshapes) {
  AffineExpr b = space.addDim(3), h = space.addDim(8), d = space.addDim(16);
  SmallVector<AffineExpr> shape{space.constant(3), space.constant(8),
                                space.constant(16)};
  AffineExpr linear = space.linearize({b, h, d}, shape);
  SmallVector<AffineExpr> back = space.delinearize(linear, shape);
  EXPECT_EQ(back[0], b);
  EXPECT_EQ(back[1], h);
  EXPECT_EQ(back[2], d);
}

TEST_F(IndexSpaceTest, UndoesDynamicReshapes) {
  AffineExpr b = space.addDim(size(0)), s = space.addDim(size(1)),
             d = space.addDim(64);
  SmallVector<AffineExpr> shape{size(0), size(1), space.constant(64)};
  AffineExpr linear = space.linearize({b, s, d}, shape);
  SmallVector<AffineExpr> back = space.delinearize(linear, shape);
  EXPECT_EQ(back[0], b);
  EXPECT_EQ(back[1], s);
  EXPECT_EQ(back[2], d);
}

TEST_F(IndexSpaceTest, RecombinesDelinearizedIndices) {
  AffineExpr i = space.addDim(384);
  SmallVector<AffineExpr> shape{space.constant(3), space.constant(8),
                                space.constant(16)};
  EXPECT_EQ(space.linearize(space.delinearize(i, shape), shape), i);
  AffineExpr j = space.addDim(size(0) * size(1));
  SmallVector<AffineExpr> dynamic{size(0), size(1)};
  EXPECT_EQ(space.linearize(space.delinearize(j, dynamic), dynamic), j);
}

TEST_F(IndexSpaceTest, SeesThroughVectors) {
  AffineExpr u = space.addDim(48);
  AffineExpr index = u * 8 + 5;
  EXPECT_EQ(space.simplify(index % 16), space.simplify((u % 2) * 8 + 5));
  EXPECT_EQ(space.simplify(index.floorDiv(16)), space.simplify(u.floorDiv(2)));
}

TEST_F(IndexSpaceTest, KnowsAlignment) {
  AffineExpr u = space.addDim(48), s = space.addDim(size(0));
  EXPECT_EQ(space.getPowerOfTwoDivisor(u * 24 + s * 64, 16), 8);
  EXPECT_EQ(space.getPowerOfTwoDivisor(u * 24 + s, 16), 1);
  EXPECT_EQ(space.getPowerOfTwoDivisor(space.constant(0), 16), 16);
}

TEST_F(IndexSpaceTest, ProvesBounds) {
  AffineExpr d = space.addDim(8), s = space.addDim(size(0));
  EXPECT_TRUE(space.isWithin(d, space.constant(8)));
  EXPECT_FALSE(space.isWithin(d + 1, space.constant(8)));
  EXPECT_FALSE(space.isWithin(d - 1, space.constant(8)));
  EXPECT_TRUE(space.isWithin(s * 8 + d, size(0) * 8));
  EXPECT_FALSE(space.isWithin(s * 8 + d, size(0)));
}

TEST_F(IndexSpaceTest, OpaqueDimensionsHaveNoRange) {
  AffineExpr o = space.addOpaqueDim();
  EXPECT_FALSE(space.isWithin(o, space.constant(1 << 30)));
  EXPECT_NE(space.simplify(o % 8), o);
}

/// Simplification keeps the value: random expressions at every point.
TEST_F(IndexSpaceTest, KeepsValues) {
  std::mt19937 random(1);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round < 400; ++round) {
    IndexSpace local(&context);
    SmallVector<int64_t> bounds{pick(1, 6), pick(1, 6), pick(1, 6)};
    SmallVector<AffineExpr> terms;
    for (int64_t bound : bounds)
      terms.push_back(local.addDim(bound));
    for (int step = 0; step < 6; ++step) {
      AffineExpr a = terms[pick(0, terms.size() - 1)],
                 b = terms[pick(0, terms.size() - 1)];
      switch (pick(0, 3)) {
      case 0:
        terms.push_back(a * pick(1, 8) + b);
        break;
      case 1:
        terms.push_back(a.floorDiv(pick(1, 12)));
        break;
      case 2:
        terms.push_back(a % pick(1, 12));
        break;
      default:
        terms.push_back(a + pick(0, 5));
        break;
      }
    }
    AffineExpr expr = terms.back(), simple = local.simplify(expr);
    AffineMap before = AffineMap::get(3, 0, expr, &context),
              after = AffineMap::get(3, 0, simple, &context);
    Builder builder(&context);
    for (int64_t i = 0; i < bounds[0]; ++i)
      for (int64_t j = 0; j < bounds[1]; ++j)
        for (int64_t k = 0; k < bounds[2]; ++k) {
          SmallVector<Attribute> point{builder.getI64IntegerAttr(i),
                                       builder.getI64IntegerAttr(j),
                                       builder.getI64IntegerAttr(k)};
          SmallVector<Attribute> x, y;
          ASSERT_TRUE(succeeded(before.constantFold(point, x)));
          ASSERT_TRUE(succeeded(after.constantFold(point, y)));
          ASSERT_EQ(cast<IntegerAttr>(x[0]).getInt(),
                    cast<IntegerAttr>(y[0]).getInt());
        }
  }
}

} // namespace
