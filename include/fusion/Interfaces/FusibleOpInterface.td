//===- FusibleOpInterface.td - How an operation fuses ------*- tablegen -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_INTERFACES_FUSIBLEOPINTERFACE_TD
#define FUSION_INTERFACES_FUSIBLEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def Fusion_FusibleOpInterface : OpInterface<"FusibleOpInterface"> {
  let cppNamespace = "::mlir::fusion";
  let description = [{
    Tells the grouping passes how an operation on tensors joins a group, and the
    kernels how to compute one element of it. Upstream operations get external
    models (`registerFusibleOpExternalModels`); another compiler attaches the
    interface to operations of its own, which then fuse like any other.
  }];
  let methods = [
    InterfaceMethod<[{
      The operation's part in a group.
    }], "::mlir::fusion::FusionRole", "getFusionRole">,
    InterfaceMethod<[{
      Emits code that computes result `result` at each of the index vectors
      `lanes`, and appends one scalar per lane to `values`. Fails with a
      diagnostic on the operation where that is not possible.
    }], "::llvm::LogicalResult", "emitElements",
    (ins "::mlir::fusion::ElementEmitter &":$emitter, "unsigned":$result,
         "::llvm::ArrayRef<::mlir::fusion::IndexVector>":$lanes,
         "::llvm::SmallVectorImpl<::mlir::Value> &":$values)>,
    InterfaceMethod<[{
      The element of tensor operand `operand` that result `result` at `indices`
      reads; failure where it reads several or none that affine expressions can
      name.
    }], "::llvm::FailureOr<::mlir::fusion::IndexVector>", "getOperandIndices",
    (ins "::mlir::fusion::IndexSpace &":$space,
         "::mlir::fusion::ShapeAnalysis &":$shapes,
         "::mlir::OpOperand &":$operand, "unsigned":$result,
         "::llvm::ArrayRef<::mlir::AffineExpr>":$indices),
    /*methodBody=*/"", /*defaultImplementation=*/"return ::mlir::failure();">,
    InterfaceMethod<[{
      As `getOperandIndices`, for an operation that picks one of its operands by
      the index (a concatenation): the element of `operand` that result `result`
      at `indices` reads if it reads that operand. The expressions may use
      dimensions narrowed to where that is so (`IndexSpace::narrow`).
    }], "::llvm::FailureOr<::mlir::fusion::IndexVector>", "getPickedIndices",
    (ins "::mlir::fusion::IndexSpace &":$space,
         "::mlir::fusion::ShapeAnalysis &":$shapes,
         "::mlir::OpOperand &":$operand, "unsigned":$result,
         "::llvm::ArrayRef<::mlir::AffineExpr>":$indices),
    /*methodBody=*/"", /*defaultImplementation=*/[{
      return ::llvm::cast<::mlir::fusion::FusibleOpInterface>(
                 $_op.getOperation())
          .getOperandIndices(space, shapes, operand, result, indices);
    }]>,
    InterfaceMethod<[{
      The only element of result `result` that reads the element of `operand` at
      `indices`; failure where several or none do (a broadcast, a slice).
    }], "::llvm::FailureOr<::mlir::fusion::IndexVector>", "getResultIndices",
    (ins "::mlir::fusion::IndexSpace &":$space,
         "::mlir::fusion::ShapeAnalysis &":$shapes,
         "::mlir::OpOperand &":$operand, "unsigned":$result,
         "::llvm::ArrayRef<::mlir::AffineExpr>":$indices),
    /*methodBody=*/"", /*defaultImplementation=*/"return ::mlir::failure();">,
  ];
}

#endif // FUSION_INTERFACES_FUSIBLEOPINTERFACE_TD
