//===- SamplePlan.h - A plan to test with -----------------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_UNIT_RUNTIME_SAMPLEPLAN_H
#define FUSION_TEST_UNIT_RUNTIME_SAMPLEPLAN_H

#include "fusion/Target/LaunchPlan.h"

namespace mlir::fusion::test {

/// Appends scalars to a plan.
struct PlanBuilder {
  LaunchPlan plan;

  ScalarId constant(int64_t value) {
    PlanScalar scalar;
    scalar.value = value;
    plan.scalars.push_back(scalar);
    return plan.scalars.size() - 1;
  }
  ScalarId dim(uint32_t argument, uint32_t dim) {
    PlanScalar scalar;
    scalar.kind = PlanScalar::Kind::ArgumentDim;
    scalar.argument = argument;
    scalar.dim = dim;
    plan.scalars.push_back(scalar);
    return plan.scalars.size() - 1;
  }
  ScalarId value(uint32_t argument) {
    PlanScalar scalar;
    scalar.kind = PlanScalar::Kind::ArgumentValue;
    scalar.argument = argument;
    plan.scalars.push_back(scalar);
    return plan.scalars.size() - 1;
  }
  ScalarId get(PlanScalar::Kind kind, std::vector<ScalarId> operands) {
    PlanScalar scalar;
    scalar.kind = kind;
    scalar.operands = std::move(operands);
    plan.scalars.push_back(scalar);
    return plan.scalars.size() - 1;
  }
  BufferId buffer(PlanBuffer::Place place, uint32_t index, ScalarId bytes,
                  std::string element = "f32") {
    PlanBuffer buffer;
    buffer.place = place;
    buffer.index = index;
    buffer.bytes = bytes;
    buffer.element = std::move(element);
    plan.buffers.push_back(buffer);
    return plan.buffers.size() - 1;
  }
};

/// A plan over x : tensor<?xf32> and w : tensor<4xf32>, which is a weight, and
/// an i64 shift : prepare doubles w into the arena, the run adds that to x
/// (with the position modulo 4) into the arena, and copies it to result 0.
/// x is overwritten by x + shift, which is result 1.
///   twice(w, out)      add(x, w2, out, n)      shift(x, n, shift)
inline LaunchPlan makeSamplePlan() {
  PlanBuilder b;
  using Kind = PlanScalar::Kind;
  b.plan.model = "sample";
  b.plan.target = "sm_80";
  ScalarId zero = b.constant(0), one = b.constant(1), four = b.constant(4),
           sixteen = b.constant(16), block = b.constant(64);
  PlanType w{"f32", {four}};
  b.plan.arguments = {{"f32", {zero}}, w, {"i64", {}}};
  ScalarId n = b.dim(0, 0), shift = b.value(2);
  b.plan.arguments[0].shape[0] = n;
  b.plan.donated = {true, false, false};
  ScalarId bytes = b.get(Kind::Mul, {n, four});
  ScalarId grid = b.get(Kind::CeilDiv, {n, block});
  ScalarId isFilled = b.get(Kind::Gt, {n, zero});
  ScalarId aligned =
      b.get(Kind::Mul, {b.get(Kind::CeilDiv, {bytes, sixteen}), sixteen});
  b.plan.arenaBytes = b.get(Kind::Add, {sixteen, aligned});

  BufferId x = b.buffer(PlanBuffer::Place::Argument, 0, bytes);
  BufferId weights = b.buffer(PlanBuffer::Place::Argument, 1, sixteen);
  BufferId doubled = b.buffer(PlanBuffer::Place::Arena, 0, sixteen);
  b.plan.buffers[doubled].offset = zero;
  BufferId sum = b.buffer(PlanBuffer::Place::Arena, 0, bytes);
  b.plan.buffers[sum].offset = sixteen;
  BufferId result = b.buffer(PlanBuffer::Place::Result, 0, bytes);
  BufferId two = b.buffer(PlanBuffer::Place::Constant, 0, four);
  b.plan.buffers[two].data = {0, 0, 0, 0x40};
  b.plan.results = {{result, {"f32", {n}}}, {x, {"f32", {n}}}};

  b.plan.kernels.resize(3);
  const char *names[] = {"twice", "add", "shift"};
  for (int i = 0; i < 3; ++i) {
    b.plan.kernels[i].name = names[i];
    b.plan.kernels[i].kind = "elementwise";
    b.plan.kernels[i].block[0] = 64;
  }
  auto read = [](BufferId id) {
    return PlanOperand{PlanOperand::Kind::Buffer, id, 8, true, false};
  };
  auto write = [](BufferId id) {
    return PlanOperand{PlanOperand::Kind::Buffer, id, 8, false, true};
  };
  auto scalar = [](ScalarId id) {
    return PlanOperand{PlanOperand::Kind::Scalar, id, 8, true, false};
  };
  auto launch = [&](uint32_t kernel, ScalarId blocks,
                    std::vector<PlanOperand> operands, ScalarId moved) {
    PlanStep step;
    step.kernel = kernel;
    step.grid[0] = blocks;
    step.grid[1] = step.grid[2] = one;
    step.operands = std::move(operands);
    step.minimumBytes = step.bytes = moved;
    step.rereadBytes = step.flops = zero;
    return step;
  };
  PlanStep check;
  check.kind = PlanStep::Kind::Check;
  check.condition = isFilled;
  check.message = "x must not be empty";
  PlanStep copy;
  copy.kind = PlanStep::Kind::Copy;
  copy.source = sum;
  copy.destination = result;
  copy.dependencies = {2};
  ScalarId twice =
      b.get(Kind::Add, {b.get(Kind::Mul, {bytes, b.constant(2)}), sixteen});
  b.plan.steps = {
      launch(0, one, {read(weights), read(two), write(doubled)},
             b.constant(36)),
      check,
      launch(1, grid, {read(x), read(doubled), write(sum), scalar(n)}, twice),
      copy,
      launch(2, grid,
             {PlanOperand{PlanOperand::Kind::Buffer, x, 8, true, true},
              scalar(n), scalar(shift)},
             twice),
  };
  b.plan.steps[0].prepare = true;
  b.plan.steps[2].dependencies = {0};
  b.plan.steps[4].dependencies = {2};
  return b.plan;
}

} // namespace mlir::fusion::test

#endif // FUSION_TEST_UNIT_RUNTIME_SAMPLEPLAN_H
