//===- PlanExpression.h - Scalars of a plan as text -------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   expression ::= product (("+" | "-") product)*
//   product    ::= primary ("*" primary)*
//   primary    ::= integer | "(" expression ")" | "argI.dimJ" | "argI.value"
//                | name | function "(" expression ("," expression)* ")"
//   integer    ::= "-"? digit+
//
// Functions: divs, rems (towards zero), floordiv, mod (towards -inf), ceildiv,
// min, max, and, or, xor (bitwise), eq, ne, lt, le, gt, ge (0 or 1), and
// select(condition, value if non-zero, value if zero).
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TARGET_LAUNCHPLAN_PLANEXPRESSION_H
#define FUSION_LIB_TARGET_LAUNCHPLAN_PLANEXPRESSION_H

#include "fusion/Target/LaunchPlan.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::fusion::detail {

/// Appends scalars to a list without repeating any.
class ScalarBuilder {
public:
  explicit ScalarBuilder(std::vector<PlanScalar> &scalars) : scalars(scalars) {}

  /// Returns the scalar equal to `scalar`, a new one if there is none.
  ScalarId get(PlanScalar scalar);
  ScalarId constant(int64_t value);

private:
  using Key = std::tuple<PlanScalar::Kind, int64_t, uint32_t, uint32_t,
                         std::vector<ScalarId>>;
  std::vector<PlanScalar> &scalars;
  std::map<Key, ScalarId> known;
};

/// Prints the scalars of a plan.
class ExpressionPrinter {
public:
  explicit ExpressionPrinter(const LaunchPlan &plan);

  /// Returns an integer or an expression.
  llvm::json::Value print(ScalarId scalar) const;

  /// The scalars that have a name, with their definitions, in order.
  const std::vector<std::pair<std::string, std::string>> &getNamed() const {
    return named;
  }

private:
  enum Precedence { Sum, Product, Primary };

  /// Returns the value of a static scalar.
  std::optional<int64_t> getStatic(ScalarId scalar) const;
  void countUses(const LaunchPlan &plan);
  void nameSharedScalars();
  std::string printText(ScalarId scalar, Precedence context) const;
  std::string printDefinition(const PlanScalar &scalar,
                              Precedence context) const;

  /// The plan's scalars, folded and without repetitions.
  std::vector<PlanScalar> scalars;
  /// From the plan's scalars to the above.
  std::vector<ScalarId> canonical;
  std::vector<unsigned> uses;
  llvm::DenseMap<ScalarId, std::string> names;
  std::vector<std::pair<std::string, std::string>> named;
};

/// Parses an expression; names are looked up in `names`.
llvm::Expected<ScalarId>
parseExpression(llvm::StringRef text, ScalarBuilder &builder,
                const llvm::StringMap<ScalarId> &names);

/// Returns whether `name` can name a scalar: a letter, then letters and
/// digits, and not a function's name or an argument's.
bool isExpressionName(llvm::StringRef name);

/// Calls `visit` for every use of a scalar by something that is not a scalar.
void visitScalarUses(const LaunchPlan &plan,
                     llvm::function_ref<void(ScalarId)> visit);

} // namespace mlir::fusion::detail

#endif // FUSION_LIB_TARGET_LAUNCHPLAN_PLANEXPRESSION_H
