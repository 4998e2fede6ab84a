//===- PlanExpression.cpp - Scalars of a plan as text ---------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanExpression.h"

#include "fusion/Target/PlanEvaluation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::fusion;
using namespace mlir::fusion::detail;
using Kind = PlanScalar::Kind;
using llvm::formatv;
using llvm::StringRef;

namespace {

/// A scalar that is used more than once is written where it is used up to this
/// many nodes.
constexpr unsigned kMaxInlineNodes = 6;

/// Expressions of a file may nest this deep.
constexpr unsigned kMaxDepth = 1000;

struct Function {
  Kind kind;
  llvm::StringLiteral name;
};

constexpr Function kFunctions[] = {
    {Kind::DivS, "divs"},
    {Kind::RemS, "rems"},
    {Kind::FloorDiv, "floordiv"},
    {Kind::CeilDiv, "ceildiv"},
    {Kind::Mod, "mod"},
    {Kind::Min, "min"},
    {Kind::Max, "max"},
    {Kind::And, "and"},
    {Kind::Or, "or"},
    {Kind::Xor, "xor"},
    {Kind::Eq, "eq"},
    {Kind::Ne, "ne"},
    {Kind::Lt, "lt"},
    {Kind::Le, "le"},
    {Kind::Gt, "gt"},
    {Kind::Ge, "ge"},
    {Kind::Select, "select"},
};

const Function *findFunction(StringRef name) {
  const auto *it = llvm::find_if(
      kFunctions, [&](const Function &f) { return f.name == name; });
  return it == std::end(kFunctions) ? nullptr : it;
}

StringRef getFunctionName(Kind kind) {
  return llvm::find_if(kFunctions,
                       [&](const Function &f) { return f.kind == kind; })
      ->name;
}

} // namespace

//===----------------------------------------------------------------------===//
// ScalarBuilder
//===----------------------------------------------------------------------===//

ScalarId ScalarBuilder::get(PlanScalar scalar) {
  // Only the fields that the kind has tell scalars apart.
  bool isValue = scalar.kind == Kind::Constant;
  bool isArgument =
      scalar.kind == Kind::ArgumentDim || scalar.kind == Kind::ArgumentValue;
  scalar.value = isValue ? scalar.value : 0;
  scalar.argument = isArgument ? scalar.argument : 0;
  scalar.dim = scalar.kind == Kind::ArgumentDim ? scalar.dim : 0;
  auto [it, isNew] = known.try_emplace(
      {scalar.kind, scalar.value, scalar.argument, scalar.dim, scalar.operands},
      ScalarId(scalars.size()));
  if (isNew)
    scalars.push_back(std::move(scalar));
  return it->second;
}

