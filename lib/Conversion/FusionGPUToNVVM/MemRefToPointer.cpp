//===- MemRefToPointer.cpp - Memrefs of kernels as bare pointers ----------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels address memory by element offsets, so a memref needs no descriptor:
// it converts to the pointer to its first element. That keeps the IR small
// (upstream's descriptors cost a dozen operations for each access) and allows
// dynamic sizes as bare arguments.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

std::optional<unsigned> mlir::fusion::getAddressSpace(MemRefType type) {
  Attribute space = type.getMemorySpace();
  if (!space)
    return Global;
  if (auto integer = dyn_cast<IntegerAttr>(space))
    return integer.getInt() ? integer.getInt() : Global;
  if (auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(space)) {
    switch (gpuSpace.getValue()) {
    case gpu::AddressSpace::Global:
      return Global;
    case gpu::AddressSpace::Workgroup:
      return Shared;
    default:
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// Whether the strides of `type` are all in the type; its offset, static or
/// not, is part of the pointer.
static bool hasStaticStrides(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         llvm::none_of(strides, ShapedType::isDynamic);
}

KernelTypeConverter::KernelTypeConverter(MLIRContext *context,
                                         const LowerToLLVMOptions &options)
    : LLVMTypeConverter(context, options) {
  addConversion([](MemRefType type) -> std::optional<Type> {
    std::optional<unsigned> space = getAddressSpace(type);
    if (!space || !hasStaticStrides(type))
      return Type();
    return LLVM::LLVMPointerType::get(type.getContext(), *space);
  });
  addConversion([](nvgpu::DeviceAsyncTokenType type) -> std::optional<Type> {
    return IntegerType::get(type.getContext(), 32);
  });
  // The base class would build descriptors.
  addSourceMaterialization([](OpBuilder &builder, MemRefType type,
                              ValueRange inputs, Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  });
}

Type mlir::fusion::getMemoryType(const TypeConverter &converter,
                                 Type elementType) {
  if (elementType.isInteger(1))
    return IntegerType::get(elementType.getContext(), 8);
  if (elementType.isIndex())
    return IntegerType::get(elementType.getContext(), 64);
  return converter.convertType(elementType);
}

Value mlir::fusion::getElementPointer(OpBuilder &builder, Location loc,
                                      const TypeConverter &converter,
                                      MemRefType type, Value pointer,
                                      ValueRange indices) {
  SmallVector<int64_t> strides;
  int64_t offset;
  Type memoryType = getMemoryType(converter, type.getElementType());
  if (!memoryType || failed(type.getStridesAndOffset(strides, offset)) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return {};
  Value linear;
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    Value term = index;
    if (stride != 1) {
      Value factor = LLVM::ConstantOp::create(
          builder, loc, index.getType(),
          builder.getIntegerAttr(index.getType(), stride));
      term = LLVM::MulOp::create(builder, loc, index, factor,
                                 LLVM::IntegerOverflowFlags::nsw);
    }
    linear = linear ? LLVM::AddOp::create(builder, loc, linear, term,
                                          LLVM::IntegerOverflowFlags::nsw)
                    : term;
  }
  if (!linear)
    return pointer;
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), memoryType,
                             pointer, ArrayRef<LLVM::GEPArg>{linear},
                             LLVM::GEPNoWrapFlags::inbounds);
}

//===----------------------------------------------------------------------===//
// Values in memory and in registers
//===----------------------------------------------------------------------===//

/// Returns `like` with its element type replaced: `type` itself for a scalar.
static Type withElementType(Type like, Type type) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(type);
  return type;
}

/// Converts `value`, as it is loaded, to `registerType`; `elementType` is the
/// memref's.
static Value fromMemory(OpBuilder &builder, Location loc, Value value,
                        Type elementType, Type registerType) {
  if (value.getType() == registerType)
    return value;
  if (elementType.isInteger(1)) {
    Value zero = LLVM::ZeroOp::create(builder, loc, value.getType());
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, value,
                                zero);
  }
  return LLVM::TruncOp::create(builder, loc, registerType, value);
}

/// Converts `value` to the type that it has in memory.
static Value toMemory(OpBuilder &builder, Location loc, Value value,
                      Type elementType, Type memoryType) {
  if (value.getType() == memoryType)
    return value;
  if (elementType.isInteger(1))
    return LLVM::ZExtOp::create(builder, loc, memoryType, value);
  return LLVM::SExtOp::create(builder, loc, memoryType, value);
}

/// Returns the alignment in bytes that an access of `op` to elements of
/// `elementType`, which are `memoryType` in memory, may count on.
template <typename OpTy>
static unsigned getAccessAlignment(OpTy op, Type elementType, Type memoryType) {
  if (auto complex = dyn_cast<ComplexType>(elementType))
    memoryType = complex.getElementType();
  unsigned natural = std::max(1u, memoryType.getIntOrFloatBitWidth() / 8);
  return std::max<unsigned>(natural, op.getAlignment().value_or(1));
}

