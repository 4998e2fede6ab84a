//===- LaunchPlan.h - What a host does to run a compiled graph --*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The launch plan lists buffers, kernel launches, copies and run-time checks of
// a compiled entry function in execution order, with every size, grid and
// offset as an expression of the dynamic dimensions of the arguments. It is
// built from the host IR and needs neither MLIR nor this library to be
// executed: plan.json (docs/plan.schema.json) is the same data.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TARGET_LAUNCHPLAN_H
#define FUSION_TARGET_LAUNCHPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::fusion {

/// Index of a scalar in LaunchPlan::scalars.
using ScalarId = uint32_t;
/// Index of a buffer in LaunchPlan::buffers.
using BufferId = uint32_t;

/// One integer computed on the host. Scalars are listed so that operands
/// precede their users. Arithmetic is on signed 64-bit integers; comparisons
/// give 0 or 1.
struct PlanScalar {
  enum class Kind {
    Constant,      ///< `value`
    ArgumentDim,   ///< size of dimension `dim` of argument `argument`
    ArgumentValue, ///< the value of the scalar (non-tensor) argument `argument`
    Add,
    Sub,
    Mul,
    DivS,
    RemS, ///< rounding towards zero
    FloorDiv,
    CeilDiv, ///< rounding towards -inf, +inf
    Mod,     ///< result of FloorDiv's remainder, never negative for a positive
             ///< divisor
    Min,
    Max,
    And,
    Or,
    Xor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Select, ///< operands: condition, value if non-zero, value if zero
  };
  Kind kind = Kind::Constant;
  int64_t value = 0;
  uint32_t argument = 0;
  uint32_t dim = 0;
  std::vector<ScalarId> operands;
};

/// The element types that a buffer may hold; spelled as in MLIR ("f32", "bf16",
/// "i1", "index", ...). An i1 takes one byte, an index eight, a complex<f32>
/// eight.
struct PlanType {
  std::string element;
  /// Sizes of the dimensions, row-major and contiguous.
  std::vector<ScalarId> shape;
};

struct PlanBuffer {
  enum class Place {
    Argument, ///< the caller's argument `index`
    Result,   ///< the caller provides memory for result `index`
    Arena,    ///< at byte `offset` of the arena
    Constant, ///< read-only bytes that come with the plan
  };
  Place place = Place::Arena;
  uint32_t index = 0;
  ScalarId offset = 0;
  /// Size in bytes.
  ScalarId bytes = 0;
  std::string element;
  /// Contents of a Constant buffer.
  std::vector<char> data;
};

/// One parameter of a launch, in the kernel's order.
struct PlanOperand {
  enum class Kind { Buffer, Scalar } kind = Kind::Buffer;
  uint32_t id = 0;
  /// For a scalar: how many bytes the kernel's parameter has (8 or 4 for an
  /// index, see PlanKernel::index32; else the integer type's).
  uint32_t bytes = 8;
  /// For a buffer: whether the kernel reads or writes it.
  bool reads = true, writes = false;
};

struct PlanKernel {
  std::string name;
  uint32_t block[3] = {1, 1, 1};
  /// Static shared (threadgroup) memory in bytes.
  uint32_t sharedBytes = 0;
  /// Index parameters are 32 bits wide.
  bool index32 = false;
  /// The kind of the group (elementwise, norm, contraction, attention, ...).
  std::string kind;
};

struct PlanStep {
  enum class Kind {
    Launch, ///< run `kernel` over `grid`
    Copy,   ///< copy buffer `source` to buffer `destination`, all bytes
    Check,  ///< stop with `message` if scalar `condition` is zero
  };
  Kind kind = Kind::Launch;
  uint32_t kernel = 0;
  ScalarId grid[3] = {0, 0, 0};
  std::vector<PlanOperand> operands;
  BufferId source = 0, destination = 0;
  ScalarId condition = 0;
  std::string message;
  /// Depends on weights only: to be run once, before the first run.
  bool prepare = false;
  /// Steps (indices) whose results this one needs or whose reads it must wait
  /// for.
  std::vector<uint32_t> dependencies;
  /// Model of the launch for the report: bytes moved by an ideal execution of
  /// the group (inputs once and outputs once), bytes of operands that the
  /// kernel touches, bytes that it reads again because they do not stay in the
  /// device's cache, floating-point operations of contractions and attentions.
  ScalarId minimumBytes = 0, bytes = 0, rereadBytes = 0, flops = 0;
};

/// A result: the buffer that holds it after the last step. `buffer` is an
/// Argument buffer for a donated argument that was updated in place.
struct PlanResult {
  BufferId buffer = 0;
  PlanType type;
};

struct LaunchPlan {
  std::string model;
  std::string target;
  std::vector<PlanScalar> scalars;
  std::vector<PlanType> arguments;
  /// Arguments that a run may overwrite (donated).
  std::vector<bool> donated;
  std::vector<PlanResult> results;
  std::vector<PlanBuffer> buffers;
  std::vector<PlanKernel> kernels;
  std::vector<PlanStep> steps;
  /// Bytes of the arena.
  ScalarId arenaBytes = 0;
};

} // namespace mlir::fusion

#endif // FUSION_TARGET_LAUNCHPLAN_H
