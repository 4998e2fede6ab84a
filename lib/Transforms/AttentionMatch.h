//===- AttentionMatch.h - The parts of an attention -------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognising attention goes in steps, a file each: the softmax and its scores
// (AttentionProbability.cpp, AttentionDivision.cpp, AttentionScore.cpp), the
// mask (AttentionMask.cpp), which tensors to read by which maps
// (AttentionOperands.cpp), probabilities with other readers
// (AttentionKept.cpp), and the rewrite (RaiseAttention.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_ATTENTIONMATCH_H
#define FUSION_LIB_TRANSFORMS_ATTENTIONMATCH_H

#include "ElementExpr.h"
#include "fusion/IR/Fusion.h"
#include "mlir/IR/Builders.h"

namespace mlir::fusion {

/// A finite score that masks: `exp` of its distance to any usual score that is
/// not masked is zero.
constexpr double maskingScore = -3.0e4;
/// A finite score that no score changes when it is added to it, in f32.
constexpr double absorbingScore = -1.0e30;

/// Why a softmax that is contracted is no attention.
struct NearMiss {
  /// The operation that is in the way.
  Operation *op = nullptr;
  std::string reason;
};

/// Sets `miss` and fails.
LogicalResult fail(NearMiss &miss, ExprRef at, const Twine &reason);
LogicalResult fail(NearMiss &miss, Operation *at, const Twine &reason);

/// One thing that happens to the scores between the product and the softmax.
struct MaskPart {
  /// Added to the scores; null for a choice.
  ExprRef addend = nullptr;
  /// Where true the score stays, elsewhere it becomes `fill`; with an addend,
  /// which then is 0 or `fill`, it is added to the score.
  ExprRef keep = nullptr;
  double fill = 0;
  Operation *op = nullptr;
};

/// A softmax along one dimension.
struct Softmax {
  ExprRef score = nullptr;
  /// Factor in the exponential's argument.
  double factor = 1;
  /// Rows whose every score is -inf give zero, not NaN.
  bool zeroMaskedRows = false;
  /// The score of a key without a value; null where there is none. `factor`
  /// applies to it too.
  ExprRef sink = nullptr;
  /// What probabilities are multiplied with: an expression (null for none) and
  /// a constant.
  ExprRef dropout = nullptr;
  double outputScale = 1;
  /// Where true, the probability is replaced by 0; null for nowhere.
  ExprRef dropped = nullptr;
  Operation *droppedOp = nullptr;
  /// The sum over the keys, an element of a tensor; null where these are not
  /// keys of `score`.
  ExprRef total = nullptr;
  /// The maximum that is subtracted before, with what guards it; null for none.
  ExprRef subtracted = nullptr;
};

/// The scores, taken apart.
struct Score {
  /// The product of queries and keys, an element of a contraction's result.
  ExprRef product = nullptr;
  double scale = 1;
  /// What the product is multiplied with that is no constant; null for nothing.
  ExprRef factor = nullptr;
  Operation *factorOp = nullptr;
  std::optional<double> softcap;
  /// What no score is smaller than when it reaches the softmax.
  std::optional<double> floor;
  /// The outermost first.
  SmallVector<MaskPart> parts;
  /// Sums of which either side may hold the product of queries and keys.
  unsigned numChoices = 0;
};

enum class MatchResult {
  /// No softmax at all: nothing to report.
  Unrelated,
  Missed,
  Matched,
};

/// Matches `probability`, at key `key` of `numKeys`, as an element of a
/// softmax along the keys.
MatchResult matchSoftmax(ElementEvaluator &evaluator, ExprRef probability,
                         AffineExpr key, AffineExpr numKeys, Softmax &softmax,
                         NearMiss &miss);

/// Whether `expr` is an exponential, rounded or not.
bool isExponential(ExprRef expr);

/// Whether `expr` is an exponential divided by what may be a sum.
bool isSoftmax(ElementEvaluator &evaluator, ExprRef expr);

/// Takes the scores apart. Of products that are added, one is that of queries
/// and keys; bit i of `choices` says on which side of the i-th such sum it is
/// looked for.
LogicalResult matchScore(ElementEvaluator &evaluator, const Softmax &softmax,
                         unsigned choices, Score &score, NearMiss &miss);

/// Settles what becomes of probabilities that are replaced by zeros: those of
/// keys that are masked anyway (what is left then is that a row without keys is
/// zero), or a factor.
LogicalResult matchDropped(ElementEvaluator &evaluator, Softmax &softmax,
                           Score &score, NearMiss &miss);

/// The init of a contraction at element `indices` of its result; null where the
/// result's map is no permutation.
ExprRef getInit(ElementEvaluator &evaluator, linalg::LinalgOp op,
                ArrayRef<AffineExpr> indices);

/// Whether `expr` is an element of a contraction's result.
bool isProduct(ExprRef expr);

/// What `expr` multiplies by a constant, divides or negates; null where it does
/// nothing of that. The factor goes to `factor`.
ExprRef peelFactor(ExprRef expr, double &factor);

/// `expr` without roundings and constant factors, which go to `factor`.
ExprRef stripFactors(ExprRef expr, double &factor);

/// The dimensions of the space of an attention that is being matched.
struct AttentionDims {
  SmallVector<unsigned> batch;
  unsigned query = 0, width = 0, key = 0, value = 0;
};

/// A tensor and which element of it is meant.
struct OperandElement {
  Value tensor;
  IndexVector indices;
};

/// What the parts of a mask come to.
struct Mask {
  /// `k <= q + offset`, an index; null where there is no such constraint.
  Value causalOffset;
  std::optional<int64_t> window;
  /// A tensor that is added (floats) or chooses (i1, or floats where NaN);
  /// null for none.
  OperandElement operand;
  /// What the operand puts in place of a score; absent for -inf.
  std::optional<double> maskedScore;
};

/// Builds, at `builder`'s insertion point, what the mask needs.
LogicalResult buildMask(ElementEvaluator &evaluator, OpBuilder &builder,
                        Operation *anchor, const AttentionDims &dims,
                        const Score &score, Mask &mask, NearMiss &miss);

/// A tensor that holds `expr`, at indices that an indexing map can say and that
/// use `allowed` of the dimensions other than batch dimensions; made where
/// there is none. Fails where it cannot be made.
FailureOr<OperandElement> findOrBuildTensor(ElementEvaluator &evaluator,
                                            OpBuilder &builder,
                                            Operation *anchor, ExprRef expr,
                                            const AttentionDims &dims,
                                            ArrayRef<unsigned> allowed);

/// Makes a tensor of an expression, at `builder`'s insertion point before
/// `anchor`: a linalg.generic over the dimensions that the expression uses,
/// f32 or i1. Fails where the expression holds something that cannot be
/// computed there.
FailureOr<OperandElement> buildTensor(ElementEvaluator &evaluator,
                                      OpBuilder &builder, Operation *anchor,
                                      ExprRef expr);

/// For each dimension of `space` what it is where `element`, an element of a
/// tensor, is the one at `at`; itself where the indices of `element` lack it.
/// Fails where it cannot be said for all elements of the tensor.
FailureOr<IndexVector> solveForDims(IndexSpace &space, ShapeAnalysis &shapes,
                                    ExprRef element, ArrayRef<AffineExpr> at);

/// A division of the second product's result by the sum of the exponentials.
struct LateDivision {
  /// The product's reader, and the division in its body.
  linalg::LinalgOp reader;
  Operation *division = nullptr;
  /// The divisor, at the loops of the product.
  ExprRef sum = nullptr;
};

/// Finds the division that is all that reads the result of `contraction`, but
/// for views and copies; its loops are at `loops`.
std::optional<LateDivision> findLateDivision(ElementEvaluator &evaluator,
                                             linalg::LinalgOp contraction,
                                             ArrayRef<AffineExpr> loops);

/// Makes the reader take the product as its result.
void dropDivision(const LateDivision &late);

/// The tensor of `element`, at `builder`'s insertion point before `anchor`, cut
/// where it is longer than a dimension of the space that is an index by itself:
/// such dimensions take their extents from tensors. Fails where a size is not
/// known there.
FailureOr<Value> clipTensor(ElementEvaluator &evaluator, OpBuilder &builder,
                            Operation *anchor, const OperandElement &element);

/// The indices of `element` as results of an indexing map in which each of the
/// dimensions `required` is a whole result, once, with the tensor's extent
/// there, each of `allowed` is one or is absent, and other results use batch
/// dimensions only. Dimensions of one value, which expressions lack, are put
/// where the tensor's extent is 1. Fails where there is no such map.
FailureOr<IndexVector> getMapResults(ElementEvaluator &evaluator,
                                     const OperandElement &element,
                                     const AttentionDims &dims,
                                     ArrayRef<unsigned> required,
                                     ArrayRef<unsigned> allowed);

/// Changes `element`, by a slice and a reshape at `builder`'s insertion point,
/// so that `required` dimensions are whole indices of it: those that run over a
/// part of the tensor (the last rows), and those of one value that the tensor
/// lacks (a vector of queries, the only row that is used). False where nothing
/// changes.
bool fitToDims(ElementEvaluator &evaluator, OpBuilder &builder,
               Operation *anchor, ArrayRef<unsigned> required,
               OperandElement &element);

/// A tensor that can be read as an operand, and the constant factor between its
/// elements and the product's.
struct OperandChoice {
  OperandElement element;
  double scale = 1;
};

/// The tensors that hold element `indices` of `tensor`, up to a constant factor
/// if `mayScale`; the nearest to the function's arguments first among equals in
/// scale.
SmallVector<OperandChoice> findHolders(ElementEvaluator &evaluator,
                                       Value tensor,
                                       ArrayRef<AffineExpr> indices,
                                       bool mayScale);

/// Splits batch dimensions that the query's indices take apart, `b * H + h`.
/// `indices` holds those of query, key and value first; the result at `output`
/// belongs to them as far as sizes go.
void splitBatch(IndexSpace &space, AttentionDims &dims,
                SmallVectorImpl<IndexVector> &indices, size_t output);

//===----------------------------------------------------------------------===//
// Probabilities that are kept
//===----------------------------------------------------------------------===//

/// Probabilities that more than the second product reads, or what is known of
/// their rows.
struct KeptProbabilities {
  /// Their tensor, and which element of it the product multiplies.
  OperandElement element;
  /// Whether these are logarithms of sums, one for each row.
  bool isLogSum = false;
  /// Whether those of rows without keys are NaN, not -inf.
  bool isNaNWithoutKeys = false;
  /// A constant factor.
  double scale = 1;
  /// Whether a row without keys is zero.
  bool zeroMaskedRows = false;
  /// The other readers.
  SmallVector<OpOperand *> uses;
  /// The attention's dimensions at element d0, d1, ... of the tensor.
  IndexVector loops;
  /// The tensor's sizes; they don't keep it alive where they are known without
  /// it.
  SmallVector<OpFoldResult> sizes;
};

/// Whether an element of `tensor` is part of `expr`.
bool isPartOf(Value tensor, ExprRef expr);

/// The sum of which `expr` is the logarithm (or that of its absolute value, as
/// sums of exponentials have none other); null where it is none.
ExprRef getLogarithmOf(ExprRef expr);

/// The maximum of a row, without what guards it against rows of -inf.
ExprRef stripMaximum(ExprRef expr);

/// The logarithm of the sum of `softmax`, with the maximum added, that is read
/// by `use` or made of what `use` reads, and its readers; nullopt where there
/// is none. `user` is the operation of the block that `use` belongs to.
/// Operations that are looked through count as visited.
std::optional<KeptProbabilities> findLogSum(ElementEvaluator &evaluator,
                                            AffineExpr key, AffineExpr numKeys,
                                            const Softmax &softmax,
                                            OpOperand &use, Operation *user);

/// Whether `tensor` holds the probabilities of `softmax` without dropout, at
/// the element that is part of `probability`; nullopt where it does not.
std::optional<KeptProbabilities>
matchKept(ElementEvaluator &evaluator, ExprRef probability, AffineExpr key,
          AffineExpr numKeys, const Softmax &softmax, Value tensor);

/// Inverts `indices`, one vector for each of `kept`, to their `loops`, finds
/// their sizes, and adds to `outs` empty tensors of `accumulator` for the
/// attention's results beside the output, to `maps` their indices: reference
/// and total of rows, and if `kept` holds probabilities these. Fails where
/// `indices` do not tell which row and key an element belongs to.
LogicalResult buildKeptOuts(OpBuilder &builder, Operation *anchor,
                            ShapeAnalysis &shapes, IndexSpace &space,
                            const AttentionDims &dims,
                            MutableArrayRef<KeptProbabilities> kept,
                            ArrayRef<IndexVector> indices, Type accumulator,
                            SmallVectorImpl<Value> &outs,
                            SmallVectorImpl<IndexVector> &maps);

/// Makes, at `builder`'s insertion point after `attention`, the tensors that
/// `kept` stand for of the attention's results, and gives them to their
/// readers. `buildKeptOuts` has succeeded.
void buildKept(OpBuilder &builder, AttentionOp attention,
               const AttentionDims &dims, ArrayRef<KeptProbabilities> kept);

/// Emits `expr`, which uses symbols only, as an index. Fails where no size that
/// the symbols stand for is known before the insertion point.
FailureOr<Value> buildSize(OpBuilder &builder, Location loc,
                           ShapeAnalysis &shapes, Operation *anchor,
                           AffineExpr expr);

} // namespace mlir::fusion

#endif // FUSION_LIB_TRANSFORMS_ATTENTIONMATCH_H
