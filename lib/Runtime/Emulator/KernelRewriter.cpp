//===- KernelRewriter.cpp - From a GPU kernel to host code ----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRewriter.h"
#include "Machine.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir::fusion;
using namespace mlir::fusion::emulator;

/// Distance that keeps neighbouring arrays in shared memory apart, so that an
/// access behind the end of one does not hit the next.
static constexpr uint64_t kSharedGap = 128;
/// What a thread may keep on its stack.
static constexpr uint64_t kMaxStackBytes = kFiberStackBytes - (16 << 10);

/// Address space of shared memory, of NVPTX and of SPIR alike.
static constexpr unsigned kSharedSpace = 3;

bool mlir::fusion::emulator::isKernel(const llvm::Function &function) {
  return !function.isDeclaration() &&
         (function.getCallingConv() == llvm::CallingConv::PTX_Kernel ||
          function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL);
}

//===----------------------------------------------------------------------===//
// RewriteContext
//===----------------------------------------------------------------------===//

llvm::Constant *RewriteContext::getPointer(const void *address) const {
  auto *value = llvm::ConstantInt::get(llvm::Type::getInt64Ty(getContext()),
                                       reinterpret_cast<uint64_t>(address));
  return llvm::ConstantExpr::getIntToPtr(
      value, llvm::PointerType::get(getContext(), 0));
}

llvm::CallInst *
RewriteContext::callHost(llvm::IRBuilder<> &builder, const void *function,
                         llvm::Type *result,
                         llvm::ArrayRef<llvm::Value *> arguments) const {
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *argument : arguments)
    types.push_back(argument->getType());
  return builder.CreateCall(llvm::FunctionType::get(result, types, false),
                            getPointer(function), arguments);
}

void RewriteContext::noteSharedAccess(uint64_t bytes) {
  if (bytes)
    sharedShift = std::min(sharedShift, unsigned(llvm::Log2_64(bytes)));
}

llvm::Value *
mlir::fusion::emulator::readThreadField(const RewriteContext &context,
                                        llvm::IRBuilder<> &builder,
                                        size_t fieldOffset) {
  llvm::Value *current = builder.CreateLoad(
      builder.getPtrTy(),
      context.getPointer(static_cast<const void *>(&machine.current)));
  return builder.CreateLoad(builder.getInt32Ty(),
                            builder.CreateConstInBoundsGEP1_64(
                                builder.getInt8Ty(), current, fieldOffset));
}

llvm::Value *
mlir::fusion::emulator::readMachineField(const RewriteContext &context,
                                         llvm::IRBuilder<> &builder,
                                         const void *field) {
  return builder.CreateLoad(builder.getInt32Ty(), context.getPointer(field));
}

//===----------------------------------------------------------------------===//
// Cloning
//===----------------------------------------------------------------------===//

/// The functions and variables that a kernel reaches.
static llvm::SetVector<const llvm::GlobalValue *>
findReachable(const llvm::Function &kernel) {
  llvm::SetVector<const llvm::GlobalValue *> reachable;
  reachable.insert(&kernel);
  llvm::SmallPtrSet<const llvm::Constant *, 16> seen;
  llvm::SmallVector<const llvm::Constant *> worklist;
  auto visit = [&](const llvm::Value *operand) {
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(operand))
      if (!llvm::isa<llvm::ConstantData>(constant) &&
          seen.insert(constant).second)
        worklist.push_back(constant);
  };
  for (unsigned i = 0; i < reachable.size(); ++i) {
    if (auto *function = llvm::dyn_cast<llvm::Function>(reachable[i]))
      for (const llvm::Instruction &instruction : llvm::instructions(*function))
        for (const llvm::Value *operand : instruction.operands())
          visit(operand);
    else if (auto *variable =
                 llvm::dyn_cast<llvm::GlobalVariable>(reachable[i]))
      if (variable->hasInitializer())
        visit(variable->getInitializer());
    while (!worklist.empty()) {
      const llvm::Constant *constant = worklist.pop_back_val();
      if (auto *global = llvm::dyn_cast<llvm::GlobalValue>(constant))
        reachable.insert(global);
      else
        for (const llvm::Value *operand : constant->operands())
          visit(operand);
    }
  }
  return reachable;
}

