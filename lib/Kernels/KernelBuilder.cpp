//===- KernelBuilder.cpp - Index arithmetic for kernel bodies -------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Kernels/KernelBuilder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::fusion;

std::optional<int64_t> KernelBuilder::getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

Value KernelBuilder::add(Value lhs, Value rhs) const {
  return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}
Value KernelBuilder::add(Value lhs, int64_t rhs) const {
  return rhs == 0 ? lhs : add(lhs, index(rhs));
}
Value KernelBuilder::sub(Value lhs, Value rhs) const {
  return builder.createOrFold<arith::SubIOp>(loc, lhs, rhs);
}
Value KernelBuilder::mul(Value lhs, Value rhs) const {
  return builder.createOrFold<arith::MulIOp>(loc, lhs, rhs);
}
Value KernelBuilder::mul(Value lhs, int64_t rhs) const {
  return rhs == 1 ? lhs : mul(lhs, index(rhs));
}
Value KernelBuilder::div(Value lhs, Value rhs) const {
  return builder.createOrFold<arith::DivUIOp>(loc, lhs, rhs);
}
Value KernelBuilder::div(Value lhs, int64_t rhs) const {
  return rhs == 1 ? lhs : div(lhs, index(rhs));
}
Value KernelBuilder::rem(Value lhs, Value rhs) const {
  return builder.createOrFold<arith::RemUIOp>(loc, lhs, rhs);
}
Value KernelBuilder::rem(Value lhs, int64_t rhs) const {
  return rhs == 1 ? index(0) : rem(lhs, index(rhs));
}
Value KernelBuilder::ceilDiv(Value lhs, int64_t rhs) const {
  return div(add(lhs, rhs - 1), rhs);
}
Value KernelBuilder::min(Value lhs, Value rhs) const {
  return builder.createOrFold<arith::MinUIOp>(loc, lhs, rhs);
}
Value KernelBuilder::bitXor(Value lhs, Value rhs) const {
  return builder.createOrFold<arith::XOrIOp>(loc, lhs, rhs);
}
Value KernelBuilder::bitAnd(Value lhs, int64_t rhs) const {
  return builder.createOrFold<arith::AndIOp>(loc, lhs, index(rhs));
}

Value KernelBuilder::less(Value lhs, Value rhs) const {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult,
                                             lhs, rhs);
}
Value KernelBuilder::equal(Value lhs, Value rhs) const {
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, lhs,
                                             rhs);
}
Value KernelBuilder::logicalAnd(Value lhs, Value rhs) const {
  return builder.createOrFold<arith::AndIOp>(loc, lhs, rhs);
}
Value KernelBuilder::select(Value condition, Value ifTrue,
                            Value ifFalse) const {
  return builder.createOrFold<arith::SelectOp>(loc, condition, ifTrue, ifFalse);
}

void mlir::fusion::buildIf(OpBuilder &builder, Location loc, Value condition,
                           llvm::function_ref<void(OpBuilder &)> body) {
  if (matchPattern(condition, m_One()))
    return body(builder);
  scf::IfOp::create(builder, loc, condition,
                    [&](OpBuilder &nested, Location nestedLoc) {
                      body(nested);
                      scf::YieldOp::create(nested, nestedLoc);
                    });
}

Value mlir::fusion::buildSharedView(OpBuilder &builder, Location loc,
                                    Value sharedMemory, int64_t byteOffset,
                                    int64_t numElements, Type type) {
  auto memory = cast<MemRefType>(sharedMemory.getType());
  auto viewType =
      MemRefType::get({numElements}, type, MemRefLayoutAttrInterface(),
                      memory.getMemorySpace());
  Value shift = arith::ConstantIndexOp::create(builder, loc, byteOffset);
  return memref::ViewOp::create(builder, loc, viewType, sharedMemory, shift,
                                ValueRange());
}
