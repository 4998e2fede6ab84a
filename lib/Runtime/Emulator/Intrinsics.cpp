//===- Intrinsics.cpp - Calls that the host does not know -----------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handlers.h"
#include "KernelRewriter.h"
#include "Machine.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace mlir::fusion;
using namespace mlir::fusion::emulator;

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

/// The value of a special register, or null when it is unknown.
static llvm::Value *readSpecialRegister(const RewriteContext &context,
                                        llvm::IRBuilder<> &builder,
                                        llvm::StringRef name) {
  auto [base, suffix] = name.rsplit('.');
  if (suffix.size() == 1 && suffix[0] >= 'x' && suffix[0] <= 'z') {
    unsigned component = suffix[0] - 'x';
    if (base == "tid")
      return readThreadField(context, builder,
                             offsetof(ThreadPlace, position) + 4 * component);
    if (base == "ntid")
      return readMachineField(context, builder, machine.blockSize + component);
    if (base == "ctaid")
      return readMachineField(context, builder,
                              machine.blockPosition + component);
    if (base == "nctaid")
      return readMachineField(context, builder, machine.gridSize + component);
    return nullptr;
  }
  auto lane = [&] {
    return readThreadField(context, builder, offsetof(ThreadPlace, lane));
  };
  llvm::Value *one = builder.getInt32(1);
  if (name == "laneid")
    return lane();
  if (name == "warpid")
    return readThreadField(context, builder, offsetof(ThreadPlace, warp));
  if (name == "nwarpid")
    return readMachineField(context, builder, &machine.numWarps);
  if (name == "warpsize")
    return builder.getInt32(kLanes);
  if (name == "lanemask.eq")
    return builder.CreateShl(one, lane());
  if (name == "lanemask.lt")
    return builder.CreateSub(builder.CreateShl(one, lane()), one);
  if (name == "lanemask.ge")
    return builder.CreateNeg(builder.CreateShl(one, lane()));
  if (name == "lanemask.le")
    return builder.CreateNot(builder.CreateShl(builder.getInt32(-2), lane()));
  if (name == "lanemask.gt")
    return builder.CreateShl(builder.getInt32(-2), lane());
  // Time stands still: kernels that measure it still run.
  if (name == "clock")
    return builder.getInt32(0);
  if (name == "clock64" || name == "globaltimer")
    return builder.getInt64(0);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Scalar functions
//===----------------------------------------------------------------------===//

/// Packs the conversions of two f32 into one vector, `low` first.
static llvm::Value *
packPair(llvm::IRBuilder<> &builder, llvm::Value *high, llvm::Value *low,
         llvm::Type *element,
         llvm::function_ref<llvm::Value *(llvm::Value *)> convert) {
  llvm::Value *pair =
      llvm::PoisonValue::get(llvm::FixedVectorType::get(element, 2));
  pair = builder.CreateInsertElement(pair, convert(low), uint64_t(0));
  return builder.CreateInsertElement(pair, convert(high), 1);
}

/// Rounds f32 to bf16; see `expandTruncToBF16` for why not by fptrunc.
static llvm::Value *convertToBF16(llvm::IRBuilder<> &builder,
                                  llvm::Value *value) {
  llvm::Value *bits = builder.CreateBitCast(value, builder.getInt32Ty());
  llvm::Value *odd = builder.CreateAnd(builder.CreateLShr(bits, 16), 1);
  llvm::Value *rounded =
      builder.CreateAdd(bits, builder.CreateAdd(odd, builder.getInt32(0x7fff)));
  llvm::Value *quiet = builder.CreateOr(bits, 0x400000);
  llvm::Value *chosen =
      builder.CreateSelect(builder.CreateFCmpUNO(value, value), quiet, rounded);
  return builder.CreateBitCast(
      builder.CreateTrunc(builder.CreateLShr(chosen, 16), builder.getInt16Ty()),
      builder.getBFloatTy());
}

/// Rounds f32 to the 19 bits of tf32, ties away from zero.
static llvm::Value *convertToTF32(llvm::IRBuilder<> &builder,
                                  llvm::Value *value) {
  llvm::Value *bits = builder.CreateBitCast(value, builder.getInt32Ty());
  llvm::Value *rounded = builder.CreateAnd(
      builder.CreateAdd(bits, builder.getInt32(0x1000)), 0xffffe000u);
  return builder.CreateSelect(builder.CreateFCmpUNO(value, value), bits,
                              rounded);
}

/// Lowers a function of scalars (or of packed pairs) to host instructions. The
/// name is that of an intrinsic behind `llvm.nvvm.` or a PTX mnemonic. Null
/// when the name is none of them.
static llvm::Value *lowerScalarFunction(llvm::IRBuilder<> &builder,
                                        llvm::StringRef name, llvm::Type *type,
                                        llvm::ArrayRef<llvm::Value *> args) {
  auto unary = [&](llvm::Intrinsic::ID id) {
    return builder.CreateUnaryIntrinsic(id, args[0]);
  };
  auto reciprocal = [&](llvm::Value *value) {
    return builder.CreateFDiv(llvm::ConstantFP::get(value->getType(), 1.0),
                              value);
  };
  auto is = [&](llvm::StringRef prefix) { return name.starts_with(prefix); };
  bool isFloat = type->isFPOrFPVectorTy();

  if (args.size() == 1 && isFloat) {
    if (is("ex2.approx"))
      return unary(llvm::Intrinsic::exp2);
    if (is("lg2.approx"))
      return unary(llvm::Intrinsic::log2);
    if (is("tanh.approx"))
      return unary(llvm::Intrinsic::tanh);
    if (is("sin.approx"))
      return unary(llvm::Intrinsic::sin);
    if (is("cos.approx"))
      return unary(llvm::Intrinsic::cos);
    if (is("rsqrt.approx"))
      return reciprocal(unary(llvm::Intrinsic::sqrt));
    if (is("sqrt."))
      return unary(llvm::Intrinsic::sqrt);
    if (is("rcp."))
      return reciprocal(args[0]);
    if (is("fabs") || is("abs."))
      return unary(llvm::Intrinsic::fabs);
    if (is("neg."))
      return builder.CreateFNeg(args[0]);
    if (is("floor."))
      return unary(llvm::Intrinsic::floor);
    if (is("ceil."))
      return unary(llvm::Intrinsic::ceil);
    if (is("round."))
      return unary(llvm::Intrinsic::roundeven);
    if (is("trunc."))
      return unary(llvm::Intrinsic::trunc);
    if (is("saturate.")) {
      auto *zero = llvm::ConstantFP::get(type, 0.0);
      auto *one = llvm::ConstantFP::get(type, 1.0);
      return builder.CreateMinNum(builder.CreateMaxNum(args[0], zero), one);
    }
    if (is("f2bf16.rn") && !name.contains("relu"))
      return convertToBF16(builder, args[0]);
  }
  if (args.size() == 1 && is("f2tf32.rna"))
    return convertToTF32(builder, args[0]);
  if (args.size() == 2 && isFloat && !name.contains("xorsign")) {
    bool nan = name.contains(".nan");
    if (is("fmin."))
      return nan ? builder.CreateMinimum(args[0], args[1])
                 : builder.CreateMinNum(args[0], args[1]);
    if (is("fmax."))
      return nan ? builder.CreateMaximum(args[0], args[1])
                 : builder.CreateMaxNum(args[0], args[1]);
    if (is("div."))
      return builder.CreateFDiv(args[0], args[1]);
    if (is("add.rn"))
      return builder.CreateFAdd(args[0], args[1]);
    if (is("mul.rn"))
      return builder.CreateFMul(args[0], args[1]);
    if (is("ff2f16x2.rn") && !name.contains("relu"))
      return packPair(builder, args[0], args[1], builder.getHalfTy(),
                      [&](llvm::Value *value) {
                        return builder.CreateFPTrunc(value,
                                                     builder.getHalfTy());
                      });
    if (is("ff2bf16x2.rn") && !name.contains("relu"))
      return packPair(
          builder, args[0], args[1], builder.getBFloatTy(),
          [&](llvm::Value *value) { return convertToBF16(builder, value); });
  }
  if (args.size() == 3 && isFloat && is("fma.rn") && !name.contains("relu") &&
      !name.contains(".sat"))
    return builder.CreateIntrinsic(llvm::Intrinsic::fma, {type}, args);
  if (args.size() == 2 && type->isIntegerTy() &&
      (is("mulhi.") || is("mul24."))) {
    bool isUnsigned = name.ends_with(".ui") || name.ends_with(".ull") ||
                      name.ends_with(".us");
    unsigned width = type->getIntegerBitWidth();
    auto *wide = builder.getIntNTy(2 * width);
    auto extend = [&](llvm::Value *value) {
      if (is("mul24."))
        value = isUnsigned ? builder.CreateAnd(value, 0xffffff)
                           : builder.CreateAShr(builder.CreateShl(value, 8), 8);
      return isUnsigned ? builder.CreateZExt(value, wide)
                        : builder.CreateSExt(value, wide);
    };
    llvm::Value *product = builder.CreateMul(extend(args[0]), extend(args[1]));
    if (is("mulhi."))
      product = builder.CreateLShr(product, width);
    return builder.CreateTrunc(product, type);
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

/// The type that a value has in a handler's operands and results.
static llvm::Type *getHandlerType(llvm::Type *type) {
  llvm::LLVMContext &c = type->getContext();
  if (type->isIntegerTy(1))
    return llvm::Type::getInt32Ty(c);
  if (type->isPointerTy())
    return llvm::Type::getInt64Ty(c);
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    llvm::SmallVector<llvm::Type *> elements;
    for (llvm::Type *element : structure->elements())
      elements.push_back(getHandlerType(element));
    return llvm::StructType::get(c, elements);
  }
  return type;
}

/// Space on the function's stack that all handler calls share: their operands
/// and results live only from just before to just after a call.
static llvm::Value *getHandlerSpace(const RewriteContext &context,
                                    llvm::Function &function,
                                    llvm::StringRef name, uint64_t bytes) {
  llvm::Type *i8 = llvm::Type::getInt8Ty(function.getContext());
  for (llvm::Instruction &instruction : function.getEntryBlock())
    if (auto *alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (alloca->getName().starts_with(name)) {
        uint64_t has = alloca->getAllocationSize(context.options.hostLayout)
                           ->getFixedValue();
        if (has < bytes)
          alloca->setAllocatedType(llvm::ArrayType::get(i8, bytes));
        return alloca;
      }
  llvm::IRBuilder<> builder(&function.getEntryBlock(),
                            function.getEntryBlock().begin());
  llvm::AllocaInst *alloca =
      builder.CreateAlloca(llvm::ArrayType::get(i8, bytes), nullptr, name);
  alloca->setAlignment(llvm::Align(16));
  return alloca;
}

static void callHandler(RewriteContext &context, llvm::CallInst &call,
                        const Handler &handler, uint32_t site) {
  llvm::IRBuilder<> builder(&call);
  llvm::LLVMContext &c = context.getContext();
  const llvm::DataLayout &layout = context.options.hostLayout;
  context.suspends |= handler.suspends;
  context.noteSharedAccess(handler.sharedBytes);

  llvm::Value *operands = llvm::ConstantPointerNull::get(builder.getPtrTy());
  llvm::Value *result = operands;
  if (!call.arg_empty()) {
    llvm::SmallVector<llvm::Type *> types;
    for (llvm::Value *argument : call.args())
      types.push_back(getHandlerType(argument->getType()));
    auto *structure = llvm::StructType::get(c, types);
    operands = getHandlerSpace(context, *call.getFunction(), "handler.operands",
                               layout.getTypeAllocSize(structure));
    for (auto [index, argument] : llvm::enumerate(call.args())) {
      llvm::Value *value = argument;
      if (value->getType()->isIntegerTy(1))
        value = builder.CreateZExt(value, types[index]);
      else if (value->getType()->isPointerTy())
        value = builder.CreatePtrToInt(value, types[index]);
      builder.CreateStore(value,
                          builder.CreateStructGEP(structure, operands, index));
    }
  }
  llvm::Type *type = call.getType();
  llvm::Type *resultType = type->isVoidTy() ? nullptr : getHandlerType(type);
  if (resultType)
    result = getHandlerSpace(context, *call.getFunction(), "handler.result",
                             layout.getTypeAllocSize(resultType));
  context.callHost(builder, reinterpret_cast<void *>(handler.function),
                   builder.getVoidTy(),
                   {operands, result, builder.getInt32(site)});
  if (resultType) {
    llvm::Value *value = builder.CreateLoad(resultType, result);
    if (type->isIntegerTy(1)) {
      value = builder.CreateTrunc(value, type);
    } else if (type != resultType) {
      llvm::Value *narrow = llvm::PoisonValue::get(type);
      for (unsigned i = 0; i < type->getStructNumElements(); ++i) {
        llvm::Value *element = builder.CreateExtractValue(value, i);
        if (type->getStructElementType(i)->isIntegerTy(1))
          element = builder.CreateTrunc(element, builder.getInt1Ty());
        narrow = builder.CreateInsertValue(narrow, element, i);
      }
      value = narrow;
    }
    call.replaceAllUsesWith(value);
  }
  call.eraseFromParent();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static llvm::Error unsupported(const RewriteContext &context,
                               const llvm::Twine &what) {
  return llvm::createStringError(
      llvm::formatv("emulator: kernel '{0}' uses {1}, which the emulator does "
                    "not support",
                    context.compiled.name, what.str()));
}

static llvm::Expected<bool> replaceByScalar(RewriteContext &context,
                                            llvm::CallInst &call,
                                            llvm::StringRef name) {
  llvm::IRBuilder<> builder(&call);
  builder.setFastMathFlags(llvm::isa<llvm::FPMathOperator>(call)
                               ? call.getFastMathFlags()
                               : llvm::FastMathFlags());
  llvm::SmallVector<llvm::Value *> arguments(call.args());
  llvm::Value *value =
      lowerScalarFunction(builder, name, call.getType(), arguments);
  if (!value)
    return false;
  if (value->getType() != call.getType())
    value = builder.CreateBitCast(value, call.getType());
  call.replaceAllUsesWith(value);
  call.eraseFromParent();
  return true;
}

/// Inline PTX: one instruction without memory operands, possibly predicated.
static llvm::Expected<bool> rewriteAsm(RewriteContext &context,
                                       llvm::CallInst &call, uint32_t site) {
  auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  std::string text;
  for (llvm::StringRef word :
       llvm::split(llvm::StringRef(assembly->getAsmString()).trim(), ' '))
    if (!word.trim().empty())
      text += (text.empty() ? "" : " ") + word.trim().str();
  static const llvm::Regex single(
      "^(@\\$([0-9]+) )?([a-z][a-z0-9_.:]*)( [^;{}]*)?;?$");
  llvm::SmallVector<llvm::StringRef, 5> match;
  if (text.empty()) {
    call.eraseFromParent();
    return true;
  }
  if (!single.match(text, &match))
    return unsupported(context, "inline assembly '" + text + "'");
  llvm::StringRef mnemonic = match[3];
  if (match[1].empty()) {
    auto scalar = replaceByScalar(context, call, mnemonic);
    if (!scalar || *scalar)
      return scalar;
  }
  const Handler *handler = findHandler(mnemonic);
  if (!handler)
    return unsupported(context, "inline assembly '" + text + "'");
  if (unsigned predicate;
      !match[2].empty() && !match[2].getAsInteger(10, predicate)) {
    // The operand's number counts results first; predicated forms have none.
    if (!call.getType()->isVoidTy() || predicate >= call.arg_size())
      return unsupported(context, "inline assembly '" + text + "'");
    llvm::IRBuilder<> builder(&call);
    llvm::Value *condition = builder.CreateICmpNE(
        call.getArgOperand(predicate),
        llvm::Constant::getNullValue(call.getArgOperand(predicate)->getType()));
    llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(
        condition, call.getIterator(), /*Unreachable=*/false);
    call.moveBefore(then->getIterator());
  }
  callHandler(context, call, *handler, site);
  return true;
}

static llvm::Expected<bool> rewriteNVVM(RewriteContext &context,
                                        llvm::CallInst &call,
                                        llvm::StringRef name, uint32_t site) {
  llvm::IRBuilder<> builder(&call);
  auto replace = [&](llvm::Value *value) {
    call.replaceAllUsesWith(value);
    call.eraseFromParent();
    return true;
  };
  llvm::StringRef rest = name;
  if (rest.consume_front("read.ptx.sreg.")) {
    if (llvm::Value *value = readSpecialRegister(context, builder, rest))
      return replace(value);
    return unsupported(context, "special register '" + rest + "'");
  }
  if (name == "reflect")
    return replace(llvm::ConstantInt::get(call.getType(), 0));
  if (name == "isspacep.shared") {
    llvm::Value *offset = builder.CreateSub(
        builder.CreatePtrToInt(call.getArgOperand(0), builder.getInt64Ty()),
        builder.getInt64(context.options.sharedBase));
    return replace(
        builder.CreateICmpULT(offset, builder.getInt64(kSharedArenaBytes)));
  }
  auto scalar = replaceByScalar(context, call, name);
  if (!scalar || *scalar)
    return scalar;
  const Handler *handler = findHandler(name);
  if (!handler)
    return unsupported(context, "the intrinsic 'llvm.nvvm." + name + "'");
  callHandler(context, call, *handler, site);
  return true;
}

/// Turns a call that never returns into a failure of the launch.
static bool rewriteTrap(RewriteContext &context, llvm::CallInst &call,
                        uint32_t site) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *null = llvm::ConstantPointerNull::get(builder.getPtrTy());
  context.callHost(builder,
                   reinterpret_cast<void *>(findHandler("trap")->function),
                   builder.getVoidTy(), {null, null, builder.getInt32(site)});
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(llvm::PoisonValue::get(call.getType()));
  call.eraseFromParent();
  return true;
}

llvm::Expected<bool>
mlir::fusion::emulator::rewriteCall(RewriteContext &context,
                                    llvm::CallInst &call, uint32_t site) {
  call.setCallingConv(llvm::CallingConv::C);
  call.removeFnAttr(llvm::Attribute::Memory);
  llvm::Function *callee = call.getCalledFunction();
  if (!call.isInlineAsm() && (!callee || !callee->isDeclaration()))
    return false;
  // What a callee promises does not hold for what replaces it.
  call.setAttributes(llvm::AttributeList());
  if (call.isInlineAsm())
    return rewriteAsm(context, call, site);
  llvm::StringRef name = callee->getName();
  switch (callee->getIntrinsicID()) {
  case llvm::Intrinsic::trap:
  case llvm::Intrinsic::debugtrap:
  case llvm::Intrinsic::ubsantrap:
    return rewriteTrap(context, call, site);
  case llvm::Intrinsic::assume:
    call.eraseFromParent();
    return true;
  case llvm::Intrinsic::not_intrinsic:
    break;
  default:
    if (name.consume_front("llvm.nvvm."))
      return rewriteNVVM(context, call, name, site);
    return false;
  }
  if (name == "abort" || name == "__assertfail")
    return rewriteTrap(context, call, site);
  if (name == "__nvvm_reflect") {
    call.replaceAllUsesWith(llvm::ConstantInt::get(call.getType(), 0));
    call.eraseFromParent();
    return true;
  }
  const RuntimeSymbol *symbol = findMetalSymbol(name);
  if (!symbol)
    return unsupported(context, "the function '" + name + "'");
  context.suspends |= symbol->suspends;
  if (symbol->takesSite && !call.arg_empty())
    call.setArgOperand(call.arg_size() - 1,
                       llvm::ConstantInt::get(
                           llvm::Type::getInt32Ty(context.getContext()), site));
  call.setCalledOperand(context.getPointer(symbol->address));
  return true;
}
