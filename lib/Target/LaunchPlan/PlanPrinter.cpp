//===- PlanPrinter.cpp - From a launch plan to plan.json ------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanExpression.h"

#include "fusion/Target/PlanJSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::fusion;
using namespace mlir::fusion::detail;
namespace json = llvm::json;

namespace {

/// Prints one element of a list a line: short enough to read, long enough that
/// a model of a thousand steps has thousands of lines and not tens of
/// thousands.
class Printer {
public:
  Printer(const LaunchPlan &plan, llvm::raw_ostream &os)
      : plan(plan), os(os), expressions(plan) {}

  void print() {
    os << "{\n";
    field("version", 1);
    field("model", json::fixUTF8(plan.model));
    field("target", json::fixUTF8(plan.target));
    list("scalars", expressions.getNamed(), [](const auto &scalar, size_t) {
      return json::Object{{"name", scalar.first}, {"value", scalar.second}};
    });
    list("arguments", plan.arguments, [&](const PlanType &type, size_t i) {
      json::Object object = printType(type);
      if (i < plan.donated.size() && plan.donated[i])
        object["donated"] = true;
      return object;
    });
    list("results", plan.results, [&](const PlanResult &result, size_t) {
      json::Object object = printType(result.type);
      object["buffer"] = result.buffer;
      return object;
    });
    field("arenaBytes", expressions.print(plan.arenaBytes));
    list("buffers", plan.buffers,
         [&](const PlanBuffer &buffer, size_t) { return printBuffer(buffer); });
    list("kernels", plan.kernels,
         [&](const PlanKernel &kernel, size_t) { return printKernel(kernel); });
    list(
        "steps", plan.steps,
        [&](const PlanStep &step, size_t) { return printStep(step); },
        /*isLast=*/true);
    os << "}\n";
  }

private:
  void field(llvm::StringRef name, json::Value value) {
    os << "  \"" << name << "\": " << value << ",\n";
  }

  template <typename List, typename PrintElement>
  void list(llvm::StringRef name, const List &elements, PrintElement print,
            bool isLast = false) {
    os << "  \"" << name << "\": [";
    for (auto [i, element] : llvm::enumerate(elements))
      os << (i ? "," : "") << "\n    " << json::Value(print(element, i));
    os << (elements.empty() ? "]" : "\n  ]") << (isLast ? "\n" : ",\n");
  }

  json::Array printScalars(llvm::ArrayRef<ScalarId> scalars) {
    json::Array array;
    for (ScalarId scalar : scalars)
      array.push_back(expressions.print(scalar));
    return array;
  }

  json::Object printType(const PlanType &type) {
    return json::Object{{"element", type.element},
                        {"shape", printScalars(type.shape)}};
  }

  json::Object printBuffer(const PlanBuffer &buffer) {
    json::Object object{{"element", buffer.element},
                        {"bytes", expressions.print(buffer.bytes)}};
    switch (buffer.place) {
    case PlanBuffer::Place::Argument:
      object["place"] = "argument";
      object["index"] = buffer.index;
      break;
    case PlanBuffer::Place::Result:
      object["place"] = "result";
      object["index"] = buffer.index;
      break;
    case PlanBuffer::Place::Arena:
      object["place"] = "arena";
      object["offset"] = expressions.print(buffer.offset);
      break;
    case PlanBuffer::Place::Constant:
      object["place"] = "constant";
      object["data"] = llvm::encodeBase64(buffer.data);
      break;
    }
    return object;
  }

  json::Object printKernel(const PlanKernel &kernel) {
    json::Object object{{"name", json::fixUTF8(kernel.name)},
                        {"kind", json::fixUTF8(kernel.kind)},
                        {"block", json::Array{kernel.block[0], kernel.block[1],
                                              kernel.block[2]}},
                        {"sharedBytes", kernel.sharedBytes}};
    if (kernel.index32)
      object["index32"] = true;
    return object;
  }

  json::Object printOperand(const PlanOperand &operand) {
    if (operand.kind == PlanOperand::Kind::Scalar)
      return json::Object{{"scalar", expressions.print(operand.id)},
                          {"bytes", operand.bytes}};
    std::string access = operand.reads ? "r" : "";
    if (operand.writes)
      access += 'w';
    return json::Object{{"buffer", operand.id}, {"access", access}};
  }

  json::Object printStep(const PlanStep &step) {
    json::Object object;
    switch (step.kind) {
    case PlanStep::Kind::Launch: {
      json::Array operands;
      for (const PlanOperand &operand : step.operands)
        operands.push_back(printOperand(operand));
      object["kind"] = "launch";
      object["kernel"] = json::fixUTF8(plan.kernels[step.kernel].name);
      object["grid"] = printScalars(step.grid);
      object["operands"] = std::move(operands);
      object["minimumBytes"] = expressions.print(step.minimumBytes);
      object["bytes"] = expressions.print(step.bytes);
      object["rereadBytes"] = expressions.print(step.rereadBytes);
      object["flops"] = expressions.print(step.flops);
      break;
    }
    case PlanStep::Kind::Copy:
      object["kind"] = "copy";
      object["source"] = step.source;
      object["destination"] = step.destination;
      break;
    case PlanStep::Kind::Check:
      object["kind"] = "check";
      object["condition"] = expressions.print(step.condition);
      object["message"] = json::fixUTF8(step.message);
      break;
    }
    if (step.prepare)
      object["prepare"] = true;
    if (!step.dependencies.empty())
      object["dependencies"] = json::Array(step.dependencies);
    return object;
  }

  const LaunchPlan &plan;
  llvm::raw_ostream &os;
  ExpressionPrinter expressions;
};

} // namespace

void mlir::fusion::printPlanJSON(const LaunchPlan &plan,
                                 llvm::raw_ostream &os) {
  Printer(plan, os).print();
}
