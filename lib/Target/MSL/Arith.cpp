//===- Arith.cpp - Expressions of the arith dialect -----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signless integers are signed in MSL. Sums, products and left shifts of data
// go through the unsigned type, because MLIR's wrap and C++'s must not; index
// arithmetic does not overflow and stays as it is.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::msl;

using MaybeExpression = FailureOr<std::optional<Expression>>;

static bool isBool(Type type) { return type.isInteger(1); }

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

MaybeExpression KernelEmitter::constantExpression(arith::ConstantOp op) {
  Type type = op.getType();
  FailureOr<std::string> name = typeName(type, op.getLoc());
  if (failed(name))
    return failure();
  Type scalarType = getElementTypeOrSelf(type);

  auto integer = [&](const llvm::APInt &value) -> FailureOr<Expression> {
    unsigned width = types.bitWidth(scalarType);
    if (!value.isSignedIntN(width))
      return op.emitOpError() << "does not fit " << width
                              << "-bit index arithmetic; drop fusion.index32";
    Expression expression{types.literal(value, scalarType)};
    if (value.isNegative() && width >= 32 && !value.isMinSignedValue())
      expression.precedence = Precedence::Unary;
    if (width >= 32 && value.isNonNegative())
      expression.unsignedText =
          std::to_string(value.getZExtValue()) + (width == 64 ? "uL" : "u");
    return expression;
  };
  auto scalar = [&](Attribute value) -> FailureOr<Expression> {
    if (auto number = dyn_cast<IntegerAttr>(value))
      return integer(number.getValue());
    Expression expression{
        types.literal(cast<FloatAttr>(value).getValue(), scalarType)};
    if (expression.text.front() == '-')
      expression.precedence = Precedence::Unary;
    return expression;
  };

  SmallVector<Attribute> values;
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (isa<IntegerAttr, FloatAttr>(op.getValue()))
    values.push_back(op.getValue());
  else if (!dense)
    return op.emitOpError("holds a constant that MSL can not spell");
  else if (dense.isSplat())
    values.push_back(dense.getSplatValue<Attribute>());
  else
    llvm::append_range(values, dense.getValues<Attribute>());
  SmallVector<Expression> elements;
  for (Attribute value : values) {
    FailureOr<Expression> element = scalar(value);
    if (failed(element))
      return failure();
    elements.push_back(*element);
  }
  if (!dense)
    return std::optional(elements.front());
  return std::optional(call(*name, elements));
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

std::optional<Expression> KernelEmitter::integerBinary(Operation *op) {
  if (op->getNumOperands() != 2 || op->getNumResults() != 1)
    return std::nullopt;
  Type type = op->getResult(0).getType();
  Type scalar = getElementTypeOrSelf(type);
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);

  // C++ promotes narrow operands to int, which can not overflow.
  bool narrow = types.bitWidth(scalar) < 32 && !isa<VectorType>(type);
  auto narrowed = [&](Expression expression) {
    return narrow ? convert(types.name(type), expression) : expression;
  };
  bool wraps = !scalar.isIndex() && !narrow;
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    wraps &= !bitEnumContainsAll(flags.getOverflowAttr().getValue(),
                                 arith::IntegerOverflowFlags::nsw);
  auto wrapping = [&](StringRef symbol, Precedence precedence) {
    if (!wraps)
      return narrowed(binary(get(lhs), symbol, get(rhs), precedence));
    return fromUnsigned(
        binary(getUnsigned(lhs), symbol, getUnsigned(rhs), precedence), type);
  };
  auto asSigned = [&](StringRef symbol, Precedence precedence) {
    return narrowed(binary(get(lhs), symbol, get(rhs), precedence));
  };
  auto asUnsigned = [&](StringRef symbol, Precedence precedence) {
    return fromUnsigned(
        binary(getUnsigned(lhs), symbol, getUnsigned(rhs), precedence), type);
  };
  auto signedCall = [&](StringRef function) {
    return call(function, {get(lhs), get(rhs)});
  };
  auto unsignedCall = [&](StringRef function) {
    return fromUnsigned(call(function, {getUnsigned(lhs), getUnsigned(rhs)}),
                        type);
  };

  // One bit: logic. As a signed number, true is -1.
  if (isBool(scalar))
    return llvm::TypeSwitch<Operation *, std::optional<Expression>>(op)
        .Case<arith::AndIOp, arith::MulIOp, arith::MinUIOp, arith::MaxSIOp>(
            [&](auto) {
              return binary(get(lhs), "&&", get(rhs), Precedence::LogicalAnd);
            })
        .Case<arith::OrIOp, arith::MaxUIOp, arith::MinSIOp>([&](auto) {
          return binary(get(lhs), "||", get(rhs), Precedence::LogicalOr);
        })
        .Case<arith::XOrIOp, arith::AddIOp, arith::SubIOp>([&](auto) {
          if (auto constant = rhs.getDefiningOp<arith::ConstantOp>())
            if (cast<IntegerAttr>(constant.getValue()).getValue().isOne())
              return Expression{"!" + get(lhs).at(Precedence::Primary),
                                Precedence::Unary, get(lhs).reads};
          return binary(get(lhs), "!=", get(rhs), Precedence::Equality);
        })
        .Case<arith::DivSIOp, arith::DivUIOp>([&](auto) { return get(lhs); })
        .Default([](Operation *) { return std::nullopt; });

  return llvm::TypeSwitch<Operation *, std::optional<Expression>>(op)
      .Case([&](arith::AddIOp) { return wrapping("+", Precedence::Additive); })
      .Case([&](arith::SubIOp) { return wrapping("-", Precedence::Additive); })
      .Case([&](arith::MulIOp) {
        return wrapping("*", Precedence::Multiplicative);
      })
      .Case([&](arith::ShLIOp) { return wrapping("<<", Precedence::Shift); })
      .Case([&](arith::DivSIOp) {
        return asSigned("/", Precedence::Multiplicative);
      })
      .Case([&](arith::RemSIOp) {
        return asSigned("%", Precedence::Multiplicative);
      })
      .Case([&](arith::DivUIOp) {
        return asUnsigned("/", Precedence::Multiplicative);
      })
      .Case([&](arith::RemUIOp) {
        return asUnsigned("%", Precedence::Multiplicative);
      })
      .Case([&](arith::ShRSIOp) { return asSigned(">>", Precedence::Shift); })
      .Case([&](arith::ShRUIOp) { return asUnsigned(">>", Precedence::Shift); })
      .Case([&](arith::AndIOp) { return asSigned("&", Precedence::BitAnd); })
      .Case([&](arith::OrIOp) { return asSigned("|", Precedence::BitOr); })
      .Case([&](arith::XOrIOp) { return asSigned("^", Precedence::BitXor); })
      .Case([&](arith::MaxSIOp) { return signedCall("max"); })
      .Case([&](arith::MinSIOp) { return signedCall("min"); })
      .Case([&](arith::MaxUIOp) { return unsignedCall("max"); })
      .Case([&](arith::MinUIOp) { return unsignedCall("min"); })
      .Default([](Operation *) { return std::nullopt; });
}

