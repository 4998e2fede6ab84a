//===- Memory.cpp - Loads, stores and atomics -----------------------------===//
//
// Part of the fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::fusion;
using namespace mlir::fusion::msl;

/// The memref that a chain of views starts from.
static Value getRoot(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// True where a user of `memref`, or of a view of it, writes.
static bool isWritten(Value memref) {
  for (OpOperand &use : memref.getUses()) {
    Operation *user = use.getOwner();
    if (auto view = dyn_cast<ViewLikeOpInterface>(user)) {
      if (isWritten(user->getResult(0)))
        return true;
      continue;
    }
    if (!isa<memref::LoadOp, vector::LoadOp, memref::PrefetchOp>(user))
      return true;
  }
  return false;
}

/// True where a user of `memref`, or of a view of it, reads.
static bool isRead(Value memref) {
  for (OpOperand &use : memref.getUses()) {
    Operation *user = use.getOwner();
    if (isa<ViewLikeOpInterface>(user)
            ? isRead(user->getResult(0))
            : !isa<memref::StoreOp, vector::StoreOp>(user))
      return true;
  }
  return false;
}

bool KernelEmitter::isReadOnly(Value memref) { return !isWritten(memref); }

StringRef KernelEmitter::addressSpace(Value memref) {
  Value root = getRoot(memref);
  if (root.getDefiningOp<memref::AllocaOp>())
    return "thread";
  auto argument = dyn_cast<BlockArgument>(root);
  if (argument && llvm::is_contained(kernel.getWorkgroupAttributions(), root))
    return "threadgroup";
  return "device";
}

std::string KernelEmitter::element(Value memref, Value index) {
  return get(memref).text + "[" + get(index).text + "]";
}

std::string KernelEmitter::address(Value memref, Value index) {
  if (matchPattern(index, m_Zero()))
    return get(memref).text;
  return "(" + get(memref).text + " + " + get(index).at(Precedence::Additive) +
         ")";
}

bool KernelEmitter::sharesDeviceMemory() {
  // The block's arguments go on with the threadgroup arrays.
  auto arguments = kernel.getArguments().take_front(kernel.getNumArguments());
  return llvm::any_of(arguments, [&](Value argument) {
    return isa<MemRefType>(argument.getType()) && !isReadOnly(argument) &&
           isRead(argument);
  });
}

/// Kernels address memory by linear element offsets.
static LogicalResult checkAccess(Operation *op, MemRefType type,
                                 size_t numIndices) {
  if (numIndices == 1 && type.getLayout().isIdentity())
    return success();
  return op->emitOpError() << "accesses " << type
                           << "; kernels take one-dimensional contiguous "
                              "memrefs";
}

//===----------------------------------------------------------------------===//
// memref
//===----------------------------------------------------------------------===//

LogicalResult KernelEmitter::emit(memref::LoadOp op) {
  if (failed(checkAccess(op, op.getMemRefType(), op.getIndices().size())))
    return failure();
  if (op.getResult().use_empty())
    return success();
  // Names of loaded values tell where they come from.
  std::string hint = get(op.getMemref()).text + "_val";
  return bindVariable(op.getResult(),
                      {element(op.getMemref(), op.getIndices().front())}, hint);
}

LogicalResult KernelEmitter::emit(memref::StoreOp op) {
  if (failed(checkAccess(op, op.getMemRefType(), op.getIndices().size())))
    return failure();
  os << element(op.getMemref(), op.getIndices().front()) << " = "
     << get(op.getValue()).text << ";\n";
  return success();
}

/// The function that does `kind`, empty where Metal has none for `type`.
static StringRef atomicFunction(arith::AtomicRMWKind kind, Type type,
                                bool inThreadgroup) {
  using arith::AtomicRMWKind;
  if (type.isF32())
    return kind == AtomicRMWKind::addf && !inThreadgroup ? "fetch_add" : "";
  if (!type.isInteger(32))
    return "";
  switch (kind) {
  case AtomicRMWKind::addi:
    return "fetch_add";
  case AtomicRMWKind::andi:
    return "fetch_and";
  case AtomicRMWKind::ori:
    return "fetch_or";
  case AtomicRMWKind::xori:
    return "fetch_xor";
  case AtomicRMWKind::maxs:
  case AtomicRMWKind::maxu:
    return "fetch_max";
  case AtomicRMWKind::mins:
  case AtomicRMWKind::minu:
    return "fetch_min";
  case AtomicRMWKind::assign:
    return "exchange";
  default:
    return "";
  }
}

LogicalResult KernelEmitter::emit(memref::AtomicRMWOp op) {
  if (failed(checkAccess(op, op.getMemRefType(), op.getIndices().size())))
    return failure();
  Type type = op.getType();
  StringRef space = addressSpace(op.getMemref());
  StringRef function =
      atomicFunction(op.getKind(), type, space == "threadgroup");
  if (function.empty())
    return op.emitOpError()
           << "is an atomic " << arith::stringifyAtomicRMWKind(op.getKind())
           << " on " << type << " in " << space
           << " memory, which Metal lacks; it has f32 addition (device memory "
              "only) and 32-bit integers";
  bool isUnsigned = op.getKind() == arith::AtomicRMWKind::maxu ||
                    op.getKind() == arith::AtomicRMWKind::minu;
  std::string atomic =
      "atomic<" + (isUnsigned ? types.unsignedName(type) : types.name(type)) +
      ">";
  Expression call{
      ("atomic_" + function + "_explicit((" + space + " " + atomic + " *)" +
       address(op.getMemref(), op.getIndices().front()) + ", " +
       (isUnsigned ? getUnsigned(op.getValue()) : get(op.getValue())).text +
       ", memory_order_relaxed)")
          .str()};
  if (!op.getResult().use_empty())
    return bindVariable(op.getResult(),
                        isUnsigned ? fromUnsigned(call, type) : call);
  os << call.text << ";\n";
  return success();
}

LogicalResult KernelEmitter::emit(memref::ViewOp op) {
  FailureOr<std::string> name =
      typeName(op.getType().getElementType(), op.getLoc());
  if (failed(name))
    return failure();
  std::string pointer =
      (addressSpace(op.getSource()) + " " + *name + " *").str();
  std::string variable = names.unique("view");
  os << pointer << variable << " = (" << pointer << ")"
     << address(op.getSource(), op.getByteShift()) << ";\n";
  values[op.getResult()] = {variable};
  return success();
}

LogicalResult KernelEmitter::emit(memref::AllocaOp op) {
  MemRefType type = op.getType();
  FailureOr<std::string> name = typeName(type.getElementType(), op.getLoc());
  if (failed(name))
    return failure();
  if (!type.hasStaticShape() || type.getRank() != 1)
    return op.emitOpError("is not one-dimensional and static");
  std::string variable = names.unique("local");
  os << "thread " << *name << " " << variable << "[" << type.getNumElements()
     << "];\n";
  values[op.getResult()] = {variable};
  return success();
}

//===----------------------------------------------------------------------===//
// vector
//===----------------------------------------------------------------------===//

/// True where `count` elements at the access lie on the alignment that Metal
/// gives to a vector of them. Vectors of 3 have the size of 4.
static bool isVectorAligned(std::optional<uint64_t> alignment, unsigned count,
                            unsigned elementBytes) {
  return count != 3 && alignment.value_or(0) >= count * elementBytes;
}

LogicalResult KernelEmitter::emit(vector::LoadOp op) {
  if (failed(checkAccess(op, op.getMemRefType(), op.getIndices().size())))
    return failure();
  VectorType type = op.getVectorType();
  FailureOr<std::string> name = typeName(type, op.getLoc());
  if (failed(name))
    return failure();
  if (op.getResult().use_empty())
    return success();
  std::string hint = get(op.getBase()).text + "_vec";
  Value index = op.getIndices().front();
  unsigned count = type.getDimSize(0);
  if (isVectorAligned(op.getAlignment(), count,
                      types.byteSize(type.getElementType()))) {
    StringRef space = addressSpace(op.getBase());
    return bindVariable(op.getResult(),
                        {("*(" + space + " const " + *name + " *)" +
                          address(op.getBase(), index))
                             .str()},
                        hint);
  }
  // Element by element: the address is that of an element only.
  FailureOr<Expression> first = getSimple(index);
  if (failed(first))
    return failure();
  std::string text = *name + "(";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", " : "") + get(op.getBase()).text + "[" + first->text +
            (i ? " + " + std::to_string(i) : "") + "]";
  return bindVariable(op.getResult(), {text + ")"}, hint);
}

LogicalResult KernelEmitter::emit(vector::StoreOp op) {
  if (failed(checkAccess(op, op.getMemRefType(), op.getIndices().size())))
    return failure();
  VectorType type = op.getVectorType();
  FailureOr<std::string> name = typeName(type, op.getLoc());
  if (failed(name))
    return failure();
  Value index = op.getIndices().front();
  unsigned count = type.getDimSize(0);
  if (isVectorAligned(op.getAlignment(), count,
                      types.byteSize(type.getElementType()))) {
    os << "*(" << addressSpace(op.getBase()) << " " << *name << " *)"
       << address(op.getBase(), index) << " = "
       << get(op.getValueToStore()).text << ";\n";
    return success();
  }
  FailureOr<Expression> first = getSimple(index);
  FailureOr<Expression> value = getSimple(op.getValueToStore());
  if (failed(first) || failed(value))
    return failure();
  static constexpr StringLiteral components[] = {".x", ".y", ".z", ".w"};
  for (unsigned i = 0; i < count; ++i)
    os << get(op.getBase()).text << "[" << first->text
       << (i ? " + " + std::to_string(i) : "") << "] = " << value->text
       << components[i] << ";\n";
  return success();
}
