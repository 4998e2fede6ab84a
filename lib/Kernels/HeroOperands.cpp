//===- HeroOperands.cpp - Operands and results of heroes ------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeroOperands.h"
#include "fusion/Kernels/KernelBuilder.h"

using namespace mlir;
using namespace mlir::fusion;

FailureOr<SmallVector<IndexVector>>
fusion::pushToOutputs(IndexSpace &space, ShapeAnalysis &shapes, GroupOp group,
                      ArrayRef<Value> heroResults,
                      ArrayRef<AffineExpr> indices) {
  SmallVector<Operation *> ops;
  for (Operation &op : group.getBody().front())
    ops.push_back(&op);
  SmallVector<Value> outputs(group.getYielded());
  return pushToOutputs(space, shapes, ops, outputs, heroResults, indices);
}

AffineExpr fusion::bindIndex(ElementEmitter &emitter, Value value,
                             AffineExpr bound) {
  if (std::optional<int64_t> constant = KernelBuilder::getConstant(value))
    return emitter.getSpace().constant(*constant);
  return emitter.bindDim(value, bound);
}
