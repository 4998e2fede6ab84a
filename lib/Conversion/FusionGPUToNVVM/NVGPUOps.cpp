//===- NVGPUOps.cpp - nvgpu operations on pointers ------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nvgpu operations that address memory; upstream's patterns, made for
// descriptors, serve the others.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {

/// `nvgpu.device_async_copy` to cp.async.
struct AsyncCopyLowering : ConvertOpToLLVMPattern<nvgpu::DeviceAsyncCopyOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(nvgpu::DeviceAsyncCopyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto sourceType = cast<MemRefType>(op.getSrc().getType());
    auto targetType = cast<MemRefType>(op.getDst().getType());
    Value source =
        getElementPointer(rewriter, loc, *getTypeConverter(), sourceType,
                          adaptor.getSrc(), adaptor.getSrcIndices());
    Value target =
        getElementPointer(rewriter, loc, *getTypeConverter(), targetType,
                          adaptor.getDst(), adaptor.getDstIndices());
    Type memoryType =
        getMemoryType(*getTypeConverter(), sourceType.getElementType());
    if (!source || !target || !memoryType.isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "unsupported type");

    int64_t elementBytes = memoryType.getIntOrFloatBitWidth() / 8;
    int64_t bytes = op.getDstElements().getSExtValue() * elementBytes;
    // The rest of the destination is filled with zeros.
    Value sourceBytes;
    if (adaptor.getSrcElements()) {
      Type i32 = rewriter.getI32Type();
      Value count = adaptor.getSrcElements();
      if (count.getType() != i32)
        count = LLVM::TruncOp::create(rewriter, loc, i32, count);
      sourceBytes = LLVM::MulOp::create(
          rewriter, loc, count,
          LLVM::ConstantOp::create(rewriter, loc, i32,
                                   rewriter.getI32IntegerAttr(elementBytes)));
    }
    auto modifier = op.getBypassL1().value_or(false) && bytes == 16
                        ? NVVM::LoadCacheModifierKind::CG
                        : NVVM::LoadCacheModifierKind::CA;
    NVVM::CpAsyncOp::create(rewriter, loc, target, source, bytes, modifier,
                            sourceBytes);
    // The token only orders operations, which stay in order anyway.
    rewriter.replaceOpWithNewOp<LLVM::ConstantOp>(
        op, rewriter.getI32Type(), rewriter.getI32IntegerAttr(0));
    return success();
  }
};

/// `nvgpu.ldmatrix`: one 32-bit register a tile, an array of vectors in the
/// converted type.
struct LdMatrixLowering : ConvertOpToLLVMPattern<nvgpu::LdMatrixOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(nvgpu::LdMatrixOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getSrcMemref().getType());
    auto resultType = cast<VectorType>(op.getRes().getType());
    Value pointer =
        getElementPointer(rewriter, loc, *getTypeConverter(), type,
                          adaptor.getSrcMemref(), adaptor.getIndices());
    Type converted = getTypeConverter()->convertType(resultType);
    if (!pointer || !converted)
      return rewriter.notifyMatchFailure(op, "unsupported type");

    int64_t tiles = resultType.getDimSize(0);
    Type i32 = rewriter.getI32Type();
    Type loadedType = i32;
    if (tiles > 1)
      loadedType = LLVM::LLVMStructType::getLiteral(
          rewriter.getContext(), SmallVector<Type>(tiles, i32));
    Value loaded = NVVM::LdMatrixOp::create(
        rewriter, loc, loadedType, pointer, op.getNumTiles(),
        op.getTranspose() ? NVVM::MMALayout::col : NVVM::MMALayout::row,
        NVVM::LdStMatrixShapeAttr::get(rewriter.getContext(), 8, 8),
        NVVM::LdStMatrixEltType::B16);
    Type tileType =
        VectorType::get(resultType.getDimSize(1), resultType.getElementType());
    Value result = LLVM::PoisonOp::create(rewriter, loc, converted);
    for (int64_t i = 0; i != tiles; ++i) {
      Value tile = loaded;
      if (tiles > 1)
        tile = LLVM::ExtractValueOp::create(rewriter, loc, loaded, i);
      tile = LLVM::BitcastOp::create(rewriter, loc, tileType, tile);
      result = LLVM::InsertValueOp::create(rewriter, loc, result, tile, i);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

} // namespace

void mlir::fusion::populateNVGPUPatterns(const LLVMTypeConverter &converter,
                                         RewritePatternSet &patterns) {
  constexpr unsigned benefit = 10;
  patterns.add<AsyncCopyLowering, LdMatrixLowering>(converter, benefit);
}
