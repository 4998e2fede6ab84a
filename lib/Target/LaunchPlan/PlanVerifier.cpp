//===- PlanVerifier.cpp - Whether a launch plan is well formed ------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Target/PlanEvaluation.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::fusion;
using llvm::Error;
using llvm::formatv;

std::optional<unsigned>
mlir::fusion::getPlanElementBytes(llvm::StringRef element) {
  return llvm::StringSwitch<std::optional<unsigned>>(element)
      .Cases({"i1", "i8", "ui8", "f8E4M3FN", "f8E5M2"}, 1)
      .Cases({"i16", "ui16", "f16", "bf16"}, 2)
      .Cases({"i32", "ui32", "f32"}, 4)
      .Cases({"i64", "ui64", "f64", "index", "complex<f32>"}, 8)
      .Case("complex<f64>", 16)
      .Default(std::nullopt);
}

namespace {

class Verifier {
public:
  explicit Verifier(const LaunchPlan &plan) : plan(plan) {}

  Error verify() {
    if (Error error = verifyScalars())
      return error;
    for (auto [i, argument] : llvm::enumerate(plan.arguments))
      if (Error error = verifyType(formatv("arguments[{0}]", i), argument))
        return error;
    if (plan.donated.size() > plan.arguments.size())
      return fail("donated", "has more entries than there are arguments");
    for (auto [i, buffer] : llvm::enumerate(plan.buffers))
      if (Error error = verifyBuffer(formatv("buffers[{0}]", i), buffer))
        return error;
    for (auto [i, result] : llvm::enumerate(plan.results)) {
      std::string where = formatv("results[{0}]", i);
      if (result.buffer >= plan.buffers.size())
        return fail(where, "names a buffer that does not exist");
      if (Error error = verifyType(where, result.type))
        return error;
    }
    if (Error error = verifyKernels())
      return error;
    for (auto [i, step] : llvm::enumerate(plan.steps))
      if (Error error = verifyStep(i, step))
        return error;
    return verifyScalar("arenaBytes", plan.arenaBytes);
  }

private:
  static Error fail(const llvm::Twine &where, const llvm::Twine &what) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "launch plan: " + where + " " + what);
  }

  Error verifyScalar(const llvm::Twine &where, ScalarId scalar) {
    if (scalar < plan.scalars.size())
      return Error::success();
    return fail(where, "names a scalar that does not exist");
  }

  Error verifyScalars() {
    for (auto [i, scalar] : llvm::enumerate(plan.scalars)) {
      std::string where = formatv("scalars[{0}]", i);
      bool isDim = scalar.kind == PlanScalar::Kind::ArgumentDim;
      if (isDim || scalar.kind == PlanScalar::Kind::ArgumentValue) {
        if (scalar.argument >= plan.arguments.size())
          return fail(where, "names an argument that does not exist");
        size_t rank = plan.arguments[scalar.argument].shape.size();
        if (isDim && scalar.dim >= rank)
          return fail(where, "names a dimension that does not exist");
        if (!isDim && rank != 0)
          return fail(where, "reads the value of an argument with dimensions");
      }
      if (scalar.operands.size() != getNumPlanOperands(scalar.kind))
        return fail(where, "has a wrong number of operands");
      for (ScalarId operand : scalar.operands)
        if (operand >= i)
          return fail(where, "uses a scalar that does not precede it");
    }
    return Error::success();
  }

  Error verifyType(const llvm::Twine &where, const PlanType &type) {
    std::string place = where.str();
    if (!getPlanElementBytes(type.element))
      return fail(place, "has the unknown element type '" + type.element + "'");
    for (ScalarId size : type.shape)
      if (Error error = verifyScalar(place + ".shape", size))
        return error;
    return Error::success();
  }

  Error verifyBuffer(std::string where, const PlanBuffer &buffer) {
    if (!getPlanElementBytes(buffer.element))
      return fail(where,
                  "has the unknown element type '" + buffer.element + "'");
    if (Error error = verifyScalar(where + ".bytes", buffer.bytes))
      return error;
    switch (buffer.place) {
    case PlanBuffer::Place::Argument:
      if (buffer.index >= plan.arguments.size())
        return fail(where, "names an argument that does not exist");
      break;
    case PlanBuffer::Place::Result:
      if (buffer.index >= plan.results.size())
        return fail(where, "names a result that does not exist");
      break;
    case PlanBuffer::Place::Arena:
      return verifyScalar(where + ".offset", buffer.offset);
    case PlanBuffer::Place::Constant:
      const PlanScalar &bytes = plan.scalars[buffer.bytes];
      if (bytes.kind != PlanScalar::Kind::Constant ||
          bytes.value != int64_t(buffer.data.size()))
        return fail(where, "does not have as many bytes as its data");
      break;
    }
    return Error::success();
  }

  Error verifyKernels() {
    llvm::StringSet<> names;
    for (auto [i, kernel] : llvm::enumerate(plan.kernels)) {
      std::string where = formatv("kernels[{0}]", i);
      if (kernel.name.empty() || !names.insert(kernel.name).second)
        return fail(where, "has no name of its own");
      if (!llvm::all_of(kernel.block, [](uint32_t size) { return size > 0; }))
        return fail(where, "has an empty block");
    }
    return Error::success();
  }

  Error verifyBufferUse(const llvm::Twine &where, BufferId buffer) {
    if (buffer < plan.buffers.size())
      return Error::success();
    return fail(where, "names a buffer that does not exist");
  }

  Error verifyStep(size_t i, const PlanStep &step) {
    std::string where = formatv("steps[{0}]", i);
    for (uint32_t dependency : step.dependencies)
      if (dependency >= i)
        return fail(where, "depends on a step that does not precede it");
    switch (step.kind) {
    case PlanStep::Kind::Launch:
      return verifyLaunch(where, step);
    case PlanStep::Kind::Copy:
      if (Error error = verifyBufferUse(where + ".source", step.source))
        return error;
      return verifyBufferUse(where + ".destination", step.destination);
    case PlanStep::Kind::Check:
      return verifyScalar(where + ".condition", step.condition);
    }
    return Error::success();
  }

  Error verifyLaunch(const std::string &where, const PlanStep &step) {
    if (step.kernel >= plan.kernels.size())
      return fail(where, "names a kernel that does not exist");
    for (ScalarId size : step.grid)
      if (Error error = verifyScalar(where + ".grid", size))
        return error;
    for (ScalarId count :
         {step.minimumBytes, step.bytes, step.rereadBytes, step.flops})
      if (Error error = verifyScalar(where, count))
        return error;
    for (auto [o, operand] : llvm::enumerate(step.operands)) {
      std::string place = formatv("{0}.operands[{1}]", where, o);
      if (operand.kind == PlanOperand::Kind::Buffer) {
        if (Error error = verifyBufferUse(place, operand.id))
          return error;
        continue;
      }
      if (Error error = verifyScalar(place, operand.id))
        return error;
      if (!llvm::is_contained({1u, 2u, 4u, 8u}, operand.bytes))
        return fail(place, "is not of 1, 2, 4 or 8 bytes");
    }
    return Error::success();
  }

  const LaunchPlan &plan;
};

} // namespace

Error mlir::fusion::verifyPlan(const LaunchPlan &plan) {
  return Verifier(plan).verify();
}
