//===- KernelOps.cpp - The gpu dialect in NVVM ----------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Attributes of a kernel that mean the same on the `llvm.func`.
constexpr StringLiteral keptAttributes[] = {"nvvm.minctasm", "nvvm.maxnreg",
                                            "nvvm.cluster_dim",
                                            "nvvm.cluster_max_blocks"};

/// The least alignment of shared memory: what 16-byte accesses, ldmatrix and
/// cp.async ask for.
constexpr uint64_t sharedAlignment = 16;

/// `gpu.func` to `llvm.func`: memrefs become pointers, workgroup attributions
/// module-level globals in shared memory.
struct FuncLowering : ConvertOpToLLVMPattern<gpu::GPUFuncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(gpu::GPUFuncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Block &entry = op.front();
    TypeConverter::SignatureConversion signature(entry.getNumArguments());
    SmallVector<Type> argumentTypes;
    for (auto [i, type] : llvm::enumerate(op.getArgumentTypes())) {
      Type converted = getTypeConverter()->convertType(type);
      if (!converted)
        return rewriter.notifyMatchFailure(op, "unsupported argument");
      signature.addInputs(i, converted);
      argumentTypes.push_back(converted);
    }
    rewriter.setInsertionPointToStart(&entry);
    unsigned first = op.getNumArguments();
    for (auto [i, attribution] :
         llvm::enumerate(op.getWorkgroupAttributions())) {
      Value address = createSharedMemory(op, i, attribution, rewriter);
      signature.remapInput(first + i, address);
    }

    rewriter.setInsertionPoint(op);
    auto function = LLVM::LLVMFuncOp::create(
        rewriter, loc, op.getName(),
        LLVM::LLVMFunctionType::get(
            LLVM::LLVMVoidType::get(rewriter.getContext()), argumentTypes));
    copyAttributes(op, function, *getTypeConverter(), rewriter);
    rewriter.inlineRegionBefore(op.getBody(), function.getBody(),
                                function.end());
    if (failed(rewriter.convertRegionTypes(&function.getBody(),
                                           *getTypeConverter(), &signature)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Creates the global behind the `index`-th workgroup attribution of `op`
  /// and returns its address. The global's name contains the kernel's, so that
  /// modules can be joined.
  Value createSharedMemory(gpu::GPUFuncOp op, unsigned index,
                           BlockArgument attribution,
                           ConversionPatternRewriter &rewriter) const {
    auto type = cast<MemRefType>(attribution.getType());
    Type memoryType = getMemoryType(*getTypeConverter(), type.getElementType());
    uint64_t alignment = sharedAlignment;
    if (auto given = op.getWorkgroupAttributionAttr(
            index, LLVM::LLVMDialect::getAlignAttrName()))
      if (auto integer = dyn_cast<IntegerAttr>(given))
        alignment = std::max<uint64_t>(alignment, integer.getInt());
    std::string name = (op.getName() + "_shared" + Twine(index)).str();
    OpBuilder::InsertionGuard guard(rewriter);
    Value address;
    auto arrayType =
        LLVM::LLVMArrayType::get(memoryType, type.getNumElements());
    address = LLVM::AddressOfOp::create(
        rewriter, op.getLoc(),
        LLVM::LLVMPointerType::get(rewriter.getContext(), Shared), name);
    rewriter.setInsertionPoint(op);
    LLVM::GlobalOp::create(rewriter, op.getLoc(), arrayType,
                           /*isConstant=*/false, LLVM::Linkage::Internal, name,
                           Attribute(), alignment, Shared);
    return address;
  }

  /// Whether the kernel works on tiles: multiplies them on the matrix unit, or
  /// keeps them in shared memory (more than what reductions need).
  static bool holdsTiles(gpu::GPUFuncOp op, const TypeConverter &converter) {
    int64_t sharedBits = 0;
    for (BlockArgument attribution : op.getWorkgroupAttributions()) {
      auto type = cast<MemRefType>(attribution.getType());
      Type memoryType = getMemoryType(converter, type.getElementType());
      if (memoryType && memoryType.isIntOrFloat())
        sharedBits +=
            type.getNumElements() * memoryType.getIntOrFloatBitWidth();
    }
    if (sharedBits >= 4096 * 8)
      return true;
    return op
        .walk([](Operation *nested) {
          return isa<NVVM::MmaOp, NVVM::WgmmaMmaAsyncOp, nvgpu::MmaSyncOp>(
                     nested)
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }

  static void copyAttributes(gpu::GPUFuncOp op, LLVM::LLVMFuncOp function,
                             const TypeConverter &converter,
                             ConversionPatternRewriter &rewriter) {
    if (op.isKernel())
      function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                        rewriter.getUnitAttr());
    // The size is exact, which is more than .maxntid promises; PTX allows one
    // of the two.
    if (DenseI32ArrayAttr size = op.getKnownBlockSizeAttr())
      function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), size);
    if (DenseI32ArrayAttr size = op.getKnownClusterSizeAttr())
      function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(), size);
    for (StringRef name : keptAttributes)
      if (Attribute attribute = op->getAttr(name))
        function->setAttr(name, attribute);
    // Left alone, ptxas may spill a few registers to fit another block on a
    // multiprocessor, by which kernels that work on tiles only lose.
    if (op.getKnownBlockSizeAttr() && holdsTiles(op, converter) &&
        !function->hasAttr(NVVM::NVVMDialect::getMinctasmAttrName()) &&
        !function->hasAttr(NVVM::NVVMDialect::getMaxnregAttrName()))
      function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                        rewriter.getI32IntegerAttr(1));
    for (unsigned i = 0, e = op.getNumArguments(); i != e; ++i)
      for (NamedAttribute attribute :
           cast<FunctionOpInterface>(op.getOperation()).getArgAttrs(i))
        if (isa_and_present<LLVM::LLVMDialect, NVVM::NVVMDialect>(
                attribute.getNameDialect()))
          function.setArgAttr(i, attribute.getName(), attribute.getValue());
  }
};