std::optional<LLVM::AtomicBinOp>
mlir::fusion::getAtomicOperation(arith::AtomicRMWKind kind) {
  switch (kind) {
  case arith::AtomicRMWKind::addf:
    return LLVM::AtomicBinOp::fadd;
  case arith::AtomicRMWKind::addi:
    return LLVM::AtomicBinOp::add;
  case arith::AtomicRMWKind::assign:
    return LLVM::AtomicBinOp::xchg;
  case arith::AtomicRMWKind::maximumf:
    return LLVM::AtomicBinOp::fmaximum;
  case arith::AtomicRMWKind::maxnumf:
    return LLVM::AtomicBinOp::fmax;
  case arith::AtomicRMWKind::minimumf:
    return LLVM::AtomicBinOp::fminimum;
  case arith::AtomicRMWKind::minnumf:
    return LLVM::AtomicBinOp::fmin;
  case arith::AtomicRMWKind::maxs:
    return LLVM::AtomicBinOp::max;
  case arith::AtomicRMWKind::maxu:
    return LLVM::AtomicBinOp::umax;
  case arith::AtomicRMWKind::mins:
    return LLVM::AtomicBinOp::min;
  case arith::AtomicRMWKind::minu:
    return LLVM::AtomicBinOp::umin;
  case arith::AtomicRMWKind::andi:
    return LLVM::AtomicBinOp::_and;
  case arith::AtomicRMWKind::ori:
    return LLVM::AtomicBinOp::_or;
  case arith::AtomicRMWKind::xori:
    return LLVM::AtomicBinOp::_xor;
  default:
    return std::nullopt;
  }
}

namespace {

//===----------------------------------------------------------------------===//
// Loads and stores, scalar and vector
//===----------------------------------------------------------------------===//

/// `memref.load` or `vector.load`.
template <typename OpTy>
struct LoadLowering : ConvertOpToLLVMPattern<OpTy> {
  using ConvertOpToLLVMPattern<OpTy>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MemRefType type = op.getMemRefType();
    const LLVMTypeConverter &converter = *this->getTypeConverter();
    Value base;
    if constexpr (std::is_same_v<OpTy, vector::LoadOp>)
      base = adaptor.getBase();
    else
      base = adaptor.getMemref();
    Value pointer = getElementPointer(rewriter, op.getLoc(), converter, type,
                                      base, adaptor.getIndices());
    Type registerType = converter.convertType(op.getResult().getType());
    if (!pointer || !registerType)
      return rewriter.notifyMatchFailure(op, "unsupported type");
    Type memoryElement = getMemoryType(converter, type.getElementType());
    Value loaded = LLVM::LoadOp::create(
        rewriter, op.getLoc(), withElementType(registerType, memoryElement),
        pointer, getAccessAlignment(op, type.getElementType(), memoryElement),
        /*isVolatile=*/false, op.getNontemporal());
    rewriter.replaceOp(op, fromMemory(rewriter, op.getLoc(), loaded,
                                      type.getElementType(), registerType));
    return success();
  }
};

/// `memref.store` or `vector.store`.
template <typename OpTy>
struct StoreLowering : ConvertOpToLLVMPattern<OpTy> {
  using ConvertOpToLLVMPattern<OpTy>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MemRefType type = op.getMemRefType();
    const LLVMTypeConverter &converter = *this->getTypeConverter();
    Value base, value;
    if constexpr (std::is_same_v<OpTy, vector::StoreOp>) {
      base = adaptor.getBase();
      value = adaptor.getValueToStore();
    } else {
      base = adaptor.getMemref();
      value = adaptor.getValue();
    }
    Value pointer = getElementPointer(rewriter, op.getLoc(), converter, type,
                                      base, adaptor.getIndices());
    if (!pointer)
      return rewriter.notifyMatchFailure(op, "unsupported type");
    Type memoryElement = getMemoryType(converter, type.getElementType());
    Value stored = toMemory(rewriter, op.getLoc(), value, type.getElementType(),
                            withElementType(value.getType(), memoryElement));
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(
        op, stored, pointer,
        getAccessAlignment(op, type.getElementType(), memoryElement),
        /*isVolatile=*/false, op.getNontemporal());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

/// Atomics are relaxed and of device scope: kernels order them with barriers
/// or kernel boundaries.
struct AtomicRMWLowering : ConvertOpToLLVMPattern<memref::AtomicRMWOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(memref::AtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<LLVM::AtomicBinOp> kind = getAtomicOperation(op.getKind());
    MemRefType type = op.getMemRefType();
    Type elementType = type.getElementType();
    if (!kind || elementType.isInteger(1))
      return rewriter.notifyMatchFailure(op, "no such atomic");
    Location loc = op.getLoc();
    Value pointer =
        getElementPointer(rewriter, loc, *getTypeConverter(), type,
                          adaptor.getMemref(), adaptor.getIndices());
    if (!pointer)
      return rewriter.notifyMatchFailure(op, "unsupported type");
    Value value = toMemory(rewriter, loc, adaptor.getValue(), elementType,
                           getMemoryType(*getTypeConverter(), elementType));
    Value old =
        LLVM::AtomicRMWOp::create(rewriter, loc, *kind, pointer, value,
                                  LLVM::AtomicOrdering::monotonic, "device");
    rewriter.replaceOp(op, fromMemory(rewriter, loc, old, elementType,
                                      adaptor.getValue().getType()));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

struct ViewLowering : ConvertOpToLLVMPattern<memref::ViewOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(memref::ViewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!getTypeConverter()->convertType(op.getType()))
      return rewriter.notifyMatchFailure(op, "unsupported type");
    Value source = adaptor.getSource();
    rewriter.replaceOpWithNewOp<LLVM::GEPOp>(
        op, source.getType(), rewriter.getI8Type(), source,
        ArrayRef<LLVM::GEPArg>{adaptor.getByteShift()},
        LLVM::GEPNoWrapFlags::inbounds);
    return success();
  }
};

