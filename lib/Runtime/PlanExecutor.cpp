//===- PlanExecutor.cpp - Runs a launch plan on a device ------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fusion/Runtime/PlanExecutor.h"

#include "fusion/Target/PlanEvaluation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

using namespace mlir::fusion;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::formatv;

namespace {

/// Integers of one size are the same: MLIR's have no sign, files' do.
bool isSameType(ElementType a, ElementType b) {
  return a == b ||
         (a.isInteger() && b.isInteger() && a.getBytes() == b.getBytes());
}

/// Returns the bits of a rank-0 argument: the value of an integer, the bit
/// pattern of a float.
int64_t getArgumentValue(const Tensor &tensor) {
  if (tensor.getType().isInteger())
    return tensor.getInteger(0);
  int64_t bits = 0;
  std::memcpy(&bits, tensor.data(),
              std::min(sizeof(bits), tensor.getNumBytes()));
  return bits;
}

} // namespace

PlanExecutor::PlanExecutor(const LaunchPlan &plan, Device &device)
    : plan(plan), device(device) {}

PlanExecutor::~PlanExecutor() { llvm::consumeError(release()); }

Error PlanExecutor::release() {
  Error result = Error::success();
  for (void *memory : allocations)
    result = llvm::joinErrors(std::move(result), device.deallocate(memory));
  allocations.clear();
  buffers.clear();
  arena = nullptr;
  isBound = false;
  return result;
}

Error PlanExecutor::bind(llvm::ArrayRef<Tensor> arguments) {
  if (Error error = release())
    return error;
  if (Error error = checkArguments(arguments))
    return error;
  if (Error error = runChecks())
    return error;
  if (Error error = allocateBuffers(arguments))
    return error;
  if (Error error = runSteps(/*prepare=*/true))
    return error;
  isBound = true;
  return Error::success();
}