struct ReturnLowering : ConvertOpToLLVMPattern<gpu::ReturnOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(gpu::ReturnOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, adaptor.getOperands());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Ids
//===----------------------------------------------------------------------===//

/// Converts the unsigned 32-bit `value` to the index type.
Value toIndex(OpBuilder &builder, Location loc, Value value, Type indexType) {
  if (value.getType() == indexType)
    return value;
  return LLVM::ZExtOp::create(builder, loc, indexType, value,
                              /*nonNeg=*/true);
}

/// Ids and sizes, of which NVVM has one operation a dimension.
template <typename OpTy, typename X, typename Y, typename Z>
struct IdLowering : ConvertOpToLLVMPattern<OpTy> {
  using ConvertOpToLLVMPattern<OpTy>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type i32 = rewriter.getI32Type();
    Value id;
    switch (op.getDimension()) {
    case gpu::Dimension::x:
      id = X::create(rewriter, loc, i32);
      break;
    case gpu::Dimension::y:
      id = Y::create(rewriter, loc, i32);
      break;
    case gpu::Dimension::z:
      id = Z::create(rewriter, loc, i32);
      break;
    }
    rewriter.replaceOp(op, toIndex(rewriter, loc, id,
                                   this->getTypeConverter()->getIndexType()));
    return success();
  }
};