/// Clones a kernel with what it reaches, and numbers its instructions.
static std::unique_ptr<llvm::Module> cloneKernel(const llvm::Function &kernel,
                                                 CompiledKernel &compiled) {
  auto reachable = findReachable(kernel);
  const llvm::Module &source = *kernel.getParent();
  auto module =
      std::make_unique<llvm::Module>(kernel.getName(), kernel.getContext());
  llvm::ValueToValueMapTy map;
  for (const llvm::GlobalValue *global : reachable) {
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(global)) {
      auto *clone = new llvm::GlobalVariable(
          *module, variable->getValueType(), variable->isConstant(),
          variable->getLinkage(), nullptr, variable->getName(), nullptr,
          variable->getThreadLocalMode(), variable->getAddressSpace());
      clone->setAlignment(variable->getAlign());
      map[variable] = clone;
    } else if (auto *function = llvm::dyn_cast<llvm::Function>(global)) {
      auto *clone = llvm::Function::Create(function->getFunctionType(),
                                           function->getLinkage(),
                                           function->getName(), *module);
      clone->copyAttributesFrom(function);
      map[function] = clone;
    }
  }
  uint32_t nextSite = 0;
  module->setDataLayout(source.getDataLayout());
  for (const llvm::GlobalValue *global : reachable) {
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(global)) {
      if (variable->hasInitializer())
        llvm::cast<llvm::GlobalVariable>(map[variable])
            ->setInitializer(llvm::MapValue(variable->getInitializer(), map));
      continue;
    }
    auto *function = llvm::dyn_cast<llvm::Function>(global);
    if (!function || function->isDeclaration())
      continue;
    auto *clone = llvm::cast<llvm::Function>(map[function]);
    auto argument = clone->arg_begin();
    for (const llvm::Argument &from : function->args())
      map[&from] = &*argument++;
    llvm::SmallVector<llvm::ReturnInst *> returns;
    llvm::CloneFunctionInto(clone, function, map,
                            llvm::CloneFunctionChangeType::DifferentModule,
                            returns);
    uint32_t numSites = function->getInstructionCount();
    compiled.sites.push_back({function, nextSite, numSites});
    nextSite += numSites;
  }
  return module;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

namespace {
/// Gives arrays their places in shared memory.
class SharedLayout {
public:
  SharedLayout(RewriteContext &context) : context(context) {}

  /// Places an array; returns its address.
  llvm::Constant *place(uint64_t bytes, llvm::Align align) {
    total = llvm::alignTo(total, align) + bytes;
    end = llvm::alignTo(end + kSharedGap,
                        std::max(align, llvm::Align(kSharedGap)));
    if (bytes)
      context.compiled.sharedArrays.push_back(
          {uint32_t(end), uint32_t(end + bytes)});
    auto *address =
        llvm::ConstantInt::get(llvm::Type::getInt64Ty(context.getContext()),
                               context.options.sharedBase + end);
    end += bytes;
    return llvm::ConstantExpr::getIntToPtr(
        address, llvm::PointerType::get(context.getContext(), kSharedSpace));
  }

  /// The memory that the arrays need on the hardware.
  uint64_t getTotal() const { return total; }

private:
  RewriteContext &context;
  uint64_t total = 0;
  /// The end of the last array; offset 0 stays unused.
  uint64_t end = 1024;
};
} // namespace

