//===----------------------------------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_IR_FUSIONOPS_TD
#define FUSION_IR_FUSIONOPS_TD

include "fusion/IR/FusionDialect.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"

class Fusion_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fusion_Dialect, mnemonic, traits>;

def Fusion_TensorOrMemRef : AnyTypeOf<[AnyRankedTensor, AnyMemRef]>;

def Fusion_GroupOp : Fusion_Op<"group", [
    AttrSizedOperandSegments, IsolatedFromAbove, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    SingleBlock]> {
  let summary = "A fused group: one kernel";
  let description = [{
    Computes its results with the operations of its region and becomes one
    kernel. The region works on tensors, before bufferization and after it; its
    block has one argument for each operand, inputs first, and its terminator
    yields one tensor for each `outs` operand. Before bufferization the group
    is in destination-passing style: each `outs` operand gives the type of the
    result at the same position, and its contents where the region reads them
    (the cache of an in-place update). After bufferization operands are memrefs
    and the group has no results.

    Inputs may be ranked tensors (memrefs) or scalars (index, integer, float).

    Constraints:
    - (group_c1) the block has as many arguments as the group has operands, and
      each has its operand's type, the tensor type for a memref operand.
    - (group_c2) `fusion.yield` yields one value for each `outs` operand, of the
      type of that operand's block argument.
    - (group_c3) the `outs` operands are all ranked tensors, with one result of
      the same type each, or all memrefs, with no result.

    Example:

    ```mlir
    %r = fusion.group elementwise
        ins(%x = %arg0 : tensor<8x16xf32>) outs(%o = %e : tensor<8x16xf32>) {
      %y = linalg.exp ins(%x : tensor<8x16xf32>)
                      outs(%o : tensor<8x16xf32>) -> tensor<8x16xf32>
      fusion.yield %y : tensor<8x16xf32>
    } -> tensor<8x16xf32>
    ```
  }];
  let arguments = (ins
    Variadic<AnyType>:$inputs,
    Variadic<Fusion_TensorOrMemRef>:$outputs,
    Fusion_GroupKindAttr:$kind,
    OptionalAttr<Fusion_ScheduleAttr>:$schedule);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let builders = [
    OpBuilder<(ins "::mlir::ValueRange":$inputs, "::mlir::ValueRange":$outputs,
                   "::mlir::fusion::GroupKind":$kind)>
  ];
  let extraClassDeclaration = [{
    /// The block argument that stands for `inputs()[i]` in the region.
    ::mlir::BlockArgument getInputArgument(unsigned i) {
      return getBody().getArgument(i);
    }
    /// The block argument that stands for `outputs()[i]` in the region.
    ::mlir::BlockArgument getOutputArgument(unsigned i) {
      return getBody().getArgument(getInputs().size() + i);
    }
    /// The values that the region yields, one for each `outs` operand.
    ::mlir::OperandRange getYielded();
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
  }];
}