struct LaneIdLowering : ConvertOpToLLVMPattern<gpu::LaneIdOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(gpu::LaneIdOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto range = LLVM::ConstantRangeAttr::get(rewriter.getContext(), 32, 0, 32);
    Value id = NVVM::LaneIdOp::create(rewriter, op.getLoc(),
                                      rewriter.getI32Type(), range);
    rewriter.replaceOp(op, toIndex(rewriter, op.getLoc(), id,
                                   getTypeConverter()->getIndexType()));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Synchronisation and shuffles
//===----------------------------------------------------------------------===//

struct BarrierLowering : ConvertOpToLLVMPattern<gpu::BarrierOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(gpu::BarrierOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    NVVM::BarrierOp::create(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};

/// `gpu.shuffle` of any value of at most 64 bits: registers of 32 bits travel.
struct ShuffleLowering : ConvertOpToLLVMPattern<gpu::ShuffleOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(gpu::ShuffleOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = adaptor.getValue().getType();
    unsigned bits = 0;
    if (auto vector = dyn_cast<VectorType>(type))
      bits = vector.getNumElements() * vector.getElementTypeBitWidth();
    else if (type.isIntOrFloat())
      bits = type.getIntOrFloatBitWidth();
    if (bits == 0 || bits > 64 || (bits > 32 && bits < 64))
      return rewriter.notifyMatchFailure(op, "value does not fit registers");

    Shuffle shuffle(op, adaptor, rewriter);
    Type i32 = rewriter.getI32Type();
    if (type.isF32() || type.isInteger(32)) {
      auto [result, valid] = shuffle.exchange(adaptor.getValue());
      rewriter.replaceOp(op, {result, valid});
      return success();
    }
    if (bits == 64) {
      Type pair = VectorType::get(2, i32);
      Value halves =
          LLVM::BitcastOp::create(rewriter, loc, pair, adaptor.getValue());
      Value result = LLVM::PoisonOp::create(rewriter, loc, pair), valid;
      for (int64_t i = 0; i != 2; ++i) {
        Value position = LLVM::ConstantOp::create(
            rewriter, loc, i32, rewriter.getI32IntegerAttr(i));
        Value half =
            LLVM::ExtractElementOp::create(rewriter, loc, halves, position);
        std::tie(half, valid) = shuffle.exchange(half);
        result = LLVM::InsertElementOp::create(rewriter, loc, result, half,
                                               position);
      }
      rewriter.replaceOp(
          op, {LLVM::BitcastOp::create(rewriter, loc, type, result), valid});
      return success();
    }
    Type integer = rewriter.getIntegerType(bits);
    Value value = adaptor.getValue();
    if (type != integer)
      value = LLVM::BitcastOp::create(rewriter, loc, integer, value);
    if (bits < 32)
      value = LLVM::ZExtOp::create(rewriter, loc, i32, value);
    auto [result, valid] = shuffle.exchange(value);
    if (bits < 32)
      result = LLVM::TruncOp::create(rewriter, loc, integer, result);
    if (type != integer)
      result = LLVM::BitcastOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, {result, valid});
    return success();
  }

private:
  /// The operands that the shuffles of one `gpu.shuffle` share.
  struct Shuffle {
    Shuffle(gpu::ShuffleOp op, OpAdaptor adaptor, OpBuilder &builder)
        : builder(builder), loc(op.getLoc()), offset(adaptor.getOffset()),
          needsValid(!op.getValid().use_empty()) {
      Type i32 = builder.getI32Type();
      auto constant = [&](int32_t value) -> Value {
        return LLVM::ConstantOp::create(builder, loc, i32,
                                        builder.getI32IntegerAttr(value));
      };
      // The first `width` lanes take part. The clamp is the last lane to read
      // from; a shuffle up reads from lower lanes and counts from the other
      // end.
      Value width = adaptor.getWidth();
      Value idle = LLVM::SubOp::create(builder, loc, constant(32), width);
      mask = LLVM::LShrOp::create(builder, loc, constant(-1), idle);
      bool up = op.getMode() == gpu::ShuffleMode::UP;
      clamp = up ? idle
                 : LLVM::SubOp::create(builder, loc, width, constant(1))
                       .getResult();
      switch (op.getMode()) {
      case gpu::ShuffleMode::XOR:
        kind = NVVM::ShflKind::bfly;
        break;
      case gpu::ShuffleMode::UP:
        kind = NVVM::ShflKind::up;
        break;
      case gpu::ShuffleMode::DOWN:
        kind = NVVM::ShflKind::down;
        break;
      case gpu::ShuffleMode::IDX:
        kind = NVVM::ShflKind::idx;
        break;
      }
    }

    /// Shuffles `value`, an i32 or f32; returns the result and whether its
    /// source lane is valid (true without asking where nobody asks).
    std::pair<Value, Value> exchange(Value value) {
      Type i1 = builder.getI1Type();
      if (!needsValid) {
        Value result =
            NVVM::ShflOp::create(builder, loc, value.getType(), mask, value,
                                 offset, clamp, kind, UnitAttr());
        return {result, LLVM::ConstantOp::create(builder, loc, i1,
                                                 builder.getBoolAttr(true))};
      }
      Type pair = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                   {value.getType(), i1});
      Value both = NVVM::ShflOp::create(builder, loc, pair, mask, value, offset,
                                        clamp, kind, builder.getUnitAttr());
      return {LLVM::ExtractValueOp::create(builder, loc, both, 0),
              LLVM::ExtractValueOp::create(builder, loc, both, 1)};
    }

    OpBuilder &builder;
    Location loc;
    Value offset, mask, clamp;
    NVVM::ShflKind kind = NVVM::ShflKind::bfly;
    bool needsValid;
  };
};

} // namespace

void mlir::fusion::populateKernelOpPatterns(const LLVMTypeConverter &converter,
                                            RewritePatternSet &patterns) {
  patterns.add<FuncLowering, ReturnLowering, LaneIdLowering, BarrierLowering,
               ShuffleLowering,
               IdLowering<gpu::ThreadIdOp, NVVM::ThreadIdXOp, NVVM::ThreadIdYOp,
                          NVVM::ThreadIdZOp>,
               IdLowering<gpu::BlockIdOp, NVVM::BlockIdXOp, NVVM::BlockIdYOp,
                          NVVM::BlockIdZOp>,
               IdLowering<gpu::BlockDimOp, NVVM::BlockDimXOp, NVVM::BlockDimYOp,
                          NVVM::BlockDimZOp>,
               IdLowering<gpu::GridDimOp, NVVM::GridDimXOp, NVVM::GridDimYOp,
                          NVVM::GridDimZOp>>(converter);
}
