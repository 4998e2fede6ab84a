//===- GroupGraphTest.cpp - Operations and their groups -------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Analysis/GroupGraph.h"
#include "ParsedGraph.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::test;

using Ops = std::vector<Operation *>;
using Groups = std::vector<GroupGraph::GroupId>;

namespace {

template <typename Range>
std::vector<typename Range::value_type> list(const Range &range) {
  return {range.begin(), range.end()};
}

/// A graph of the nodes `a` to `d`, none of them grouped.
template <const char *text>
class FourNodes : public testing::Test {
protected:
  ParsedGraph parsed{text};
  GroupGraph graph{parsed.func, /*copiesAreViews=*/false};
  Operation *a = parsed.op("a"), *b = parsed.op("b"), *c = parsed.op("c"),
            *d = parsed.op("d");
  GroupGraph::GroupId group(Operation *op) { return graph.getGroup(op); }
};

/// `a` feeds `b` and `c`, and `b` feeds `c`; `d` stands alone.
constexpr char triangle[] = R"(
func.func @main(%x: tensor<4xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %a = arith.addf %x, %x {tag = "a"} : tensor<4xf32>
  %b = arith.negf %a {tag = "b"} : tensor<4xf32>
  %c = arith.mulf %a, %b {tag = "c"} : tensor<4xf32>
  %d = arith.negf %x {tag = "d"} : tensor<4xf32>
  return %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
})";

class TriangleTest : public FourNodes<triangle> {};

TEST_F(TriangleTest, StartsWithANodeAGroup) {
  EXPECT_EQ(list(graph.getNodes()), (Ops{a, b, c, d}));
  EXPECT_EQ(list(graph.getGroups()),
            (Groups{group(a), group(b), group(c), group(d)}));
  for (Operation *op : {a, b, c, d})
    EXPECT_EQ(list(graph.getMembers(group(op))), Ops{op});
  EXPECT_EQ(list(graph.getProducers(c)), (Ops{a, b}));
  EXPECT_EQ(list(graph.getConsumers(a)), (Ops{b, c}));
  EXPECT_TRUE(graph.getProducers(a).empty());
  EXPECT_TRUE(graph.getConsumers(c).empty());
}

TEST_F(TriangleTest, ReachesAlongEdgesOnly) {
  EXPECT_TRUE(graph.reaches(group(a), group(b)));
  EXPECT_TRUE(graph.reaches(group(a), group(c)));
  EXPECT_FALSE(graph.reaches(group(c), group(a)));
  EXPECT_FALSE(graph.reaches(group(b), group(a)));
  EXPECT_FALSE(graph.reaches(group(a), group(d)));
  EXPECT_FALSE(graph.reaches(group(d), group(a)));
}

TEST_F(TriangleTest, ReachesIndirectlyThroughAThirdGroup) {
  EXPECT_TRUE(graph.reaches(group(a), group(c), /*indirect=*/true));
  EXPECT_FALSE(graph.reaches(group(a), group(b), /*indirect=*/true));
  EXPECT_FALSE(graph.reaches(group(b), group(c), /*indirect=*/true));
}

TEST_F(TriangleTest, RefusesAMergeAroundAThirdGroup) {
  EXPECT_FALSE(graph.canMerge(group(a), group(c)));
  EXPECT_FALSE(graph.canMerge(group(c), group(a)));
  EXPECT_TRUE(graph.canMerge(group(a), group(b)));
  EXPECT_TRUE(graph.canMerge(group(c), group(b)));
  EXPECT_TRUE(graph.canMerge(group(a), group(d)));
  EXPECT_TRUE(graph.canMerge(group(a), group(a)));
  // The third group in one of the two, the way around is gone.
  graph.merge(group(b), group(c));
  EXPECT_TRUE(graph.canMerge(group(a), group(c)));
}

TEST_F(TriangleTest, MergesInTheOrderOfTheProgram) {
  GroupGraph::GroupId first = group(a), second = group(b);
  graph.merge(second, first);
  EXPECT_EQ(group(a), second);
  EXPECT_EQ(group(b), second);
  EXPECT_EQ(list(graph.getMembers(second)), (Ops{a, b}));
  EXPECT_TRUE(graph.getMembers(first).empty());
  // The group stands where its first member does.
  EXPECT_EQ(list(graph.getGroups()), (Groups{second, group(c), group(d)}));
  // Edges between nodes stay.
  EXPECT_EQ(list(graph.getProducers(c)), (Ops{a, b}));
  EXPECT_TRUE(graph.reaches(second, group(c)));
  EXPECT_FALSE(graph.reaches(group(c), second));
}

TEST_F(TriangleTest, MergesAGroupWithItself) {
  graph.merge(group(a), group(a));
  EXPECT_EQ(list(graph.getMembers(group(a))), Ops{a});
}

TEST_F(TriangleTest, MovesANode) {
  graph.merge(group(a), group(d));
  graph.move(d, group(b));
  EXPECT_EQ(group(d), group(b));
  EXPECT_EQ(list(graph.getMembers(group(a))), Ops{a});
  EXPECT_EQ(list(graph.getMembers(group(b))), (Ops{b, d}));
  // Moving the only member leaves an empty group, which is none.
  GroupGraph::GroupId left = group(c);
  graph.move(c, group(b));
  EXPECT_TRUE(graph.getMembers(left).empty());
  EXPECT_EQ(list(graph.getMembers(group(b))), (Ops{b, c, d}));
  EXPECT_EQ(list(graph.getGroups()), (Groups{group(a), group(b)}));
}

