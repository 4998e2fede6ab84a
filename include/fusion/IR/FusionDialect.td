//===----------------------------------------------------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_IR_FUSIONDIALECT_TD
#define FUSION_IR_FUSIONDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Fusion_Dialect : Dialect {
  let name = "fusion";
  let cppNamespace = "::mlir::fusion";
  let summary = "Fused groups of tensor operations, one GPU kernel each";
  let description = [{
    The dialect holds what upstream has no word for: a *group* of linalg, tensor
    and arith operations that becomes one kernel (`fusion.group`), attention as
    one operation with explicit numerics (`fusion.attention`), and the few
    kernel-level operations that a matrix unit needs and that the gpu dialect
    lacks. Norms, RoPE, QKV and FFN are kinds of group, not operations: their
    bodies are plain linalg and so need no semantics of their own.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect",
  ];
}

class Fusion_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Fusion_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

def Fusion_GroupKind : I32EnumAttr<"GroupKind", "What a group computes", [
    I32EnumAttrCase<"Elementwise", 0, "elementwise">,
    I32EnumAttrCase<"Reduction", 1, "reduction">,
    I32EnumAttrCase<"Softmax", 2, "softmax">,
    I32EnumAttrCase<"Norm", 3, "norm">,
    I32EnumAttrCase<"Rope", 4, "rope">,
    I32EnumAttrCase<"Contraction", 5, "contraction">,
    I32EnumAttrCase<"Qkv", 6, "qkv">,
    I32EnumAttrCase<"Ffn", 7, "ffn">,
    I32EnumAttrCase<"Attention", 8, "attention">,
    I32EnumAttrCase<"Update", 9, "update">,
    I32EnumAttrCase<"Barrier", 10, "barrier">]> {
  let cppNamespace = "::mlir::fusion";
  let genSpecializedAttr = 0;
}
def Fusion_GroupKindAttr : EnumAttr<Fusion_Dialect, Fusion_GroupKind, "kind"> {
  let assemblyFormat = "`<` $value `>`";
}

def Fusion_Strategy : I32EnumAttr<"Strategy", "The family of kernel template", [
    I32EnumAttrCase<"Generic", 0, "generic">,
    I32EnumAttrCase<"Row", 1, "row">,
    I32EnumAttrCase<"Contraction", 2, "contraction">,
    I32EnumAttrCase<"Attention", 3, "attention">]> {
  let cppNamespace = "::mlir::fusion";
  let genSpecializedAttr = 0;
}
def Fusion_StrategyAttr : EnumAttr<Fusion_Dialect, Fusion_Strategy, "strategy"> {
  let assemblyFormat = "`<` $value `>`";
}

def Fusion_MatrixUnitKind : I32EnumAttr<"MatrixUnitKind", "The hardware that multiplies tiles", [
    I32EnumAttrCase<"Scalar", 0, "scalar">,
    I32EnumAttrCase<"MmaSync", 1, "mma_sync">,
    I32EnumAttrCase<"Simdgroup", 2, "simdgroup">]> {
  let cppNamespace = "::mlir::fusion";
  let genSpecializedAttr = 0;
}
def Fusion_MatrixUnitKindAttr
    : EnumAttr<Fusion_Dialect, Fusion_MatrixUnitKind, "matrix_unit"> {
  let assemblyFormat = "`<` $value `>`";
}

def Fusion_MaskedRows : I32EnumAttr<"MaskedRows", "The result of a row whose every score is masked", [
    I32EnumAttrCase<"Zero", 0, "zero">,
    I32EnumAttrCase<"NaN", 1, "nan">]> {
  let cppNamespace = "::mlir::fusion";
  let genSpecializedAttr = 0;
}
def Fusion_MaskedRowsAttr
    : EnumAttr<Fusion_Dialect, Fusion_MaskedRows, "masked_rows"> {
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def Fusion_ScheduleAttr : Fusion_Attr<"Schedule", "schedule"> {
  let summary = "How a group becomes a kernel";
  let description = [{
    Chosen by `fusion-schedule`, printed in the IR, and free for a user to
    override before `convert-fusion-to-gpu`.

    - `strategy`: the kernel family.
    - `unit`: the matrix unit of a contraction or an attention.
    - `tile`: the block's tile. Contraction: M, N, K. Attention: query rows,
      keys. Row: elements of a row held by a thread (0 when the row is looped
      over). Empty for generic kernels.
    - `warps`: how the warps split the tile: along M, along N.
    - `stages`: depth of the asynchronous copy pipeline, in tiles; 1 is none.
    - `threads`: threads in a block.
    - `vector`: elements that one thread handles at a time.
  }];
  let parameters = (ins
    EnumParameter<Fusion_Strategy>:$strategy,
    DefaultValuedParameter<"::mlir::fusion::MatrixUnitKind",
      "::mlir::fusion::MatrixUnitKind::Scalar">:$unit,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$tile,
    OptionalParameter<"::mlir::DenseI64ArrayAttr">:$warps,
    DefaultValuedParameter<"int64_t", "1">:$stages,
    DefaultValuedParameter<"int64_t", "256">:$threads,
    DefaultValuedParameter<"int64_t", "1">:$vector);
  let assemblyFormat = [{
    `<` $strategy (`,` struct($unit, $tile, $warps, $stages, $threads, $vector)^)? `>`
  }];
}

def Fusion_TargetAttr : Fusion_Attr<"Target", "target"> {
  let summary = "The device that kernels are made for";
  let description = [{
    Names a row of the device table (`fusion/Target/TargetTable.h`), for example
    `#fusion.target<"sm_80">` or `#fusion.target<"apple9">`. It sits on the
    module as `fusion.target`.
  }];
  let parameters = (ins StringRefParameter<"device name">:$device);
  let assemblyFormat = "`<` $device `>`";
  let genVerifyDecl = 1;
}

#endif // FUSION_IR_FUSIONDIALECT_TD
