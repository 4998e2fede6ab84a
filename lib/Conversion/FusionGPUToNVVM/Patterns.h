//===- Patterns.h - Pieces of the conversion to NVVM ------------*- C++ -*-===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_CONVERSION_FUSIONGPUTONVVM_PATTERNS_H
#define FUSION_LIB_CONVERSION_FUSIONGPUTONVVM_PATTERNS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir {
class RewritePatternSet;

namespace gpu {
class GPUFuncOp;
} // namespace gpu
} // namespace mlir

namespace mlir::fusion {

/// NVPTX's address spaces.
enum AddressSpace : unsigned { Global = 1, Shared = 3 };

/// Converts the types of kernels: a memref is a pointer to its first element
/// and nothing else, since kernels use no sizes or strides that are not in the
/// type.
class KernelTypeConverter : public LLVMTypeConverter {
public:
  KernelTypeConverter(MLIRContext *context, const LowerToLLVMOptions &options);
};

/// Returns the address space of pointers to `type`, or nothing if kernels can
/// not address such memory.
std::optional<unsigned> getAddressSpace(MemRefType type);

/// Returns the type of an element of a memref in memory: a byte for i1, eight
/// bytes for index; null if `converter` does not know the type.
Type getMemoryType(const TypeConverter &converter, Type elementType);

/// Returns the pointer to the element of `memref` at `indices`, whose converted
/// values are `pointer` and `indices`; null if its layout has strides that are
/// not in the type.
Value getElementPointer(OpBuilder &builder, Location loc,
                        const TypeConverter &converter, MemRefType type,
                        Value pointer, ValueRange indices);

/// Returns LLVM's atomic operation for `kind`, if there is one.
std::optional<LLVM::AtomicBinOp> getAtomicOperation(arith::AtomicRMWKind kind);

/// Reports what `kernel` contains that there is no conversion for.
LogicalResult checkKernel(gpu::GPUFuncOp kernel,
                          const LLVMTypeConverter &converter);

/// Loads, stores, atomics and views of memrefs, and vector loads and stores.
void populateMemRefToPointerPatterns(const LLVMTypeConverter &converter,
                                     RewritePatternSet &patterns);

/// The kernel's function, ids, barriers and shuffles.
void populateKernelOpPatterns(const LLVMTypeConverter &converter,
                              RewritePatternSet &patterns);

/// Asynchronous copies and matrix loads of nvgpu.
void populateNVGPUPatterns(const LLVMTypeConverter &converter,
                           RewritePatternSet &patterns);

/// Approximations that the hardware has and that no llvm operation names.
void populateNativeMathPatterns(const LLVMTypeConverter &converter,
                                RewritePatternSet &patterns);

} // namespace mlir::fusion

#endif // FUSION_LIB_CONVERSION_FUSIONGPUTONVVM_PATTERNS_H