MaybeExpression KernelEmitter::compare(arith::CmpIOp op) {
  using arith::CmpIPredicate;
  Value lhs = op.getLhs(), rhs = op.getRhs();
  if (isa<VectorType>(lhs.getType()))
    return op.emitOpError(
        "compares vectors; run fusion-legalize-for-msl first");
  bool isUnsigned = false;
  StringRef symbol;
  switch (op.getPredicate()) {
  case CmpIPredicate::eq:
    return std::optional(
        binary(get(lhs), "==", get(rhs), Precedence::Equality));
  case CmpIPredicate::ne:
    return std::optional(
        binary(get(lhs), "!=", get(rhs), Precedence::Equality));
  case CmpIPredicate::ult:
    isUnsigned = true;
    [[fallthrough]];
  case CmpIPredicate::slt:
    symbol = "<";
    break;
  case CmpIPredicate::ule:
    isUnsigned = true;
    [[fallthrough]];
  case CmpIPredicate::sle:
    symbol = "<=";
    break;
  case CmpIPredicate::ugt:
    isUnsigned = true;
    [[fallthrough]];
  case CmpIPredicate::sgt:
    symbol = ">";
    break;
  case CmpIPredicate::uge:
    isUnsigned = true;
    [[fallthrough]];
  case CmpIPredicate::sge:
    symbol = ">=";
    break;
  }
  // A bool compares as unsigned; as a signed number, true is -1.
  if (isBool(lhs.getType()) && !isUnsigned)
    std::swap(lhs, rhs);
  if (isUnsigned)
    return std::optional(binary(getUnsigned(lhs), symbol, getUnsigned(rhs),
                                Precedence::Relational));
  return std::optional(
      binary(get(lhs), symbol, get(rhs), Precedence::Relational));
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

MaybeExpression KernelEmitter::compare(arith::CmpFOp op) {
  using arith::CmpFPredicate;
  if (isa<VectorType>(op.getLhs().getType()))
    return op.emitOpError(
        "compares vectors; run fusion-legalize-for-msl first");
  Expression lhs = get(op.getLhs()), rhs = get(op.getRhs());
  auto plain = [&](StringRef symbol,
                   Precedence precedence = Precedence::Relational) {
    return std::optional(binary(lhs, symbol, rhs, precedence));
  };
  // Unordered predicates are the negation of the opposite ordered one.
  auto negated = [&](StringRef symbol) {
    Expression compare = binary(lhs, symbol, rhs, Precedence::Relational);
    return std::optional(Expression{"!(" + compare.text + ")",
                                    Precedence::Unary, compare.reads});
  };
  switch (op.getPredicate()) {
  case CmpFPredicate::AlwaysFalse:
    return std::optional(Expression{"false"});
  case CmpFPredicate::AlwaysTrue:
    return std::optional(Expression{"true"});
  case CmpFPredicate::OEQ:
    return plain("==", Precedence::Equality);
  case CmpFPredicate::UNE:
    return plain("!=", Precedence::Equality);
  case CmpFPredicate::OGT:
    return plain(">");
  case CmpFPredicate::OGE:
    return plain(">=");
  case CmpFPredicate::OLT:
    return plain("<");
  case CmpFPredicate::OLE:
    return plain("<=");
  case CmpFPredicate::UGT:
    return negated("<=");
  case CmpFPredicate::UGE:
    return negated("<");
  case CmpFPredicate::ULT:
    return negated(">=");
  case CmpFPredicate::ULE:
    return negated(">");
  case CmpFPredicate::ONE:
  case CmpFPredicate::UEQ:
  case CmpFPredicate::ORD:
  case CmpFPredicate::UNO:
    break;
  }

  // The others mention an operand twice.
  FailureOr<Expression> simpleLhs = getSimple(op.getLhs());
  FailureOr<Expression> simpleRhs =
      op.getLhs() == op.getRhs() ? simpleLhs : getSimple(op.getRhs());
  if (failed(simpleLhs) || failed(simpleRhs))
    return failure();
  lhs = *simpleLhs;
  rhs = *simpleRhs;
  Expression result;
  switch (op.getPredicate()) {
  case CmpFPredicate::ONE:
  case CmpFPredicate::UEQ:
    result = binary(binary(lhs, "<", rhs, Precedence::Relational), "||",
                    binary(lhs, ">", rhs, Precedence::Relational),
                    Precedence::LogicalOr);
    if (op.getPredicate() == CmpFPredicate::UEQ) {
      result.text = "!(" + result.text + ")";
      result.precedence = Precedence::Unary;
    }
    return std::optional(result);
  default:
    break;
  }
  bool ordered = op.getPredicate() == CmpFPredicate::ORD;
  auto test = [&](const Expression &operand) {
    return binary(operand, ordered ? "==" : "!=", operand,
                  Precedence::Equality);
  };
  result = test(lhs);
  // `cmpf uno, %x, %x` and a constant on the right are the usual isnan.
  llvm::APFloat constant(0.0f);
  if (op.getLhs() != op.getRhs() &&
      !(matchPattern(op.getRhs(), m_ConstantFloat(&constant)) &&
        !constant.isNaN()))
    result = binary(result, ordered ? "&&" : "||", test(rhs),
                    ordered ? Precedence::LogicalAnd : Precedence::LogicalOr);
  return std::optional(result);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

MaybeExpression KernelEmitter::castExpression(Operation *op) {
  if ((!isa<CastOpInterface>(op) && !isa<vector::BitCastOp>(op)) ||
      op->getNumOperands() != 1)
    return std::optional<Expression>();
  Value source = op->getOperand(0);
  Type from = source.getType(), to = op->getResult(0).getType();
  FailureOr<std::string> name = typeName(to, op->getLoc());
  if (failed(name))
    return failure();
  bool fromBool = isBool(getElementTypeOrSelf(from));
  bool toBool = isBool(getElementTypeOrSelf(to));
  auto negative = [&](Expression expression) {
    return Expression{"-" + expression.at(Precedence::Primary),
                      Precedence::Unary, expression.reads};
  };
  auto lowestBit = [&](const Expression &integer) {
    Expression bit = binary(integer, "&", Expression{"1"}, Precedence::BitAnd);
    return Expression{"(" + bit.text + ") != 0", Precedence::Equality,
                      bit.reads};
  };

  return llvm::TypeSwitch<Operation *, MaybeExpression>(op)
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](auto) { return std::optional(convert(*name, get(source))); })
      .Case<arith::ExtSIOp, arith::SIToFPOp>([&](auto) {
        Expression value = convert(*name, get(source));
        if (!fromBool)
          return std::optional(value);
        value = negative(value);
        return std::optional(types.bitWidth(to) < 32 ? convert(*name, value)
                                                     : value);
      })
      .Case<arith::ExtUIOp, arith::UIToFPOp, arith::IndexCastUIOp>([&](auto) {
        if (*name == types.name(from))
          return std::optional(get(source));
        return std::optional(convert(*name, getUnsigned(source)));
      })
      .Case<arith::TruncIOp, arith::IndexCastOp>([&](auto) {
        if (toBool)
          return std::optional(lowestBit(get(source)));
        if (*name == types.name(from))
          return std::optional(get(source));
        Expression value = convert(*name, get(source));
        if (fromBool)
          value = negative(value);
        return std::optional(value);
      })
      .Case([&](arith::FPToSIOp) {
        if (toBool)
          return std::optional(lowestBit(convert("int", get(source))));
        return std::optional(convert(*name, get(source)));
      })
      .Case([&](arith::FPToUIOp) {
        if (toBool)
          return std::optional(lowestBit(convert("uint", get(source))));
        return std::optional(
            fromUnsigned(convert(types.unsignedName(to), get(source)), to));
      })
      .Case<arith::BitcastOp, vector::BitCastOp>([&](auto) -> MaybeExpression {
        if (fromBool || toBool)
          return op->emitOpError("changes the type of bits that MSL does not "
                                 "lay out");
        if (*name == types.name(from))
          return std::optional(get(source));
        return std::optional(call("as_type<" + *name + ">", {get(source)}));
      })
      .Default([](Operation *) { return std::optional<Expression>(); });
}