static llvm::Error placeSharedVariables(RewriteContext &context,
                                        const llvm::Function &kernel,
                                        SharedLayout &layout) {
  llvm::SmallVector<llvm::GlobalVariable *> variables;
  for (llvm::GlobalVariable &variable : context.module.globals())
    if (variable.getAddressSpace() == kSharedSpace)
      variables.push_back(&variable);
  llvm::SmallVector<llvm::Constant *> constants(variables.begin(),
                                                variables.end());
  llvm::convertUsersOfConstantsToInstructions(constants);
  for (llvm::GlobalVariable *variable : variables) {
    llvm::Type *type = variable->getValueType();
    uint64_t bytes = context.options.hostLayout.getTypeAllocSize(type);
    llvm::Align align = variable->getAlign().value_or(
        context.options.hostLayout.getPrefTypeAlign(type));
    if (bytes == 0) {
      // Dynamic shared memory: the kernel says how large it is at launch.
      llvm::Attribute size = kernel.getFnAttribute("fusion.dynamic_shared");
      if (!size.isStringAttribute() ||
          size.getValueAsString().getAsInteger(10, bytes))
        return llvm::createStringError(
            llvm::formatv("emulator: kernel '{0}' uses dynamic shared memory "
                          "'{1}' of unknown "
                          "size; hint: give the function the attribute "
                          "\"fusion.dynamic_shared\"=\"bytes\"",
                          kernel.getName(), variable->getName()));
    }
    variable->replaceAllUsesWith(layout.place(bytes, align));
    variable->eraseFromParent();
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Drops what the host does not understand or must not rely on.
static void stripFunction(llvm::Function &function) {
  function.setCallingConv(llvm::CallingConv::C);
  function.setSection("");
  function.setComdat(nullptr);
  function.setPersonalityFn(nullptr);
  for (llvm::StringRef name : {"target-cpu", "target-features", "tune-cpu"})
    function.removeFnAttr(name);
  // Handlers write memory and switch threads.
  for (llvm::Attribute::AttrKind kind :
       {llvm::Attribute::Memory, llvm::Attribute::NoSync,
        llvm::Attribute::WillReturn, llvm::Attribute::OptimizeForSize,
        llvm::Attribute::MinSize, llvm::Attribute::OptimizeNone})
    function.removeFnAttr(kind);
  // Checks of alignment and bounds must not be folded away.
  for (llvm::Argument &argument : function.args())
    for (llvm::Attribute::AttrKind kind :
         {llvm::Attribute::Alignment, llvm::Attribute::Dereferenceable,
          llvm::Attribute::DereferenceableOrNull, llvm::Attribute::NonNull,
          llvm::Attribute::ReadOnly, llvm::Attribute::ReadNone,
          llvm::Attribute::WriteOnly, llvm::Attribute::NoAlias})
      argument.removeAttr(kind);
  if (!function.isDeclaration()) {
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.addFnAttr("frame-pointer", "none");
  }
}

/// Rounds f32 to bf16 (to nearest even) with integer operations: hosts flush
/// denormals in their instruction, or call a function for each.
static void expandTruncToBF16(llvm::FPTruncInst &trunc) {
  llvm::Value *source = trunc.getOperand(0);
  if (!source->getType()->getScalarType()->isFloatTy() ||
      !trunc.getType()->getScalarType()->isBFloatTy())
    return;
  llvm::IRBuilder<> builder(&trunc);
  llvm::Type *i32 = source->getType()->getWithNewType(builder.getInt32Ty());
  llvm::Type *i16 = source->getType()->getWithNewType(builder.getInt16Ty());
  auto constant = [&](uint32_t value) {
    return llvm::ConstantInt::get(i32, value);
  };
  llvm::Value *bits = builder.CreateBitCast(source, i32);
  llvm::Value *odd =
      builder.CreateAnd(builder.CreateLShr(bits, constant(16)), constant(1));
  llvm::Value *rounded =
      builder.CreateAdd(bits, builder.CreateAdd(odd, constant(0x7fff)));
  llvm::Value *quiet = builder.CreateOr(bits, constant(0x400000));
  llvm::Value *isNaN = builder.CreateFCmpUNO(source, source);
  llvm::Value *chosen = builder.CreateSelect(isNaN, quiet, rounded);
  llvm::Value *high =
      builder.CreateTrunc(builder.CreateLShr(chosen, constant(16)), i16);
  trunc.replaceAllUsesWith(builder.CreateBitCast(high, trunc.getType()));
  trunc.eraseFromParent();
}

/// Gives integer divisions whose result is undefined the hardware's behaviour,
/// a result, instead of the host's, a signal.
static void guardDivision(llvm::BinaryOperator &division) {
  llvm::Value *divisor = division.getOperand(1);
  if (llvm::isa<llvm::Constant>(divisor))
    return;
  llvm::IRBuilder<> builder(&division);
  llvm::Type *type = division.getType();
  auto constant = [&](int64_t value) {
    return llvm::ConstantInt::getSigned(type, value);
  };
  llvm::Value *isZero = builder.CreateICmpEQ(divisor, constant(0));
  llvm::Value *isSpecial = isZero;
  bool isSigned = division.getOpcode() == llvm::Instruction::SDiv ||
                  division.getOpcode() == llvm::Instruction::SRem;
  bool isDivision = division.getOpcode() == llvm::Instruction::SDiv ||
                    division.getOpcode() == llvm::Instruction::UDiv;
  // The least number divided by -1 overflows.
  if (isSigned)
    isSpecial =
        builder.CreateOr(isZero, builder.CreateICmpEQ(divisor, constant(-1)));
  division.setOperand(1, builder.CreateSelect(isSpecial, constant(1), divisor));
  builder.SetInsertPoint(division.getNextNode());
  llvm::Value *dividend = division.getOperand(0);
  llvm::Value *special = isDivision ? constant(-1) : dividend;
  if (isSigned)
    special = builder.CreateSelect(isZero, special,
                                   isDivision ? builder.CreateNeg(dividend)
                                              : constant(0));
  auto *result = llvm::cast<llvm::Instruction>(
      builder.Insert(llvm::SelectInst::Create(isSpecial, special, &division)));
  division.replaceUsesWithIf(
      result, [&](llvm::Use &use) { return use.getUser() != result; });
}

/// Rewrites the instructions of a function, the first of which has the number
/// `firstSite`.
static llvm::Error
rewriteFunction(RewriteContext &context, llvm::Function &function,
                llvm::ArrayRef<llvm::Instruction *> instructions,
                uint32_t firstSite) {
  uint64_t stackBytes = 0;
  for (llvm::Instruction *instruction : instructions)
    if (auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(instruction))
      stackBytes += alloca->getAllocationSize(context.options.hostLayout)
                        .value_or(llvm::TypeSize::getFixed(kMaxStackBytes));
  if (stackBytes >= kMaxStackBytes)
    return llvm::createStringError(
        llvm::formatv("emulator: function '{0}' needs {1} bytes of private "
                      "memory for each thread, more than {2}",
                      function.getName(), stackBytes, kMaxStackBytes));
  for (auto [index, instruction] : llvm::enumerate(instructions)) {
    uint32_t site = firstSite + index;
    // Quick and optimized code must agree to the last bit.
    if (llvm::isa<llvm::FPMathOperator>(instruction))
      instruction->setFastMathFlags(llvm::FastMathFlags());
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(instruction)) {
      auto rewritten = rewriteCall(context, *call, site);
      if (!rewritten)
        return rewritten.takeError();
      if (*rewritten)
        continue;
    }
    if (auto *trunc = llvm::dyn_cast<llvm::FPTruncInst>(instruction)) {
      expandTruncToBF16(*trunc);
      continue;
    }
    if (instruction->isIntDivRem()) {
      guardDivision(llvm::cast<llvm::BinaryOperator>(*instruction));
      continue;
    }
    if (auto *fence = llvm::dyn_cast<llvm::FenceInst>(instruction)) {
      llvm::IRBuilder<> builder(fence);
      context.callHost(builder, reinterpret_cast<void *>(noteFence),
                       builder.getVoidTy(), {});
      continue;
    }
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(instruction))
      if (!call->getCalledFunction())
        return llvm::createStringError(llvm::formatv(
            "emulator: indirect call in '{0}'", function.getName()));
    instrumentAccess(context, *instruction, site);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

/// The value of a Metal builtin, as a value of type `type`.
static llvm::Value *buildMetalBuiltin(RewriteContext &context,
                                      llvm::IRBuilder<> &builder,
                                      MetalBuiltin builtin, llvm::Type *type) {
  auto thread = [&](unsigned i) {
    return readThreadField(context, builder,
                           offsetof(ThreadPlace, position) + 4 * i);
  };
  auto machineField = [&](const uint32_t *fields, unsigned i) {
    return readMachineField(context, builder, fields + i);
  };
  auto component = [&](unsigned i) -> llvm::Value * {
    switch (builtin) {
    case MetalBuiltin::ThreadPositionInGrid:
      return builder.CreateAdd(
          builder.CreateMul(machineField(machine.blockPosition, i),
                            machineField(machine.blockSize, i)),
          thread(i));
    case MetalBuiltin::ThreadPositionInThreadgroup:
      return thread(i);
    case MetalBuiltin::ThreadIndexInThreadgroup:
      return readThreadField(context, builder, offsetof(ThreadPlace, index));
    case MetalBuiltin::ThreadgroupPositionInGrid:
      return machineField(machine.blockPosition, i);
    case MetalBuiltin::ThreadsPerThreadgroup:
      return machineField(machine.blockSize, i);
    case MetalBuiltin::ThreadIndexInSimdgroup:
      return readThreadField(context, builder, offsetof(ThreadPlace, lane));
    case MetalBuiltin::SimdgroupIndexInThreadgroup:
      return readThreadField(context, builder, offsetof(ThreadPlace, warp));
    case MetalBuiltin::SimdgroupsPerThreadgroup:
      return machineField(&machine.numWarps, 0);
    case MetalBuiltin::ThreadsPerSimdgroup:
      return builder.getInt32(kLanes);
    case MetalBuiltin::ThreadgroupsPerGrid:
      return machineField(machine.gridSize, i);
    case MetalBuiltin::ThreadsPerGrid:
      return builder.CreateMul(machineField(machine.gridSize, i),
                               machineField(machine.blockSize, i));
    }
    llvm_unreachable("all builtins are handled");
  };
  llvm::Type *scalar = type->getScalarType();
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector)
    return builder.CreateZExtOrTrunc(component(0), scalar);
  llvm::Value *result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    result = builder.CreateInsertElement(
        result,
        i < 3 ? builder.CreateZExtOrTrunc(component(i), scalar)
              : llvm::ConstantInt::get(scalar, 0),
        i);
  return result;
}

/// Builds the function that takes an array of pointers to arguments.
static llvm::Error buildEntry(RewriteContext &context, llvm::Function &kernel,
                              SharedLayout &layout) {
  llvm::LLVMContext &c = context.getContext();
  llvm::Type *pointer = llvm::PointerType::get(c, 0);
  auto *entry = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(c), {pointer}, false),
      llvm::GlobalValue::ExternalLinkage, kEntryName, context.module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(c, "", entry));
  auto invalid = [&](unsigned number, llvm::StringRef why) {
    return llvm::createStringError(
        llvm::formatv("emulator: kernel '{0}', parameter {1}: {2}",
                      context.compiled.name, number, why));
  };
  const MetalKernelInfo *metal = context.options.metal;
  if (metal && metal->parameters.size() != kernel.arg_size())
    return llvm::createStringError(llvm::formatv(
        "emulator: kernel '{0}' has {1} parameters, its description {2}",
        context.compiled.name, kernel.arg_size(), metal->parameters.size()));
  using Kind = MetalKernelInfo::Parameter::Kind;
  llvm::SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : kernel.args()) {
    unsigned number = argument.getArgNo();
    unsigned slot = number;
    llvm::Type *type = argument.getType();
    if (metal) {
      const MetalKernelInfo::Parameter &info = metal->parameters[number];
      if (info.kind == Kind::Builtin) {
        if (!type->isIntOrIntVectorTy())
          return invalid(number, "a builtin needs an integer type");
        arguments.push_back(
            buildMetalBuiltin(context, builder, info.builtin, type));
        continue;
      }
      if (info.kind == Kind::Threadgroup) {
        if (!type->isPointerTy() ||
            type->getPointerAddressSpace() != kSharedSpace)
          return invalid(number, "not a pointer to threadgroup memory");
        arguments.push_back(
            layout.place(info.threadgroupBytes, llvm::Align(16)));
        continue;
      }
      slot = info.index;
      if (!type->isPointerTy())
        return invalid(number, "a buffer needs a pointer type");
    }
    llvm::Value *data = builder.CreateLoad(
        pointer,
        builder.CreateConstInBoundsGEP1_64(pointer, entry->getArg(0), slot));
    bool byValue = argument.hasByValAttr();
    arguments.push_back(
        byValue ? data : builder.CreateAlignedLoad(type, data, llvm::Align(1)));
  }
  llvm::CallInst *call = builder.CreateCall(&kernel, arguments);
  for (unsigned i = 0; i < kernel.arg_size(); ++i)
    for (llvm::Attribute::AttrKind kind :
         {llvm::Attribute::ZExt, llvm::Attribute::SExt})
      if (kernel.getArg(i)->hasAttribute(kind))
        call->addParamAttr(i, kind);
  builder.CreateRetVoid();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<llvm::Module>>
