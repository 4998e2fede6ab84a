//===- Statements.cpp - Control flow, barriers and collectives ------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::msl;

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::assign(ValueRange variables, ValueRange sources) {
  flushComments();
  // A source that reads a variable assigned before it is saved first.
  SmallVector<Expression> texts;
  for (Value source : sources)
    texts.push_back(get(source));
  for (size_t i = 1; i < texts.size(); ++i) {
    bool clobbered = llvm::any_of(texts[i].reads, [&](Value read) {
      return llvm::is_contained(variables.take_front(i), read);
    });
    if (!clobbered || texts[i].text == values[variables[i]].text)
      continue;
    FailureOr<std::string> type =
        typeName(sources[i].getType(), sources[i].getLoc());
    if (failed(type))
      return failure();
    std::string name = names.unique("next");
    os << *type << " " << name << " = " << texts[i].text << ";\n";
    texts[i] = {name};
  }
  for (auto [variable, text] : llvm::zip_equal(variables, texts))
    if (values[variable].text != text.text)
      os << values[variable].text << " = " << text.text << ";\n";
  return success();
}

LogicalResult KernelEmitter::declareResults(Operation *op) {
  for (Value result : op->getResults())
    if (failed(declare(result, "")))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emit(scf::ForOp op) {
  // The variables of the loop hold its results after it.
  for (auto [argument, init, result] : llvm::zip_equal(
           op.getRegionIterArgs(), op.getInitArgs(), op.getResults())) {
    FailureOr<std::string> type = typeName(argument.getType(), op.getLoc());
    if (failed(type))
      return failure();
    std::string name = names.unique("acc");
    os << *type << " " << name << " = " << get(init).text << ";\n";
    values[argument] = {name, Precedence::Primary, {argument}};
    values[result] = {name};
  }

  Value iv = op.getInductionVar();
  FailureOr<std::string> type = typeName(iv.getType(), op.getLoc());
  if (failed(type))
    return failure();
  Expression lower = get(op.getLowerBound());
  Expression upper = op.getUnsignedCmp() ? getUnsigned(op.getUpperBound())
                                         : get(op.getUpperBound());
  Expression step = get(op.getStep());
  std::string name = names.unique("i");
  values[iv] = {name};
  Expression counter = op.getUnsignedCmp() ? getUnsigned(iv) : Expression{name};
  os << "for (" << *type << " " << name << " = " << lower.text << "; "
     << binary(counter, "<", upper, Precedence::Relational).text << "; ";
  if (matchPattern(op.getStep(), m_One()))
    os << "++" << name;
  else
    os << name << " += " << step.text;
  os << ") {\n";
  os.indent();
  if (failed(emitBlock(*op.getBody())) ||
      failed(assign(op.getRegionIterArgs(),
                    op.getBody()->getTerminator()->getOperands())))
    return failure();
  os.unindent();
  os << "}\n";
  return success();
}

LogicalResult KernelEmitter::emit(scf::IfOp op) {
  // The condition is read before anything is declared or assigned.
  Expression condition = get(op.getCondition());
  if (failed(declareResults(op)))
    return failure();
  auto emitBranch = [&](Block &block) -> LogicalResult {
    os.indent();
    if (failed(emitBlock(block)) ||
        failed(assign(op.getResults(), block.getTerminator()->getOperands())))
      return failure();
    os.unindent();
    return success();
  };
  os << "if (" << condition.text << ") {\n";
  if (failed(emitBranch(*op.thenBlock())))
    return failure();
  if (op.elseBlock() && !(op.elseBlock()->without_terminator().empty() &&
                          op.getNumResults() == 0)) {
    os << "} else {\n";
    if (failed(emitBranch(*op.elseBlock())))
      return failure();
  }
  os << "}\n";
  return success();
}

LogicalResult KernelEmitter::emit(scf::WhileOp op) {
  // while (true) { before; results = ...; if (!condition) break; after; }
  for (auto [argument, init] :
       llvm::zip_equal(op.getBeforeArguments(), op.getInits())) {
    FailureOr<std::string> type = typeName(argument.getType(), op.getLoc());
    if (failed(type))
      return failure();
    std::string name = names.unique("state");
    os << *type << " " << name << " = " << get(init).text << ";\n";
    values[argument] = {name, Precedence::Primary, {argument}};
  }
  if (failed(declareResults(op)))
    return failure();
  for (auto [argument, result] :
       llvm::zip_equal(op.getAfterArguments(), op.getResults()))
    values[argument] = {values[result].text};

  os << "while (true) {\n";
  os.indent();
  if (failed(emitBlock(*op.getBeforeBody())))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  Expression test = get(condition.getCondition());
  if (failed(assign(op.getResults(), condition.getArgs())))
    return failure();
  os << "if (!" << test.at(Precedence::Primary) << ")\n  break;\n";
  if (failed(emitBlock(*op.getAfterBody())) ||
      failed(assign(op.getBeforeArguments(), op.getYieldOp()->getOperands())))
    return failure();
  os.unindent();
  os << "}\n";
  return success();
}

LogicalResult KernelEmitter::emit(scf::IndexSwitchOp op) {
  // A case's label is an int, and so is what it is compared with.
  Expression argument = get(op.getArg());
  if (failed(declareResults(op)))
    return failure();
  auto emitCase = [&](Block &block) -> LogicalResult {
    os.indent();
    if (failed(emitBlock(block)) ||
        failed(assign(op.getResults(), block.getTerminator()->getOperands())))
      return failure();
    os << "break;\n";
    os.unindent();
    os << "}\n";
    return success();
  };
  os << "switch (" << argument.text << ") {\n";
  for (auto [i, value] : llvm::enumerate(op.getCases())) {
    os << "case " << value << ": {\n";
    if (failed(emitCase(op.getCaseBlock(i))))
      return failure();
  }
  os << "default: {\n";
  if (failed(emitCase(op.getDefaultBlock())))
    return failure();
  os << "}\n";
  return success();
}

//===----------------------------------------------------------------------===//
// Threads together
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emit(gpu::BarrierOp op) {
  // gpu.barrier orders all memory; device memory costs more, so only where it
  // matters.
  if (sharesDeviceMemory())
    os << "threadgroup_barrier(mem_flags::mem_device);\n";
  os << "threadgroup_barrier(mem_flags::mem_threadgroup);\n";
  return success();
}

LogicalResult KernelEmitter::emit(gpu::ShuffleOp op) {
  APInt width;
  if (!matchPattern(op.getWidth(), m_ConstantInt(&width)))
    return op.emitOpError("has a width that is not constant");
  if (width != MetalLimits::simdWidth)
    return op.emitOpError()
           << "has a width of " << width.getSExtValue()
           << ", but a SIMD group has " << MetalLimits::simdWidth << " lanes";
  Type type = op.getValue().getType();
  Type scalar = getElementTypeOrSelf(type);
  unsigned bits = types.bitWidth(scalar);
  if ((bits != 16 && bits != 32) || isa<VectorType>(type))
    return op.emitOpError()
           << "is on " << type << "; run fusion-legalize-for-msl first";
  StringRef function;
  std::string valid;
  Expression offset = get(op.getOffset());
  switch (op.getMode()) {
  case gpu::ShuffleMode::XOR:
    function = "simd_shuffle_xor";
    break;
  case gpu::ShuffleMode::IDX:
    function = "simd_shuffle";
    break;
  case gpu::ShuffleMode::DOWN:
    function = "simd_shuffle_down";
    valid =
        "int(laneIndex) + " + offset.at(Precedence::Multiplicative) + " < 32";
    break;
  case gpu::ShuffleMode::UP:
    function = "simd_shuffle_up";
    valid = "int(laneIndex) >= " + offset.at(Precedence::Additive);
    break;
  }
  if (!op.getValid().use_empty()) {
    // Every lane of a full SIMD group has a partner under xor and idx.
    Expression text{valid.empty() ? "true" : valid, Precedence::Relational};
    if (failed(bindVariable(op.getValid(), text)))
      return failure();
  }
  if (op.getShuffleResult().use_empty())
    return success();
  return bindVariable(op.getShuffleResult(),
                      call(function, {get(op.getValue()), offset}));
}

LogicalResult KernelEmitter::emit(SimdgroupMmaOp op) {
  prelude.require(Helper::SimdgroupMma);
  Type scalar = getElementTypeOrSelf(op.getLhs().getType());
  std::string function = Prelude::name(Helper::SimdgroupMma).str() + "<" +
                         types.name(scalar) + ">";
  return bindVariable(
      op.getResult(),
      call(function, {get(op.getLhs()), get(op.getRhs()), get(op.getAcc())}));
}

LogicalResult KernelEmitter::emit(cf::AssertOp op) {
  prelude.require(Helper::Assert);
  os << Prelude::name(Helper::Assert) << "(" << get(op.getArg()).text << ");\n";
  return success();
}

//===----------------------------------------------------------------------===//
// Vectors in place
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emit(vector::InsertOp op) {
  if (types.name(op.getType()).empty() || op.getNumIndices() != 1 ||
      isa<VectorType>(op.getValueToStore().getType()))
    return op.emitOpError("is not of a scalar into a short vector; run "
                          "fusion-legalize-for-msl first");
  if (failed(bindVariable(op.getResult(), get(op.getDest()))))
    return failure();
  os << get(op.getResult()).text;
  OpFoldResult position = op.getMixedPosition().front();
  if (auto value = dyn_cast<Value>(position))
    os << "[" << get(value).text << "]";
  else
    os << "." << StringRef("xyzw")[*getConstantIntValue(position)];
  os << " = " << get(op.getValueToStore()).text << ";\n";
  return success();
}

LogicalResult KernelEmitter::emit(vector::ToElementsOp op) {
  if (types.name(op.getSource().getType()).empty())
    return op.emitOpError("is not on a short vector; run "
                          "fusion-legalize-for-msl first");
  FailureOr<Expression> source = getSimple(op.getSource());
  if (failed(source))
    return failure();
  // Uses in other iterations would read a variable after its assignment.
  for (auto [i, element] : llvm::enumerate(op.getElements())) {
    Expression text{source->text + "." + StringRef("xyzw")[i],
                    Precedence::Primary, source->reads};
    if (failed(bind(element, text)))
      return failure();
  }
  return success();
}