Error PlanExecutor::run() {
  if (!isBound)
    return createStringError("the plan's arguments are not bound");
  return runSteps(/*prepare=*/false);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Error PlanExecutor::checkArguments(llvm::ArrayRef<Tensor> arguments) {
  if (arguments.size() != plan.arguments.size())
    return createStringError(formatv("expected {0} arguments, found {1}",
                                     plan.arguments.size(), arguments.size()));
  PlanInputs inputs;
  for (const Tensor &argument : arguments) {
    inputs.shapes.push_back(argument.getShape().vec());
    inputs.values.emplace_back();
    if (argument.getRank() == 0)
      inputs.values.back() = getArgumentValue(argument);
  }
  scalars = evaluateScalars(plan, inputs);

  // Sizes may be expressions of other arguments' sizes, so comparing them
  // checks that the arguments fit together.
  for (auto [i, declared, argument] :
       llvm::enumerate(plan.arguments, arguments)) {
    std::optional<ElementType> type = ElementType::parse(declared.element);
    bool matches = type && isSameType(*type, argument.getType()) &&
                   declared.shape.size() == argument.getShape().size();
    std::string expected;
    for (auto [d, size] : llvm::enumerate(declared.shape)) {
      std::optional<int64_t> value = scalars[size];
      expected += (value ? std::to_string(*value) : "?") + "x";
      matches = matches && value == argument.getShape()[d];
    }
    if (!matches)
      return createStringError(
          formatv("argument {0}: expected {1}{2}, found {3}", i, expected,
                  declared.element, argument.describe()));
  }
  return Error::success();
}

Error PlanExecutor::runChecks() {
  for (const PlanStep &step : plan.steps) {
    if (step.kind != PlanStep::Kind::Check)
      continue;
    Expected<int64_t> condition = getScalar(step.condition);
    if (!condition)
      return condition.takeError();
    if (*condition == 0)
      return createStringError("check failed: " + step.message);
  }
  return Error::success();
}

Expected<int64_t> PlanExecutor::getScalar(ScalarId scalar) const {
  if (scalar < scalars.size() && scalars[scalar])
    return *scalars[scalar];
  return createStringError(
      formatv("scalar {0} of the plan has no value for these "
              "arguments (a division by zero?)",
              scalar));
}

Expected<int64_t> PlanExecutor::getSize(ScalarId scalar,
                                        const llvm::Twine &what) const {
  Expected<int64_t> size = getScalar(scalar);
  if (size && *size < 0)
    return createStringError(what + formatv(" is {0}", *size));
  return size;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Expected<void *> PlanExecutor::allocate(size_t bytes) {
  // An empty buffer has an address, too.
  Expected<void *> memory = device.allocate(std::max<size_t>(bytes, 1));
  if (memory)
    allocations.push_back(*memory);
  return memory;
}

Expected<Tensor> PlanExecutor::makeResult(const PlanResult &result) const {
  std::optional<ElementType> type = ElementType::parse(result.type.element);
  if (!type)
    return createStringError("unknown element type " + result.type.element);
  std::vector<int64_t> shape;
  for (ScalarId scalar : result.type.shape) {
    Expected<int64_t> size = getSize(scalar, "a size of a result");
    if (!size)
      return size.takeError();
    shape.push_back(*size);
  }
  if (!countElements(shape, type->getBytes()))
    return createStringError("a result is too large");
  return Tensor(*type, shape);
}

Error PlanExecutor::allocateBuffers(llvm::ArrayRef<Tensor> arguments) {
  argumentMemory.assign(plan.arguments.size(), nullptr);
  resultMemory.assign(plan.results.size(), nullptr);
  Expected<int64_t> size = getSize(plan.arenaBytes, "the size of the arena");
  if (!size)
    return size.takeError();
  arenaBytes = *size;
  if (arenaBytes > 0) {
    Expected<void *> memory = allocate(arenaBytes);
    if (!memory)
      return memory.takeError();
    arena = *memory;
  }
  for (auto [i, buffer] : llvm::enumerate(plan.buffers)) {
    Expected<void *> memory = allocateBuffer(buffer, arguments);
    if (!memory)
      return createStringError(formatv("buffers[{0}]: ", i) +
                               llvm::toString(memory.takeError()));
    buffers.push_back(*memory);
  }
  return Error::success();
}

Expected<void *>
PlanExecutor::allocateBuffer(const PlanBuffer &buffer,
                             llvm::ArrayRef<Tensor> arguments) {
  Expected<int64_t> bytes = getSize(buffer.bytes, "its size");
  if (!bytes)
    return bytes.takeError();
  auto allocateOnce = [&](void *&memory, int64_t available,
                          const char *contents) -> Expected<void *> {
    if (*bytes > available)
      return createStringError(
          formatv("expected at most {0} bytes, found {1}", available, *bytes));
    if (memory)
      return memory;
    Expected<void *> allocated = allocate(available);
    if (!allocated)
      return allocated;
    memory = *allocated;
    if (contents && available)
      if (Error error = device.copyToDevice(memory, contents, available))
        return std::move(error);
    return memory;
  };

  switch (buffer.place) {
  case PlanBuffer::Place::Argument: {
    const Tensor &argument = arguments[buffer.index];
    return allocateOnce(argumentMemory[buffer.index], argument.getNumBytes(),
                        argument.data());
  }
  case PlanBuffer::Place::Result: {
    Expected<Tensor> result = makeResult(plan.results[buffer.index]);
    if (!result)
      return result.takeError();
    return allocateOnce(resultMemory[buffer.index], result->getNumBytes(),
                        nullptr);
  }
  case PlanBuffer::Place::Constant: {
    void *memory = nullptr;
    return allocateOnce(memory, buffer.data.size(), buffer.data.data());
  }
  case PlanBuffer::Place::Arena:
    break;
  }
  Expected<int64_t> offset = getSize(buffer.offset, "its offset");
  if (!offset)
    return offset.takeError();
  int64_t end;
  if (llvm::AddOverflow(*offset, *bytes, end) || end > arenaBytes)
    return createStringError(
        formatv("{0} bytes at {1} are not in the arena of {2}", *bytes, *offset,
                arenaBytes));
  return static_cast<char *>(arena) + *offset;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Error PlanExecutor::runSteps(bool prepare) {
  for (auto [i, step] : llvm::enumerate(plan.steps)) {
    if (step.prepare != prepare)
      continue;
    Error error = Error::success();
    if (step.kind == PlanStep::Kind::Launch)
      error = llvm::joinErrors(std::move(error), runLaunch(step));
    else if (step.kind == PlanStep::Kind::Copy)
      error = llvm::joinErrors(std::move(error), runCopy(step));
    if (error)
      return createStringError(formatv("steps[{0}]: ", i) +
                               llvm::toString(std::move(error)));
  }
  return Error::success();
}

Error PlanExecutor::runLaunch(const PlanStep &step) {
  const PlanKernel &kernel = plan.kernels[step.kernel];
  uint32_t grid[3];
  for (auto [size, scalar] : llvm::zip_equal(grid, step.grid)) {
    Expected<int64_t> value = getSize(scalar, "a size of the grid");
    if (!value)
      return value.takeError();
    if (*value == 0)
      return Error::success();
    if (*value > INT32_MAX)
      return createStringError(
          formatv("the grid of kernel {0} has {1} blocks in one "
                  "dimension",
                  kernel.name, *value));
    size = *value;
  }

  // Where the arguments' bytes are while the launch reads them.
  std::vector<int64_t> values(step.operands.size());
  std::vector<KernelArgument> arguments;
  for (auto [operand, value] : llvm::zip_equal(step.operands, values)) {
    if (operand.kind == PlanOperand::Kind::Buffer) {
      static_assert(sizeof(void *) == sizeof(int64_t));
      std::memcpy(&value, static_cast<const void *>(&buffers[operand.id]),
                  sizeof(void *));
      arguments.push_back({&value, sizeof(void *)});
      continue;
    }
    Expected<int64_t> scalar = getScalar(operand.id);
    if (!scalar)
      return scalar.takeError();
    value = *scalar;
    unsigned bits = operand.bytes * 8;
    if (bits < 64 && !llvm::isIntN(bits, value) && !llvm::isUIntN(bits, value))
      return createStringError(
          formatv("{0} does not fit in {1} bits, as kernel {2} "
                  "wants it",
                  value, bits, kernel.name));
    // The low bytes come first.
    arguments.push_back({&value, operand.bytes});
  }
  return device.launch(kernel.name, {grid[0], grid[1], grid[2]},
                       {kernel.block[0], kernel.block[1], kernel.block[2]},
                       arguments);
}

Error PlanExecutor::runCopy(const PlanStep &step) {
  Expected<int64_t> source =
      getSize(plan.buffers[step.source].bytes, "the size of the source");
  if (!source)
    return source.takeError();
  Expected<int64_t> destination = getSize(plan.buffers[step.destination].bytes,
                                          "the size of the destination");
  if (!destination)
    return destination.takeError();
  if (*source != *destination)
    return createStringError(formatv("a copy of {0} bytes to a buffer of {1}",
                                     *source, *destination));
  if (*source == 0)
    return Error::success();
  return device.copyOnDevice(buffers[step.destination], buffers[step.source],
                             *source);
}

Expected<std::vector<Tensor>> PlanExecutor::getResults() {
  if (!isBound)
    return createStringError("the plan's arguments are not bound");
  std::vector<Tensor> results;
  for (auto [i, result] : llvm::enumerate(plan.results)) {
    Expected<Tensor> tensor = makeResult(result);
    if (!tensor)
      return tensor.takeError();
    Expected<int64_t> bytes =
        getSize(plan.buffers[result.buffer].bytes, "its size");
    if (!bytes)
      return bytes.takeError();
    if (*bytes < int64_t(tensor->getNumBytes()))
      return createStringError(
          formatv("result {0}: expected {1} bytes, found {2}", i,
                  tensor->getNumBytes(), *bytes));
    if (tensor->getNumBytes())
      if (Error error = device.copyFromDevice(
              tensor->data(), buffers[result.buffer], tensor->getNumBytes()))
        return createStringError(formatv("result {0}: ", i) +
                                 llvm::toString(std::move(error)));
    results.push_back(std::move(*tensor));
  }
  return results;
}
