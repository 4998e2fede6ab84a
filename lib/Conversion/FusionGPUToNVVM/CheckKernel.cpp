//===- CheckKernel.cpp - What kernels may contain -------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports, at the operation and with the reason, what the conversion would
// only fail to legalise, and what upstream's patterns would stumble over.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fusion;

/// Whether the conversion has a pattern of its own for `op`, which uses a
/// memref. Upstream's patterns would take the pointer for a descriptor.
static bool convertsMemRefsOf(Operation *op) {
  return isa<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp,
             memref::ViewOp, memref::CastOp, memref::AssumeAlignmentOp,
             memref::MemorySpaceCastOp, memref::ReinterpretCastOp,
             memref::ExtractAlignedPointerAsIndexOp, vector::LoadOp,
             vector::StoreOp, nvgpu::DeviceAsyncCopyOp, nvgpu::LdMatrixOp,
             UnrealizedConversionCastOp, arith::SelectOp>(op) ||
         isa<scf::SCFDialect, cf::ControlFlowDialect>(op->getDialect());
}

/// Checks the memrefs that `op` uses or makes.
static LogicalResult checkMemRefs(Operation *op,
                                  const TypeConverter &converter) {
  for (Type type :
       llvm::concat<Type>(op->getOperandTypes(), op->getResultTypes())) {
    if (!isa<BaseMemRefType>(type))
      continue;
    if (!convertsMemRefsOf(op))
      return op->emitError("'")
             << op->getName()
             << "' has no conversion to NVVM; kernels access memrefs by "
                "memref.load and store, vector.load and store, atomic_rmw and "
                "nvgpu operations";
    if (!converter.convertType(type))
      return op->emitError("memref type ")
             << type
             << " has no conversion to a pointer: it needs strides that are in "
                "the type, in global or workgroup memory";
  }
  return success();
}

static LogicalResult checkFunction(gpu::GPUFuncOp kernel,
                                   const TypeConverter &converter) {
  if (kernel.getNumResults() || !kernel.getPrivateAttributions().empty())
    return kernel.emitError("kernels have no results and no private "
                            "attributions");
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (!converter.convertType(type))
      return kernel.emitError("argument ")
             << i << " of type " << type << " can not be passed to a kernel";
  for (auto [i, attribution] :
       llvm::enumerate(kernel.getWorkgroupAttributions())) {
    auto type = cast<MemRefType>(attribution.getType());
    if (!type.hasStaticShape() || getAddressSpace(type) != Shared)
      return kernel.emitError("workgroup attribution ")
             << i << " of type " << type
             << " is not a static array in the workgroup address space";
  }
  return success();
}

/// The operation's verifier has checked the number of bytes.
static LogicalResult checkAsyncCopy(nvgpu::DeviceAsyncCopyOp op) {
  auto source = cast<MemRefType>(op.getSrc().getType());
  auto target = cast<MemRefType>(op.getDst().getType());
  if (getAddressSpace(source) != Global || getAddressSpace(target) != Shared)
    return op.emitError("cp.async copies from global to shared memory");
  if (!source.getElementType().isIntOrFloat())
    return op.emitError("cp.async of ") << source.getElementType();
  int64_t bytes =
      op.getDstElements().getSExtValue() * source.getElementTypeBitWidth() / 8;
  if (!llvm::is_contained({4, 8, 16}, bytes))
    return op.emitError("cp.async copies 4, 8 or 16 bytes, not ") << bytes;
  return success();
}

static LogicalResult checkLdMatrix(nvgpu::LdMatrixOp op) {
  auto result = cast<VectorType>(op.getRes().getType());
  if (getAddressSpace(cast<MemRefType>(op.getSrcMemref().getType())) != Shared)
    return op.emitError("ldmatrix loads from shared memory");
  if (result.getRank() != 2 ||
      result.getDimSize(1) * result.getElementTypeBitWidth() != 32)
    return op.emitError("ldmatrix gives a vector of 32 bits for each tile");
  return success();
}

static LogicalResult checkAtomic(memref::AtomicRMWOp op) {
  if (op.getMemRefType().getElementType().isInteger(1) ||
      !getAtomicOperation(op.getKind()))
    return op.emitError("there is no atomic '")
           << arith::stringifyAtomicRMWKind(op.getKind()) << "' of "
           << op.getMemRefType().getElementType();
  return success();
}

LogicalResult mlir::fusion::checkKernel(gpu::GPUFuncOp kernel,
                                        const LLVMTypeConverter &converter) {
  if (failed(checkFunction(kernel, converter)))
    return failure();
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    if (op == kernel)
      return WalkResult::advance();
    if (failed(checkMemRefs(op, converter)))
      return WalkResult::interrupt();
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([](nvgpu::DeviceAsyncCopyOp op) { return checkAsyncCopy(op); })
        .Case([](nvgpu::LdMatrixOp op) { return checkLdMatrix(op); })
        .Case([](memref::AtomicRMWOp op) { return checkAtomic(op); })
        .Case([&](memref::ExtractAlignedPointerAsIndexOp op) -> LogicalResult {
          auto type = cast<MemRefType>(op.getSource().getType());
          if (converter.getIndexTypeBitwidth() < 64 &&
              getAddressSpace(type) != Shared)
            return op.emitError("a global pointer does not fit the 32-bit "
                                "index of a kernel with 'fusion.index32'");
          return success();
        })
        .Default([](Operation *) { return success(); });
  });
  return failure(result.wasInterrupted());
}