ScalarId ScalarBuilder::constant(int64_t value) {
  PlanScalar scalar;
  scalar.value = value;
  return get(std::move(scalar));
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void mlir::fusion::detail::visitScalarUses(
    const LaunchPlan &plan, llvm::function_ref<void(ScalarId)> visit) {
  for (const PlanType &argument : plan.arguments)
    llvm::for_each(argument.shape, visit);
  for (const PlanResult &result : plan.results)
    llvm::for_each(result.type.shape, visit);
  for (const PlanBuffer &buffer : plan.buffers) {
    if (buffer.place == PlanBuffer::Place::Arena)
      visit(buffer.offset);
    visit(buffer.bytes);
  }
  for (const PlanStep &step : plan.steps) {
    if (step.kind == PlanStep::Kind::Check)
      visit(step.condition);
    if (step.kind != PlanStep::Kind::Launch)
      continue;
    llvm::for_each(step.grid, visit);
    for (const PlanOperand &operand : step.operands)
      if (operand.kind == PlanOperand::Kind::Scalar)
        visit(operand.id);
    for (ScalarId count :
         {step.minimumBytes, step.bytes, step.rereadBytes, step.flops})
      visit(count);
  }
  visit(plan.arenaBytes);
}

ExpressionPrinter::ExpressionPrinter(const LaunchPlan &plan) {
  std::vector<std::optional<int64_t>> statics = evaluateScalars(plan, {});
  ScalarBuilder builder(scalars);
  for (auto [scalar, value] : llvm::zip_equal(plan.scalars, statics)) {
    PlanScalar copy = scalar;
    if (value) {
      canonical.push_back(builder.constant(*value));
      continue;
    }
    for (ScalarId &operand : copy.operands)
      operand = canonical[operand];
    canonical.push_back(builder.get(std::move(copy)));
  }
  countUses(plan);
  nameSharedScalars();
}

void ExpressionPrinter::countUses(const LaunchPlan &plan) {
  uses.resize(scalars.size());
  visitScalarUses(plan, [&](ScalarId scalar) { ++uses[canonical[scalar]]; });
  // Users follow their operands; what is not used does not count as a user.
  for (size_t i = scalars.size(); i-- > 0;)
    if (uses[i])
      for (ScalarId operand : scalars[i].operands)
        ++uses[operand];
}

void ExpressionPrinter::nameSharedScalars() {
  std::vector<unsigned> nodes(scalars.size(), 1);
  for (auto [i, scalar] : llvm::enumerate(scalars)) {
    for (ScalarId operand : scalar.operands)
      nodes[i] += nodes[operand];
    if (uses[i] < 2 || nodes[i] <= kMaxInlineNodes)
      continue;
    named.emplace_back(formatv("s{0}", named.size()),
                       printText(i, Precedence::Sum));
    names[i] = named.back().first;
    nodes[i] = 1;
  }
}

std::optional<int64_t> ExpressionPrinter::getStatic(ScalarId scalar) const {
  if (scalars[scalar].kind == Kind::Constant)
    return scalars[scalar].value;
  return std::nullopt;
}

llvm::json::Value ExpressionPrinter::print(ScalarId scalar) const {
  scalar = canonical[scalar];
  if (auto value = getStatic(scalar))
    return *value;
  return printText(scalar, Precedence::Sum);
}

std::string ExpressionPrinter::printText(ScalarId scalar,
                                         Precedence context) const {
  if (auto it = names.find(scalar); it != names.end())
    return it->second;
  return printDefinition(scalars[scalar], context);
}

std::string ExpressionPrinter::printDefinition(const PlanScalar &scalar,
                                               Precedence context) const {
  auto binary = [&](StringRef op, Precedence own, Precedence right) {
    std::string text = printText(scalar.operands[0], own) + op.str() +
                       printText(scalar.operands[1], right);
    return context > own ? "(" + text + ")" : text;
  };
  switch (scalar.kind) {
  case Kind::Constant:
    return std::to_string(scalar.value);
  case Kind::ArgumentDim:
    return formatv("arg{0}.dim{1}", scalar.argument, scalar.dim);
  case Kind::ArgumentValue:
    return formatv("arg{0}.value", scalar.argument);
  case Kind::Add:
    return binary(" + ", Precedence::Sum, Precedence::Product);
  case Kind::Sub:
    return binary(" - ", Precedence::Sum, Precedence::Product);
  case Kind::Mul:
    return binary(" * ", Precedence::Product, Precedence::Primary);
  default:
    std::string text = getFunctionName(scalar.kind).str() + "(";
    llvm::interleave(
        scalar.operands,
        [&](ScalarId operand) { text += printText(operand, Precedence::Sum); },
        [&] { text += ", "; });
    return text + ")";
  }
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

bool mlir::fusion::detail::isExpressionName(StringRef name) {
  return !name.empty() && llvm::isAlpha(name.front()) &&
         llvm::all_of(name, llvm::isAlnum) && !findFunction(name) &&
         !name.starts_with("arg");
}

namespace {

class ExpressionParser {
public:
  ExpressionParser(StringRef text, ScalarBuilder &builder,
                   const llvm::StringMap<ScalarId> &names)
      : text(text), rest(text), builder(builder), names(names) {}

  llvm::Expected<ScalarId> parse() {
    std::optional<ScalarId> scalar = parseSum();
    if (scalar && !rest.ltrim().empty())
      scalar = fail("an operator or the end");
    if (scalar)
      return *scalar;
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "expected " + expected + " at position " +
                                       llvm::Twine(text.size() - failedAt) +
                                       " of '" + text + "'");
  }

private:
  std::optional<ScalarId> fail(const llvm::Twine &what) {
    if (expected.empty()) {
      expected = what.str();
      failedAt = rest.ltrim().size();
    }
    return std::nullopt;
  }

  bool consume(char c) {
    rest = rest.ltrim();
    return rest.consume_front(StringRef(&c, 1));
  }

  ScalarId make(Kind kind, std::vector<ScalarId> operands) {
    PlanScalar scalar;
    scalar.kind = kind;
    scalar.operands = std::move(operands);
    return builder.get(std::move(scalar));
  }

  std::optional<ScalarId> parseSum() {
    std::optional<ScalarId> lhs = parseProduct();
    while (lhs) {
      Kind kind;
      if (consume('+'))
        kind = Kind::Add;
      else if (consume('-'))
        kind = Kind::Sub;
      else
        break;
      std::optional<ScalarId> rhs = parseProduct();
      if (!rhs)
        return std::nullopt;
      lhs = make(kind, {*lhs, *rhs});
    }
    return lhs;
  }

  std::optional<ScalarId> parseProduct() {
    std::optional<ScalarId> lhs = parsePrimary();
    while (lhs && consume('*')) {
      std::optional<ScalarId> rhs = parsePrimary();
      if (!rhs)
        return std::nullopt;
      lhs = make(Kind::Mul, {*lhs, *rhs});
    }
    return lhs;
  }

  std::optional<ScalarId> parsePrimary() {
    if (depth == kMaxDepth)
      return fail("less nesting");
    ++depth;
    std::optional<ScalarId> result = parseUnnestedPrimary();
    --depth;
    return result;
  }

  std::optional<ScalarId> parseUnnestedPrimary() {
    rest = rest.ltrim();
    if (consume('(')) {
      std::optional<ScalarId> inner = parseSum();
      if (inner && !consume(')'))
        return fail("')'");
      return inner;
    }
    if (!rest.empty() && (rest.front() == '-' || llvm::isDigit(rest.front()))) {
      int64_t value;
      if (rest.consumeInteger(10, value))
        return fail("a 64-bit integer");
      return builder.constant(value);
    }
    StringRef word = rest.take_while(llvm::isAlnum);
    if (word.empty())
      return fail("an operand");
    if (word.starts_with("arg"))
      return parseArgument();
    if (const Function *function = findFunction(word)) {
      rest = rest.drop_front(word.size());
      return parseCall(*function);
    }
    auto it = names.find(word);
    if (it == names.end())
      return fail("a function or an earlier name");
    rest = rest.drop_front(word.size());
    return it->second;
  }

  std::optional<ScalarId> parseArgument() {
    PlanScalar scalar;
    StringRef at = rest;
    rest.consume_front("arg");
    if (!rest.consumeInteger(10, scalar.argument)) {
      scalar.kind = Kind::ArgumentValue;
      if (rest.consume_front(".value"))
        return builder.get(scalar);
      scalar.kind = Kind::ArgumentDim;
      if (rest.consume_front(".dim") && !rest.consumeInteger(10, scalar.dim))
        return builder.get(scalar);
    }
    rest = at;
    return fail("argI.dimJ or argI.value");
  }

  std::optional<ScalarId> parseCall(const Function &function) {
    if (!consume('('))
      return fail("'('");
    std::vector<ScalarId> operands;
    for (unsigned i = 0, e = getNumPlanOperands(function.kind); i < e; ++i) {
      if (i > 0 && !consume(','))
        return fail("','");
      std::optional<ScalarId> operand = parseSum();
      if (!operand)
        return std::nullopt;
      operands.push_back(*operand);
    }
    if (!consume(')'))
      return fail("')'");
    return make(function.kind, std::move(operands));
  }

  StringRef text, rest;
  ScalarBuilder &builder;
  const llvm::StringMap<ScalarId> &names;
  unsigned depth = 0;
  std::string expected;
  /// Characters left where `expected` was not found.
  size_t failedAt = 0;
};

} // namespace

llvm::Expected<ScalarId>
mlir::fusion::detail::parseExpression(StringRef text, ScalarBuilder &builder,
                                      const llvm::StringMap<ScalarId> &names) {
  return ExpressionParser(text, builder, names).parse();
}
