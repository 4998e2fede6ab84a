//===- GraphBuilder.h - What productions are written with -------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A graph grows from productions: each takes tensors that are there (or makes
// arguments), adds operations and puts their results with the others. The
// builder knows what size each tensor has in the run, also where its type
// doesn't say, and about how large its elements are.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUZZ_GRAPHBUILDER_H
#define FUSION_LIB_FUZZ_GRAPHBUILDER_H

#include "Random.h"
#include "Scalars.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::fusion::fuzz {

using Sizes = SmallVector<int64_t, 5>;
using Integers = ArrayRef<int64_t>;

/// A tensor of the graph.
struct Node {
  Value value;
  /// Its sizes in the run.
  Sizes sizes;
  /// About how large its elements are.
  double scale = 1;

  RankedTensorType getType() const {
    return cast<RankedTensorType>(value.getType());
  }
  Type getElement() const { return getType().getElementType(); }
  int64_t getRank() const { return sizes.size(); }
  int64_t getVolume() const {
    int64_t volume = 1;
    for (int64_t size : sizes)
      volume *= size;
    return volume;
  }
  bool isFloat() const { return isa<FloatType>(getElement()); }
  bool isDynamic(int64_t d) const { return getType().isDynamicDim(d); }
  explicit operator bool() const { return bool(value); }
};

/// Computes the elements of a result from those of the operands.
using Body = llvm::function_ref<Value(Scalars &, ValueRange)>;
/// The same for several results.
using BodyN = llvm::function_ref<SmallVector<Value>(Scalars &, ValueRange)>;

/// The largest tensor and the largest product (in multiplications).
constexpr int64_t kMaxVolume = 4096, kMaxProduct = 100000;

class GraphBuilder {
public:
  GraphBuilder(func::FuncOp main, uint64_t seed);

  //===--------------------------------------------------------------------===//
  // Tensors
  //===--------------------------------------------------------------------===//

  /// Adds an argument. In the body of a called function, where there are none
  /// to add, makes a constant.
  Node argument(Type element, Integers sizes);
  /// The same with random sizes, of a rank in this range.
  Node argument(Type element, int64_t minRank, int64_t maxRank);
  /// A tensor of the pool, or a new argument.
  Node pickFloat(int64_t minRank, int64_t maxRank,
                 int64_t maxVolume = kMaxVolume);
  Node pickInteger(int64_t minRank, int64_t maxRank);
  /// A tensor of the pool of exactly this type and these sizes, or a new
  /// argument.
  Node pickLike(const Node &node);
  /// Makes a tensor available to what follows.
  void add(Node node) { pool.push_back(std::move(node)); }

  /// A size that is small and odd more often than not.
  int64_t size(int64_t most = 129);
  Sizes sizes(int64_t rank, int64_t maxVolume = kMaxVolume);
  /// A float type, mostly that of this graph.
  Type floatType();

  /// A dense constant: of one value, or a table where it is small.
  Node table(Type element, Integers sizes);
  Node splat(Type element, Integers sizes, double value);

  //===--------------------------------------------------------------------===//
  // Sizes
  //===--------------------------------------------------------------------===//

  OpFoldResult getSize(const Node &node, int64_t d);
  Value getIndex(OpFoldResult size);
  Value indexConstant(int64_t value);
  /// A `tensor.empty`, sometimes one that is there already.
  Value empty(ArrayRef<OpFoldResult> sizes, Type element);
  Value emptyLike(const Node &node, Type element);
  Value fill(Value scalar, Value init);

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  /// `linalg.generic` over the dimensions of `shape`: operand i is indexed by
  /// `maps[i]`, the result by the identity.
  Node pointwise(const Node &shape, ArrayRef<Node> operands,
                 ArrayRef<AffineMap> maps, Type result, Body body);
  /// Operands of equal sizes, or that are broadcast as in NumPy.
  Node map(ArrayRef<Node> operands, Type result, Body body);
  Node map(const Node &operand, Body body) {
    return map(operand, operand.getElement(), body);
  }
  /// How an operand is indexed that is broadcast to `shape` as in NumPy.
  AffineMap broadcastMap(const Node &operand, const Node &shape);

  Node cast(const Node &node, Type element);
  Node scale(const Node &node, double factor);
  /// Brings large elements back to a size that later products bear.
  Node tame(const Node &node);
  Node transpose(const Node &node, Integers permutation);
  /// Swaps the last two dimensions.
  Node transposeLast(const Node &node);
  Node collapse(const Node &node, ArrayRef<ReassociationIndices> groups);
  /// Splits dimension `d` into `sizes`.
  Node expand(const Node &node, int64_t d, Integers sizes);
  /// Splits dimension 0 into all dimensions of `like` but the last.
  Node splitRows(const Node &node, const Node &like) {
    return splitFirst(node, like, like.getRank() - 1);
  }
  /// Splits dimension 0 into the first two of `like`.
  Node splitBatch(const Node &node, const Node &like) {
    return splitFirst(node, like, 2);
  }
  /// Adds a dimension of size 1 in front of `d`.
  Node unsqueeze(const Node &node, int64_t d);
  /// Merges dimensions `d` to `d + count - 1`.
  Node merge(const Node &node, int64_t d, int64_t count);
  Node slice(const Node &node, int64_t d, int64_t offset, int64_t size,
             int64_t stride = 1);
  Node concat(ArrayRef<Node> nodes, int64_t d);
  /// Repeats along a new dimension `d`.
  Node broadcast(const Node &node, int64_t d, int64_t count);
  /// Brings to this rank by merging leading dimensions or adding some of size
  /// 1.
  Node withRank(const Node &node, int64_t rank);