mlir::fusion::emulator::rewriteKernel(const llvm::Function &kernel,
                                      const RewriteOptions &options,
                                      CompiledKernel &compiled) {
  compiled.name = kernel.getName().str();
  std::unique_ptr<llvm::Module> module = cloneKernel(kernel, compiled);
  llvm::StripDebugInfo(*module);
  module->setTargetTriple(options.hostTriple);
  module->setDataLayout(options.hostLayout);
  RewriteContext context{*module, options, compiled};
  llvm::Function *clone = module->getFunction(kernel.getName());

  // Remember the instructions as they are numbered: placing shared memory adds
  // new ones.
  llvm::SmallVector<std::vector<llvm::Instruction *>> instructions;
  for (const SiteRange &range : compiled.sites) {
    auto &list = instructions.emplace_back();
    for (llvm::Instruction &instruction :
         llvm::instructions(module->getFunction(range.function->getName())))
      list.push_back(&instruction);
  }
  SharedLayout layout(context);
  if (llvm::Error error = placeSharedVariables(context, kernel, layout))
    return std::move(error);
  for (llvm::Function &function : *module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction))
        context.castsShared |= cast->getSrcAddressSpace() == kSharedSpace;
  for (llvm::Function &function : *module)
    stripFunction(function);
  for (auto [range, list] : llvm::zip_equal(compiled.sites, instructions))
    if (llvm::Error error = rewriteFunction(
            context, *module->getFunction(range.function->getName()), list,
            range.firstSite))
      return std::move(error);
  if (llvm::Error error = buildEntry(context, *clone, layout))
    return std::move(error);
  if (layout.getTotal() > options.maxSharedMemory)
    return llvm::createStringError(llvm::formatv(
        "emulator: kernel '{0}' needs {1} bytes of shared memory; a block has "
        "{2}",
        compiled.name, layout.getTotal(), options.maxSharedMemory));
  compiled.isIndependent = !context.suspends;
  compiled.sharedShift = context.sharedShift;

  std::string problem;
  llvm::raw_string_ostream os(problem);
  if (llvm::verifyModule(*module, &os))
    return llvm::createStringError(
        llvm::formatv("emulator: kernel '{0}' became invalid host code: {1}",
                      compiled.name, problem));
  return std::move(module);
}