//===----------------------------------------------------------------------===//
// All of arith
//===----------------------------------------------------------------------===//

MaybeExpression KernelEmitter::arithExpression(Operation *op) {
  auto floatBinary = [&](StringRef symbol, Precedence precedence) {
    return std::optional(binary(get(op->getOperand(0)), symbol,
                                get(op->getOperand(1)), precedence));
  };
  auto floatCall = [&](StringRef function) -> MaybeExpression {
    if (isa<VectorType>(op->getResult(0).getType()))
      return op->emitOpError("works on vectors; run fusion-legalize-for-msl "
                             "first");
    return std::optional(
        call(function, {get(op->getOperand(0)), get(op->getOperand(1))}));
  };
  auto helper = [&](Helper function) -> MaybeExpression {
    if (!op->getResult(0).getType().isF32())
      return op->emitOpError("is not on f32 scalars; run "
                             "fusion-legalize-for-msl first");
    prelude.require(function);
    return floatCall(Prelude::name(function));
  };
  if (isa<FloatType>(op->getNumResults()
                         ? getElementTypeOrSelf(op->getResult(0).getType())
                         : Type()) &&
      getElementTypeOrSelf(op->getResult(0).getType()).isBF16() &&
      isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          arith::NegFOp>(op))
    return op->emitOpError("computes in bf16; run fusion-legalize-for-msl "
                           "first");

  return llvm::TypeSwitch<Operation *, MaybeExpression>(op)
      .Case([&](arith::ConstantOp constant) {
        return constantExpression(constant);
      })
      .Case([&](ub::PoisonOp) -> MaybeExpression {
        // Any value will do.
        FailureOr<std::string> name =
            typeName(op->getResult(0).getType(), op->getLoc());
        if (failed(name))
          return failure();
        return std::optional(call(*name, {Expression{"0"}}));
      })
      .Case<arith::CmpIOp, arith::CmpFOp>(
          [&](auto typed) { return compare(typed); })
      .Case([&](arith::SelectOp select) -> MaybeExpression {
        if (isa<VectorType>(select.getCondition().getType()))
          return op->emitOpError("chooses by a vector; run "
                                 "fusion-legalize-for-msl first");
        const Expression &condition = get(select.getCondition());
        const Expression &yes = get(select.getTrueValue());
        const Expression &no = get(select.getFalseValue());
        Expression result{condition.at(Precedence::LogicalOr) + " ? " +
                              yes.at(Precedence::LogicalOr) + " : " +
                              no.at(Precedence::LogicalOr),
                          Precedence::Ternary};
        for (const Expression *part : {&condition, &yes, &no})
          llvm::append_range(result.reads, part->reads);
        return std::optional(result);
      })
      .Case(
          [&](arith::AddFOp) { return floatBinary("+", Precedence::Additive); })
      .Case(
          [&](arith::SubFOp) { return floatBinary("-", Precedence::Additive); })
      .Case([&](arith::MulFOp) {
        return floatBinary("*", Precedence::Multiplicative);
      })
      .Case([&](arith::DivFOp) {
        return floatBinary("/", Precedence::Multiplicative);
      })
      .Case([&](arith::NegFOp) {
        const Expression &operand = get(op->getOperand(0));
        return std::optional(Expression{"-" + operand.at(Precedence::Primary),
                                        Precedence::Unary, operand.reads});
      })
      .Case([&](arith::RemFOp) { return floatCall("fmod"); })
      .Case([&](arith::MaxNumFOp) { return floatCall("fmax"); })
      .Case([&](arith::MinNumFOp) { return floatCall("fmin"); })
      .Case([&](arith::MaximumFOp) { return helper(Helper::Maximum); })
      .Case([&](arith::MinimumFOp) { return helper(Helper::Minimum); })
      .Default([&](Operation *) -> MaybeExpression {
        MaybeExpression result = castExpression(op);
        if (failed(result) || *result)
          return result;
        return integerBinary(op);
      });
}
