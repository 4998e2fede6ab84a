//===- MathAndVector.cpp - Expressions of math, vector and gpu ------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::msl;

using MaybeExpression = FailureOr<std::optional<Expression>>;

//===----------------------------------------------------------------------===//
// math
//===----------------------------------------------------------------------===//

/// MSL's name of an elementary function of f32 values and vectors of them.
static StringRef floatFunction(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](math::AcosOp) { return "precise::acos"; })
      .Case([](math::AcoshOp) { return "precise::acosh"; })
      .Case([](math::AsinOp) { return "precise::asin"; })
      .Case([](math::AsinhOp) { return "precise::asinh"; })
      .Case([](math::AtanOp) { return "precise::atan"; })
      .Case([](math::AtanhOp) { return "precise::atanh"; })
      .Case([](math::CosOp) { return "precise::cos"; })
      .Case([](math::CoshOp) { return "precise::cosh"; })
      .Case([](math::ExpOp) { return "precise::exp"; })
      .Case([](math::Exp2Op) { return "precise::exp2"; })
      .Case([](math::LogOp) { return "precise::log"; })
      .Case([](math::Log10Op) { return "precise::log10"; })
      .Case([](math::Log2Op) { return "precise::log2"; })
      .Case([](math::RsqrtOp) { return "precise::rsqrt"; })
      .Case([](math::SinOp) { return "precise::sin"; })
      .Case([](math::SinhOp) { return "precise::sinh"; })
      .Case([](math::SqrtOp) { return "precise::sqrt"; })
      .Case([](math::TanOp) { return "precise::tan"; })
      .Case([](math::TanhOp) { return "precise::tanh"; })
      .Case([](math::AbsFOp) { return "fabs"; })
      .Case([](math::CeilOp) { return "ceil"; })
      .Case([](math::FloorOp) { return "floor"; })
      .Case([](math::RoundOp) { return "round"; })
      .Case([](math::RoundEvenOp) { return "rint"; })
      .Case([](math::TruncOp) { return "trunc"; })
      .Case([](math::FmaOp) { return "fma"; })
      .Case([](math::PowFOp) { return "precise::pow"; })
      .Case([](math::Atan2Op) { return "atan2"; })
      .Case([](math::CopySignOp) { return "copysign"; })
      .Default([](Operation *) { return ""; });
}

MaybeExpression KernelEmitter::mathExpression(Operation *op) {
  StringRef function = floatFunction(op);
  if (!function.empty()) {
    Type type = op->getResult(0).getType();
    bool scalarOnly = isa<math::PowFOp, math::Atan2Op, math::CopySignOp>(op);
    if (!getElementTypeOrSelf(type).isF32() ||
        (scalarOnly && isa<VectorType>(type)))
      return op->emitOpError()
             << "is on " << type << "; run fusion-legalize-for-msl first";
    SmallVector<Expression> operands;
    for (Value operand : op->getOperands())
      operands.push_back(get(operand));
    return std::optional(call(function, operands));
  }

  // Integers.
  if (isa<math::AbsIOp>(op))
    return std::optional(call("abs", {get(op->getOperand(0))}));
  StringRef bits = isa<math::CountLeadingZerosOp>(op)    ? "clz"
                   : isa<math::CountTrailingZerosOp>(op) ? "ctz"
                   : isa<math::CtPopOp>(op)              ? "popcount"
                                                         : "";
  if (bits.empty())
    return std::optional<Expression>();
  Type type = op->getResult(0).getType();
  if (!type.isInteger(32))
    return op->emitOpError()
           << "is on " << type << "; run fusion-legalize-for-msl first";
  return std::optional(
      fromUnsigned(call(bits, {getUnsigned(op->getOperand(0))}), type));
}

//===----------------------------------------------------------------------===//
// vector
//===----------------------------------------------------------------------===//

/// The component of a vector at a constant position.
static StringRef component(int64_t position) {
  static constexpr StringLiteral names[] = {".x", ".y", ".z", ".w"};
  return names[position];
}

MaybeExpression KernelEmitter::vectorExpression(Operation *op) {
  if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    if (types.name(extract.getSource().getType()).empty() ||
        extract.getNumIndices() != 1)
      return op->emitOpError("is not on a short vector; run "
                             "fusion-legalize-for-msl first");
    const Expression &source = get(extract.getSource());
    Expression result{source.at(Precedence::Primary), Precedence::Primary,
                      source.reads};
    OpFoldResult position = extract.getMixedPosition().front();
    if (auto value = dyn_cast<Value>(position)) {
      result.text += "[" + get(value).text + "]";
      llvm::append_range(result.reads, get(value).reads);
      return std::optional(result);
    }
    int64_t constant = *getConstantIntValue(position);
    if (constant < 0)
      return op->emitOpError("extracts at a poison position");
    result.text += component(constant);
    return std::optional(result);
  }
  if (isa<vector::BroadcastOp, vector::FromElementsOp>(op)) {
    Type type = op->getResult(0).getType();
    FailureOr<std::string> name = typeName(type, op->getLoc());
    if (failed(name))
      return failure();
    SmallVector<Expression> operands;
    for (Value operand : op->getOperands()) {
      if (isa<VectorType>(operand.getType()))
        return op->emitOpError("broadcasts a vector; run "
                               "fusion-legalize-for-msl first");
      operands.push_back(get(operand));
    }
    return std::optional(call(*name, operands));
  }
  if (auto fma = dyn_cast<vector::FMAOp>(op))
    return std::optional(
        call("fma", {get(fma.getLhs()), get(fma.getRhs()), get(fma.getAcc())}));
  return std::optional<Expression>();
}

//===----------------------------------------------------------------------===//
// gpu
//===----------------------------------------------------------------------===//

std::optional<Expression> KernelEmitter::idExpression(Operation *op) {
  // Positions are uint, so a 64-bit index has no unsigned spelling of its own.
  auto toIndex = [&](const Expression &position) {
    Type type = op->getResult(0).getType();
    return types.bitWidth(type) == 32 ? fromUnsigned(position, type)
                                      : convert(types.name(type), position);
  };
  auto position = [&](StringRef parameter,
                      gpu::Dimension dimension) -> std::optional<Expression> {
    std::string text = parameter.str() + component(int64_t(dimension)).str();
    return toIndex(Expression{text});
  };
  return llvm::TypeSwitch<Operation *, std::optional<Expression>>(op)
      .Case([&](gpu::ThreadIdOp id) {
        return position("threadIndex", id.getDimension());
      })
      .Case([&](gpu::BlockIdOp id) {
        return position("blockIndex", id.getDimension());
      })
      .Case([&](gpu::BlockDimOp id) {
        return position("blockSize", id.getDimension());
      })
      .Case([&](gpu::GridDimOp id) {
        return position("blockCount", id.getDimension());
      })
      .Case([&](gpu::LaneIdOp) { return toIndex(Expression{"laneIndex"}); })
      .Default([](Operation *) { return std::nullopt; });
}
