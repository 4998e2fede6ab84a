//===- ExpandComplex.cpp - Complex numbers as pairs of floats -------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels hold complex numbers in memory as C does, the real part first. So a
// memref of complex numbers becomes one of floats, twice as long, and a complex
// value two floats.
//
//===----------------------------------------------------------------------===//

#include "SplitPoison.h"
#include "fusion/Conversion/LegalizeForMSL.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::fusion;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The memref of floats that holds what `type` holds; null where `type` is no
/// memref of complex numbers.
static MemRefType getFloatMemRef(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  auto complex =
      memref ? dyn_cast<ComplexType>(memref.getElementType()) : ComplexType();
  if (!complex || memref.getRank() != 1 || !memref.getLayout().isIdentity())
    return MemRefType();
  int64_t size = memref.getDimSize(0);
  return MemRefType::get({ShapedType::isDynamic(size) ? size : 2 * size},
                         complex.getElementType(), MemRefLayoutAttrInterface(),
                         memref.getMemorySpace());
}

/// The indices of the two floats of the complex number at `index`.
static std::pair<Value, Value> getFloatIndices(OpBuilder &builder, Location loc,
                                               Value index) {
  Value two = arith::ConstantIndexOp::create(builder, loc, 2);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value real = arith::MulIOp::create(builder, loc, index, two);
  return {real, arith::AddIOp::create(builder, loc, real, one)};
}

static void expandLoad(memref::LoadOp op, Type complexType) {
  OpBuilder builder(op);
  auto [first, second] =
      getFloatIndices(builder, op.getLoc(), op.getIndices().front());
  Value real =
      memref::LoadOp::create(builder, op.getLoc(), op.getMemref(), first);
  Value imaginary =
      memref::LoadOp::create(builder, op.getLoc(), op.getMemref(), second);
  Value value = complex::CreateOp::create(builder, op.getLoc(), complexType,
                                          real, imaginary);
  op.replaceAllUsesWith(value);
  op.erase();
}

static void expandStore(memref::StoreOp op) {
  OpBuilder builder(op);
  auto [first, second] =
      getFloatIndices(builder, op.getLoc(), op.getIndices().front());
  Value real = complex::ReOp::create(builder, op.getLoc(), op.getValue());
  Value imaginary = complex::ImOp::create(builder, op.getLoc(), op.getValue());
  memref::StoreOp::create(builder, op.getLoc(), real, op.getMemref(), first);
  memref::StoreOp::create(builder, op.getLoc(), imaginary, op.getMemref(),
                          second);
  op.erase();
}

/// Retypes memrefs and splits the accesses.
static LogicalResult expandMemory(gpu::GPUFuncOp kernel) {
  SmallVector<Operation *> accesses;
  WalkResult found = kernel.walk([&](Operation *op) {
    bool usesComplex = llvm::any_of(op->getOperandTypes(), getFloatMemRef);
    if (!usesComplex)
      return WalkResult::advance();
    if (!isa<memref::LoadOp, memref::StoreOp, memref::AssumeAlignmentOp>(op)) {
      op->emitOpError("has no meaning on complex numbers in memory");
      return WalkResult::interrupt();
    }
    accesses.push_back(op);
    return WalkResult::advance();
  });
  if (found.wasInterrupted())
    return failure();

  auto retype = [](Value value) {
    if (MemRefType type = getFloatMemRef(value.getType()))
      value.setType(type);
  };
  llvm::for_each(kernel.getBody().front().getArguments(), retype);
  FunctionType type = kernel.getFunctionType();
  // The block's arguments go on with the shared arrays.
  SmallVector<Type> types(kernel.getBody().front().getArgumentTypes());
  types.truncate(type.getNumInputs());
  kernel.setFunctionType(
      FunctionType::get(kernel.getContext(), types, type.getResults()));
  kernel.walk([&](Operation *op) { llvm::for_each(op->getResults(), retype); });
  for (Operation *op : accesses) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      expandLoad(load, load.getType());
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      expandStore(store);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {

struct ExpandCreate : OpConversionPattern<complex::CreateOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(complex::CreateOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts{adaptor.getReal().front(),
                             adaptor.getImaginary().front()};
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

/// complex.re and complex.im.
template <typename OpTy, unsigned part>
struct ExpandPart : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;
  using OneToNOpAdaptor = typename OpConversionPattern<OpTy>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getComplex()[part]);
    return success();
  }
};

struct ExpandConstant : OpConversionPattern<complex::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(complex::ConstantOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (Attribute part : op.getValue())
      parts.push_back(arith::ConstantOp::create(rewriter, op.getLoc(),
                                                cast<TypedAttr>(part)));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct ExpandSelect : OpConversionPattern<arith::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::SelectOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> parts;
    for (auto [yes, no] :
         llvm::zip_equal(adaptor.getTrueValue(), adaptor.getFalseValue()))
      parts.push_back(arith::SelectOp::create(
          rewriter, op.getLoc(), adaptor.getCondition().front(), yes, no));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

} // namespace

/// Expresses functions of complex numbers by arithmetic on their parts.
static LogicalResult expandFunctions(Operation *root) {
  MLIRContext *context = root->getContext();
  ConversionTarget target(*context);
  target.addIllegalDialect<complex::ComplexDialect>();
  target.addLegalOp<complex::ConstantOp, complex::CreateOp, complex::ReOp,
                    complex::ImOp>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  RewritePatternSet patterns(context);
  populateComplexToStandardConversionPatterns(
      patterns, complex::ComplexRangeFlags::improved);
  return applyPartialConversion(root, target, std::move(patterns));
}

/// Makes a pair of every complex value.
static LogicalResult expandValues(Operation *root) {
  MLIRContext *context = root->getContext();
  TypeConverter converter;
  converter.addConversion([](Type type) { return type; });
  converter.addConversion(
      [](ComplexType type,
         SmallVectorImpl<Type> &results) -> std::optional<LogicalResult> {
        results.append(2, type.getElementType());
        return success();
      });
  ConversionTarget target(*context);
  target.markUnknownOpDynamicallyLegal(
      [&](Operation *op) { return converter.isLegal(op); });
  RewritePatternSet patterns(context);
  patterns.add<ExpandCreate, ExpandPart<complex::ReOp, 0>,
               ExpandPart<complex::ImOp, 1>, ExpandConstant, ExpandSelect,
               SplitPoison>(converter, context);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  ConversionConfig config;
  config.allowPatternRollback = false;
  return applyPartialConversion(root, target, std::move(patterns), config);
}

LogicalResult fusion::expandComplexForMSL(gpu::GPUModuleOp module) {
  auto holdsComplex = [](Type type) {
    return isa<ComplexType>(getElementTypeOrSelf(type));
  };
  for (auto kernel : module.getOps<gpu::GPUFuncOp>()) {
    bool isComplex =
        llvm::any_of(kernel.getArgumentTypes(), holdsComplex) ||
        kernel
            .walk([&](Operation *op) {
              return llvm::any_of(op->getResultTypes(), holdsComplex)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted();
    if (!isComplex)
      continue;
    if (failed(expandMemory(kernel)) || failed(expandFunctions(kernel)) ||
        failed(expandValues(kernel)))
      return failure();
  }
  return success();
}