  /// Reduces over `dims` from the constant `start` (of the result's type);
  /// `keep` leaves dimensions of size 1.
  Node reduce(const Node &node, Integers dims, bool keep, Value start,
              Type result, Body body);
  Node sum(const Node &node, Integers dims, bool keep);
  /// The same from a tensor of starts.
  Node reduceOnto(const Node &node, const Node &starts, Integers dims,
                  Body body);

  /// Multiplies and adds, `spec` as in einsum: "bmk,bkn->bmn". Accumulates in
  /// `accumulator`, onto zero or onto `start`.
  Node contract(StringRef spec, const Node &x, const Node &y, Type accumulator,
                Node start = {});
  /// x [..., K] times weight [K, N], in one of the spellings of exporters.
  Node linear(const Node &x, const Node &weight, bool isTransposed);

  Value scalar(Type type, double value);
  Scalars scalars() { return Scalars(builder, loc); }

  //===--------------------------------------------------------------------===//
  // State
  //===--------------------------------------------------------------------===//

  Random random;
  OpBuilder builder;
  Location loc;
  ModuleOp module;
  func::FuncOp main;
  Type f16, bf16, f32, f64, i1, i8, i32, i64, index;
  /// What most tensors of this graph hold.
  Type type;
  /// How often a size of an argument is dynamic, in percent.
  unsigned dynamicChance = 0;
  /// The dynamic sizes, in order.
  SmallVector<int64_t> dynamicSizes;
  SmallVector<Node> pool;
  /// Inside a called function.
  bool isCallee = false;
  unsigned numCallees = 0;

private:
  /// Copies elements into a tensor of the type of `init`, where the indices of
  /// `source` are the expressions `indices` of its own.
  Value copy(Value source, ArrayRef<AffineExpr> indices, Value init);
  /// Splits dimension 0 into the first `parts` of `like`.
  Node splitFirst(const Node &node, const Node &like, int64_t parts);
  Node fromPool(llvm::function_ref<bool(const Node &)> isWanted);
  /// What `tensor.empty` has made of static sizes.
  SmallVector<Value> empties;
};

/// A way for a graph to grow. Returns false if it does not apply.
struct Production {
  StringRef name;
  unsigned weight;
  bool (*apply)(GraphBuilder &);
};

void addElementwiseProductions(SmallVectorImpl<Production> &list);
void addViewProductions(SmallVectorImpl<Production> &list);
void addIndexingProductions(SmallVectorImpl<Production> &list);
void addReductionProductions(SmallVectorImpl<Production> &list);
void addNormProductions(SmallVectorImpl<Production> &list);
void addContractionProductions(SmallVectorImpl<Production> &list);
void addRopeProductions(SmallVectorImpl<Production> &list);
void addAttentionProductions(SmallVectorImpl<Production> &list);
void addCallProductions(SmallVectorImpl<Production> &list);
void addBlockProductions(SmallVectorImpl<Production> &list);

// Parts of transformers, which larger ones are made of.

/// A number made from one or more others, spelled as exporters do.
Node activate(GraphBuilder &graph, const Node &x);
/// A float for a float, safe for all values.
Value randomUnary(GraphBuilder &graph, Scalars &s, Value x);
/// RMSNorm or LayerNorm over the last dimension.
Node normalizeRows(GraphBuilder &graph, const Node &x);
/// What a softmax is made of: the values, their maximum (or none), what is left
/// without that, its exponentials and their sum.
struct Exponentials {
  Node wide, largest, shifted, powers, total;
};
Exponentials exponentiate(GraphBuilder &graph, const Node &x, int64_t d);
/// Softmax along `d`.
Node softmax(GraphBuilder &graph, const Node &x, int64_t d);
/// The maximum along `d`, with its position where exporters compute both.
Node maximum(GraphBuilder &graph, const Node &x, int64_t d, bool keep);
/// Rotates the last dimension (even) of x by angles that depend on its
/// dimension `position`.
Node rotate(GraphBuilder &graph, const Node &x, int64_t position);
/// Query, key and value as [batch, heads, rows, columns]. The result is that,
/// or [batch, rows, heads * columns].
Node attend(GraphBuilder &graph, const Node &q, const Node &k, const Node &v);
/// Writes `part` into `cache` along `d` at a position known when run.
Node updateCache(GraphBuilder &graph, const Node &cache, const Node &part,
                 int64_t d);
Node feedForward(GraphBuilder &graph, const Node &x, int64_t inner);

} // namespace mlir::fusion::fuzz

#endif // FUSION_LIB_FUZZ_GRAPHBUILDER_H