TEST_F(TriangleTest, OrdersGroupsAfterThoseTheyRead) {
  EXPECT_EQ(list(graph.getTopologicalOrder()),
            (Groups{group(a), group(b), group(c), group(d)}));
  graph.merge(group(b), group(c));
  graph.merge(group(d), group(b));
  EXPECT_EQ(list(graph.getTopologicalOrder()), (Groups{group(a), group(b)}));
}

/// Pairs of producers and consumers, crossed.
constexpr char crossed[] = R"(
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = arith.addf %x, %x {tag = "a"} : tensor<4xf32>
  %b = arith.mulf %x, %x {tag = "b"} : tensor<4xf32>
  %c = arith.negf %b {tag = "c"} : tensor<4xf32>
  %d = arith.negf %a {tag = "d"} : tensor<4xf32>
  return %c, %d : tensor<4xf32>, tensor<4xf32>
})";

class CrossedTest : public FourNodes<crossed> {};

TEST_F(CrossedTest, BreaksTiesByTheOrderOfTheProgram) {
  EXPECT_EQ(list(graph.getTopologicalOrder()),
            (Groups{group(a), group(b), group(c), group(d)}));
  // `a` now waits for `b`, and is first again as soon as it may be.
  graph.merge(group(a), group(c));
  EXPECT_EQ(list(graph.getTopologicalOrder()),
            (Groups{group(b), group(a), group(d)}));
}

TEST_F(CrossedTest, FollowsPathsThroughGroups) {
  EXPECT_FALSE(graph.reaches(group(b), group(d)));
  EXPECT_TRUE(graph.canMerge(group(b), group(d)));
  graph.merge(group(a), group(c));
  // From `b` to `c`, and from `a` beside it to `d`.
  EXPECT_TRUE(graph.reaches(group(b), group(d)));
  EXPECT_FALSE(graph.canMerge(group(b), group(d)));
  EXPECT_TRUE(graph.canMerge(group(b), group(a)));
}

/// Every path that is no edge between two results of kernels.
constexpr char views[] = R"(
func.func @main(%x: tensor<4xf32>, %i: tensor<4xindex>)
    -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<?xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %a = arith.addf %x, %one {tag = "a"} : tensor<4xf32>
  %view = tensor.expand_shape %a [[0, 1]] output_shape [2, 2] {tag = "view"}
      : tensor<4xf32> into tensor<2x2xf32>
  %b = arith.negf %view {tag = "b"} : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %t = linalg.transpose ins(%b : tensor<2x2xf32>)
      outs(%e : tensor<2x2xf32>) permutation = [1, 0] {tag = "t"}
  %c = arith.negf %t {tag = "c"} : tensor<2x2xf32>
  %r = tensor.expand_shape %a [[0, 1]] output_shape [2, 2] {tag = "returned"}
      : tensor<4xf32> into tensor<2x2xf32>
  %size = tensor.dim %b, %c0 : tensor<2x2xf32>
  %g = tensor.generate %size {
  ^bb0(%k: index):
    %v = tensor.extract %x[%k] : tensor<4xf32>
    tensor.yield %v : f32
  } {tag = "sized"} : tensor<?xf32>
  %h = tensor.generate {
  ^bb0(%k: index):
    %v = tensor.extract %a[%k] : tensor<4xf32>
    tensor.yield %v : f32
  } {tag = "captures"} : tensor<4xf32>
  return %c, %r, %g, %h
      : tensor<2x2xf32>, tensor<2x2xf32>, tensor<?xf32>, tensor<4xf32>
})";

TEST(GroupGraphTest, ViewsAndSourcesAreNoNodes) {
  ParsedGraph parsed(views);
  GroupGraph graph(parsed.func, /*copiesAreViews=*/false);
  EXPECT_EQ(
      list(graph.getNodes()),
      (Ops{parsed.op("a"), parsed.op("b"), parsed.op("t"), parsed.op("c"),
           parsed.op("returned"), parsed.op("sized"), parsed.op("captures")}));
  EXPECT_FALSE(graph.isNode(parsed.op("view")));
  // Through the view.
  EXPECT_EQ(list(graph.getProducers(parsed.op("b"))), Ops{parsed.op("a")});
  // Sizes are no elements; what a region captures is read.
  EXPECT_TRUE(graph.getProducers(parsed.op("sized")).empty());
  EXPECT_EQ(list(graph.getProducers(parsed.op("captures"))),
            Ops{parsed.op("a")});
}

TEST(GroupGraphTest, CopiesAreViewsIfAskedFor) {
  ParsedGraph parsed(views);
  GroupGraph graph(parsed.func, /*copiesAreViews=*/true);
  EXPECT_FALSE(graph.isNode(parsed.op("t")));
  EXPECT_EQ(list(graph.getProducers(parsed.op("c"))), Ops{parsed.op("b")});
  EXPECT_EQ(list(graph.getConsumers(parsed.op("b"))), Ops{parsed.op("c")});
}

TEST(GroupGraphTest, CollectsTheNodesBehindAValue) {
  ParsedGraph parsed(views);
  GroupGraph graph(parsed.func, /*copiesAreViews=*/true);
  auto collect = [&](Value value) {
    llvm::SetVector<Value> operands;
    collectNodeOperands(value, graph, operands);
    return std::vector<Value>(operands.begin(), operands.end());
  };
  EXPECT_EQ(collect(parsed.value("view")),
            std::vector<Value>{parsed.value("a")});
  EXPECT_EQ(collect(parsed.value("b")), std::vector<Value>{parsed.value("b")});
  EXPECT_EQ(collect(parsed.argument(0)),
            std::vector<Value>{parsed.argument(0)});
}

} // namespace