def Fusion_YieldOp : Fusion_Op<"yield", [
    Pure, Terminator, HasParent<"::mlir::fusion::GroupOp">]> {
  let summary = "Yields the results of a group";
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Fusion_AttentionOp : Fusion_Op<"attention", [
    AttrSizedOperandSegments, DestinationStyleOpInterface,
    DeclareOpInterfaceMethods<TilingInterface,
                              ["getIterationDomain", "getLoopIteratorTypes",
                               "getTiledImplementation",
                               "getResultTilePosition",
                               "generateResultTileValue"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>, Pure]> {
  let summary = "Softmax attention over explicit index maps";
  let description = [{
    Over an iteration domain of dimensions `b0 .. bn, q, d, k, v` (any number of
    batch dimensions, query position, width of queries and keys, key position,
    width of values; in this order):

    ```
    s[b, q, k] = scale * sum over d of query[b, q, d] * key[b, k, d],
                 times factor[b, q, k] if that is given
    s[b, q, k] = softcap * tanh(s / softcap)              if softcap is given
    s[b, q, k] = s where mask[b, q, k] is true, masked_score (-inf by default)
                 elsewhere, for a boolean mask; for a float mask s + mask, but
                 masked_score where that is given and the mask is NaN
    s[b, q, k] = maxnum(s, floor)                         if floor is given
    s[b, q, k] = -inf where k > q + causal_offset, or k <= q + causal_offset - window
    total[b, q]  = sum over k of exp(s[b, q, k] - reference[b, q]),
                   plus exp(sink[b, q] - reference[b, q]) if there is a sink
    p[b, q, k]   = exp(s[b, q, k] - reference[b, q]) / total[b, q]
    out[b, q, v] = sum over k of p[b, q, k] * value[b, k, v],
                   each p times dropout[b, q, k] if that is given
    ```

    A row's `reference` is its largest score or one so close below it that no
    exponential overflows, and 0 where there is no key. It cancels; `reference`
    and `total` are results for those who join parts of the keys. (The logarithm
    of the total, to which FlashAttention adds the reference, does not do:
    beside a reference of -1e38, the usual mask, it would be lost.)

    `p` is a result for those who keep probabilities: once a row's total is
    known, the scores are computed a second time, by the same operations.

    A sink is the score of a key that has no value: it takes its part of the
    probabilities and adds nothing to the result.

    The algorithm is FlashAttention (Dao et al., arXiv:2205.14135): products
    accumulate in `f32` (in `f64` for `f64` operands), the softmax runs in the
    accumulator's type with a running maximum, and probabilities may be rounded
    to the value's type before the second product. A row with no key left gives
    zeros in `out` and `p` under `masked_rows = zero` and NaN under `nan`; its
    total is 0. With a sink that is not -inf there is no such row.

    `indexing_maps` holds one map for query, key, value, those of factor, mask,
    sink and dropout that are there, the output, and if they are there one for
    reference and total, and one for `p`. Results of a map are affine
    expressions of the domain's dimensions: batch dimensions may be combined
    (`d1 floordiv 4` shares a key head among four query heads), `q`, `d`, `k`
    and `v` stand alone.

    Constraints:
    - (attention_c1) `indexing_maps` has one map for each tensor operand,
      reference and total having one in common, all with the same number (at
      least 4) of dimensions and no symbols.
    - (attention_c2) each map has as many results as its operand has dimensions.
    - (attention_c3) `q`, `d`, `k`, `v` appear only as whole results, at most
      once in a map; query uses `q, d`, key `k, d`, value `k, v`, the output
      `q, v`, a factor, a mask and a dropout any of `q, k`, a sink `q` or not,
      reference and total `q`, `p` `q, k`.
    - (attention_c4) query, key and value hold floats of one type; a mask holds
      floats or i1, a factor, a sink and a dropout hold floats.
    - (attention_c5) `window` needs `causal_offset` and is positive; `softcap`
      is positive; `masked_score` needs a mask; it and `floor` are no NaN.
    - (attention_c6) results have the types of `outs`: the output; or that, the
      reference and the total, these two of one type; or all three and `p`. All
      but the output hold the accumulator's type.
    - (attention_c7) each dimension is a whole result of the map of query, key,
      value or output, which gives its extent; static sizes along one dimension
      are equal.
  }];
  let arguments = (ins
    AnyRankedTensor:$query,
    AnyRankedTensor:$key,
    AnyRankedTensor:$value,
    Optional<AnyRankedTensor>:$factor,
    Optional<AnyRankedTensor>:$mask,
    Optional<AnyRankedTensor>:$sink,
    Optional<AnyRankedTensor>:$dropout,
    Optional<Index>:$causalOffset,
    Variadic<AnyRankedTensor>:$outputs,
    AffineMapArrayAttr:$indexing_maps,
    F64Attr:$scale,
    OptionalAttr<I64Attr>:$window,
    OptionalAttr<F64Attr>:$softcap,
    OptionalAttr<F64Attr>:$masked_score,
    OptionalAttr<F64Attr>:$floor,
    DefaultValuedAttr<Fusion_MaskedRowsAttr,
                      "::mlir::fusion::MaskedRows::NaN">:$masked_rows);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    attr-dict `ins` `(` $query `,` $key `,` $value `:` type($query) `,`
    type($key) `,` type($value) `)`
    (`factor` `(` $factor^ `:` type($factor) `)`)?
    (`mask` `(` $mask^ `:` type($mask) `)`)?
    (`sink` `(` $sink^ `:` type($sink) `)`)?
    (`dropout` `(` $dropout^ `:` type($dropout) `)`)?
    (`causal` `(` $causalOffset^ `)`)?
    `outs` `(` $outputs `:` type($outputs) `)` `->` type($results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Number of batch dimensions of the iteration domain.
    unsigned getNumBatchDims() { return getQueryMap().getNumDims() - 4; }
    unsigned getQueryDim() { return getNumBatchDims(); }
    unsigned getWidthDim() { return getNumBatchDims() + 1; }
    unsigned getKeyDim() { return getNumBatchDims() + 2; }
    unsigned getValueDim() { return getNumBatchDims() + 3; }
    ::mlir::AffineMap getMap(unsigned i) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getIndexingMaps()[i]).getValue();
    }
    ::mlir::AffineMap getQueryMap() { return getMap(0); }
    ::mlir::AffineMap getKeyMap() { return getMap(1); }
    ::mlir::AffineMap getValueMap() { return getMap(2); }
    /// Null where there is no mask; so for the others.
    ::mlir::AffineMap getFactorMap() { return getOptionalMap(0); }
    ::mlir::AffineMap getMaskMap() { return getOptionalMap(1); }
    ::mlir::AffineMap getSinkMap() { return getOptionalMap(2); }
    ::mlir::AffineMap getDropoutMap() { return getOptionalMap(3); }
    /// Factor, mask, sink and dropout, null where they are not there.
    ::std::array<::mlir::Value, 4> getOptionalInputs() {
      return {getFactor(), getMask(), getSink(), getDropout()};
    }
    /// The map of the i-th of them; null where it is not there.
    ::mlir::AffineMap getOptionalMap(unsigned i);
    ::mlir::AffineMap getOutputMap() { return getMap(getNumTensorInputs()); }
    /// Whether reference and total of rows are results.
    bool hasRowResults() { return getOutputs().size() > 1; }
    /// The result `p`; null where it is not asked for.
    ::mlir::Value getProbabilities() {
      return getOutputs().size() > 3 ? getResult(3) : ::mlir::Value();
    }
    /// The map of reference and total; null where they are not asked for.
    ::mlir::AffineMap getRowMap() {
      return hasRowResults() ? getMap(getNumTensorInputs() + 1)
                             : ::mlir::AffineMap();
    }
    /// The map of `p`; null where it is not asked for.
    ::mlir::AffineMap getProbabilityMap() {
      return getProbabilities() ? getMap(getNumTensorInputs() + 2)
                                : ::mlir::AffineMap();
    }
    /// The map of the i-th result.
    ::mlir::AffineMap getResultMap(unsigned i) {
      return i == 0 ? getOutputMap()
                    : i < 3 ? getRowMap() : getProbabilityMap();
    }
    /// Query, key, value, and those of the optional inputs that are there.
    unsigned getNumTensorInputs();
    /// Those with their maps.
    ::llvm::SmallVector<std::pair<::mlir::Value, ::mlir::AffineMap>>
    getTensorInputs();
    /// Those and the outputs, with their maps.
    ::llvm::SmallVector<std::pair<::mlir::Value, ::mlir::AffineMap>>
    getTensorOperands();
    /// What a mask puts in place of a score.
    double getMaskedScoreOrInfinity();
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
  }];
}

def Fusion_SimdgroupMmaOp : Fusion_Op<"simdgroup_mma", [Pure,
    AllTypesMatch<["acc", "result"]>, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "An 8x8x8 matrix product of one SIMD group (Metal)";
  let description = [{
    `result = lhs * rhs + acc` on fragments of 8x8 matrices as Metal's
    `simdgroup_matrix` lays them out (Metal Shading Language specification 3.1,
    6.7): lane `l` holds columns `c` and `c + 1` of row `r`, with `q = l / 4`,
    `r = (q & 4) + (l / 2) % 4`, `c = (q & 2) * 2 + (l % 2) * 2`. All 32 lanes
    must execute it together.

    - (simdgroup_mma_c1) operands are vectors of two f16, bf16 or f32 elements;
      the accumulator holds two f32 elements.
  }];
  let arguments = (ins AnyVectorOfNonZeroRank:$lhs, AnyVectorOfNonZeroRank:$rhs,
                       AnyVectorOfNonZeroRank:$acc);
  let results = (outs AnyVectorOfNonZeroRank:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc attr-dict `:` type($lhs) `,` type($acc)
  }];
  let hasVerifier = 1;
}

#endif // FUSION_IR_FUSIONOPS_TD
