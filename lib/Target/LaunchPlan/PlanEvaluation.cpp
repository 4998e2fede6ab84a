//===- PlanEvaluation.cpp - Scalars of a launch plan ----------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Target/PlanEvaluation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir::fusion;
using Kind = PlanScalar::Kind;

namespace {

/// Arithmetic wraps, as the generated host code's does.
int64_t wrap(uint64_t value) { return int64_t(value); }

std::optional<int64_t> divide(Kind kind, int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1))
    return std::nullopt;
  int64_t quotient = a / b, remainder = a % b;
  bool isInexact = remainder != 0, isNegative = (a < 0) != (b < 0);
  switch (kind) {
  case Kind::DivS:
    return quotient;
  case Kind::RemS:
    return remainder;
  case Kind::FloorDiv:
    return quotient - (isInexact && isNegative);
  case Kind::CeilDiv:
    return quotient + (isInexact && !isNegative);
  default:
    return isInexact && isNegative ? remainder + b : remainder;
  }
}

std::optional<int64_t> evaluateBinary(Kind kind, int64_t a, int64_t b) {
  switch (kind) {
  case Kind::Add:
    return wrap(uint64_t(a) + uint64_t(b));
  case Kind::Sub:
    return wrap(uint64_t(a) - uint64_t(b));
  case Kind::Mul:
    return wrap(uint64_t(a) * uint64_t(b));
  case Kind::DivS:
  case Kind::RemS:
  case Kind::FloorDiv:
  case Kind::CeilDiv:
  case Kind::Mod:
    return divide(kind, a, b);
  case Kind::Min:
    return std::min(a, b);
  case Kind::Max:
    return std::max(a, b);
  case Kind::And:
    return a & b;
  case Kind::Or:
    return a | b;
  case Kind::Xor:
    return a ^ b;
  case Kind::Eq:
    return a == b;
  case Kind::Ne:
    return a != b;
  case Kind::Lt:
    return a < b;
  case Kind::Le:
    return a <= b;
  case Kind::Gt:
    return a > b;
  case Kind::Ge:
    return a >= b;
  default:
    return std::nullopt;
  }
}

} // namespace

unsigned mlir::fusion::getNumPlanOperands(Kind kind) {
  switch (kind) {
  case Kind::Constant:
  case Kind::ArgumentDim:
  case Kind::ArgumentValue:
    return 0;
  case Kind::Select:
    return 3;
  default:
    return 2;
  }
}

std::vector<std::optional<int64_t>>
mlir::fusion::evaluateScalars(const LaunchPlan &plan,
                              const PlanInputs &inputs) {
  std::vector<std::optional<int64_t>> values(plan.scalars.size());
  for (auto [scalar, value] : llvm::zip_equal(plan.scalars, values)) {
    switch (scalar.kind) {
    case Kind::Constant:
      value = scalar.value;
      break;
    case Kind::ArgumentDim:
      if (scalar.argument < inputs.shapes.size() &&
          scalar.dim < inputs.shapes[scalar.argument].size())
        value = inputs.shapes[scalar.argument][scalar.dim];
      break;
    case Kind::ArgumentValue:
      if (scalar.argument < inputs.values.size())
        value = inputs.values[scalar.argument];
      break;
    case Kind::Select:
      if (auto condition = values[scalar.operands[0]])
        value = values[scalar.operands[*condition ? 1 : 2]];
      break;
    default: {
      auto lhs = values[scalar.operands[0]], rhs = values[scalar.operands[1]];
      if (lhs && rhs)
        value = evaluateBinary(scalar.kind, *lhs, *rhs);
      break;
    }
    }
  }
  return values;
}

llvm::Expected<std::vector<std::vector<int64_t>>>
mlir::fusion::resolveShapes(const LaunchPlan &plan,
                            llvm::ArrayRef<int64_t> dims) {
  std::vector<std::optional<int64_t>> statics = evaluateScalars(plan, {});
  std::vector<std::vector<int64_t>> shapes;
  size_t next = 0;
  for (auto [i, argument] : llvm::enumerate(plan.arguments)) {
    std::vector<int64_t> &shape = shapes.emplace_back();
    for (auto [d, size] : llvm::enumerate(argument.shape)) {
      if (statics[size]) {
        shape.push_back(*statics[size]);
        continue;
      }
      if (dims.empty())
        return llvm::createStringError(
            llvm::inconvertibleErrorCode(),
            "size " + llvm::Twine(d) + " of argument " + llvm::Twine(i) +
                " is dynamic; hint: give the dynamic sizes with --dims");
      shape.push_back(dims[std::min(next++, dims.size() - 1)]);
    }
  }
  return shapes;
}