/// Casts that change what is known of a memref's sizes, not where it is.
template <typename OpTy>
struct NoOpLowering : ConvertOpToLLVMPattern<OpTy> {
  using ConvertOpToLLVMPattern<OpTy>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type =
        this->getTypeConverter()->convertType(op->getResult(0).getType());
    Value source = adaptor.getOperands().front();
    if (type != source.getType())
      return rewriter.notifyMatchFailure(op, "unsupported type");
    rewriter.replaceOp(op, source);
    return success();
  }
};

struct ReinterpretCastLowering
    : ConvertOpToLLVMPattern<memref::ReinterpretCastOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(memref::ReinterpretCastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const LLVMTypeConverter &converter = *getTypeConverter();
    auto sourceType = dyn_cast<MemRefType>(op.getSource().getType());
    Type type = converter.convertType(op.getType());
    if (!sourceType || !type)
      return rewriter.notifyMatchFailure(op, "unsupported type");
    // The new offset replaces the source's, which is part of the pointer.
    int64_t sourceOffset;
    SmallVector<int64_t> strides;
    if (failed(sourceType.getStridesAndOffset(strides, sourceOffset)) ||
        sourceOffset != 0)
      return rewriter.notifyMatchFailure(op, "source has an offset");
    Value pointer = adaptor.getSource();
    OpFoldResult offset = op.getMixedOffsets().front();
    if (!isZeroInteger(offset)) {
      Value index;
      if (std::optional<int64_t> constant = getConstantIntValue(offset))
        index = LLVM::ConstantOp::create(rewriter, op.getLoc(),
                                         rewriter.getI64IntegerAttr(*constant));
      else
        index = adaptor.getOffsets().front();
      pointer = LLVM::GEPOp::create(
          rewriter, op.getLoc(), pointer.getType(),
          getMemoryType(converter, sourceType.getElementType()), pointer,
          ArrayRef<LLVM::GEPArg>{index}, LLVM::GEPNoWrapFlags::inbounds);
    }
    rewriter.replaceOp(op, pointer);
    return success();
  }
};

struct ExtractPointerLowering
    : ConvertOpToLLVMPattern<memref::ExtractAlignedPointerAsIndexOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(memref::ExtractAlignedPointerAsIndexOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<LLVM::LLVMPointerType>(adaptor.getSource().getType()))
      return rewriter.notifyMatchFailure(op, "unsupported type");
    rewriter.replaceOpWithNewOp<LLVM::PtrToIntOp>(
        op, getTypeConverter()->getIndexType(), adaptor.getSource());
    return success();
  }
};

} // namespace

void mlir::fusion::populateMemRefToPointerPatterns(
    const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  // Vector loads and stores have upstream patterns, for descriptors.
  constexpr unsigned benefit = 10;
  patterns.add<LoadLowering<memref::LoadOp>, LoadLowering<vector::LoadOp>,
               StoreLowering<memref::StoreOp>, StoreLowering<vector::StoreOp>,
               AtomicRMWLowering, ViewLowering, NoOpLowering<memref::CastOp>,
               NoOpLowering<memref::AssumeAlignmentOp>,
               NoOpLowering<memref::MemorySpaceCastOp>, ReinterpretCastLowering,
               ExtractPointerLowering>(converter, benefit);
}
